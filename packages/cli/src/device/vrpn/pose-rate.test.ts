import { describe, expect, it } from 'vitest';
import { describeSlowPoses, PoseRate } from './pose-rate.js';

/** What is reported when poses come with these gaps, ms, again and again for three seconds. */
function reports(gaps: readonly number[], silentAfter = 0.01): { rate: number }[] {
  const rate = new PoseRate(silentAfter);
  const found = [];
  for (let nowMs = 0, k = 0; nowMs < 3000; nowMs += gaps[k++ % gaps.length]) {
    const slow = rate.count(nowMs);
    if (slow) found.push(slow);
  }
  return found;
}

describe('the rate of poses', () => {
  it('is reported once when the loop takes every gap for silence', () => {
    expect(reports([17, 16, 17])).toEqual([{ rate: expect.closeTo(60, 0), silentAfter: 0.01 }]);
    expect(reports([12, 8])).toHaveLength(1);
  });

  it('is nobody’s business when it is fast enough, with a hiccup or without', () => {
    expect(reports([1])).toEqual([]);
    expect(reports([...new Array(99).fill(1), 40])).toEqual([]);
    expect(reports([17, 16, 17], 0.05)).toEqual([]);
    expect(reports([1500])).toEqual([]);
  });

  it('comes with what to write', () => {
    expect(describeSlowPoses({ rate: 60, silentAfter: 0.01 })).toBe(
      'poses arrive 60 times a second, but the loop gives no force to a device that is silent for 0.01 s: write ' +
        '"silentAfter": 0.07 and "workspace": { "smoothing": 0.02 } in the "device" of the scene',
    );
  });
});
