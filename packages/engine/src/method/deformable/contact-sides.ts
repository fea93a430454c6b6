import { writeTangents } from '../../friction/tangent-frame.js';
import { applyMatrix, applyPose } from '../../math/matrices.js';
import { RIGID, type WorldContacts } from './contacts.js';
import type { DeformablePairSetup } from './deformable-setup.js';
import {
  type ProximityModel,
  RECORD_FIRST_POINT,
  RECORD_KEY,
  RECORD_NORMAL,
  RECORD_OWNER,
  RECORD_PAIR,
  RECORD_POINT,
  RECORD_VERTICES,
  RECORD_WEIGHTS,
} from './proximity-model.js';
import { touchVertex, type WorldBody } from './world-body.js';

/*
 * Where one contact is, and how it can be moved.
 */

/** The contact after the last, without what moves it. */
export function placeContact(
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

/** What moves a contact: to be known before it is in W. */
export function connectContact(contacts: WorldContacts, c: number, bodies: readonly WorldBody[]): void {
  const { body } = contacts.side;
  connectSide(contacts, 2 * c, bodies[body[2 * c]]);
  connectSide(contacts, 2 * c + 1, bodies[body[2 * c + 1]]);
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
  const { local, localFree, moved } = workspace;
  if (side.vertex[3 * s] < 0) {
    for (let i = 0; i < 3; i += 1) {
      local[i] = model[record + RECORD_POINT + i];
      localFree[i] = local[i];
    }
  } else {
    mixVertices(contacts, s, body);
    if (body.elastic !== null)
      noteDrift(workspace, model, record + ((s & 1) === 0 ? RECORD_FIRST_POINT : RECORD_POINT));
  }
  applyPose(side.point, 3 * s, body.pose, body.rotation, local, 0);
  applyPose(moved, 3 * (s & 1), body.freePose, body.freeRotation, localFree, 0);
}

/** How far the point has moved in its body since the model was made. */
function noteDrift({ drift, local }: WorldContacts['workspace'], model: ProximityModel, at: number): void {
  const x = local[0] - model[at];
  const y = local[1] - model[at + 1];
  const z = local[2] - model[at + 2];
  const distance = Math.sqrt(x * x + y * y + z * z);
  if (distance > drift[0]) drift[0] = distance;
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
  const { side, directions, coordinates } = contacts;
  const { motion, answer, point } = side;
  const c = s >> 1;
  const sign = 1 - 2 * (s & 1);
  const { centre, compliance } = rigid!;
  const rx = point[3 * s] - centre[0];
  const ry = point[3 * s + 1] - centre[1];
  const rz = point[3 * s + 2] - centre[2];
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
function measure({ directions, position, gap, free, side, workspace }: WorldContacts, c: number): void {
  const { moved } = workspace;
  const { point } = side;
  const p = 6 * c;
  for (let i = 0; i < 3; i += 1) position[3 * c + i] = 0.5 * (point[p + i] + point[p + 3 + i]);
  for (let k = 0; k < 3; k += 1) {
    const d = 9 * c + 3 * k;
    let before = 0;
    let after = 0;
    for (let i = 0; i < 3; i += 1) {
      before += directions[d + i] * (point[p + i] - point[p + 3 + i]);
      after += directions[d + i] * (moved[i] - moved[3 + i]);
    }
    if (k === 0) gap[c] = before;
    free[3 * c + k] = k === 0 ? after : after - before;
  }
}
