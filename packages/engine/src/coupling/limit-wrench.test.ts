import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { createWrenchLimiter, limitWrench, limitWrenchAndRate } from './limit-wrench.js';

const LIMITS = { force: 10, torque: 0.2 };

test('leaves a wrench within the limits alone', () => {
  const wrench = Float64Array.of(6, 0, 8, 0.1, 0, 0);
  expect(limitWrench(wrench, LIMITS)).toBe(false);
  expect([...wrench]).toEqual([6, 0, 8, 0.1, 0, 0]);
});

test('shortens force and torque each on its own, in their directions', () => {
  const wrench = Float64Array.of(0, 30, 40, 0, 0, -0.5);
  expect(limitWrench(wrench, LIMITS)).toBe(true);
  expect([...wrench].map((value) => Number(value.toFixed(12)))).toEqual([0, 6, 8, 0, 0, -0.2]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e200])('turns a force of %f into none', (bad) => {
  const wrench = Float64Array.of(bad, 1, 1, 0.1, 0, 0);
  expect(limitWrench(wrench, LIMITS)).toBe(true);
  expect([...wrench]).toEqual([0, 0, 0, 0.1, 0, 0]);
});

describe('with rates', () => {
  test('a sudden force comes and goes at the rate', () => {
    const limiter = createWrenchLimiter({ force: 10, forceRate: 2000 }, 0.001);
    const felt = Array.from({ length: 9 }, (_, cycle) => {
      const wrench = Float64Array.of(0, 0, cycle < 6 ? 1000 : 0, 0, 0, 0);
      const changed = limitWrenchAndRate(limiter, wrench);
      return [Number(wrench[2].toFixed(9)), changed];
    });
    expect(felt).toEqual([
      [2, true],
      [4, true],
      [6, true],
      [8, true],
      [10, true],
      [10, true],
      [8, true],
      [6, true],
      [4, true],
    ]);
  });

  test('a wrench that is not finite goes to zero at the rate', () => {
    const limiter = createWrenchLimiter({ torqueRate: 100 }, 0.001);
    limiter.last.set([1, 2, 3, 0, 0.25, 0]);
    const felt = [0.15, 0.05, 0].map(() => {
      const wrench = new Float64Array(6).fill(Number.NaN);
      expect(limitWrenchAndRate(limiter, wrench)).toBe(true);
      return [...wrench].map((value) => Number(value.toFixed(9)));
    });
    expect(felt.map((wrench) => wrench[4])).toEqual([0.15, 0.05, 0]);
    expect(felt.map((wrench) => wrench.slice(0, 3))).toEqual(Array(3).fill([0, 0, 0]));
  });

  test('without limits only what is not finite is changed', () => {
    const limiter = createWrenchLimiter({}, 0.001);
    const wrench = Float64Array.of(1e9, 0, 0, 0, 0, 1e9);
    expect(limitWrenchAndRate(limiter, wrench)).toBe(false);
    expect([...wrench]).toEqual([1e9, 0, 0, 0, 0, 1e9]);
    wrench[0] = Number.POSITIVE_INFINITY;
    expect(limitWrenchAndRate(limiter, wrench)).toBe(true);
    expect([...wrench]).toEqual([0, 0, 0, 0, 0, 1e9]);
  });

  test('limits of size and rate hold for whatever comes', () => {
    const random = createRandom(7);
    const limiter = createWrenchLimiter({ ...LIMITS, forceRate: 500, torqueRate: 9 }, 0.001);
    const before = new Float64Array(6);
    for (let n = 0; n < 20_000; n += 1) {
      const size = 10 ** (6 * random() - 3);
      const wrench = Float64Array.from({ length: 6 }, () => size * (random() - 0.5));
      limitWrenchAndRate(limiter, wrench);
      const length = (at: number, from?: Float64Array) =>
        Math.sqrt([0, 1, 2].reduce((sum, axis) => sum + (wrench[at + axis] - (from?.[at + axis] ?? 0)) ** 2, 0));
      expect(length(0)).toBeLessThanOrEqual(10);
      expect(length(3)).toBeLessThanOrEqual(0.2);
      expect(length(0, before)).toBeLessThanOrEqual(0.5 * (1 + 1e-12));
      expect(length(3, before)).toBeLessThanOrEqual(0.009 * (1 + 1e-12));
      before.set(wrench);
    }
  });
});
