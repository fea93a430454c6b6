import { SILENT_AFTER } from '../device/device.js';
import { isValidSample, rotationLength } from '../device/valid-sample.js';
import { createPose, type Pose } from '../math/pose.js';

/**
 * Bit of `Servo.faults`: the sample was no pose, but a number that is not finite or out of all reach, or no rotation.
 */
export const FAULT_SAMPLE_BAD = 1;
/** Bit of `Servo.faults`: nothing was heard from the device for too long. */
export const FAULT_DEVICE_SILENT = 2;
/** Bit of `Servo.faults`: the device went further in a cycle than a hand can. */
export const FAULT_DEVICE_JUMPED = 4;

/** Lets through good samples of a device, and says what was wrong with the others. */
export interface SampleGuard {
  /** Where the device writes its raw pose. */
  readonly sample: Pose;
  /** Whether a good pose was ever heard. */
  hasPose: boolean;
  /** Seconds since the last good sample. */
  silence: number;
  /** s */
  readonly silentAfter: number;
  /** m/s */
  readonly maxSpeed: number;
  /** rad/s */
  readonly maxRotationRate: number;
}

export interface SampleGuardOptions {
  /** m/s */
  readonly maxSpeed: number;
  /** rad/s */
  readonly maxRotationRate: number;
}

export function createSampleGuard(options: SampleGuardOptions, silentAfter = SILENT_AFTER): SampleGuard {
  const { maxSpeed, maxRotationRate } = options;
  return { sample: createPose(), hasPose: false, silence: 0, silentAfter, maxSpeed, maxRotationRate };
}

/** Puts a good sample into `pose`, with its rotation of length 1; leaves `pose` alone otherwise. Bits `FAULT_…`. */
export function guardSample(guard: SampleGuard, pose: Pose, fresh: boolean, elapsed: Float64Array): number {
  const { sample } = guard;
  guard.silence += elapsed[0];
  if (!fresh) return guard.silence > guard.silentAfter ? FAULT_DEVICE_SILENT : 0;
  if (!isValidSample(sample)) {
    return guard.silence > guard.silentAfter ? FAULT_SAMPLE_BAD | FAULT_DEVICE_SILENT : FAULT_SAMPLE_BAD;
  }
  const length = rotationLength(sample);
  // One that is as good as 1 already is left alone, so that a sample that was recorded comes back with the same bits.
  if (Math.abs(length - 1) > ROUNDING) for (let k = 3; k < 7; k += 1) sample[k] /= length;
  const jumped = guard.hasPose && hasJumped(guard, pose);
  pose.set(sample);
  guard.hasPose = true;
  guard.silence = 0;
  return jumped ? FAULT_DEVICE_JUMPED : 0;
}

const ROUNDING = 8 * Number.EPSILON;

function hasJumped({ sample, silence, maxSpeed, maxRotationRate }: SampleGuard, pose: Pose): boolean {
  let square = 0;
  for (let k = 0; k < 3; k += 1) square += (sample[k] - pose[k]) * (sample[k] - pose[k]);
  const way = maxSpeed * silence;
  if (square > way * way) return true;
  let dot = 0;
  for (let k = 3; k < 7; k += 1) dot += sample[k] * pose[k];
  // |dot| is the cosine of half the rotation: 1 − 2 sin²(θ/4), and sin x ≤ x. Rotations beyond the small ones are not distinguished.
  const quarter = (maxRotationRate * silence) / 4;
  return quarter < 1 / Math.SQRT2 && 1 - Math.abs(dot) > 2 * quarter * quarter;
}
