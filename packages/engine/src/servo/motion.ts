import { type Pose, placePoint } from '../math/pose.js';
import { rotationBetween } from '../math/rotation.js';

/** How far the hand went since the last cycle, for the account of energy. */
export interface Motion {
  /** Displacement of the point where the wrench acts and rotation vector, in the hand's measure: m and rad, world frame. */
  readonly hand: Float64Array;
  /** Weight of the tool as it was rendered in the last cycle, N. */
  readonly weight: Float64Array;
  readonly toolCentre: Float64Array;
  readonly workspaceScale: number;
  readonly lastDevice: Pose;
  /** Where the centre of mass of a tool at the device's pose was. */
  readonly lastCentre: Float64Array;
  /** For the present cycle. */
  readonly place: Float64Array;
  readonly rotation: Float64Array;
}

export interface MotionOptions {
  /** Centre of mass in the tool's body frame, m. */
  readonly toolCentre: ArrayLike<number>;
  /** Metres in the world for one of the hand. */
  readonly workspaceScale: number;
}

export function createMotion({ toolCentre, workspaceScale }: MotionOptions): Motion {
  return {
    hand: new Float64Array(6),
    weight: new Float64Array(3),
    toolCentre: Float64Array.from(toolCentre),
    workspaceScale,
    lastDevice: new Float64Array(7),
    lastCentre: new Float64Array(3),
    place: new Float64Array(3),
    rotation: new Float64Array(3),
  };
}

/** From here on: the next motion begins with this pose. */
export function startMotion(motion: Motion, device: Pose): void {
  placePoint(motion.lastCentre, device, motion.toolCentre);
  motion.lastDevice.set(device);
}

/** From the last call to this one. */
export function measureMotion(motion: Motion, device: Pose): void {
  const { hand, rotation, toolCentre, place, lastCentre, workspaceScale } = motion;
  placePoint(place, device, toolCentre);
  for (let k = 0; k < 3; k += 1) hand[k] = (place[k] - lastCentre[k]) / workspaceScale;
  rotationBetween(rotation, motion.lastDevice, device);
  for (let k = 0; k < 3; k += 1) hand[3 + k] = rotation[k];
  lastCentre.set(place);
  motion.lastDevice.set(device);
}
