import { createPose, PalpableError, type Pose } from '@palpable/engine';
import { normalizePose } from '@palpable/engine/advanced';

/*
 * Motions of the device as lists of numbers, so that an experiment file can hold them. Each place is seven numbers: the
 * seconds that the way to it takes, x, y, z, and a rotation vector that turns the tool from how it stands in the scene.
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

/** Poses of all cycles on the way through the places, starting at `from` (six numbers), slowly at both ends of each way. */
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
      const s = cycle / cycles;
      const eased = s * s * (3 - 2 * s);
      poses.push(
        placed(
          standing,
          last.map((value, i) => value + eased * (next[i]! - value)),
        ),
      );
    }
    last = next;
  }
  return poses;
}

/** Where a path ends: x, y, z, rotation vector. */
export function endOf(path: readonly number[]): readonly number[] {
  return path.slice(1 - NUMBERS);
}

/** A tool that stands like `standing`, turned by a rotation vector, at a place. */
export function placed(standing: Pose, [x = 0, y = 0, z = 0, rx = 0, ry = 0, rz = 0]: readonly number[]): Pose {
  const angle = Math.hypot(rx, ry, rz);
  const scale = angle > 0 ? Math.sin(angle / 2) / angle : 0;
  const [ax, ay, az, aw] = [scale * rx, scale * ry, scale * rz, Math.cos(angle / 2)];
  const [bx, by, bz, bw] = [standing[3]!, standing[4]!, standing[5]!, standing[6]!];
  const pose = createPose(
    x,
    y,
    z,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by + ay * bw + az * bx - ax * bz,
    aw * bz + az * bw + ax * by - ay * bx,
    aw * bw - ax * bx - ay * by - az * bz,
  );
  normalizePose(pose);
  return pose;
}
