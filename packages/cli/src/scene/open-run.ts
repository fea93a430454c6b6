import {
  createSceneMethod,
  describeSinking,
  describeStartOverlap,
  handOfTrajectory,
  type Scene,
} from '@palpable/engine';
import { checkRunnable, type ProgressListener, startPlay, type TrajectoryHand } from '@palpable/engine/advanced';
import type { AssetCache } from '../prepare/asset-cache.js';
import { checkSceneFile, meshPath, type SceneFile, soundScene } from './load-scene.js';
import { loadTrajectory } from './load-trajectory.js';
import { mapBodies, type PreparedSceneBody, prepareScene } from './prepare-scene.js';

export interface RunRequest {
  readonly scenePath: string;
  readonly trajectoryPath: string;
  /** The tool that moves; the scene's first unless given. */
  readonly tool?: string;
  readonly cache: AssetCache;
  readonly onProgress?: ProgressListener;
  readonly signal?: AbortSignal;
}

/** A run that is ready to go, and what it was made from. */
export type OpenedRun = Awaited<ReturnType<typeof openRun>>;

/** SHA-256 of everything that decides about the result. */
export interface InputHashes {
  readonly scene: string;
  readonly trajectory: string;
  /** By body. */
  readonly meshes: Readonly<Record<string, string>>;
}

/** The inputs are read and checked first, so that nobody waits for a field only to learn of a typing error. */
export async function openRun(request: RunRequest) {
  const { scenePath, trajectoryPath, cache, onProgress, signal } = request;
  const sceneFile = await checkSceneFile(scenePath);
  const scene = soundScene(sceneFile);
  const { tool = scene.tool[0]! } = request;
  checkRunnable(scene, tool);
  const { trajectory, sha256: trajectoryHash } = await loadTrajectory(trajectoryPath, tool);
  const bodies = await prepareScene(scene, scenePath, {
    tools: [tool],
    cache,
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  });
  const clock = () => performance.now();
  const method = createSceneMethod(scene, mapBodies(bodies), { tool, clock });
  const hand = handOfTrajectory(trajectory, scene.timeStep);
  const run = startPlay({ ...scene, method: method.method }, hand);
  return {
    run,
    scene,
    tool,
    samples: trajectory.count,
    /** Whether they had to be interpolated. */
    resampled: hand.resampled,
    hashes: {
      scene: sceneFile.sha256,
      trajectory: trajectoryHash,
      meshes: Object.fromEntries([...bodies].map(([name, { sha256: hash }]) => [name, hash])),
    },
    /** Whether bodies came from the cache, by name. */
    fromCache: Object.fromEntries([...bodies].map(([name, { fromCache }]) => [name, fromCache])),
    /** Mesh files, as paths that can be opened. */
    meshFiles: [...bodies.values()].flatMap(({ file }) => (file === null ? [] : [meshPath(scenePath, file)])),
    /** What the user should know, in sentences. */
    notes: [
      ...notesOf(sceneFile, bodies, scene, hand),
      ...[describeStartOverlap(scene, mapBodies(bodies), tool, hand.start) ?? []].flat(),
    ],
    /** The same of what the run has done, once it is over. */
    notesAfter: () => [describeSinking(scene, mapBodies(bodies), tool, run.counters.maxPenetration) ?? []].flat(),
  };
}

function notesOf(
  { path, checked }: SceneFile,
  bodies: ReadonlyMap<string, PreparedSceneBody>,
  { timeStep }: Scene,
  { resampled, cycles }: TrajectoryHand,
): string[] {
  const notes = checked.warnings.map(({ message }) => `${path}: ${message}`);
  for (const [name, { warnings }] of bodies)
    notes.push(...warnings.map((warning) => `${path}: bodies.${name}: ${warning}`));
  if (resampled) {
    notes.push(
      `The samples of the trajectory are not one time step (${timeStep} s) apart; they were interpolated to ` +
        `${cycles} cycles.`,
    );
  }
  return notes;
}
