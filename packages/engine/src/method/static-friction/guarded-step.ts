import type { ContactSet } from '../../contact/contact-set.js';
import { copyPose, createPose, type Pose, placePoint, rotationMatrix } from '../../math/pose.js';
import { moveAsScrew } from '../../math/rotation.js';
import { lengthAt } from '../../math/vectors.js';
import { FULL_FORCE } from '../scene-pairs.js';
import { type ContactPair, createToolContacts, findToolContacts, type ToolContacts } from '../tool-contacts.js';

/**
 * Where the paper has nothing: steps of a tool without velocity that end where a part begins. Contact pushes only once it
 * is there, and past the middle of something thin it pushes out on the other side; so steps are looked at on their path, and
 * stopped where they lead too deep.
 */
export interface GuardedStep {
  readonly contacts: ToolContacts;
  readonly pose: Pose;
  /** Of the centre of mass, m, and rotation vector; filled before a step is taken. */
  readonly step: Float64Array;
  /** How deep the coupling presses one direction of contact in equilibrium, m; filled before a step is taken. */
  readonly pulled: Float64Array;
  /** For looking. */
  readonly probe: ToolContacts;
  /** Where the probe looked last, and where the environment was then, pair by pair; not a number where it did not. */
  readonly probedAt: Pose;
  readonly probedWith: Float64Array;
  /** The deepest contact of this cycle, and of the probe; −1 without any. */
  deepest: number;
  probedDeepest: number;
  /** Where the step began, or where it was last no deeper than it may be; and where it would end. */
  readonly start: Pose;
  readonly end: Pose;
  /** How far the step takes a point of the tool at most, and how deep it may lead, m. */
  readonly size: Float64Array;
  readonly mostDepth: Float64Array;
  /** No point of the tool goes further in one cycle, m. */
  readonly maxStep: number;
  /** Half a voxel, m. */
  readonly shortStep: number;
  /** However hard it is pulled, the tool goes no deeper, m: half as deep as distances are known exactly, or as far as soft contacts give way. */
  readonly maxDepth: number;
  /** For so many cycles more every step is looked at. */
  watched: number;
  /** Pair and point of the contact that was deepest when the tool was last looked at; −1 if there was none. */
  lastPair: number;
  lastDeepest: number;
  /** Which way it led out, where it was from the centre, and how the tool has moved since. */
  readonly lastGradient: Float64Array;
  readonly lastArm: Float64Array;
  readonly moved: Float64Array;
}

/** How often a step that goes too deep is halved, and in how many parts it is looked at. */
const MAX_CUTS = 5;
const MAX_PARTS = 64;
/** How long steps are looked at after the tool was stopped. */
const WATCHED_CYCLES = 100;
/** How much further than needed a step that goes too deep is pushed out. */
const PUSHED_FURTHER = 0.01;
/** Cosine between a point's normal and the path out beyond which that leads out on the other side. */
const THROUGH = 0.8;
/** Cosine beyond which two paths out of one contact, or a motion and the path out, are opposite. */
const TURNED = 0.5;

/** For the tool at `pose` with these contacts, of that stiffness, N/m. */
export function createGuardedStep(contacts: ToolContacts, pose: Pose, stiffness: number): GuardedStep {
  const { tool, pairs, set } = contacts;
  return {
    contacts,
    pose,
    step: new Float64Array(6),
    pulled: new Float64Array(1),
    probe: createToolContacts(tool, pairs, set.capacity),
    probedAt: createPose(Number.NaN),
    probedWith: new Float64Array(7 * pairs.length),
    deepest: -1,
    probedDeepest: -1,
    start: createPose(),
    end: createPose(),
    size: new Float64Array(1),
    mostDepth: new Float64Array(1),
    maxStep: longestStep(pairs),
    shortStep: 0.5 * Math.min(...pairs.map(({ query }) => query.field.voxelSize)),
    maxDepth: Math.max(0.5 * longestStep(pairs), FULL_FORCE / stiffness),
    watched: 0,
    lastPair: -1,
    lastDeepest: -1,
    lastGradient: new Float64Array(3),
    lastArm: new Float64Array(3),
    moved: new Float64Array(6),
  };
}

/**
 * A device that jumps must not take the tool into the middle of a part, where it is no longer clear which way is out: in
 * one cycle the tool goes no further than distances are known exactly on both sides of the thinnest such layer. A hand
 * does not come near that: at voxels of 1 mm and 1 kHz it is 5 m/s.
 */
function longestStep(pairs: readonly ContactPair[]): number {
  let longest = Number.POSITIVE_INFINITY;
  for (const { query } of pairs) longest = Math.min(longest, query.field.band);
  return longest;
}

/** Forgets the steps before, as after the tool was placed. */
export function resetGuard(guard: GuardedStep): void {
  guard.watched = 0;
  guard.lastPair = -1;
  guard.probedAt.fill(Number.NaN);
}

/** Finds the contacts of this cycle; if the deepest one has passed through something, where the tool was before. */
export function findGuardedContacts(guard: GuardedStep): void {
  const { contacts, pose, start } = guard;
  if (isProbed(guard)) takeProbe(guard);
  else findContacts(guard);
  if (hasPassed(guard, contacts)) {
    pose.set(start);
    findContacts(guard);
    guard.watched = WATCHED_CYCLES;
  }
  remember(guard, contacts, guard.deepest);
}

function findContacts(guard: GuardedStep): void {
  findToolContacts(guard.contacts, guard.pose);
  guard.deepest = deepestOf(guard.contacts.set);
}

/** Looks what the tool touches where it is now. */
function look(guard: GuardedStep): void {
  const { probe, probedAt, probedWith, pose } = guard;
  findToolContacts(probe, pose);
  guard.probedDeepest = deepestOf(probe.set);
  probedAt.set(pose);
  for (let p = 0; p < probe.pairs.length; p += 1) probedWith.set(probe.pairs[p].environmentPose, 7 * p);
}

/** Whether the probe has looked at these very poses. */
function isProbed({ probe, probedAt, probedWith, pose }: GuardedStep): boolean {
  for (let i = 0; i < 7; i += 1) if (probedAt[i] !== pose[i]) return false;
  for (let p = 0; p < probe.pairs.length; p += 1) {
    const { environmentPose } = probe.pairs[p];
    for (let i = 0; i < 7; i += 1) if (probedWith[7 * p + i] !== environmentPose[i]) return false;
  }
  return true;
}

/** The contacts that the probe has found are those of this cycle; it takes the memory of the last ones. */
function takeProbe(guard: GuardedStep): void {
  const { contacts, probe, probedAt, pose } = guard;
  const { set, ends } = contacts;
  guard.deepest = guard.probedDeepest;
  contacts.set = probe.set;
  contacts.ends = probe.ends;
  contacts.capped = probe.capped;
  probe.set = set;
  probe.ends = ends;
  probedAt.fill(Number.NaN);
  placePoint(contacts.centre, pose, contacts.tool.centre);
  rotationMatrix(contacts.rotation, pose);
}

function remember(guard: GuardedStep, { set, ends }: ToolContacts, deepest: number): void {
  guard.lastPair = -1;
  guard.moved.fill(0);
  if (deepest < 0) return;
  guard.lastPair = 0;
  while (deepest >= ends[guard.lastPair]) guard.lastPair += 1;
  guard.lastDeepest = set.point[deepest];
  for (let i = 0; i < 3; i += 1) {
    guard.lastGradient[i] = set.gradient[3 * deepest + i];
    guard.lastArm[i] = set.arm[3 * deepest + i];
  }
}

/** Whether the contact that was deepest leads out another way since, or is gone although it went inwards. */
function hasPassed(guard: GuardedStep, { set, ends }: ToolContacts): boolean {
  const { lastPair, lastDeepest, lastGradient: g, lastArm: arm, moved } = guard;
  if (lastPair < 0) return false;
  for (let c = lastPair > 0 ? ends[lastPair - 1] : 0; c < ends[lastPair]; c += 1) {
    if (set.point[c] !== lastDeepest || !(set.depth[c] > 0)) continue;
    const x = set.gradient[3 * c];
    const y = set.gradient[3 * c + 1];
    const z = set.gradient[3 * c + 2];
    const along = x * g[0] + y * g[1] + z * g[2];
    const squares = (x * x + y * y + z * z) * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return along < 0 && along * along > TURNED * TURNED * squares;
  }
  const x = moved[0] + moved[4] * arm[2] - moved[5] * arm[1];
  const y = moved[1] + moved[5] * arm[0] - moved[3] * arm[2];
  const z = moved[2] + moved[3] * arm[1] - moved[4] * arm[0];
  const out = x * g[0] + y * g[1] + z * g[2];
  const squares = (x * x + y * y + z * z) * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  return out < 0 && out * out > TURNED * TURNED * squares;
}

/** Takes the step. With a `goal` it ends in that very pose, unless it is too long. */
export function takeGuardedStep(guard: GuardedStep, goal: Pose | null): void {
  const { contacts, pose, step, start, maxStep, shortStep } = guard;
  const { centre, tool, set } = contacts;
  // Written out, as numbers that a call gives back may go to the heap.
  const turn = Math.sqrt(step[3] * step[3] + step[4] * step[4] + step[5] * step[5]);
  const longest = Math.sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]) + turn * tool.length;
  const { deepest } = guard;
  if (guard.watched > 0) guard.watched -= 1;
  const mayBeTooDeep =
    longest > 0.5 * shortStep || guard.watched > 0 || (deepest >= 0 && set.depth[deepest] > 2 * shortStep);
  start.set(pose);
  guard.size[0] = Math.min(longest, maxStep);
  if (longest > maxStep) for (let i = 0; i < 6; i += 1) step[i] *= maxStep / longest;
  if (goal !== null && longest <= maxStep) {
    copyPose(pose, 0, goal, 0);
    placePoint(centre, pose, tool.centre);
  } else takeStep(guard);
  if (mayBeTooDeep) stopShort(guard);
  else guard.moved.set(step);
}

/**
 * A step that leads deeper into something than it began, and deeper than the coupling can press it, or past the middle of
 * something thin, is pushed out again if that is not far, or taken in part; if neither helps, the tool stays where it is.
 * A step shorter than half a voxel may end as deep as anything may be.
 */
function stopShort(guard: GuardedStep): void {
  const { contacts, probe, pose, step, start, end, size, mostDepth, pulled, shortStep, maxDepth } = guard;
  const { tool, set, centre } = contacts;
  const limit = size[0] > shortStep ? Math.min(maxDepth, Math.max(shortStep, pulled[0])) : maxDepth;
  mostDepth[0] = guard.deepest >= 0 ? Math.max(set.depth[guard.deepest], limit) : limit;
  const parts = Math.max(1, Math.min(MAX_PARTS, Math.ceil(size[0] / (0.25 * shortStep))));
  end.set(pose);
  goBack(guard);
  for (let i = 0; i < 6; i += 1) step[i] /= parts;
  for (let part = 0; part < parts; part += 1) {
    takeStep(guard);
    guard.moved.set(step);
    look(guard);
    if (isTooDeep(guard, 0) || hasPassed(guard, probe)) {
      guard.watched = WATCHED_CYCLES;
      stopHere(guard);
      guard.moved.fill(0);
      return;
    }
    start.set(pose);
    remember(guard, probe, guard.probedDeepest);
  }
  pose.set(end);
  placePoint(centre, pose, tool.centre);
}

/** The tool is too deep, but was not before the last part of the step. */
function stopHere(guard: GuardedStep): void {
  const { probe, step } = guard;
  if (!isTooDeep(guard, 1) && !hasPassed(guard, probe)) {
    pushOut(guard);
    look(guard);
    if (!isTooDeep(guard, 0)) return;
  }
  for (let cut = 0; cut < MAX_CUTS; cut += 1) {
    goBack(guard);
    for (let i = 0; i < 6; i += 1) step[i] *= 0.5;
    takeStep(guard);
    look(guard);
    if (!isTooDeep(guard, 0) && !hasPassed(guard, probe)) return;
  }
  goBack(guard);
}

/** Back to where the step began, or to what it has passed of its path. */
function goBack({ contacts, pose, start }: GuardedStep): void {
  pose.set(start);
  placePoint(contacts.centre, pose, contacts.tool.centre);
}

/** Deeper than allowed by some half voxels, or with its deepest contact past the middle of something, as it was not before. */
function isTooDeep(guard: GuardedStep, halfVoxels: number): boolean {
  const { contacts, probe, mostDepth, shortStep, deepest: before, probedDeepest: deepest } = guard;
  const { set } = probe;
  if (deepest < 0) return false;
  if (set.depth[deepest] > mostDepth[0] + halfVoxels * shortStep) return true;
  // Not any contact: the upper side of an acute edge that is pressed in looks the same.
  if (!isPastMiddle(set, deepest)) return false;
  return before < 0 || !isPastMiddle(contacts.set, before);
}

/** Whether the nearest surface is the one behind the contact. */
function isPastMiddle({ depth, normal, gradient }: ContactSet, c: number): boolean {
  const x = gradient[3 * c];
  const y = gradient[3 * c + 1];
  const z = gradient[3 * c + 2];
  const across = normal[3 * c] * x + normal[3 * c + 1] * y + normal[3 * c + 2] * z;
  return depth[c] > 0 && across < 0 && across * across > THROUGH * THROUGH * (x * x + y * y + z * z);
}

/** Which contact is the deepest, −1 without any. */
function deepestOf({ depth, count }: ContactSet): number {
  let deepest = -1;
  for (let c = 0; c < count; c += 1) if (deepest < 0 || depth[c] > depth[deepest]) deepest = c;
  return deepest;
}

/** Moves the tool along the gradient of its deepest contact until that is no deeper than allowed. */
function pushOut({ contacts, probe: { set }, pose, mostDepth, probedDeepest: d }: GuardedStep): void {
  const length = lengthAt(set.gradient, 3 * d);
  if (!(length > 0)) return;
  const path = ((1 + PUSHED_FURTHER) * (set.depth[d] - mostDepth[0])) / (length * length);
  for (let i = 0; i < 3; i += 1) {
    const part = path * set.gradient[3 * d + i];
    pose[i] += part;
    contacts.centre[i] += part;
  }
}

function takeStep({ contacts, pose, step }: GuardedStep): void {
  moveAsScrew(pose, contacts.centre, contacts.rotation, contacts.tool.centre, step);
}
