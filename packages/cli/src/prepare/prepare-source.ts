import { stat } from 'node:fs/promises';
import { decodeAsset, type PreparedBody, type PrepareOptions } from '@palpable/engine';
import { type BodyPart, type FieldStatistics, joinParts, wantedParts } from '@palpable/engine/advanced';
import { sha256 } from '../files/sha256.js';
import { type AssetCache, cacheKey } from './asset-cache.js';
import {
  BARE,
  type BodySource,
  type BuildRequest,
  preparationTasks,
  type ReadRequest,
  type TaskHooks,
} from './preparation-tasks.js';
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

/**
 * Takes the parts of a body from the cache, and builds those that are missing into it. Each part is kept by itself, so
 * that whoever asks for fewer or for others finds what is there.
 */
export async function prepareSource(
  source: Pick<BodySource, 'mesh' | 'tetrahedra'>,
  prepare: PrepareOptions,
  cache: AssetCache,
  thread: PreparationThread,
  hooks: TaskHooks,
) {
  const hash = sha256(...contentOf(source));
  const wanted = wantedParts(prepare);
  const keyOf = (part: PartName) => cacheKey([Buffer.from(hash)], [part, part === BARE ? {} : wanted.get(part)]);
  const names: PartName[] = wanted.size > 0 ? [...wanted.keys()] : [BARE];
  const found = new Map<PartName, PreparedBody>();
  for (const name of names) {
    const body = await cache.get(keyOf(name));
    if (body) found.set(name, body);
  }
  const missing = names.filter((name) => !found.has(name));
  let statistics: FieldStatistics | undefined;
  if (missing.length > 0) {
    const { mesh, tetrahedra } = source;
    const request = { mesh, tetrahedra, prepare: only(prepare, missing) };
    const built = isTiny(request)
      ? await preparationTasks.build(request, hooks)
      : await thread.run('build', request, hooks);
    statistics = built.statistics;
    for (const [name, asset] of built.assets) {
      await cache.put(keyOf(name), asset);
      found.set(name, decodeAsset(asset));
    }
  }
  return { body: joinParts(found), fromCache: missing.length === 0, sha256: hash, statistics };
}

/** Bodies of no more than this are built sooner than a thread for them has started: voxels along a side, and counts. */
const TINY = { resolution: 32, triangles: 1000, points: 1000 };

function isTiny({ mesh, prepare: { field, shell, hierarchy, elastic } }: BuildRequest): boolean {
  if (hierarchy || elastic || mesh.triangles.length > 3 * TINY.triangles) return false;
  const { resolution = Number.POSITIVE_INFINITY } = field === null ? { resolution: 0 } : (field ?? {});
  const { count = Number.POSITIVE_INFINITY } = shell === null ? { count: 0 } : (shell ?? {});
  return resolution <= TINY.resolution && count <= TINY.points;
}

type PartName = BodyPart | typeof BARE;

function only(prepare: PrepareOptions, parts: readonly PartName[]): PrepareOptions {
  const names = ['field', 'shell', 'hierarchy', 'elastic'] as const;
  return {
    ...prepare,
    ...Object.fromEntries(names.filter((name) => !parts.includes(name)).map((name) => [name, null])),
  };
}

/** The mesh as it was read, not the file's bytes: a glTF file may keep its triangles in other files. */
function contentOf({ mesh, tetrahedra }: Pick<BodySource, 'mesh' | 'tetrahedra'>): Uint8Array[] {
  const arrays = [mesh.positions, mesh.triangles];
  if (tetrahedra) arrays.push(tetrahedra.positions, tetrahedra.tetrahedra);
  return arrays.map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
}
