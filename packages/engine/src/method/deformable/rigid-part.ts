import {
  createDeviceMotion,
  type DeviceMotion,
  followMotion,
  forgetMotion,
  VELOCITY_FILTER,
} from '../../coupling/device-motion.js';
import { createSpringLaw, type SpringLaw, shortenDeviation } from '../../coupling/spring-law.js';
import type { StaticCouplingOptions } from '../../coupling/static-coupling.js';
import {
  applyMatrix6,
  createInverseWorkspace,
  type InverseWorkspace,
  invertMatrix,
  rotateInertia,
} from '../../math/matrices.js';
import { copyPose, createPose, type Pose, rotationMatrix, transformPoint } from '../../math/pose.js';
import { rotationBetween, turnPose } from '../../math/rotation.js';
import type { ToolBody } from '../tool-contacts.js';

/** The spring and damper between the device and the grip of a body, in six dimensions (Duriez et al., section 7.1). */
export interface GripCoupling extends StaticCouplingOptions {
  /** N s/m, and N m s/rad; null for the critical damping of the body. */
  readonly damping: number | null;
  readonly torsionalDamping: number | null;
}

/**
 * The rigid motion of a body that is held (Duriez et al., Eq. 28): implicit Euler for displacement Δ = (Δx, Δθ) of the
 * centre of mass within a step,
 *
 *     S Δ = (A/Δt) v + K e + B v_device + weight − b,   S = A/Δt² + B/Δt + K,
 *
 * A the mass and inertia, K and B the coupling's, e how far the device is ahead of the grip, v_device its velocity,
 * filtered, b the gyroscopic torque. S⁻¹
 * is the compliance of the rigid motion in Eq. 30, the coupling's stiffness and damping in it.
 *
 * The body of `mechanics/` is another: momentum and quaternion under any load, with the derivatives by the state that implicit
 * integrators need. Here the displacement is the only unknown, so that W can be had; rotations and inertia come from `math/`.
 */
export interface RigidPart {
  readonly tool: ToolBody;
  /** Of the body frame, at the start of the step, and after its free motion. */
  readonly pose: Pose;
  readonly freePose: Pose;
  /** Velocity of the centre of mass and angular velocity. */
  readonly velocity: Float64Array;
  /** S⁻¹, 6×6. */
  readonly compliance: Float64Array;
  /** Δ without contacts. */
  readonly free: Float64Array;
  /** Centre of mass in the world at the start of the step, and the rotation. */
  readonly centre: Float64Array;
  readonly rotation: Float64Array;
  /** Coupling wrench on the body at the end of the step, about its centre of mass. */
  readonly wrench: Float64Array;
  readonly device: DeviceMotion;
  readonly workspace: RigidWorkspace;
}

interface RigidWorkspace {
  /** k, k_θ, b, b_θ, 1/Δt, mass. */
  readonly numbers: Float64Array;
  readonly spring: SpringLaw;
  readonly turnSpring: SpringLaw;
  readonly grasp: readonly [number, number, number];
  readonly arm: Float64Array;
  readonly point: Float64Array;
  /** e */
  readonly ahead: Float64Array;
  /** Δt, one number. */
  readonly timeStep: Float64Array;
  readonly system: Float64Array;
  readonly inverse: InverseWorkspace;
  readonly load: Float64Array;
  readonly inertia: Float64Array;
  readonly turn: Float64Array;
}

const STIFFNESS = 0;
const TORSIONAL = 1;
const DAMPING = 2;
const TORSIONAL_DAMPING = 3;
const RATE = 4;
const MASS = 5;

export function createRigidPart(tool: ToolBody, coupling: GripCoupling, timeStep: number): RigidPart {
  const { stiffness, torsionalStiffness, damping, torsionalDamping, graspPoint, maxForce, maxTorque } = coupling;
  const meanInertia = (tool.inertia[0] + tool.inertia[4] + tool.inertia[8]) / 3;
  return {
    tool,
    pose: createPose(),
    freePose: createPose(),
    velocity: new Float64Array(6),
    compliance: new Float64Array(36),
    free: new Float64Array(6),
    centre: new Float64Array(3),
    rotation: new Float64Array(9),
    wrench: new Float64Array(6),
    device: createDeviceMotion(VELOCITY_FILTER),
    workspace: {
      numbers: Float64Array.of(
        stiffness,
        torsionalStiffness,
        damping ?? 2 * Math.sqrt(stiffness * tool.mass),
        torsionalDamping ?? 2 * Math.sqrt(torsionalStiffness * meanInertia),
        1 / timeStep,
        tool.mass,
      ),
      spring: createSpringLaw(stiffness, maxForce),
      turnSpring: createSpringLaw(torsionalStiffness, maxTorque),
      grasp: graspPoint ?? tool.centre,
      arm: new Float64Array(3),
      point: new Float64Array(3),
      ahead: new Float64Array(6),
      timeStep: Float64Array.of(timeStep),
      system: new Float64Array(36),
      inverse: createInverseWorkspace(6),
      load: new Float64Array(6),
      inertia: new Float64Array(9),
      turn: new Float64Array(3),
    },
  };
}

/** Puts the body somewhere, at rest. */
export function placeRigid(part: RigidPart, pose: Pose): void {
  part.pose.set(pose);
  part.freePose.set(pose);
  part.velocity.fill(0);
  part.free.fill(0);
  part.wrench.fill(0);
  forgetMotion(part.device);
  rotationMatrix(part.rotation, pose);
  transformPoint(part.centre, pose, ...part.tool.centre);
}

/** S⁻¹ and the free motion of a step towards the device. `gravity` in the world, m/s². */
export function freeRigid(part: RigidPart, devicePose: Pose, gravity: Float64Array): void {
  const { pose, tool, centre, rotation, workspace } = part;
  rotationMatrix(rotation, pose);
  const { centre: c } = tool;
  for (let i = 0; i < 3; i += 1) {
    centre[i] = pose[i] + rotation[3 * i] * c[0] + rotation[3 * i + 1] * c[1] + rotation[3 * i + 2] * c[2];
  }
  rotateInertia(workspace.inertia, rotation, tool.inertia);
  lookAhead(part, devicePose);
  fillSystem(part);
  fillLoad(part, gravity);
  // Singular: nothing moves.
  invertMatrix(part.compliance, workspace.system, 6, workspace.inverse);
  applyMatrix6(part.free, 0, part.compliance, workspace.load, 0);
  movePose(part.freePose, part, part.free);
}

/** e: from the grip to where the device wants it, shortened where its spring saturates. */
function lookAhead(part: RigidPart, devicePose: Pose): void {
  const { pose, centre, workspace, device } = part;
  const { grasp, spring, turnSpring, arm, point, ahead, turn, timeStep } = workspace;
  followMotion(device, grasp, devicePose, timeStep);
  placeGrasp(point, pose, grasp);
  rotationBetween(turn, pose, devicePose);
  for (let i = 0; i < 3; i += 1) {
    arm[i] = point[i] - centre[i];
    ahead[i] = device.point[i] - point[i];
    ahead[3 + i] = turn[i];
  }
  shortenDeviation(ahead, 0, spring);
  shortenDeviation(ahead, 3, turnSpring);
}

function placeGrasp(out: Float64Array, pose: Pose, grasp: readonly [number, number, number]): void {
  transformPoint(out, pose, grasp[0], grasp[1], grasp[2]);
}

/** S = A/Δt² + B/Δt + K, the coupling acting at the grip: Jᵀ diag(k) J with J = (I, −[a]×). */
function fillSystem({ workspace }: RigidPart): void {
  const { system, numbers, inertia, arm } = workspace;
  const rate = numbers[RATE];
  const linear = numbers[STIFFNESS] + numbers[DAMPING] * rate;
  const angular = numbers[TORSIONAL] + numbers[TORSIONAL_DAMPING] * rate;
  const mass = numbers[MASS] * rate * rate;
  const ax = arm[0];
  const ay = arm[1];
  const az = arm[2];
  system.fill(0);
  for (let i = 0; i < 3; i += 1) {
    system[7 * i] = mass + linear;
    for (let j = 0; j < 3; j += 1) system[6 * (3 + i) + 3 + j] = inertia[3 * i + j] * rate * rate;
    system[7 * (3 + i)] += angular;
  }
  addPair(system, 0, 4, linear * az);
  addPair(system, 0, 5, -linear * ay);
  addPair(system, 1, 3, -linear * az);
  addPair(system, 1, 5, linear * ax);
  addPair(system, 2, 3, linear * ay);
  addPair(system, 2, 4, -linear * ax);
  const square = ax * ax + ay * ay + az * az;
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      system[6 * (3 + i) + 3 + j] += linear * ((i === j ? square : 0) - arm[i] * arm[j]);
    }
  }
}

function addPair(system: Float64Array, row: number, column: number, value: number): void {
  system[6 * row + column] += value;
  system[6 * column + row] += value;
}

/** The right-hand side: momentum, coupling, weight, gyroscopic torque. */
function fillLoad({ workspace, velocity, device }: RigidPart, gravity: Float64Array): void {
  const { load, numbers, inertia, ahead, arm } = workspace;
  const { velocity: wanted } = device;
  const rate = numbers[RATE];
  for (let i = 0; i < 3; i += 1) {
    const pull = numbers[STIFFNESS] * ahead[i] + numbers[DAMPING] * wanted[i];
    load[i] = numbers[MASS] * (rate * velocity[i] + gravity[i]) + pull;
    load[3 + i] = numbers[TORSIONAL] * ahead[3 + i] + numbers[TORSIONAL_DAMPING] * wanted[3 + i];
  }
  const wx = velocity[3];
  const wy = velocity[4];
  const wz = velocity[5];
  const lx = inertia[0] * wx + inertia[1] * wy + inertia[2] * wz;
  const ly = inertia[3] * wx + inertia[4] * wy + inertia[5] * wz;
  const lz = inertia[6] * wx + inertia[7] * wy + inertia[8] * wz;
  const px = numbers[STIFFNESS] * ahead[0] + numbers[DAMPING] * wanted[0];
  const py = numbers[STIFFNESS] * ahead[1] + numbers[DAMPING] * wanted[1];
  const pz = numbers[STIFFNESS] * ahead[2] + numbers[DAMPING] * wanted[2];
  load[3] += rate * lx - (wy * lz - wz * ly) + arm[1] * pz - arm[2] * py;
  load[4] += rate * ly - (wz * lx - wx * lz) + arm[2] * px - arm[0] * pz;
  load[5] += rate * lz - (wx * ly - wy * lx) + arm[0] * py - arm[1] * px;
}

/** `out` = the pose at the start of the step, displaced by Δ of its centre of mass. */
function movePose(out: Pose, { pose, centre, tool, workspace }: RigidPart, displacement: Float64Array): void {
  copyPose(out, 0, pose, 0);
  turnPose(out, displacement, 3);
  const { point } = workspace;
  const { centre: c } = tool;
  for (let i = 0; i < 3; i += 1) out[i] = 0;
  transformPoint(point, out, c[0], c[1], c[2]);
  for (let i = 0; i < 3; i += 1) out[i] = centre[i] + displacement[i] - point[i];
}

/** Ends the step: the body is displaced by Δ, which is the free motion and what contacts add to it. */
export function endRigid(part: RigidPart, displacement: Float64Array): void {
  const { velocity, wrench, workspace } = part;
  const { velocity: wanted } = part.device;
  const { numbers, ahead, arm } = workspace;
  const rate = numbers[RATE];
  const dx = displacement[0] + displacement[4] * arm[2] - displacement[5] * arm[1];
  const dy = displacement[1] + displacement[5] * arm[0] - displacement[3] * arm[2];
  const dz = displacement[2] + displacement[3] * arm[1] - displacement[4] * arm[0];
  workspace.turn[0] = dx;
  workspace.turn[1] = dy;
  workspace.turn[2] = dz;
  for (let i = 0; i < 3; i += 1) {
    const moved = workspace.turn[i];
    wrench[i] = numbers[STIFFNESS] * (ahead[i] - moved) + numbers[DAMPING] * (wanted[i] - rate * moved);
    wrench[3 + i] =
      numbers[TORSIONAL] * (ahead[3 + i] - displacement[3 + i]) +
      numbers[TORSIONAL_DAMPING] * (wanted[3 + i] - rate * displacement[3 + i]);
  }
  wrench[3] += arm[1] * wrench[2] - arm[2] * wrench[1];
  wrench[4] += arm[2] * wrench[0] - arm[0] * wrench[2];
  wrench[5] += arm[0] * wrench[1] - arm[1] * wrench[0];
  movePose(part.freePose, part, displacement);
  copyPose(part.pose, 0, part.freePose, 0);
  for (let i = 0; i < 6; i += 1) velocity[i] = rate * displacement[i];
}
