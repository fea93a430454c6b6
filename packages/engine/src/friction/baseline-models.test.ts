import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { solveLinear } from '../math/linear-algebra.js';
import { WRENCH_STRIDE, writeContactWrenches } from './contact-wrenches.js';
import {
  createFrictionResult,
  FRICTION_NONE,
  FRICTION_SLIP,
  FRICTION_STICK,
  type FrictionModel,
  type FrictionModelOptions,
  type FrictionResult,
} from './friction-model.js';
import { CONTACT_DYNAMIC, CONTACT_SEPARATING, type FrictionProblem } from './friction-problem.js';
import { createGaussSeidelModel } from './gauss-seidel.js';
import { type FlatContact, flatContactProblem, randomContactProblem } from './problems.fixture.js';
import { createSpringsModel } from './springs.js';
import { createStaggeredModel } from './staggered.js';

const SEED = 20261115;
const SPRING_STIFFNESS = 2000;

const OPTIONS: FrictionModelOptions = {
  capacity: 200,
  sides: 8,
  slip: 'dissipation',
  metric: 'stiffness',
  rankTolerance: 0.05,
  springStiffness: SPRING_STIFFNESS,
  maxIterations: 5000,
  tolerance: 1e-11,
};

const CUBE: FlatContact = {
  pointsPerSide: 6,
  side: 0.1,
  height: 0.05,
  coefficient: 0.5,
  press: 10,
  pull: [0, 0],
  twist: 0,
  couplingStiffness: 1000,
  torsionalStiffness: 5,
  normalStiffness: 140,
};

const DIRECTIONS = [
  [1, 0],
  [0.6, 0.8],
  [-Math.SQRT1_2, Math.SQRT1_2],
  [0, -1],
];

const springs = createSpringsModel(OPTIONS);
const again: [string, FrictionModel][] = [
  ['gauss-seidel', createGaussSeidelModel(OPTIONS)],
  ['staggered', createStaggeredModel(OPTIONS)],
];

function solve(model: FrictionModel, problem: FrictionProblem): FrictionResult {
  const result = createFrictionResult(OPTIONS.capacity);
  model.solve(result, problem);
  return result;
}

function totalFriction(problem: FrictionProblem, result: FrictionResult): number[] {
  const sum = [0, 0, 0];
  for (let i = 0; i < problem.count; i += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      sum[axis] += result.force[2 * i] * problem.tangent[6 * i + axis];
      sum[axis] += result.force[2 * i + 1] * problem.tangent[6 * i + 3 + axis];
    }
  }
  return sum;
}

/** What is left of w + KΔ + Σ G_i β_i (with the normal forces of the result on top of the coupling, if `ownNormals`). */
function residual(problem: FrictionProblem, result: FrictionResult, ownNormals: boolean): number {
  const wrenches = new Float64Array(WRENCH_STRIDE * problem.count);
  writeContactWrenches(wrenches, problem);
  const stiffness = ownNormals ? problem.couplingStiffness : problem.stiffness;
  const left = (ownNormals ? problem.couplingWrench : problem.wrench).slice();
  for (let row = 0; row < 6; row += 1) {
    for (let column = 0; column < 6; column += 1) {
      left[row] += stiffness[6 * row + column] * result.displacement[column];
    }
    for (let i = 0; i < problem.count; i += 1) {
      const at = WRENCH_STRIDE * i + row;
      if (ownNormals) left[row] += result.normalForce[i] * wrenches[at];
      left[row] += result.force[2 * i] * wrenches[at + 6] + result.force[2 * i + 1] * wrenches[at + 12];
    }
  }
  return Math.max(...left.map((part, row) => Math.abs(row < 3 ? part : part / problem.length)));
}

/** How far contact i moves along its normal, u and v. */
function pointMotion(problem: FrictionProblem, result: FrictionResult, contact: number): number[] {
  const wrenches = new Float64Array(WRENCH_STRIDE * problem.count);
  writeContactWrenches(wrenches, problem);
  return [0, 6, 12].map((offset) => {
    let sum = 0;
    for (let row = 0; row < 6; row += 1) {
      sum += wrenches[WRENCH_STRIDE * contact + offset + row] * result.displacement[row];
    }
    return sum;
  });
}

/** The worst breach of the laws of Signorini (with compliance) and Coulomb, N and N m. */
function worstBreach(problem: FrictionProblem, result: FrictionResult): { normal: number; cone: number; work: number } {
  const worst = { normal: 0, cone: 0, work: 0 };
  for (let i = 0; i < problem.count; i += 1) {
    const [along, u, v] = pointMotion(problem, result, i);
    const lawful = Math.max(0, problem.normalForce[i] - problem.normalStiffness[i] * along);
    worst.normal = Math.max(worst.normal, Math.abs(lawful - result.normalForce[i]));
    const bound = problem.coefficient[i] * result.normalForce[i];
    const [fu, fv] = result.force.subarray(2 * i, 2 * i + 2);
    worst.cone = Math.max(worst.cone, Math.sqrt(fu * fu + fv * fv) - bound);
    // Friction at its bound, against the motion: no other force of the disc takes more work.
    worst.work = Math.max(worst.work, bound * Math.sqrt(u * u + v * v) + fu * u + fv * v);
  }
  return worst;
}

describe.each(again)('%s on a pressed cube', (_name, model) => {
  test.each(DIRECTIONS)('holds it still below the limit, pulled along (%f, %f)', (x, y) => {
    for (const load of [0, 0.5, 0.9, 0.99]) {
      const problem = flatContactProblem({ ...CUBE, pull: [5 * load * x, 5 * load * y] });
      const result = solve(model, problem);
      const friction = totalFriction(problem, result);
      expect(result.capped).toBe(false);
      expect(result.holds).toBe(true);
      expect(Math.max(...result.displacement.map(Math.abs)), `load ${load}`).toBeLessThan(1e-11);
      expect(friction[0]).toBeCloseTo(-5 * load * x, 8);
      expect(friction[1]).toBeCloseTo(-5 * load * y, 8);
    }
  });

  test.each(DIRECTIONS)('lets it slide beyond, with μ times the press, pulled along (%f, %f)', (x, y) => {
    for (const load of [1.01, 1.5, 4]) {
      const problem = flatContactProblem({ ...CUBE, pull: [5 * load * x, 5 * load * y] });
      const result = solve(model, problem);
      const friction = totalFriction(problem, result);
      expect(result.holds).toBe(false);
      expect(friction[0]).toBeCloseTo(-5 * x, 7);
      expect(friction[1]).toBeCloseTo(-5 * y, 7);
      expect(result.displacement[0]).toBeCloseTo((5 * (load - 1) * x) / CUBE.couplingStiffness, 10);
      expect(result.displacement[1]).toBeCloseTo((5 * (load - 1) * y) / CUBE.couplingStiffness, 10);
      for (let i = 0; i < problem.count; i += 1) expect(result.state[i]).toBe(FRICTION_SLIP);
    }
  });

  test('turns beyond the torsional limit μ Σ F_i |x_i| and not below', () => {
    const flat = flatContactProblem(CUBE);
    let limit = 0;
    for (let i = 0; i < flat.count; i += 1) {
      const [x, y] = flat.arm.subarray(3 * i, 3 * i + 2);
      limit += CUBE.coefficient * flat.normalForce[i] * Math.sqrt(x * x + y * y);
    }
    const held = solve(model, flatContactProblem({ ...CUBE, twist: 0.99 * limit }));
    expect(held.holds).toBe(true);
    expect(Math.abs(held.displacement[5])).toBeLessThan(1e-10);
    const turning = solve(model, flatContactProblem({ ...CUBE, twist: 1.5 * limit }));
    expect(turning.holds).toBe(false);
    expect(turning.displacement[5]).toBeCloseTo((0.5 * limit) / CUBE.torsionalStiffness, 9);
  });

  test('lifts off without friction when pulled up', () => {
    const problem = flatContactProblem({ ...CUBE, pull: [3, 0] });
    problem.couplingWrench[2] = 20;
    const result = solve(model, problem);
    for (let i = 0; i < problem.count; i += 1) {
      expect(result.normalForce[i]).toBe(0);
      expect(result.state[i]).toBe(FRICTION_NONE);
    }
    expect(result.displacement[0]).toBeCloseTo(3 / CUBE.couplingStiffness, 12);
    expect(result.displacement[2]).toBeCloseTo(20 / CUBE.couplingStiffness, 12);
  });

  test('holds a cube on one point, and one that nothing holds against turning', () => {
    const single = flatContactProblem({ ...CUBE, pointsPerSide: 1, height: 0, pull: [4, 0] });
    expect(solve(model, single).holds).toBe(true);
    const loose = flatContactProblem({ ...CUBE, torsionalStiffness: 0, height: 0, pull: [4, 0] });
    const result = solve(model, loose);
    expect(result.holds).toBe(true);
    expect(totalFriction(loose, result)[0]).toBeCloseTo(-4, 6);
  });

  test.each([CONTACT_DYNAMIC, CONTACT_SEPARATING])(
    'gives contacts of role %i what their normal force allows',
    (role) => {
      const problem = flatContactProblem({ ...CUBE, height: 0, pull: [4, 0] });
      problem.role.fill(role);
      expect(solve(model, problem).holds).toBe(true);
    },
  );

  test('answers an empty problem with the motion of the coupling', () => {
    const problem = flatContactProblem({ ...CUBE, pull: [4, 0] });
    problem.count = 0;
    const result = solve(model, problem);
    expect(result.capped).toBe(false);
    expect(result.holds).toBe(true);
    expect(result.displacement[0]).toBeCloseTo(4 / CUBE.couplingStiffness, 12);
  });

  test('says when the cap is met, with cones and equilibrium still right', () => {
    const few = { ...OPTIONS, maxIterations: 2 };
    const rough = model.name === 'staggered' ? createStaggeredModel(few) : createGaussSeidelModel(few);
    const problem = flatContactProblem({ ...CUBE, pull: [4.9, 0], twist: 0.02 });
    const result = solve(rough, problem);
    expect(result.capped).toBe(true);
    expect(result.iterations).toBe(2);
    expect(residual(problem, result, true)).toBeLessThan(1e-8);
    expect(worstBreach(problem, result).cone).toBeLessThan(1e-12);
  });
});

describe.each(again)('%s on random contacts', (_name, model) => {
  test.each([0, 0.3, 1])('fulfils equilibrium, Signorini and Coulomb, normals spread by %f', (spread) => {
    const random = createRandom(SEED);
    for (let n = 0; n < 60; n += 1) {
      const count = 1 + Math.floor(50 * random());
      // Above 0.7 one problem in a hundred takes Gauss–Seidel more sweeps than it is allowed here.
      const problem = randomContactProblem(random, { count, spread, coefficient: [0, 0.7], force: 10 });
      const result = solve(model, problem);
      const where = `seed ${SEED}, problem ${n}`;
      expect(result.capped, where).toBe(false);
      expect(residual(problem, result, true), where).toBeLessThan(1e-8);
      const breach = worstBreach(problem, result);
      expect(breach.normal, where).toBeLessThan(1e-7);
      expect(breach.cone, where).toBeLessThan(1e-12);
      expect(breach.work, where).toBeLessThan(1e-9);
    }
  });

  test('without friction gives −K⁻¹w while every contact stays', () => {
    const random = createRandom(SEED);
    for (let n = 0; n < 20; n += 1) {
      const problem = flatContactProblem({ ...CUBE, coefficient: 0, pull: [3 * random(), -random()], twist: 0.02 });
      for (let row = 2; row < 5; row += 1) {
        const more = (row === 2 ? -2 : 0.05) * random();
        problem.couplingWrench[row] += more;
        problem.wrench[row] += more;
      }
      const free = problem.wrench.map((part) => -part);
      solveLinear(free, problem.stiffness.slice(), 6);
      const result = solve(model, problem);
      const where = `seed ${SEED}, problem ${n}`;
      expect(Math.min(...result.normalForce.subarray(0, problem.count)), where).toBeGreaterThan(0);
      expect(Math.max(...result.force.map(Math.abs)), where).toBe(0);
      for (let row = 0; row < 6; row += 1) expect(result.displacement[row], where).toBeCloseTo(free[row], 9);
    }
  });

  test('gives the same answer bit by bit, whatever was solved before', () => {
    const random = createRandom(SEED);
    const first = randomContactProblem(random, { count: 30, spread: 0.5, coefficient: [0.2, 0.8], force: 10 });
    const other = randomContactProblem(random, { count: 45, spread: 1, coefficient: [0.2, 0.8], force: 10 });
    const before = solve(model, first);
    solve(model, other);
    expect(solve(model, first)).toEqual(before);
  });
});

test.each([
  [0, 0.2],
  [0.2, 1],
  [1, 2],
])('gauss-seidel and staggered agree on random contacts, μ from %f to %f', (least, most) => {
  const random = createRandom(SEED);
  let compared = 0;
  for (let n = 0; n < 100; n += 1) {
    const count = 1 + Math.floor(50 * random());
    const spread = random();
    const problem = randomContactProblem(random, { count, spread, coefficient: [least, most], force: 10 });
    const [first, second] = again.map(([, model]) => solve(model, problem));
    if (first.capped || second.capped) continue;
    compared += 1;
    const where = `seed ${SEED}, problem ${n}`;
    for (let i = 0; i < count; i += 1) {
      expect(Math.abs(first.normalForce[i] - second.normalForce[i]), where).toBeLessThan(1e-5);
    }
    for (let row = 0; row < 6; row += 1) {
      const perForce = -problem.couplingStiffness[7 * row] / (row < 3 ? 1 : problem.length);
      const difference = Math.abs(first.displacement[row] - second.displacement[row]);
      expect(difference * perForce, where).toBeLessThan(1e-5);
    }
    expect(first.holds, where).toBe(second.holds);
  }
  expect(compared).toBeGreaterThan(95);
});

describe('springs', () => {
  test('push back with their stiffness times what they are stretched by', () => {
    const problem = flatContactProblem({ ...CUBE, height: 0, coefficient: 10, pull: [1, -2] });
    for (let i = 0; i < problem.count; i += 1) problem.stretch.set([1e-5, -2e-5], 2 * i);
    const result = solve(springs, problem);
    for (let i = 0; i < problem.count; i += 1) {
      const [, u, v] = pointMotion(problem, result, i);
      expect(result.force[2 * i]).toBeCloseTo(-SPRING_STIFFNESS * (1e-5 + u), 10);
      expect(result.force[2 * i + 1]).toBeCloseTo(-SPRING_STIFFNESS * (-2e-5 + v), 10);
      expect(result.state[i]).toBe(FRICTION_STICK);
      expect(result.normalForce[i]).toBe(problem.normalForce[i]);
    }
    const all = CUBE.couplingStiffness + problem.count * SPRING_STIFFNESS;
    expect(result.displacement[0]).toBeCloseTo((1 - problem.count * SPRING_STIFFNESS * 1e-5) / all, 12);
    expect(result.holds).toBe(true);
    expect(result.iterations).toBe(1);
  });

  test('creep under a load far below the limit', () => {
    const result = solve(springs, flatContactProblem({ ...CUBE, height: 0, pull: [0.5, 0] }));
    const all = CUBE.couplingStiffness + 36 * SPRING_STIFFNESS;
    expect(result.displacement[0]).toBeCloseTo(0.5 / all, 12);
  });

  test.each(DIRECTIONS)('tear along at μ times the normal force, pulled along (%f, %f)', (x, y) => {
    // Sliding began long ago: the springs are stretched to their bound along the pull.
    const problem = flatContactProblem({ ...CUBE, height: 0, pull: [8 * x, 8 * y] });
    const stretch = (CUBE.coefficient * problem.normalForce[0]) / SPRING_STIFFNESS;
    for (let i = 0; i < problem.count; i += 1) problem.stretch.set([stretch * x, stretch * y], 2 * i);
    const result = solve(springs, problem);
    const friction = totalFriction(problem, result);
    expect(friction[0]).toBeCloseTo(-5 * x, 8);
    expect(friction[1]).toBeCloseTo(-5 * y, 8);
    expect(result.displacement[0]).toBeCloseTo((3 * x) / CUBE.couplingStiffness, 10);
    expect(result.holds).toBe(false);
    for (let i = 0; i < problem.count; i += 1) expect(result.state[i]).toBe(FRICTION_SLIP);
  });

  test('are in equilibrium and within their cones on random contacts, K unsymmetric', () => {
    const random = createRandom(SEED);
    for (let n = 0; n < 200; n += 1) {
      const count = 1 + Math.floor(50 * random());
      const problem = randomContactProblem(random, { count, spread: random(), coefficient: [0, 1], force: 10 });
      for (let entry = 0; entry < 36; entry += 1) {
        const unit = (entry % 6 < 3 ? 1 : 0.1) * (entry < 18 ? 1 : 0.1);
        problem.stiffness[entry] += 100 * unit * (random() - 0.5);
      }
      for (let entry = 0; entry < 2 * count; entry += 1) problem.stretch[entry] = 1e-4 * (random() - 0.5);
      const result = solve(springs, problem);
      const where = `seed ${SEED}, problem ${n}`;
      expect(result.capped, where).toBe(false);
      expect(residual(problem, result, false), where).toBeLessThan(1e-8);
      for (let i = 0; i < count; i += 1) {
        const [, u, v] = pointMotion(problem, result, i);
        const zu = -SPRING_STIFFNESS * (problem.stretch[2 * i] + u);
        const zv = -SPRING_STIFFNESS * (problem.stretch[2 * i + 1] + v);
        const bound = problem.coefficient[i] * problem.normalForce[i];
        const scale = Math.min(1, bound / Math.sqrt(zu * zu + zv * zv));
        expect(Math.abs(result.force[2 * i] - scale * zu), where).toBeLessThan(1e-8);
        expect(Math.abs(result.force[2 * i + 1] - scale * zv), where).toBeLessThan(1e-8);
      }
    }
  });

  test('without friction give the frictionless motion −K⁻¹w', () => {
    const random = createRandom(SEED);
    const problem = randomContactProblem(random, { count: 30, spread: 0.5, coefficient: [0, 0], force: 10 });
    const free = problem.wrench.map((part) => -part);
    solveLinear(free, problem.stiffness.slice(), 6);
    const result = solve(springs, problem);
    for (let row = 0; row < 6; row += 1) expect(result.displacement[row]).toBeCloseTo(free[row], 12);
    expect(Math.max(...result.force.map(Math.abs))).toBe(0);
  });

  test.each([2, 6, 12])('that share a direction are as stiff together as one, %i points a side', (pointsPerSide) => {
    const problem = flatContactProblem({ ...CUBE, pointsPerSide, height: 0, pull: [0.5, 0] });
    problem.contactStiffness = CUBE.normalStiffness * problem.count;
    const { displacement } = solve(springs, problem);
    expect(displacement[0] / (0.5 / (CUBE.couplingStiffness + SPRING_STIFFNESS))).toBeCloseTo(1, 9);
  });

  test('leave separating contacts alone', () => {
    const problem = flatContactProblem({ ...CUBE, height: 0, pull: [1, 0] });
    for (let i = 0; i < problem.count; i += 1) problem.role[i] = i % 2 === 0 ? CONTACT_SEPARATING : CONTACT_DYNAMIC;
    const result = solve(springs, problem);
    for (let i = 0; i < problem.count; i += 1) {
      expect(result.state[i] === FRICTION_NONE, `contact ${i}`).toBe(i % 2 === 0);
      expect(result.force[2 * i] === 0).toBe(i % 2 === 0);
    }
  });
});
