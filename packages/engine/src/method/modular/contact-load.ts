import { FRICTION_NONE, FRICTION_SLIP, FRICTION_STICK } from '../../friction/friction-model.js';
import type { Pose } from '../../math/pose.js';
import { rotationMatrix } from '../../math/pose.js';
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
import { type RigidBody, type RigidMotion, STATE_Q, STATE_SIZE } from '../../mechanics/rigid-motion.js';
import { type ContactFade, createContactFade, fadeContact, resetFade } from '../contact-fade.js';
import { MODEL_COUNT } from '../contact-model-header.js';
import {
  CLUSTER_ARM,
  CLUSTER_ARM_BY_Q,
  CLUSTER_FORCE,
  CLUSTER_FRICTION,
  CLUSTER_GRADIENT,
  CLUSTER_NORMAL,
  CLUSTER_R,
  CLUSTER_SLOT,
  CLUSTER_VELOCITY,
  type ContactModel,
  clusterAt,
  MODEL_JACOBIAN,
  MODEL_STATE,
  MODEL_WRENCH,
  stateDifference,
} from './contact-model.js';
import { aimView, createEnvironmentView, type EnvironmentView, lookBack, turnLoad } from './environment-view.js';

/**
 * The contact wrench as the haptic side has it between two updates of the contact side.
 *
 * Normal forces: the linearised model F(y) = F₀ + ∂F/∂y (y − y₀) (Otaduy, Lin, Eq. 42), or F₀ held until the next
 * update. A cluster whose extrapolated force would pull is taken out of the sum, so that nothing sticks.
 *
 * Friction, which the paper leaves to others: every cluster is tied to an anchor a of the environment by a spring and a
 * damper along its plane, F_t = −(1 − nnᵀ)(k_t (p − a) + b_t ṗ), cut to length μ f; when the spring alone is longer than
 * that, the anchor is dragged along. Its derivative is that of Eq. 34–41 with 1 − nnᵀ in place of N; of a friction force
 * that is cut, the part across its direction. That f changes during the step is left out of the derivative. What is
 * remembered is the stretch p − a of each cluster's slot, along the environment's axes: clusters move over the tool as
 * contacts come and go, and that must not pull.
 *
 * A model that grows old is no longer true: after `fadeAfter` seconds without a new one its load fades to nothing, and
 * comes back within twice `recovery` seconds.
 */
export interface ContactLoadOptions {
  /** Whether forces follow the tool between two updates. */
  readonly linearised: boolean;
  /** Whether a force that is held still has its derivative in the implicit step. */
  readonly heldJacobian: boolean;
  /** k_t, N/m, and b_t, N s/m. */
  readonly tangentialStiffness: number;
  readonly tangentialDamping: number;
  readonly fadeAfter: number;
  /** Time constant of fading, s. */
  readonly fadeTime: number;
  readonly recovery: number;
}

export interface ContactLoad {
  readonly options: ContactLoadOptions;
  readonly view: EnvironmentView;
  /** By cluster of the model, as last evaluated: f clamped, N; friction on the tool, N, world frame of the model. */
  readonly normalForce: Float64Array;
  readonly friction: Float64Array;
  /** One of the `FRICTION_…` constants, at the end of the last step. */
  readonly state: Uint8Array;
  /** By slot. */
  readonly stretch: Float64Array;
  readonly sliding: Uint8Array;
  readonly seen: Uint8Array;
  readonly anchor: Float64Array;
  /** Part of the load that counts. */
  readonly fade: ContactFade;
  /**
   * Seconds by which the environment is ahead of the state, one number: within a step it is already where it will be at
   * the end, and the tool is not. Whether a cluster lets go or slips is judged as if it were not ahead.
   */
  readonly lead: Float64Array;
  /** At the end of the last step, if there were clusters. */
  readonly lastEnvironment: Pose;
  environmentKnown: boolean;
  readonly workspace: {
    readonly load: RigidLoad;
    readonly link: PointLink;
    readonly difference: Float64Array;
    readonly environmentRotation: Float64Array;
    readonly slotSeen: Uint8Array;
    readonly tangential: Float64Array;
  };
}

export function createContactLoad(body: RigidBody, maxClusters: number, options: ContactLoadOptions): ContactLoad {
  return {
    options,
    view: createEnvironmentView(body),
    normalForce: new Float64Array(maxClusters),
    friction: new Float64Array(3 * maxClusters),
    state: new Uint8Array(maxClusters),
    stretch: new Float64Array(3 * maxClusters),
    sliding: new Uint8Array(maxClusters),
    seen: new Uint8Array(maxClusters),
    anchor: new Float64Array(3 * maxClusters),
    fade: createContactFade(),
    lead: Float64Array.of(0),
    lastEnvironment: new Float64Array(7),
    environmentKnown: false,
    workspace: {
      load: createRigidLoad(),
      link: createPointLink(),
      difference: new Float64Array(STATE_SIZE),
      environmentRotation: new Float64Array(9),
      slotSeen: new Uint8Array(maxClusters),
      tangential: new Float64Array(3),
    },
  };
}

export function forgetContactLoad(contact: ContactLoad): void {
  contact.stretch.fill(0);
  contact.sliding.fill(0);
  contact.seen.fill(0);
  contact.state.fill(FRICTION_NONE);
  resetFade(contact.fade);
  contact.environmentKnown = false;
}

/** Before the step: age of the model, place of the environment, anchors of friction. */
export function beginContactStep(
  contact: ContactLoad,
  model: ContactModel,
  y: Float64Array,
  motion: RigidMotion,
  environment: Pose,
  timeStep: Float64Array,
): void {
  const { seen, view, workspace, lastEnvironment } = contact;
  fadeContact(contact.fade, model, contact.options, timeStep);
  if (model[MODEL_COUNT] === 0) {
    seen.fill(0);
    contact.environmentKnown = false;
    return;
  }
  // Anchors stay in the environment: the stretch is from where that was at the end of the last step.
  if (!contact.environmentKnown) lastEnvironment.set(environment);
  aimView(view, model, lastEnvironment);
  rotationMatrix(workspace.environmentRotation, view.workspace.origin);
  if (view.moved) lookBack(view, y, false);
  workspace.slotSeen.fill(0);
  for (let k = 0; k < model[MODEL_COUNT]; k += 1) {
    workspace.slotSeen[model[clusterAt(k) + CLUSTER_SLOT] | 0] = 1;
    setAnchor(contact, model, k, view.moved ? view.state : y, view.moved ? view.motion : motion);
  }
  for (let slot = 0; slot < seen.length; slot += 1) seen[slot] = workspace.slotSeen[slot];
  aimView(view, model, environment);
  contact.lead[0] = isSamePose(environment, lastEnvironment) ? 0 : timeStep[0];
  lastEnvironment.set(environment);
  contact.environmentKnown = true;
}

function isSamePose(a: Pose, b: Pose): boolean {
  for (let i = 0; i < 7; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** a = p − stretch; a slot that was empty starts without stretch. */
function setAnchor(contact: ContactLoad, model: ContactModel, k: number, y: Float64Array, motion: RigidMotion): void {
  const { anchor, stretch, sliding, seen, workspace } = contact;
  const { link, environmentRotation: E } = workspace;
  const at = clusterAt(k);
  const slot = model[at + CLUSTER_SLOT] | 0;
  if (seen[slot] === 0) {
    sliding[slot] = 0;
    for (let i = 0; i < 3; i += 1) stretch[3 * slot + i] = 0;
  }
  placeCluster(link, model, at, motion);
  for (let i = 0; i < 3; i += 1) {
    anchor[3 * k + i] =
      y[i] +
      link.arm[i] -
      E[3 * i] * stretch[3 * slot] -
      E[3 * i + 1] * stretch[3 * slot + 1] -
      E[3 * i + 2] * stretch[3 * slot + 2];
  }
}

function placeCluster(link: PointLink, model: ContactModel, at: number, motion: RigidMotion): void {
  for (let i = 0; i < 3; i += 1) link.point[i] = model[at + CLUSTER_R + i];
  placeLink(link, motion);
}

/** Adds the contact wrench at state y, and its derivative if wanted. */
export function addContact(
  out: RigidLoad,
  contact: ContactLoad,
  model: ContactModel,
  y: Float64Array,
  motion: RigidMotion,
  wantsJacobian: boolean,
): void {
  if (model[MODEL_COUNT] === 0) return;
  const { view, fade } = contact;
  const load = view.moved ? view.load : contact.workspace.load;
  if (view.moved) lookBack(view, y, wantsJacobian);
  const state = view.moved ? view.state : y;
  const own = view.moved ? view.motion : motion;
  writeNormalLoad(load, contact, model, state, wantsJacobian);
  for (let k = 0; k < model[MODEL_COUNT]; k += 1) {
    addFriction(load, contact, model, k, state, own, wantsJacobian);
  }
  if (view.moved) turnLoad(view, wantsJacobian);
  for (let i = 0; i < 6; i += 1) out.wrench[i] += fade.gain[0] * load.wrench[i];
  if (!wantsJacobian) return;
  for (let i = 0; i < JACOBIAN_SIZE; i += 1) out.jacobian[i] += fade.gain[0] * load.jacobian[i];
}

/** Eq. 42, without the clusters that would pull. */
function writeNormalLoad(
  load: RigidLoad,
  contact: ContactLoad,
  model: ContactModel,
  y: Float64Array,
  wantsJacobian: boolean,
): void {
  const { options, workspace, normalForce, lead } = contact;
  const { difference } = workspace;
  const { wrench, jacobian } = load;
  stateDifference(difference, y, model);
  if (!options.linearised) difference.fill(0);
  for (let r = 0; r < 6; r += 1) {
    let sum = model[MODEL_WRENCH + r];
    const row = MODEL_JACOBIAN + STATE_SIZE * r;
    for (let j = 0; j < STATE_SIZE; j += 1) sum += model[row + j] * difference[j];
    wrench[r] = sum;
  }
  const derived = wantsJacobian && (options.linearised || options.heldJacobian);
  if (derived) for (let i = 0; i < JACOBIAN_SIZE; i += 1) jacobian[i] = model[MODEL_JACOBIAN + i];
  else jacobian.fill(0);
  for (let k = 0; k < model[MODEL_COUNT]; k += 1) {
    const at = clusterAt(k);
    let f = model[at + CLUSTER_FORCE];
    for (let j = 0; j < STATE_SIZE; j += 1) f += model[at + CLUSTER_GRADIENT + j] * difference[j];
    normalForce[k] = f;
    for (let i = 0; i < 3; i += 1) {
      f += lead[0] * model[at + CLUSTER_GRADIENT + i] * model[at + CLUSTER_VELOCITY + i];
    }
    if (f < 0) removeCluster(load, contact, model, k, derived);
    normalForce[k] = Math.max(0, f);
  }
  if (derived && isOtherHemisphere(y, model)) flipQuaternionColumns(jacobian);
}

/** Takes the linearised share of cluster k out: F = −f n, T = R₀r × F + (∂(R r) Δq) × F₀. */
function removeCluster(
  { wrench, jacobian }: RigidLoad,
  { normalForce, workspace }: ContactLoad,
  model: ContactModel,
  k: number,
  derived: boolean,
): void {
  const { difference } = workspace;
  const at = clusterAt(k);
  const f = normalForce[k];
  const f0 = model[at + CLUSTER_FORCE];
  for (let i = 0; i < 3; i += 1) {
    const j = (i + 1) % 3;
    const l = (i + 2) % 3;
    const nj = model[at + CLUSTER_NORMAL + j];
    const nl = model[at + CLUSTER_NORMAL + l];
    const n = model[at + CLUSTER_NORMAL + i];
    const lever = model[at + CLUSTER_ARM + j] * nl - model[at + CLUSTER_ARM + l] * nj;
    wrench[i] += f * n;
    wrench[3 + i] += f * lever;
    if (derived) {
      for (let s = 0; s < STATE_SIZE; s += 1) {
        const slope = model[at + CLUSTER_GRADIENT + s];
        jacobian[STATE_SIZE * i + s] += slope * n;
        jacobian[STATE_SIZE * (3 + i) + s] += slope * lever;
      }
    }
    for (let s = 0; s < 4; s += 1) {
      const turned =
        f0 * (model[at + CLUSTER_ARM_BY_Q + 4 * j + s] * nl - model[at + CLUSTER_ARM_BY_Q + 4 * l + s] * nj);
      wrench[3 + i] += turned * difference[STATE_Q + s];
      if (derived) jacobian[STATE_SIZE * (3 + i) + STATE_Q + s] += turned;
    }
  }
}

function isOtherHemisphere(y: Float64Array, model: ContactModel): boolean {
  const at = MODEL_STATE + STATE_Q;
  return (
    y[STATE_Q] * model[at] +
      y[STATE_Q + 1] * model[at + 1] +
      y[STATE_Q + 2] * model[at + 2] +
      y[STATE_Q + 3] * model[at + 3] <
    0
  );
}

function flipQuaternionColumns(jacobian: Float64Array): void {
  for (let r = 0; r < 6; r += 1) {
    for (let k = 0; k < 4; k += 1) jacobian[STATE_SIZE * r + STATE_Q + k] *= -1;
  }
}

const NO_LEAD = new Float64Array(1);

function addFriction(
  load: RigidLoad,
  contact: ContactLoad,
  model: ContactModel,
  k: number,
  y: Float64Array,
  motion: RigidMotion,
  wantsJacobian: boolean,
): void {
  const { options, workspace, friction, sliding, normalForce } = contact;
  const { link } = workspace;
  const { force, stiffness, damping } = link;
  const at = clusterAt(k);
  const slot = model[at + CLUSTER_SLOT] | 0;
  const bound = model[at + CLUSTER_FRICTION + sliding[slot]] * normalForce[k];
  for (let i = 0; i < 3; i += 1) friction[3 * k + i] = 0;
  if (!(bound > 0)) return;
  placeCluster(link, model, at, motion);
  writeTrialForce(contact, model, k, y, motion, contact.lead);
  const size = Math.sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
  const slips = size > bound;
  const part = slips ? bound / size : 1;
  if (!slips && contact.lead[0] > 0) writeTrialForce(contact, model, k, y, motion, NO_LEAD);
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      let projector = -model[at + CLUSTER_NORMAL + i] * model[at + CLUSTER_NORMAL + j];
      if (i === j) projector += 1;
      if (slips) projector -= (force[i] / size) * (force[j] / size);
      stiffness[3 * i + j] = part * options.tangentialStiffness * projector;
      damping[3 * i + j] = part * options.tangentialDamping * projector;
    }
  }
  for (let i = 0; i < 3; i += 1) {
    force[i] *= part;
    friction[3 * k + i] = force[i];
  }
  addLinkWrench(load.wrench, link);
  if (wantsJacobian) addLinkJacobian(load.jacobian, link, motion);
}

/** −(1 − nnᵀ)(k_t (p − a) + b_t (ṗ − v_e)) into the link's force. Needs `placeCluster` before. */
function writeTrialForce(
  { options, workspace, anchor }: ContactLoad,
  model: ContactModel,
  k: number,
  y: Float64Array,
  { velocity: v, turning: w }: RigidMotion,
  lead: Float64Array,
): void {
  const { arm, force } = workspace.link;
  const { tangentialStiffness: stiff, tangentialDamping: damp } = options;
  const at = clusterAt(k);
  for (let i = 0; i < 3; i += 1) {
    const j = (i + 1) % 3;
    const l = (i + 2) % 3;
    const surface = model[at + CLUSTER_VELOCITY + i];
    const speed = v[i] + w[j] * arm[l] - w[l] * arm[j] - surface;
    force[i] = -stiff * (y[i] + arm[i] + lead[0] * surface - anchor[3 * k + i]) - damp * speed;
  }
  let along = 0;
  for (let i = 0; i < 3; i += 1) along += model[at + CLUSTER_NORMAL + i] * force[i];
  for (let i = 0; i < 3; i += 1) force[i] -= along * model[at + CLUSTER_NORMAL + i];
}

/** After the step: remembers the stretch of each slot, drags the anchors of those that slip, says which do. */
export function endContactStep(contact: ContactLoad, model: ContactModel, y: Float64Array, motion: RigidMotion): void {
  if (model[MODEL_COUNT] === 0) return;
  const { view } = contact;
  contact.lead[0] = 0;
  if (view.moved) lookBack(view, y, false);
  const state = view.moved ? view.state : y;
  writeNormalLoad(view.load, contact, model, state, false);
  for (let k = 0; k < model[MODEL_COUNT]; k += 1) {
    keepStretch(contact, model, k, state, view.moved ? view.motion : motion);
  }
}

function keepStretch(contact: ContactLoad, model: ContactModel, k: number, y: Float64Array, motion: RigidMotion): void {
  const { options, workspace, anchor, stretch, sliding, normalForce, state, friction } = contact;
  const { link, environmentRotation: E, tangential: e } = workspace;
  const at = clusterAt(k);
  const slot = model[at + CLUSTER_SLOT] | 0;
  const bound = model[at + CLUSTER_FRICTION + sliding[slot]] * normalForce[k];
  placeCluster(link, model, at, motion);
  let along = 0;
  for (let i = 0; i < 3; i += 1) {
    e[i] = y[i] + link.arm[i] - anchor[3 * k + i];
    along += e[i] * model[at + CLUSTER_NORMAL + i];
  }
  for (let i = 0; i < 3; i += 1) e[i] -= along * model[at + CLUSTER_NORMAL + i];
  const pull = options.tangentialStiffness * Math.sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
  const slips = pull > bound;
  const part = slips ? bound / pull : 1;
  sliding[slot] = slips && normalForce[k] > 0 ? 1 : 0;
  state[k] = !(normalForce[k] > 0) ? FRICTION_NONE : slips || bound === 0 ? FRICTION_SLIP : FRICTION_STICK;
  for (let i = 0; i < 3; i += 1) {
    friction[3 * k + i] = -part * options.tangentialStiffness * e[i];
    stretch[3 * slot + i] = part * (E[i] * e[0] + E[3 + i] * e[1] + E[6 + i] * e[2]);
  }
}
