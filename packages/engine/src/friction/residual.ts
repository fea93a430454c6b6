import { innerProduct, solveLinear } from '../math/linear-algebra.js';
import { length2, length3 } from '../math/portable.js';
import type { FrictionResult } from './friction-model.js';
import { CONTACT_SEPARATING, type FrictionProblem } from './friction-problem.js';
import { createMetricWorkspace, type FrictionMetric, writeStiffnessMetric } from './metric.js';

/**
 * How good an answer to a friction problem is, measured in the same way whoever gave it. Three numbers without unit:
 *
 * - `cone`: the largest friction force beyond its circular cone, (|β_i| − μ_i F_n,i)₊, over the force scale;
 * - `equilibrium`: the wrench that is left over, torques divided by `length`, over the force scale;
 * - `dissipation`: the energy that friction could still have taken and did not, over the energy without friction.
 *
 * The force scale is the larger of |w| and |w_c|, torques divided by `length`.
 *
 * Two forms, read off the answer (Zhao, Li, Barbič, section 4; symbols as in friction-problem.ts):
 *
 * 1. The answer keeps the penalty forces (`normalForce` equals the problem's): left over is w + KΔ + Σ G_i β_i, bounds
 *    are r_i = μ_i F_n,i for static contacts and 0 for all others. Dissipation is the gap between the energy ½ΔᵀDΔ and
 *    the bound from below that the multipliers λ = −K⁻ᵀDΔ give, the only ones that fit Δ (Eq. 32, 33). By weak
 *    duality (maximise λᵀw − ½λᵀKD⁻¹Kᵀλ − Σ r_i|s_i|, s_i = G_iᵀλ) the gap is never below 0 and is 0 at the optimum
 *    only. With the equilibrium put in, it is Σ (r_i|s_i| + β_i·s_i), a sum without cancellation. The scale is the
 *    energy of Δ = −K⁻¹w.
 * 2. The answer has normal forces f_n of its own: left over is w_c + K_cΔ + Σ N_i f_n,i + Σ G_i β_i, together with the
 *    largest breach of the normal law f_n = max(0, F_n − k N·u), bounds are μ_i f_n,i for all contacts that are not
 *    dynamic, and the same sum is taken with s_i = G_iᵀΔ, the motion of the contact point. The scale is the work
 *    ½ w_c·Δ of Δ = −K_c⁻¹w_c.
 *
 * Where an answer has f_n = F_n at every contact both forms agree but for the terms of K that stem from the turning of
 * the arms. A pyramid is judged by the circular cone as well: ℓ sides may show up to (1/cos(π/ℓ) − 1) of a bound.
 */
export interface FrictionResidual {
  readonly cone: number;
  readonly equilibrium: number;
  readonly dissipation: number;
  /** The largest of the three. */
  readonly total: number;
}

/**
 * Judges any model's result by the same measure; all parts are relative, 0 for an exact solution. `metric` is the D that
 * the answer was found with, if it keeps the penalty forces.
 */
export function frictionResidual(
  problem: FrictionProblem,
  result: FrictionResult,
  metric: FrictionMetric = 'stiffness',
): FrictionResidual {
  const ownForces = hasOwnNormalForces(problem, result);
  const bounds = frictionBounds(problem, result, ownForces);
  const forceScale = forceScaleOf(problem);
  const cone = coneViolation(problem, result, bounds) / forceScale;
  const leftOver = wrenchSize(remainingWrench(problem, result, ownForces), problem.length);
  const breach = ownForces ? normalLawBreach(problem, result) : 0;
  const equilibrium = Math.max(leftOver, breach) / forceScale;
  const dissipation = relativeGap(problem, result, bounds, ownForces, metric);
  return { cone, equilibrium, dissipation, total: Math.max(cone, equilibrium, dissipation) };
}

function hasOwnNormalForces({ count, normalForce }: FrictionProblem, result: FrictionResult): boolean {
  for (let i = 0; i < count; i += 1) if (result.normalForce[i] !== normalForce[i]) return true;
  return false;
}

function frictionBounds(problem: FrictionProblem, result: FrictionResult, ownForces: boolean): Float64Array {
  const bounds = new Float64Array(problem.count);
  for (let i = 0; i < problem.count; i += 1) {
    if (ownForces || problem.role[i] !== CONTACT_SEPARATING) bounds[i] = problem.coefficient[i] * result.normalForce[i];
  }
  return bounds;
}

function forceScaleOf(problem: FrictionProblem): number {
  const { wrench, couplingWrench, length } = problem;
  const scale = Math.max(wrenchSize(wrench, length), wrenchSize(couplingWrench, length));
  // Nothing acts: forces are then compared with the bounds, and without any with 1 N.
  if (scale > 0) return scale;
  const bounds = problem.normalForce.reduce((sum, force, i) => sum + force * problem.coefficient[i], 0);
  return bounds > 0 ? bounds : 1;
}

function coneViolation({ count }: FrictionProblem, { force }: FrictionResult, bounds: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < count; i += 1) worst = Math.max(worst, length2(force[2 * i], force[2 * i + 1]) - bounds[i]);
  return worst;
}

function remainingWrench(problem: FrictionProblem, result: FrictionResult, ownForces: boolean): Float64Array {
  const left = Float64Array.from(ownForces ? problem.couplingWrench : problem.wrench);
  addProduct(left, ownForces ? problem.couplingStiffness : problem.stiffness, result.displacement);
  for (let i = 0; i < problem.count; i += 1) {
    addContactForce(left, problem, i, problem.tangent, 6 * i, result.force[2 * i]);
    addContactForce(left, problem, i, problem.tangent, 6 * i + 3, result.force[2 * i + 1]);
    if (ownForces) addContactForce(left, problem, i, problem.normal, 3 * i, result.normalForce[i]);
  }
  return left;
}

/** The largest |f_n − max(0, F_n − k N·u)|. */
function normalLawBreach(problem: FrictionProblem, result: FrictionResult): number {
  let worst = 0;
  for (let i = 0; i < problem.count; i += 1) {
    const rise = alongContact(problem, i, problem.normal, 3 * i, result.displacement);
    const lawful = Math.max(0, problem.normalForce[i] - problem.normalStiffness[i] * rise);
    worst = Math.max(worst, Math.abs(result.normalForce[i] - lawful));
  }
  return worst;
}

function relativeGap(
  problem: FrictionProblem,
  result: FrictionResult,
  bounds: Float64Array,
  ownForces: boolean,
  metric: FrictionMetric,
): number {
  const motion = ownForces ? result.displacement : multipliers(problem, metric, result.displacement);
  const scale = ownForces ? couplingWork(problem) : frictionlessEnergy(problem, metric);
  if (motion === null || scale === null) return Number.POSITIVE_INFINITY;
  let gap = 0;
  for (let i = 0; i < problem.count; i += 1) {
    const su = alongContact(problem, i, problem.tangent, 6 * i, motion);
    const sv = alongContact(problem, i, problem.tangent, 6 * i + 3, motion);
    const missed = bounds[i] * length2(su, sv) + result.force[2 * i] * su + result.force[2 * i + 1] * sv;
    // Below 0 only for forces beyond the cone, which `cone` tells of.
    gap += Math.max(0, missed);
  }
  if (gap === 0) return 0;
  return scale > 0 ? gap / scale : Number.POSITIVE_INFINITY;
}

/** λ = −K⁻ᵀDΔ; null when K is singular. */
function multipliers(
  problem: FrictionProblem,
  metric: FrictionMetric,
  displacement: Float64Array,
): Float64Array | null {
  const transposed = new Float64Array(36);
  for (let i = 0; i < 6; i += 1) for (let j = 0; j < 6; j += 1) transposed[6 * j + i] = problem.stiffness[6 * i + j];
  const lambda = momentum(problem, metric, displacement).map((value) => -value);
  return solveLinear(lambda, transposed, 6) ? lambda : null;
}

/** ½ΔᵀDΔ of Δ = −K⁻¹w; null when K is singular. */
function frictionlessEnergy(problem: FrictionProblem, metric: FrictionMetric): number | null {
  const free = Float64Array.from(problem.wrench);
  if (!solveLinear(free, problem.stiffness.slice(), 6)) return null;
  return innerProduct(free, momentum(problem, metric, free)) / 2;
}

/** ½ w_c·Δ of Δ = −K_c⁻¹w_c; null when K_c is singular. */
function couplingWork(problem: FrictionProblem): number | null {
  const free = Float64Array.from(problem.couplingWrench);
  if (!solveLinear(free, problem.couplingStiffness.slice(), 6)) return null;
  return Math.abs(innerProduct(free, problem.couplingWrench)) / 2;
}

/** DΔ. */
function momentum(problem: FrictionProblem, metric: FrictionMetric, displacement: Float64Array): Float64Array {
  const { mass, inertia } = problem;
  const product = new Float64Array(6);
  if (metric === 'stiffness') {
    addProduct(product, stiffnessMetric(problem), displacement);
    return product;
  }
  for (let i = 0; i < 3; i += 1) {
    product[i] = mass * displacement[i];
    for (let j = 0; j < 3; j += 1) product[3 + i] += inertia[3 * i + j] * displacement[3 + j];
  }
  return product;
}

/** D = −½(K + Kᵀ), as the solvers have it. */
function stiffnessMetric({ stiffness, length }: FrictionProblem): Float64Array {
  const units = (entry: number) => (entry % 6 < 3 ? 1 : length) * (entry < 18 ? 1 : length);
  const metric = new Float64Array(36);
  const scaled = stiffness.map((value, entry) => value / units(entry));
  writeStiffnessMetric(metric, scaled, createMetricWorkspace());
  return metric.map((value, entry) => value * units(entry));
}

/** (a; r × a)ᵀ x, for the axis a of contact i that starts at `at`: for a displacement, how far the contact moves along a. */
function alongContact({ arm }: FrictionProblem, i: number, axis: Float64Array, at: number, x: Float64Array): number {
  const px = x[0] + x[4] * arm[3 * i + 2] - x[5] * arm[3 * i + 1];
  const py = x[1] + x[5] * arm[3 * i] - x[3] * arm[3 * i + 2];
  const pz = x[2] + x[3] * arm[3 * i + 1] - x[4] * arm[3 * i];
  return axis[at] * px + axis[at + 1] * py + axis[at + 2] * pz;
}

/** Adds (a; r × a) times `size` to a wrench. */
function addContactForce(
  wrench: Float64Array,
  { arm }: FrictionProblem,
  i: number,
  axis: Float64Array,
  at: number,
  size: number,
): void {
  const fx = size * axis[at];
  const fy = size * axis[at + 1];
  const fz = size * axis[at + 2];
  wrench[0] += fx;
  wrench[1] += fy;
  wrench[2] += fz;
  wrench[3] += arm[3 * i + 1] * fz - arm[3 * i + 2] * fy;
  wrench[4] += arm[3 * i + 2] * fx - arm[3 * i] * fz;
  wrench[5] += arm[3 * i] * fy - arm[3 * i + 1] * fx;
}

function addProduct(sum: Float64Array, matrix: Float64Array, x: Float64Array): void {
  for (let i = 0; i < 6; i += 1) for (let j = 0; j < 6; j += 1) sum[i] += matrix[6 * i + j] * x[j];
}

function wrenchSize(wrench: Float64Array, length: number): number {
  return length2(length3(wrench[0], wrench[1], wrench[2]), length3(wrench[3], wrench[4], wrench[5]) / length);
}
