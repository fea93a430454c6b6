import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { solveConeNewton } from './cone-newton.js';
import { writeContactMotion } from './cone-problem.js';
import { sampleConeProblem } from './cone-problems.fixture.js';
import { solveFrictionless, solvePyramid } from './contact-lcp.js';
import { type LcpProblem, lcpResidual, solveLcp } from './lcp.js';

const SEED = 20261118;

const lcp = (rows: number[][], free: number[]): LcpProblem => ({
  size: free.length,
  matrix: Float64Array.from(rows.flat()),
  free: Float64Array.from(free),
});

describe('linear complementarity', () => {
  test('is nothing to do where q ≥ 0, and one pivot pair for one unknown', () => {
    expect(solveLcp(lcp([[2]], [1]))).toMatchObject({ outcome: 'solved', pivots: 0, residual: 0 });
    expect([...solveLcp(lcp([[2]], [-1])).z]).toEqual([0.5]);
    expect(solveLcp(lcp([[1]], [0]))).toMatchObject({ outcome: 'solved', residual: 0 });
  });

  test('tells that there is no solution', () => {
    expect(solveLcp(lcp([[0]], [-1])).outcome).toBe('none');
    expect(solveLcp(lcp([[-1]], [-1])).outcome).toBe('none');
    const size = 20;
    const large = { size, matrix: new Float64Array(size * size), free: new Float64Array(size).fill(-1) };
    expect(solveLcp(large).outcome).toBe('ray');
  });

  test('finds what Lemke’s path misses: a game of two', () => {
    const answer = solveLcp(
      lcp(
        [
          [0, 0, 10, 20],
          [0, 0, 30, 15],
          [10, 20, 0, 0],
          [30, 15, 0, 0],
        ],
        [-1, -1, -1, -1],
      ),
    );
    expect(answer.outcome).toBe('solved');
  });

  test('does not circle where ties abound', () => {
    // Every quotient is equal at every pivot.
    const size = 15;
    const matrix = new Float64Array(size * size).fill(1);
    const answer = solveLcp({ size, matrix, free: new Float64Array(size).fill(-1) });
    expect(answer.outcome).toBe('solved');
    expect(answer.z.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 12);
  });

  test(`solves random positive semidefinite problems, seed ${SEED}`, () => {
    const random = createRandom(SEED);
    for (let n = 0; n < 60; n += 1) {
      const size = 2 + Math.floor(18 * random());
      const rank = 1 + Math.floor(size * random());
      const b = Float64Array.from({ length: size * rank }, () => 2 * random() - 1);
      const matrix = new Float64Array(size * size);
      for (let i = 0; i < size; i += 1) {
        for (let j = 0; j < size; j += 1) {
          for (let k = 0; k < rank; k += 1) matrix[size * i + j] += b[i * rank + k] * b[j * rank + k];
        }
      }
      // q = w − M z for some complementary w and z, so that a solution exists; rows in very different units.
      const z = Float64Array.from({ length: size }, () => Math.max(0, 2 * random() - 1));
      const free = z.map((value) => (value > 0 ? 0 : random()));
      for (let i = 0; i < size; i += 1) for (let j = 0; j < size; j += 1) free[i] -= matrix[size * i + j] * z[j];
      const answer = solveLcp({ size, matrix, free });
      expect(answer.outcome, `problem ${n}`).toBe('solved');
      expect(lcpResidual({ size, matrix, free }, answer.z), `problem ${n}`).toBeLessThan(1e-9);
    }
  });

  test('is bounded', () => {
    const size = 30;
    const random = createRandom(SEED);
    const matrix = Float64Array.from({ length: size * size }, () => 2 * random() - 1);
    const answer = solveLcp({ size, matrix, free: new Float64Array(size).fill(-1) }, 3);
    expect(answer.outcome).toBe('capped');
    expect(answer.pivots).toBeLessThanOrEqual(12);
  });
});

describe('contact by pyramids', () => {
  test('has the corners of its pyramid on the cone', () => {
    const problem = sampleConeProblem(createRandom(SEED), { contacts: 1, freedoms: 3, coefficient: 0.5 });
    problem.blocks.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    const angled = (angle: number, sides: number) => {
      problem.free.set([-1, 9 * Math.cos(angle), 9 * Math.sin(angle)]);
      const forces = new Float64Array(3);
      expect(solvePyramid(forces, problem, sides).outcome).toBe('solved');
      return forces;
    };
    const corner = angled(0, 4);
    expect([corner[0], Math.hypot(corner[1], corner[2])]).toEqual([1, 0.5]);
    // Between two corners maximal dissipation picks either: the direction errs by up to π/k.
    const between = angled(0.7, 4);
    expect(between[1]).toBeCloseTo(-0.5, 12);
    expect(angled(0.7, 32)[1]).toBeCloseTo(-0.5 * Math.cos(0.7), 1);
  });

  test(`comes to the cone as the sides grow, seed ${SEED}`, () => {
    const random = createRandom(SEED);
    const errors = [4, 8, 16, 32].map(() => 0);
    for (let n = 0; n < 10; n += 1) {
      const problem = sampleConeProblem(random, { contacts: 3, freedoms: 9, coefficient: 0.2 });
      const exact = new Float64Array(9);
      expect(solveConeNewton(exact, problem, { tolerance: 1e-12, maxIterations: 1000 }).capped).toBe(false);
      [4, 8, 16, 32].forEach((sides, k) => {
        const forces = new Float64Array(9);
        expect(solvePyramid(forces, problem, sides)).toMatchObject({ outcome: 'solved' });
        errors[k] += Math.hypot(...forces.map((value, i) => value - exact[i])) / Math.hypot(...exact) / 10;
      });
    }
    for (let k = 1; k < 4; k += 1) expect(errors[k]).toBeLessThan(0.75 * errors[k - 1]);
    expect(errors[2]).toBeLessThan(0.05);
  });

  test('without friction normal forces and gaps are complementary', () => {
    const problem = sampleConeProblem(createRandom(SEED), { contacts: 12, freedoms: 6, coefficient: 0.7 });
    const forces = new Float64Array(36);
    const solved = solveFrictionless(forces, problem);
    expect(solved.outcome).toBe('solved');
    expect(solved.modelResidual).toBeLessThan(1e-12);
    const motion = new Float64Array(36);
    writeContactMotion(motion, problem, forces);
    for (let i = 0; i < 12; i += 1) {
      expect(Math.abs(Math.min(forces[3 * i], motion[3 * i]))).toBeLessThan(1e-11);
      expect([forces[3 * i + 1], forces[3 * i + 2]]).toEqual([0, 0]);
    }
  });

  test('refuses two sides, and problems beyond its tableau', () => {
    const problem = sampleConeProblem(createRandom(SEED), { contacts: 2, freedoms: 6, coefficient: 0.7 });
    expect(() => solvePyramid(new Float64Array(6), problem, 2)).toThrow('has 2 sides, but must have 3 or more');
    expect(() => solvePyramid(new Float64Array(6), problem, 4000)).toThrow('more than 4000; take fewer sides');
  });
});
