import { type DeviceLimits, PalpableError } from '@palpable/engine';
import {
  checkRunnable,
  createLiveMemory,
  createRing,
  createSceneContactMemory,
  LIVE_WIDTH,
  type LiveMemory,
  type LoopHand,
  type LoopSetup,
  type ProgressListener,
  type Ring,
} from '@palpable/engine/advanced';
import type { LinkState } from '../device/device-link.js';
import type { AssetCache } from '../prepare/asset-cache.js';
import { checkSceneFile, type SceneFile, soundScene } from '../scene/load-scene.js';
import { mapBodies, prepareScene } from '../scene/prepare-scene.js';
import type { ServeRequest } from './device-messages.js';
import { type DeviceRequest, requestDevices } from './device-request.js';
import { type DeviceThread, startDeviceThread } from './device-thread.js';
import { planHand } from './open-hands.js';

/** A scene whose bodies are prepared. `meshes`: Of the meshes, by body. */
export type LiveScene = Awaited<ReturnType<typeof prepareLiveScene>>;

export interface LiveRequest {
  readonly scenePath: string;
  /** As after `--device`. */
  readonly devices: readonly string[];
  readonly cache: AssetCache;
  /** Whether every row is wanted. */
  readonly record: boolean;
  /** Port on which the first tool is shown to VRPN clients; those of the others follow. */
  readonly serveVrpn?: number;
  /** Button, from 0, of every device that is an emergency stop; that of the scene unless given. */
  readonly stopButton?: number;
  /** Finds the contacts of `modular` and `deformable` in the loop itself: slower, and what is recorded can be replayed. */
  readonly oneThread?: boolean;
  readonly onLog: (line: string) => void;
  readonly onProgress?: ProgressListener;
  readonly signal?: AbortSignal;
}

/** A hand that is ready for the loop, and the state of the connection to its device if it has one. */
export interface OpenedHand {
  readonly request: DeviceRequest;
  readonly hand: LoopHand;
  linkState(): LinkState | null;
}

/** Everything that a loop needs, with connections that are under way. Whoever has it must close `devices`. */
export interface OpenedLive extends LiveScene {
  readonly setup: LoopSetup;
  readonly hands: readonly OpenedHand[];
  /** Null where no connection and no server is needed. */
  readonly devices: DeviceThread | null;
}

/** Four seconds at 1 kHz: no recorder is ever so far behind. */
const RING_ROWS = 4096;

export async function openLive(request: LiveRequest): Promise<OpenedLive> {
  const file = await checkSceneFile(request.scenePath);
  const requests = requestDevices(soundScene(file), request.devices);
  const live = await prepareLiveScene(
    file,
    requests.map(({ tool }) => tool),
    request,
  );
  const planned = await Promise.all(requests.map((one) => planHand(one, live.scene, live.bodies, request.stopButton)));
  const links = planned.flatMap(({ link }) => (link ? [link] : []));
  const serve = describeServing(
    requests.map(({ tool }) => tool),
    request.serveVrpn,
  );
  const devices = await startDeviceThread(links, serve, request.onLog);
  const hands = planned.map((one): OpenedHand => {
    const place = one.link ? links.indexOf(one.link) : -1;
    const hand = one.hand(devices?.links[place]?.limits ?? NO_LIMITS);
    return { request: one.request, hand, linkState: () => devices?.states[place] ?? null };
  });
  const rings = { rows: request.record ? createRowRing(hands.length) : null, served: serve?.rows ?? null };
  return { ...live, hands, devices, setup: createSetup(live, hands, rings, request.oneThread) };
}

/** Of hands that have none: they describe their device themselves. */
const NO_LIMITS: DeviceLimits = { force: 0, torque: 0 };

const LAST_PORT = 65_535;

function describeServing(tools: readonly string[], port: number | undefined): ServeRequest | null {
  if (port === undefined) return null;
  const last = port + tools.length - 1;
  if (last > LAST_PORT) {
    const sentence = `${tools.length} tools need the ports ${port} to ${last}, but the last port is ${LAST_PORT}`;
    const message = `--serve-vrpn: ${sentence}; give ${LAST_PORT + 1 - tools.length} or less.`;
    throw new PalpableError('option-invalid', message);
  }
  return { tools, port, rows: createRowRing(tools.length) };
}

/** Reads and checks first, so that nobody waits for a field only to learn of a typing error. */
export async function prepareLiveScene(
  file: SceneFile,
  tools: readonly string[],
  { cache, onProgress, signal }: Pick<LiveRequest, 'cache' | 'onProgress' | 'signal'>,
) {
  const scene = soundScene(file);
  for (const tool of tools) checkRunnable(scene, tool);
  const prepared = await prepareScene(scene, file.path, {
    tools,
    cache,
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  const meshes = Object.fromEntries([...prepared].map(([name, { sha256 }]) => [name, sha256]));
  return { file, scene, bodies: mapBodies(prepared), meshes };
}

export function createSetup(
  { file, scene, bodies }: LiveScene,
  hands: readonly OpenedHand[],
  { rows, served }: Pick<LiveMemory, 'rows' | 'served'>,
  oneThread = false,
): LoopSetup {
  const tools = hands.map(({ hand }) => hand.tool);
  const contacts = oneThread ? null : createSceneContactMemory(scene, bodies, tools);
  return {
    scene: JSON.parse(file.text),
    bodies,
    hands: hands.map(({ hand }) => hand),
    memory: createLiveMemory(hands.length, rows, 0, served),
    options: {},
    ...(contacts && { contacts }),
  };
}

function createRowRing(hands: number): Ring {
  if (hands < 1) throw new PalpableError('option-invalid', 'There is no hand to record.');
  return createRing(LIVE_WIDTH, RING_ROWS * 2 ** Math.ceil(Math.log2(hands)));
}
