import type { ContactSet } from '../../contact/contact-set.js';
import type { DistanceField } from '../../field/distance-field.js';
import { writeTangents } from '../../friction/tangent-frame.js';
import { applyMatrix6 } from '../../math/matrices.js';
import type { ToolContacts } from '../tool-contacts.js';
import { createHalfSpaces, type HalfSpaces, projectOnHalfSpaces } from './half-spaces.js';
import {
  createManifoldFriction,
  holdByFriction,
  type ManifoldFriction,
  scaleDiscs,
  setActiveBasis,
  slideByFriction,
} from './manifold-friction.js';
import { PENALTY_MARGIN, type PenaltySum } from './penalty-sum.js';
import { createSoftContacts, giveWay, type SoftContacts } from './soft-contacts.js';
import { createSpreadForces, MAX_SPREAD, type SpreadForces, spreadForces } from './spread-forces.js';

/**
 * The whole contact manifold instead of the paper's single direction: of all motions Δ of the proxy that lead into no
 * contact, the one of least constraint (Gauss), with the stiffness of the coupling as the measure:
 *
 *   minimise ½ (Δ − Δ_u)ᵀK(Δ − Δ_u)   subject to   J_iᵀΔ ≥ depth_i,   J_i = (n_i, r_i × n_i)
 *
 * for every contact within the safety distance; a negative depth is a gap that may be closed. The felt wrench is then
 * exactly the reaction Σ J_i λ_i. K is diagonal about the grasp point; with y = (Δx, s Δω), s = √(k_tor/k), it is the
 * identity, and the answer a projection (`half-spaces.ts`).
 *
 * n_i is the gradient of the distance where the field is smooth (its length is 1) and near, because that is what the depth
 * changes along; at edges of the field, where it turns within a voxel and would catch on points that slide by, it is the
 * shell's normal. Points round a corner are left out until an edge has cut in deeper than rounding.
 *
 * When no motion resolves every overlap (a peg too large for its hole), or only with forces beyond all measure, contacts
 * give way like springs (`soft-contacts.ts`).
 */
export interface Manifold {
  readonly options: ManifoldOptions;
  readonly space: HalfSpaces;
  readonly soft: SoftContacts;
  readonly spread: SpreadForces;
  readonly friction: ManifoldFriction;
  /** Contact of each half-space, and its coefficients of friction. */
  readonly source: Int32Array;
  readonly staticCoefficient: Float64Array;
  readonly kineticCoefficient: Float64Array;
  /** Its depth, m; the bound of the half-space is no more than `maxCorrection`. */
  readonly depth: Float64Array;
  /** Whether friction was at its bound in the last step; until it holds again kinetic coefficients count. */
  sliding: boolean;
  restricted: boolean;
  /** Whether overlaps could not all be resolved, and contacts gave way. */
  squeezed: boolean;
  capped: boolean;
  readonly workspace: {
    readonly target: Float64Array;
    readonly way: Float64Array;
    readonly pull: Float64Array;
    readonly reaction: Float64Array;
    readonly grasp: Float64Array;
    readonly normal: Float64Array;
    readonly tangent: Float64Array;
    readonly limits: Float64Array;
  };
}

export interface ManifoldOptions {
  /** N/m and N m/rad, about the grasp point (in the tool's frame). */
  readonly stiffness: number;
  readonly torsionalStiffness: number;
  readonly graspPoint: readonly [number, number, number];
  /** Of a direction of contact that has to give way, N/m. */
  readonly contactStiffness: number;
  readonly viscous: number;
  /** No overlap is resolved by more than this in one step, m. */
  readonly maxCorrection: number;
  /** Contacts left at less than this carry load, m. */
  readonly touchingGap: number;
}

/** How far the gradient's length may be from 1 and still say all about direction, and where it says nothing. */
const SMOOTH_GRADIENT = 0.002;
const ROUGH_GRADIENT = 0.01;
/** Gaps in voxels: from the second on a gradient may be that of an edge far away. */
const NEAR_GAP = 0.25;
const FAR_GAP = 0.5;
/** Contacts of less weight lie round a corner; they count only when they are this deep, in voxels. */
const LEAST_WEIGHT = 0.02;
const DEEP_CORNER = 0.05;
/** A reaction shorter than this is rounding, m. */
const LEAST_REACTION = 1e-10;

/** Forces above so many times the coupling's (and those of a load of the second, m) are not to be taken seriously. */
const LARGEST_FORCE = 20;
const LEAST_LOAD = 1e-3;

const GAP = 0;

export function createManifold(capacity: number, options: ManifoldOptions): Manifold {
  return {
    options,
    space: createHalfSpaces(capacity),
    soft: createSoftContacts(capacity, options.contactStiffness / options.stiffness),
    spread: createSpreadForces(),
    friction: createManifoldFriction(),
    source: new Int32Array(capacity),
    staticCoefficient: new Float64Array(capacity),
    kineticCoefficient: new Float64Array(capacity),
    depth: new Float64Array(capacity),
    sliding: false,
    restricted: false,
    squeezed: false,
    capped: false,
    workspace: {
      target: new Float64Array(6),
      way: new Float64Array(6),
      pull: new Float64Array(6),
      reaction: new Float64Array(6),
      grasp: new Float64Array(3),
      normal: new Float64Array(3),
      tangent: new Float64Array(6),
      limits: Float64Array.of(options.touchingGap),
    },
  };
}

/** The twist that the proxy takes, into `step`, where `way` would take it to the device. Both about the centre of mass. */
export function stepManifold(manifold: Manifold, step: Float64Array, penalty: PenaltySum, way: Float64Array): void {
  const { space, workspace } = manifold;
  const { target } = workspace;
  toGrasp(manifold, penalty.contacts, way);
  writeHalfSpaces(manifold, penalty);
  project(manifold, target);
  manifold.restricted = hasReaction(manifold);
  if (manifold.restricted) applyFriction(manifold, penalty.contacts);
  else manifold.sliding = false;
  fromGrasp(manifold, step, space.y);
}

/** The way in the unknowns of the projection. */
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

function writeHalfSpaces(manifold: Manifold, { contacts, weight, layer, values }: PenaltySum): void {
  const { space, source, depth, staticCoefficient, kineticCoefficient, options, workspace } = manifold;
  const { set, pairs, ends } = contacts;
  const { grasp, normal } = workspace;
  const perLength = 1 / Math.sqrt(options.torsionalStiffness / options.stiffness);
  const margin = values[PENALTY_MARGIN];
  let count = 0;
  let c = 0;
  for (let p = 0; p < pairs.length; p += 1) {
    const pair = pairs[p];
    const deepCorner = DEEP_CORNER * pair.query.field.voxelSize;
    for (; c < ends[p]; c += 1) {
      if (!(weight[c] > LEAST_WEIGHT || set.depth[c] > deepCorner) || !(layer[c] > 0)) continue;
      chooseNormal(normal, set, c, pair.query.field);
      const o = 6 * count;
      const x = set.arm[3 * c] - grasp[0];
      const y = set.arm[3 * c + 1] - grasp[1];
      const z = set.arm[3 * c + 2] - grasp[2];
      space.columns[o] = normal[0];
      space.columns[o + 1] = normal[1];
      space.columns[o + 2] = normal[2];
      space.columns[o + 3] = (y * normal[2] - z * normal[1]) * perLength;
      space.columns[o + 4] = (z * normal[0] - x * normal[2]) * perLength;
      space.columns[o + 5] = (x * normal[1] - y * normal[0]) * perLength;
      depth[count] = layer[c] - margin;
      space.bound[count] = Math.min(depth[count], options.maxCorrection);
      source[count] = c;
      const dynamic = pair.dynamicPoints !== null && pair.dynamicPoints[set.point[c]] === 1;
      kineticCoefficient[count] = pair.kineticCoefficient;
      staticCoefficient[count] = dynamic ? pair.kineticCoefficient : pair.staticCoefficient;
      count += 1;
    }
  }
  space.count = count;
}

function chooseNormal(out: Float64Array, set: ContactSet, c: number, { voxelSize }: DistanceField): void {
  const { normal, gradient, depth } = set;
  const at = 3 * c;
  const gx = gradient[at];
  const gy = gradient[at + 1];
  const gz = gradient[at + 2];
  const off = Math.abs(Math.sqrt(gx * gx + gy * gy + gz * gz) - 1);
  const along = gx * normal[at] + gy * normal[at + 1] + gz * normal[at + 2];
  let smooth = Math.min(
    (ROUGH_GRADIENT - off) / (ROUGH_GRADIENT - SMOOTH_GRADIENT),
    (FAR_GAP + depth[c] / voxelSize) / (FAR_GAP - NEAR_GAP),
  );
  // Past the middle of a thin sheet the gradient leads out on the wrong side.
  smooth = along > 0 && smooth > 0 ? Math.min(1, smooth) : 0;
  const rough = 1 - smooth;
  const x = smooth * gx + rough * normal[at];
  const y = smooth * gy + rough * normal[at + 1];
  const z = smooth * gz + rough * normal[at + 2];
  const unit = 1 / Math.sqrt(x * x + y * y + z * z);
  out[0] = x * unit;
  out[1] = y * unit;
  out[2] = z * unit;
}

function project(manifold: Manifold, target: Float64Array): void {
  const { space, soft } = manifold;
  projectOnHalfSpaces(space, target);
  manifold.capped = space.capped;
  manifold.squeezed = space.infeasible || space.capped || pushesBeyondMeasure(space, target);
  if (!manifold.squeezed) return;
  giveWay(soft, space, manifold.depth, target);
  space.y.set(soft.y);
  space.activeCount = 0;
}

/** Contacts that almost face each other hold the tool like a vice, with forces out of all proportion to the load. */
function pushesBeyondMeasure({ multiplier, activeCount }: HalfSpaces, target: Float64Array): boolean {
  let load = 0;
  for (let i = 0; i < 6; i += 1) load += target[i] * target[i];
  const most = LARGEST_FORCE * Math.sqrt(load) + LEAST_LOAD;
  for (let j = 0; j < activeCount; j += 1) if (multiplier[j] > most) return true;
  return false;
}

/** y − target, and whether it is more than rounding. */
function hasReaction({ space, workspace }: Manifold): boolean {
  const { target, reaction } = workspace;
  let square = 0;
  for (let i = 0; i < 6; i += 1) {
    reaction[i] = space.y[i] - target[i];
    square += reaction[i] * reaction[i];
  }
  return square > LEAST_REACTION * LEAST_REACTION;
}

/**
 * A tool that slides holds again when this part of kinetic friction is enough. Sliding ends next to the border of its
 * cone, on either side of it by rounding; with all of it the tool would stick and break loose by turns.
 */
const RELEASE = 0.998;

/** Replaces the motion without friction by the one with it. */
function applyFriction(manifold: Manifold, contacts: ToolContacts): void {
  const { space, friction, workspace } = manifold;
  const { way, pull } = workspace;
  const soft = manifold.squeezed;
  if (!soft && space.activeCount === 0) return;
  findNormalForces(manifold);
  const slid = manifold.sliding;
  writeDiscs(manifold, contacts, slid, slid ? RELEASE : 1);
  if (!(friction.contacts.totalRadius > LEAST_REACTION)) {
    manifold.sliding = true;
    return;
  }
  setActiveBasis(friction, space.basis, space.activeCount);
  setEnergy(manifold);
  pointOfPlanes(manifold, way);
  manifold.sliding = !holdByFriction(friction, way, pull);
  if (manifold.sliding) {
    writeDiscs(manifold, contacts, true, 1);
    way.set(space.y);
    slideByFriction(friction, way, pull);
  }
  if (soft) {
    space.y.set(way);
    return;
  }
  for (let i = 0; i < 6; i += 1) way[i] = workspace.target[i] - pull[i];
  if (manifold.sliding) dragViscously(manifold, way);
  // Friction may tip the tool, or lead it into other contacts.
  project(manifold, way);
  if (manifold.sliding && friction.capped) manifold.capped = true;
}

/** Spread over all that touch; of contacts that give way, those that push most. */
function findNormalForces({ space, soft, spread, workspace, options, squeezed }: Manifold): void {
  const { reaction, limits } = workspace;
  limits[GAP] = options.touchingGap;
  if (!squeezed) {
    spreadForces(spread, space, reaction, limits);
    return;
  }
  let pushing = 0;
  for (let c = 0; c < space.count; c += 1) if (soft.force[c] > 0) pushing += 1;
  const stride = Math.max(1, Math.ceil(pushing / MAX_SPREAD));
  let seen = 0;
  spread.count = 0;
  for (let c = 0; c < space.count && spread.count < MAX_SPREAD; c += 1) {
    if (!(soft.force[c] > 0)) continue;
    if (seen % stride === 0) {
      spread.index[spread.count] = c;
      spread.force[spread.count] = stride * soft.force[c];
      spread.count += 1;
    }
    seen += 1;
  }
}

/** The energy that friction works against: that of the coupling, and of contacts that give way. */
function setEnergy({ friction, soft, squeezed, workspace }: Manifold): void {
  if (squeezed) {
    friction.quadratic.set(soft.matrix);
    friction.load.set(soft.load);
    return;
  }
  friction.quadratic.fill(0);
  for (let i = 0; i < 6; i += 1) friction.quadratic[7 * i] = 1;
  friction.load.set(workspace.target);
}

/** G_i and μ_i u_i of the contacts that carry load. */
function writeDiscs(manifold: Manifold, { set }: ToolContacts, kinetic: boolean, part: number): void {
  const { spread, friction, source, staticCoefficient, kineticCoefficient, options, workspace, space } = manifold;
  const { grasp, normal, tangent } = workspace;
  const { map, radius, index } = friction.contacts;
  const perLength = 1 / Math.sqrt(options.torsionalStiffness / options.stiffness);
  let count = 0;
  for (let n = 0; n < spread.count; n += 1) {
    const half = spread.index[n];
    const coefficient = kinetic ? kineticCoefficient[half] : staticCoefficient[half];
    const bound = part * coefficient * spread.force[n];
    if (!(bound > 0)) continue;
    const c = source[half];
    for (let i = 0; i < 3; i += 1) normal[i] = space.columns[6 * half + i];
    writeTangents(tangent, normal, 0);
    const x = (set.arm[3 * c] - grasp[0]) * perLength;
    const y = (set.arm[3 * c + 1] - grasp[1]) * perLength;
    const z = (set.arm[3 * c + 2] - grasp[2]) * perLength;
    for (let side = 0; side < 2; side += 1) {
      const o = 12 * count + 6 * side;
      const tx = tangent[3 * side];
      const ty = tangent[3 * side + 1];
      const tz = tangent[3 * side + 2];
      map[o] = tx;
      map[o + 1] = ty;
      map[o + 2] = tz;
      map[o + 3] = y * tz - z * ty;
      map[o + 4] = z * tx - x * tz;
      map[o + 5] = x * ty - y * tx;
    }
    index[count] = c;
    radius[count] = bound;
    count += 1;
  }
  friction.contacts.count = count;
  scaleDiscs(friction);
}

/** The point of all active planes that is next to 0: (1 − P) y. */
function pointOfPlanes({ space, friction, squeezed }: Manifold, out: Float64Array): void {
  if (squeezed) {
    out.fill(0);
    return;
  }
  for (let i = 0; i < 6; i += 1) {
    out[i] = space.y[i];
    for (let j = 0; j < 6; j += 1) out[i] -= friction.free[6 * i + j] * space.y[j];
  }
}

/** Holds back a part of the motion along the contacts. */
function dragViscously({ friction, options, workspace }: Manifold, way: Float64Array): void {
  const { reaction } = workspace;
  applyMatrix6(reaction, 0, friction.free, way, 0);
  for (let i = 0; i < 6; i += 1) way[i] -= options.viscous * reaction[i];
}
