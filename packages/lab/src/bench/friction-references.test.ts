import type { FrictionModelName, FrictionModelOptions } from '@palpable/engine';
import {
  CONTACT_DYNAMIC,
  CONTACT_STATIC,
  createFrictionModel,
  createFrictionResult,
  DEFAULT_FRICTION_OPTIONS,
  decodeProblem,
  encodeProblem,
  type FrictionProblem,
  type FrictionResult,
  frictionResidual,
} from '@palpable/engine/advanced';
import { describe, expect, test } from 'vitest';
import { maximalDissipation, smallestConeScale } from './conic-reference.js';
import { createHighsPeer, type HighsForm, polygonCorners, smallestScale, timePeer } from './friction-peers.js';
import { type RandomProblem, randomProblem } from './random-problem.fixture.js';
import { dot, reduceStatic, type StaticReduction } from './static-reduction.js';

/*
 * `cone`, `pyramid` and `quadratic` on random problems, judged in three ways.
 *
 * 1. By construction: most problems are made from a load of known distance to the border of what friction can hold.
 * 2. By certificates, for every answer, without trusting any solver: forces within their cones that balance the tool
 *    prove that friction can hold; a direction in which the load outweighs all friction proves that it cannot; the
 *    duality gap proves that no other friction dissipates more.
 * 3. By general solvers: HiGHS (linear programs) and Clarabel (conic programs), on a part.
 *
 * Where a load is within 1e-6 of the border, either answer is right.
 */

/** Of a model that is wrong on one problem in a hundred, a thousand would let one in twenty thousand pass. */
const PROBLEMS = process.env.PALPABLE_TEST_ALL ? 2000 : 1000;
const REFERENCE_PROBLEMS = process.env.PALPABLE_TEST_ALL ? 320 : 120;
const LITERAL_PROBLEMS = process.env.PALPABLE_TEST_ALL ? 200 : 80;
const BORDER = 1e-6;
const CAPACITY = 400;
const RANK_TOLERANCE = 1e-9;

const result = createFrictionResult(CAPACITY);

/** A new model each time: no answer is to depend on the one before. */
function solveWith(
  name: FrictionModelName,
  sides: number,
  { problem }: RandomProblem,
  metric: FrictionModelOptions['metric'] = 'stiffness',
): FrictionResult {
  const model = createFrictionModel(name, {
    ...DEFAULT_FRICTION_OPTIONS,
    metric,
    capacity: CAPACITY,
    sides: sides || DEFAULT_FRICTION_OPTIONS.sides,
    rankTolerance: RANK_TOLERANCE,
  });
  model.solve(result, problem);
  return result;
}

function label({ seed, family, problem, factor, sides }: RandomProblem): string {
  return `seed ${seed}, sides ${sides}: ${family}, ${problem.count} contacts, load factor ${factor}`;
}

const seeds = Array.from({ length: PROBLEMS }, (_, n) => n + 1);

test('the problems are of every kind', () => {
  const made = seeds.map((seed) => randomProblem(seed, 0));
  const reductions = made.map(({ problem }) => reduceStatic(problem, RANK_TOLERANCE));
  const ranks = new Set(reductions.map(({ range }) => range.length));
  expect([...ranks].sort()).toEqual([2, 3, 4, 5, 6]);
  expect(new Set(made.map(({ family }) => family)).size).toBe(11);
  const counts = made.map(({ problem }) => problem.count);
  expect([Math.min(...counts), Math.max(...counts) > 380]).toEqual([1, true]);
  const forces = made.map(({ problem }) => Math.max(...problem.normalForce));
  expect([Math.min(...forces) < 1e-6, Math.max(...forces) > 5e5]).toEqual([true, true]);
  const near = made.filter(({ factor }) => factor !== null && Math.abs(factor - 1) < 1e-3);
  expect(near.length).toBeGreaterThan(PROBLEMS / 10);
  // No singular value in the twilight around the tolerance, where the rank would be a matter of taste.
  const doubtful = reductions.flatMap(({ singularValues }) => singularValues).filter((v) => v > 1e-12 && v < 1e-6);
  expect(doubtful).toEqual([]);
});

test('a random problem survives its file bit for bit', () => {
  for (const seed of seeds.slice(0, 50)) {
    const { problem } = randomProblem(seed, 0);
    expect(decodeProblem(encodeProblem(problem)), `seed ${seed}`).toStrictEqual(problem);
  }
});

describe.each([
  ['cone', 0],
  ['pyramid', 8],
  ['pyramid', 32],
] as const)('%s with %i sides', (name, sides) => {
  test(`answers ${PROBLEMS} problems rightly, each with its proof`, () => {
    const found = { holding: 0, slipping: 0 };
    for (const seed of seeds) {
      const made = randomProblem(seed, sides);
      const answer = solveWith(name, sides, made);
      const reduction = reduceStatic(made.problem, RANK_TOLERANCE);
      found[answer.holds ? 'holding' : 'slipping'] += 1;
      if (made.factor !== null && Math.abs(made.factor - 1) > BORDER) {
        expect(answer.holds, label(made)).toBe(made.factor < 1);
      }
      if (answer.holds) expectHolding(made, reduction, answer, sides);
      else expectOutweighed(made, reduction, answer, sides);
    }
    expect(found.holding).toBeGreaterThan(PROBLEMS / 4);
    expect(found.slipping).toBeGreaterThan(PROBLEMS / 4);
  });

  test(`agrees with ${sides === 0 ? 'Clarabel' : 'HiGHS'} on ${REFERENCE_PROBLEMS} problems`, async () => {
    for (const seed of seeds.slice(0, REFERENCE_PROBLEMS)) {
      const made = randomProblem(seed, sides);
      const reduction = reduceStatic(made.problem, RANK_TOLERANCE);
      const scale =
        sides === 0 ? await smallestConeScale(reduction) : await smallestScale(reduction, sides, 'vertices');
      if (made.factor !== null) {
        // The reference is checked as well; Clarabel ends at about 1e-8.
        expect(Math.abs(scale / made.factor - 1), `reference, ${label(made)}`).toBeLessThan(BORDER);
      }
      if (Math.abs(scale - 1) < BORDER) continue;
      expect(solveWith(name, sides, made).holds, `scale ${scale}, ${label(made)}`).toBe(scale < 1);
    }
  });
});

/** The answer itself proves it: its displacement is the only one allowed, its forces are in their cones and balance. */
function expectHolding(made: RandomProblem, reduction: StaticReduction, answer: FrictionResult, sides: number): void {
  const { problem } = made;
  const { displacement, contacts, columns, stiffness, wrench, force } = reduction;
  const size = Math.sqrt(dot(wrench, wrench));
  const scaled = (twist: ArrayLike<number>) =>
    Array.from(twist, (value, row) => (row < 3 ? value : value * problem.length));
  const moved = scaled(answer.displacement);
  const difference = scaled(displacement).map((value, row) => value - moved[row]);
  const farthest = Math.max(...stiffness.map((row) => Math.abs(dot(row, difference))));
  expect(farthest, label(made)).toBeLessThan(1e-7 * size);
  const left = wrench.map((value, row) => value + dot(stiffness[row], moved));
  // One look at the worst: there are a million contacts in all.
  let excess = 0;
  contacts.forEach((contact, n) => {
    const bound = problem.coefficient[contact] * problem.normalForce[contact];
    const [u, v] = answer.force.subarray(2 * contact, 2 * contact + 2);
    excess = Math.max(excess, polygonNorm(u, v, sides) - bound * (1 + 1e-9));
    for (let row = 0; row < 6; row += 1) left[row] += (columns[n][0][row] * u + columns[n][1][row] * v) / force;
  });
  expect(excess, label(made)).toBe(0);
  expect(Math.sqrt(dot(left, left)), label(made)).toBeLessThan(1e-6 * Math.max(size, 1e-3));
  const acting = answer.force.subarray(0, 2 * problem.count).filter((value) => value !== 0).length;
  expect(acting, label(made)).toBeLessThanOrEqual(2 * contacts.length);
}

/** d·b > Σ r_i max v·G_iᵀd over the disc or polygon, with b found apart from the engine. */
function expectOutweighed(
  made: RandomProblem,
  reduction: StaticReduction,
  answer: FrictionResult,
  sides: number,
): void {
  expect(answer.proved, label(made)).toBe(true);
  // A dual vector: forces times lengths, so that its torque part is scaled up where displacements are.
  const direction = Array.from(answer.direction, (value, row) => (row < 3 ? value : value * made.problem.length));
  const friction = reduction.columns.reduce(
    (sum, [u, v], i) => sum + reduction.radii[i] * support(dot(u, direction), dot(v, direction), sides),
    0,
  );
  expect(dot(direction, reduction.load), label(made)).toBeGreaterThan(friction);
}

type Vector = readonly [number, number];

/** Normals of the sides, and corners, of polygons with so many sides. */
const polygons = new Map(
  [8, 32].map((sides) => {
    const angles = Array.from({ length: sides }, (_, j) => ((2 * j + 1) * Math.PI) / sides);
    const normals = angles.map((angle): Vector => [Math.cos(angle), Math.sin(angle)]);
    return [sides, { normals, corners: polygonCorners(sides) }];
  }),
);

function farthestAlong(vectors: readonly Vector[], u: number, v: number): number {
  let farthest = Number.NEGATIVE_INFINITY;
  for (const [x, y] of vectors) farthest = Math.max(farthest, x * u + y * v);
  return farthest;
}

function polygonNorm(u: number, v: number, sides: number): number {
  return sides === 0 ? Math.hypot(u, v) : farthestAlong(polygons.get(sides)!.normals, u, v);
}

function support(u: number, v: number, sides: number): number {
  return sides === 0 ? Math.hypot(u, v) : farthestAlong(polygons.get(sides)!.corners, u, v);
}

/** Contacts that are declared dynamic rub as all others do; they only take no part in the static test. */
function withoutDeclarations(problem: FrictionProblem): FrictionProblem {
  return { ...problem, role: problem.role.map((role) => (role === CONTACT_DYNAMIC ? CONTACT_STATIC : role)) };
}

describe('quadratic', () => {
  test(`is in its cones, in balance and at the most dissipation on ${PROBLEMS} problems`, () => {
    for (const seed of seeds) {
      const made = randomProblem(seed, 0);
      const answer = solveWith('quadratic', 0, made);
      const { cone, equilibrium, dissipation } = frictionResidual(made.problem, answer);
      expect(cone, label(made)).toBeLessThan(1e-9);
      expect(equilibrium, label(made)).toBeLessThan(1e-7);
      expect(dissipation, label(made)).toBeLessThan(1e-4);
    }
  });

  test.each(['stiffness', 'mass'] as const)(
    `agrees with Clarabel on ${REFERENCE_PROBLEMS} problems in displacement and energy: %s`,
    async (metric) => {
      for (const seed of seeds.slice(0, REFERENCE_PROBLEMS)) {
        const made = randomProblem(seed, 0);
        const { problem } = made;
        const reduction = reduceStatic(withoutDeclarations(problem), RANK_TOLERANCE, metric);
        const expected = await maximalDissipation(reduction, problem.length);
        const answer = solveWith('quadratic', 0, made, metric);
        const displacement = [...answer.displacement];
        const free = [...solveWith('none', 0, made).displacement];
        const energyOf = (twist: readonly number[]) => {
          const scaled = twist.map((value, row) => (row < 3 ? value : value * problem.length));
          return scaled.reduce((sum, value, row) => sum + value * dot(reduction.inertia[row], scaled), 0);
        };
        const whole = energyOf(free);
        const error = displacement.map((value, row) => value - expected.displacement[row]);
        expect(Math.abs(energyOf(displacement) / whole - expected.energy), label(made)).toBeLessThan(1e-6);
        expect(Math.sqrt(energyOf(error) / whole), label(made)).toBeLessThan(1e-3);
      }
    },
  );

  test('moves as little as cone where friction holds, and as cone does where it slips', () => {
    for (const seed of seeds.slice(0, 500)) {
      const made = randomProblem(seed, 0);
      const cone = solveWith('cone', 0, made);
      const [holds, expected] = [cone.holds, frictionResidual(made.problem, cone)];
      expect(expected.total, label(made)).toBeLessThan(1e-4);
      expect(solveWith('quadratic', 0, made).holds, label(made)).toBe(holds);
    }
  });
});

describe('HiGHS', () => {
  const forms: readonly HighsForm[] = ['literal', 'planes', 'vertices', 'segments'];

  test('finds the same limit in the printed linear program (Eq. 32–37) and in the reduced ones', async () => {
    for (const sides of [8, 32]) {
      for (const seed of seeds.slice(0, LITERAL_PROBLEMS)) {
        const made = randomProblem(seed, sides);
        if (made.problem.count > 40) continue;
        const reduction = reduceStatic(made.problem, RANK_TOLERANCE);
        const literal = await smallestScale(reduction, sides, 'literal');
        const others = seed % 4 === 0 ? forms.slice(1) : (['vertices'] as const);
        for (const form of others) {
          const scale = await smallestScale(reduction, sides, form);
          expect(Math.abs(scale / literal - 1), `${form}, ${label(made)}`).toBeLessThan(1e-7);
        }
      }
    }
  });

  test.each(forms)('as a model that stays and gets new wrenches agrees with pyramid: %s', async (form) => {
    for (const seed of seeds.slice(0, 40)) {
      const first = randomProblem(seed, 8);
      if (first.problem.count > 60) continue;
      const sequence = [0.2, 0.7, 1.3, 0.9, 1.1, 0.5].map((factor) => {
        const problem = decodeProblem(encodeProblem(first.problem));
        problem.wrench.set(first.problem.wrench.map((value) => value * factor));
        return problem;
      });
      const peer = await createHighsPeer(first.problem, 8, form);
      try {
        const { holds, microseconds } = timePeer(peer, sequence, 2);
        expect(microseconds.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
        sequence.forEach((problem, n) => {
          const scale = first.factor === null ? null : first.factor * [0.2, 0.7, 1.3, 0.9, 1.1, 0.5][n];
          if (scale === null || Math.abs(scale - 1) < 1e-4) return;
          expect(holds[n], `load ${scale}, ${label(first)}`).toBe(scale < 1);
          expect(solveWith('pyramid', 8, { ...first, problem }).holds, label(first)).toBe(scale < 1);
        });
      } finally {
        peer.dispose();
      }
    }
  });
});
