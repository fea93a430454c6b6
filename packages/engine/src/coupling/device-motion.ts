import { copyPose, type Pose, placePoint } from '../math/pose.js';
import { rotationBetween } from '../math/rotation.js';

/**
 * Where the device has the grasp point, and how it moves: the difference of its last two poses, filtered. Devices report
 * places in steps, and a damper would make a jolt of each.
 */
export interface DeviceMotion {
  /** World pose, m and quaternion. */
  readonly pose: Pose;
  /** x_h, world, m. */
  readonly point: Float64Array;
  /** v_h, m/s, then ω_h, rad/s. */
  readonly velocity: Float64Array;
  readonly workspace: { readonly point: Float64Array; readonly rotation: Float64Array };
  /** Time constant of the filter of velocities, s; negative for a device that is taken to stand. */
  readonly filter: number;
  known: boolean;
}

/** s: between the cycles of a device that reports its place in steps and what a hand notices as late. */
export const VELOCITY_FILTER = 0.005;

/** `filter` in s; null for a device whose velocity is taken as zero. */
export function createDeviceMotion(filter: number | null): DeviceMotion {
  return {
    pose: new Float64Array(7),
    point: new Float64Array(3),
    velocity: new Float64Array(6),
    workspace: { point: new Float64Array(3), rotation: new Float64Array(3) },
    filter: filter ?? -1,
    known: false,
  };
}

/** Takes the device's pose of this cycle; `grasp` in its frame, m. `timeStep` holds one number, s. */
export function followMotion(device: DeviceMotion, grasp: ArrayLike<number>, pose: Pose, timeStep: Float64Array): void {
  const { point, velocity, workspace, filter } = device;
  placePoint(workspace.point, pose, grasp);
  if (device.known && filter >= 0) {
    rotationBetween(workspace.rotation, device.pose, pose);
    const part = 1 / (filter + timeStep[0]);
    const keep = filter * part;
    for (let i = 0; i < 3; i += 1) {
      velocity[i] = keep * velocity[i] + part * (workspace.point[i] - point[i]);
      velocity[3 + i] = keep * velocity[3 + i] + part * workspace.rotation[i];
    }
  }
  copyPose(device.pose, 0, pose, 0);
  point.set(workspace.point);
  device.known = true;
}

/** At rest, and where it is next without a displacement to there. */
export function forgetMotion(device: DeviceMotion): void {
  device.velocity.fill(0);
  device.known = false;
}
