import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import {
  applyMatrix,
  applyMatrix6,
  applyPose,
  applyTransposed,
  createInverseWorkspace,
  invertMatrix,
  invertPositiveDefinite3,
  multiplyMatrix6,
  rotateInertia,
  rotateTensor,
} from './matrices.js';
import { createPose, normalizePose, rotationMatrix, transformPoint } from './pose.js';

const SEED = 20261116;

function randomNumbers(seed: number, count: number): Float64Array {
  const random = createRandom(SEED + seed);
  return Float64Array.from({ length: count }, () => 2 * random() - 1);
}

function randomPose(seed: number) {
  const pose = createPose(...randomNumbers(seed, 7));
  normalizePose(pose);
  return pose;
}

/** B Bᵀ + 1: symmetric, positive definite. */
function positive(n: number, seed: number): Float64Array {
  const b = randomNumbers(seed, n * n);
  return Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    let sum = i === j ? 1 : 0;
    for (let k = 0; k < n; k += 1) sum += b[n * i + k] * b[n * j + k];
    return sum;
  });
}

function product(a: Float64Array, b: Float64Array, n: number): number[] {
  return Array.from({ length: n * n }, (_, at) => {
    let sum = 0;
    for (let k = 0; k < n; k += 1) sum += a[n * Math.floor(at / n) + k] * b[n * k + (at % n)];
    return sum;
  });
}

function identity(n: number): number[] {
  return Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.max(...Array.from(a, (value, i) => Math.abs(value - b[i])));
}

describe('a matrix of 3×3', () => {
  const m = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 10);

  test('is applied row by row, its transpose column by column, in place if wanted', () => {
    const v = Float64Array.of(9, 1, -1, 2, 9);
    applyMatrix(v, 1, m, v, 1);
    expect([...v]).toEqual([9, 5, 11, 19, 9]);
    applyTransposed(v, 1, m, Float64Array.of(1, -1, 2), 0);
    expect([...v]).toEqual([9, 11, 13, 17, 9]);
  });

  test('that is a rotation is undone by its transpose', () => {
    const rotation = rotationMatrix(new Float64Array(9), randomPose(1));
    const v = randomNumbers(2, 3);
    const out = new Float64Array(3);
    applyMatrix(out, 0, rotation, v, 0);
    applyTransposed(out, 0, rotation, out, 0);
    expect(largestDifference(out, v)).toBeLessThan(1e-15);
  });

  test('places points as the quaternion of its pose does', () => {
    const pose = randomPose(3);
    const v = randomNumbers(4, 3);
    const out = new Float64Array(4);
    applyPose(out, 1, pose, rotationMatrix(new Float64Array(9), pose), v, 0);
    expect(
      largestDifference(out.subarray(1), transformPoint(new Float64Array(3), pose, v[0], v[1], v[2])),
    ).toBeLessThan(1e-15);
  });
});

describe.each([rotateInertia, rotateTensor])('$name', (rotate) => {
  test('gives R T Rᵀ', () => {
    const rotation = rotationMatrix(new Float64Array(9), randomPose(5));
    const tensor = positive(3, 6);
    const out = new Float64Array(9);
    rotate(out, rotation, tensor);
    // R T Rᵀ R = R T
    const right = product(rotation, tensor, 3);
    expect(largestDifference(product(out, rotation, 3), right)).toBeLessThan(1e-14);
  });

  test('changes nothing without a rotation', () => {
    const tensor = positive(3, 7);
    const out = new Float64Array(9);
    rotate(out, Float64Array.from(identity(3)), tensor);
    expect([...out]).toEqual([...tensor]);
  });
});

describe('matrices of 6×6', () => {
  test('are applied and multiplied', () => {
    const a = randomNumbers(8, 36);
    const b = randomNumbers(9, 36);
    const out = new Float64Array(36);
    multiplyMatrix6(out, a, b);
    expect([...out]).toEqual(product(a, b, 6));
    const column = Float64Array.from({ length: 7 }, (_, k) => (k === 0 ? 5 : b[6 * (k - 1) + 2]));
    const applied = new Float64Array(8);
    applyMatrix6(applied, 2, a, column, 1);
    expect([...applied]).toEqual([0, 0, ...Array.from({ length: 6 }, (_, i) => out[6 * i + 2])]);
  });
});

describe('inverses', () => {
  test.each([3, 6])('of %i×%i numbers undo the matrix', (n) => {
    const workspace = createInverseWorkspace(n);
    for (let seed = 10; seed < 30; seed += 1) {
      const a = positive(n, seed);
      const before = [...a];
      const out = new Float64Array(n * n);
      expect(invertMatrix(out, a, n, workspace)).toBe(true);
      expect([...a]).toEqual(before);
      expect(largestDifference(product(a, out, n), identity(n)), `seed ${SEED + seed}`).toBeLessThan(1e-12);
    }
  });

  test('of singular matrices are zeros', () => {
    const out = new Float64Array(36).fill(1);
    expect(invertMatrix(out, new Float64Array(36), 6, createInverseWorkspace(6))).toBe(false);
    expect([...out]).toEqual(Array(36).fill(0));
  });

  test('of positive definite 3×3 matrices undo them', () => {
    for (let seed = 30; seed < 50; seed += 1) {
      const m = positive(3, seed);
      const out = new Float64Array(9);
      expect(invertPositiveDefinite3(out, m)).toBe(true);
      expect(largestDifference(product(m, out, 3), identity(3)), `seed ${SEED + seed}`).toBeLessThan(1e-13);
    }
  });

  test.each([
    ['has no volume', [1, 0, 0, 0, 0, 0, 0, 0, 1]],
    ['is negative along an axis', [1, 0, 0, 0, 1, 0, 0, 0, -1]],
    ['is not finite', [1, 0, 0, 0, 1, 0, 0, 0, Number.POSITIVE_INFINITY]],
  ])('of a 3×3 matrix that %s are refused', (_, m) => {
    const out = new Float64Array(9);
    expect(invertPositiveDefinite3(out, Float64Array.from(m))).toBe(false);
    expect([...out]).toEqual(Array(9).fill(0));
  });
});
