import {
  buildSceneMesh,
  cleanMesh,
  encodeAsset,
  isPalpableError,
  type PreparedBody,
  type PrepareOptions,
  planPreparation,
  prepareBody,
  type Scene,
  type SceneBody,
  type TetrahedralMesh,
  type TriangleMesh,
} from '@palpable/engine';
import { loadMeshFile } from '../mesh/load-mesh-file.js';
import { createNodeWorkers } from '../parallel/node-workers.js';
import { type AssetCache, cacheKey } from '../prepare/asset-cache.js';
import { memoryAtHand } from '../prepare/memory-at-hand.js';
import { meshPath } from './load-scene.js';
import { sha256 } from './sha256.js';

export interface PreparedSceneBody {
  readonly body: PreparedBody;
  readonly fromCache: boolean;
  /** The file as the scene names it; null for shapes and models. */
  readonly file: string | null;
  /** Of the mesh itself, cleaned: a glTF file may keep its triangles in other files, and models have none. */
  readonly sha256: string;
  /** What its reader has to say. */
  readonly warnings: readonly string[];
}

export interface PrepareSceneOptions {
  /** Tools that will move; all of the scene unless given. */
  readonly tools?: readonly string[];
  readonly cache: AssetCache;
  readonly onProgress?: (stage: string, fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** Reads or builds the bodies of a scene and takes their fields and shells from the cache, or builds them into it. */
export async function prepareScene(
  scene: Scene,
  scenePath: string,
  options: PrepareSceneOptions,
): Promise<Map<string, PreparedSceneBody>> {
  const prepared = new Map<string, PreparedSceneBody>();
  for (const [name, plan] of planPreparation(scene, options.tools)) {
    try {
      prepared.set(name, await prepareSceneBody(scene.bodies[name]!, scenePath, name, plan, options));
    } catch (error) {
      throw isPalpableError(error) && error.code !== 'cancelled' ? error.at(`${scenePath}: bodies.${name}`) : error;
    }
  }
  return prepared;
}

/** The bodies alone, as the engine takes them. */
export function mapBodies(bodies: ReadonlyMap<string, PreparedSceneBody>): Map<string, PreparedBody> {
  return new Map([...bodies].map(([name, { body }]) => [name, body]));
}

async function prepareSceneBody(
  body: SceneBody,
  scenePath: string,
  name: string,
  plan: PrepareOptions,
  { cache, onProgress, signal }: PrepareSceneOptions,
): Promise<PreparedSceneBody> {
  const { mesh, tetrahedra, file, warnings } = await meshOf(body, scenePath);
  const content = [
    mesh.positions,
    mesh.triangles,
    ...(tetrahedra ? [tetrahedra.positions, tetrahedra.tetrahedra] : []),
  ].map(bytesOf);
  const source = { file, warnings, sha256: sha256(...content) };
  const key = cacheKey(content, plan);
  const cached = await cache.get(key);
  if (cached) return { body: cached, fromCache: true, ...source };
  const hooks = {
    workers: createNodeWorkers(),
    maxBytes: memoryAtHand(),
    ...(onProgress && { onProgress: (stage: string, fraction: number) => onProgress(`${name}: ${stage}`, fraction) }),
    ...(signal && { signal }),
  };
  const built = await prepareBody(mesh, plan, hooks, tetrahedra);
  await cache.put(key, encodeAsset(built));
  return { body: built, fromCache: false, ...source };
}

async function meshOf({ mesh, scale, unit }: SceneBody, scenePath: string): Promise<BodySource> {
  if (typeof mesh !== 'string') {
    return { mesh: buildSceneMesh({ mesh, scale })!, tetrahedra: null, file: null, warnings: [] };
  }
  const { warnings, ...read } = await loadMeshFile(meshPath(scenePath, mesh), { scale, ...(unit && { unit }) });
  // The surface of tetrahedra is sound, and its vertices are their nodes.
  const cleaned = read.tetrahedra ? read.mesh : cleanMesh(read.mesh).mesh;
  return { mesh: cleaned, tetrahedra: read.tetrahedra, file: mesh, warnings };
}

interface BodySource extends Pick<PreparedSceneBody, 'file' | 'warnings'> {
  readonly mesh: TriangleMesh;
  readonly tetrahedra: TetrahedralMesh | null;
}

function bytesOf(array: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
