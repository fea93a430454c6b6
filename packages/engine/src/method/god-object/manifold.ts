import { writeSmoothNormal } from '../../contact/contact-normal.js';
import type { ContactQuery } from '../../contact/contact-query.js';
import type { ContactSet } from '../../contact/contact-set.js';
import { type ContactStiffness, createContactStiffness, shareStiffness } from '../../contact/contact-stiffness.js';
import type { ToolContacts } from '../tool-contacts.js';
import { type ContactProgram, createContactProgram, solveContactProgram } from './contact-program.js';
import { PENALTY_MARGIN, type PenaltySum } from './penalty-sum.js';
import { createPointMemory, type PointMemory } from './point-memory.js';

/**
 * The whole contact manifold instead of the paper's single direction: the proxy goes where coupling, contacts and friction
 * balance (`contact-program.ts`). K, the stiffness of the coupling, is diagonal about the grasp point; with
 * y = (Δx, s Δω), s = √(k_tor/k), it is the identity.
 *
 * All contacts within the safety distance are candidates; a flat face has thousands that say what a few dozen say. The
 * program starts with those that pressed before and, of those that touch, with the coarse levels of each shell, which
 * spread evenly. Each stands for the surface of those below it in the tree that are left out, so that the pressure is
 * that of all. What is left out and the answer would lead into joins, the deepest of each direction, until nothing is
 * deeper than those that press. A point is always the same contact, so that what joins or leaves carries no load.
 *
 * The normal is the gradient of the distance where the field is smooth (its length is 1) and near, because that is what
 * the depth changes along; at edges of the field, where it turns within a voxel and would catch on points that slide by,
 * it is the shell's normal. So it is where a point of a flat face lies on a slope: the face touches an edge beside it, and
 * pushes along its own normal. Points round a corner are left out until an edge has cut in deeper than rounding.
 */
export interface Manifold {
  readonly options: ManifoldOptions;
  readonly program: ContactProgram;
  readonly law: ContactStiffness;
  readonly candidates: Candidates;
  /** Candidate of each contact of the program. */
  readonly source: Int32Array;
  /** By pair: what every point of the shell bore in the last step. */
  readonly memory: readonly PointMemory[];
  /** Counts the steps. */
  stamp: number;
  /** Whether friction was at its bound in the last step; until it holds again kinetic coefficients count. */
  sliding: boolean;
  restricted: boolean;
  capped: boolean;
  readonly workspace: {
    readonly target: Float64Array;
    readonly grasp: Float64Array;
    /** Of the contacts of the program: how deep they pressed, m. */
    readonly load: Float64Array;
    /** Of the surface around them, 1 on faces. */
    readonly share: Float64Array;
    /** By direction: the deepest contact of the program, m, and what would join it. */
    readonly deepest: Float64Array;
    readonly joining: Int32Array;
    readonly joiningDepth: Float64Array;
    /** Contacts that touch by level of the shell, and which part of the first level that does not fit may start. */
    readonly atLevel: Int32Array;
    readonly part: Float64Array;
  };
}

/** Contacts that the program may hold, in the world frame. */
interface Candidates {
  count: number;
  /** Contact of the set, its pair, and its point of the shell. */
  readonly contact: Int32Array;
  readonly pair: Int32Array;
  readonly point: Int32Array;
  readonly normal: Float64Array;
  /** From the grasp point, in units of s. */
  readonly arm: Float64Array;
  /** m; negative for a gap. */
  readonly depth: Float64Array;
  readonly isChosen: Uint8Array;
}

export interface ManifoldOptions {
  /** N/m and N m/rad, about the grasp point (in the tool's frame). */
  readonly stiffness: number;
  readonly torsionalStiffness: number;
  readonly graspPoint: readonly [number, number, number];
  /** Of a direction of contact, N/m; null for one that gives way little, and hardly more however hard the coupling pulls. */
  readonly contactStiffness: number | null;
  /** Part of a sliding motion that is held back, 0 to below 1. */
  readonly viscous: number;
}

/** Gaps in voxels: from the second on a gradient may be that of an edge far away. */
const NEAR_GAP = 0.25;
const FAR_GAP = 0.5;
/** Sines of the angles between a flat face and the gradient at its points: from the second on it is of an edge beside them. */
const ON_FACE = 0.017;
const OFF_FACE = 0.052;
/** Contacts of less weight lie round a corner; they count only when they are this deep, in voxels. */
const LEAST_WEIGHT = 0.02;
const DEEP_CORNER = 0.05;
/** A reaction shorter than this is rounding, m. */
const LEAST_REACTION = 1e-10;

/** m in a step. */
const SLOW = 1e-7;
/** How many times as stiff as the coupling a direction of contact is, and how far it gives way at most, m. */
const HARDNESS = 500;
const MOST_SINK = 1e-4;

/** Contacts of the program at most; and how many of each pair it starts with, beside those that pressed. */
const MOST_CONTACTS = 256;
const MOST_NEAR = 48;
/** The same where points of pairs of faces bear most of the load, beside these. */
const MOST_NEAR_FACES = 16;
/** Of a shell; each has about four times the points of the one before. */
const MOST_LEVELS = 32;
/** Gaps up to this touch, m. */
const TOUCHING = 2e-5;
/** What is left out may be deeper than what presses in its direction by this part, and by so much, m. */
const DEEPER = 1.25;
const SLACK = 2e-6;
/** A contact that sinks in by so many times what the pull explains has too small a share of the stiffness. */
const MOST_SINKS = 8;
/** How often contacts may join in one step. */
const MAX_JOININGS = 6;
/** Directions: three along each axis, of which the middle one of all is none. */
const DIRECTIONS = 27;

export function createManifold(contacts: ToolContacts, options: ManifoldOptions): Manifold {
  const { capacity } = contacts.set;
  return {
    options,
    program: createContactProgram(MOST_CONTACTS),
    law: createContactStiffness(MOST_CONTACTS, {
      stiffness: (options.contactStiffness ?? HARDNESS * options.stiffness) / options.stiffness,
      adaptive: true,
      cornerWeighting: false,
    }),
    candidates: {
      count: 0,
      contact: new Int32Array(capacity),
      pair: new Int32Array(capacity),
      point: new Int32Array(capacity),
      normal: new Float64Array(3 * capacity),
      arm: new Float64Array(3 * capacity),
      depth: new Float64Array(capacity),
      isChosen: new Uint8Array(capacity),
    },
    source: new Int32Array(MOST_CONTACTS),
    memory: contacts.pairs.map(({ query }) => createPointMemory(query.shell)),
    stamp: 0,
    sliding: false,
    restricted: false,
    capped: false,
    workspace: {
      target: new Float64Array(6),
      grasp: new Float64Array(3),
      load: new Float64Array(MOST_CONTACTS),
      share: new Float64Array(MOST_CONTACTS),
      deepest: new Float64Array(DIRECTIONS),
      joining: new Int32Array(DIRECTIONS),
      joiningDepth: new Float64Array(DIRECTIONS),
      atLevel: new Int32Array(MOST_LEVELS),
      part: new Float64Array(1),
    },
  };
}

/** Forgets what contacts bore, and how the proxy went: where the next step begins to look for its own. */
export function resetManifold(manifold: Manifold): void {
  manifold.sliding = false;
  manifold.stamp += 2;
  manifold.program.y.fill(0);
}

/** The twist that the proxy takes, into `step`, where `way` would take it to the device. Both about the centre of mass. */
export function stepManifold(manifold: Manifold, step: Float64Array, penalty: PenaltySum, way: Float64Array): void {
  const { program, workspace, options } = manifold;
  toGrasp(manifold, penalty.contacts, way);
  if (options.contactStiffness === null) harden(manifold);
  listCandidates(manifold, penalty);
  chooseContacts(manifold, penalty.contacts);
  restIfSlow(program.y);
  program.viscosity = options.viscous / (1 - options.viscous);
  manifold.capped = false;
  let isSharedAgain = false;
  for (let joining = 0; ; joining += 1) {
    shareStiffness(manifold.law, program.stiffness, program.normal, workspace.load, workspace.share, program.count);
    solveContactProgram(program, workspace.target);
    if (program.capped) manifold.capped = true;
    if (joining === MAX_JOININGS) break;
    if (joinContacts(manifold, penalty.contacts)) continue;
    if (isSharedAgain || !isOnFew(manifold)) break;
    isSharedAgain = true;
  }
  keepForces(manifold);
  manifold.restricted = hasReaction(manifold);
  manifold.sliding = manifold.restricted && program.slides;
  fromGrasp(manifold, step, program.y);
}

/** A tool at rest is to stay where it is to the last bit: the next step is looked for from there. */
function restIfSlow(y: Float64Array): void {
  let square = 0;
  for (let i = 0; i < 6; i += 1) square += y[i] * y[i];
  if (square < SLOW * SLOW) y.fill(0);
}

/** As stiff as it takes to give way by no more than `MOST_SINK`. */
function harden({ law, workspace: { target } }: Manifold): void {
  const pull = Math.sqrt(target[0] * target[0] + target[1] * target[1] + target[2] * target[2]);
  law.stiffness = Math.max(HARDNESS, pull / MOST_SINK);
}

/** The way in the unknowns of the program. */
function toGrasp({ options, workspace }: Manifold, { rotation: m, tool }: ToolContacts, way: Float64Array): void {
  const { target, grasp } = workspace;
  const { graspPoint: p, stiffness, torsionalStiffness } = options;
  const x = p[0] - tool.centre[0];
  const y = p[1] - tool.centre[1];
  const z = p[2] - tool.centre[2];
  for (let i = 0; i < 3; i += 1) grasp[i] = m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z;
  const length = Math.sqrt(torsionalStiffness / stiffness);
  target[0] = way[0] + way[4] * grasp[2] - way[5] * grasp[1];
  target[1] = way[1] + way[5] * grasp[0] - way[3] * grasp[2];
  target[2] = way[2] + way[3] * grasp[1] - way[4] * grasp[0];
  for (let i = 3; i < 6; i += 1) target[i] = length * way[i];
}

function fromGrasp({ options, workspace }: Manifold, step: Float64Array, y: Float64Array): void {
  const { grasp } = workspace;
  const perLength = 1 / Math.sqrt(options.torsionalStiffness / options.stiffness);
  for (let i = 3; i < 6; i += 1) step[i] = y[i] * perLength;
  step[0] = y[0] - step[4] * grasp[2] + step[5] * grasp[1];
  step[1] = y[1] - step[5] * grasp[0] + step[3] * grasp[2];
  step[2] = y[2] - step[3] * grasp[1] + step[4] * grasp[0];
}

function listCandidates(manifold: Manifold, { contacts, weight, layer, values }: PenaltySum): void {
  const { candidates, options, workspace, memory, stamp } = manifold;
  const { set, pairs, ends } = contacts;
  const { arm: setArm, depth: setDepth, point: setPoint } = set;
  const { normal, arm, depth, contact, pair, point, isChosen } = candidates;
  const graspX = workspace.grasp[0];
  const graspY = workspace.grasp[1];
  const graspZ = workspace.grasp[2];
  const perLength = 1 / Math.sqrt(options.torsionalStiffness / options.stiffness);
  const margin = values[PENALTY_MARGIN];
  let count = 0;
  let c = 0;
  for (let p = 0; p < pairs.length; p += 1) {
    const { voxelSize } = pairs[p].query.field;
    const known = memory[p];
    const deepCorner = DEEP_CORNER * voxelSize;
    const perVoxel = 1 / voxelSize;
    for (; c < ends[p]; c += 1) {
      if (!(weight[c] > LEAST_WEIGHT || setDepth[c] > deepCorner) || !(layer[c] > 0)) continue;
      const own = setPoint[c];
      let deep = layer[c] - margin;
      if (leadsThrough(set, c)) {
        // Past the middle of a thin sheet the gradient leads out on the wrong side. What pressed before goes back.
        if (!(known.stamp[own] === stamp && known.load[own] > 0)) continue;
        deep = Math.max(deep, known.load[own]);
      }
      let near = (FAR_GAP + setDepth[c] * perVoxel) / (FAR_GAP - NEAR_GAP);
      if (known.isFlat[own] === 1) near = Math.min(near, agreement(set, c));
      writeSmoothNormal(normal, 3 * count, set, c, near);
      arm[3 * count] = (setArm[3 * c] - graspX) * perLength;
      arm[3 * count + 1] = (setArm[3 * c + 1] - graspY) * perLength;
      arm[3 * count + 2] = (setArm[3 * c + 2] - graspZ) * perLength;
      depth[count] = deep;
      contact[count] = c;
      pair[count] = p;
      point[count] = own;
      isChosen[count] = 0;
      count += 1;
    }
  }
  candidates.count = count;
}

/** How well the gradient at a point of a flat face agrees with the face, 1 for well enough, 0 and less for not at all. */
function agreement({ normal, gradient }: ContactSet, c: number): number {
  const at = 3 * c;
  const x = gradient[at + 1] * normal[at + 2] - gradient[at + 2] * normal[at + 1];
  const y = gradient[at + 2] * normal[at] - gradient[at] * normal[at + 2];
  const z = gradient[at] * normal[at + 1] - gradient[at + 1] * normal[at];
  return (OFF_FACE - Math.sqrt(x * x + y * y + z * z)) / (OFF_FACE - ON_FACE);
}

/** Whether the distance grows into the tool: the point is nearer to a surface that it did not come through. */
function leadsThrough({ normal, gradient }: ContactSet, c: number): boolean {
  const at = 3 * c;
  return gradient[at] * normal[at] + gradient[at + 1] * normal[at + 1] + gradient[at + 2] * normal[at + 2] < 0;
}

/** What pressed in the last step, and of what touches the coarse levels of each pair; then what each stands for. */
function chooseContacts(manifold: Manifold, contacts: ToolContacts): void {
  const { candidates, memory, program, stamp } = manifold;
  const { count, pair, depth, point } = candidates;
  const { part } = manifold.workspace;
  program.count = 0;
  for (let start = 0; start < count; ) {
    const p = pair[start];
    let end = start;
    while (end < count && pair[end] === p) end += 1;
    const { stamp: seen, load } = memory[p];
    const { levelEnds } = contacts.pairs[p].query.shell;
    const finest = levelThatFits(manifold, contacts.pairs[p].query, start, end);
    const { facePairs } = contacts.pairs[p].query;
    const placed = facePairs === null ? Number.POSITIVE_INFINITY : facePairs.firstPoint;
    const whole = finest >= 0 ? levelEnds[finest] : 0;
    const partly = finest + 1 < levelEnds.length ? levelEnds[finest + 1] : 0;
    for (let k = start; k < end; k += 1) {
      const pressed = seen[point[k]] === stamp && load[point[k]] > 0;
      if (!pressed && !(depth[k] > -TOUCHING)) continue;
      const isCoarse = point[k] < whole || point[k] >= placed || (point[k] < partly && isScattered(point[k], part));
      if (pressed || isCoarse) choose(manifold, contacts, k);
    }
    addShares(manifold, contacts, start, end);
    start = end;
  }
}

/**
 * The finest level of which all that touch may start; into `part`, which part of those on the next level may as well.
 */
function levelThatFits(
  { workspace, candidates }: Manifold,
  { shell: { levelEnds }, workspace: { replacedCount } }: ContactQuery,
  start: number,
  end: number,
): number {
  const { atLevel, part } = workspace;
  atLevel.fill(0);
  for (let k = start; k < end; k += 1) {
    if (!(candidates.depth[k] > -TOUCHING)) continue;
    let level = 0;
    while (candidates.point[k] >= levelEnds[level]) level += 1;
    atLevel[level] += 1;
  }
  let room = replacedCount > 0 ? MOST_NEAR_FACES : MOST_NEAR;
  let level = 0;
  while (level < levelEnds.length && atLevel[level] <= room) {
    room -= atLevel[level];
    level += 1;
  }
  part[0] = level < levelEnds.length ? room / atLevel[level] : 0;
  return level - 1;
}

/** Whether a point is of a part of all, spread evenly and always the same. A number returned might go to the heap. */
function isScattered(point: number, part: Float64Array): boolean {
  return (point * 2654435769) >>> 0 < part[0] * 2 ** 32;
}

/** Adds what is left out to what is chosen above it, little by little as it comes near. */
function addShares(
  { candidates, memory, workspace, stamp }: Manifold,
  { set }: ToolContacts,
  start: number,
  end: number,
) {
  const { parent, own, ownStamp } = memory[candidates.pair[start]];
  for (let k = start; k < end; k += 1) {
    if (candidates.isChosen[k] === 1) continue;
    if (!(candidates.depth[k] > -TOUCHING)) continue;
    const near = 1 + candidates.depth[k] / TOUCHING;
    let point = parent[candidates.point[k]];
    while (point >= 0 && ownStamp[point] !== stamp) point = parent[point];
    if (point >= 0) workspace.share[own[point]] += Math.min(1, near) * set.share[candidates.contact[k]];
  }
}

/** Puts a candidate into the program, unless that is full. */
function choose(manifold: Manifold, { set, pairs }: ToolContacts, k: number): void {
  const { program, candidates, source, memory, workspace, stamp } = manifold;
  const { load, share } = workspace;
  const n = program.count;
  if (n === MOST_CONTACTS) return;
  const { normal, arm, friction } = program;
  const pair = pairs[candidates.pair[k]];
  const known = memory[candidates.pair[k]];
  const point = candidates.point[k];
  const depth = candidates.depth[k];
  const isDynamic = manifold.sliding || (pair.dynamicPoints !== null && pair.dynamicPoints[point] === 1);
  const isKnown = known.stamp[point] === stamp;
  program.depth[n] = depth;
  program.coefficient[n] = isDynamic ? pair.kineticCoefficient : pair.staticCoefficient;
  program.bound[n] = isKnown ? known.bound[point] : 0;
  share[n] = set.share[candidates.contact[k]];
  load[n] = isKnown ? known.load[point] : Math.max(0, depth);
  let along = 0;
  for (let i = 0; i < 3; i += 1) {
    normal[3 * n + i] = candidates.normal[3 * k + i];
    arm[3 * n + i] = candidates.arm[3 * k + i];
    friction[3 * n + i] = isKnown ? known.friction[3 * point + i] : 0;
    along += friction[3 * n + i] * normal[3 * n + i];
  }
  // The normal may have turned since.
  for (let i = 0; i < 3; i += 1) friction[3 * n + i] -= along * normal[3 * n + i];
  source[n] = k;
  known.own[point] = n;
  known.ownStamp[point] = stamp;
  candidates.isChosen[k] = 1;
  program.count = n + 1;
}

/** Adds what the answer leads into, the deepest of each direction. False if there is nothing. */
function joinContacts(manifold: Manifold, contacts: ToolContacts): boolean {
  const { program, candidates, source, workspace } = manifold;
  const { deepest, joining, joiningDepth, load } = workspace;
  const { y } = program;
  deepest.fill(0);
  joining.fill(-1);
  for (let n = 0; n < program.count; n += 1) {
    load[n] = program.normalForce[n] / program.stiffness[n];
    const direction = directionOf(candidates, source[n]);
    if (load[n] > deepest[direction]) deepest[direction] = load[n];
  }
  for (let d = 0; d < DIRECTIONS; d += 1) joiningDepth[d] = DEEPER * deepest[d] + SLACK;
  let found = false;
  for (let k = 0; k < candidates.count; k += 1) {
    if (candidates.isChosen[k] === 1) continue;
    const o = 3 * k;
    const ax = candidates.arm[o];
    const ay = candidates.arm[o + 1];
    const az = candidates.arm[o + 2];
    const x = y[0] + y[4] * az - y[5] * ay;
    const v = y[1] + y[5] * ax - y[3] * az;
    const z = y[2] + y[3] * ay - y[4] * ax;
    const depth =
      candidates.depth[k] - (candidates.normal[o] * x + candidates.normal[o + 1] * v + candidates.normal[o + 2] * z);
    if (!(depth > SLACK)) continue;
    const direction = directionOf(candidates, k);
    if (!(depth > joiningDepth[direction])) continue;
    joiningDepth[direction] = depth;
    joining[direction] = k;
    found = true;
  }
  if (!found) return false;
  const before = program.count;
  for (let d = 0; d < DIRECTIONS; d += 1) if (joining[d] >= 0) choose(manifold, contacts, joining[d]);
  return program.count > before;
}

/** Whether contacts that had a small share of the stiffness bear the load now: shared again, they sink in less. */
function isOnFew({ program, law, workspace: { target, load } }: Manifold): boolean {
  const pull = Math.sqrt(target[0] * target[0] + target[1] * target[1] + target[2] * target[2]);
  const most = (MOST_SINKS * pull) / law.stiffness + SLACK;
  for (let n = 0; n < program.count; n += 1) if (load[n] > most) return true;
  return false;
}

/** Which of 27 directions a normal has, by three parts of each axis. */
function directionOf({ normal }: Candidates, k: number): number {
  const o = 3 * k;
  const x = normal[o] > 0.38 ? 2 : normal[o] < -0.38 ? 0 : 1;
  const y = normal[o + 1] > 0.38 ? 2 : normal[o + 1] < -0.38 ? 0 : 1;
  const z = normal[o + 2] > 0.38 ? 2 : normal[o + 2] < -0.38 ? 0 : 1;
  return x + 3 * y + 9 * z;
}

/** For the next step. */
function keepForces(manifold: Manifold): void {
  const { program, candidates, source, memory } = manifold;
  manifold.stamp += 1;
  for (let n = 0; n < program.count; n += 1) {
    const k = source[n];
    const { stamp, friction, bound, load } = memory[candidates.pair[k]];
    const point = candidates.point[k];
    for (let i = 0; i < 3; i += 1) friction[3 * point + i] = program.friction[3 * n + i];
    bound[point] = program.bound[n];
    load[point] = program.normalForce[n] / program.stiffness[n];
    stamp[point] = manifold.stamp;
  }
}

/** Whether y differs from where the coupling pulls by more than rounding. */
function hasReaction({ program, workspace }: Manifold): boolean {
  let square = 0;
  for (let i = 0; i < 6; i += 1) square += (program.y[i] - workspace.target[i]) * (program.y[i] - workspace.target[i]);
  return square > LEAST_REACTION * LEAST_REACTION;
}
