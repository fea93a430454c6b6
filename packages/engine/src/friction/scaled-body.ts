import { choleskyFactor, choleskySolve, solveLinear } from '../math/linear-algebra.js';
import { multiplyMatrix6 } from '../math/matrices.js';
import type { FrictionProblem } from './friction-problem.js';
import { createMetricWorkspace, type FrictionMetric, type MetricWorkspace, writeStiffnessMetric } from './metric.js';

/** The tool's side of the problem in the units of `ScaledContacts`: K' = S K S, D'⁻¹ and w' = S w, all still in newtons. */
export interface ScaledBody {
  readonly metric: FrictionMetric;
  readonly wrench: Float64Array;
  /** K', 6×6. */
  readonly stiffness: Float64Array;
  /** D'⁻¹, 6×6, once it has been asked for by `findMobility`. */
  readonly mobility: Float64Array;
  hasMobility: boolean;
  readonly workspace: MetricWorkspace & { readonly column: Float64Array };
}

export function createScaledBody(metric: FrictionMetric): ScaledBody {
  return {
    metric,
    wrench: new Float64Array(6),
    stiffness: new Float64Array(36),
    mobility: new Float64Array(36),
    hasMobility: false,
    workspace: { ...createMetricWorkspace(), column: new Float64Array(6) },
  };
}

export function scaleBody(body: ScaledBody, problem: FrictionProblem): void {
  const perLength = 1 / problem.length;
  const perSquare = perLength * perLength;
  for (let i = 0; i < 3; i += 1) {
    body.wrench[i] = problem.wrench[i];
    body.wrench[3 + i] = problem.wrench[3 + i] * perLength;
    for (let j = 0; j < 3; j += 1) {
      body.stiffness[6 * i + j] = problem.stiffness[6 * i + j];
      body.stiffness[6 * i + 3 + j] = problem.stiffness[6 * i + 3 + j] * perLength;
      body.stiffness[6 * (3 + i) + j] = problem.stiffness[6 * (3 + i) + j] * perLength;
      body.stiffness[6 * (3 + i) + 3 + j] = problem.stiffness[6 * (3 + i) + 3 + j] * perSquare;
    }
  }
  body.hasMobility = false;
}

/** Computes `mobility` of the problem that was scaled last, unless it is there. What holds in a corner needs none. */
export function findMobility(body: ScaledBody, problem: FrictionProblem): void {
  if (body.hasMobility) return;
  if (body.metric === 'mass') invertInertia(body, problem);
  else invertStiffness(body);
  body.hasMobility = true;
}

function invertStiffness({ stiffness, mobility, workspace }: ScaledBody): void {
  const { matrix: factor, column } = workspace;
  writeStiffnessMetric(mobility, stiffness, workspace);
  for (let e = 0; e < 36; e += 1) factor[e] = mobility[e];
  // Of no stiffness at all the inverse must still be a number.
  choleskyFactor(factor, 6, Number.MIN_VALUE);
  for (let i = 0; i < 6; i += 1) {
    column.fill(0);
    column[i] = 1;
    choleskySolve(column, factor, 6);
    for (let j = 0; j < 6; j += 1) mobility[6 * j + i] = column[j];
  }
}

function invertInertia({ mobility, workspace }: ScaledBody, problem: FrictionProblem): void {
  const { matrix, column } = workspace;
  const square = problem.length * problem.length;
  mobility.fill(0);
  for (let i = 0; i < 3; i += 1) {
    mobility[7 * i] = 1 / problem.mass;
    for (let e = 0; e < 9; e += 1) matrix[e] = problem.inertia[e];
    column.fill(0);
    column[i] = square;
    solveLinear(column, matrix, 3);
    for (let j = 0; j < 3; j += 1) mobility[6 * (3 + j) + 3 + i] = column[j];
  }
}

/** Δ' = −D'⁻¹ K'ᵀ λ': where a multiplier takes the tool (Eq. 32, 33). */
export function displacementOf(out: Float64Array, { stiffness, mobility, workspace }: ScaledBody, dual: Float64Array) {
  const { column } = workspace;
  for (let i = 0; i < 6; i += 1) {
    let sum = 0;
    for (let j = 0; j < 6; j += 1) sum += stiffness[6 * j + i] * dual[j];
    column[i] = sum;
  }
  for (let i = 0; i < 6; i += 1) {
    let sum = 0;
    for (let j = 0; j < 6; j += 1) sum -= mobility[6 * i + j] * column[j];
    out[i] = sum;
  }
}

/** A' = K' D'⁻¹ K'ᵀ. */
export function dualQuadratic(out: Float64Array, { stiffness, mobility, workspace }: ScaledBody): void {
  const { matrix } = workspace;
  multiplyMatrix6(matrix, stiffness, mobility);
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 6; j += 1) {
      let sum = 0;
      for (let k = 0; k < 6; k += 1) sum += matrix[6 * i + k] * stiffness[6 * j + k];
      out[6 * i + j] = sum;
    }
  }
}

/** From scaled displacements to metres and radians, in place. The length of the problem, given by itself, would be boxed. */
export function unscaleTwist(twist: Float64Array, { length }: FrictionProblem): void {
  for (let i = 3; i < 6; i += 1) twist[i] /= length;
}
