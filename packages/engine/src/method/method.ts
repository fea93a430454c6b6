import type { Pose } from '../math/pose.js';

/** What a method hands on in every cycle. Owned by the caller, filled by `Method.step`. */
export interface MethodOutput {
  /** Pose of the tool's body frame in the world. */
  readonly toolPose: Pose;
  /** What the user feels: force (N), then torque (N m) about the tool's centre of mass, world frame. */
  readonly wrench: Float64Array;
  contacts: number;
  /** Depth of the deepest contact, metres; 0 without any. */
  maxPenetration: number;
}

/**
 * From the pose of the device to the pose of the tool and the wrench on the hand. One call per cycle; it must not
 * allocate and must not throw.
 */
export interface Method {
  step(output: MethodOutput, devicePose: Pose): void;
}

export function createMethodOutput(): MethodOutput {
  const toolPose = new Float64Array(7);
  toolPose[6] = 1;
  return { toolPose, wrench: new Float64Array(6), contacts: 0, maxPenetration: 0 };
}
