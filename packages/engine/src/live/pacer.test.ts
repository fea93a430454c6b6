import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { awaitCycle, createPacer, restartPacer } from './pacer.js';

/** A clock that goes on by a little whenever somebody looks, and by as much as a test wants in between. */
function createRig(timeStep = 0.001, perLook = 0.04) {
  const clock = { ms: 5000 };
  const pacer = createPacer(timeStep, () => {
    clock.ms += perLook;
    return clock.ms;
  });
  // Whoever sleeps here is woken at once: the clock of the test is not that of the machine.
  pacer.bed[0] = 1;
  return { clock, pacer };
}

describe('a loop that keeps up', () => {
  test('begins every cycle at its time, none missed', () => {
    const { pacer } = createRig();
    const start = pacer.dueMs;
    for (let cycle = 0; cycle < 300; cycle += 1) {
      expect(awaitCycle(pacer)).toBe(0);
      expect(pacer.lateMs).toBeGreaterThanOrEqual(0);
      expect(pacer.lateMs).toBeLessThan(0.05);
      expect(pacer.beganMs).toBeCloseTo(start + cycle + pacer.lateMs, 6);
    }
    // No error adds up.
    expect(pacer.dueMs).toBeCloseTo(start + 300, 6);
  });

  test('at any rate', () => {
    for (const timeStep of [0.0005, 0.002]) {
      const { pacer } = createRig(timeStep);
      const start = pacer.dueMs;
      for (let cycle = 0; cycle < 100; cycle += 1) expect(awaitCycle(pacer)).toBe(0);
      expect(pacer.dueMs).toBeCloseTo(start + 100_000 * timeStep, 6);
    }
  });
});

describe('a loop that comes late', () => {
  test('by less than a step: told, nothing missed, back in time with the next', () => {
    const { clock, pacer } = createRig();
    awaitCycle(pacer);
    clock.ms += 1.7;
    expect(awaitCycle(pacer)).toBe(0);
    expect(Math.abs(pacer.lateMs - 0.7)).toBeLessThan(0.15);
    expect(awaitCycle(pacer)).toBe(0);
    expect(pacer.lateMs).toBeLessThan(0.05);
  });

  test('by several steps: those are counted and left out', () => {
    const { clock, pacer } = createRig();
    awaitCycle(pacer);
    clock.ms += 7.5;
    expect(awaitCycle(pacer)).toBe(6);
    expect(Math.abs(pacer.lateMs - 6.5)).toBeLessThan(0.15);
    const began = pacer.beganMs;
    expect(awaitCycle(pacer)).toBe(0);
    expect(Math.abs(pacer.beganMs - began - 0.5)).toBeLessThan(0.15);
  });

  test.each([1, 2, 3])('never makes up for it by a burst, and counts every cycle (seed %i)', (seed) => {
    const random = createRandom(seed);
    const { clock, pacer } = createRig();
    const start = pacer.dueMs;
    const begins: number[] = [];
    let missed = 0;
    for (let cycle = 0; cycle < 600; cycle += 1) {
      missed += awaitCycle(pacer);
      begins.push(pacer.beganMs);
      // Mostly short work, now and then a long stall.
      clock.ms += random() < 0.05 ? 40 * random() : 0.6 * random();
    }
    const slots = begins.map((ms) => Math.floor(ms - start));
    // One cycle in a slot of a millisecond at most, in order.
    expect(slots.every((slot, k) => k === 0 || slot > slots[k - 1])).toBe(true);
    expect(slots.at(-1)! + 1).toBe(600 + missed);
    expect(missed).toBeGreaterThan(200);
  });

  test('every time: work longer than a step runs at the next full step', () => {
    const { clock, pacer } = createRig();
    let missed = 0;
    const began: number[] = [];
    for (let cycle = 0; cycle < 100; cycle += 1) {
      missed += awaitCycle(pacer);
      began.push(pacer.beganMs);
      clock.ms += 2.4;
    }
    expect(missed).toBeGreaterThan(130);
    for (let cycle = 1; cycle < 100; cycle += 1) expect(began[cycle] - began[cycle - 1]).toBeGreaterThan(2.3);
  });
});

test('a pause is not counted when the pacer is restarted', () => {
  const { clock, pacer } = createRig();
  awaitCycle(pacer);
  clock.ms += 60_000;
  restartPacer(pacer);
  const restarted = clock.ms;
  expect(awaitCycle(pacer)).toBe(0);
  expect(Math.abs(pacer.beganMs - restarted - 1)).toBeLessThan(0.15);
  expect(pacer.lateMs).toBeLessThan(0.05);
});
