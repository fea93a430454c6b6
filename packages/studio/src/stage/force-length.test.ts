import { describe, expect, it } from 'vitest';
import { forceShare } from './force-length.js';

describe('forceShare', () => {
  it('is 0 without a force, 1 from the largest on, and never beyond', () => {
    expect(forceShare(0)).toBe(0);
    expect(forceShare(-1)).toBe(0);
    expect(forceShare(20)).toBeCloseTo(1, 12);
    expect(forceShare(1e9)).toBe(1);
  });

  it('tells small forces from none and grows all the way', () => {
    expect(forceShare(0.1)).toBeGreaterThan(0.1);
    for (const force of [0.01, 0.1, 1, 5]) expect(forceShare(2 * force)).toBeGreaterThan(forceShare(force) + 0.01);
  });
});
