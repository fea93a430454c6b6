import { type ConeGaussSeidel, createConeGaussSeidel } from '../../complementarity/cone-gauss-seidel.js';
import { type ConeProblem, createConeProblem, writeMotionOf } from '../../complementarity/cone-problem.js';
import { type ContactGroups, createContactGroups, groupContacts } from './contact-groups.js';
import { measureOpening, respond } from './contact-response.js';
import { connectContact } from './contact-sides.js';
import type { WorldContacts } from './contacts.js';
import type { DeformableOptions, DeformablePairSetup } from './deformable-setup.js';
import { extendDelassus } from './delassus.js';
import type { WorldBody } from './world-body.js';

/*
 * The forces of all contacts of a step. Most contacts are near and carry nothing, and each pair of contacts in W costs as
 * much as a hundred of its products. So W begins with those that pressed in the step before; whatever would overlap under
 * their forces joins, the deepest first, and all are solved again from where they are, until nothing else would overlap. The
 * answer is that of W of all contacts, to the tolerance.
 */

/** What it takes to solve the contacts of a step. */
export interface ContactSolver {
  readonly contacts: WorldContacts;
  readonly bodies: readonly WorldBody[];
  readonly pairs: readonly DeformablePairSetup[];
  readonly options: DeformableOptions;
  readonly groups: ContactGroups;
  /** W and q of the last group that was solved; of all its contacts once `wholeProblem` has seen to it. */
  readonly problem: ConeProblem;
  readonly solver: ConeGaussSeidel;
  /** Contacts of the problem, by index. */
  readonly members: Int32Array;
  /** Their forces, and how they move. */
  readonly forces: Float64Array;
  readonly motion: Float64Array;
  readonly timeStep: Float64Array;
  /** Of the slowest group, over all its problems. */
  sweeps: number;
  capped: boolean;
  isWhole: boolean;
}

/** What overlaps, because it was missed or began so, is taken apart at this speed and no faster, m/s. */
const PARTING_SPEED = 0.1;
/** Sweeps over contacts that press between those over all. */
const LOADED_SWEEPS = 8;
/** Sweeps that do for most cycles; where they do not, hundreds would follow. */
const NEWTON_AFTER = 16;
/** Contacts that join W at once: of those that free motion alone would let overlap few press in the end. */
const JOIN_AT_ONCE = 4;
/** Bounds the time of a cycle; four times as many contacts may join in one. */
const MOST_ROUNDS = 12;
/** A contact that moves less than this in a step does not slide, m. */
const STILL = 1e-9;
/** Friction at this part of its bound is at it: the solver ends before the last digit. */
const NEARLY = 0.999;
/** Of what is to be taken back, kept for the next step: parts that came at different times would contradict each other. */
const KEPT = 0.99;

export function createContactSolver(
  contacts: WorldContacts,
  bodies: readonly WorldBody[],
  pairs: readonly DeformablePairSetup[],
  options: DeformableOptions,
): ContactSolver {
  const { contacts: capacity, local, tolerance, maxSweeps, timeStep } = options;
  return {
    contacts,
    bodies,
    pairs,
    options,
    groups: createContactGroups(capacity, bodies.length),
    problem: createConeProblem(capacity),
    solver: createConeGaussSeidel({
      capacity,
      local,
      tolerance,
      maxSweeps,
      measure: 'motion',
      loadedSweeps: LOADED_SWEEPS,
      newtonAfter: NEWTON_AFTER,
    }),
    members: new Int32Array(capacity),
    forces: new Float64Array(3 * capacity),
    motion: new Float64Array(3 * capacity),
    timeStep: Float64Array.of(timeStep),
    sweeps: 0,
    capped: false,
    isWhole: false,
  };
}

/** Group by group: those that share no body that moves or bends do not feel each other (Duriez et al., section 3.4). */
export function solveContacts(work: ContactSolver): void {
  const { contacts, groups, bodies, problem } = work;
  groupContacts(groups, contacts, bodies);
  work.sweeps = 0;
  work.capped = false;
  work.isWhole = false;
  // What was solved before is no problem of this step.
  problem.count = 0;
  for (let c = 0; c < contacts.count; c += 1) poseContact(work, c);
  if (groups.count === 0) respond(bodies, contacts);
  for (let g = 0; g < groups.count; g += 1) solveGroup(work, groups.members[g], groups.sizes[g]);
}

/**
 * q and μ of one contact. What friction should have held in the step before is to go back: else the little that the solver
 * leaves over in every step adds up, and a part under loads that come and go walks away.
 */
function poseContact({ contacts, pairs, timeStep }: ContactSolver, c: number): void {
  const { gap, free, sliding, pair, crept, directions, target, coefficient, solved } = contacts;
  const overlap = Math.min(0, gap[c] + PARTING_SPEED * timeStep[0]);
  solved[c] = 0;
  target[3 * c] = free[3 * c] - overlap;
  for (let i = 1; i < 3; i += 1) {
    const d = 9 * c + 3 * i;
    target[3 * c + i] =
      free[3 * c + i] +
      (crept[3 * c] * directions[d] + crept[3 * c + 1] * directions[d + 1] + crept[3 * c + 2] * directions[d + 2]);
  }
  const { staticCoefficient, kineticCoefficient } = pairs[pair[c]];
  coefficient[c] = sliding[c] === 1 ? kineticCoefficient : staticCoefficient;
}

function solveGroup(work: ContactSolver, group: Int32Array, size: number): void {
  const { bodies, contacts, members, problem, solver } = work;
  let known = 0;
  let sweeps = 0;
  let count = 0;
  let rounds = 0;
  for (let k = 0; k < size; k += 1) {
    if (!(contacts.force[3 * group[k]] > 0)) continue;
    members[count] = group[k];
    count += 1;
  }
  for (;;) {
    if (count > known) {
      addMembers(work, known, count);
      solver.solve(work.forces, problem);
      sweeps += solver.sweeps;
      if (solver.capped) work.capped = true;
      takeForces(work, count);
      known = count;
    }
    respond(bodies, contacts);
    count = joinOverlapping(work, group, size, known);
    if (count === known) break;
    rounds += 1;
    if (rounds < MOST_ROUNDS) continue;
    work.capped = true;
    break;
  }
  work.sweeps = Math.max(work.sweeps, sweeps);
}

/** Brings members from number `known` on into the problem. */
function addMembers({ bodies, contacts, forces, members, problem }: ContactSolver, known: number, count: number): void {
  const { target, coefficient, force, solved } = contacts;
  for (let k = known; k < count; k += 1) {
    const c = members[k];
    solved[c] = 1;
    connectContact(contacts, c, bodies);
    for (let i = 0; i < 3; i += 1) {
      problem.free[3 * k + i] = target[3 * c + i];
      forces[3 * k + i] = force[3 * c + i];
    }
    problem.coefficient[k] = coefficient[c];
  }
  extendDelassus(problem, contacts, bodies, members, known, count);
}

/** Forces of the members, and how they move. */
function takeForces({ contacts, forces, members, motion, problem }: ContactSolver, count: number): void {
  const { force, ended } = contacts;
  for (let k = 0; k < count; k += 1) {
    const c = members[k];
    writeMotionOf(motion, problem, forces, k);
    for (let i = 0; i < 3; i += 1) {
      force[3 * c + i] = forces[3 * k + i];
      ended[3 * c + i] = motion[3 * k + i];
    }
  }
}

/** Lists those of a group that overlap most and are not yet in W after its members; gives how many there are then. */
function joinOverlapping(
  { bodies, contacts, members, options }: ContactSolver,
  group: Int32Array,
  size: number,
  known: number,
): number {
  const { ended, solved } = contacts;
  let count = known;
  for (let k = 0; k < size; k += 1) {
    const c = group[k];
    if (solved[c] === 1) continue;
    measureOpening(contacts, c, bodies);
    if (!(ended[3 * c] < -options.tolerance)) continue;
    let at = count;
    if (count === known + JOIN_AT_ONCE) {
      at -= 1;
      if (ended[3 * c] >= ended[3 * members[at]]) continue;
    } else count += 1;
    for (; at > known && ended[3 * members[at - 1]] > ended[3 * c]; at -= 1) members[at] = members[at - 1];
    members[at] = c;
  }
  return count;
}

/**
 * What is left to be said when the forces are final: whether each contact slides, that is, friction is at its bound and
 * still it has moved further than the solver's tolerance leaves open; and what it has crept. Up to the tolerance, what a
 * contact that presses has moved is to be taken back.
 */
export function noteSliding({ contacts, options }: ContactSolver): void {
  const { count, force, ended, sliding, crept, coefficient, directions } = contacts;
  const most = options.tolerance;
  for (let c = 0; c < count; c += 1) {
    const u = ended[3 * c + 1];
    const v = ended[3 * c + 2];
    const length = Math.sqrt(u * u + v * v);
    const friction = force[3 * c + 1] * force[3 * c + 1] + force[3 * c + 2] * force[3 * c + 2];
    const bound = NEARLY * coefficient[c] * force[3 * c];
    sliding[c] = force[3 * c] > 0 && friction >= bound * bound && length > most + STILL ? 1 : 0;
    const scale = !(force[3 * c] > 0) ? 0 : KEPT * (length > most ? most / length : 1);
    for (let i = 0; i < 3; i += 1) {
      crept[3 * c + i] = scale * (u * directions[9 * c + 3 + i] + v * directions[9 * c + 6 + i]);
    }
  }
}

/** W and q of all contacts of the last group, those that were only watched as well: for whoever looks at the step after it. */
export function wholeProblem(work: ContactSolver): ConeProblem {
  const { groups, members, problem } = work;
  if (work.isWhole || groups.count === 0) return problem;
  work.isWhole = true;
  const group = groups.members[groups.count - 1];
  const size = groups.sizes[groups.count - 1];
  for (let k = 0; k < size; k += 1) members[k] = group[k];
  addMembers(work, 0, size);
  return problem;
}
