import {
  type BodyFile,
  type CleanOptions,
  cleanMesh,
  type ElasticHooks,
  encodeAsset,
  type FieldStatistics,
  type PreparedBody,
  type PrepareOptions,
  prepareBody,
} from '@palpable/engine';
import { type LoadMeshOptions, loadMeshFile } from '../mesh/load-mesh-file.js';
import { createNodeWorkers } from '../parallel/node-workers.js';
import { type AssetCache, cacheKey } from './asset-cache.js';
import { memoryAtHand } from './memory-at-hand.js';

export interface PreparedFile {
  readonly file: BodyFile;
  readonly body: PreparedBody;
  readonly asset: Uint8Array;
  readonly fromCache: boolean;
  /** Only when it was built now. */
  readonly statistics: FieldStatistics | undefined;
}

export interface PrepareFileOptions {
  readonly reading: LoadMeshOptions;
  readonly cleaning?: CleanOptions;
  readonly prepare: PrepareOptions;
  readonly cache: AssetCache;
  readonly onProgress?: (stage: string, fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** Reads a mesh file, cleans it, and takes its field and shell from the cache or builds them into it. */
export async function prepareFile(path: string, options: PrepareFileOptions): Promise<PreparedFile> {
  const { reading, cleaning, prepare, cache, onProgress, signal } = options;
  const file = await loadMeshFile(path, reading);
  // The surface of tetrahedra is sound, and its vertices are their nodes.
  const mesh = file.tetrahedra ? file.mesh : cleanMesh(file.mesh, cleaning).mesh;
  // The mesh as it was read, not the file's bytes: a glTF file may keep its triangles in other files.
  const content = [mesh.positions, mesh.triangles];
  if (file.tetrahedra) content.push(file.tetrahedra.positions, file.tetrahedra.tetrahedra);
  const key = cacheKey(content.map(bytesOf), prepare);
  const cached = await cache.get(key);
  if (cached) return { file, body: cached, asset: encodeAsset(cached), fromCache: true, statistics: undefined };
  let statistics: FieldStatistics | undefined;
  const hooks: ElasticHooks = {
    workers: createNodeWorkers(),
    maxBytes: memoryAtHand(),
    onStatistics: (numbers) => {
      statistics = numbers;
    },
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
  };
  const body = await prepareBody(mesh, prepare, hooks, file.tetrahedra);
  const asset = encodeAsset(body);
  await cache.put(key, asset);
  return { file, body, asset, fromCache: false, statistics };
}

function bytesOf(array: Float64Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
