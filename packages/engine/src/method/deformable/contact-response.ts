import { RIGID, type WorldContacts } from './contacts.js';
import { addLoad, addPulledPart, beginLoad } from './elastic-part.js';
import { touchVertex, type WorldBody } from './world-body.js';

/*
 * What the contact forces of a step change of the free motion: without W, of bodies and of any point on them.
 */

/** Displacements of rigid motions and loads of elastic bodies by the forces of all contacts in W. */
export function respond(bodies: readonly WorldBody[], contacts: WorldContacts): void {
  for (let b = 0; b < bodies.length; b += 1) {
    const { elastic, pulled, touched } = bodies[b];
    for (let i = 0; i < RIGID; i += 1) pulled[i] = 0;
    if (elastic !== null) beginLoad(elastic);
    touched.response = (touched.response + 1) | 0;
  }
  const { side, force, count } = contacts;
  for (let s = 0; s < 2 * count; s += 1) {
    if (force[3 * (s >> 1)] === 0) continue;
    const { rigid, elastic, pulled } = bodies[side.body[s]];
    if (rigid !== null) addDisplacement(pulled, contacts, s);
    if (elastic === null) continue;
    writeLocalForce(contacts, s);
    for (let i = 0; i < 3; i += 1) {
      const vertex = side.vertex[3 * s + i];
      if (vertex >= 0) addLoad(elastic, vertex, side.weight, 3 * s + i, contacts.workspace.force);
    }
  }

  for (let b = 0; b < bodies.length; b += 1) {
    const { rigid, pulled, displaced } = bodies[b];
    if (rigid !== null) for (let i = 0; i < RIGID; i += 1) displaced[i] = rigid.free[i] + pulled[i];
  }
}

/** S⁻¹ Jᵀ f */
function addDisplacement(displacement: Float64Array, { side, force, coordinates }: WorldContacts, s: number): void {
  const f = 3 * (s >> 1);
  for (let i = 0; i < RIGID; i += 1) {
    const at = 3 * (coordinates * s + i);
    for (let k = 0; k < 3; k += 1) displacement[i] += side.answer[at + k] * force[f + k];
  }
}

/** The force of one side on its body, in the body's frame. */
function writeLocalForce({ side, force, workspace }: WorldContacts, s: number): void {
  const f = 3 * (s >> 1);
  for (let i = 0; i < 3; i += 1) {
    const at = 9 * s + i;
    workspace.force[i] =
      side.frame[at] * force[f] + side.frame[at + 3] * force[f + 1] + side.frame[at + 6] * force[f + 2];
  }
}

/** The gap of a contact at the end of the step, its row of W f + q along n, from the last response. */
export function measureOpening(contacts: WorldContacts, c: number, bodies: readonly WorldBody[]): void {
  const { side, directions, target, ended } = contacts;
  const x = directions[9 * c];
  const y = directions[9 * c + 1];
  const z = directions[9 * c + 2];
  let opening = target[3 * c];
  for (let s = 2 * c; s < 2 * c + 2; s += 1) {
    const body = bodies[side.body[s]];
    const { rigid, elastic, pulled, rotation: R, touched } = body;
    let along = 0;
    if (rigid !== null) {
      const { centre } = rigid;
      const rx = side.point[3 * s] - centre[0];
      const ry = side.point[3 * s + 1] - centre[1];
      const rz = side.point[3 * s + 2] - centre[2];
      along += x * (pulled[0] + pulled[4] * rz - pulled[5] * ry);
      along += y * (pulled[1] + pulled[5] * rx - pulled[3] * rz);
      along += z * (pulled[2] + pulled[3] * ry - pulled[4] * rx);
    }
    if (elastic !== null) {
      const localX = x * R[0] + y * R[3] + z * R[6];
      const localY = x * R[1] + y * R[4] + z * R[7];
      const localZ = x * R[2] + y * R[5] + z * R[8];
      for (let i = 3 * s; i < 3 * s + 3; i += 1) {
        if (side.vertex[i] < 0) continue;
        const at = 3 * pullVertex(body, side.vertex[i]);
        const { pulled: by } = touched;
        along += side.weight[i] * (localX * by[at] + localY * by[at + 1] + localZ * by[at + 2]);
      }
    }
    opening += (s & 1) === 0 ? along : -along;
  }
  ended[3 * c] = opening;
}

/** The slot of a vertex, and what the last response moves it by. */
function pullVertex(body: WorldBody, vertex: number): number {
  const { touched, elastic } = body;
  const slot = touchVertex(body, vertex);
  if (touched.pulledIn[slot] === touched.response) return slot;
  touched.pulledIn[slot] = touched.response;
  for (let i = 0; i < 3; i += 1) touched.pulled[3 * slot + i] = 0;
  addPulledPart(touched.pulled, 3 * slot, elastic!, vertex);
  return slot;
}
