import { dirname, join } from 'node:path';
import { type BodyFile, type ReadMeshOptions, readBodyMesh } from '@palpable/engine';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { readUserFile } from '../files/read-file.js';
import { gltfResolver } from './gltf-resolver.js';
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
