import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { solveLinear } from '../math/linear-algebra.js';
import { createFrictionResult, type FrictionResult } from './friction-model.js';
import { CONTACT_DYNAMIC, CONTACT_SEPARATING, type FrictionProblem } from './friction-problem.js';
import type { FrictionMetric } from './metric.js';
import { flatContactProblem, randomContactProblem } from './problems.fixture.js';
import { frictionResidual } from './residual.js';

const cube = (pull: number, height = 0) =>
  flatContactProblem({
    pointsPerSide: 4,
    side: 0.1,
    height,
    coefficient: 0.5,
    press: 10,
    pull: [pull, 0],
    twist: 0,
    couplingStiffness: 1000,
    torsionalStiffness: 5,
    normalStiffness: 300,
  });

/** An answer in which every contact carries its share, by normal force, of `friction` along −x, the tool moving by `dx`. */
function slideAlongX(problem: FrictionProblem, friction: number, dx: number): FrictionResult {
  const result = createFrictionResult(problem.count);
  const total = problem.normalForce.reduce((sum, force) => sum + force, 0);
  for (let i = 0; i < problem.count; i += 1) {
    result.normalForce[i] = problem.normalForce[i];
    result.force[2 * i] = (-friction * problem.normalForce[i]) / total;
  }
  result.displacement[0] = dx;
  return result;
}

function frictionless(problem: FrictionProblem): FrictionResult {
  const result = createFrictionResult(problem.count);
  result.normalForce.set(problem.normalForce.subarray(0, problem.count));
  result.displacement.set(problem.wrench);
  solveLinear(result.displacement, problem.stiffness.slice(), 6);
  for (let i = 0; i < 6; i += 1) result.displacement[i] *= -1;
  return result;
}

describe('the residual of a friction answer', () => {
  it('is zero for a cube that sticks and for one that slides with all its friction', () => {
    // 3 N pull, 5 N friction at most.
    expect(frictionResidual(cube(3), slideAlongX(cube(3), 3, 0)).total).toBeLessThan(1e-14);
    // 8 N pull: 3 N are left for the coupling of 1000 N/m.
    expect(frictionResidual(cube(8), slideAlongX(cube(8), 5, 3e-3)).total).toBeLessThan(1e-14);
  });

  it('shows forces beyond the cone, in units of the wrench', () => {
    const problem = cube(6);
    const { cone, equilibrium, dissipation } = frictionResidual(problem, slideAlongX(problem, 6, 0));
    expect(equilibrium).toBeLessThan(1e-14);
    expect(dissipation).toBe(0);
    // One of 16 contacts, 1 N too much in all; the coupling pulls with 6 and presses with 10 N.
    expect(cone).toBeCloseTo(1 / 16 / Math.hypot(6, 10), 12);
  });

  it('shows what is left of the wrench', () => {
    const problem = cube(3);
    const { cone, equilibrium } = frictionResidual(problem, slideAlongX(problem, 2, 0));
    expect(cone).toBe(0);
    expect(equilibrium).toBeCloseTo(1 / Math.hypot(3, 10), 12);
  });

  it('shows friction that could have taken more: all of the energy without any friction', () => {
    const problem = cube(3);
    // Sticking would take all of ½ m x²; the bound that λ gives is ½ m x² (1 − 2·5/3): the gap is 10/3 of the energy.
    expect(frictionResidual(problem, frictionless(problem)).dissipation).toBeCloseTo(10 / 3, 10);
    const half = slideAlongX(cube(8), 4, 4e-3);
    expect(frictionResidual(cube(8), half).dissipation).toBeCloseTo((2 * 1 * 4) / 64, 10);
  });

  it.each(['stiffness', 'mass'] as const)('equals the duality gap wherever the equilibrium holds: %s', (metric) => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const problem = randomContactProblem(createRandom(seed), {
        count: 1 + (seed % 20),
        spread: 1,
        coefficient: [0, 1],
        force: 10,
      });
      const result = frictionless(problem);
      const { cone, equilibrium, dissipation } = frictionResidual(problem, result, metric);
      expect(cone).toBe(0);
      expect(equilibrium).toBeLessThan(1e-12);
      expect(dissipation).toBeCloseTo(dualityGap(problem, result.displacement, metric), 8);
      expect(dissipation).toBeGreaterThan(0);
    }
  });

  it('does not depend on the unit of force, nor of mass', () => {
    const problem = cube(8);
    const answer = slideAlongX(problem, 4, 3.5e-3);
    const expected = frictionResidual(problem, answer);
    const scale = (values: Float64Array, factor: number) => values.set(values.map((value) => factor * value));
    const { wrench, stiffness, couplingWrench, couplingStiffness, normalForce, normalStiffness } = problem;
    for (const each of [wrench, stiffness, couplingWrench, couplingStiffness, normalForce, normalStiffness]) {
      scale(each, 1e-6);
    }
    scale(answer.force, 1e-6);
    answer.normalForce.set(normalForce);
    problem.mass *= 1e3;
    scale(problem.inertia, 1e3);
    const scaled = frictionResidual(problem, answer);
    expect(scaled.cone).toBeCloseTo(expected.cone, 12);
    expect(scaled.equilibrium).toBeCloseTo(expected.equilibrium, 12);
    expect(scaled.dissipation).toBeCloseTo(expected.dissipation, 12);
  });

  it('allows friction at static contacts only, as long as the normal forces are the penalty forces', () => {
    const problem = cube(3);
    problem.role[5] = CONTACT_SEPARATING;
    problem.role[6] = CONTACT_DYNAMIC;
    expect(frictionResidual(problem, slideAlongX(problem, 3, 0)).cone).toBeCloseTo(3 / 16 / Math.hypot(3, 10), 12);
  });

  it('takes the coupling and the normal law for answers with normal forces of their own', () => {
    // Pressed 2 N deeper than the penalty forces hold: the tool sinks, the contacts take what they must.
    const problem = cube(8);
    problem.couplingWrench[2] -= 2;
    problem.wrench[2] -= 2;
    const sink = 2 / (1000 + 16 * 300);
    const answer = slideAlongX(problem, 0, 0);
    const friction = 0.5 * (10 + 16 * 300 * sink);
    for (let i = 0; i < problem.count; i += 1) {
      answer.normalForce[i] += 300 * sink;
      answer.force[2 * i] = -0.5 * answer.normalForce[i];
    }
    answer.displacement.set([(8 - friction) / 1000, 0, -sink]);
    expect(frictionResidual(problem, answer).total).toBeLessThan(1e-13);
    answer.normalForce[0] += 0.1;
    expect(frictionResidual(problem, answer).equilibrium).toBeGreaterThan(5e-3);
    answer.normalForce[0] -= 0.1;
    answer.force[0] += 0.1;
    expect(frictionResidual(problem, answer).dissipation).toBeGreaterThan(1e-4);
  });

  it('is zero for nothing at all, and infinite where no multipliers exist', () => {
    const problem = cube(0);
    problem.wrench.fill(0);
    problem.couplingWrench.fill(0);
    expect(frictionResidual(problem, slideAlongX(problem, 0, 0)).total).toBe(0);
    problem.stiffness.fill(0);
    expect(frictionResidual(problem, slideAlongX(problem, 0, 0)).dissipation).toBe(Number.POSITIVE_INFINITY);
  });
});

/** ½ΔᵀDΔ minus the dual function at λ = −K⁻ᵀDΔ, written out, over ½ΔᵀDΔ of the answer without friction. */
function dualityGap(problem: FrictionProblem, displacement: Float64Array, metric: FrictionMetric): number {
  const inertial = new Float64Array(6);
  const transposed = problem.stiffness.map((_, e) => problem.stiffness[6 * (e % 6) + Math.floor(e / 6)]);
  if (metric === 'stiffness') {
    transposed.forEach((value, e) => {
      inertial[Math.floor(e / 6)] -= 0.5 * (value + problem.stiffness[e]) * displacement[e % 6];
    });
  } else {
    for (let i = 0; i < 3; i += 1) {
      inertial[i] = problem.mass * displacement[i];
      for (let j = 0; j < 3; j += 1) inertial[3 + i] += problem.inertia[3 * i + j] * displacement[3 + j];
    }
  }
  const lambda = inertial.map((value) => -value);
  solveLinear(lambda, transposed, 6);
  const energy = displacement.reduce((sum, value, i) => sum + (value * inertial[i]) / 2, 0);
  let dual = lambda.reduce((sum, value, i) => sum + value * problem.wrench[i], 0) - energy;
  for (let i = 0; i < problem.count; i += 1) {
    const [x, y, z] = problem.arm.subarray(3 * i, 3 * i + 3);
    const slips = [0, 3].map((side) => {
      const [tx, ty, tz] = problem.tangent.subarray(6 * i + side, 6 * i + side + 3);
      const column = [tx, ty, tz, y * tz - z * ty, z * tx - x * tz, x * ty - y * tx];
      return column.reduce((sum, value, row) => sum + value * lambda[row], 0);
    });
    dual -= problem.coefficient[i] * problem.normalForce[i] * Math.hypot(slips[0], slips[1]);
  }
  return (energy - dual) / energy;
}
