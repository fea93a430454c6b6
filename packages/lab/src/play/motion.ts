import { PalpableError, type Pose } from '@palpable/engine';
import { turnPose } from '@palpable/engine/advanced';

/*
 * Motions of the device as lists of numbers, so that an experiment file can hold them. Each place is seven numbers: the
 * seconds until the tool is there, x, y, z (m), and a rotation vector (rad) from how the tool stands in the scene.
 */

const NUMBERS = 7;

export const pathParameter = (meaning: string) =>
  ({
    meaning: `${meaning}: seconds, x, y, z, rotation vector of each place`,
    unit: '',
    min: -10,
    max: 100,
    atLeast: 7,
  }) as const;

/** Poses of all cycles through the places, from `from` (six numbers) on; slow at both ends of each part. */
export function motionThrough(
  path: readonly number[],
  from: readonly number[],
  standing: Pose,
  timeStep: number,
): Pose[] {
  if (path.length % NUMBERS !== 0) {
    const message = `A path has ${path.length} numbers, but each of its places takes ${NUMBERS}: seconds, x, y, z, rotation vector.`;
    throw new PalpableError('format-invalid', message, 'parameters');
  }
  const poses: Pose[] = [];
  let last = from;
  for (let at = 0; at < path.length; at += NUMBERS) {
    const cycles = Math.max(1, Math.round(path[at]! / timeStep));
    const next = path.slice(at + 1, at + NUMBERS);
    for (let cycle = 1; cycle <= cycles; cycle += 1) {
      const part = eased(cycle / cycles);
      const place = last.map((value, i) => value + part * (next[i]! - value));
      poses.push(placed(standing, place));
    }
    last = next;
  }
  return poses;
}

/** A tool that stands like `standing`, rotated by a rotation vector (rad), at a place (m). */
export function placed(standing: Pose, [x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0]: readonly number[]): Pose {
  const pose = Float64Array.from(standing);
  pose.set([x, y, z]);
  turnPose(pose, Float64Array.of(rx, ry, rz), 0);
  return pose;
}

/** From 0 to 1, slowly at both ends. */
export function eased(part: number): number {
  return part * part * (3 - 2 * part);
}

/** Follows several paths one after the other, and says at which cycle each begins and ends. */
export function motionAlong(
  paths: Readonly<Record<string, readonly number[]>>,
  standing: Pose,
  timeStep: number,
  from: readonly number[] = [...standing.subarray(0, 3), 0, 0, 0],
) {
  const motion: Pose[] = [];
  let last = from;
  const phases = Object.entries(paths).map(([name, path]) => {
    const start = motion.length;
    motion.push(...motionThrough(path, last, standing, timeStep));
    // Where the path ends: x, y, z, rotation vector.
    last = path.slice(1 - NUMBERS);
    return { name, start, end: motion.length };
  });
  return { motion, phases };
}
