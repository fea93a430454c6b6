import { type CleanOptions, cleanMesh } from '../mesh/clean.js';
import { type MeshFile, type ReadMeshOptions, readMesh } from '../mesh/read-mesh.js';
import { metresPerUnit } from '../mesh/units.js';
import { isTetrahedraName, type ReadTetrahedraOptions, readTetrahedra } from '../tetrahedra/read-tetrahedra.js';
import { surfaceOf } from '../tetrahedra/surface-of.js';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';

export interface ReadBodyOptions extends ReadMeshOptions {
  /** For formats of several files: the bytes of the other one. */
  readonly resolveTetrahedra?: NonNullable<ReadTetrahedraOptions['resolve']>;
}

/** A surface, and what fills it where the file says so. */
export interface BodyFile extends Omit<MeshFile, 'format'> {
  /** Of the file. */
  readonly format: MeshFile['format'] | 'tetrahedra';
  /** Null for a file of triangles. */
  readonly tetrahedra: TetrahedralMesh | null;
}

/** What a body is prepared from. The surface of tetrahedra is sound, and cleaning would part it from their nodes. */
export function cleanBody(
  { mesh, tetrahedra }: BodyFile,
  options?: CleanOptions,
): Pick<BodyFile, 'mesh' | 'tetrahedra'> {
  return { mesh: tetrahedra ? mesh : cleanMesh(mesh, options).mesh, tetrahedra };
}

/**
 * Reads the mesh of a body: of triangles, or of tetrahedra, by the name of its file.
 *
 * @example
 * ```ts
 * import { cleanBody, prepareBody, readBodyMesh } from '@palpable/engine';
 *
 * declare const bytes: Uint8Array; // of the file
 *
 * const file = await readBodyMesh(bytes, { fileName: 'part.stl', unit: 'mm' });
 * const { mesh, tetrahedra } = cleanBody(file);
 * const body = await prepareBody(mesh, {}, {}, tetrahedra);
 * console.log(file.warnings, body.audit.volume);
 * ```
 */
export async function readBodyMesh(bytes: Uint8Array, options: ReadBodyOptions = {}): Promise<BodyFile> {
  const { fileName = '', unit = 'm', scale = 1, resolveTetrahedra } = options;
  if (!isTetrahedraName(fileName)) return { ...(await readMesh(bytes, options)), tetrahedra: null };
  const { mesh: tetrahedra, warnings } = await readTetrahedra(fileName, bytes, {
    unit,
    scale,
    ...(resolveTetrahedra && { resolve: resolveTetrahedra }),
  });
  const { mesh } = surfaceOf(tetrahedra);
  return { mesh, tetrahedra, format: 'tetrahedra', warnings: [...warnings], unitScale: scale * metresPerUnit(unit) };
}
