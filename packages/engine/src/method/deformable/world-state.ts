import { applyPose } from '../../math/matrices.js';
import { type Pose, rotationMatrix } from '../../math/pose.js';
import type { DeformableSetup } from './deformable-setup.js';
import { addStaticPart, type ElasticPart } from './elastic-part.js';

/**
 * The state of all bodies as numbers in one array, for whoever needs their surfaces in another thread. Of each body its
 * pose, then, if it is elastic, 1/E and ρ, the body force, the modes' y and the forces on its vertices: so little because the
 * surface follows from it (`elastic-part.ts`).
 */
export type WorldState = Float64Array;

export interface StateLayout {
  readonly size: number;
  /** Where each body begins. */
  readonly offsets: Int32Array;
  /** Forces that a body has room for. */
  readonly loadCapacity: number;
}

const POSE = 7;
const MATERIAL = 2;
const WEIGHT = 3;
const FORCE = 4;

export function layOutState({ bodies, options }: DeformableSetup): StateLayout {
  // A contact has at most three vertices on each body; where it was before, forces still fade.
  const loadCapacity = 6 * options.contacts;
  const offsets = new Int32Array(bodies.length);
  let size = 0;
  bodies.forEach(({ elastic }, b) => {
    offsets[b] = size;
    size += POSE;
    if (elastic) size += MATERIAL + WEIGHT + elastic.body.modeStiffness.length + 1 + FORCE * loadCapacity;
  });
  return { size, offsets, loadCapacity };
}

export function writeBodyState(state: WorldState, offset: number, pose: Pose, part: ElasticPart | null): void {
  for (let i = 0; i < POSE; i += 1) state[offset + i] = pose[i];
  if (part === null) return;
  let at = offset + POSE;
  state[at] = part.inverseYoung[0];
  state[at + 1] = part.density[0];
  at += MATERIAL;
  for (let i = 0; i < WEIGHT; i += 1) state[at + i] = part.weight[i];
  at += WEIGHT;
  const modes = part.shape.length;
  for (let k = 0; k < modes; k += 1) state[at + k] = part.shape[k];
  at += modes;
  const { load } = part;
  state[at] = load.count;
  at += 1;
  for (let n = 0; n < load.count; n += 1) {
    state[at + FORCE * n] = load.vertex[n];
    for (let i = 0; i < 3; i += 1) state[at + FORCE * n + 1 + i] = load.force[3 * n + i];
  }
}

/** Takes the state of an elastic body over into `part`: material, `weight`, `shape` and `load`, all that its surface hangs on. */
export function readBodyState(part: ElasticPart, state: WorldState, offset: number): void {
  let at = offset + POSE;
  part.inverseYoung[0] = state[at];
  part.density[0] = state[at + 1];
  at += MATERIAL;
  for (let i = 0; i < WEIGHT; i += 1) part.weight[i] = state[at + i];
  at += WEIGHT;
  const modes = part.shape.length;
  part.lively = 0;
  for (let k = 0; k < modes; k += 1) {
    part.shape[k] = state[at + k];
    if (part.shape[k] !== 0) part.lively = k + 1;
  }
  at += modes;
  const { load } = part;
  load.count = Math.min(state[at], load.capacity);
  at += 1;
  for (let n = 0; n < load.count; n += 1) {
    load.vertex[n] = state[at + FORCE * n];
    for (let i = 0; i < 3; i += 1) load.force[3 * n + i] = state[at + FORCE * n + 1 + i];
  }
}

/** The whole surface as the state has it, in the body's frame; `out` holds it at rest at first. */
export function deformSurface(out: Float64Array, rest: Float64Array, part: ElasticPart): void {
  addSmoothDisplacements(out, rest, part);
  addStaticDisplacements(out, part);
}

/** Vertices that are held stay where they are at rest. */
function addSmoothDisplacements(out: Float64Array, rest: Float64Array, part: ElasticPart): void {
  const { body, moving, shape, lively, weight } = part;
  const { modeShapes, weightResponse } = body;
  const scale = part.density[0] * part.inverseYoung[0];
  const x = scale * weight[0];
  const y = scale * weight[1];
  const z = scale * weight[2];
  const modes = shape.length;
  for (let m = 0; m < moving.length; m += 1) {
    const first = 3 * moving[m];
    for (let n = first; n < first + 3; n += 1) {
      const row = n * modes;
      const g = 3 * n;
      let sum = rest[n] + weightResponse[g] * x + weightResponse[g + 1] * y + weightResponse[g + 2] * z;
      for (let k = 0; k < lively; k += 1) sum += modeShapes[row + k] * shape[k];
      out[n] = sum;
    }
  }
}

/**
 * K⁻¹ F for all vertices. The compliance is symmetric: the row of a loaded vertex tells how all that can be touched move,
 * and lies in one piece in memory, while the columns are strewn over all of it.
 */
function addStaticDisplacements(out: Float64Array, part: ElasticPart): void {
  const { body, load } = part;
  const { columnVertex, untouchable } = part;
  const { compliance, columnCount } = body;
  const scale = part.inverseYoung[0];
  for (let n = 0; n < load.count; n += 1) {
    let block = 9 * columnCount * load.vertex[n];
    const fx = scale * load.force[3 * n];
    const fy = scale * load.force[3 * n + 1];
    const fz = scale * load.force[3 * n + 2];
    for (let c = 0; c < columnCount; c += 1) {
      const at = 3 * columnVertex[c];
      out[at] += compliance[block] * fx + compliance[block + 3] * fy + compliance[block + 6] * fz;
      out[at + 1] += compliance[block + 1] * fx + compliance[block + 4] * fy + compliance[block + 7] * fz;
      out[at + 2] += compliance[block + 2] * fx + compliance[block + 5] * fy + compliance[block + 8] * fz;
      block += 9;
    }
  }
  for (let k = 0; k < untouchable.length; k += 1) addStaticPart(out, 3 * untouchable[k], part, untouchable[k]);
}

/** `out = R p + t` for every point, into the same array if wanted. */
export function placePoints(out: Float64Array, points: Float64Array, pose: Pose, rotation: Float64Array): void {
  rotationMatrix(rotation, pose);
  for (let n = 0; n < points.length; n += 3) applyPose(out, n, pose, rotation, points, n);
}
