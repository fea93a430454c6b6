import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type BodyFile, PalpableError, type ReadMeshOptions, readBodyMesh } from '@palpable/engine';
import type { UriResolver } from '@palpable/engine/advanced';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { readUserFile } from '../files/read-file.js';
import { type StepLimits, StepProcess } from './step-process.js';

export interface LoadMeshOptions
  extends Pick<ReadMeshOptions, 'format' | 'unit' | 'scale' | 'tessellation' | 'allowSurfaces'> {
  /** Largest file that is opened, bytes. Default 1 GiB. */
  readonly maxBytes?: number;
  /** Limits of the process that reads STEP files. */
  readonly stepLimits?: StepLimits;
  /** Ends the process that reads a STEP file. */
  readonly signal?: AbortSignal;
}

const GIB = 1024 ** 3;

/** Reads a mesh file of any known format from the disk. Errors are `PalpableError`s that begin with the path. */
export async function loadMeshFile(path: string, options: LoadMeshOptions = {}): Promise<BodyFile> {
  const { maxBytes = GIB, stepLimits, signal, ...reading } = options;
  const bytes = await readUserFile(path, maxBytes);
  return readBodyMesh(bytes, {
    ...reading,
    fileName: path,
    resolveUri: gltfResolver(path, maxBytes),
    resolveTetrahedra: (name) => readUserFile(join(dirname(path), name), maxBytes),
    meshoptDecoder: MeshoptDecoder,
    readStep: async (content, tessellation) => {
      const kernel = new StepProcess(stepLimits);
      try {
        return await kernel.read(content, tessellation, signal);
      } finally {
        kernel.close();
      }
    },
  });
}

/**
 * Finds the files that a glTF file names, in its own folder or below. Addresses of networks and paths that lead out of
 * the folder, also by links, are refused: opening a model must not read anything else.
 */
function gltfResolver(gltfPath: string, maxBytes: number): UriResolver {
  return async (uri) => {
    const name = decodeName(uri);
    const folder = await realpath(dirname(resolve(gltfPath)));
    const path = resolve(folder, name);
    if (/^[a-z][a-z0-9+.-]*:/i.test(uri) || isAbsolute(name) || !isInside(folder, path)) throw refused(uri);
    const bytes = await readUserFile(path, maxBytes);
    if (!isInside(folder, await realpath(path))) throw refused(uri);
    return bytes;
  };
}

function decodeName(uri: string): string {
  try {
    const name = decodeURIComponent(uri);
    if (name !== '' && !name.includes('\0')) return name;
  } catch {
    // Not a URI: refused below.
  }
  throw refused(uri);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refused(uri: string): PalpableError {
  const message = `The glTF keeps its data in "${uri.slice(0, 80)}", which is not in its own folder; put the file there or export a GLB.`;
  return new PalpableError('file-unreadable', message);
}
