import { stat } from 'node:fs/promises';
import { decodeAsset, type FieldStatistics, type PreparedBody, type PrepareOptions } from '@palpable/engine';
import { type AssetCache, cacheKey } from './asset-cache.js';
import { type BodySource, preparationTasks, type ReadRequest, type TaskHooks } from './preparation-tasks.js';
import type { PreparationThread } from './preparation-thread.js';

/** Files up to this size are read sooner than a thread for them has started, bytes. */
const SMALL = 4e6;
/** Formats whose files do not say by their size how much there is to read. */
const OTHER_SIZE = /\.(?:gltf|step|stp)$/i;

/** Reads and cleans the mesh of a file, a large one on the thread. */
export async function readSource(request: ReadRequest, thread: PreparationThread, hooks: TaskHooks) {
  const size = (await stat(request.path).catch(() => undefined))?.size ?? 0;
  const isSmall = size <= SMALL && !OTHER_SIZE.test(request.path);
  return isSmall ? preparationTasks.read(request, hooks) : thread.run('read', request, hooks);
}

export interface PreparedSource {
  readonly body: PreparedBody;
  /** As it is in the cache; undefined for a body that came from there. */
  readonly asset: Uint8Array | undefined;
  /** Only when it was built now. */
  readonly statistics: FieldStatistics | undefined;
}

/** Takes a body from the cache, or builds it into it. */
export async function prepareSource(
  source: Pick<BodySource, 'mesh' | 'tetrahedra'>,
  prepare: PrepareOptions,
  cache: AssetCache,
  thread: PreparationThread,
  hooks: TaskHooks,
): Promise<PreparedSource> {
  const key = cacheKey(contentOf(source), prepare);
  const cached = await cache.get(key);
  if (cached) return { body: cached, asset: undefined, statistics: undefined };
  const { mesh, tetrahedra } = source;
  const { asset, statistics } = await thread.run('build', { mesh, tetrahedra, prepare }, hooks);
  await cache.put(key, asset);
  return { body: decodeAsset(asset), asset, statistics };
}

/** The mesh as it was read, not the file's bytes: a glTF file may keep its triangles in other files. */
export function contentOf({ mesh, tetrahedra }: Pick<BodySource, 'mesh' | 'tetrahedra'>): Uint8Array[] {
  const arrays = [mesh.positions, mesh.triangles];
  if (tetrahedra) arrays.push(tetrahedra.positions, tetrahedra.tetrahedra);
  return arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
}
