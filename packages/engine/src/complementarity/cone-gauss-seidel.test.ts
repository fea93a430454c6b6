import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { solveLinear } from '../math/linear-algebra.js';
import { createConeGaussSeidel } from './cone-gauss-seidel.js';
import { createConeProblem, layDense, writeContactMotion } from './cone-problem.js';
import { sampleConeProblem } from './cone-problems.fixture.js';
import { coneResidual } from './cone-residual.js';
import { solveDenseBlocks } from './dense-elimination.js';

const SEED = 20261116;

/** One contact: a unit mass that falls at 1 and slides at `slide`. */
function fallingPoint(coefficient: number, slide: number) {
  const problem = createConeProblem(1);
  layDense(problem, 1);
  problem.blocks.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  problem.free.set([-1, slide, 0]);
  problem.coefficient[0] = coefficient;
  return problem;
}

describe.each(['exact', 'diagonal'] as const)('Gauss–Seidel, local form %s', (local) => {
  test('lets a point stick, slip, slide without friction and lift off', () => {
    const solver = createConeGaussSeidel({ capacity: 1, local, tolerance: 1e-12, maxSweeps: 100 });
    const answer = (coefficient: number, slide: number, fall = -1) => {
      const problem = fallingPoint(coefficient, slide);
      problem.free[0] = fall;
      const forces = new Float64Array(3);
      solver.solve(forces, problem);
      expect(solver.capped).toBe(false);
      return [...forces].map((value) => Number(value.toFixed(12)) + 0);
    };
    expect(answer(0.5, 0.4)).toEqual([1, -0.4, 0]);
    expect(answer(0.5, 2)).toEqual([1, -0.5, 0]);
    expect(answer(0, 2)).toEqual([1, 0, 0]);
    expect(answer(0.5, 2, 1)).toEqual([0, 0, 0]);
  });

  test(`solves random problems from any start, seed ${SEED}`, () => {
    const random = createRandom(SEED);
    for (let n = 0; n < 40; n += 1) {
      const problem = sampleConeProblem(random, { contacts: 8, freedoms: 40, coefficient: 0.3 });
      const solver = createConeGaussSeidel({ capacity: 8, local, tolerance: 1e-11, maxSweeps: 5000 });
      const forces = new Float64Array(24);
      solver.solve(forces, problem);
      expect(solver.capped, `problem ${n}`).toBe(false);
      expect(coneResidual(problem, forces), `problem ${n}`).toBeLessThan(1e-8);
      const cold = solver.sweeps;
      solver.solve(forces, problem);
      expect(solver.sweeps).toBeLessThan(Math.max(4, cold / 4));
      const damaged = forces.slice().fill(Number.NaN, 3, 6);
      solver.solve(damaged, problem);
      expect(coneResidual(problem, damaged), `problem ${n}, damaged start`).toBeLessThan(1e-8);
    }
  });

  test('stops at the cap and says so; does nothing without contacts', () => {
    const problem = sampleConeProblem(createRandom(SEED), { contacts: 8, freedoms: 12, coefficient: 0.5 });
    const solver = createConeGaussSeidel({ capacity: 8, local, tolerance: 1e-15, maxSweeps: 3 });
    const forces = new Float64Array(24);
    solver.solve(forces, problem);
    expect([solver.sweeps, solver.capped]).toEqual([3, true]);
    expect(solver.error).toBeGreaterThan(1e-15);
    layDense(problem, 0);
    solver.solve(forces, problem);
    expect([solver.capped, solver.error]).toEqual([false, 0]);
  });

  test('gives a contact that nothing can open no force, and spoils no other', () => {
    const problem = createConeProblem(2);
    layDense(problem, 2);
    problem.blocks.set([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    problem.free.set([-1, 0, 0, -1, 0, 0]);
    problem.coefficient.fill(0.5);
    const forces = new Float64Array(6);
    createConeGaussSeidel({ capacity: 2, local, tolerance: 1e-12, maxSweeps: 50 }).solve(forces, problem);
    expect([...forces].map((value) => value + 0)).toEqual([1, 0, 0, 0, 0, 0]);
  });

  test('answers with finite forces where numbers overflow, and says that it failed', () => {
    for (const measure of ['change', 'residual'] as const) {
      const problem = fallingPoint(0.5, 1e308);
      problem.blocks.fill(1e308);
      problem.free.fill(-1e308);
      const solver = createConeGaussSeidel({ capacity: 1, local, tolerance: 1e-9, maxSweeps: 20, measure });
      const forces = Float64Array.of(1e308, 1e308, -1e308);
      solver.solve(forces, problem);
      expect(forces.every(Number.isFinite)).toBe(true);
      problem.free[0] = Number.NaN;
      problem.free[1] = Number.NaN;
      solver.solve(forces, problem);
      expect(forces.every(Number.isFinite)).toBe(true);
      expect(solver.capped).toBe(true);
    }
  });

  test(`the change of a sweep bounds the natural map in units of force, seed ${SEED}`, () => {
    const random = createRandom(SEED);
    for (let n = 0; n < 40; n += 1) {
      const count = 6;
      const problem = sampleConeProblem(random, { contacts: count, freedoms: 30, coefficient: 0.4 });
      const solver = createConeGaussSeidel({ capacity: count, local, tolerance: 1e-3, maxSweeps: 1000 });
      const forces = new Float64Array(3 * count);
      solver.solve(forces, problem);
      const mapped = scaledNaturalMap(problem, forces);
      // Motions are off by W_αβ Δr_β, β > α; in units of force that is this many times the change at most. The diagonal
      // form leaves its own contact unsolved by as much again.
      expect(mapped, `problem ${n}`).toBeLessThan(4 * largestRowSum(problem) * solver.error);
    }
  });
});

/** Contacts on one branch that bends: each moves the others by all but a hundredth of what it moves itself. */
function sharedMode(random: () => number, contacts: number, coefficient: number): Problem {
  const problem = createConeProblem(contacts);
  layDense(problem, contacts);
  const own = sampleConeProblem(random, { contacts, freedoms: 6 * contacts, coefficient });
  const mode = Float64Array.from({ length: 3 * contacts }, (_, i) => (i % 3 === 0 ? 1 : 0.4) * (0.9 + 0.2 * random()));
  problem.coefficient.fill(coefficient);
  for (let row = 0; row < 3 * contacts; row += 1) {
    problem.free[row] = -1e-3 * mode[row] - 5e-6 * random();
    for (let column = 0; column < 3 * contacts; column += 1) {
      const at = 9 * (Math.floor(row / 3) * contacts + Math.floor(column / 3)) + 3 * (row % 3) + (column % 3);
      problem.blocks[at] = 1e-3 * (mode[row] * mode[column] + (1e-2 * own.blocks[at]) / contacts);
    }
  }
  return problem;
}

test(`Newton steps finish what sweeps alone do not, where contacts share a soft mode, seed ${SEED}`, () => {
  const random = createRandom(SEED);
  const count = 20;
  const options = { capacity: count, local: 'exact', tolerance: 1e-8, maxSweeps: 60, measure: 'motion' } as const;
  const sweeps = createConeGaussSeidel(options);
  const both = createConeGaussSeidel({ ...options, newtonAfter: 16 });
  let unfinished = 0;
  for (let n = 0; n < 40; n += 1) {
    const problem = sharedMode(random, count, 0.3);
    const forces = new Float64Array(3 * count);
    sweeps.solve(forces.slice(), problem);
    if (sweeps.capped) unfinished += 1;
    both.solve(forces, problem);
    expect(both.capped, `problem ${n}`).toBe(false);
    const motion = new Float64Array(3 * count);
    writeContactMotion(motion, problem, forces);
    for (let i = 0; i < count; i += 1) {
      const [pressing, ...friction] = forces.subarray(3 * i, 3 * i + 3);
      const bound = 0.3 * pressing;
      expect(pressing).toBeGreaterThanOrEqual(0);
      expect(Math.hypot(...friction)).toBeLessThanOrEqual(bound * (1 + 1e-12));
      expect(motion[3 * i]).toBeGreaterThan(-1e-7);
      if (pressing > 1e-3) expect(motion[3 * i]).toBeLessThan(1e-7);
      const moved = Math.hypot(motion[3 * i + 1], motion[3 * i + 2]);
      if (Math.hypot(...friction) < bound * (1 - 1e-3)) expect(moved).toBeLessThan(1e-7);
    }
  }
  expect(unfinished).toBeGreaterThan(30);
});

test(`full systems are solved block by block as row by row, seed ${SEED}`, () => {
  const random = createRandom(SEED);
  for (const count of [0, 1, 2, 7]) {
    const n = 3 * count;
    const a = Float64Array.from({ length: n * n }, (_, i) => random() - 0.5 + (i % (n + 1) === 0 ? 3 : 0));
    const x = Float64Array.from({ length: n }, random);
    const expected = x.slice();
    solveLinear(expected, a.slice(), n);
    expect(solveDenseBlocks(x, a, count)).toBe(true);
    for (let i = 0; i < n; i += 1) expect(x[i]).toBeCloseTo(expected[i], 12);
  }
  expect(solveDenseBlocks(new Float64Array(3), new Float64Array(9), 1)).toBe(false);
});

test('the full pattern is laid for the count, and no more contacts than fit', () => {
  const problem = createConeProblem(4, 9);
  layDense(problem, 2);
  expect([...problem.rowStart.subarray(0, 3)]).toEqual([0, 2, 4]);
  expect([...problem.column.subarray(0, 4)]).toEqual([0, 1, 0, 1]);
  expect([...problem.diagonal.subarray(0, 2)]).toEqual([0, 3]);
  layDense(problem, 4);
  expect([problem.count, problem.laidDense]).toEqual([3, 3]);
});

type Problem = ReturnType<typeof createConeProblem>;

/** |r − P(r − û / W_NN)| / |r| */
function scaledNaturalMap(problem: Problem, forces: Float64Array): number {
  const motion = new Float64Array(forces.length);
  writeContactMotion(motion, problem, forces);
  let error = 0;
  let size = 0;
  for (let i = 0; i < problem.count; i += 1) {
    const scale = problem.blocks[9 * problem.diagonal[i]];
    const friction = problem.coefficient[i];
    const [rn, rt, rs] = forces.subarray(3 * i, 3 * i + 3);
    const [un, ut, us] = motion.subarray(3 * i, 3 * i + 3).map((value) => value / scale);
    const x = [rn - un - friction * Math.hypot(ut, us), rt - ut, rs - us];
    const length = Math.hypot(x[1], x[2]);
    let p = x;
    if (friction * length <= -x[0]) p = [0, 0, 0];
    else if (length > friction * x[0]) {
      const n = (x[0] + friction * length) / (1 + friction * friction);
      p = [n, (friction * n * x[1]) / length, (friction * n * x[2]) / length];
    }
    error += (rn - p[0]) ** 2 + (rt - p[1]) ** 2 + (rs - p[2]) ** 2;
    size += rn * rn + rt * rt + rs * rs;
  }
  return Math.sqrt(error / size);
}

function largestRowSum({ blocks, count, diagonal, rowStart }: Problem): number {
  let largest = 0;
  for (let row = 0; row < count; row += 1) {
    let sum = 0;
    for (let block = rowStart[row]; block < rowStart[row + 1]; block += 1) {
      sum += Math.hypot(...blocks.subarray(9 * block, 9 * block + 9));
    }
    largest = Math.max(largest, sum / blocks[9 * diagonal[row]]);
  }
  return largest;
}
