import {
  type DeviceLimits,
  PalpableError,
  type PreparedBody,
  type Scene,
  type SimulatedHandOptions,
} from '@palpable/engine';
import { createPlayback, createPortMemory, type LoopHand, samplePose } from '@palpable/engine/advanced';
import { parseHaplyAddress } from '../device/haply/haply-address.js';
import { parseVrpnAddress } from '../device/vrpn/vrpn-address.js';
import { loadTrajectory } from '../scene/load-trajectory.js';
import type { LinkRequest } from './device-messages.js';
import { type DeviceRequest, haplyDevice, workspaceOf } from './device-request.js';
import { reachingPath } from './hand-path.js';

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
