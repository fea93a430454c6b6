import { describe, expect, it } from 'vitest';
import { createLoopHeartbeat, HEARTBEAT_LOOK_MS, type Heartbeat } from './heartbeat.js';

/** A loop and its watch, by a clock of their own. */
function openWatch() {
  const heartbeat = createLoopHeartbeat(500);
  let nowMs = 1000;
  let cycles = 1;
  const look = (isChanging = false) => heartbeat.look(cycles, nowMs, isChanging);
  look();
  return {
    /** Time passes with a look at its end; the loop does its cycles meanwhile, or none. */
    pass(ms: number, isAlive: boolean, isChanging = false): Heartbeat {
      nowMs += ms;
      if (isAlive) cycles += ms;
      return look(isChanging);
    },
  };
}

/** How long until it is reported, milliseconds, with a look every so often. */
function timeUntil(wanted: Heartbeat, lookMs: number, isChanging = () => false): number {
  const { pass } = openWatch();
  for (let ms = lookMs; ms < 60_000; ms += lookMs) if (pass(lookMs, false, isChanging()) === wanted) return ms;
  return Number.POSITIVE_INFINITY;
}

describe('the heartbeat of the loop', () => {
  it('is missed within 50 ms of the last cycle, and given up after half a second', () => {
    // The last cycle may be as old as one look.
    expect(timeUntil('silent', HEARTBEAT_LOOK_MS)).toBeLessThanOrEqual(50 - HEARTBEAT_LOOK_MS);
    expect(timeUntil('stuck', HEARTBEAT_LOOK_MS)).toBe(500);
    // Timers are never exact.
    expect(timeUntil('silent', 0.9 * HEARTBEAT_LOOK_MS)).toBeLessThanOrEqual(50 - HEARTBEAT_LOOK_MS);
  });

  it('is not missed while cycles come, however late the looks are', () => {
    const { pass } = openWatch();
    for (const ms of [10, 10, 500, 10, 3000, 10]) expect(pass(ms, true)).toBe('beats');
  });

  it('is back with the next cycle, as if nothing had been', () => {
    const { pass } = openWatch();
    for (let ms = 0; ms < 490; ms += 10) expect(pass(10, false)).not.toBe('stuck');
    expect(pass(10, true)).toBe('beats');
    expect([1, 2, 3, 4].map(() => pass(10, false))).toEqual(['beats', 'beats', 'beats', 'silent']);
  });

  it('is not missed by a page that was busy itself, and never given up by a hidden one', () => {
    const { pass } = openWatch();
    expect([1, 2, 3, 4].map(() => pass(1000, false))).toEqual(['beats', 'beats', 'beats', 'silent']);
    // A hidden page has a timer once a second.
    expect(timeUntil('stuck', 1000)).toBe(Number.POSITIVE_INFINITY);
    // Only looks that are on time count.
    for (let ms = 10; ms < 500; ms += 10) expect([pass(200, false), pass(10, false)]).not.toContain('stuck');
    expect(pass(10, false)).toBe('stuck');
  });

  it('may rest for five seconds after a change, but not for one that was asked for too late', () => {
    expect(timeUntil('silent', HEARTBEAT_LOOK_MS, () => true)).toBeLessThanOrEqual(40);
    expect(timeUntil('stuck', HEARTBEAT_LOOK_MS, () => true)).toBe(5000);
    let looks = 0;
    expect(timeUntil('stuck', HEARTBEAT_LOOK_MS, () => looks++ >= 2)).toBe(500);
  });
});
