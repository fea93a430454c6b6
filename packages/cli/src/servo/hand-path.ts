import {
  bodyPose,
  createMethodOutput,
  createPose,
  createSceneMethod,
  missingPart,
  type PreparedBody,
  type Scene,
} from '@palpable/engine';

/** Seconds to the surface and back. */
const REACH_SECONDS = 4;
/** How far beyond the first touch the hand wants to go, m; its grip is soft. */
const PRESS = 0.015;
/** How finely the way is searched for the first touch, m. */
const STEP = 0.001;
const MAX_STEPS = 2000;

/** Along the axes of the world, downwards first: where most things to touch are. */
const DIRECTIONS = [
  [0, 0, -1],
  [-1, 0, 0],
  [0, -1, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
] as const;

/**
 * Where a simulated hand wants to go that was told nothing: from where the scene puts the tool along each axis on which
 * it would touch something, a little deeper than that, gently, and back; one after the other. Seven numbers per time
 * step.
 */
export function reachingPath(scene: Scene, bodies: ReadonlyMap<string, PreparedBody>, tool: string): Float64Array {
  const start = bodyPose(scene.bodies[tool]!);
  const goals = findTouches(scene, bodies, tool).map(({ direction, way }) =>
    direction.map((part) => part * (way + PRESS)),
  );
  const steps = Math.round(REACH_SECONDS / scene.timeStep);
  const path = new Float64Array(7 * steps * Math.max(1, goals.length));
  for (let step = 0; step < path.length / 7; step += 1) {
    const goal = goals[Math.floor(step / steps)] ?? [0, 0, 0];
    const part = (1 - Math.cos((2 * Math.PI * (step % steps)) / steps)) / 2;
    path.set(start, 7 * step);
    for (let axis = 0; axis < 3; axis += 1) path[7 * step + axis]! += part * goal[axis]!;
  }
  return path;
}

/** The way to the first touch along each direction that has one. */
function findTouches(scene: Scene, bodies: ReadonlyMap<string, PreparedBody>, tool: string) {
  const penalty: Scene = { ...scene, method: { ...scene.method, kind: 'penalty' } };
  const isPrepared = missingPart(penalty, bodies, tool) === null;
  const { method } = createSceneMethod(isPrepared ? penalty : scene, bodies, { tool });
  const start = bodyPose(scene.bodies[tool]!);
  const pose = createPose();
  const output = createMethodOutput();
  return DIRECTIONS.flatMap((direction) => {
    for (let step = 0; step < MAX_STEPS; step += 1) {
      pose.set(start);
      for (let axis = 0; axis < 3; axis += 1) pose[axis]! += step * STEP * direction[axis]!;
      method.reset(pose);
      method.step(output, pose);
      if (output.contacts > 0) return [{ direction, way: step * STEP }];
    }
    return [];
  });
}
