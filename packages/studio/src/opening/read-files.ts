/** What the user dropped or chose: a scene with its meshes, or parts. Throws a `PalpableError` for anything else. */
import { checkScene, isPalpableError, PalpableError } from '@palpable/engine';
import { sceneError } from '@palpable/engine/advanced';
import { nextOwnId } from '../app/scene-store.js';
import type { ReadPart } from '../drop/part.js';
import { type ReadProgress, readPart } from '../drop/read-part.js';
import { type SortedFiles, sortFiles } from '../drop/sort-files.js';
import { openOwnScene } from '../gallery/gallery.js';
import type { MeshSource, StudioScene } from '../scene/scene.js';

type BytesSource = Extract<MeshSource, { kind: 'bytes' }>;

export type ReadFiles =
  | { readonly kind: 'scene'; readonly scene: StudioScene }
  | {
      readonly kind: 'parts';
      readonly parts: readonly ReadPart[];
      /** Why some of the files are no parts. */
      readonly problems: readonly string[];
      /** Names of files that are not needed. */
      readonly leftOut: readonly string[];
    };

export interface ReadHooks {
  readonly signal: AbortSignal;
  readonly onProgress: (fileName: string, progress: ReadProgress) => void;
}

/** Each needs its own copy of the mesh, and the CAD kernel much more. */
const MOST_AT_ONCE = 2;

export async function readFiles(
  files: readonly File[],
  folders: readonly string[],
  hooks: ReadHooks,
): Promise<ReadFiles> {
  const sorted = sortFiles(files, folders);
  for (const { name } of [sorted.scene ?? [], sorted.meshes].flat()) {
    hooks.onProgress(name, { stage: 'Waiting', fraction: 0 });
  }
  if (sorted.scene) return { kind: 'scene', scene: await readScene(sorted.scene, sorted, hooks) };
  const read = await inTurn(sorted.meshes, (file) => tryPart(file, sorted, hooks));
  const parts = read.flatMap(({ part }) => part ?? []);
  const problems = read.flatMap(({ problem }) => problem ?? []);
  return { kind: 'parts', parts, problems, leftOut: sorted.leftOut.map(({ name }) => name) };
}

interface Attempt {
  readonly part?: ReadPart;
  readonly problem?: string;
}

async function tryPart(file: File, sorted: SortedFiles<File>, hooks: ReadHooks): Promise<Attempt> {
  try {
    const part = await readOne(file, sorted, hooks);
    hooks.onProgress(file.name, { stage: 'Read', fraction: 1 });
    return { part };
  } catch (error) {
    if (!isPalpableError(error) || error.code === 'cancelled') throw error;
    hooks.onProgress(file.name, { stage: 'Cannot be read', fraction: 1 });
    return { problem: error.message };
  }
}

function readOne(file: File, { data }: SortedFiles<File>, { signal, onProgress }: ReadHooks): Promise<ReadPart> {
  return readPart({ file, companions: data }, signal, (progress) => onProgress(file.name, progress));
}

async function readScene(file: File, sorted: SortedFiles<File>, hooks: ReadHooks): Promise<StudioScene> {
  hooks.onProgress(file.name, { stage: 'Reading', fraction: undefined });
  const text = await file.text().catch(() => {
    throw new PalpableError('file-unreadable', `${file.name} cannot be read; drop it again.`, file.name);
  });
  // From the text, so that what is wrong is reported with its line.
  const { problems } = checkScene(text);
  if (problems.length > 0) throw sceneError(file.name, problems);
  hooks.onProgress(file.name, { stage: 'Read', fraction: 1 });
  const sources = await inTurn(sorted.meshes, async (mesh): Promise<[string, BytesSource]> => {
    const { fileName, bytes, second } = await readOne(mesh, sorted, hooks);
    hooks.onProgress(fileName, { stage: 'Read', fraction: 1 });
    return [fileName, { kind: 'bytes', bytes, fileName, second }];
  });
  try {
    return openOwnScene(nextOwnId(), JSON.parse(text), new Map(sources));
  } catch (error) {
    if (!isPalpableError(error)) throw error;
    const isMissingMesh = /\.mesh$/.test(error.path ?? '');
    const hint = isMissingMesh ? '\nDrop the scene file together with its mesh files.' : '';
    throw new PalpableError(error.code, `${file.name}: ${error.message}${hint}`, error.path);
  }
}

/** A few at a time, what comes out in the order of what went in. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await work(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, worker));
  return results;
}
