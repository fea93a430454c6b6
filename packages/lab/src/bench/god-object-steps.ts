import {
  createHeuristic,
  type Heuristic,
  PENALTY_KINETIC,
  PENALTY_SIZE,
  PENALTY_STATIC,
  type Pose,
  resetHeuristic,
  rotationMatrix,
  stepHeuristic,
} from '@palpable/engine';
import { microsecondsPerCall } from '../play/statistics.js';
import type { GodObjectRig } from '../reproduce/god-object-rig.js';

/** All that steps 2–4 of the heuristic take, of one cycle. */
export type SavedStep = ReturnType<typeof saveStep>;

/** After a cycle: the sums at the last look, and the way that is left from the proxy to the device. */
export function saveStep({ godObject }: GodObjectRig, proxy: Pose, device: Pose) {
  const penalty = godObject.penalty.values.slice(0, PENALTY_SIZE);
  const [rest, kinetic] = [penalty[PENALTY_STATIC]!, penalty[PENALTY_KINETIC]!];
  return {
    penalty,
    way: wayBetween(proxy, device),
    rotation: rotationMatrix(new Float64Array(9), proxy),
    friction: Float64Array.of(rest, kinetic, rest, kinetic),
  };
}

/** Translation and rotation vector, the latter to first order, which is enough for timing. */
function wayBetween(from: Pose, to: Pose): Float64Array {
  const [ax, ay, az, aw] = [to[3]!, to[4]!, to[5]!, to[6]!];
  const [bx, by, bz, bw] = [-from[3]!, -from[4]!, -from[5]!, from[6]!];
  const w = aw * bw - ax * bx - ay * by - az * bz;
  const scale = w < 0 ? -2 : 2;
  return Float64Array.of(
    to[0]! - from[0]!,
    to[1]! - from[1]!,
    to[2]! - from[2]!,
    scale * (aw * bx + ax * bw + ay * bz - az * by),
    scale * (aw * by + ay * bw + az * bx - ax * bz),
    scale * (aw * bz + az * bw + ax * by - ay * bx),
  );
}

const CALLS_PER_BATCH = 200;

/** Microseconds of each saved step, from batches of calls on a heuristic of its own. */
export function timeSavedSteps({ godObject }: GodObjectRig, steps: readonly SavedStep[]): Float64Array {
  const { options } = godObject.heuristic;
  // A unit sphere: mass and inertia only scale the numbers.
  const heuristic: Heuristic = createHeuristic(
    { mass: 1, inertia: Float64Array.of(0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4), length: 1 },
    options,
  );
  const out = new Float64Array(6);
  const time = ({ penalty, way, rotation, friction }: SavedStep) => {
    resetHeuristic(heuristic);
    return microsecondsPerCall(() => stepHeuristic(heuristic, out, penalty, way, rotation, friction), CALLS_PER_BATCH);
  };
  for (const step of steps.slice(0, 100)) time(step);
  return Float64Array.from(steps, time);
}
