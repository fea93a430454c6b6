import { describe, expect, it } from 'vitest';
import { fitRange, formatTick, formatValue, powerRange, powerTicks, roundStep, ticksOf } from './axis.js';

describe('ticks', () => {
  it('stand at round numbers', () => {
    expect(roundStep(10, 5)).toBe(2);
    expect(roundStep(0.3, 3)).toBeCloseTo(0.1, 12);
    expect(ticksOf({ low: -2, high: 8 }, 3)).toEqual([0, 5]);
    expect(ticksOf({ low: -1, high: 1 }, 4)).toEqual([-1, -0.5, 0, 0.5, 1]);
  });

  it('stand at powers of ten where an axis has them', () => {
    expect(powerTicks({ low: 1, high: 2000 })).toEqual([1, 10, 100, 1000]);
    expect(powerRange([1, 2000], 300)).toEqual({ low: 1, high: 2000 });
    expect(powerRange([1, 2000], 2500)).toEqual({ low: 1, high: 10_000 });
  });

  it('are told in as few digits as are needed', () => {
    expect(formatTick(0.30000000000000004, 0.1)).toBe('0.3');
    expect(formatTick(-5, 5)).toBe('−5');
    expect(formatTick(-1e-17, 0.5)).toBe('0.0');
    expect(formatValue(-0.0001, 2)).toBe('0.00');
  });
});

describe('the range of an axis', () => {
  it('ends at round numbers and is never empty', () => {
    expect(fitRange(undefined, 0, 7.2, 1)).toEqual({ low: 0, high: 8 });
    expect(fitRange(undefined, 0, 0, 1)).toEqual({ low: 0, high: 1 });
    expect(fitRange(undefined, 100, 100, 2)).toEqual({ low: 100, high: 102 });
  });

  it('widens at once and shrinks when much less is needed', () => {
    const wide = fitRange({ low: 0, high: 8 }, -3, 7, 1);
    expect(wide).toEqual({ low: -4, high: 8 });
    expect(fitRange(wide, 0, 7, 1)).toBe(wide);
    expect(fitRange(wide, 0, 3, 1)).toEqual({ low: 0, high: 3 });
  });

  it('lets go of where nothing is any more', () => {
    expect(fitRange({ low: 0, high: 1 }, 100, 101, 1).low).toBe(100);
  });
});
