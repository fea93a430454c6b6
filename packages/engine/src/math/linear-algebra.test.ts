import { describe, expect, test } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { choleskyFactor, choleskySolve, solveLinear, symmetricEigen } from './linear-algebra.js';

const SEED = 20261115;

function randomMatrix(random: RandomSource, size: number): Float64Array {
  return Float64Array.from({ length: size }, () => 2 * random() - 1);
}

function multiply(a: Float64Array, x: Float64Array, n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, row) => {
    let sum = 0;
    for (let column = 0; column < n; column += 1) sum += a[n * row + column] * x[column];
    return sum;
  });
}

/** B Bᵀ + shift I, of B's rank without the shift. */
function gram(b: Float64Array, n: number, columns: number, shift: number): Float64Array {
  const out = new Float64Array(n * n);
  for (let row = 0; row < n; row += 1) {
    for (let column = 0; column < n; column += 1) {
      let sum = row === column ? shift : 0;
      for (let k = 0; k < columns; k += 1) sum += b[columns * row + k] * b[columns * column + k];
      out[n * row + column] = sum;
    }
  }
  return out;
}

function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let worst = 0;
  for (let i = 0; i < a.length; i += 1) worst = Math.max(worst, Math.abs(a[i] - b[i]));
  return worst;
}

describe('solveLinear', () => {
  test.each([1, 2, 3, 6, 9])('finds the solution of random systems of %i unknowns', (n) => {
    const random = createRandom(SEED + n);
    for (let round = 0; round < 50; round += 1) {
      const a = randomMatrix(random, n * n);
      const wanted = randomMatrix(random, n);
      const x = multiply(a, wanted, n);
      const right = x.slice();
      expect(solveLinear(x, a.slice(), n)).toBe(true);
      expect(largestDifference(multiply(a, x, n), right), `seed ${SEED + n}, round ${round}`).toBeLessThan(1e-10);
    }
  });

  test('swaps rows where a pivot is zero', () => {
    const x = Float64Array.of(3, 5, 7);
    expect(solveLinear(x, Float64Array.of(0, 1, 0, 0, 0, 1, 1, 0, 0), 3)).toBe(true);
    expect([...x]).toEqual([7, 3, 5]);
  });

  test('keeps its digits where rows differ by many orders', () => {
    const a = Float64Array.of(1e-17, 1, 1, 1);
    const x = Float64Array.of(1, 2);
    expect(solveLinear(x, a, 2)).toBe(true);
    expect(largestDifference(x, [1, 1])).toBeLessThan(1e-15);
  });

  test('says so when the matrix is singular or not finite', () => {
    expect(solveLinear(new Float64Array(2), Float64Array.of(1, 2, 2, 4), 2)).toBe(false);
    expect(solveLinear(new Float64Array(2), new Float64Array(4), 2)).toBe(false);
    expect(solveLinear(new Float64Array(1), Float64Array.of(Number.NaN), 1)).toBe(false);
  });

  test('uses no more than the first n × n numbers', () => {
    const a = Float64Array.of(2, 0, 0, 4, 99, 99);
    const x = Float64Array.of(2, 4, 77);
    solveLinear(x, a, 2);
    expect([...x]).toEqual([1, 1, 77]);
    expect([...a.slice(4)]).toEqual([99, 99]);
  });
});

describe('Cholesky', () => {
  test.each([1, 3, 6])('solves positive definite systems of %i unknowns', (n) => {
    const random = createRandom(SEED + n);
    for (let round = 0; round < 50; round += 1) {
      const a = gram(randomMatrix(random, n * n), n, n, 0.1);
      const right = randomMatrix(random, n);
      const factor = a.slice();
      choleskyFactor(factor, n, 0);
      const x = right.slice();
      choleskySolve(x, factor, n);
      expect(largestDifference(multiply(a, x, n), right), `seed ${SEED + n}, round ${round}`).toBeLessThan(1e-11);
    }
  });

  test('reads the lower half only', () => {
    const factor = Float64Array.of(4, 99, 2, 5);
    choleskyFactor(factor, 2, 0);
    const x = Float64Array.of(8, 12);
    choleskySolve(x, factor, 2);
    expect(largestDifference(x, [1, 2])).toBeLessThan(1e-15);
  });

  test('stays finite on a semidefinite matrix, and solves in its range', () => {
    const random = createRandom(SEED);
    for (let round = 0; round < 50; round += 1) {
      const a = gram(randomMatrix(random, 6 * 3), 6, 3, 0);
      const right = multiply(a, randomMatrix(random, 6), 6);
      const factor = a.slice();
      choleskyFactor(factor, 6, 1e-9);
      const x = right.slice();
      choleskySolve(x, factor, 6);
      expect(largestDifference(multiply(a, x, 6), right), `seed ${SEED}, round ${round}`).toBeLessThan(1e-6);
    }
  });
});

describe('symmetricEigen', () => {
  test.each([1, 2, 3, 6])('takes random matrices of size %i apart and leaves orthonormal vectors', (n) => {
    const random = createRandom(SEED + n);
    for (let round = 0; round < 50; round += 1) {
      const a = gram(randomMatrix(random, n * n), n, n, -0.5);
      const values = a.slice();
      const vectors = new Float64Array(n * n);
      symmetricEigen(vectors, values, n);
      for (let j = 0; j < n; j += 1) {
        const vector = Float64Array.from({ length: n }, (_, row) => vectors[n * row + j]);
        const image = multiply(a, vector, n);
        const expected = vector.map((component) => component * values[n * j + j]);
        expect(largestDifference(image, expected), `seed ${SEED + n}, round ${round}`).toBeLessThan(1e-12);
        for (let k = 0; k <= j; k += 1) {
          let dot = 0;
          for (let row = 0; row < n; row += 1) dot += vector[row] * vectors[n * row + k];
          expect(Math.abs(dot - (j === k ? 1 : 0))).toBeLessThan(1e-13);
        }
      }
    }
  });

  test('finds eigenvalues that are zero to working precision', () => {
    const random = createRandom(SEED);
    for (let rank = 0; rank <= 6; rank += 1) {
      const values = gram(randomMatrix(random, 6 * rank), 6, rank, 0);
      symmetricEigen(new Float64Array(36), values, 6);
      const sizes = Array.from({ length: 6 }, (_, i) => values[7 * i]).sort((a, b) => b - a);
      for (let i = 0; i < 6; i += 1) expect(sizes[i] > 1e-14, `rank ${rank}`).toBe(i < rank);
    }
  });

  test('keeps small eigenvalues next to large ones', () => {
    const values = Float64Array.of(1e6, 1, 0, 1, 1e-6 + 1e-6, 0, 0, 0, 1e-12);
    symmetricEigen(new Float64Array(9), values, 3);
    const sizes = [values[0], values[4], values[8]].sort((a, b) => a - b);
    expect(sizes[0] / 1e-12).toBeCloseTo(1, 12);
    expect(sizes[1] / 1e-6).toBeCloseTo(1, 5);
    expect(sizes[2] / 1e6).toBeCloseTo(1, 11);
  });

  test('leaves diagonal and zero matrices as they are', () => {
    const vectors = new Float64Array(9);
    const values = Float64Array.of(3, 0, 0, 0, -1, 0, 0, 0, 2);
    symmetricEigen(vectors, values, 3);
    expect([values[0], values[4], values[8]]).toEqual([3, -1, 2]);
    expect([...vectors]).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const zero = new Float64Array(9);
    symmetricEigen(vectors, zero, 3);
    expect([...zero]).toEqual(new Array(9).fill(0));
  });
});
