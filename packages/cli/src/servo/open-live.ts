import {
  checkRunnable,
  createLiveMemory,
  createRing,
  createSceneContactMemory,
  LIVE_WIDTH,
  type LoopSetup,
  PalpableError,
  type PreparedBody,
  type Ring,
  type Scene,
} from '@palpable/engine';
import type { AssetCache } from '../prepare/asset-cache.js';
import { checkSceneFile, type SceneFile, soundScene } from '../scene/load-scene.js';
import { mapBodies, prepareScene } from '../scene/prepare-scene.js';
import { requestDevices } from './device-request.js';
import { type OpenedHand, openHand } from './open-hands.js';

/** A scene whose bodies are prepared. */
export interface LiveScene {
  readonly file: SceneFile;
  readonly scene: Scene;
  readonly bodies: ReadonlyMap<string, PreparedBody>;
  /** Of the meshes, by body. */
  readonly meshes: Readonly<Record<string, string>>;
}

export interface LiveRequest {
  readonly scenePath: string;
  /** As after `--device`. */
  readonly devices: readonly string[];
  readonly cache: AssetCache;
  /** Whether every row is wanted. */
  readonly record: boolean;
  /** Finds the contacts of `modular` and `deformable` in the loop itself: slower, and what is recorded can be replayed. */
  readonly oneThread?: boolean;
  readonly onLog: (line: string) => void;
  readonly onProgress?: (stage: string, fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** Everything that a loop needs, with connections that are under way. */
export interface OpenedLive extends LiveScene {
  readonly setup: LoopSetup;
  readonly hands: readonly OpenedHand[];
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
  const hands: OpenedHand[] = [];
  try {
    for (const one of requests) hands.push(await openHand(one, live.scene, live.bodies, request.onLog));
  } catch (error) {
    await closeLinks(hands);
    throw error;
  }
  const ring = request.record ? createRowRing(hands.length) : null;
  return { ...live, hands, setup: createSetup(live, hands, ring, request.oneThread) };
}

/** Reads and checks first, so that nobody waits for a field only to be told of a typing error. */
export async function prepareLiveScene(
  file: SceneFile,
  tools: readonly string[],
  { cache, onProgress, signal }: Pick<LiveRequest, 'cache' | 'onProgress' | 'signal'>,
): Promise<LiveScene> {
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
  ring: Ring | null,
  oneThread = false,
): LoopSetup {
  const tools = hands.map(({ hand }) => hand.tool);
  const contacts = oneThread ? null : createSceneContactMemory(scene, bodies, tools);
  return {
    scene: JSON.parse(file.text),
    bodies,
    hands: hands.map(({ hand }) => hand),
    memory: createLiveMemory(hands.length, ring),
    options: {},
    ...(contacts && { contacts }),
  };
}

function createRowRing(hands: number): Ring {
  if (hands < 1) throw new PalpableError('option-invalid', 'There is no hand to record.');
  return createRing(LIVE_WIDTH, RING_ROWS * 2 ** Math.ceil(Math.log2(hands)));
}

export async function closeLinks(hands: readonly OpenedHand[]): Promise<void> {
  await Promise.all(hands.map(({ link }) => link?.close()));
}
