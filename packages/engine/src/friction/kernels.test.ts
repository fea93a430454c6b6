import { afterEach, describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { createArena, useKernels } from '../kernels/arena.js';
import { createFrictionModel, DEFAULT_FRICTION_OPTIONS } from './create-friction-model.js';
import {
  createDiscSum,
  evaluateHeld,
  evaluateSum,
  SUM_ARRAYS,
  sumHessian,
  sumNumbers,
  takeArguments,
  takeContacts,
} from './disc-sum.js';
import { createFrictionResult, type FrictionModelName } from './friction-model.js';
import { CONTACT_DYNAMIC, CONTACT_SEPARATING, type FrictionProblem } from './friction-problem.js';
import { twoAt } from './pair-layout.js';
import { randomContactProblem } from './problems.fixture.js';
import { createScaledContacts, scaleContacts } from './scaled-contacts.js';

/* What runs in kernels gives the same bits as TypeScript. */

afterEach(() => useKernels(true));

const SEED = 20261118;
const CAPACITY = 41;

function randomProblems(count: number): FrictionProblem[] {
  const random = createRandom(SEED);
  return Array.from({ length: count }, () => {
    const problem = randomContactProblem(random, {
      count: Math.floor((CAPACITY + 1) * random()),
      spread: random(),
      coefficient: [0, 1.2],
      force: 6 * random(),
    });
    for (let c = 0; c < problem.count; c += 1) {
      if (random() < 0.1) problem.role[c] = random() < 0.5 ? CONTACT_SEPARATING : CONTACT_DYNAMIC;
      if (random() < 0.1) problem.coefficient[c] = 0;
      for (let side = 0; side < 2; side += 1) problem.stretch[2 * c + side] = 1e-5 * (2 * random() - 1);
    }
    return problem;
  });
}

/** What is computed with kernels, and without. */
function bothWays<T>(compute: () => T): readonly [T, T] {
  useKernels(true);
  expect(createArena(1, 1).kernels).not.toBeNull();
  const withKernels = compute();
  useKernels(false);
  expect(createArena(1, 1).kernels).toBeNull();
  return [withKernels, compute()];
}

describe('sums over discs and polygons', () => {
  test.each([0, 3, 8])('%i sides: arguments, points, gradient, sums and Hessian', (sides) => {
    const problems = randomProblems(60);
    const compute = () => {
      const random = createRandom(SEED);
      const contacts = createScaledContacts(CAPACITY, sumNumbers(CAPACITY), SUM_ARRAYS);
      const sum = createDiscSum(contacts, sides);
      const { argument, nearest, rim, pull, sums, shift, width } = sum;
      const hessian = new Float64Array(36);
      const found: number[] = [];
      const states = new Set<number>();
      const each = () =>
        Array.from({ length: contacts.count }, (_, n) => {
          const at = twoAt(n);
          return [argument[at], argument[at + 2], nearest[at], nearest[at + 2], rim[n]];
        }).flat();
      for (const problem of problems) {
        scaleContacts(contacts, problem, false);
        takeContacts(sum);
        found.push(...contacts.square);
        // From all inside to all on the rim, and back.
        for (const size of [0, 0.1, 1, 3, 30, 1000, 0.5]) {
          const y = Float64Array.from({ length: 6 }, () => size * (2 * random() - 1));
          width[0] = random() < 0.5 ? 1 : 1e-3 + random();
          for (let n = 0; n < shift.length; n += 1)
            shift[n] = random() < 0.5 && n < 4 * (contacts.count >> 1) ? random() : 0;
          evaluateSum(sum, y);
          for (let n = 0; n < contacts.count; n += 1) states.add(rim[n]);
          found.push(...each(), ...pull, ...sums);
          sumHessian(hessian, sum);
          found.push(...hessian);
          for (let i = 0; i < 6; i += 1) y[i] *= 1 + 0.1 * random();
          evaluateHeld(sum, y);
          sumHessian(hessian, sum);
          found.push(...each(), ...pull, ...hessian);
          takeArguments(sum, y);
          found.push(...each());
        }
      }
      expect(states).toEqual(new Set(sides > 0 ? [0, 1, 2] : [0, 1]));
      return found;
    };
    const [withKernels, without] = bothWays(compute);
    expect(withKernels.some((value) => !Number.isFinite(value))).toBe(false);
    expect(bytes(withKernels).equals(bytes(without))).toBe(true);
  });
});

describe.each(['cone', 'pyramid', 'quadratic'] as const)('%s', (model: FrictionModelName) => {
  test.each(['stiffness', 'mass'] as const)('answers random problems one after the other, metric %s', (metric) => {
    const problems = randomProblems(300);
    const compute = () => {
      const solver = createFrictionModel(model, { ...DEFAULT_FRICTION_OPTIONS, metric, capacity: CAPACITY });
      const result = createFrictionResult(CAPACITY);
      let holding = 0;
      const found = problems.flatMap((problem) => {
        solver.solve(result, problem);
        if (result.holds) holding += 1;
        const forces = result.force.subarray(0, 2 * problem.count);
        return [...result.displacement, ...forces, result.iterations, result.holds ? 1 : 0];
      });
      expect(holding).toBeGreaterThan(20);
      expect(holding).toBeLessThan(280);
      return found;
    };
    const [withKernels, without] = bothWays(compute);
    expect(bytes(withKernels).equals(bytes(without))).toBe(true);
  });
});

function bytes(numbers: readonly number[]): Buffer {
  return Buffer.from(Float64Array.from(numbers).buffer);
}
