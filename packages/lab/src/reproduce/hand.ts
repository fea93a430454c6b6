import type { Hand, Pose } from '@palpable/engine';
import { cosOf, sinOf } from '@palpable/engine/advanced';
import { play, type Rig } from '../play/play.js';
import { largest } from '../play/statistics.js';

/** A hand that pushes along a line, no faster than `speed` and no harder than `force`. */
export interface Push {
  /** World pose, m and quaternion. */
  readonly start: Pose;
  /** Unit vector. */
  readonly direction: readonly number[];
  /** m/s */
  readonly speed: number;
  /** N */
  readonly force: number;
  /** Whether the hand gives way sideways, so that it pushes along the line only, or keeps to the line. */
  readonly sideways: 'free' | 'held';
  /** A swing that is laid over the push: a cosine less 1 along z, a sine along the others. */
  readonly wiggle?: Wiggle;
}

export interface Wiggle {
  /** m, along x, y, z. */
  readonly reach: readonly number[];
  /** Hz */
  readonly frequency: number;
}

/** The device runs ahead of the tool by at most `force` over the stiffness of the coupling; it never rotates. */
function pushingHand({ start, direction, speed, force, sideways, wiggle }: Push, rig: Rig): Hand['move'] {
  const { coupling, timeStep } = rig.scene;
  const { reach, frequency } = wiggle ?? { reach: [0, 0, 0], frequency: 0 };
  let advance = 0;
  return (device, cycle, { toolPose }) => {
    const reached = along(toolPose, start, direction);
    advance = Math.min((cycle === 0 ? 0 : advance) + speed * timeStep, reached + force / coupling.stiffness);
    for (let axis = 0; axis < 3; axis += 1) {
      const aside = sideways === 'free' ? toolPose[axis]! - start[axis]! - reached * direction[axis]! : 0;
      device[axis] = start[axis]! + aside + advance * direction[axis]!;
    }
    const phase = 2 * Math.PI * frequency * cycle * timeStep;
    device[0] = device[0]! + reach[0]! * sinOf(phase);
    device[1] = device[1]! + reach[1]! * sinOf(phase);
    device[2] = device[2]! + reach[2]! * (cosOf(phase) - 1);
    for (let i = 3; i < 7; i += 1) device[i] = start[i]!;
  };
}

/** How far a pose is from the start along the direction of a push. */
function along(pose: Pose, start: Pose, direction: readonly number[]): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis += 1) sum += (pose[axis]! - start[axis]!) * direction[axis]!;
  return sum;
}

/** `advance`: How far the tool came, m. `peakForce`: The hardest that the hand pushed, N. */
export type Insertion = ReturnType<typeof pushIn>;

/** A tool that comes less far than this in `STUCK_CYCLES` is stuck. */
const STUCK_DISTANCE = 1e-6;
const STUCK_CYCLES = 200;
/** With a wiggle: less far in so many swings. */
const STUCK_SWINGS = 4;

/** Pushes until the tool has come `distance` far, or is stuck, or `cycles` are over. */
export function pushIn(rig: Rig, push: Push, distance: number, cycles: number) {
  const { start, direction, force } = push;
  const fullForceAfter = force / rig.scene.coupling.stiffness / (push.speed * rig.scene.timeStep);
  const swings = push.wiggle ? STUCK_SWINGS / (push.wiggle.frequency * rig.scene.timeStep) : 0;
  const patience = Math.max(STUCK_CYCLES, swings) + fullForceAfter;
  let mark = Number.NEGATIVE_INFINITY;
  let markCycle = 0;
  let advance = 0;
  const recording = play(rig, {
    start,
    move: pushingHand(push, rig),
    cycles,
    isOver: ({ toolPose }, cycle) => {
      advance = along(toolPose, start, direction);
      if (advance >= distance) return true;
      if (advance > mark + STUCK_DISTANCE) {
        mark = advance;
        markCycle = cycle;
      }
      // Stuck only once the hand has had the time to push with all its force.
      return cycle - markCycle > patience;
    },
  });
  const peakForce = largest(recording.column.force);
  return { inserted: advance >= distance, advance, peakForce, recording };
}

/** The smallest force that gets the tool in, to `resolution`; NaN when `most` does not. */
export async function smallestForce(
  inserts: (force: number) => boolean,
  most: number,
  resolution: number,
  between: () => Promise<void>,
): Promise<number> {
  if (!inserts(most)) return Number.NaN;
  let [blocked, enough] = [0, most];
  while (enough - blocked > resolution) {
    await between();
    const middle = (blocked + enough) / 2;
    if (inserts(middle)) enough = middle;
    else blocked = middle;
  }
  return enough;
}
