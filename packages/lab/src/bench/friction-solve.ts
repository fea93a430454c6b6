import {
  createMethodOutput,
  createPose,
  type FrictionModel,
  type FrictionModelName,
  type FrictionModelOptions,
  handAlong,
  type Pose,
  playScene,
  sceneWithMethod,
} from '@palpable/engine';
import {
  createFrictionModel,
  createFrictionResult,
  createRandom,
  DEFAULT_FRICTION_OPTIONS,
  type FrictionProblem,
  normalizePose,
  type RandomSource,
  type StaticFrictionMethod,
} from '@palpable/engine/advanced';
import { bisect, leastOfEach, timeCall } from '../play/statistics.js';
import { type CornerScene, copyProblem, createCornerMethod } from './friction-scene.js';

const REPETITIONS = 5;

export type SolveOptions = Partial<Omit<FrictionModelOptions, 'capacity'>> & { readonly model: FrictionModelName };

/**
 * Times the solve call alone on problems in a row, in batches: several models go through the same problems side by side,
 * so that each starts from the answer to the problem before; or, for a cold start, each is created again for every problem. Gives the least time of each.
 */
export function timeSolves(
  { model: name, ...options }: SolveOptions,
  problems: readonly FrictionProblem[],
  { cold = false, batch = 8 } = {},
) {
  const capacity = problems.reduce((most, { count }) => Math.max(most, count), 1);
  const result = createFrictionResult(capacity);
  const create = () => createFrictionModel(name, { ...DEFAULT_FRICTION_OPTIONS, ...options, capacity });
  const holds = new Array<boolean>(problems.length);
  const iterations = new Uint32Array(problems.length);
  const displacements = new Float64Array(6 * problems.length);
  let models: FrictionModel[] = [];
  const time = (problem: FrictionProblem, n: number) => {
    if (cold || n === 0) models = Array.from({ length: batch }, create);
    const all = timeCall(() => {
      for (let m = 0; m < batch; m += 1) models[m].solve(result, problem);
    });
    holds[n] = result.holds;
    iterations[n] = result.iterations;
    displacements.set(result.displacement, 6 * n);
    return all / batch;
  };
  // Warms up.
  leastOfEach(problems, 1, time);
  return { microseconds: leastOfEach(problems, REPETITIONS, time), holds, iterations, displacements };
}

/** Loads from this to that part of the limit, in even steps. */
const LEAST_LOAD = 0.6;
const MOST_LOAD = 1.4;
/** Furthest that the device is moved to find the limit, m. */
const FURTHEST = 0.1;
/** Cycles until the cube rests. */
const SETTLING = 500;
/** Rotation of the device per displacement, rad/m. */
const ROTATION_PER_METRE = 2;

/**
 * Problems that differ in nothing but the wrench: the cube stays pressed into the corner while the device goes off along
 * random directions, each from 60 to 140 % of where friction gives way.
 */
export function raisedLoads(
  corner: CornerScene,
  press: readonly Pose[],
  { directions, steps, seed }: { directions: number; steps: number; seed: number },
): FrictionProblem[] {
  // The wrench decides which contacts separate; here their set must not change.
  const scene = sceneWithMethod(corner.scene, 'static-friction', { separation: 'off' });
  const method = createCornerMethod({ ...corner, scene });
  const device = press[press.length - 1];
  const poses = [...press, ...Array.from({ length: SETTLING }, () => device)];
  const { finalPose: tool } = playScene({ method, timeStep: corner.scene.timeStep }, handAlong(poses), {});
  const random = createRandom(seed);
  return Array.from({ length: directions }, () => {
    const goTo = randomPath(device, random);
    const limit = findLimit(method, tool, goTo);
    return Array.from({ length: steps }, (_, step) => {
      const part = LEAST_LOAD + ((MOST_LOAD - LEAST_LOAD) * (step + 0.5)) / steps;
      pose(method, tool, goTo(part * limit));
      return copyProblem(method.problem);
    });
  }).flat();
}

function randomPath(device: Pose, random: RandomSource): (distance: number) => Pose {
  const direction = Array.from({ length: 6 }, () => 2 * random() - 1);
  return (distance) => {
    const place = device.map((value, axis) => (axis < 3 ? value + distance * direction[axis] : 0));
    const [x, y, z] = direction.slice(3).map((value) => (value * distance * ROTATION_PER_METRE) / 2);
    const moved = createPose(place[0], place[1], place[2], x, y, z, 1);
    normalizePose(moved);
    return moved;
  };
}

function findLimit(method: StaticFrictionMethod, tool: Pose, goTo: (distance: number) => Pose): number {
  const holds = (distance: number) => {
    pose(method, tool, goTo(distance));
    return method.result.holds;
  };
  return bisect(holds, 0, FURTHEST, 40)[0];
}

const scratch = createMethodOutput();

/** Makes the method pose the problem of a tool here and a device there. */
function pose(method: StaticFrictionMethod, tool: Pose, device: Pose): void {
  method.reset(tool);
  method.step(scratch, device);
}

/** The same problems in an order without any order. */
export function shuffle(problems: readonly FrictionProblem[], seed: number): FrictionProblem[] {
  const random = createRandom(seed);
  return problems
    .map((problem) => ({ problem, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ problem }) => problem);
}
