import {
  type BuildHooks,
  buildSceneMesh,
  type CleanOptions,
  cleanMesh,
  type DistanceField,
  type ElasticHooks,
  encodeAsset,
  type FieldStatistics,
  type MeshedSolid,
  meshTetrahedra,
  type PrepareOptions,
  prepareBody,
  type SceneBody,
  type TetrahedralMesh,
  type TriangleMesh,
} from '@palpable/engine';
import { type LoadMeshOptions, loadMeshFile } from '../mesh/load-mesh-file.js';
import { createNodeWorkers } from '../parallel/node-workers.js';
import { memoryAtHand } from './memory-at-hand.js';

/** The long steps of a preparation: what goes in and comes out can be sent to another thread. */

export interface TaskHooks extends BuildHooks {
  readonly signal?: AbortSignal;
}

export interface ReadRequest {
  readonly path: string;
  readonly reading: LoadMeshOptions;
  readonly cleaning?: CleanOptions;
}

/** A mesh that is ready to be prepared. */
export interface BodySource {
  readonly mesh: TriangleMesh;
  /** What fills the mesh, if that is known. */
  readonly tetrahedra: TetrahedralMesh | null;
  /** Metres per unit of the file. */
  readonly unitScale: number;
  /** What the reader of the file has to say. */
  readonly warnings: readonly string[];
}

interface BuildRequest extends Pick<BodySource, 'mesh' | 'tetrahedra'> {
  readonly prepare: PrepareOptions;
}

interface FillRequest {
  readonly field: DistanceField;
  /** Metres. */
  readonly elementSize: number;
}

export const preparationTasks = {
  /** Reads a mesh file and cleans its mesh. */
  async read({ path, reading, cleaning }: ReadRequest, { signal }: TaskHooks): Promise<BodySource> {
    const file = await loadMeshFile(path, { ...reading, ...(signal && { signal }) });
    const { tetrahedra, unitScale, warnings } = file;
    // The surface of tetrahedra is sound, and its vertices are their nodes.
    return { mesh: tetrahedra ? file.mesh : cleanMesh(file.mesh, cleaning).mesh, tetrahedra, unitScale, warnings };
  },

  /** Builds the mesh of a shape or a model. */
  async shape(body: Pick<SceneBody, 'mesh' | 'scale'>, _hooks: TaskHooks): Promise<TriangleMesh> {
    return buildSceneMesh(body)!;
  },

  /** Builds the asset of a body. */
  async build({ mesh, tetrahedra, prepare }: BuildRequest, given: TaskHooks): Promise<BuiltAsset> {
    let statistics: FieldStatistics | undefined;
    const hooks: ElasticHooks = {
      ...given,
      workers: createNodeWorkers(),
      maxBytes: memoryAtHand(),
      onStatistics: (numbers) => {
        statistics = numbers;
      },
    };
    return { asset: encodeAsset(await prepareBody(mesh, prepare, hooks, tetrahedra)), statistics };
  },

  /** Fills the inside of a field with tetrahedra. */
  async fill({ field, elementSize }: FillRequest, hooks: TaskHooks): Promise<MeshedSolid> {
    return meshTetrahedra(field, { elementSize }, hooks);
  },
};

interface BuiltAsset {
  readonly asset: Uint8Array;
  readonly statistics: FieldStatistics | undefined;
}

export type PreparationTasks = typeof preparationTasks;
export type TaskName = keyof PreparationTasks;
