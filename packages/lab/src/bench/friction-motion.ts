import { createPose, type Pose } from '@palpable/engine';
import { createRandom, normalizePose, type RandomSource } from '@palpable/engine/advanced';

/**
 * What a hand does with the cube in the corner (scene `corner-cube`), one pose of the device per cycle, `perMs` cycles a millisecond:
 * it comes in and presses the cube into all three faces, pushes, pulls and twists it there so that it holds and gives way
 * alternately, slides it along two of the faces and back, and lifts it off. It ends where it began, so that it can be
 * repeated. The same seed gives the same motion.
 */
export function createCornerMotion(cycles: number, seed: number, perMs = 1): Pose[] {
  const path = new DevicePath();
  const parts = cycles / 100;
  path.moveTo(PRESSED, 5 * parts);
  pushAndPull(path, 70 * parts, createRandom(seed), perMs);
  path.moveTo(PRESSED, 3 * parts);
  path.moveTo({ offset: [0.03, PRESS, PRESS], rotation: [0, 0, 0] }, 8 * parts);
  path.moveTo(PRESSED, 8 * parts);
  path.moveTo(LIFTED, cycles - path.poses.length);
  return path.poses;
}

/** Where the device is: from where the cube just touches all three faces (m), and its rotation (rotation vector, rad). */
interface Place {
  /** m */
  readonly offset: readonly [number, number, number];
  /** Rotation vector, rad. */
  readonly rotation: readonly [number, number, number];
}

/** Centre of a cube of 0.1 m that just touches the faces. */
const TOUCHING = 0.05;
const PRESS = -0.004;
const PRESSED: Place = { offset: [PRESS, PRESS, PRESS], rotation: [0, 0, 0] };
const LIFTED: Place = { offset: [0.004, 0.004, 0.004], rotation: [0, 0, 0] };

/**
 * How far the hand goes to and fro in the corner, m and rad: further than friction holds the cube, but not so far that
 * it leaves a face.
 */
const REACH = 0.0035;
const ROTATION = 0.006;
/** Of one push, and of the rest after it. */
const PUSH_MS = 60;
const REST_MS = 15;

function pushAndPull(path: DevicePath, cycles: number, random: RandomSource, perMs: number): void {
  const end = path.poses.length + cycles;
  const around = (middle: number, reach: number) => middle + reach * (2 * random() - 1);
  while (path.poses.length < end) {
    const place: Place = {
      offset: [around(PRESS, REACH), around(PRESS, REACH), around(PRESS, REACH)],
      rotation: [around(0, ROTATION), around(0, ROTATION), around(0, ROTATION)],
    };
    path.moveTo(place, Math.min(PUSH_MS * perMs, end - path.poses.length));
    path.moveTo(place, Math.min(REST_MS * perMs, end - path.poses.length));
  }
}

class DevicePath {
  readonly poses: Pose[] = [];
  private place = LIFTED;

  /** Sets out and arrives gently, as hands do: the curve of least jerk. */
  moveTo(target: Place, cycles: number): void {
    const steps = Math.round(cycles);
    for (let step = 1; step <= steps; step += 1) {
      const t = step / steps;
      this.poses.push(poseAt(between(this.place, target, t * t * t * (10 - 15 * t + 6 * t * t))));
    }
    this.place = target;
  }
}

function between(from: Place, to: Place, part: number): Place {
  const mix = (a: readonly number[], b: readonly number[]) =>
    a.map((value, axis) => value + part * (b[axis] - value)) as [number, number, number];
  return { offset: mix(from.offset, to.offset), rotation: mix(from.rotation, to.rotation) };
}

function poseAt({ offset: [x, y, z], rotation: [a, b, c] }: Place): Pose {
  const pose = createPose(TOUCHING + x, TOUCHING + y, TOUCHING + z, a / 2, b / 2, c / 2, 1);
  normalizePose(pose);
  return pose;
}
