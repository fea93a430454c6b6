import { copyPose } from '../../math/pose.js';
import {
  addLinkJacobian,
  addLinkWrench,
  createPointLink,
  createRigidLoad,
  JACOBIAN_SIZE,
  type PointLink,
  placeLink,
  type RigidLoad,
} from '../../mechanics/point-load.js';
import { type RigidMotion, STATE_Q, STATE_SIZE } from '../../mechanics/rigid-motion.js';
import { MODEL_COUNT, MODEL_HEADER } from '../contact-model-header.js';
import type { ContactClusters } from './cluster-contacts.js';

/**
 * What the contact side tells the haptic side: one flat block of numbers, which can lie in shared memory. It holds the
 * contact wrench at the state it was found for, its derivative by the state (Otaduy, Lin, Eq. 33–42), and the clusters
 * one by one, so that each can be kept from pulling.
 *
 * Cluster, with n outward from the tool, r the point along the body's axes and p₀ a point of the plane:
 *
 *   f = k (n·(x + R r − p₀) + d) + b n·(v + ω × R r − v_e),   F = −f n,   T = R r × F     (Eq. 33)
 *
 * v_e is the velocity of the environment at the point, 0 in the paper. The environment stands where `MODEL_ENVIRONMENT`
 * says; whoever uses the model after it moved looks at the tool from there.
 */
export const MODEL_WRENCH = MODEL_HEADER;
export const MODEL_JACOBIAN = MODEL_WRENCH + 6;
export const MODEL_STATE = MODEL_JACOBIAN + JACOBIAN_SIZE;
/** Pose of the environment. */
export const MODEL_ENVIRONMENT = MODEL_STATE + STATE_SIZE;
const FIRST_CLUSTER = 112;

/** Within a cluster. */
const CLUSTER_P0 = 0;
export const CLUSTER_NORMAL = 3;
export const CLUSTER_R = 6;
export const CLUSTER_DEPTH = 9;
export const CLUSTER_SLOT = 10;
/** f at the state of the model, N; negative if it pulls. */
export const CLUSTER_FORCE = 11;
/** ∂f/∂y, 13 numbers. */
export const CLUSTER_GRADIENT = 12;
/** R r at the state of the model. */
export const CLUSTER_ARM = 25;
/** ∂(R r)/∂q, 3×4. */
export const CLUSTER_ARM_BY_Q = 28;
/** v_e */
export const CLUSTER_VELOCITY = 40;
/** Static and kinetic coefficient of friction. */
export const CLUSTER_FRICTION = 43;
const CLUSTER_STRIDE = 48;

export type ContactModel = Float64Array;

/** Numbers of a block with room for so many clusters. */
export function contactModelSize(maxClusters: number): number {
  return FIRST_CLUSTER + CLUSTER_STRIDE * maxClusters;
}

/** An empty contact model with room for so many clusters. */
export function createContactModel(maxClusters: number): ContactModel {
  return new Float64Array(contactModelSize(maxClusters));
}

/** Where cluster k begins. */
export function clusterAt(k: number): number {
  return FIRST_CLUSTER + CLUSTER_STRIDE * k;
}

/** How hard clusters push. */
export interface PenaltyLaw {
  /** k, N/m. */
  readonly stiffness: number;
  /** b, N s/m. */
  readonly damping: number;
  /** d, m. */
  readonly tolerance: number;
}

export interface ModelWriter {
  readonly law: PenaltyLaw;
  readonly link: PointLink;
  readonly load: RigidLoad;
  readonly total: RigidLoad;
}

export function createModelWriter(law: PenaltyLaw): ModelWriter {
  return { law, link: createPointLink(), load: createRigidLoad(), total: createRigidLoad() };
}

/**
 * Writes wrench, derivative, state and clusters. `motion` is that of y, with its derivatives; `environmentVelocity` holds
 * the velocity of the environment's origin, then its angular velocity.
 */
export function writeContactModel(
  model: ContactModel,
  writer: ModelWriter,
  clusters: ContactClusters,
  y: Float64Array,
  motion: RigidMotion,
  environment: Float64Array,
  environmentVelocity: Float64Array,
): void {
  const { load, total } = writer;
  total.wrench.fill(0);
  total.jacobian.fill(0);
  for (let k = 0; k < clusters.count; k += 1) {
    load.wrench.fill(0);
    load.jacobian.fill(0);
    writeCluster(model, writer, clusters, k, y, motion, environment, environmentVelocity);
    for (let i = 0; i < 6; i += 1) total.wrench[i] += load.wrench[i];
    for (let i = 0; i < JACOBIAN_SIZE; i += 1) total.jacobian[i] += load.jacobian[i];
  }
  model[MODEL_COUNT] = clusters.count;
  for (let i = 0; i < 6; i += 1) model[MODEL_WRENCH + i] = total.wrench[i];
  for (let i = 0; i < JACOBIAN_SIZE; i += 1) model[MODEL_JACOBIAN + i] = total.jacobian[i];
  for (let i = 0; i < STATE_SIZE; i += 1) model[MODEL_STATE + i] = y[i];
  copyPose(model, MODEL_ENVIRONMENT, environment, 0);
}

function writeCluster(
  model: ContactModel,
  writer: ModelWriter,
  clusters: ContactClusters,
  k: number,
  y: Float64Array,
  motion: RigidMotion,
  environment: Float64Array,
  environmentVelocity: Float64Array,
): void {
  const { link, load } = writer;
  const at = clusterAt(k);
  writePlane(model, at, clusters, k, y, motion);
  writeSurfaceVelocity(model, at, clusters, k, environment, environmentVelocity);
  for (let i = 0; i < 3; i += 1) link.point[i] = model[at + CLUSTER_R + i];
  placeLink(link, motion);
  setPenalty(model, at, writer, y, motion);
  addLinkWrench(load.wrench, link);
  addLinkJacobian(load.jacobian, link, motion);
  for (let j = 0; j < STATE_SIZE; j += 1) {
    // ∂F = −n ∂f
    let slope = 0;
    for (let i = 0; i < 3; i += 1) slope -= model[at + CLUSTER_NORMAL + i] * load.jacobian[STATE_SIZE * i + j];
    model[at + CLUSTER_GRADIENT + j] = slope;
  }
  for (let i = 0; i < 3; i += 1) model[at + CLUSTER_ARM + i] = link.arm[i];
  for (let i = 0; i < 12; i += 1) model[at + CLUSTER_ARM_BY_Q + i] = link.workspace.armByQ[i];
}

/** Eq. 32, and r = Rᵀ (p − x). */
function writePlane(
  model: ContactModel,
  at: number,
  { position, normal, depth, slot, coefficient }: ContactClusters,
  k: number,
  y: Float64Array,
  { rotation: R }: RigidMotion,
): void {
  for (let i = 0; i < 3; i += 1) {
    model[at + CLUSTER_NORMAL + i] = normal[3 * k + i];
    model[at + CLUSTER_P0 + i] = position[3 * k + i] - depth[k] * normal[3 * k + i];
    model[at + CLUSTER_R + i] =
      R[i] * (position[3 * k] - y[0]) +
      R[3 + i] * (position[3 * k + 1] - y[1]) +
      R[6 + i] * (position[3 * k + 2] - y[2]);
  }
  model[at + CLUSTER_DEPTH] = depth[k];
  model[at + CLUSTER_SLOT] = slot[k];
  model[at + CLUSTER_FRICTION] = coefficient[2 * k];
  model[at + CLUSTER_FRICTION + 1] = coefficient[2 * k + 1];
}

function writeSurfaceVelocity(
  model: ContactModel,
  at: number,
  { position }: ContactClusters,
  k: number,
  environment: Float64Array,
  velocity: Float64Array,
): void {
  const x = position[3 * k] - environment[0];
  const y = position[3 * k + 1] - environment[1];
  const z = position[3 * k + 2] - environment[2];
  model[at + CLUSTER_VELOCITY] = velocity[0] + velocity[4] * z - velocity[5] * y;
  model[at + CLUSTER_VELOCITY + 1] = velocity[1] + velocity[5] * x - velocity[3] * z;
  model[at + CLUSTER_VELOCITY + 2] = velocity[2] + velocity[3] * y - velocity[4] * x;
}

/** Eq. 33. */
function setPenalty(
  model: ContactModel,
  at: number,
  { law, link }: ModelWriter,
  y: Float64Array,
  { velocity: v, turning: w }: RigidMotion,
): void {
  const { arm, force, stiffness, damping } = link;
  const vx = v[0] + w[1] * arm[2] - w[2] * arm[1] - model[at + CLUSTER_VELOCITY];
  const vy = v[1] + w[2] * arm[0] - w[0] * arm[2] - model[at + CLUSTER_VELOCITY + 1];
  const vz = v[2] + w[0] * arm[1] - w[1] * arm[0] - model[at + CLUSTER_VELOCITY + 2];
  const n = at + CLUSTER_NORMAL;
  let depth = law.tolerance;
  for (let i = 0; i < 3; i += 1) depth += model[n + i] * (y[i] + arm[i] - model[at + CLUSTER_P0 + i]);
  const f = law.stiffness * depth + law.damping * (model[n] * vx + model[n + 1] * vy + model[n + 2] * vz);
  model[at + CLUSTER_FORCE] = f;
  for (let i = 0; i < 3; i += 1) {
    force[i] = -f * model[n + i];
    for (let j = 0; j < 3; j += 1) {
      const projector = model[n + i] * model[n + j];
      stiffness[3 * i + j] = law.stiffness * projector;
      damping[3 * i + j] = law.damping * projector;
    }
  }
}

/** y − y₀ with both quaternions in one hemisphere. */
export function stateDifference(out: Float64Array, y: Float64Array, model: ContactModel): void {
  let inner = 0;
  for (let i = 0; i < 4; i += 1) inner += y[STATE_Q + i] * model[MODEL_STATE + STATE_Q + i];
  const sign = inner < 0 ? -1 : 1;
  for (let i = 0; i < STATE_SIZE; i += 1) out[i] = y[i] - model[MODEL_STATE + i];
  for (let i = STATE_Q; i < STATE_Q + 4; i += 1) out[i] = sign * y[i] - model[MODEL_STATE + i];
}
