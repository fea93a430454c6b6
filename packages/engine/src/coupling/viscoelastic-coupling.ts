import type { Pose } from '../math/pose.js';
import {
  addLinkJacobian,
  addLinkWrench,
  createPointLink,
  type PointLink,
  placeLink,
  type RigidLoad,
} from '../mechanics/point-load.js';
import { type RigidMotion, STATE_L, STATE_Q, STATE_SIZE } from '../mechanics/rigid-motion.js';
import { createDeviceMotion, type DeviceMotion, followMotion, forgetMotion } from './device-motion.js';
import { addSpring, createSpringLaw, type SpringLaw } from './spring-law.js';

/**
 * The link between device and tool (Otaduy, Lin, Eq. 13–27), with c the grasp point from the centre of mass, along the
 * body's axes, and q_c the orientation of the device in the tool's frame:
 *
 *   F = φ(x_h − x − R c) + b_c (v_h − v − ω × R c)
 *   T = R c × F + φ_θ(u_c) + b_θ (ω_h − ω),   u_c = log(q_h q_c⁻¹ q⁻¹), the shorter rotation
 *
 * φ is a spring that saturates (`spring-law.ts`). Only springs saturate: damping takes energy out at any force.
 *
 * Where we deviate: u_c is the whole rotation vector. Eq. 15 as printed is not normalised, and its stiffness would vanish
 * where device and tool agree. The device's velocity is the difference of its last two poses, filtered; it may be taken
 * as zero instead, which damps the tool against the room rather than against the hand.
 */
export interface ViscoelasticCoupling {
  readonly spring: SpringLaw;
  readonly turnSpring: SpringLaw;
  /** b_c, N s/m. */
  readonly damping: number;
  /** b_θ, N m s/rad. */
  readonly torsionalDamping: number;
  /** c is `link.point`. */
  readonly link: PointLink;
  /** q_c, in numbers 3 to 6 of a pose. */
  readonly orientation: Pose;
  /** The grasp point in the device's frame: the same as in the tool's body frame. */
  readonly devicePoint: Float64Array;
  readonly device: DeviceMotion;
  readonly workspace: {
    readonly quaternion: Float64Array;
    readonly turn: Float64Array;
    readonly rotationByQ: Float64Array;
    readonly rotationStiffness: Float64Array;
    readonly deviation: Float64Array;
    readonly torque: Float64Array;
  };
}

export interface ViscoelasticCouplingOptions {
  /** k_c, N/m, and k_θ, N m/rad. */
  readonly stiffness: number;
  readonly torsionalStiffness: number;
  readonly damping: number;
  readonly torsionalDamping: number;
  /** N and N m at which the springs saturate; null for never. */
  readonly maxForce: number | null;
  readonly maxTorque: number | null;
  /** s; null for a device whose velocity is taken as zero. */
  readonly velocityFilter: number | null;
}

/** `graspPoint` and `centre` (of mass) in the tool's body frame. */
export function createViscoelasticCoupling(
  options: ViscoelasticCouplingOptions,
  graspPoint: readonly [number, number, number],
  centre: readonly [number, number, number],
): ViscoelasticCoupling {
  const link = createPointLink();
  for (let i = 0; i < 3; i += 1) {
    link.point[i] = graspPoint[i] - centre[i];
    link.damping[4 * i] = options.damping;
  }
  const orientation = new Float64Array(7);
  orientation[6] = 1;
  return {
    spring: createSpringLaw(options.stiffness, options.maxForce),
    turnSpring: createSpringLaw(options.torsionalStiffness, options.maxTorque),
    damping: options.damping,
    torsionalDamping: options.torsionalDamping,
    link,
    orientation,
    devicePoint: Float64Array.from(graspPoint),
    device: createDeviceMotion(options.velocityFilter),
    workspace: {
      quaternion: new Float64Array(4),
      turn: new Float64Array(3),
      rotationByQ: new Float64Array(12),
      rotationStiffness: new Float64Array(9),
      deviation: new Float64Array(3),
      torque: new Float64Array(3),
    },
  };
}

/** Takes the device's pose of this cycle. `timeStep` holds one number. */
export function followDevice({ device, devicePoint }: ViscoelasticCoupling, pose: Pose, timeStep: Float64Array): void {
  followMotion(device, devicePoint, pose, timeStep);
}

export function forgetDevice({ device }: ViscoelasticCoupling): void {
  forgetMotion(device);
}

/** Adds force and torque on the tool at state y; with `wantsJacobian` their derivatives, too. */
export function addCoupling(
  load: RigidLoad,
  coupling: ViscoelasticCoupling,
  y: Float64Array,
  motion: RigidMotion,
  wantsJacobian: boolean,
): void {
  const { link, device, damping, torsionalDamping, spring, turnSpring, workspace } = coupling;
  const { deviation, turn, torque, rotationStiffness } = workspace;
  const { velocity: v, turning: w } = motion;
  const { arm, force } = link;
  placeLink(link, motion);
  for (let i = 0; i < 3; i += 1) {
    deviation[i] = device.point[i] - y[i] - arm[i];
    force[i] = damping * (device.velocity[i] - v[i]);
    torque[i] = torsionalDamping * (device.velocity[3 + i] - w[i]);
  }
  force[0] -= damping * (w[1] * arm[2] - w[2] * arm[1]);
  force[1] -= damping * (w[2] * arm[0] - w[0] * arm[2]);
  force[2] -= damping * (w[0] * arm[1] - w[1] * arm[0]);
  addSpring(force, link.stiffness, spring, deviation);
  measureTurn(coupling, y);
  addSpring(torque, rotationStiffness, turnSpring, turn);
  addLinkWrench(load.wrench, link);
  for (let i = 0; i < 3; i += 1) load.wrench[3 + i] += torque[i];
  if (!wantsJacobian) return;
  addLinkJacobian(load.jacobian, link, motion);
  addTurnJacobian(load.jacobian, coupling, motion);
}

/** k_θ ∂u_c/∂q − b_θ ∂ω/∂q, and −b_θ ∂ω/∂L. */
function addTurnJacobian(
  jacobian: Float64Array,
  { workspace, torsionalDamping }: ViscoelasticCoupling,
  { turningByQ, mobility }: RigidMotion,
): void {
  const { rotationByQ, rotationStiffness } = workspace;
  for (let i = 0; i < 3; i += 1) {
    const row = (3 + i) * STATE_SIZE;
    for (let k = 0; k < 4; k += 1) {
      jacobian[row + STATE_Q + k] +=
        rotationStiffness[3 * i] * rotationByQ[k] +
        rotationStiffness[3 * i + 1] * rotationByQ[4 + k] +
        rotationStiffness[3 * i + 2] * rotationByQ[8 + k] -
        torsionalDamping * turningByQ[4 * i + k];
    }
    for (let j = 0; j < 3; j += 1) jacobian[row + STATE_L + j] -= torsionalDamping * mobility[3 * i + j];
  }
}

/** How often the angle is halved before the series of the arc sine is summed. */
const HALVINGS = 4;
/** Below this sin² of half the angle the derivative of f is summed as a series: the quotient would cancel. */
const SMALL = 1e-3;

/**
 * u_c = f Δq_xyz and ∂u_c/∂q = f C₁₂₃ + f′ Δq_xyz C₄, with Δq = C q and f = 2 acos(Δq_s) / √(1 − Δq_s²). Without the
 * host's arc cosine, whose last bit differs between hosts.
 */
function measureTurn({ device, orientation, workspace }: ViscoelasticCoupling, y: Float64Array): void {
  const { quaternion: p, turn, rotationByQ } = workspace;
  writeTarget(p, device.pose, orientation);
  const qx = y[STATE_Q];
  const qy = y[STATE_Q + 1];
  const qz = y[STATE_Q + 2];
  const qs = y[STATE_Q + 3];
  if (p[0] * qx + p[1] * qy + p[2] * qz + p[3] * qs < 0) for (let i = 0; i < 4; i += 1) p[i] = -p[i];
  const a = p[0];
  const b = p[1];
  const c = p[2];
  const d = p[3];
  const x = -d * qx + c * qy - b * qz + a * qs;
  const z = b * qx - a * qy - d * qz + c * qs;
  const h = -c * qx - d * qy + a * qz + b * qs;
  const s = a * qx + b * qy + c * qz + d * qs;
  const t = 1 - s * s;
  let cosine = s;
  let shrink = 1;
  let scale = 2;
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    cosine = Math.sqrt(0.5 * (1 + cosine));
    shrink *= 0.5 / cosine;
    scale *= 2;
  }
  const u = t * shrink * shrink;
  const series = 1 + u * (1 / 6 + u * (3 / 40 + u * (5 / 112 + u * (35 / 1152 + u * (63 / 2816 + u * (231 / 13312))))));
  const f = scale * shrink * series;
  const slope =
    t < SMALL ? -4 * s * (1 / 6 + t * (3 / 20 + t * (15 / 112 + t * (35 / 288 + t * (315 / 2816))))) : (s * f - 2) / t;
  turn[0] = f * x;
  turn[1] = f * h;
  turn[2] = f * z;
  rotationByQ[0] = -f * d + slope * x * a;
  rotationByQ[1] = f * c + slope * x * b;
  rotationByQ[2] = -f * b + slope * x * c;
  rotationByQ[3] = f * a + slope * x * d;
  rotationByQ[4] = -f * c + slope * h * a;
  rotationByQ[5] = -f * d + slope * h * b;
  rotationByQ[6] = f * a + slope * h * c;
  rotationByQ[7] = f * b + slope * h * d;
  rotationByQ[8] = f * b + slope * z * a;
  rotationByQ[9] = -f * a + slope * z * b;
  rotationByQ[10] = -f * d + slope * z * c;
  rotationByQ[11] = f * c + slope * z * d;
}

/** p = q_h q_c⁻¹ */
function writeTarget(p: Float64Array, devicePose: Pose, orientation: Pose): void {
  const ax = devicePose[3];
  const ay = devicePose[4];
  const az = devicePose[5];
  const aw = devicePose[6];
  const bx = -orientation[3];
  const by = -orientation[4];
  const bz = -orientation[5];
  const bw = orientation[6];
  p[0] = aw * bx + ax * bw + ay * bz - az * by;
  p[1] = aw * by + ay * bw + az * bx - ax * bz;
  p[2] = aw * bz + az * bw + ax * by - ay * bx;
  p[3] = aw * bw - ax * bx - ay * by - az * bz;
}
