import { contactScales, evaluateContacts, writeJacobian } from './alart-curnier.js';
import { type BlockPattern, eliminateBlocks, planElimination } from './block-elimination.js';
import { type ConeGaussSeidel, createConeGaussSeidel } from './cone-gauss-seidel.js';
import { type ConeProblem, writeContactMotion } from './cone-problem.js';
import { coneResidual, writeConeResidual } from './cone-residual.js';
import { splitGroups } from './contact-groups.js';
import { BLOCK_STRIDE } from './one-contact.js';

/**
 * Newton's method on the equations of Alart and Curnier, beyond the paper: it converges where Gauss–Seidel creeps (bodies
 * held by many contacts) or circles (an exact step that undoes the last one).
 *
 * Contacts that do not act on each other are solved apart. In each group, sweeps of Gauss–Seidel find the start. W is
 * singular wherever contacts share their load, so Newton works on W + ε/ρ with the change of force since an anchor r̄ in
 * place of the force, u + (ε/ρ)(r − r̄) (the proximal point method): its solutions, each the next anchor, go to one of the
 * problem itself, the faster the smaller ε. ε falls when that goes well and rises when it does not. Steps are halved until
 * |F| is below the largest of the last few; where even short steps fail, sweeps go on from there, with the two local forms
 * in turn, since each gets past points at which the other circles. The best forces met are the answer.
 *
 * Deterministic, bounded by `maxIterations`. For use outside the cycle: it allocates its workspace.
 */
export interface ConeNewtonOptions {
  /** Residual (`coneResidual`) at which to end. */
  readonly tolerance: number;
  /** Most steps in each group; each costs one sparse elimination, or some sweeps. */
  readonly maxIterations: number;
}

export interface ConeSolution {
  /** Steps, sweeps or pivots, as the solver counts. */
  readonly sweeps: number;
  /** By `coneResidual`. */
  readonly residual: number;
  /** Whether it ended above the tolerance. */
  readonly capped: boolean;
}

const SWEEPS_BETWEEN = 30;
const SHORTEST_STEP = 0.05;
/** The part of the fall that a step promises which it must keep. */
const SUFFICIENT_FALL = 1e-4;
/** How many values of |F|² a step may be measured against. */
const MEMORY = 10;
const FIRST_REGULARISATION = 1e-4;
const LEAST_REGULARISATION = 1e-10;
const MOST_REGULARISATION = 1;
/** An anchor is left when |F|² has fallen to this part, or after so many steps; swiftly, if it took no more than so many. */
const ANCHOR_FALL = 1e-2;
const ANCHOR_STEPS = 15;
const SWIFT_STEPS = 5;
/** Groups have smaller numbers to be measured against, yet their residuals add up. */
const GROUP_TOLERANCE = 0.5;

/** `forces` (3 per contact) holds the start and becomes the answer. */
export function solveConeNewton(forces: Float64Array, problem: ConeProblem, options: ConeNewtonOptions): ConeSolution {
  let sweeps = 0;
  for (const group of splitGroups(problem)) {
    const part = new Float64Array(3 * group.contacts.length);
    group.contacts.forEach((contact, i) => {
      part.set(forces.subarray(3 * contact, 3 * contact + 3), 3 * i);
    });
    sweeps = Math.max(sweeps, solveGroup(part, group.problem, options));
    group.contacts.forEach((contact, i) => {
      forces.set(part.subarray(3 * i, 3 * i + 3), 3 * contact);
    });
  }
  const residual = coneResidual(problem, forces);
  return { sweeps, residual, capped: !(residual <= options.tolerance) };
}

/** Solves one group; returns the steps taken. */
function solveGroup(forces: Float64Array, problem: ConeProblem, options: ConeNewtonOptions): number {
  const tolerance = GROUP_TOLERANCE * options.tolerance;
  const work = createWorkspace(problem, tolerance);
  const best = forces.slice();
  let least = Number.POSITIVE_INFINITY;
  let steps = 0;
  work.relaxations[0].solve(forces, problem);
  moveAnchor(work, forces);
  for (; ; steps += 1) {
    writeConeResidual(work.residual, problem, forces, work.motion);
    if (work.residual[0] < least) {
      [least] = work.residual;
      best.set(forces);
    }
    if (least <= tolerance || steps >= options.maxIterations) break;
    if (!takeStep(work, forces, problem)) relax(work, forces, problem);
  }
  forces.set(best);
  return steps;
}

interface Workspace {
  readonly relaxations: readonly ConeGaussSeidel[];
  relaxed: number;
  readonly pattern: BlockPattern;
  /** By block of the problem: its place in `jacobian`. */
  readonly places: Int32Array;
  readonly scales: Float64Array;
  readonly jacobian: Float64Array;
  readonly slopes: Float64Array;
  readonly values: Float64Array;
  readonly step: Float64Array;
  readonly trial: Float64Array;
  readonly motion: Float64Array;
  readonly residual: Float64Array;
  /** |F|², one number. */
  readonly size: Float64Array;
  /** r̄ */
  readonly anchor: Float64Array;
  /** ε */
  regularisation: number;
  /** |F|² since the anchor was set. */
  history: number[];
}

function createWorkspace(problem: ConeProblem, tolerance: number): Workspace {
  const { column, count: capacity, rowStart } = problem;
  const pattern = planElimination(capacity, rowStart, column);
  const places = new Int32Array(rowStart[capacity]);
  for (let row = 0; row < capacity; row += 1) {
    for (let block = rowStart[row]; block < rowStart[row + 1]; block += 1) {
      places[block] = pattern.placeOf(row, column[block]);
    }
  }
  const relaxation = (local: 'exact' | 'diagonal') =>
    createConeGaussSeidel({ capacity, local, tolerance, maxSweeps: SWEEPS_BETWEEN, measure: 'residual' });
  const vector = () => new Float64Array(3 * capacity);
  return {
    relaxations: [relaxation('exact'), relaxation('diagonal')],
    relaxed: 0,
    pattern,
    places,
    scales: contactScales(problem),
    jacobian: new Float64Array(BLOCK_STRIDE * pattern.blockCount),
    slopes: new Float64Array(BLOCK_STRIDE * capacity),
    values: vector(),
    step: vector(),
    trial: vector(),
    motion: vector(),
    residual: new Float64Array(1),
    size: new Float64Array(1),
    anchor: vector(),
    regularisation: FIRST_REGULARISATION,
    history: [],
  };
}

/** One step; false when no length of it brings |F| down. */
function takeStep(work: Workspace, forces: Float64Array, problem: ConeProblem): boolean {
  const { jacobian, slopes, step, trial, values } = work;
  let present = evaluate(work, forces, problem);
  if (leaveAnchor(work, present)) {
    moveAnchor(work, forces);
    present = evaluate(work, forces, problem);
  }
  work.history.push(present);
  writeJacobian(jacobian, work.places, slopes, problem, work.scales, work.regularisation);
  for (let i = 0; i < step.length; i += 1) step[i] = -values[i];
  if (!eliminateBlocks(step, jacobian, work.pattern)) return false;
  const worst = Math.max(...work.history.slice(-MEMORY));
  for (let length = 1; length > SHORTEST_STEP; length *= 0.5) {
    for (let i = 0; i < step.length; i += 1) trial[i] = forces[i] + length * step[i];
    if (!(evaluate(work, trial, problem) <= (1 - SUFFICIENT_FALL * length) * worst)) continue;
    forces.set(trial);
    return true;
  }
  return false;
}

/** |F|² with the motion u + (ε/ρ)(r − r̄). */
function evaluate(work: Workspace, forces: Float64Array, problem: ConeProblem): number {
  const { anchor, motion, regularisation, scales } = work;
  writeContactMotion(motion, problem, forces);
  for (let i = 0; i < motion.length; i += 1) {
    const scale = scales[2 * Math.floor(i / 3) + (i % 3 === 0 ? 0 : 1)];
    if (scale > 0) motion[i] += (regularisation / scale) * (forces[i] - anchor[i]);
  }
  evaluateContacts(work.size, work.values, work.slopes, problem, forces, motion, scales);
  return work.size[0];
}

/** Whether the problem around the anchor is solved well enough, or has taken too long; ε is fitted to which it was. */
function leaveAnchor(work: Workspace, present: number): boolean {
  const steps = work.history.length;
  if (steps === 0) return false;
  const solved = present <= ANCHOR_FALL * work.history[0];
  if (!solved && steps < ANCHOR_STEPS) return false;
  if (!solved) raise(work);
  else if (steps <= SWIFT_STEPS) work.regularisation = Math.max(LEAST_REGULARISATION, 0.1 * work.regularisation);
  return true;
}

function raise(work: Workspace): void {
  work.regularisation = Math.min(MOST_REGULARISATION, 4 * work.regularisation);
}

function moveAnchor(work: Workspace, forces: Float64Array): void {
  work.anchor.set(forces);
  work.history = [];
}

function relax(work: Workspace, forces: Float64Array, problem: ConeProblem): void {
  work.relaxed += 1;
  work.relaxations[work.relaxed % work.relaxations.length].solve(forces, problem);
  raise(work);
  moveAnchor(work, forces);
}
