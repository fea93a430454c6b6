import type { WrenchLimits } from '../coupling/limit-wrench.js';
import type { Pose } from '../math/pose.js';

/** What a device can render, from its data sheet. */
export interface DeviceLimits extends WrenchLimits {
  /** Fastest change of the force, N/s; from zero to the full force in 5 ms unless given. */
  readonly forceRate?: number;
  /** The same of the torque, N m/s. */
  readonly torqueRate?: number;
}

/**
 * Something that a hand holds. Poses are of the tool's body frame, in the device's own frame and workspace, which a
 * `Workspace` maps to the world; without one they are world poses.
 */
export interface Device {
  /** No more is ever written to it. */
  readonly limits: DeviceLimits;
  /**
   * Writes the present pose into `out`; the rotation need not be of length 1. False when nothing has arrived since
   * the last call: a device that is silent for longer than `silentAfter` gets no force.
   */
  read(out: Pose): boolean;
  /** Takes the wrench for the hand: force (N), then torque (N m) about the tool's centre of mass. */
  write(wrench: Float64Array): void;
  /** Buttons that are held down, one bit each. */
  readonly buttons?: number;
  /** Whether the hand has let go of the tool, so that it gets no force: a clutch that is pressed, a grip that is open. */
  readonly isReleased?: boolean;
  /** Seconds; `SILENT_AFTER` unless given. A mouse sends nothing while it rests: infinity. */
  readonly silentAfter?: number;
}

/** How long a device may send nothing before it counts as silent, s. */
export const SILENT_AFTER = 0.01;
