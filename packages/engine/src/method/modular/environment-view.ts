import { applyTransposed } from '../../math/matrices.js';
import { composePose, copyPose, type Pose, relativePose, rotationMatrix } from '../../math/pose.js';
import type { RigidLoad } from '../../mechanics/point-load.js';
import {
  createRigidMotion,
  differentiateMotion,
  type RigidBody,
  type RigidMotion,
  STATE_L,
  STATE_P,
  STATE_Q,
  STATE_SIZE,
  updateMotion,
} from '../../mechanics/rigid-motion.js';
import { type ContactModel, MODEL_ENVIRONMENT } from './contact-model.js';

/**
 * A contact model of a moving environment goes with it: the tool is looked at from where the environment was when the
 * model was made, y′ = D⁻¹ y, and the wrench is turned back. For an environment that stands nothing is done.
 */
export interface EnvironmentView {
  moved: boolean;
  readonly state: Float64Array;
  readonly motion: RigidMotion;
  /** D⁻¹ as a pose. */
  readonly back: Pose;
  /** Rotation of D, 3×3. */
  readonly rotation: Float64Array;
  readonly load: RigidLoad;
  readonly workspace: { readonly origin: Pose; readonly pose: Pose; readonly row: Float64Array };
}

export function createEnvironmentView(body: RigidBody): EnvironmentView {
  return {
    moved: false,
    state: new Float64Array(STATE_SIZE),
    motion: createRigidMotion(body),
    back: new Float64Array(7),
    rotation: new Float64Array(9),
    load: { wrench: new Float64Array(6), jacobian: new Float64Array(6 * STATE_SIZE) },
    workspace: { origin: new Float64Array(7), pose: new Float64Array(7), row: new Float64Array(STATE_SIZE) },
  };
}

/** Once per step: how far the environment is from where the model has it. */
export function aimView(view: EnvironmentView, model: ContactModel, environment: Pose): void {
  const { back, rotation, workspace } = view;
  const { origin, pose } = workspace;
  view.moved = false;
  for (let i = 0; i < 7; i += 1) {
    origin[i] = model[MODEL_ENVIRONMENT + i];
    if (origin[i] !== environment[i]) view.moved = true;
  }
  if (!view.moved) return;
  // D⁻¹ = E₀ E⁻¹
  pose.fill(0);
  pose[6] = 1;
  relativePose(back, environment, pose);
  composePose(back, origin, back);
  // E and −E are the same rotation, but the state's quaternion must not change its hemisphere.
  if (back[6] < 0) for (let i = 3; i < 7; i += 1) back[i] = -back[i];
  rotationMatrix(rotation, back);
  transpose(rotation);
}

function transpose(m: Float64Array): void {
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < i; j += 1) {
      const swap = m[3 * i + j];
      m[3 * i + j] = m[3 * j + i];
      m[3 * j + i] = swap;
    }
  }
}

/** y′ and its motion. */
export function lookBack(view: EnvironmentView, y: Float64Array, wantsJacobian: boolean): void {
  const { state, rotation: D, back, workspace } = view;
  const { pose } = workspace;
  copyPose(pose, 0, y, 0);
  composePose(pose, back, pose);
  copyPose(state, 0, pose, 0);
  applyTransposed(state, STATE_P, D, y, STATE_P);
  applyTransposed(state, STATE_L, D, y, STATE_L);
  updateMotion(view.motion, state);
  if (wantsJacobian) differentiateMotion(view.motion, state);
}

/** Turns `view.load`, found at y′, into the world as it is now. */
export function turnLoad(view: EnvironmentView, wantsJacobian: boolean): void {
  const { load, rotation: D } = view;
  const { wrench, jacobian } = load;
  turnRows(wrench, D, 1, 0);
  if (!wantsJacobian) return;
  for (let j = 0; j < STATE_SIZE; j += 1) turnRows(jacobian, D, STATE_SIZE, j);
  for (let r = 0; r < 6; r += 1) {
    turnColumns(view, STATE_SIZE * r);
    turnColumns(view, STATE_SIZE * r + STATE_P);
    turnColumns(view, STATE_SIZE * r + STATE_L);
    turnQuaternionColumns(view, STATE_SIZE * r + STATE_Q);
  }
}

/** D times force and torque of one column. */
function turnRows(m: Float64Array, D: Float64Array, stride: number, column: number): void {
  for (let half = 0; half < 2; half += 1) {
    const o = 3 * half * stride + column;
    const a = m[o];
    const b = m[o + stride];
    const c = m[o + 2 * stride];
    m[o] = D[0] * a + D[1] * b + D[2] * c;
    m[o + stride] = D[3] * a + D[4] * b + D[5] * c;
    m[o + 2 * stride] = D[6] * a + D[7] * b + D[8] * c;
  }
}

/** Three numbers of a row times Dᵀ. */
function turnColumns({ load, rotation: D }: EnvironmentView, at: number): void {
  const m = load.jacobian;
  const a = m[at];
  const b = m[at + 1];
  const c = m[at + 2];
  for (let j = 0; j < 3; j += 1) m[at + j] = a * D[3 * j] + b * D[3 * j + 1] + c * D[3 * j + 2];
}

/** Four numbers of a row times the matrix of q ↦ d q, d the quaternion of D⁻¹. */
function turnQuaternionColumns({ load, back }: EnvironmentView, at: number): void {
  const m = load.jacobian;
  const a = m[at];
  const b = m[at + 1];
  const c = m[at + 2];
  const e = m[at + 3];
  const x = back[3];
  const y = back[4];
  const z = back[5];
  const w = back[6];
  m[at] = w * a + z * b - y * c - x * e;
  m[at + 1] = -z * a + w * b + x * c - y * e;
  m[at + 2] = y * a - x * b + w * c - z * e;
  m[at + 3] = x * a + y * b + z * c + w * e;
}
