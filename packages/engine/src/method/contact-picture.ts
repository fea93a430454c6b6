import { FRICTION_NONE, FRICTION_SLIP, FRICTION_STICK, type FrictionResult } from '../friction/friction-model.js';
import type { FrictionProblem } from '../friction/friction-problem.js';
import type { ToolContacts } from './tool-contacts.js';

/**
 * The contacts of one cycle as a person looks at them: where, which way, how strong, sticking or slipping. Single
 * precision, world frame. A method fills it when somebody looks, a few times a second, never for its own sake.
 */
export interface ContactPicture {
  /** Room for so many contacts; of more, the first ones are shown. */
  readonly capacity: number;
  /** Place 0: how many there are. */
  readonly numbers: Float64Array;
  /** Of the shell's point, m, three numbers each. */
  readonly position: Float32Array;
  /** Direction that pushes the tool out, unit length. */
  readonly normal: Float32Array;
  /** m; negative within a margin. */
  readonly depth: Float32Array;
  /** What pushes the tool along the normal, N; 0 where the method does not say. */
  readonly normalForce: Float32Array;
  /** Friction on the tool, N, three numbers each. */
  readonly friction: Float32Array;
  /** Coefficient of friction that counts now. */
  readonly coefficient: Float32Array;
  /** One of the `FRICTION_…` constants. */
  readonly state: Uint8Array;
}

const COUNT = 0;
/** Bytes of a contact: 12 floats and a state, rounded up so that pictures lie one after the other. */
const FLOATS = 12;
const HEAD_BYTES = 16;

/** Bytes of a picture with room for so many contacts. */
export function contactPictureBytes(capacity: number): number {
  return HEAD_BYTES + 4 * FLOATS * capacity + 8 * Math.ceil(capacity / 8);
}

/** A picture in memory of `contactPictureBytes` from `offset` on, a multiple of eight. */
export function viewContactPicture(buffer: ArrayBufferLike, offset: number, capacity: number): ContactPicture {
  let at = offset + HEAD_BYTES;
  const floats = (perContact: number) => {
    const view = new Float32Array(buffer, at, perContact * capacity);
    at += view.byteLength;
    return view;
  };
  return {
    capacity,
    numbers: new Float64Array(buffer, offset, HEAD_BYTES / 8),
    position: floats(3),
    normal: floats(3),
    depth: floats(1),
    normalForce: floats(1),
    friction: floats(3),
    coefficient: floats(1),
    state: new Uint8Array(buffer, at, capacity),
  };
}

/** Places, normals and depths; no forces. `state` is that of all contacts. */
export function drawContacts(picture: ContactPicture, { set, pairs, ends }: ToolContacts, state: number): void {
  const count = Math.min(set.count, picture.capacity);
  picture.numbers[COUNT] = count;
  for (let k = 0; k < 3 * count; k += 1) {
    picture.position[k] = set.position[k];
    picture.normal[k] = set.normal[k];
    picture.friction[k] = 0;
  }
  let pair = 0;
  for (let c = 0; c < count; c += 1) {
    while (c >= ends[pair]) pair += 1;
    picture.depth[c] = set.depth[c];
    picture.normalForce[c] = 0;
    picture.coefficient[c] = pairs[pair].staticCoefficient;
    picture.state[c] = state;
  }
}

/** The same with the forces of springs along the normals. */
export function drawPenalties(picture: ContactPicture, contacts: ToolContacts): void {
  drawContacts(picture, contacts, FRICTION_NONE);
  const { depth, stiffness } = contacts.set;
  for (let c = 0; c < picture.numbers[COUNT]; c += 1) picture.normalForce[c] = Math.max(0, stiffness[c] * depth[c]);
}

/** The same with what a friction model found. */
export function drawFriction(
  picture: ContactPicture,
  contacts: ToolContacts,
  problem: FrictionProblem,
  result: FrictionResult,
): void {
  drawContacts(picture, contacts, FRICTION_NONE);
  for (let c = 0; c < picture.numbers[COUNT]; c += 1) {
    picture.normalForce[c] = result.normalForce[c];
    picture.coefficient[c] = problem.coefficient[c];
    // While friction holds the tool nothing slides, though single contacts may be at their bounds.
    picture.state[c] = result.holds && result.state[c] === FRICTION_SLIP ? FRICTION_STICK : result.state[c];
    for (let k = 0; k < 3; k += 1) {
      picture.friction[3 * c + k] =
        result.force[2 * c] * problem.tangent[6 * c + k] + result.force[2 * c + 1] * problem.tangent[6 * c + 3 + k];
    }
  }
}
