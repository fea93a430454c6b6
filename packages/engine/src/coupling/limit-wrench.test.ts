import { expect, test } from 'vitest';
import { limitWrench } from './limit-wrench.js';

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
