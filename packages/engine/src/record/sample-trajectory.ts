import { PalpableError } from '../base/errors.js';
import type { Pose } from '../math/pose.js';
import type { Trajectory } from './trajectory.js';

/**
 * A trajectory at the times of the cycles. Samples that lie one time step apart (to a hundredth of it) are played as
 * they are, one per cycle; others are interpolated at every time step from the first sample on.
 */
export interface Playback {
  readonly trajectory: Trajectory;
  /** Seconds per cycle. */
  readonly timeStep: number;
  /** Number of cycles. */
  readonly cycles: number;
  /** Whether samples had to be interpolated. */
  readonly resampled: boolean;
  /** The last sample not after the present cycle, so that the next one is found at once. */
  before: number;
}

const SAME_STEP = 0.01;
/** Five hours at 1 kHz; a longer one is rather a time in milliseconds. */
const MAX_CYCLES = 20_000_000;

/**
 * Plans how a trajectory is played with a fixed time step (s): sample by sample, or resampled where its own steps
 * differ.
 */
export function createPlayback(trajectory: Trajectory, timeStep: number): Playback {
  const { count, time } = trajectory;
  let resampled = false;
  for (let i = 1; i < count && !resampled; i += 1) {
    resampled = Math.abs(time[i] - time[i - 1] - timeStep) > SAME_STEP * timeStep;
  }
  // Rounding must not take away the last cycle.
  const steps = (time[count - 1] - time[0]) / timeStep;
  const cycles = resampled ? Math.floor(steps * (1 + 1e-12) + 1e-9) + 1 : count;
  if (cycles > MAX_CYCLES) {
    throw new PalpableError(
      'option-invalid',
      `The trajectory lasts ${time[count - 1] - time[0]} s, which is ${cycles} cycles of ${timeStep} s and more than the ` +
        `limit of ${MAX_CYCLES}; its times must be in seconds, else cut it into parts.`,
      'trajectory',
    );
  }
  return { trajectory, timeStep, cycles, resampled, before: 0 };
}

export function cycleTime({ trajectory, timeStep, resampled }: Playback, cycle: number): number {
  return resampled ? trajectory.time[0] + cycle * timeStep : trajectory.time[cycle];
}

/** Writes the device's pose in the given cycle; cycles have to be asked for in order. */
export function samplePose(out: Pose, playback: Playback, cycle: number): void {
  const { trajectory, resampled } = playback;
  const { count, time, poses } = trajectory;
  if (!resampled) {
    for (let k = 0; k < 7; k += 1) out[k] = poses[7 * cycle + k];
    return;
  }
  const now = cycleTime(playback, cycle);
  while (playback.before + 2 < count && time[playback.before + 1] <= now) playback.before += 1;
  const i = playback.before;
  const part = Math.min(1, Math.max(0, (now - time[i]) / (time[i + 1] - time[i])));
  interpolatePose(out, poses, 7 * i, part);
}

/** Each halving is exact; what is left of the rotation is then so small that a straight line is as good as the arc. */
const HALVINGS = 12;
const left = new Float64Array(4);
const right = new Float64Array(4);

/**
 * Between two poses that follow each other: position along the line, rotation along the arc at constant speed. The
 * middle of an arc is the sum of its ends scaled to 1, which needs a square root only: unlike sine and arc cosine, that
 * is the same to the bit on every host.
 */
function interpolatePose(out: Pose, poses: Float64Array, at: number, part: number): void {
  for (let k = 0; k < 3; k += 1) out[k] = poses[at + k] + part * (poses[at + 7 + k] - poses[at + k]);
  let dot = 0;
  for (let k = 0; k < 4; k += 1) dot += poses[at + 3 + k] * poses[at + 10 + k];
  // The shorter rotation.
  const sign = dot < 0 ? -1 : 1;
  for (let k = 0; k < 4; k += 1) {
    left[k] = poses[at + 3 + k];
    right[k] = sign * poses[at + 10 + k];
  }
  let rest = part;
  for (let n = 0; n < HALVINGS && rest > 0 && rest < 1; n += 1) {
    rest *= 2;
    if (rest < 1) writeBetween(right, left, right, 0.5);
    else {
      writeBetween(left, left, right, 0.5);
      rest -= 1;
    }
  }
  if (rest > 0 && rest < 1) writeBetween(left, left, right, rest);
  const answer = rest >= 1 ? right : left;
  for (let k = 0; k < 4; k += 1) out[3 + k] = answer[k];
}

/** The point at `part` of the straight line, pulled out to length 1. */
function writeBetween(out: Float64Array, a: Float64Array, b: Float64Array, part: number): void {
  let square = 0;
  for (let k = 0; k < 4; k += 1) {
    out[k] = (1 - part) * a[k] + part * b[k];
    square += out[k] * out[k];
  }
  const scale = 1 / Math.sqrt(square);
  for (let k = 0; k < 4; k += 1) out[k] *= scale;
}
