import { expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { solveLinear } from '../math/linear-algebra.js';
import { contactScales, evaluateContacts, writeJacobian } from './alart-curnier.js';
import { eliminateBlocks, planElimination } from './block-elimination.js';
import { createConeGaussSeidel } from './cone-gauss-seidel.js';
import { solveConeNewton } from './cone-newton.js';
import { type ConeProblem, createConeProblem, writeContactMotion } from './cone-problem.js';
import { sampleConeProblem } from './cone-problems.fixture.js';
import { coneResidual } from './cone-residual.js';
import { splitGroups } from './contact-groups.js';
import { layBlocks } from './lay-blocks.js';

const SEED = 20261117;

test(`elimination by blocks agrees with a full one, seed ${SEED}`, () => {
  const random = createRandom(SEED);
  const count = 12;
  const size = 3 * count;
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const near = Math.abs(Math.floor(row / 3) - Math.floor(column / 3));
      if (near > 1 && near !== 5) continue;
      rows.push(row);
      columns.push(column);
      values.push(2 * random() - 1 + (row === column ? 6 : 0));
    }
  }
  const problem = layBlocks(count, { rows, columns, values });
  const pattern = planElimination(count, problem.rowStart, problem.column);
  const blocks = new Float64Array(9 * pattern.blockCount);
  for (let row = 0; row < count; row += 1) {
    for (let b = problem.rowStart[row]; b < problem.rowStart[row + 1]; b += 1) {
      blocks.set(problem.blocks.subarray(9 * b, 9 * b + 9), 9 * pattern.placeOf(row, problem.column[b]));
    }
  }
  const full = new Float64Array(size * size);
  values.forEach((value, i) => {
    full[size * rows[i] + columns[i]] = value;
  });
  const x = Float64Array.from({ length: size }, random);
  const expected = x.slice();
  expect(eliminateBlocks(x, blocks, pattern)).toBe(true);
  solveLinear(expected, full, size);
  for (let i = 0; i < size; i += 1) expect(x[i]).toBeCloseTo(expected[i], 12);
  expect(eliminateBlocks(x, new Float64Array(9 * pattern.blockCount), pattern)).toBe(false);
});

test(`the derivative is that of finite differences, seed ${SEED}`, () => {
  const random = createRandom(SEED);
  const seen = { open: 0, stick: 0, slip: 0 };
  for (let n = 0; n < 20; n += 1) {
    const problem = sampleConeProblem(random, { contacts: 5, freedoms: 20, coefficient: 0.6 });
    const forces = Float64Array.from({ length: 15 }, () => 2 * random() - 1);
    const scales = contactScales(problem);
    // q such that x = r − ρ u is here and there open, sticking and slipping.
    const motionOfForces = new Float64Array(15);
    problem.free.fill(0);
    writeContactMotion(motionOfForces, problem, forces);
    problem.free.forEach((_, i) => {
      const x = i % 3 === 0 ? 1.5 * random() - 0.5 : 0.6 * (2 * random() - 1);
      problem.free[i] = (forces[i] - x) / scales[2 * Math.floor(i / 3) + (i % 3 === 0 ? 0 : 1)] - motionOfForces[i];
    });
    const at = (r: Float64Array) => {
      const motion = new Float64Array(15);
      const values = new Float64Array(15);
      const slopes = new Float64Array(45);
      writeContactMotion(motion, problem, r);
      evaluateContacts(new Float64Array(1), values, slopes, problem, r, motion, scales);
      return { values, slopes };
    };
    const { slopes } = at(forces);
    for (let i = 0; i < 5; i += 1) {
      if (slopes[9 * i] === 0) seen.open += 1;
      else if (slopes[9 * i + 4] === 1 && slopes[9 * i + 8] === 1) seen.stick += 1;
      else seen.slip += 1;
    }
    const jacobian = new Float64Array(9 * 25);
    writeJacobian(
      jacobian,
      Int32Array.from({ length: 25 }, (_, i) => i),
      slopes,
      problem,
      scales,
      0,
    );
    const step = 1e-6;
    for (let column = 0; column < 15; column += 1) {
      const [ahead, behind] = [step, -step].map((h) => at(forces.map((f, i) => (i === column ? f + h : f))).values);
      for (let row = 0; row < 15; row += 1) {
        const block = 5 * Math.floor(row / 3) + Math.floor(column / 3);
        const slope = jacobian[9 * block + 3 * (row % 3) + (column % 3)];
        const difference = (ahead[row] - behind[row]) / (2 * step);
        expect(Math.abs(slope - difference), `problem ${n}, ∂F${row}/∂r${column}`).toBeLessThan(1e-6);
      }
    }
  }
  expect(Math.min(seen.open, seen.stick, seen.slip)).toBeGreaterThan(5);
});

test.each([
  [10, 6, 0.3],
  [10, 6, 1],
  [25, 6, 0.7],
  [12, 12, 0.5],
  [12, 60, 2],
  [10, 6, 0],
])(`solves bodies on %i contacts with %i freedoms, μ = %f, seed ${SEED}`, (contacts, freedoms, coefficient) => {
  const random = createRandom(SEED);
  for (let n = 0; n < 20; n += 1) {
    const problem = sampleConeProblem(random, { contacts, freedoms, coefficient });
    const forces = new Float64Array(3 * contacts);
    const solved = solveConeNewton(forces, problem, { tolerance: 1e-10, maxIterations: 1000 });
    expect(solved.capped, `problem ${n}: residual ${solved.residual}`).toBe(false);
    expect(coneResidual(problem, forces)).toBeLessThanOrEqual(1e-10);
    // Where sweeps converge too, both have found the same motion.
    const sweeps = createConeGaussSeidel({
      capacity: contacts,
      local: 'exact',
      tolerance: 1e-12,
      maxSweeps: 300,
      measure: 'residual',
    });
    const swept = new Float64Array(3 * contacts);
    sweeps.solve(swept, problem);
    if (sweeps.capped || freedoms < 3 * contacts) continue;
    swept.forEach((force, i) => {
      expect(force).toBeCloseTo(forces[i], 6);
    });
  }
});

test('contacts that do not act on each other are groups of their own', () => {
  const entries = { rows: [0, 3, 6, 0, 6], columns: [0, 3, 6, 6, 0], values: [2, 3, 4, 1, 1] };
  const problem = layBlocks(3, entries);
  problem.free.set([-1, 0, 0, -2, 0, 0, -3, 0, 0]);
  const groups = splitGroups(problem);
  expect(groups.map(({ contacts }) => contacts)).toEqual([[0, 2], [1]]);
  const [pair, single] = groups.map((group) => group.problem);
  expect([...pair.rowStart]).toEqual([0, 2, 4]);
  expect([...pair.column]).toEqual([0, 1, 0, 1]);
  expect([...pair.diagonal]).toEqual([0, 3]);
  expect([pair.blocks[0], pair.blocks[9], pair.blocks[27], pair.free[3]]).toEqual([2, 1, 4, -3]);
  expect([single.blocks[0], single.free[0]]).toEqual([3, -2]);
});

test('ends at the cap, without contacts, and where nothing solves the problem', () => {
  const options = { tolerance: 1e-12, maxIterations: 5 };
  const empty: ConeProblem = createConeProblem(0);
  expect(solveConeNewton(new Float64Array(0), empty, options)).toEqual({ sweeps: 0, residual: 0, capped: false });
  // W = 0 and q_N < 0: no force opens the contact.
  const stuck = layBlocks(1, { rows: [], columns: [], values: [] });
  stuck.free[0] = -1;
  const forces = new Float64Array(3);
  const solved = solveConeNewton(forces, stuck, options);
  expect([solved.capped, ...forces]).toEqual([true, 0, 0, 0]);
});
