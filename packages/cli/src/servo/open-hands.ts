import {
  createPlayback,
  createPortMemory,
  type DeviceLimits,
  type LoopHand,
  openPortHost,
  PalpableError,
  type PortHost,
  type PreparedBody,
  type Scene,
  type SimulatedHandOptions,
  samplePose,
} from '@palpable/engine';
import { connectModule } from '../device/connect-module.js';
import type { DeviceLink } from '../device/device-link.js';
import { parseHaplyAddress } from '../device/haply/haply-address.js';
import { connectHaply } from '../device/haply/haply-client.js';
import { parseVrpnAddress } from '../device/vrpn/vrpn-address.js';
import { connectVrpn } from '../device/vrpn/vrpn-client.js';
import { loadTrajectory } from '../scene/load-trajectory.js';
import { type DeviceRequest, workspaceOf } from './device-request.js';
import { reachingPath } from './hand-path.js';

/** A hand that is ready for the loop, and the connection to its device if it has one. */
export interface OpenedHand {
  readonly request: DeviceRequest;
  readonly hand: LoopHand;
  readonly link: DeviceLink | null;
}

/** Of a sigma.7, which can do what most can: for devices that only replay. */
const REPLAY_LIMITS: DeviceLimits = { force: 12, torque: 0.2 };

export async function openHand(
  request: DeviceRequest,
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  onLog: (line: string) => void,
): Promise<OpenedHand> {
  const { tool, kind, address, settings } = request;
  const limits = limitsOf(settings?.limits ?? null);
  // The files of these two hold poses of the world; a workspace is only for devices with a frame of their own.
  const workspace = settings?.workspace ? workspaceOf(scene, request) : null;
  if (kind === 'simulated') {
    const path = address === '' ? reachingPath(scene, bodies, tool) : await posesOf(address, scene, tool);
    const options = simulatedOptions(scene, bodies, request, limits);
    return { request, link: null, hand: { tool, workspace, device: { kind, path, options } } };
  }
  if (kind === 'replay') {
    if (address === '') throw missing('replay needs a file: replay:push.csv');
    const poses = await posesOf(address, scene, tool);
    const samples = { count: poses.length / 7, poses };
    const device = { kind, samples, limits: limits ?? REPLAY_LIMITS, repeat: false } as const;
    return { request, link: null, hand: { tool, workspace, device } };
  }
  const port = createPortMemory();
  const link = await connect(request, openPortHost(port), limits, onLog);
  const silentAfter = settings?.silentAfter ?? undefined;
  const device = {
    kind: 'port',
    port,
    limits: link.limits,
    ...(silentAfter !== undefined && { silentAfter }),
  } as const;
  return { request, link, hand: { tool, workspace: workspaceOf(scene, request), device } };
}

async function connect(
  { kind, address }: DeviceRequest,
  port: PortHost,
  limits: DeviceLimits | null,
  onLog: (line: string) => void,
): Promise<DeviceLink> {
  const common = { port, onLog, ...(limits && { limits }) };
  if (kind === 'haply')
    return connectHaply({ ...common, ...parseHaplyAddress(address === '' ? kind : `${kind}:${address}`) });
  if (kind === 'module') return connectModule(address, common);
  return connectVrpn({ ...common, ...parseVrpnAddress(address) });
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
  const { kind, address, workspace, limits: _, silentAfter, ...options } = settings ?? {};
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
