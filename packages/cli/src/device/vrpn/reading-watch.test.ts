import { describe, expect, it } from 'vitest';
import { FROZEN_AFTER_MS, ReadingWatch } from './reading-watch.js';

const SAMPLE_MS = 100;
/** Bytes a millisecond: poses and wrenches at 1 kHz. */
const RATE = 250;
const WINDOW = 65_536;

/** Judges once every 0.1 s a peer that has read up to `readUpTo(ms)` of what was sent by then. */
function judge(watch: ReadingWatch, readUpTo: (ms: number) => number, fromMs: number, toMs: number, isLocal = true) {
  const verdicts = [];
  for (let ms = fromMs; ms <= toMs; ms += SAMPLE_MS) {
    const handed = RATE * ms;
    const waits = handed - Math.min(handed, RATE * readUpTo(ms));
    // The peer's machine takes what fits, and confirms it; the rest waits with us.
    const unread = Math.min(waits, WINDOW);
    const queues = { unconfirmed: waits - unread, unread: isLocal ? unread : null };
    // Some more is sent while the table is read.
    verdicts.push(watch.judge(queues, [handed - 2 * RATE, handed + RATE], ms));
  }
  return verdicts;
}

/** Reads everything `perSecond` times a second. */
const reader = (perSecond: number) => (ms: number) => (Math.floor((ms * perSecond) / 1000) * 1000) / perSecond;

describe('who reads', () => {
  it.each([3, 10, 59.9, 60, 1000])('is seen, though something always waits: %d times a second', (perSecond) => {
    const verdicts = judge(new ReadingWatch(), reader(perSecond), 0, 60_000);
    expect(new Set(verdicts)).toEqual(new Set(['reads']));
  });

  it('and who does not, also when its machine can take no more', () => {
    const watch = new ReadingWatch();
    judge(watch, reader(60), 0, 3000);
    const verdicts = judge(watch, () => 3000, 3100, 10_000);
    const first = verdicts.indexOf('frozen');
    expect(first * SAMPLE_MS).toBeLessThanOrEqual(FROZEN_AFTER_MS);
    expect(new Set(verdicts.slice(first))).toEqual(new Set(['frozen']));
    expect(judge(watch, reader(60), 10_100, 11_000)).not.toContain('frozen');
  });

  it('cannot be told of another machine, until that takes no more', () => {
    const watch = new ReadingWatch();
    expect(new Set(judge(watch, reader(60), 0, 3000, false))).toEqual(new Set(['unknown']));
    const verdicts = judge(watch, () => 3000, 3100, 5000, false);
    const fullMs = WINDOW / RATE;
    expect(verdicts.indexOf('frozen') * SAMPLE_MS).toBeGreaterThan(fullMs);
    expect(verdicts.at(-1)).toBe('frozen');
  });

  it('cannot be told without a table', () => {
    const watch = new ReadingWatch();
    for (let ms = 0; ms < 2000; ms += SAMPLE_MS) expect(watch.judge(null, [ms, ms], ms)).toBe('unknown');
  });

  it('is asked from the beginning after a pause', () => {
    const watch = new ReadingWatch();
    judge(watch, () => 0, 0, 300);
    expect(judge(watch, () => 0, 2000, 2300)).not.toContain('frozen');
  });
});
