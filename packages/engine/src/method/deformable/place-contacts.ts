import { applyMatrix, applyPose } from '../../math/matrices.js';
import { MODEL_COUNT } from '../contact-model-header.js';
import { measureOpening } from './contact-response.js';
import { placeContact } from './contact-sides.js';
import { MOST_MISSED, type WorldContacts } from './contacts.js';
import type { DeformablePairSetup } from './deformable-setup.js';
import {
  type ProximityModel,
  RECORD_FIRST_POINT,
  RECORD_KEY,
  RECORD_NORMAL,
  RECORD_OWNER,
  RECORD_PAIR,
  RECORD_POINT,
  recordAt,
} from './proximity-model.js';
import type { WorldBody } from './world-body.js';

/*
 * Which records of a model are contacts of a step, and what the step before says of them.
 */

/**
 * Fills the contacts from a model, where the bodies are now and where they are after free motion. Those further apart than
 * `reach` (one number, m) cannot meet within the step and are left out, as are those for which there is no room: those that
 * pressed in the step before come first, so that not others are solved in every step, then those that overlap. Every pair of
 * bodies has its share of the room, or one that presses with all of its surface would leave none to another; what a pair
 * does not need goes to the others. True if there was no room for some.
 */
export function placeContacts(
  contacts: WorldContacts,
  model: ProximityModel,
  bodies: readonly WorldBody[],
  pairs: readonly DeformablePairSetup[],
  reach: Float64Array,
): boolean {
  contacts.count = 0;
  contacts.workspace.drift[0] = 0;
  const { rank, same } = contacts.last;
  const { placed, each } = contacts.share;
  const count = Math.min(model[MODEL_COUNT], rank.length);
  shareRoom(contacts, model);
  estimateGaps(contacts, model, bodies, pairs);
  for (let n = 0; n < count; n += 1) {
    same[n] = findSame(contacts, model, recordAt(n));
    rank[n] = same[n] >= 0 ? PRESSED : UNKNOWN;
  }
  // First each pair its share, then what is left.
  for (let turn = PRESSED; turn <= LAST_TURN; turn += 1) {
    const wanted = turn % FAR;
    for (let n = 0; n < count; n += 1) {
      const isNew = rank[n] === UNKNOWN && wanted === OVERLAPPING;
      if (rank[n] !== wanted && !isNew) continue;
      const pair = model[recordAt(n) + RECORD_PAIR];
      if (turn < FAR && placed[pair] >= each[0]) continue;
      if (isNew) rank[n] = rankOf(contacts, n, reach);
      if (rank[n] !== wanted && rank[n] !== UNKNOWN) continue;
      if (contacts.count === contacts.capacity) return true;
      placeContact(contacts, model, recordAt(n), bodies, pairs);
      const gap = contacts.gap[contacts.count];
      // Also what is not a number.
      if (!(gap <= reach[0])) rank[n] = FAR;
      else if (rank[n] === UNKNOWN) rank[n] = gap < 0 ? OVERLAPPING : NEAR;
      if (rank[n] !== wanted) continue;
      guess(contacts, contacts.count, same[n]);
      contacts.record[contacts.count] = n;
      contacts.count += 1;
      placed[pair] += 1;
      rank[n] = PLACED;
    }
  }
  return false;
}

/** Records of each pair that are measured however far apart they seem: the nearest, and those best spread. */
const ALWAYS_MEASURED = 4;

/**
 * Gaps where the bodies are now, with points where they were in their bodies when the model was made: measuring one takes
 * the deformation there, and few features meet. How far bending has moved them since is seen on those that are measured.
 */
function estimateGaps(
  { last, share, workspace }: WorldContacts,
  model: ProximityModel,
  bodies: readonly WorldBody[],
  pairs: readonly DeformablePairSetup[],
): void {
  const { estimate } = last;
  const { records } = share;
  const count = Math.min(model[MODEL_COUNT], estimate.length);
  for (let p = 0; p < records.length; p += 1) records[p] = 0;
  for (let n = 0; n < count; n += 1) {
    const pair = model[recordAt(n) + RECORD_PAIR];
    records[pair] += 1;
    if (records[pair] <= ALWAYS_MEASURED) estimate[n] = Number.NEGATIVE_INFINITY;
    else {
      placeRecord(workspace.recorded, model, recordAt(n), bodies, pairs[pair]);
      writeGap(estimate, n, workspace.recorded);
    }
  }
}

/** P, Q and n of a record. */
function placeRecord(
  out: Float64Array,
  model: ProximityModel,
  record: number,
  bodies: readonly WorldBody[],
  { first, second }: DeformablePairSetup,
): void {
  const a = bodies[first];
  const b = bodies[second];
  const owner = model[record + RECORD_OWNER] === 0 ? a : b;
  applyPose(out, 0, a.pose, a.rotation, model, record + RECORD_FIRST_POINT);
  applyPose(out, 3, b.pose, b.rotation, model, record + RECORD_POINT);
  applyMatrix(out, 6, owner.rotation, model, record + RECORD_NORMAL);
}

function writeGap(out: Float64Array, at: number, r: Float64Array): void {
  out[at] = r[6] * (r[0] - r[3]) + r[7] * (r[1] - r[4]) + r[8] * (r[2] - r[5]);
}

/** What the estimate of a gap says of a record, if anything. */
function rankOf({ last, workspace }: WorldContacts, n: number, reach: Float64Array): number {
  if (last.estimate[n] > reach[0] + workspace.drift[0]) return FAR;
  return last.estimate[n] >= workspace.drift[0] ? NEAR : UNKNOWN;
}

/** How deep those without room must be to join, m. */
const MISSED = 1e-5;

/** Lists what has no room and would overlap at the end of the step. False if there is nothing. */
export function findMissed(
  contacts: WorldContacts,
  model: ProximityModel,
  bodies: readonly WorldBody[],
  pairs: readonly DeformablePairSetup[],
): boolean {
  const { missed, target, free, ended, workspace, count: spare } = contacts;
  const { rank, estimate } = contacts.last;
  const count = Math.min(model[MODEL_COUNT], rank.length);
  missed.count = 0;
  noteBending(contacts, bodies);
  for (let n = 0; n < count; n += 1) {
    if (rank[n] === PLACED || rank[n] === FAR) continue;
    const record = recordAt(n);
    const pair = pairs[model[record + RECORD_PAIR]];
    placeRecord(workspace.recorded, model, record, bodies, pair);
    workspace.opening[0] = estimate[n] - workspace.drift[0] - workspace.bending[0];
    addRigidOpening(workspace.opening, workspace.recorded, 0, bodies[pair.first], 1);
    addRigidOpening(workspace.opening, workspace.recorded, 3, bodies[pair.second], -1);
    if (workspace.opening[0] >= -MISSED) continue;
    placeContact(contacts, model, record, bodies, pairs);
    target[3 * spare] = free[3 * spare];
    measureOpening(contacts, spare, bodies);
    if (ended[3 * spare] < -MISSED) noteMissed(contacts, n);
  }
  return missed.count > 0;
}

/** How far bending changes the gap of a contact within this step, of those that have room the most. */
function noteBending(
  { count, side, directions, gap, free, target, ended, workspace }: WorldContacts,
  bodies: readonly WorldBody[],
): void {
  const { opening, recorded, bending } = workspace;
  bending[0] = 0;
  for (let c = 0; c < count; c += 1) {
    for (let i = 0; i < 6; i += 1) recorded[i] = side.point[6 * c + i];
    for (let i = 0; i < 3; i += 1) recorded[6 + i] = directions[9 * c + i];
    opening[0] = ended[3 * c] - target[3 * c] + free[3 * c] - gap[c];
    addRigidOpening(opening, recorded, 0, bodies[side.body[2 * c]], -1);
    addRigidOpening(opening, recorded, 3, bodies[side.body[2 * c + 1]], 1);
    bending[0] = Math.max(bending[0], Math.abs(opening[0]));
  }
}

/** Adds `sign` times how far the rigid motion of a body in this step moves the point at `at` along n. */
function addRigidOpening(
  out: Float64Array,
  r: Float64Array,
  at: number,
  { rigid, displaced: d }: WorldBody,
  sign: number,
): void {
  if (rigid === null) return;
  const x = r[at] - rigid.centre[0];
  const y = r[at + 1] - rigid.centre[1];
  const z = r[at + 2] - rigid.centre[2];
  out[0] +=
    sign *
    (r[6] * (d[0] + d[4] * z - d[5] * y) + r[7] * (d[1] + d[5] * x - d[3] * z) + r[8] * (d[2] + d[3] * y - d[4] * x));
}

/** Record n, which is after the last contact. */
function noteMissed({ missed, ended, count }: WorldContacts, n: number): void {
  const gap = ended[3 * count];
  let at = missed.count;
  if (at === MOST_MISSED) {
    if (gap >= missed.gap[at - 1]) return;
    at -= 1;
  } else missed.count += 1;
  for (; at > 0 && missed.gap[at - 1] > gap; at -= 1) {
    missed.gap[at] = missed.gap[at - 1];
    missed.record[at] = missed.record[at - 1];
  }
  missed.gap[at] = gap;
  missed.record[at] = n;
}

/** Puts what was missed where the contacts are that open furthest. False if there was no room for some. */
export function placeMissed(
  contacts: WorldContacts,
  model: ProximityModel,
  bodies: readonly WorldBody[],
  pairs: readonly DeformablePairSetup[],
): boolean {
  const { missed, record, ended, last, count } = contacts;
  for (let m = 0; m < missed.count; m += 1) {
    const c = widestOpen(contacts);
    if (c < 0) return false;
    const n = missed.record[m];
    last.rank[record[c]] = NEAR;
    last.rank[n] = PLACED;
    record[c] = n;
    contacts.count = c;
    placeContact(contacts, model, recordAt(n), bodies, pairs);
    contacts.count = count;
    guess(contacts, c, last.same[n]);
    ended[3 * c] = 0;
  }
  return true;
}

/** The contact that is furthest from being one, −1 if all are. */
function widestOpen({ count, force, ended }: WorldContacts): number {
  let best = -1;
  let widest = MISSED;
  for (let c = 0; c < count; c += 1) {
    if (force[3 * c] > 0 || !(ended[3 * c] > widest)) continue;
    widest = ended[3 * c];
    best = c;
  }
  return best;
}

/** In this order contacts get their room; `FAR` ones get none, of `UNKNOWN` ones the gap was not yet measured. */
const PRESSED = 0;
const OVERLAPPING = 1;
const NEAR = 2;
const FAR = 3;
const UNKNOWN = 4;
const PLACED = 5;

/** Of both rounds. */
const LAST_TURN = 2 * FAR - 1;

/** Works out how many contacts each pair may have before others get what is left. */
function shareRoom({ capacity, share }: WorldContacts, model: ProximityModel): void {
  const { records, placed, each } = share;
  let touching = 0;
  for (let p = 0; p < records.length; p += 1) {
    records[p] = 0;
    placed[p] = 0;
  }
  for (let n = 0; n < model[MODEL_COUNT]; n += 1) {
    const pair = model[recordAt(n) + RECORD_PAIR];
    if (records[pair] === 0) touching += 1;
    records[pair] += 1;
  }
  each[0] = model[MODEL_COUNT] <= capacity || touching === 0 ? capacity : Math.max(1, Math.floor(capacity / touching));
}

/** The contact of the step before that has the same name; −1 for none. */
function findSame({ last }: WorldContacts, model: ProximityModel, record: number): number {
  for (let old = 0; old < last.count; old += 1) {
    if (last.key[2 * old] !== model[record + RECORD_KEY] || last.key[2 * old + 1] !== model[record + RECORD_KEY + 1])
      continue;
    if (last.pair[old] === model[record + RECORD_PAIR]) return old;
  }
  return -1;
}

/**
 * The force of the same contact in the step before. One that slides from face to face has another name there: it takes
 * over from the nearest that is not further away than `KEPT` and has the same direction.
 */
function guess(contacts: WorldContacts, c: number, same: number): void {
  const { pair, force, sliding, crept, last } = contacts;
  const best = same >= 0 && last.pair[same] === pair[c] ? same : nearestOfBefore(contacts, c);
  sliding[c] = best < 0 ? 0 : last.sliding[best];
  for (let k = 0; k < 3; k += 1) {
    force[3 * c + k] = best < 0 ? 0 : last.force[3 * best + k];
    crept[3 * c + k] = best < 0 ? 0 : last.crept[3 * best + k];
  }
  if (best >= 0) last.pair[best] = TAKEN;
}

const TAKEN = -1;
/** Squared, m². */
const KEPT = 1e-3 * 1e-3;
const SAME_DIRECTION = 0.9;

function nearestOfBefore({ pair, position, directions, last }: WorldContacts, c: number): number {
  let best = -1;
  let least = KEPT;
  for (let old = 0; old < last.count; old += 1) {
    if (last.pair[old] !== pair[c]) continue;
    let square = 0;
    let along = 0;
    for (let i = 0; i < 3; i += 1) {
      const away = position[3 * c + i] - last.position[3 * old + i];
      square += away * away;
      along += directions[9 * c + i] * last.normal[3 * old + i];
    }
    if (square >= least || along < SAME_DIRECTION) continue;
    least = square;
    best = old;
  }
  return best;
}
