/** What the user dropped or chose: a scene with its meshes, or parts. Throws a `PalpableError` for anything else. */
import { checkScene, PalpableError, sceneError } from '@palpable/engine';
import { nextOwnId } from '../app/scene-store.js';
import { openOwnScene } from '../gallery/gallery.js';
import type { MeshSource, StudioScene } from '../scene/scene.js';
import type { FromPartThread, ReadPart, ToPartThread } from './part.js';

/** More than this is no part but a scan, and fills the memory of the tab. */
const LARGEST_MEGABYTES = 300;
const MOST_PARTS = 8;

export type ReadFiles =
  | { readonly kind: 'scene'; readonly scene: StudioScene }
  | { readonly kind: 'parts'; readonly parts: readonly ReadPart[] };

export async function readFiles(files: readonly File[], signal: AbortSignal): Promise<ReadFiles> {
  const scenes = files.filter(({ name }) => /\.json$/i.test(name));
  const meshes = files.filter((file) => !scenes.includes(file));
  for (const file of files) checkSize(file);
  if (scenes.length > 1) {
    throw new PalpableError('option-invalid', `These are ${scenes.length} scene files; open one at a time.`);
  }
  if (scenes[0]) return { kind: 'scene', scene: await readScene(scenes[0], meshes) };
  if (meshes.length > MOST_PARTS) {
    throw new PalpableError('too-large', `These are ${meshes.length} files; bring at most ${MOST_PARTS} at a time.`);
  }
  return { kind: 'parts', parts: await Promise.all(meshes.map((file) => readPart(file, signal))) };
}

function checkSize({ name, size }: File): void {
  if (size <= LARGEST_MEGABYTES * 1e6) return;
  throw new PalpableError(
    'too-large',
    `${name} has ${Math.round(size / 1e6)} MB, more than the ${LARGEST_MEGABYTES} MB that a tab can bear; reduce its triangles, or prepare it with "palpable prepare".`,
    name,
  );
}

async function readScene(file: File, meshes: readonly File[]): Promise<StudioScene> {
  const text = await file.text();
  // From the text, so that what is wrong is told with its line.
  const { problems } = checkScene(text);
  if (problems.length > 0) throw sceneError(file.name, problems);
  const sources = await Promise.all(
    meshes.map(
      async (mesh): Promise<[string, Extract<MeshSource, { kind: 'bytes' }>]> => [
        mesh.name,
        { kind: 'bytes', bytes: await readBytes(mesh), fileName: mesh.name },
      ],
    ),
  );
  try {
    return openOwnScene(nextOwnId(), JSON.parse(text), new Map(sources));
  } catch (error) {
    if (!(error instanceof PalpableError)) throw error;
    const isMissingMesh = /\.mesh$/.test(error.path ?? '');
    const hint = isMissingMesh ? '\nDrop the scene file together with its mesh files.' : '';
    throw new PalpableError(error.code, `${file.name}: ${error.message}${hint}`, error.path);
  }
}

async function readBytes(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new PalpableError(
      'file-unreadable',
      `${file.name} cannot be read; a folder cannot be dropped, and a file must not change meanwhile. Drop the file again.`,
      file.name,
    );
  }
}

async function readPart(file: File, signal: AbortSignal): Promise<ReadPart> {
  if (/\.(step|stp)$/i.test(file.name)) throw stepError(file.name);
  const bytes = await readBytes(file);
  const worker = new Worker(new URL('./part-worker.ts', import.meta.url), { type: 'module', name: file.name });
  try {
    const part = await new Promise<Omit<ReadPart, 'bytes'>>((resolve, reject) => {
      const fail = (message: string) => reject(new PalpableError('format-invalid', message, file.name));
      signal.addEventListener('abort', () =>
        reject(new PalpableError('cancelled', 'The file was not read to its end.', file.name)),
      );
      worker.onerror = (event) => {
        event.preventDefault();
        fail(`${file.name}: Reading ended early (${event.message || 'perhaps the memory was not enough'}).`);
      };
      worker.onmessage = ({ data }: MessageEvent<FromPartThread>) => {
        if (data.kind === 'read') resolve(data.part);
        else fail(data.message);
      };
      worker.postMessage({ bytes, fileName: file.name } satisfies ToPartThread);
    });
    return { ...part, bytes };
  } finally {
    worker.terminate();
  }
}

function stepError(name: string): PalpableError {
  return new PalpableError(
    'format-unsupported',
    `${name}: The page has no CAD kernel for STEP files; the command line reads them ("palpable run" with a scene that names the file), or export the part as STL.`,
    name,
  );
}
