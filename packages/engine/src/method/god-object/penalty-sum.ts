import { holdDeepest } from '../../contact/contact-stiffness.js';
import { findVoxel, SAMPLE_DISTANCE } from '../../field/sample-field.js';
import { createPose, type Pose, rotationMatrix } from '../../math/pose.js';
import type { ToolContacts } from '../tool-contacts.js';

/**
 * Step #1 of the god object (Sagardia, Hulin, section 2.1): all that is known of the contacts, as a few numbers. The
 * surface is dilated by the safety distance d; a point has V_i = depth_i + d, and pushes with f_i = V_i n_i, n_i the
 * direction that pushes the tool out. World frame, torques about the tool's centre of mass; forces in metres.
 *
 * Where we deviate: points round a corner, whose normal lies in the other surface, get less weight or none, unless they
 * lie deeper than all others, as in `contact/contact-stiffness.ts`; and some numbers are summed besides the paper's four (f_P, t_P, p_d, d). A penalty
 * method that does not know them leaves them 0: Σ V tells a tool that is squeezed from one that hardly touches, Σ V n nᵀ
 * along which directions it is, with Σ V² n nᵀ how far away; the lever of drilling and the friction are those of the whole
 * contact. Friction includes the wedge: contacts that push against each other rub with Σ |N|, not with |Σ N|.
 */

/** Places in the array of numbers. */
export const PENALTY_FORCE = 0;
export const PENALTY_TORQUE = 3;
/** p_d: the largest V, m; 0 or less without contact. */
export const PENALTY_DEPTH = 6;
/** d: how far outside the surface contacts are found, m. */
export const PENALTY_MARGIN = 7;
/** Σ V_i, m. */
export const PENALTY_TOTAL = 8;
/** ρ: mean distance of the deepest contacts from the axis along f_P through the centre of pressure, m. */
export const PENALTY_LEVER = 9;
/** Static friction, mean over the contacts weighted by V, times Σ |N| / |Σ N| of those that touch. */
export const PENALTY_STATIC = 10;
/** Kinetic friction, the same. */
export const PENALTY_KINETIC = 11;
/** Σ V n nᵀ: xx, xy, xz, yy, yz, zz, m. */
export const PENALTY_SPREAD = 12;
/** Σ V² n nᵀ in the same order, m². */
export const PENALTY_SQUARES = 18;
/** How many numbers a penalty sum has. */
export const PENALTY_SIZE = 24;

export type Sampling = 'field' | 'voxels';

export interface PenaltySum {
  readonly contacts: ToolContacts;
  readonly sampling: Sampling;
  readonly cornerWeighting: boolean;
  /** Whether contacts are taken one by one, as the manifold does, and not as sums. */
  readonly oneByOne: boolean;
  /** Filled by `sumPenalty`. */
  readonly values: Float64Array;
  /** V_i and the weight by contact. */
  readonly layer: Float64Array;
  readonly weight: Float64Array;
  readonly workspace: {
    readonly fieldPose: Pose;
    readonly local: Float64Array;
    /** Of a voxel, and its layer. */
    readonly centre: Float64Array;
    readonly rotation: Float64Array;
  };
}

/** Below the first |N · ∇φ| a contact counts for nothing, above the second fully; as for its stiffness. */
const CORNER_NONE = 0.5;
const CORNER_FULL = 0.7;
/** Contacts less deep than the deepest by more than this part of d carry nothing that a turn would rub on. */
const LEVER_DEPTH = 0.1;
/**
 * With less than the first part of Σ |N| left over, contacts cancel, and what is left says nothing of how hard they push;
 * from the second on the wedge is what it is.
 */
const WEDGE_NONE = 0.1;
const WEDGE_FULL = 0.4;
/** Contacts less deep than the deepest by more than this part of d take no part in it. */
const WEDGE_DEPTH = 0.25;

export function createPenaltySum(
  contacts: ToolContacts,
  margin: number,
  { sampling, cornerWeighting, oneByOne }: Pick<PenaltySum, 'sampling' | 'cornerWeighting' | 'oneByOne'>,
): PenaltySum {
  const values = new Float64Array(PENALTY_SIZE);
  values[PENALTY_MARGIN] = margin;
  return {
    contacts,
    sampling,
    cornerWeighting,
    oneByOne,
    values,
    layer: new Float64Array(contacts.set.capacity),
    weight: new Float64Array(contacts.set.capacity),
    workspace: {
      fieldPose: createPose(),
      local: new Float64Array(3),
      centre: new Float64Array(4),
      rotation: new Float64Array(9),
    },
  };
}

/** Sums up the contacts of the last query. */
export function sumPenalty(sum: PenaltySum, toolPose: Pose): void {
  weighContacts(sum);
  if (sum.sampling === 'voxels') takeVoxelLayers(sum, toolPose);
  else takeDepths(sum);
  if (sum.oneByOne) findDepth(sum);
  else {
    addForces(sum);
    addWedge(sum);
    findLever(sum);
  }
}

/** All that the manifold needs, which has the contacts themselves. */
function findDepth({ contacts, layer, weight, values }: PenaltySum): void {
  let deepest = 0;
  for (let c = 0; c < contacts.set.count; c += 1) if (weight[c] > 0 && layer[c] > deepest) deepest = layer[c];
  values[PENALTY_DEPTH] = deepest;
}

function weighContacts({ contacts, weight, cornerWeighting, oneByOne }: PenaltySum): void {
  const { normal, gradient, share, count } = contacts.set;
  for (let c = 0; c < count; c += 1) {
    weight[c] = 1;
    if (!cornerWeighting) continue;
    const o = 3 * c;
    const gx = gradient[o];
    const gy = gradient[o + 1];
    const gz = gradient[o + 2];
    const lacking = 1 - Math.sqrt(gx * gx + gy * gy + gz * gz);
    let along = Math.abs(normal[o] * gx + normal[o + 1] * gy + normal[o + 2] * gz);
    if (lacking > 0) along += lacking;
    const x = (along - CORNER_NONE) / (CORNER_FULL - CORNER_NONE);
    if (x <= 0) weight[c] = 0;
    else if (x < 1) weight[c] *= x * x * (3 - 2 * x);
  }
  if (oneByOne) return;
  if (cornerWeighting) holdDeepest(weight, contacts.set);
  for (let c = 0; c < count; c += 1) weight[c] *= share[c];
}

function takeDepths({ contacts, layer, values }: PenaltySum): void {
  const { depth, count } = contacts.set;
  const margin = values[PENALTY_MARGIN];
  for (let c = 0; c < count; c += 1) layer[c] = depth[c] + margin;
}

/**
 * V = v s + nᵀe + d (Eq. 1), with v the integer layer of the voxel that holds the point and e from the point to the
 * voxel's centre. Here n has to point out of the body with the field: for a shell on the environment that is against
 * the direction in which the tool is pushed.
 */
function takeVoxelLayers({ contacts, layer, values, workspace }: PenaltySum, toolPose: Pose): void {
  const { pairs, ends, set } = contacts;
  const { fieldPose, local, centre, rotation } = workspace;
  let c = 0;
  for (let p = 0; p < pairs.length; p += 1) {
    const { query, environmentPose } = pairs[p];
    const onTool = query.shellOn === 'tool';
    fieldPose.set(onTool ? environmentPose : toolPose);
    rotationMatrix(rotation, fieldPose);
    const side = onTool ? 1 : -1;
    for (; c < ends[p]; c += 1) {
      toField(local, fieldPose, rotation, set.position, 3 * c);
      findVoxel(centre, query.field, local);
      let across = 0;
      for (let i = 0; i < 3; i += 1) {
        // n in the field's frame: Rᵀn.
        const n =
          rotation[i] * set.normal[3 * c] +
          rotation[3 + i] * set.normal[3 * c + 1] +
          rotation[6 + i] * set.normal[3 * c + 2];
        across += n * (centre[i] - local[i]);
      }
      layer[c] = centre[SAMPLE_DISTANCE] * query.field.voxelSize + side * across + values[PENALTY_MARGIN];
    }
  }
}

function toField(out: Float64Array, frame: Pose, m: Float64Array, position: Float64Array, at: number): void {
  const x = position[at] - frame[0];
  const y = position[at + 1] - frame[1];
  const z = position[at + 2] - frame[2];
  out[0] = m[0] * x + m[3] * y + m[6] * z;
  out[1] = m[1] * x + m[4] * y + m[7] * z;
  out[2] = m[2] * x + m[5] * y + m[8] * z;
}

/** Eq. 2 and the sums. */
function addForces({ contacts, layer, weight, values }: PenaltySum): void {
  const { set, pairs, ends } = contacts;
  const { normal, arm } = set;
  let fx = 0;
  let fy = 0;
  let fz = 0;
  let tx = 0;
  let ty = 0;
  let tz = 0;
  let deepest = 0;
  let total = 0;
  let xx = 0;
  let xy = 0;
  let xz = 0;
  let yy = 0;
  let yz = 0;
  let zz = 0;
  let xx2 = 0;
  let xy2 = 0;
  let xz2 = 0;
  let yy2 = 0;
  let yz2 = 0;
  let zz2 = 0;
  let staticSum = 0;
  let kineticSum = 0;
  let c = 0;
  for (let p = 0; p < pairs.length; p += 1) {
    const { staticCoefficient, kineticCoefficient } = pairs[p];
    const before = total;
    for (; c < ends[p]; c += 1) {
      const push = layer[c] * weight[c];
      if (!(push > 0)) continue;
      const o = 3 * c;
      const px = push * normal[o];
      const py = push * normal[o + 1];
      const pz = push * normal[o + 2];
      fx += px;
      fy += py;
      fz += pz;
      tx += arm[o + 1] * pz - arm[o + 2] * py;
      ty += arm[o + 2] * px - arm[o] * pz;
      tz += arm[o] * py - arm[o + 1] * px;
      xx += px * normal[o];
      xy += px * normal[o + 1];
      xz += px * normal[o + 2];
      yy += py * normal[o + 1];
      yz += py * normal[o + 2];
      zz += pz * normal[o + 2];
      const v = layer[c];
      xx2 += v * px * normal[o];
      xy2 += v * px * normal[o + 1];
      xz2 += v * px * normal[o + 2];
      yy2 += v * py * normal[o + 1];
      yz2 += v * py * normal[o + 2];
      zz2 += v * pz * normal[o + 2];
      total += push;
      if (layer[c] > deepest) deepest = layer[c];
    }
    staticSum += staticCoefficient * (total - before);
    kineticSum += kineticCoefficient * (total - before);
  }
  values[PENALTY_FORCE] = fx;
  values[PENALTY_FORCE + 1] = fy;
  values[PENALTY_FORCE + 2] = fz;
  values[PENALTY_TORQUE] = tx;
  values[PENALTY_TORQUE + 1] = ty;
  values[PENALTY_TORQUE + 2] = tz;
  values[PENALTY_SPREAD] = xx;
  values[PENALTY_SPREAD + 1] = xy;
  values[PENALTY_SPREAD + 2] = xz;
  values[PENALTY_SPREAD + 3] = yy;
  values[PENALTY_SPREAD + 4] = yz;
  values[PENALTY_SPREAD + 5] = zz;
  values[PENALTY_SQUARES] = xx2;
  values[PENALTY_SQUARES + 1] = xy2;
  values[PENALTY_SQUARES + 2] = xz2;
  values[PENALTY_SQUARES + 3] = yy2;
  values[PENALTY_SQUARES + 4] = yz2;
  values[PENALTY_SQUARES + 5] = zz2;
  values[PENALTY_DEPTH] = deepest;
  values[PENALTY_TOTAL] = total;
  values[PENALTY_STATIC] = total > 0 ? staticSum / total : 0;
  values[PENALTY_KINETIC] = total > 0 ? kineticSum / total : 0;
}

/** Contacts at the surface push against each other: friction is that of all their forces, not of what is left over. */
function addWedge({ contacts, layer, weight, values }: PenaltySum): void {
  const { normal, count } = contacts.set;
  const least = values[PENALTY_DEPTH] - WEDGE_DEPTH * values[PENALTY_MARGIN];
  let x = 0;
  let y = 0;
  let z = 0;
  let total = 0;
  for (let c = 0; c < count; c += 1) {
    const push = weight[c] * (layer[c] - least);
    if (!(push > 0)) continue;
    x += push * normal[3 * c];
    y += push * normal[3 * c + 1];
    z += push * normal[3 * c + 2];
    total += push;
  }
  const coherence = total > 0 ? Math.sqrt(x * x + y * y + z * z) / total : 0;
  if (!(coherence > WEDGE_NONE)) return;
  const part = Math.min(1, (coherence - WEDGE_NONE) / (WEDGE_FULL - WEDGE_NONE));
  const wedge = 1 + part * (1 / coherence - 1);
  values[PENALTY_STATIC] *= wedge;
  values[PENALTY_KINETIC] *= wedge;
}

function findLever({ contacts, layer, weight, values }: PenaltySum): void {
  const { arm, count } = contacts.set;
  values[PENALTY_LEVER] = 0;
  const fx = values[PENALTY_FORCE];
  const fy = values[PENALTY_FORCE + 1];
  const fz = values[PENALTY_FORCE + 2];
  const square = fx * fx + fy * fy + fz * fz;
  if (!(square > 0)) return;
  const size = Math.sqrt(square);
  const ux = fx / size;
  const uy = fy / size;
  const uz = fz / size;
  const least = values[PENALTY_DEPTH] - LEVER_DEPTH * values[PENALTY_MARGIN];
  // Centre of pressure of the deepest, at right angles to the axis.
  let cx = 0;
  let cy = 0;
  let cz = 0;
  let load = 0;
  for (let c = 0; c < count; c += 1) {
    const push = weight[c] * (layer[c] - least);
    if (!(push > 0)) continue;
    const o = 3 * c;
    cx += push * arm[o];
    cy += push * arm[o + 1];
    cz += push * arm[o + 2];
    load += push;
  }
  if (!(load > 0)) return;
  cx /= load;
  cy /= load;
  cz /= load;
  let lever = 0;
  for (let c = 0; c < count; c += 1) {
    const push = weight[c] * (layer[c] - least);
    if (!(push > 0)) continue;
    const o = 3 * c;
    const x = arm[o] - cx;
    const y = arm[o + 1] - cy;
    const z = arm[o + 2] - cz;
    const along = x * ux + y * uy + z * uz;
    const across = x * x + y * y + z * z - along * along;
    if (across > 0) lever += push * Math.sqrt(across);
  }
  values[PENALTY_LEVER] = lever / load;
}
