import {
  type BuildHooks,
  buildSceneMesh,
  cleanBody,
  type DistanceField,
  encodeAsset,
  type PrepareOptions,
  prepareBody,
  type SceneBody,
  type TriangleMesh,
} from '@palpable/engine';
import {
  type BodyPart,
  bodyWithPart,
  type CleanOptions,
  type ElasticHooks,
  type FieldStatistics,
  type MeshedSolid,
  meshTetrahedra,
  type TetrahedralMesh,
  wantedParts,
} from '@palpable/engine/advanced';
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

export interface BuildRequest extends Pick<BodySource, 'mesh' | 'tetrahedra'> {
  readonly prepare: PrepareOptions;
}

/** A field of no more voxels along its longest side and triangles than this is built before a worker has started. */
const QUICK_RESOLUTION = 48;
const QUICK_TRIANGLES = 3000;

interface FillRequest {
  readonly field: DistanceField;
  /** Metres. */
  readonly elementSize: number;
}

export const preparationTasks = {
  /** Reads a mesh file and cleans its mesh. */
  async read({ path, reading, cleaning }: ReadRequest, { signal }: TaskHooks): Promise<BodySource> {
    const file = await loadMeshFile(path, { ...reading, ...(signal && { signal }) });
    const { unitScale, warnings } = file;
    return { ...cleanBody(file, cleaning), unitScale, warnings };
  },

  /** Builds the mesh of a shape or a model. */
  async shape(body: Pick<SceneBody, 'mesh' | 'scale'>, _hooks: TaskHooks): Promise<TriangleMesh> {
    return buildSceneMesh(body)!;
  },

  /** Builds a body, and an asset of each of its parts. */
  async build({ mesh, tetrahedra, prepare }: BuildRequest, given: TaskHooks): Promise<BuiltParts> {
    let statistics: FieldStatistics | undefined;
    const hooks: ElasticHooks = {
      ...given,
      ...(!isQuick(mesh, prepare) && { workers: createNodeWorkers() }),
      maxBytes: memoryAtHand(),
      onStatistics: (numbers) => {
        statistics = numbers;
      },
    };
    const body = await prepareBody(mesh, prepare, hooks, tetrahedra);
    const parts = [...wantedParts(prepare).keys()];
    const assets = parts.map((part) => [part, encodeAsset(bodyWithPart(body, part))] as const);
    return { assets: assets.length > 0 ? assets : [[BARE, encodeAsset(body)]], statistics };
  },

  /** Fills the inside of a field with tetrahedra. */
  async fill({ field, elementSize }: FillRequest, hooks: TaskHooks): Promise<MeshedSolid> {
    return meshTetrahedra(field, { elementSize }, hooks);
  },
};

function isQuick({ triangles }: TriangleMesh, { field, elastic }: PrepareOptions): boolean {
  const { resolution = Number.POSITIVE_INFINITY } = field ?? {};
  return !elastic && resolution <= QUICK_RESOLUTION && triangles.length <= 3 * QUICK_TRIANGLES;
}

/** What is left of a body without any of its parts: mesh, audit, mass. */
export const BARE = 'bare';

interface BuiltParts {
  readonly assets: readonly (readonly [part: BodyPart | typeof BARE, asset: Uint8Array])[];
  readonly statistics: FieldStatistics | undefined;
}

export type PreparationTasks = typeof preparationTasks;
export type TaskName = keyof PreparationTasks;
