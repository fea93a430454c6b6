import type { WrenchLimits } from '../coupling/limit-wrench.js';
import type { Pose } from '../math/pose.js';

/**
 * Something that a hand holds. Poses are world poses of the tool's body frame; whoever implements a device maps its own
 * frame and workspace to that.
 */
export interface Device {
  /** What the device can give; no more is ever written to it. */
  readonly limits: WrenchLimits;
  /** Writes the present pose into `out`; leaves it as it was when there is nothing new. */
  read(out: Pose): void;
  /** Takes the wrench for the hand: force (N), then torque (N m), world frame. */
  write(wrench: Float64Array): void;
}
