import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { createFrictionModel, DEFAULT_FRICTION_OPTIONS } from './create-friction-model.js';
import { createFrictionResult, type FrictionModelName } from './friction-model.js';
import type { FrictionProblem } from './friction-problem.js';
import { createMetricWorkspace, type FrictionMetric, writeStiffnessMetric } from './metric.js';
import { flatContactProblem, randomContactProblem } from './problems.fixture.js';
import { frictionResidual } from './residual.js';

function solve(problem: FrictionProblem, model: FrictionModelName, metric?: FrictionMetric) {
  const options = { ...DEFAULT_FRICTION_OPTIONS, ...(metric && { metric }), capacity: problem.capacity };
  const result = createFrictionResult(problem.capacity);
  createFrictionModel(model, options).solve(result, problem);
  return result;
}

/** G_iᵀΔ, m. */
function slipOf({ arm, tangent }: FrictionProblem, displacement: Float64Array, contact: number): number[] {
  const [x, y, z, a, b, c] = displacement;
  const [rx, ry, rz] = arm.subarray(3 * contact, 3 * contact + 3);
  const moved = [x + b * rz - c * ry, y + c * rx - a * rz, z + a * ry - b * rx];
  return [0, 3].map((side) => moved.reduce((sum, value, axis) => sum + value * tangent[6 * contact + side + axis], 0));
}

/** Largest angle between friction and the way opposite to the slip, over all contacts that slip, degrees. */
function worstAngle(problem: FrictionProblem, metric?: FrictionMetric): number {
  const { displacement, force } = solve(problem, 'quadratic', metric);
  let worst = 0;
  for (let i = 0; i < problem.count; i += 1) {
    const [su, sv] = slipOf(problem, displacement, i);
    const slip = Math.hypot(su, sv);
    const [bu, bv] = force.subarray(2 * i, 2 * i + 2);
    const size = Math.hypot(bu, bv);
    if (!(slip > 1e-5) || !(size > 0)) continue;
    worst = Math.max(worst, (180 / Math.PI) * Math.acos(Math.min(1, Math.max(-1, -(bu * su + bv * sv) / slip / size))));
  }
  return worst;
}

describe('the metric of dissipation', () => {
  const random = (seed: number) =>
    randomContactProblem(createRandom(seed), { count: 12, spread: 1, coefficient: [0.1, 0.6], force: 20 });

  it('lets friction oppose the slip of every contact', () => {
    let printed = 0;
    for (let seed = 1; seed <= 100; seed += 1) {
      expect(worstAngle(random(seed)), `seed ${seed}`).toBeLessThan(0.1);
      printed = Math.max(printed, worstAngle(random(seed), 'mass'));
    }
    expect(printed).toBeGreaterThan(90);
  });

  it('is that of a patch that is spun and dragged, for which the force has a formula', () => {
    // Even pressure over a square of side a, spun by θ and moved by x ≪ θ a: |F|/μN = ½ (x/θ)·mean(1/r) = 2 ln(1 + √2) x/(θ a).
    const problem = flatContactProblem({
      ...{ pointsPerSide: 40, side: 0.06, height: 0, coefficient: 0.5, press: 5, pull: [1000 * 2e-5, 0] },
      ...{ twist: 5 * 0.1, couplingStiffness: 1000, torsionalStiffness: 5, normalStiffness: 1000 },
    });
    const along = (metric: FrictionMetric) => {
      const { force, displacement } = solve(problem, 'quadratic', metric);
      let sum = 0;
      for (let i = 0; i < problem.count; i += 1) {
        sum -= force[2 * i] * problem.tangent[6 * i] + force[2 * i + 1] * problem.tangent[6 * i + 3];
      }
      return sum / 2.5 / ((2 * Math.log(1 + Math.SQRT2) * displacement[0]) / displacement[5] / 0.06);
    };
    expect(along('stiffness')).toBeGreaterThan(0.95);
    expect(along('stiffness')).toBeLessThan(1.05);
    expect(Math.abs(along('mass') - 1)).toBeGreaterThan(0.5);
  });

  it('is positive definite where the tool would topple, and has no part in what is found without friction', () => {
    const problem = random(3);
    problem.stiffness[7 * 3] += 200;
    const metric = new Float64Array(36);
    writeStiffnessMetric(metric, problem.stiffness, createMetricWorkspace());
    for (let axis = 0; axis < 6; axis += 1) expect(metric[7 * axis]).toBeGreaterThan(0);
    problem.coefficient.fill(0);
    const [free, none] = [solve(problem, 'quadratic'), solve(problem, 'none')];
    free.displacement.forEach((value, row) => {
      expect(value).toBeCloseTo(none.displacement[row], 8);
    });
    expect(frictionResidual(problem, free).total).toBeLessThan(1e-6);
  });

  it.each(['stiffness', 'mass'] as const)('is the one that the residual is given: %s', (metric) => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const problem = random(seed);
      expect(frictionResidual(problem, solve(problem, 'quadratic', metric), metric).total).toBeLessThan(1e-5);
    }
  });
});
