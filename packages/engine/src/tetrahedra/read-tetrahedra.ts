import { isPalpableError, PalpableError } from '../base/errors.js';
import { printable } from '../mesh/text-scanner.js';
import { type LengthUnit, metresPerUnit } from '../mesh/units.js';
import type { MaterialHint, RawTetrahedra } from './raw-tetrahedra.js';
import { readGmsh } from './read-gmsh.js';
import { isMedit, readMedit } from './read-medit.js';
import { readTetgen } from './read-tetgen.js';
import { isVeg, readVeg } from './read-veg.js';
import { isVtk, readVtk } from './read-vtk.js';
import { createTetrahedralMesh, type TetrahedralMesh, volume6 } from './tetrahedral-mesh.js';

/** The formats of tetrahedral meshes that `readTetrahedra` reads. */
export type TetrahedraFormat = 'gmsh' | 'veg' | 'vtk' | 'medit' | 'tetgen';

/** How to read a file of tetrahedra, and what the host provides for it. */
export interface ReadTetrahedraOptions {
  /** Gets a file beside the one that is read, by its name; TetGen's meshes are in two files. */
  readonly resolve?: (name: string) => Uint8Array | Promise<Uint8Array>;
  /** What one unit of the file is. Default metres. */
  readonly unit?: LengthUnit;
  /** A further factor on all coordinates. */
  readonly scale?: number;
  /** Turn inverted elements round even where others are not; when all of them are inverted they are turned anyway. */
  readonly turnInverted?: boolean;
}

/** A file as it was read, in metres. Nothing is promised of its elements: ask `auditTetrahedra`. */
export interface TetrahedraFile {
  readonly mesh: TetrahedralMesh;
  readonly format: TetrahedraFormat;
  /** The number that the file gives to each node. */
  readonly nodeLabels: Float64Array;
  /** Elements that were turned round, since their nodes came in the other order. */
  readonly turned: number;
  /** The first material of a Vega file, as it stands there. */
  readonly material: MaterialHint | undefined;
  /** What the user should know, in sentences. */
  readonly warnings: readonly string[];
}

const ENDINGS: Readonly<Record<string, TetrahedraFormat>> = {
  msh: 'gmsh',
  veg: 'veg',
  vtk: 'vtk',
  mesh: 'medit',
  node: 'tetgen',
  ele: 'tetgen',
};

const KNOWN = 'Gmsh .msh, Vega .veg, VTK legacy .vtk, Medit .mesh or TetGen .node/.ele';

/** Whether a file is one of tetrahedra, by the ending of its name. */
export function isTetrahedraName(name: string): boolean {
  return Object.hasOwn(ENDINGS, endingOf(name));
}

/**
 * Reads a file of tetrahedra of any known format, told by what it holds and by its name where that leaves it open.
 * Whatever the bytes are, this ends with a mesh or with a `PalpableError`, in time and memory that follow from the size
 * of the file and not from what it claims.
 */
export async function readTetrahedra(
  name: string,
  bytes: Uint8Array,
  options: ReadTetrahedraOptions = {},
): Promise<TetrahedraFile> {
  try {
    const format = detectFormat(name, bytes);
    const raw = await readRaw(format, name, bytes, options);
    return finish(format, raw, options);
  } catch (error) {
    throw isPalpableError(error) ? error.at(name) : error;
  }
}

function endingOf(name: string): string {
  return /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function detectFormat(name: string, bytes: Uint8Array): TetrahedraFormat {
  if (bytes.length === 0) throw new PalpableError('mesh-empty', 'The file is empty; export it again.');
  if (printable(bytes, 0, Math.min(11, bytes.length)) === '$MeshFormat') return 'gmsh';
  if (isVtk(bytes)) return 'vtk';
  if (isMedit(bytes)) return 'medit';
  if (isVeg(bytes)) return 'veg';
  const ending = endingOf(name);
  if (ending === 'meshb') {
    throw new PalpableError(
      'format-unsupported',
      'Binary Medit files are not supported; export the text format (.mesh).',
    );
  }
  if (Object.hasOwn(ENDINGS, ending)) return ENDINGS[ending];
  throw new PalpableError(
    'format-unknown',
    `The file is not in a supported format of tetrahedra; give a ${KNOWN} file.`,
  );
}

async function readRaw(
  format: TetrahedraFormat,
  name: string,
  bytes: Uint8Array,
  options: ReadTetrahedraOptions,
): Promise<RawTetrahedra> {
  switch (format) {
    case 'gmsh':
      return readGmsh(bytes);
    case 'veg':
      return readVeg(bytes);
    case 'vtk':
      return readVtk(bytes);
    case 'medit':
      return readMedit(bytes);
    case 'tetgen':
      return readBoth(name, bytes, options);
  }
}

/** TetGen keeps nodes and elements in two files of the same name. */
async function readBoth(name: string, bytes: Uint8Array, { resolve }: ReadTetrahedraOptions): Promise<RawTetrahedra> {
  const isNodes = endingOf(name) === 'node';
  const other = name.replace(/\.[a-z]+$/i, isNodes ? '.ele' : '.node');
  if (!resolve) {
    throw new PalpableError(
      'file-unreadable',
      `TetGen stores a mesh in two files, and "${other}" is missing; give both.`,
    );
  }
  const others = await resolve(other);
  return isNodes ? readTetgen(bytes, others) : readTetgen(others, bytes);
}

function finish(format: TetrahedraFormat, raw: RawTetrahedra, options: ReadTetrahedraOptions): TetrahedraFile {
  const scale = options.scale ?? 1;
  if (!(scale > 0) || !Number.isFinite(scale)) {
    throw new PalpableError('option-invalid', `The scale of the mesh is ${scale}; give a number above 0.`);
  }
  const factor = scale * metresPerUnit(options.unit ?? 'm');
  const positions = factor === 1 ? raw.positions : raw.positions.map((value) => value * factor);
  const mesh = createTetrahedralMesh(positions, raw.tetrahedra);
  const turned = turnInverted(mesh, options.turnInverted ?? false);
  const warnings = [...raw.warnings];
  if (turned > 0) warnings.push(`${turned} inverted tetrahedra were turned round.`);
  return { mesh, format, nodeLabels: raw.nodeLabels, turned, material: raw.material, warnings };
}

/**
 * Turns inverted elements in place. Where all are, the file only follows the other convention; where some are, they may
 * be a sign of a tangled mesh, which turning would hide.
 */
function turnInverted(mesh: TetrahedralMesh, isWanted: boolean): number {
  const elements = mesh.tetrahedra.length / 4;
  const inverted: number[] = [];
  let positive = 0;
  for (let element = 0; element < elements; element++) {
    const sixfold = volume6(mesh, element);
    if (sixfold < 0) inverted.push(element);
    else if (sixfold > 0) positive++;
  }
  if (positive > 0 && !isWanted) return 0;
  for (const element of inverted) {
    const third = mesh.tetrahedra[4 * element + 2];
    mesh.tetrahedra[4 * element + 2] = mesh.tetrahedra[4 * element + 3];
    mesh.tetrahedra[4 * element + 3] = third;
  }
  return inverted.length;
}
