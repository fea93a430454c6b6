import { basename, dirname, join } from 'node:path';
import { cleanMesh, isPalpableError, PalpableError } from '@palpable/engine';
import {
  auditTetrahedra,
  checkTetrahedraSize,
  describeTetrahedraAudit,
  type MaterialHint,
  type ReadTetrahedraOptions,
  readTetrahedra,
  type TetrahedraAudit,
  tetrahedraProblems,
} from '@palpable/engine/advanced';
import { readUserFile } from '../files/read-file.js';
import { loadMeshFile } from '../mesh/load-mesh-file.js';
import { formatNumber } from '../terminal/table.js';
import { PreparationThread } from './preparation-thread.js';
import { type PrepareFileOptions, prepareFile } from './prepare-file.js';

/** What is known of a tetrahedral mesh, as JSON says it. */
export interface TetrahedraReport {
  readonly file: string;
  readonly format: string;
  readonly warnings: readonly string[];
  /** Why it cannot be an elastic body; empty when it can. */
  readonly problems: readonly string[];
  readonly material: MaterialHint | null;
  readonly audit: TetrahedraAudit;
}

const MAX_BYTES = 2 ** 30;
/** Voxels of the field along an element, so that its surface is finer than the elements. */
const VOXELS_PER_ELEMENT = 3;

/** Reads a file of tetrahedra, and for TetGen the other one beside it. */
export async function inspectTetrahedra(
  path: string,
  { unit, scale }: Pick<ReadTetrahedraOptions, 'unit' | 'scale'>,
): Promise<TetrahedraReport> {
  const bytes = await readUserFile(path, MAX_BYTES);
  const read = await readTetrahedra(path, bytes, {
    ...(unit !== undefined && { unit }),
    ...(scale !== undefined && { scale }),
    // The name comes from our own path, so that the file is one beside it.
    resolve: (other) => readUserFile(join(dirname(path), basename(other)), MAX_BYTES),
  });
  return {
    file: path,
    format: read.format,
    warnings: read.warnings,
    problems: tetrahedraProblems(read.mesh),
    material: read.material ?? null,
    audit: auditTetrahedra(read.mesh),
  };
}

export interface MeshingOptions extends Omit<PrepareFileOptions, 'prepare'> {
  /** Metres. */
  readonly elementSize: number;
}

/** Fills a mesh with tetrahedra, by way of its field. */
export async function inspectMeshed(path: string, options: MeshingOptions): Promise<TetrahedraReport> {
  const { elementSize, ...preparing } = options;
  if (path.endsWith('.palpable')) {
    const message = `${path}: An asset cannot be filled with tetrahedra; give its mesh with --element-size.`;
    throw new PalpableError('option-invalid', message, path);
  }
  const { mesh } = await loadMeshFile(path, options.reading);
  const thread = new PreparationThread();
  const solid = await explained(path, async () => {
    checkTetrahedraSize(cleanMesh(mesh, options.cleaning).mesh, elementSize);
    const voxelSize = elementSize / VOXELS_PER_ELEMENT;
    const { body } = await prepareFile(path, { ...preparing, prepare: { field: { voxelSize }, shell: null } });
    return thread.run('fill', { field: body.field!, elementSize }, options);
  }).finally(() => thread.close());
  return {
    file: path,
    format: 'meshed',
    warnings: solid.warnings,
    problems: tetrahedraProblems(solid),
    material: null,
    audit: auditTetrahedra(solid),
  };
}

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw isPalpableError(error) && error.path === undefined ? error.at(path) : error;
  }
}

export function tetrahedraSentences({ file, format, warnings, problems, material, audit }: TetrahedraReport): string[] {
  const lines = [`${file} (tetrahedra, ${format})`, ...warnings, ...describeTetrahedraAudit(audit)];
  if (material) {
    const [density, young, poisson] = [material.density, material.young, material.poisson].map(formatNumber);
    lines.push(
      `Material of the file: density ${density} kg/m³, Young's modulus ${young} Pa, Poisson's ratio ${poisson}.`,
    );
  }
  lines.push(problems.length === 0 ? 'It can be an elastic body.' : 'It cannot be an elastic body as it is.');
  return lines;
}
