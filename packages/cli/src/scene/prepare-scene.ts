import {
  buildSceneMesh,
  isPalpableError,
  type PreparedBody,
  type PrepareOptions,
  planPreparation,
  type Scene,
  type SceneBody,
} from '@palpable/engine';
import type { ProgressListener } from '@palpable/engine/advanced';
import type { AssetCache } from '../prepare/asset-cache.js';
import type { BodySource, TaskHooks } from '../prepare/preparation-tasks.js';
import { cancelled, PreparationThread } from '../prepare/preparation-thread.js';
import { prepareSource, readSource } from '../prepare/prepare-source.js';
import { meshPath } from './load-scene.js';

export type PreparedSceneBody = Awaited<ReturnType<typeof prepareSceneBody>>;

export interface PrepareSceneOptions {
  /** Tools that will move; all of the scene unless given. */
  readonly tools?: readonly string[];
  readonly cache: AssetCache;
  readonly onProgress?: ProgressListener;
  readonly signal?: AbortSignal;
}

/** Reads or builds the bodies of a scene and takes their fields and shells from the cache, or builds them into it. */
export async function prepareScene(
  scene: Scene,
  scenePath: string,
  options: PrepareSceneOptions,
): Promise<Map<string, PreparedSceneBody>> {
  const { tools, cache, onProgress, signal } = options;
  const prepared = new Map<string, PreparedSceneBody>();
  const thread = new PreparationThread();
  try {
    for (const [name, plan] of planPreparation(scene, tools)) {
      if (signal?.aborted) throw cancelled();
      const hooks: TaskHooks = {
        ...(onProgress && { onProgress: (stage, fraction) => onProgress(`${name}: ${stage}`, fraction) }),
        ...(signal && { signal }),
      };
      const body = prepareSceneBody(scene.bodies[name]!, scenePath, plan, cache, thread, hooks);
      prepared.set(name, await located(`${scenePath}: bodies.${name}`, body));
    }
    return prepared;
  } finally {
    thread.close();
  }
}

async function located<T>(place: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isPalpableError(error) && error.code !== 'cancelled' ? error.at(place) : error;
  }
}

/** The bodies alone, as the engine takes them. */
export function mapBodies(bodies: ReadonlyMap<string, PreparedSceneBody>): Map<string, PreparedBody> {
  return new Map([...bodies].map(([name, { body }]) => [name, body]));
}

async function prepareSceneBody(
  body: SceneBody,
  scenePath: string,
  plan: PrepareOptions,
  cache: AssetCache,
  thread: PreparationThread,
  hooks: TaskHooks,
) {
  const source = await sourceOf(body, scenePath, thread, hooks);
  const { body: prepared, fromCache, sha256 } = await prepareSource(source, plan, cache, thread, hooks);
  return {
    body: prepared,
    fromCache,
    /** The file as the scene names it; null for shapes and models. */
    file: typeof body.mesh === 'string' ? body.mesh : null,
    /** Of the mesh itself, cleaned: a glTF file may keep its triangles in other files, and models have none. */
    sha256,
    /** What its reader has to say. */
    warnings: source.warnings,
  };
}

/** Models that take longer to build than a thread takes to start. */
const SLOW_MODELS: ReadonlySet<string> = new Set(['starter-motor', 'engine-block', 'window-motor', 'car-door']);

async function sourceOf(
  { mesh, scale, unit }: SceneBody,
  scenePath: string,
  thread: PreparationThread,
  hooks: TaskHooks,
): Promise<Pick<BodySource, 'mesh' | 'tetrahedra' | 'warnings'>> {
  if (typeof mesh !== 'string') {
    const isSlow = 'model' in mesh && SLOW_MODELS.has(mesh.model);
    const built = isSlow ? await thread.run('shape', { mesh, scale }, hooks) : buildSceneMesh({ mesh, scale })!;
    return { mesh: built, tetrahedra: null, warnings: [] };
  }
  return readSource({ path: meshPath(scenePath, mesh), reading: { scale, ...(unit && { unit }) } }, thread, hooks);
}
