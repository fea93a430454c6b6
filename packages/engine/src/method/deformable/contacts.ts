import { writeTangents } from '../../friction/tangent-frame.js';
import { applyMatrix, applyPose } from '../../math/matrices.js';
import { MODEL_COUNT } from '../contact-model-header.js';
import type { DeformablePairSetup } from './deformable-setup.js';
import {
  candidateCount,
  type ProximityModel,
  RECORD_KEY,
  RECORD_NORMAL,
  RECORD_OWNER,
  RECORD_PAIR,
  RECORD_POINT,
  RECORD_VERTICES,
  RECORD_WEIGHTS,
  recordAt,
} from './proximity-model.js';
import { touchVertex, type WorldBody } from './world-body.js';

/**
 * The contacts of one step as the solver needs them. A pool with a `count`. What a contact has on its first body (P) and
 * on its second (Q) stands at 2c and 2c + 1, "a side". Signs are in the sides: + on the first body, − on the second, so
 * that sums over sides are what Eq. 17 and 30 say.
 */
export interface WorldContacts {
  count: number;
  readonly capacity: number;
  /** Coordinates of a body: six, and the most modes that one has. */
  readonly coordinates: number;
  readonly pair: Int32Array;
  /** Record of the model that it came from. */
  readonly record: Int32Array;
  readonly key: Int32Array;
  /** n, t₁, t₂ in the world, row by row. */
  readonly directions: Float64Array;
  /** Between P and Q at the start of the step, world. */
  readonly position: Float64Array;
  /** n·QP at the start of the step, m. */
  readonly gap: Float64Array;
  /** δ_free: the gap after free motion, then how far P has moved against Q along t₁ and t₂ since the start of the step. */
  readonly free: Float64Array;
  /** Force on the first body along n, t₁, t₂, N. */
  readonly force: Float64Array;
  /** The gap at the end of the step, m. */
  readonly opened: Float64Array;
  /** Whether it slid in the step before. */
  readonly sliding: Uint8Array;
  /** How far P has crept against Q although friction holds it, in the world, m: what the solver left over when it ended. */
  readonly crept: Float64Array;
  readonly side: {
    readonly body: Int32Array;
    /** Three surface vertices and their weights; −1 for none. */
    readonly vertex: Int32Array;
    readonly weight: Float64Array;
    /** Directions in the body's frame times the sign, 3×3. */
    readonly frame: Float64Array;
    /**
     * How the contact moves with the coordinates of the body: the six of its rigid motion (J), then its modes; signed, three
     * numbers per coordinate.
     */
    readonly motion: Float64Array;
    /** How these coordinates answer a force there: S⁻¹ Jᵀ, then less of each mode than the static answer has. */
    readonly answer: Float64Array;
  };
  readonly last: {
    count: number;
    readonly pair: Int32Array;
    readonly position: Float64Array;
    readonly normal: Float64Array;
    readonly key: Int32Array;
    readonly force: Float64Array;
    readonly sliding: Uint8Array;
    readonly crept: Float64Array;
    /** Of the records of a model: `PRESSED` to `UNKNOWN`. */
    readonly rank: Uint8Array;
    /** And the contact of the step before that has the same name. */
    readonly same: Int16Array;
  };
  /** What the first solution of a step began with. */
  readonly before: { readonly sliding: Uint8Array; readonly crept: Float64Array };
  /** Records without room that overlap after the first solution, the deepest first, and their gaps, m. */
  readonly missed: { count: number; readonly record: Int32Array; readonly gap: Float64Array };
  /** Records of each pair of bodies in the model, contacts that it has so far, and how many each may have at first. */
  readonly share: { readonly records: Int32Array; readonly placed: Int32Array; readonly each: Int32Array };
  readonly workspace: {
    readonly normal: Float64Array;
    readonly tangent: Float64Array;
    /** P and Q, at the start of the step and after free motion. */
    readonly now: Float64Array;
    readonly moved: Float64Array;
    readonly local: Float64Array;
    readonly localFree: Float64Array;
    /** Of a 3×3 product. */
    readonly half: Float64Array;
  };
}

/** Coordinates of a rigid motion. */
export const RIGID = 6;

export function createWorldContacts(capacity: number, modes: number, pairs: number): WorldContacts {
  // One more, to measure those that have no room.
  const room = capacity + 1;
  const sides = 2 * room;
  return {
    count: 0,
    capacity,
    coordinates: RIGID + modes,
    pair: new Int32Array(room),
    record: new Int32Array(room),
    key: new Int32Array(2 * room),
    directions: new Float64Array(9 * room),
    position: new Float64Array(3 * room),
    gap: new Float64Array(room),
    free: new Float64Array(3 * room),
    force: new Float64Array(3 * room),
    opened: new Float64Array(room),
    sliding: new Uint8Array(room),
    crept: new Float64Array(3 * room),
    side: {
      body: new Int32Array(sides),
      vertex: new Int32Array(3 * sides),
      weight: new Float64Array(3 * sides),
      frame: new Float64Array(9 * sides),
      motion: new Float64Array(3 * (RIGID + modes) * sides),
      answer: new Float64Array(3 * (RIGID + modes) * sides),
    },
    last: {
      count: 0,
      pair: new Int32Array(capacity),
      position: new Float64Array(3 * capacity),
      normal: new Float64Array(3 * capacity),
      key: new Int32Array(2 * capacity),
      force: new Float64Array(3 * capacity),
      sliding: new Uint8Array(capacity),
      crept: new Float64Array(3 * capacity),
      rank: new Uint8Array(candidateCount(capacity)),
      same: new Int16Array(candidateCount(capacity)),
    },
    before: { sliding: new Uint8Array(capacity), crept: new Float64Array(3 * capacity) },
    missed: { count: 0, record: new Int32Array(MOST_MISSED), gap: new Float64Array(MOST_MISSED) },
    share: { records: new Int32Array(pairs), placed: new Int32Array(pairs), each: new Int32Array(1) },
    workspace: {
      normal: new Float64Array(3),
      tangent: new Float64Array(6),
      now: new Float64Array(6),
      moved: new Float64Array(6),
      local: new Float64Array(3),
      localFree: new Float64Array(3),
      half: new Float64Array(3),
    },
  };
}

/** Forces of the step before are kept by the names of their contacts, for the first guess of the next. */
export function keepForces(contacts: WorldContacts): void {
  const { count, pair, key, force, sliding, last } = contacts;
  last.count = count;
  for (let k = 0; k < count; k += 1) last.pair[k] = pair[k];
  for (let k = 0; k < 2 * count; k += 1) last.key[k] = key[k];
  for (let k = 0; k < 3 * count; k += 1) {
    last.force[k] = force[k];
    last.crept[k] = contacts.crept[k];
    last.position[k] = contacts.position[k];
  }
  for (let c = 0; c < count; c += 1) {
    for (let i = 0; i < 3; i += 1) last.normal[3 * c + i] = contacts.directions[9 * c + i];
  }
  for (let k = 0; k < count; k += 1) last.sliding[k] = sliding[k];
}

/** The contacts of another world of the same bodies, as those of the step before. */
export function takeOverContacts(contacts: WorldContacts, before: WorldContacts): void {
  contacts.count = Math.min(before.count, contacts.capacity);
  const { count } = contacts;
  contacts.pair.set(before.pair.subarray(0, count));
  contacts.key.set(before.key.subarray(0, 2 * count));
  contacts.position.set(before.position.subarray(0, 3 * count));
  contacts.directions.set(before.directions.subarray(0, 9 * count));
  contacts.force.set(before.force.subarray(0, 3 * count));
  contacts.sliding.set(before.sliding.subarray(0, count));
  contacts.crept.set(before.crept.subarray(0, 3 * count));
}

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
  const { rank, same, force } = contacts.last;
  const { placed } = contacts.share;
  const count = Math.min(model[MODEL_COUNT], rank.length);
  for (let n = 0; n < count; n += 1) {
    same[n] = findSame(contacts, model, recordAt(n));
    rank[n] = same[n] >= 0 && force[3 * same[n]] > 0 ? PRESSED : UNKNOWN;
  }
  shareRoom(contacts, model);
  // First each pair its share, then what is left.
  for (let turn = PRESSED; turn <= LAST_TURN; turn += 1) {
    const wanted = turn % FAR;
    for (let n = 0; n < count; n += 1) {
      const isNew = rank[n] === UNKNOWN && wanted === OVERLAPPING;
      if (rank[n] !== wanted && !isNew) continue;
      const pair = model[recordAt(n) + RECORD_PAIR];
      if (turn < FAR && placed[pair] >= contacts.share.each[0]) continue;
      if (contacts.count === contacts.capacity) return true;
      placeContact(contacts, model, recordAt(n), bodies, pairs);
      const gap = contacts.gap[contacts.count];
      if (isNew) rank[n] = gap < 0 ? OVERLAPPING : gap <= reach[0] ? NEAR : FAR;
      if (rank[n] !== wanted || gap > reach[0]) continue;
      connectContact(contacts, bodies, same[n]);
      contacts.record[contacts.count] = n;
      contacts.count += 1;
      placed[pair] += 1;
      rank[n] = PLACED;
    }
  }
  return false;
}

/** Before the first solution of a step in which there was no room for some. */
export function rememberContacts({ count, sliding, crept, before }: WorldContacts): void {
  for (let c = 0; c < count; c += 1) before.sliding[c] = sliding[c];
  for (let k = 0; k < 3 * count; k += 1) before.crept[k] = crept[k];
}

/** Most that may join in a step, and how deep they must be, m. */
const MOST_MISSED = 64;
const MISSED = 1e-5;

/** Lists what has no room and overlaps where the bodies are now. False if there is nothing. */
export function findMissed(
  contacts: WorldContacts,
  model: ProximityModel,
  bodies: readonly WorldBody[],
  pairs: readonly DeformablePairSetup[],
): boolean {
  const { missed, gap } = contacts;
  const { rank } = contacts.last;
  const count = Math.min(model[MODEL_COUNT], rank.length);
  missed.count = 0;
  for (let n = 0; n < count; n += 1) {
    if (rank[n] === PLACED || rank[n] === FAR) continue;
    placeContact(contacts, model, recordAt(n), bodies, pairs);
    if (gap[contacts.count] < -MISSED) noteMissed(contacts, n);
  }
  return missed.count > 0;
}

/** Record n, which is after the last contact. */
function noteMissed({ missed, gap: gaps, count }: WorldContacts, n: number): void {
  const gap = gaps[count];
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

/**
 * Puts what was missed where the contacts were that have opened furthest, with the bodies where they were at the start of the step.
 * True if there was no room for some.
 */
export function placeMissed(
  contacts: WorldContacts,
  model: ProximityModel,
  bodies: readonly WorldBody[],
  pairs: readonly DeformablePairSetup[],
): boolean {
  const { missed, before, record, opened, sliding, crept, last, count } = contacts;
  for (let c = 0; c < count; c += 1) sliding[c] = before.sliding[c];
  for (let k = 0; k < 3 * count; k += 1) crept[k] = before.crept[k];
  let m = 0;
  for (; m < missed.count; m += 1) {
    const c = widestOpen(contacts);
    if (c < 0) break;
    const n = missed.record[m];
    last.rank[record[c]] = NEAR;
    last.rank[n] = PLACED;
    record[c] = n;
    contacts.count = c;
    placeContact(contacts, model, recordAt(n), bodies, pairs);
    connectContact(contacts, bodies, last.same[n]);
    before.sliding[c] = sliding[c];
    for (let k = 3 * c; k < 3 * c + 3; k += 1) before.crept[k] = crept[k];
    opened[c] = 0;
    contacts.count = count;
  }
  return m < missed.count;
}

/** The contact that is furthest from being one, −1 if all are. */
function widestOpen({ count, force, opened }: WorldContacts): number {
  let best = -1;
  let widest = MISSED;
  for (let c = 0; c < count; c += 1) {
    if (force[3 * c] > 0 || !(opened[c] > widest)) continue;
    widest = opened[c];
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

/** The contact after the last, without what moves it. */
function placeContact(
  contacts: WorldContacts,
  model: ProximityModel,
  record: number,
  bodies: readonly WorldBody[],
  pairs: readonly DeformablePairSetup[],
): void {
  const c = contacts.count;
  const { side } = contacts;
  const pair = pairs[model[record + RECORD_PAIR]];
  const first = bodies[pair.first];
  const second = bodies[pair.second];
  readRecord(contacts, c, model, record);
  side.body[2 * c] = pair.first;
  side.body[2 * c + 1] = pair.second;
  writeDirections(contacts, c, model, record + RECORD_NORMAL, model[record + RECORD_OWNER] === 0 ? first : second);
  placeSide(contacts, 2 * c, first, model, record);
  placeSide(contacts, 2 * c + 1, second, model, record);
  measure(contacts, c);
}

/** What moves it, and its first guess. */
function connectContact(contacts: WorldContacts, bodies: readonly WorldBody[], same: number): void {
  const c = contacts.count;
  const { body } = contacts.side;
  connectSide(contacts, 2 * c, bodies[body[2 * c]]);
  connectSide(contacts, 2 * c + 1, bodies[body[2 * c + 1]]);
  guess(contacts, c, same);
}

function readRecord({ pair, key, side }: WorldContacts, c: number, model: ProximityModel, record: number): void {
  pair[c] = model[record + RECORD_PAIR];
  for (let i = 0; i < 6; i += 1) {
    side.vertex[6 * c + i] = model[record + RECORD_VERTICES + i];
    side.weight[6 * c + i] = model[record + RECORD_WEIGHTS + i];
  }
  for (let i = 0; i < 2; i += 1) key[2 * c + i] = model[record + RECORD_KEY + i];
}

function writeDirections(
  { directions, workspace }: WorldContacts,
  c: number,
  model: ProximityModel,
  at: number,
  { rotation: R }: WorldBody,
): void {
  const { normal, tangent } = workspace;
  applyMatrix(normal, 0, R, model, at);
  for (let i = 0; i < 3; i += 1) directions[9 * c + i] = normal[i];
  writeTangents(tangent, normal, 0);
  for (let i = 0; i < 6; i += 1) directions[9 * c + 3 + i] = tangent[i];
}

/** Where the point of one side is, now and after free motion. */
function placeSide(contacts: WorldContacts, s: number, body: WorldBody, model: ProximityModel, record: number): void {
  const { side, workspace } = contacts;
  const { local, localFree, now, moved } = workspace;
  const at = 3 * (s & 1);
  if (side.vertex[3 * s] < 0) {
    for (let i = 0; i < 3; i += 1) {
      local[i] = model[record + RECORD_POINT + i];
      localFree[i] = local[i];
    }
  } else mixVertices(contacts, s, body);
  applyPose(now, at, body.pose, body.rotation, local, 0);
  applyPose(moved, at, body.freePose, body.freeRotation, localFree, 0);
}

/** How the point of one side can be moved. */
function connectSide(contacts: WorldContacts, s: number, body: WorldBody): void {
  if (body.rigid !== null) writeLever(contacts, s, body);
  if (body.elastic !== null) writeFrame(contacts, s, body);
}

/** The point within its triangle or edge, in the body's frame, with displacements where the body is elastic (Eq. 8). */
function mixVertices({ side, workspace }: WorldContacts, s: number, body: WorldBody): void {
  const { local, localFree } = workspace;
  for (let k = 0; k < 3; k += 1) {
    local[k] = 0;
    localFree[k] = 0;
  }
  for (let i = 0; i < 3; i += 1) {
    const vertex = side.vertex[3 * s + i];
    const weight = side.weight[3 * s + i];
    if (vertex < 0) continue;
    if (body.elastic === null) {
      for (let k = 0; k < 3; k += 1) {
        local[k] += weight * body.rest[3 * vertex + k];
        localFree[k] += weight * body.rest[3 * vertex + k];
      }
      continue;
    }
    const slot = touchVertex(body, vertex);
    for (let k = 0; k < 3; k += 1) {
      local[k] += weight * (body.rest[3 * vertex + k] + body.touched.now[3 * slot + k]);
      localFree[k] += weight * (body.rest[3 * vertex + k] + body.touched.free[3 * slot + k]);
    }
  }
}

/** J: along direction k it is ±(d_k, r × d_k), r from the centre of mass to the point. */
function writeLever(contacts: WorldContacts, s: number, { rigid }: WorldBody): void {
  const { side, directions, workspace, coordinates } = contacts;
  const { motion, answer } = side;
  const c = s >> 1;
  const at = 3 * (s & 1);
  const sign = 1 - 2 * (s & 1);
  const { centre, compliance } = rigid!;
  const rx = workspace.now[at] - centre[0];
  const ry = workspace.now[at + 1] - centre[1];
  const rz = workspace.now[at + 2] - centre[2];
  for (let k = 0; k < 3; k += 1) {
    const dx = sign * directions[9 * c + 3 * k];
    const dy = sign * directions[9 * c + 3 * k + 1];
    const dz = sign * directions[9 * c + 3 * k + 2];
    const first = 3 * coordinates * s + k;
    motion[first] = dx;
    motion[first + 3] = dy;
    motion[first + 6] = dz;
    motion[first + 9] = ry * dz - rz * dy;
    motion[first + 12] = rz * dx - rx * dz;
    motion[first + 15] = rx * dy - ry * dx;
    for (let j = 0; j < RIGID; j += 1) {
      let sum = 0;
      for (let i = 0; i < RIGID; i += 1) sum += motion[first + 3 * i] * compliance[RIGID * i + j];
      answer[first + 3 * j] = sum;
    }
  }
}

/** The directions as the body sees them, and what the modes do along them. */
function writeFrame(contacts: WorldContacts, s: number, { rotation: R, elastic }: WorldBody): void {
  const { side, directions, coordinates } = contacts;
  const { frame, motion, answer, vertex, weight } = side;
  const c = s >> 1;
  const sign = 1 - 2 * (s & 1);
  for (let k = 0; k < 3; k += 1) {
    const d = 9 * c + 3 * k;
    for (let i = 0; i < 3; i += 1) {
      frame[9 * s + 3 * k + i] =
        sign * (directions[d] * R[i] + directions[d + 1] * R[3 + i] + directions[d + 2] * R[6 + i]);
    }
  }
  const { lively, shortfall, body } = elastic!;
  const { modeShapes } = body;
  const modes = shortfall.length;
  const first = 3 * (coordinates * s + RIGID);
  for (let m = 0; m < lively; m += 1) {
    let x = 0;
    let y = 0;
    let z = 0;
    for (let i = 0; i < 3; i += 1) {
      const v = vertex[3 * s + i];
      if (v < 0) continue;
      const w = weight[3 * s + i];
      x += w * modeShapes[3 * v * modes + m];
      y += w * modeShapes[(3 * v + 1) * modes + m];
      z += w * modeShapes[(3 * v + 2) * modes + m];
    }
    for (let k = 0; k < 3; k += 1) {
      const f = 9 * s + 3 * k;
      const along = frame[f] * x + frame[f + 1] * y + frame[f + 2] * z;
      motion[first + 3 * m + k] = along;
      answer[first + 3 * m + k] = -shortfall[m] * along;
    }
  }
}

/** The gap, and δ_free: along n from Q to P after free motion, along t₁ and t₂ the motion of P against Q (Eq. 13, 20). */
function measure({ directions, position, gap, free, workspace }: WorldContacts, c: number): void {
  const { now, moved } = workspace;
  for (let i = 0; i < 3; i += 1) position[3 * c + i] = 0.5 * (now[i] + now[3 + i]);
  for (let k = 0; k < 3; k += 1) {
    const d = 9 * c + 3 * k;
    let before = 0;
    let after = 0;
    for (let i = 0; i < 3; i += 1) {
      before += directions[d + i] * (now[i] - now[3 + i]);
      after += directions[d + i] * (moved[i] - moved[3 + i]);
    }
    if (k === 0) gap[c] = before;
    free[3 * c + k] = k === 0 ? after : after - before;
  }
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
