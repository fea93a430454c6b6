import { isFinitePose, type Pose } from '../math/pose.js';

/** Quaternions of other lengths come from a device that does not know where it is. */
const MIN_ROTATION = 1e-3;
const MAX_ROTATION = 1e3;
/** No device is so far away, m. Numbers without end would spoil every sum that they get into. */
const MAX_PLACE = 1e6;

/** Whether a sample can be a pose at all: all numbers finite, a rotation, a place in reach. */
export function isValidSample(sample: Pose): boolean {
  if (!isFinitePose(sample)) return false;
  for (let k = 0; k < 3; k += 1) if (Math.abs(sample[k]) > MAX_PLACE) return false;
  const length = rotationLength(sample);
  return length > MIN_ROTATION && length < MAX_ROTATION;
}

export function rotationLength(sample: Pose): number {
  return Math.sqrt(sample[3] * sample[3] + sample[4] * sample[4] + sample[5] * sample[5] + sample[6] * sample[6]);
}
