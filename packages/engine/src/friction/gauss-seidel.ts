import { BLOCK_STRIDE, solveOneContact } from '../complementarity/one-contact.js';
import { applyMatrix6, createInverseWorkspace, type InverseWorkspace, invertMatrix } from '../math/matrices.js';
import { WRENCH_STRIDE, writeContactWrenches, writeCouplingElasticity } from './contact-wrenches.js';
import type { FrictionModel, FrictionModelOptions, FrictionResult } from './friction-model.js';
import type { FrictionProblem } from './friction-problem.js';
import { judgeContacts, writeMotionLimit } from './judge-contacts.js';

/**
 * Duriez' Gauss–Seidel iteration on the rigid body held by its coupling: contact by contact, Signorini and Coulomb are
 * solved exactly with all other forces as they are.
 *
 * The compliance of the coupled tool is C = −K_c⁻¹, its motion without contact C w_c. Contact i, with J_i = (N_i, G_i),
 * moves by J_iᵀΔ, Δ = C (w_c + Σ J_i f_i); its gap is that along the normal, less the depth F_n,i / k_i, plus the
 * compliance of the penalty contact itself, f_n / k_i. That diagonal term makes the normal forces unique.
 *
 * The Delassus matrix W = JᵀCJ (3k × 3k) is never formed. Δ is kept instead and brought up to date with every contact,
 * six numbers per direction, so that a sweep is linear in the contacts.
 *
 * Separating and dynamic contacts count as all others, since all forces are found again; the last answer is no start.
 */
export function createGaussSeidelModel(options: FrictionModelOptions): FrictionModel {
  const work = createGaussSeidel(options);
  return {
    name: 'gauss-seidel',
    solve(result: FrictionResult, problem: FrictionProblem): void {
      pose(work, problem);
      result.iterations = 0;
      result.capped = true;
      while (result.capped && result.iterations < options.maxIterations) {
        result.iterations += 1;
        sweep(work, problem);
        const { change, size } = work;
        if (change <= options.tolerance * options.tolerance * size) result.capped = false;
      }
      writeAnswer(work, result, problem);
    },
  };
}

interface GaussSeidel {
  readonly options: FrictionModelOptions;
  /** J_i: wrenches of unit forces. */
  readonly wrenches: Float64Array;
  /** C J_i: the tool's motion under them. */
  readonly motions: Float64Array;
  /** J_iᵀ C J_i with the contact's own compliance, 3×3 each. */
  readonly blocks: Float64Array;
  /** μ_i */
  readonly coefficient: Float64Array;
  /** f: normal, u and v of each contact, N. */
  readonly force: Float64Array;
  /** Δ under the present forces. */
  readonly displacement: Float64Array;
  /** C w_c */
  readonly free: Float64Array;
  readonly elasticity: Float64Array;
  readonly compliance: Float64Array;
  readonly inverse: InverseWorkspace;
  /** g of one contact, then its new force. */
  readonly gap: Float64Array;
  readonly answer: Float64Array;
  readonly motion: Float64Array;
  /** Squares of the change of all forces in the last sweep, and of the forces. */
  change: number;
  size: number;
}

/** A contact moves when it goes further than this fraction of what the coupling alone would do, or than the tolerance. */
const MOTION_FRACTION = 1e-6;
const MOTION_TOLERANCES = 100;

function createGaussSeidel(options: FrictionModelOptions): GaussSeidel {
  const { capacity } = options;
  return {
    options,
    wrenches: new Float64Array(WRENCH_STRIDE * capacity),
    motions: new Float64Array(WRENCH_STRIDE * capacity),
    blocks: new Float64Array(BLOCK_STRIDE * capacity),
    coefficient: new Float64Array(capacity),
    force: new Float64Array(3 * capacity),
    displacement: new Float64Array(6),
    free: new Float64Array(6),
    elasticity: new Float64Array(36),
    compliance: new Float64Array(36),
    inverse: createInverseWorkspace(6),
    gap: new Float64Array(3),
    answer: new Float64Array(3),
    motion: new Float64Array(1),
    change: 0,
    size: 0,
  };
}

function pose(work: GaussSeidel, problem: FrictionProblem): void {
  const { coefficient, compliance, force, free, motions, wrenches } = work;
  writeContactWrenches(wrenches, problem);
  writeCouplingElasticity(work.elasticity, problem);
  invertMatrix(compliance, work.elasticity, 6, work.inverse);
  applyMatrix6(free, 0, compliance, problem.couplingWrench, 0);
  for (let i = 0; i < problem.count; i += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      const at = WRENCH_STRIDE * i + 6 * axis;
      applyMatrix6(motions, at, compliance, wrenches, at);
    }
    writeBlock(work, problem, i);
    const touching = problem.normalStiffness[i] > 0;
    coefficient[i] = problem.coefficient[i];
    force[3 * i] = touching ? problem.normalForce[i] : 0;
    force[3 * i + 1] = 0;
    force[3 * i + 2] = 0;
  }
  gatherDisplacement(work, problem);
}

function writeBlock({ blocks, motions, wrenches }: GaussSeidel, problem: FrictionProblem, contact: number): void {
  const at = WRENCH_STRIDE * contact;
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      let sum = 0;
      for (let j = 0; j < 6; j += 1) sum += wrenches[at + 6 * row + j] * motions[at + 6 * column + j];
      blocks[BLOCK_STRIDE * contact + 3 * row + column] = sum;
    }
  }
  blocks[BLOCK_STRIDE * contact] += 1 / problem.normalStiffness[contact];
}

/** Δ = C (w_c + Σ J_i f_i), afresh. */
function gatherDisplacement({ displacement, force, free, motions }: GaussSeidel, problem: FrictionProblem): void {
  displacement.set(free);
  for (let i = 0; i < problem.count; i += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      const at = WRENCH_STRIDE * i + 6 * axis;
      for (let row = 0; row < 6; row += 1) displacement[row] += force[3 * i + axis] * motions[at + row];
    }
  }
}

function sweep(work: GaussSeidel, problem: FrictionProblem): void {
  const { answer, blocks, coefficient, displacement, force, gap, motions } = work;
  let change = 0;
  let size = 0;
  for (let i = 0; i < problem.count; i += 1) {
    if (!(problem.normalStiffness[i] > 0)) continue;
    writeGap(work, problem, i);
    solveOneContact(answer, gap, blocks, i, coefficient, i);
    for (let axis = 0; axis < 3; axis += 1) {
      const difference = answer[axis] - force[3 * i + axis];
      const at = WRENCH_STRIDE * i + 6 * axis;
      for (let row = 0; row < 6; row += 1) displacement[row] += difference * motions[at + row];
      force[3 * i + axis] = answer[axis];
      change += difference * difference;
      size += answer[axis] * answer[axis];
    }
  }
  work.change = change;
  work.size = size;
}

/** g = δ − W f: the gap and the tangential motion that the contact would have without its own force. */
function writeGap(work: GaussSeidel, problem: FrictionProblem, contact: number): void {
  const { blocks, displacement, force, gap, wrenches } = work;
  for (let axis = 0; axis < 3; axis += 1) {
    const at = WRENCH_STRIDE * contact + 6 * axis;
    const block = BLOCK_STRIDE * contact + 3 * axis;
    let sum = 0;
    for (let row = 0; row < 6; row += 1) sum += wrenches[at + row] * displacement[row];
    for (let j = 0; j < 3; j += 1) sum -= blocks[block + j] * force[3 * contact + j];
    gap[axis] = sum;
  }
  // `displacement` knows nothing of the contact's own compliance, while its block does.
  gap[0] += (force[3 * contact] - problem.normalForce[contact]) / problem.normalStiffness[contact];
}

function writeAnswer(work: GaussSeidel, result: FrictionResult, problem: FrictionProblem): void {
  const { force, free, motion, options, wrenches } = work;
  gatherDisplacement(work, problem);
  result.displacement.set(work.displacement);
  result.proved = false;
  for (let i = 0; i < problem.count; i += 1) {
    result.normalForce[i] = force[3 * i];
    result.force[2 * i] = force[3 * i + 1];
    result.force[2 * i + 1] = force[3 * i + 2];
  }
  writeMotionLimit(motion, free, problem, Math.max(MOTION_FRACTION, MOTION_TOLERANCES * options.tolerance));
  judgeContacts(result, problem, wrenches, motion, true);
}
