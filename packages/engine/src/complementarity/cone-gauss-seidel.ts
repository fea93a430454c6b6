import { type ConeProblem, writeMotionOf } from './cone-problem.js';
import { writeConeResidual } from './cone-residual.js';
import { createNewtonSteps } from './newton-steps.js';
import { BLOCK_STRIDE, solveOneContact } from './one-contact.js';

/**
 * Nonlinear block Gauss–Seidel (Duriez et al., section 4 and Algorithm 1, which is missing from the text): contact by
 * contact, Signorini and Coulomb with all other forces as they are, until the forces rest.
 *
 * - `exact`: the 3×3 problem of the contact is solved exactly (one-contact.ts). Few sweeps, also when the tangents are
 *   much softer than the normal.
 * - `diagonal`: f_n = max(0, f̃_n − δ̃_n / W_nn), then δ̃_t += W_tn (f_n − f̃_n), then f_t = f̃_t − δ̃_t / w_t with
 *   w_t = ½ tr W_tt, scaled back to length μ f_n. A cheaper contact, more sweeps; many more where w_t fits no direction.
 *
 * Limits: μ = 0 is frictionless; W_nn ≤ 0 gives no force; no contacts is solved by doing nothing.
 */
export interface ConeGaussSeidelOptions {
  /** Contacts of the largest problem. */
  readonly capacity: number;
  readonly local: 'exact' | 'diagonal';
  /**
   * At which error to stop. Below about 1e-14 rounding keeps it from being met; above 1e-2 forces visibly lag behind.
   */
  readonly tolerance: number;
  /** Bounds the time of a cycle. */
  readonly maxSweeps: number;
  /**
   * What the error is.
   *
   * - `change` (default): |Δr| / |r| over the last sweep, at no cost and without units. After a sweep the motion of
   *   contact α is off by Σ_{β>α} W_αβ Δr_β alone, so that the natural map in units of force, |r − P(r − û/W_NN)| / |r|,
   *   is at most that, times the largest row sum of |W_αβ| / W_NN,α.
   * - `motion`: the furthest that a contact was moved by the change of its own force in the last sweep, W_nn |Δr|, in the
   *   units of u. Where contacts lie close together their forces go on to shift among each other long after nothing moves
   *   any more.
   * - `residual`: the natural map of `coneResidual`, for comparison with others; costs a second product with W a sweep.
   */
  readonly measure?: 'change' | 'motion' | 'residual';
  /**
   * After each sweep over all contacts, at most so many over those that carry a force, as long as these are not at rest. Most
   * contacts of a cycle carry none, and are looked at again only when the others are done. 0 unless given.
   */
  readonly loadedSweeps?: number;
  /**
   * After so many sweeps, Newton steps (newton-steps.ts) in turn with sweeps: where contacts share one soft mode, sweeps alone
   * take hundreds. A step counts as a sweep. With `motion` only; never unless given.
   */
  readonly newtonAfter?: number;
}

/** A block Gauss-Seidel solver for contact with Coulomb friction. */
export interface ConeGaussSeidel {
  /** `forces` (3 per contact) holds the start and becomes the answer. Never throws, never allocates. */
  solve(forces: Float64Array, problem: ConeProblem): void;
  /** Sweeps of the last solve, Newton steps among them. */
  readonly sweeps: number;
  /** Its error, by the chosen measure. */
  readonly error: number;
  /** Whether it was ended by the cap on sweeps, above the tolerance. */
  readonly capped: boolean;
}

/** Creates a solver with all its memory for at most `options.capacity` contacts. */
export function createConeGaussSeidel(options: ConeGaussSeidelOptions): ConeGaussSeidel {
  const work: Workspace = {
    exact: options.local === 'exact',
    gap: new Float64Array(3),
    answer: new Float64Array(3),
    motion: new Float64Array(3 * options.capacity),
    sums: new Float64Array(4),
  };
  const byResidual = options.measure === 'residual';
  const byMotion = options.measure === 'motion';
  const { tolerance, maxSweeps, loadedSweeps = 0, newtonAfter = Number.POSITIVE_INFINITY } = options;
  const newton = byMotion && newtonAfter < maxSweeps ? createNewtonSteps(options.capacity, tolerance) : null;
  const { sums } = work;
  const solver = {
    sweeps: 0,
    capped: false,
    // Read from the array: a changing number in a field of its own would be boxed again in every sweep.
    get error(): number {
      return sums[ERROR];
    },
    solve(forces: Float64Array, problem: ConeProblem): void {
      solver.sweeps = 0;
      solver.capped = false;
      makeFinite(forces, problem);
      if (byResidual) writeConeResidual(sums, problem, forces, work.motion);
      else sums[ERROR] = Number.POSITIVE_INFINITY;
      // Sweeps over loaded contacts since the last over all: 0 when all are due.
      let partial = 0;
      let next = newtonAfter;
      while (partial > 0 || !(sums[ERROR] <= tolerance)) {
        if (solver.sweeps >= maxSweeps || Number.isNaN(sums[ERROR])) {
          solver.capped = true;
          makeFinite(forces, problem);
          return;
        }
        sweep(work, forces, problem, partial === 0);
        solver.sweeps += 1;
        if (byResidual) writeConeResidual(sums, problem, forces, work.motion);
        else if (byMotion) sums[ERROR] = Math.sqrt(sums[MOVED]);
        else sums[ERROR] = sums[SIZE] > 0 ? Math.sqrt(sums[CHANGE] / sums[SIZE]) : Math.sqrt(sums[CHANGE]);
        if (sums[ERROR] <= tolerance) {
          if (partial === 0) return;
          partial = 0;
          // Only of the loaded ones.
          sums[ERROR] = Number.POSITIVE_INFINITY;
          continue;
        }
        partial = partial < loadedSweeps ? partial + 1 : 0;
        // The last sweep is one over all contacts: only that puts every force in its cone.
        if (newton === null || solver.sweeps < next || solver.sweeps >= maxSweeps - 1) continue;
        newton.run(forces, problem, maxSweeps - 1 - solver.sweeps);
        solver.sweeps += newton.steps;
        next = solver.sweeps + (newton.solved ? 1 : SWEEPS_BETWEEN);
        partial = 0;
        sums[ERROR] = Number.POSITIVE_INFINITY;
      }
    },
  };
  return solver;
}

/** After Newton steps that did not come to rest. */
const SWEEPS_BETWEEN = 6;

/** Places in the sums of a sweep. */
const ERROR = 0;
const CHANGE = 1;
const SIZE = 2;
const MOVED = 3;

interface Workspace {
  readonly exact: boolean;
  /** Of one contact: what its motion would be without its own force, or δ̃, then its new force. */
  readonly gap: Float64Array;
  readonly answer: Float64Array;
  readonly motion: Float64Array;
  /** The error; squares of the change of all forces in a sweep, of the forces, and of the furthest motion. */
  readonly sums: Float64Array;
}

/** A number that is not finite would spread to every force, and from there to the hand. */
function makeFinite(forces: Float64Array, { count }: ConeProblem): void {
  for (let i = 0; i < 3 * count; i += 1) if (!Number.isFinite(forces[i])) forces[i] = 0;
}

function sweep(work: Workspace, forces: Float64Array, problem: ConeProblem, all: boolean): void {
  const { answer, exact, gap, motion, sums } = work;
  let change = 0;
  let size = 0;
  let moved = 0;
  for (let i = 0; i < problem.count; i += 1) {
    const at = 3 * i;
    if (!all && forces[at] === 0) continue;
    let own = 0;
    writeMotionOf(motion, problem, forces, i);
    // A local solve may turn what is not finite into no force, which looks like an answer.
    if (!(Math.abs(motion[at] + motion[at + 1] + motion[at + 2]) <= Number.MAX_VALUE)) change += Number.NaN;
    if (exact) solveExactly(answer, gap, motion, forces, problem, i);
    else solveByDiagonal(answer, motion, forces, problem, i);
    for (let axis = 0; axis < 3; axis += 1) {
      const difference = answer[axis] - forces[at + axis];
      own += difference * difference;
      size += answer[axis] * answer[axis];
      forces[at + axis] = answer[axis];
    }
    change += own;
    const compliance = problem.blocks[BLOCK_STRIDE * problem.diagonal[i]];
    moved = Math.max(moved, compliance * compliance * own);
  }
  sums[MOVED] = moved;
  sums[CHANGE] = change;
  sums[SIZE] = size;
}

function solveExactly(
  answer: Float64Array,
  gap: Float64Array,
  motion: Float64Array,
  forces: Float64Array,
  problem: ConeProblem,
  contact: number,
): void {
  const { blocks, coefficient, diagonal } = problem;
  const at = 3 * contact;
  const w = BLOCK_STRIDE * diagonal[contact];
  for (let axis = 0; axis < 3; axis += 1) {
    const row = w + 3 * axis;
    gap[axis] =
      motion[at + axis] -
      blocks[row] * forces[at] -
      blocks[row + 1] * forces[at + 1] -
      blocks[row + 2] * forces[at + 2];
  }
  solveOneContact(answer, gap, blocks, diagonal[contact], coefficient, contact);
}

function solveByDiagonal(
  answer: Float64Array,
  motion: Float64Array,
  forces: Float64Array,
  problem: ConeProblem,
  contact: number,
): void {
  const { blocks, coefficient, diagonal } = problem;
  const at = 3 * contact;
  const w = BLOCK_STRIDE * diagonal[contact];
  const nn = blocks[w];
  const old = forces[at];
  const normal = nn > 0 ? Math.max(0, old - motion[at] / nn) : 0;
  const bound = coefficient[contact] * normal;
  answer[0] = normal;
  answer[1] = 0;
  answer[2] = 0;
  const tangential = 0.5 * (blocks[w + 4] + blocks[w + 8]);
  if (!(bound > 0 && tangential > 0)) return;
  const t = forces[at + 1] - (motion[at + 1] + blocks[w + 3] * (normal - old)) / tangential;
  const s = forces[at + 2] - (motion[at + 2] + blocks[w + 6] * (normal - old)) / tangential;
  const size = Math.sqrt(t * t + s * s);
  const scale = size > bound ? bound / size : 1;
  answer[1] = scale * t;
  answer[2] = scale * s;
}
