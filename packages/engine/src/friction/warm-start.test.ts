import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { createFrictionModel, DEFAULT_FRICTION_OPTIONS } from './create-friction-model.js';
import { createFrictionResult, type FrictionModelName } from './friction-model.js';
import { randomContactProblem } from './problems.fixture.js';

const SEED = 20261118;
const CAPACITY = 41;

describe.each(['cone', 'quadratic'] as const)('%s', (model: FrictionModelName) => {
  test('comes to the same answer from the last one as from none, as a load goes round', () => {
    const random = createRandom(SEED);
    const options = { ...DEFAULT_FRICTION_OPTIONS, capacity: CAPACITY };
    const warm = createFrictionResult(CAPACITY);
    const cold = createFrictionResult(CAPACITY);
    for (let round = 0; round < 8; round += 1) {
      const problem = randomContactProblem(random, { count: CAPACITY, spread: 0.3, coefficient: [0.5, 0.5], force: 6 });
      const solver = createFrictionModel(model, options);
      const { wrench } = problem;
      const [from, to] = [wrench.slice(), Array.from(wrench, (part) => part * (0.5 + random()))];
      for (let step = 0; step < 60; step += 1) {
        for (let i = 0; i < 6; i += 1) wrench[i] = from[i] + (step / 60) * 2 * (to[i] - from[i]);
        solver.solve(warm, problem);
        createFrictionModel(model, options).solve(cold, problem);
        expect(warm.capped, `seed ${SEED}, round ${round}, step ${step}`).toBe(false);
        expect(warm.holds).toBe(cold.holds);
        for (let i = 0; i < 3; i += 1) expect(Math.abs(warm.displacement[i] - cold.displacement[i])).toBeLessThan(1e-8);
      }
    }
  });
});
