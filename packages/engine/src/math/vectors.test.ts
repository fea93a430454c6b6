import { describe, expect, test } from 'vitest';
import {
  cross,
  crossOfEdges,
  distanceSquared,
  dot,
  lengthAt,
  normalise,
  subtract,
  volumeOfCorners6,
} from './vectors.js';

// Not at the start of the array, so that a forgotten offset shows.
const numbers = () => Float64Array.of(7, 1, 2, 3, 4, -5, 6, 9);
const A = 1;
const B = 4;

describe('vectors in an array', () => {
  test('have products, lengths and distances', () => {
    expect(dot(numbers(), A, numbers(), B)).toBe(1 * 4 - 2 * 5 + 3 * 6);
    expect(lengthAt(Float64Array.of(0, 2, 3, 6), 1)).toBe(7);
    expect(distanceSquared(numbers(), A, numbers(), B)).toBe(9 + 49 + 9);
  });

  test('sum from x to z', () => {
    // 1e16 + 1 is 1e16 again: another order would keep the 1.
    expect(dot(Float64Array.of(1e16, 1, -1e16), 0, Float64Array.of(1, 1, 1), 0)).toBe(0);
  });

  test('are subtracted, into one of them if wanted', () => {
    const v = numbers();
    subtract(v, B, v, A, v, B);
    expect([...v]).toEqual([7, 1, 2, 3, -3, 7, -3, 9]);
  });

  test('have a cross product, into one of them if wanted', () => {
    const v = numbers();
    cross(v, A, v, A, v, B);
    expect([...v]).toEqual([7, 27, 6, -13, 4, -5, 6, 9]);
    const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 0);
    cross(axes, 6, axes, 0, axes, 3);
    expect([...axes.subarray(6)]).toEqual([0, 0, 1]);
  });

  test('are scaled to length 1, unless they have none', () => {
    const v = Float64Array.of(5, 0, 3, 4, 5);
    expect(normalise(v, 1)).toBe(5);
    expect([...v]).toEqual([5, 0, 3 / 5, 4 / 5, 5]);
    const zero = new Float64Array(3);
    expect(normalise(zero, 0)).toBe(0);
    expect([...zero]).toEqual([0, 0, 0]);
  });
});

test('a triangle has a normal of twice its area, counter-clockwise from outside', () => {
  const out = new Float64Array(4);
  crossOfEdges(out, 1, Float64Array.of(1, 1, 5, 3, 1, 5, 1, 4, 5), 0, 3, 6);
  expect([...out]).toEqual([0, 0, 0, 6]);
});

test('a tetrahedron has a volume with a sign', () => {
  const origin = Float64Array.of(0, 1, 1, 1);
  const p = Float64Array.of(3, 1, 1, 1, 4, 1, 1, 1, 5);
  expect(volumeOfCorners6(origin, 1, p, 0, 3, 6)).toBe(2 * 3 * 4);
  expect(volumeOfCorners6(origin, 1, p, 3, 0, 6)).toBe(-2 * 3 * 4);
});
