import { expect, test } from 'vitest';
import { roundUp, thinned } from './plot-points.js';

test('a line keeps its ends and its peaks', () => {
  const values = new Float64Array(10_000);
  values[1234] = 9;
  values[5678] = -7;
  const kept = thinned(values, 100);
  expect(kept.length).toBeLessThan(210);
  expect([kept[0], kept.at(-1)]).toEqual([0, 9999]);
  expect(kept).toContain(1234);
  expect(kept).toContain(5678);
  expect(kept.every((index, i) => i === 0 || index > kept[i - 1]!)).toBe(true);
  expect(thinned(values.subarray(0, 150), 100)).toHaveLength(150);
  expect(thinned(new Float64Array(0), 100)).toEqual([]);
});

test('axes end at round numbers', () => {
  expect([0.011, 1, 1.2, 4.9, 5.01, 70].map(roundUp)).toEqual([0.02, 1, 2, 5, 10, 100]);
  expect([0, -1, Number.NaN].map(roundUp)).toEqual([1, 1, 1]);
});
