import {
  bodyPose,
  createMethodOutput,
  createPose,
  createSceneMethod,
  missingPart,
  type Pose,
  type PreparedBody,
  type Scene,
  type TriangleMesh,
  transformPoint,
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
  const boxes = new Map([...bodies].map(([name, { mesh }]) => [name, placedBox(mesh, bodyPose(scene.bodies[name]!))]));
  const own = boxes.get(tool)!;
  boxes.delete(tool);
  const pose = createPose();
  const output = createMethodOutput();
  return DIRECTIONS.flatMap((direction) => {
    const reach = Math.max(...[...boxes.values()].map((box) => wayPast(own, box, direction)));
    for (let step = 0; step < MAX_STEPS && step * STEP <= reach; step += 1) {
      pose.set(start);
      for (let axis = 0; axis < 3; axis += 1) pose[axis]! += step * STEP * direction[axis]!;
      method.reset(pose);
      method.step(output, pose);
      if (output.contacts > 0) return [{ direction, way: step * STEP }];
    }
    return [];
  });
}

/** Around a body where the scene puts it: smallest and largest coordinates. */
type Box = ReturnType<typeof placedBox>;

/** Wider than the body by a step, and by what fields may add to it. */
const BOX_MARGIN = 0.01;

function placedBox({ positions }: TriangleMesh, pose: Pose) {
  const min = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const max = min.map((value) => -value);
  const point = new Float64Array(3);
  for (let n = 0; n < positions.length; n += 3) {
    transformPoint(point, pose, positions[n]!, positions[n + 1]!, positions[n + 2]!);
    point.forEach((value, axis) => {
      min[axis] = Math.min(min[axis]!, value - BOX_MARGIN);
      max[axis] = Math.max(max[axis]!, value + BOX_MARGIN);
    });
  }
  return { min, max };
}

/** How far one box goes along an axis until it is past the other; below 0 if they never meet. */
function wayPast(moving: Box, still: Box, direction: readonly number[]): number {
  let way = Number.NEGATIVE_INFINITY;
  for (let axis = 0; axis < 3; axis += 1) {
    if (direction[axis]! > 0) way = still.max[axis]! - moving.min[axis]!;
    else if (direction[axis]! < 0) way = moving.max[axis]! - still.min[axis]!;
    else if (moving.max[axis]! < still.min[axis]! || still.max[axis]! < moving.min[axis]!)
      return Number.NEGATIVE_INFINITY;
  }
  return way;
}
