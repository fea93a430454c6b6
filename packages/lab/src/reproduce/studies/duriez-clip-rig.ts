import { createPose, type Hand, type Probe } from '@palpable/engine';
import { rotationMatrix } from '@palpable/engine/advanced';
import { play, type Recording } from '../../play/play.js';
import { type DeformableRig, heldBody } from './duriez-rig.js';

/* The clip of Duriez et al., section 7.2, pushed straight on a pipe along y through the origin and pulled off again. */

interface ClipMotion {
  /** Heights of the device: at first, where the push pauses, at its end, at the end of the pull, m. */
  readonly heights: readonly number[];
  /** s */
  readonly pauseSeconds: number;
  /** How far the hand goes back in the first half of the pause, m. */
  readonly ease: number;
  /** m/s */
  readonly speed: number;
  /** Between push and pull, s. */
  readonly restSeconds: number;
}

/** Beside what every play reports; its contacts are those that press. */
type ClipColumn =
  /** m/s, upward. */
  | 'speed'
  /** Narrowest width between the two branches, m. */
  | 'opening'
  /** Contacts that were solved, and of those that press the ones that stick. */
  | 'solved'
  | 'sticking'
  /** Deepest overlap of the surface with the exact cylinder, m. */
  | 'in_cylinder';

export interface ClipRecording extends Recording<ClipColumn> {
  /** s */
  readonly timeStep: number;
  /** Cycles at which the pause begins, and at which pause, push, rest and pull end. */
  readonly pauseStart: number;
  readonly pauseEnd: number;
  readonly pushEnd: number;
  readonly restEnd: number;
  readonly faults: number;
}

/** `pipeRadius` of the exact cylinder; 0 where the pipe bends and there is none. */
export function playClip(rig: DeformableRig, motion: ClipMotion, pipeRadius: number): ClipRecording {
  const { timeStep } = rig;
  const [start = 0, paused = 0, pushed = 0, pulled = 0] = motion.heights;
  const step = motion.speed * timeStep;
  const pauseStart = Math.round((start - paused) / step);
  const pauseEnd = pauseStart + Math.round(motion.pauseSeconds / timeStep);
  const pushEnd = pauseEnd + Math.round((paused + motion.ease - pushed) / step);
  const restEnd = pushEnd + Math.round(motion.restSeconds / timeStep);
  const cycles = restEnd + Math.round((pulled - pushed) / step);
  const move: Hand['move'] = (device, n) => {
    if (n < pauseStart) device[2] = start - step * (n + 1);
    else if (n >= restEnd) device[2] = pushed + step * (n + 1 - restEnd);
    else if (n >= pauseEnd && n < pushEnd) device[2] = paused + motion.ease - step * (n + 1 - pauseEnd);
    else if (n < pauseEnd)
      device[2] = paused + motion.ease * Math.min(1, (2 * (n + 1 - pauseStart)) / (pauseEnd - pauseStart));
  };
  const hand: Hand = { start: createPose(0, 0, start), cycles, move };
  const recording = play(rig, hand, { probes: clipProbes(rig, start, pipeRadius) });
  return { ...recording, timeStep, pauseStart, pauseEnd, pushEnd, restEnd, faults: rig.world.dynamics.faults };
}

function clipProbes(rig: DeformableRig, start: number, pipeRadius: number): Record<ClipColumn, Probe> {
  const { contacts } = rig.world.dynamics;
  const surface = createClipMeter(rig);
  let last = start;
  return {
    solved: () => contacts.count,
    sticking: () => {
      let sticking = 0;
      for (let c = 0; c < contacts.count; c += 1)
        if (contacts.force[3 * c]! > 0 && contacts.sliding[c] === 0) sticking += 1;
      return sticking;
    },
    speed: ({ output }) => {
      const moved = output.toolPose[2]! - last;
      last = output.toolPose[2]!;
      return moved / rig.timeStep;
    },
    opening: () => surface.opening(),
    in_cylinder: () => (pipeRadius > 0 ? Math.max(0, pipeRadius - surface.nearestToAxis()) : 0),
  };
}

/** Vertices of the branches lie below this height at rest, m. */
const BRANCHES_BELOW = -0.004;

/** The clip's surface as proximity last saw it, at the start of the cycle, in the world. */
function createClipMeter({ setup, world }: DeformableRig) {
  const held = heldBody(setup);
  const { rest, local, pose } = world.side!.bodies[held]!;
  const { triangles } = setup.bodies[held]!.surface;
  const placed = new Float64Array(rest.length);
  const rotation = new Float64Array(9);
  const place = () => {
    rotationMatrix(rotation, pose);
    for (let v = 0; v < rest.length; v += 3) {
      for (let i = 0; i < 3; i += 1) {
        const r = 3 * i;
        placed[v + i] =
          pose[i]! + rotation[r]! * local[v]! + rotation[r + 1]! * local[v + 1]! + rotation[r + 2]! * local[v + 2]!;
      }
    }
  };
  return {
    opening(): number {
      let [right, left] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let v = 0; v < rest.length; v += 3) {
        if (rest[v + 2]! > BRANCHES_BELOW) continue;
        if (rest[v]! > 0) right = Math.min(right, local[v]!);
        else left = Math.max(left, local[v]!);
      }
      return right - left;
    },
    /** Of all triangles from the y axis: seen along it, the nearest point of one that it does not cut is on an edge. */
    nearestToAxis(): number {
      place();
      let nearest = Number.POSITIVE_INFINITY;
      for (let t = 0; t < triangles.length; t += 1) {
        const a = 3 * triangles[t]!;
        const b = 3 * triangles[t % 3 === 2 ? t - 2 : t + 1]!;
        if (a < b) nearest = Math.min(nearest, edgeDistance(placed, a, b));
      }
      return nearest;
    },
  };
}

/** From the y axis to the edge between two vertices, which start at `a` and `b`. */
function edgeDistance(points: Float64Array, a: number, b: number): number {
  const [x, z] = [points[a]!, points[a + 2]!];
  const [dx, dz] = [points[b]! - x, points[b + 2]! - z];
  const square = dx * dx + dz * dz;
  const s = square > 0 ? Math.min(1, Math.max(0, -(x * dx + z * dz) / square)) : 0;
  return Math.sqrt((x + s * dx) ** 2 + (z + s * dz) ** 2);
}
