import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { acosOf, asinOf, atan2Of, cosOf, cubeRootOf, expOf, logOf, powerOf, sinOf, tanOf } from './portable.js';

/** In units of the last place of what was expected, or of `least` where that is larger. */
function ulps(actual: number, expected: number, least = Number.MIN_VALUE): number {
  return Math.abs(actual - expected) / (Math.max(Math.abs(expected), least) * 2 ** -52);
}

describe('portable functions', () => {
  const seed = 71;
  const random = createRandom(seed);
  const samples = Array.from({ length: 20_000 }, () => random());
  const worst = (measure: (u: number) => number) => Math.max(...samples.map(measure));

  it.each([
    ['sin', (u: number) => ulps(sinOf(40 * (u - 0.5)), Math.sin(40 * (u - 0.5)), 1e-3)],
    ['cos', (u: number) => ulps(cosOf(40 * (u - 0.5)), Math.cos(40 * (u - 0.5)), 1e-3)],
    ['tan', (u: number) => ulps(tanOf(3 * (u - 0.5)), Math.tan(3 * (u - 0.5)))],
    ['asin', (u: number) => ulps(asinOf(2 * u - 1), Math.asin(2 * u - 1))],
    ['acos', (u: number) => ulps(acosOf(2 * u - 1), Math.acos(2 * u - 1))],
    ['exp', (u: number) => ulps(expOf(200 * (u - 0.5)), Math.exp(200 * (u - 0.5)))],
    ['log', (u: number) => ulps(logOf(100 * u + 1e-9), Math.log(100 * u + 1e-9), 1e-2)],
    ['cbrt', (u: number) => ulps(cubeRootOf(1e-6 * u), Math.cbrt(1e-6 * u))],
  ])('%s within 4 units in the last place', (name, measure) => {
    expect(worst(measure), `${name}, seed ${seed}`).toBeLessThan(4);
  });

  it('atan2 in all quadrants and on the axes', () => {
    const pairs = samples.map((u, at) => [u - 0.5, samples[(at * 7 + 3) % samples.length]! - 0.5] as const);
    expect(Math.max(...pairs.map(([y, x]) => ulps(atan2Of(y, x), Math.atan2(y, x))))).toBeLessThan(4);
    for (const [y, x] of [
      [0, 1],
      [1, 0],
      [0, -1],
      [-1, 0],
      [1, 1],
      [0, 0],
    ] as const) {
      expect(atan2Of(y, x)).toBeCloseTo(Math.atan2(y, x), 15);
    }
  });

  it('powers, the whole ones to the bit where they are small', () => {
    expect(powerOf(2, 0.5)).toBeCloseTo(Math.SQRT2, 14);
    expect(powerOf(0.25, -1.5)).toBeCloseTo(8, 13);
    expect(expOf(0)).toBe(1);
    expect(logOf(1)).toBe(0);
    expect(sinOf(0)).toBe(0);
    expect(cosOf(0)).toBe(1);
  });
});
