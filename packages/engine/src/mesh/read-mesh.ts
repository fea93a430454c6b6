import { isPalpableError, PalpableError } from '../base/errors.js';
import { detectFormat, type MeshFormat } from './detect-format.js';
import type { GltfHost } from './gltf-buffers.js';
import type { RawMesh } from './raw-mesh.js';
import { readGltf } from './read-gltf.js';
import { readObj } from './read-obj.js';
import { readOff } from './read-off.js';
import { readPly } from './read-ply.js';
import { readStl } from './read-stl.js';
import { meshFromStepResult, type StepReader, type StepTessellation, stepNamesSolid } from './step-result.js';
import { createMesh, type TriangleMesh } from './triangle-mesh.js';
import { type LengthUnit, metresPerUnit } from './units.js';

/** How to read a mesh file, and what the host provides for it. */
export interface ReadMeshOptions extends GltfHost {
  /** Skips detection. */
  readonly format?: MeshFormat;
  /** Tells formats apart that their content does not; also put before the messages of errors. */
  readonly fileName?: string;
  /** What one unit of the file is. Default metres; STEP files state their own. */
  readonly unit?: LengthUnit;
  /** A further factor on all coordinates. */
  readonly scale?: number;
  /** Runs a CAD kernel; without it STEP files are refused. */
  readonly readStep?: StepReader;
  /** How finely the faces of a STEP file become triangles. */
  readonly tessellation?: StepTessellation;
  /** Accept STEP files that hold surfaces but no solid. */
  readonly allowSurfaces?: boolean;
}

/** A file as it was read: the mesh is in metres and checked by `createMesh`, but not yet welded or cleaned. */
export interface MeshFile {
  /** As the file has it, in metres. */
  readonly mesh: TriangleMesh;
  /** Given, or detected. */
  readonly format: MeshFormat;
  /** What the user should know, in sentences. */
  readonly warnings: string[];
  /** Metres per unit of the file, with the scale: divide by it to speak in the file's own units (millimetres for STEP). */
  readonly unitScale: number;
}

/** Millimetres, the unit in which the CAD kernel hands over its result. */
const STEP_UNIT = 1e-3;

/**
 * Reads a mesh file of any known format. Whatever the bytes are, this ends with a mesh or with a `PalpableError`, in
 * time and memory that follow from the size of the file and not from what it claims.
 */
export async function readMesh(bytes: Uint8Array, options: ReadMeshOptions = {}): Promise<MeshFile> {
  try {
    return await readChecked(bytes, options);
  } catch (error) {
    if (options.fileName !== undefined && isPalpableError(error)) throw error.at(options.fileName);
    throw error;
  }
}

async function readChecked(bytes: Uint8Array, options: ReadMeshOptions): Promise<MeshFile> {
  const scale = options.scale ?? 1;
  if (!(scale > 0) || !Number.isFinite(scale)) {
    throw new PalpableError('option-invalid', `The scale of the mesh is ${scale}; give a number above 0.`);
  }
  const unit = metresPerUnit(options.unit ?? 'm');
  if (bytes.length === 0) throw new PalpableError('mesh-empty', 'The file is empty; export it again.');
  const format = options.format ?? detectFormat(bytes, options.fileName);
  const raw = await readRaw(bytes, format, options);
  const unitScale = scale * (format === 'step' ? STEP_UNIT : unit);
  const { positions } = raw;
  if (unitScale !== 1) for (let i = 0; i < positions.length; i++) positions[i] *= unitScale;
  return { mesh: createMesh(positions, raw.triangles), format, warnings: raw.warnings, unitScale };
}

async function readRaw(bytes: Uint8Array, format: MeshFormat, options: ReadMeshOptions): Promise<RawMesh> {
  switch (format) {
    case 'stl':
      return readStl(bytes);
    case 'obj':
      return readObj(bytes);
    case 'ply':
      return readPly(bytes);
    case 'off':
      return readOff(bytes);
    case 'gltf':
      return readGltf(bytes, options);
    case 'step':
      return readStep(bytes, options);
  }
}

async function readStep(bytes: Uint8Array, options: ReadMeshOptions): Promise<RawMesh> {
  if (options.readStep === undefined) {
    throw new PalpableError(
      'format-unsupported',
      'STEP files need a CAD kernel, which is not available here; export STL.',
    );
  }
  if (!options.allowSurfaces && !stepNamesSolid(bytes)) {
    throw new PalpableError('mesh-empty', 'The STEP file holds no solids; export the part as a solid body.');
  }
  const raw = meshFromStepResult(await options.readStep(bytes, options.tessellation ?? {}));
  if (options.unit !== undefined) raw.warnings.push('STEP files state their own unit; the given one was not used.');
  return raw;
}
