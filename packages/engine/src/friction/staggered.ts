import { solveLinear } from '../math/linear-algebra.js';
import { WRENCH_STRIDE, writeContactWrenches, writeCouplingElasticity } from './contact-wrenches.js';
import { createElasticContacts, type ElasticContacts, solveElasticContacts } from './elastic-contacts.js';
import type { FrictionModel, FrictionModelOptions, FrictionResult } from './friction-model.js';
import type { FrictionProblem } from './friction-problem.js';
import { judgeContacts, writeMotionLimit } from './judge-contacts.js';

/**
 * Kaufman's staggered projections on penalty contact: normal forces and friction by turns, until neither changes.
 *
 * - Normal projection: with the friction β as it is, the equilibrium of coupling and penalty contacts,
 *   K_cΔ + w_c + Gβ + Σ N_i f_i = 0, f_i = max(0, F_n,i − k_i N_iᵀΔ).
 * - Friction projection: with the normal forces as they are, of all β with |β_i| ≤ μ_i f_i those of maximal dissipation
 *   in the metric of the coupling: |w_c + Σ N_i f_i + Gβ| least in the norm of −K_c⁻¹. It is solved by the method of
 *   multipliers: friction springs of stiffness k_t whose anchors follow until no sticking contact yields.
 *
 * Both are convex problems of six unknowns. A fixed point fulfils the laws of Coulomb and Signorini with the contacts'
 * compliance, the same that `gauss-seidel` solves. Nothing here ensures that the turns come to one. They become many
 * where the coupling hardly resists turning, and at μ = 100 one random problem in a hundred ran into a cap of 1,000.
 *
 * Separating and dynamic contacts count as all others, since all forces are found again.
 */
export function createStaggeredModel(options: FrictionModelOptions): FrictionModel {
  const work = createStaggered(options);
  return {
    name: 'staggered',
    solve(result: FrictionResult, problem: FrictionProblem): void {
      pose(work, problem);
      alternate(work, result, problem);
      writeAnswer(work, result, problem);
    },
  };
}

interface Staggered {
  readonly options: FrictionModelOptions;
  readonly wrenches: Float64Array;
  readonly normals: ElasticContacts;
  readonly friction: ElasticContacts;
  /** Forces of the last turn: normal, u and v of each contact. */
  readonly last: Float64Array;
  /** Of the two inner solves: tolerance, iterations at most. */
  readonly limits: Float64Array;
  readonly free: Float64Array;
  readonly motion: Float64Array;
}

/** Inner problems are solved this much finer than the turns. */
const INNER_TOLERANCE = 0.01;
const FINEST_TOLERANCE = 1e-13;
const INNER_ITERATIONS = 60;
/** Rounds of multipliers in one friction projection; each makes what is left smaller by about `SPRING_RATIO`. */
const MULTIPLIER_ROUNDS = 30;
/** Stiffness of all friction springs together over the coupling's. Higher: fewer rounds, more Newton steps, less exact. */
const SPRING_RATIO = 1000;
/** A contact moves when it goes further than this fraction of what the coupling alone would do, or than the tolerance. */
const MOTION_FRACTION = 1e-6;
const MOTION_TOLERANCES = 100;

function createStaggered(options: FrictionModelOptions): Staggered {
  const inner = Math.max(FINEST_TOLERANCE, INNER_TOLERANCE * options.tolerance);
  return {
    options,
    wrenches: new Float64Array(WRENCH_STRIDE * options.capacity),
    normals: createElasticContacts(options.capacity),
    friction: createElasticContacts(options.capacity),
    last: new Float64Array(3 * options.capacity),
    limits: Float64Array.of(inner, INNER_ITERATIONS),
    free: new Float64Array(6),
    motion: new Float64Array(1),
  };
}

/** Frictionless to begin with: contacts change from cycle to cycle, so the last answer is no start. */
function pose({ friction, last, normals, wrenches }: Staggered, problem: FrictionProblem): void {
  writeContactWrenches(wrenches, problem);
  writeCouplingElasticity(normals.elasticity, problem);
  friction.elasticity.set(normals.elasticity);
  normals.count = problem.count;
  friction.count = problem.count;
  normals.length = problem.length;
  friction.length = problem.length;
  let stiffest = 0;
  for (let axis = 0; axis < 3; axis += 1) stiffest = Math.max(stiffest, normals.elasticity[7 * axis]);
  friction.springStiffness = (SPRING_RATIO * stiffest) / Math.max(1, problem.count);
  normals.displacement.fill(0);
  friction.displacement.fill(0);
  friction.force.fill(0, 0, 2 * problem.count);
  last.fill(0, 0, 3 * problem.count);
  for (let i = 0; i < problem.count; i += 1) {
    normals.bound[i] = 0;
    normals.restForce[i] = problem.normalForce[i];
    normals.normalStiffness[i] = problem.normalStiffness[i];
    friction.normalStiffness[i] = 0;
  }
}

function alternate(work: Staggered, result: FrictionResult, problem: FrictionProblem): void {
  result.iterations = 0;
  result.capped = true;
  while (result.capped && result.iterations < work.options.maxIterations) {
    result.iterations += 1;
    projectNormals(work, problem);
    const settled = projectFriction(work, problem);
    if (isAtRest(work, problem) && settled) result.capped = false;
  }
}

function projectNormals({ friction, limits, normals, wrenches }: Staggered, problem: FrictionProblem): void {
  normals.load.set(problem.couplingWrench);
  for (let i = 0; i < problem.count; i += 1) {
    const u = WRENCH_STRIDE * i + 6;
    for (let row = 0; row < 6; row += 1) {
      normals.load[row] +=
        friction.force[2 * i] * wrenches[u + row] + friction.force[2 * i + 1] * wrenches[u + 6 + row];
    }
  }
  solveElasticContacts(normals, wrenches, limits);
}

/** True when no sticking contact yields any more. */
function projectFriction(work: Staggered, problem: FrictionProblem): boolean {
  const { friction, limits, normals, wrenches } = work;
  friction.load.set(problem.couplingWrench);
  for (let i = 0; i < problem.count; i += 1) {
    const force = normals.normalForce[i];
    friction.bound[i] = problem.coefficient[i] * force;
    for (let row = 0; row < 6; row += 1) friction.load[row] += force * wrenches[WRENCH_STRIDE * i + row];
  }
  for (let round = 0; round < MULTIPLIER_ROUNDS; round += 1) {
    for (let n = 0; n < 2 * problem.count; n += 1) friction.anchorForce[n] = friction.force[n];
    solveElasticContacts(friction, wrenches, limits);
    if (hasFollowed(friction, work.options)) return friction.converged && normals.converged;
  }
  return false;
}

function hasFollowed({ anchorForce, count, force }: ElasticContacts, { tolerance }: FrictionModelOptions): boolean {
  let change = 0;
  let size = 0;
  for (let n = 0; n < 2 * count; n += 1) {
    const difference = force[n] - anchorForce[n];
    change += difference * difference;
    size += force[n] * force[n];
  }
  return change <= tolerance * tolerance * size;
}

function isAtRest({ friction, last, normals, options }: Staggered, problem: FrictionProblem): boolean {
  let change = 0;
  let size = 0;
  for (let i = 0; i < problem.count; i += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      const force = axis === 0 ? normals.normalForce[i] : friction.force[2 * i + axis - 1];
      const difference = force - last[3 * i + axis];
      change += difference * difference;
      size += force * force;
      last[3 * i + axis] = force;
    }
  }
  return change <= options.tolerance * options.tolerance * size;
}

/** The friction projection comes last, so that equilibrium and cones hold exactly, and the normal law to the tolerance. */
function writeAnswer(work: Staggered, result: FrictionResult, problem: FrictionProblem): void {
  const { free, friction, motion, normals, options, wrenches } = work;
  result.displacement.set(friction.displacement);
  result.proved = false;
  for (let i = 0; i < problem.count; i += 1) {
    result.force[2 * i] = friction.force[2 * i];
    result.force[2 * i + 1] = friction.force[2 * i + 1];
    result.normalForce[i] = normals.normalForce[i];
  }
  free.set(problem.couplingWrench);
  friction.hessian.set(friction.elasticity);
  if (!solveLinear(free, friction.hessian, 6)) free.set(friction.displacement);
  writeMotionLimit(motion, free, problem, Math.max(MOTION_FRACTION, MOTION_TOLERANCES * options.tolerance));
  judgeContacts(result, problem, wrenches, motion, true);
}
