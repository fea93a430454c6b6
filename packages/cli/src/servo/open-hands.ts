import {
  createMethodOutput,
  createPose,
  createSceneMethod,
  type DeviceLimits,
  PalpableError,
  type Pose,
  type PreparedBody,
  type Scene,
  type SimulatedHandOptions,
  type TriangleMesh,
  transformPoint,
} from '@palpable/engine';
import {
  bodyPose,
  createPlayback,
  createPortMemory,
  type LoopHand,
  missingPart,
  samplePose,
} from '@palpable/engine/advanced';
import { parseHaplyAddress } from '../device/haply/haply-address.js';
import { parseVrpnAddress } from '../device/vrpn/vrpn-address.js';
import { loadTrajectory } from '../scene/load-trajectory.js';
import type { LinkRequest } from './device-messages.js';
import { type DeviceRequest, haplyDevice, workspaceOf } from './device-request.js';

/** A hand as the loop is to have it. One whose device is reached through a connection waits for that: see `link`. */
export interface PlannedHand {
  readonly request: DeviceRequest;
  /** With the limits that the connection has found. */
  readonly hand: (limits: DeviceLimits) => LoopHand;
  /** To be opened first; null where nothing has to be. */
  readonly link: LinkRequest | null;
}

/** Of a sigma.7, which can do what most can: for devices that only replay. */
const REPLAY_LIMITS: DeviceLimits = { force: 12, torque: 0.2 };

/** Reads and checks what the device needs, and connects to nothing. `stopButton` overrides that of the scene. */
export async function planHand(
  request: DeviceRequest,
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  stopButton: number | undefined,
): Promise<PlannedHand> {
  const { tool, kind, address, settings } = request;
  const stop = stopButton ?? settings?.stopButton ?? null;
  const common = { tool, ...(stop !== null && { stopButton: stop }) };
  const limits = limitsOf(settings?.limits ?? null);
  // The files of these two hold poses of the world; a workspace is only for devices with a frame of their own.
  const workspace = settings?.workspace ? workspaceOf(scene, request) : null;
  if (kind === 'simulated') {
    const path = address === '' ? reachingPath(scene, bodies, tool) : await posesOf(address, scene, tool);
    const options = simulatedOptions(scene, bodies, request, limits);
    return { request, link: null, hand: () => ({ ...common, workspace, device: { kind, path, options } }) };
  }
  if (kind === 'replay') {
    if (address === '') throw missing('replay needs a file: replay:push.csv');
    const poses = await posesOf(address, scene, tool);
    const samples = { count: poses.length / 7, poses };
    const device = { kind, samples, limits: limits ?? REPLAY_LIMITS, repeat: false } as const;
    return { request, link: null, hand: () => ({ ...common, workspace, device }) };
  }
  checkAddress(request);
  const port = createPortMemory();
  const silentAfter = settings?.silentAfter ?? null;
  return {
    request,
    link: { kind, address, limits, silentAfter, port },
    hand: (found) => ({
      ...common,
      workspace: workspaceOf(scene, request),
      device: { kind: 'port', port, limits: found, ...(silentAfter !== null && { silentAfter }) },
    }),
  };
}

/** A typing error is reported before anything is opened. */
function checkAddress({ kind, address }: DeviceRequest): void {
  if (kind === 'vrpn') parseVrpnAddress(address);
  if (kind === 'haply') parseHaplyAddress(haplyDevice(address));
}

/** Limits of a device need both a force and a torque. */
function limitsOf(given: Scene['limits']): DeviceLimits | null {
  if (!given || given.force === null) return null;
  const { force, torque, forceRate, torqueRate } = given;
  return {
    force,
    torque: torque ?? 0,
    ...(forceRate !== null && { forceRate }),
    ...(torqueRate !== null && { torqueRate }),
  };
}

/** Keys of the scene's device beyond the common ones are options of the hand, checked by it. */
function simulatedOptions(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  { tool, settings }: DeviceRequest,
  limits: DeviceLimits | null,
): SimulatedHandOptions {
  const { kind, address, workspace, limits: _, silentAfter, stopButton, ...options } = settings ?? {};
  const centre = bodies.get(tool)!.unitMass?.centre;
  return {
    ...options,
    timeStep: scene.timeStep,
    ...(centre && { centre: [centre[0]!, centre[1]!, centre[2]!] }),
    ...(limits && { limits }),
  };
}

/** A trajectory at the time steps of the scene. */
async function posesOf(path: string, { timeStep }: Scene, tool: string): Promise<Float64Array> {
  const playback = createPlayback((await loadTrajectory(path, tool)).trajectory, timeStep);
  const poses = new Float64Array(7 * playback.cycles);
  for (let cycle = 0; cycle < playback.cycles; cycle += 1) {
    samplePose(poses.subarray(7 * cycle, 7 * cycle + 7), playback, cycle);
  }
  return poses;
}

function missing(what: string): PalpableError {
  return new PalpableError('option-invalid', `--device: ${what}.`, 'device');
}

/** Seconds to the surface and back. */
const REACH_SECONDS = 4;
/** How far beyond the first touch the hand wants to go, m; its grip is soft. */
const PRESS = 0.015;
/** How finely the path is searched for the first touch, m. */
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
 * Where a simulated hand goes that was given no path: from where the scene puts the tool along each axis on which
 * it would touch something, a little deeper than that, gently, and back; one after the other. Seven numbers per time
 * step.
 */
function reachingPath(scene: Scene, bodies: ReadonlyMap<string, PreparedBody>, tool: string): Float64Array {
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

/** The distance to the first touch along each direction that has one. */
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
