import { PalpableError } from '../base/errors.js';
import { checkTriangleLimit, type RawMesh } from './raw-mesh.js';

/**
 * How finely a CAD kernel turns curved faces into triangles. Give either of the two linear tolerances: too coarse and
 * round holes become polygons that you can feel, too fine and the mesh grows for no difference you could feel.
 */
export interface StepTessellation {
  /** Largest distance of a triangle from the true surface, metres. */
  readonly linearDeflection?: number;
  /** The same as a fraction of the part's size; used when `linearDeflection` is not given. Default 0.001. */
  readonly relativeDeflection?: number;
  /** Largest angle between neighbouring triangles of a curved face, radians. Default 0.35 (18 facets around a circle). */
  readonly angularDeflection?: number;
}

/** The part of occt-import-js' result that is used; also what a worker or process sends, with typed arrays. */
export interface StepResult {
  readonly success: boolean;
  readonly meshes?: readonly {
    readonly attributes: { readonly position: { readonly array: ArrayLike<number> } };
    readonly index: { readonly array: ArrayLike<number> };
  }[];
}

/** Runs the CAD kernel: on Node in a separate process, in a page in a worker. The result is in millimetres. */
export type StepReader = (bytes: Uint8Array, tessellation: StepTessellation) => Promise<StepResult>;

/**
 * Parameters for occt-import-js' `ReadStepFile`. Millimetres, although metres are wanted: the kernel's own tolerances
 * are absolute numbers made for millimetres, and small parts lose faces in metres.
 */
export function stepParameters(tessellation: StepTessellation): Record<string, string | number> {
  const { linearDeflection, relativeDeflection = 0.001, angularDeflection = 0.35 } = tessellation;
  checkTolerance('linear deflection', linearDeflection ?? relativeDeflection);
  checkTolerance('angular deflection', angularDeflection);
  return {
    linearUnit: 'millimeter',
    linearDeflectionType: linearDeflection === undefined ? 'bounding_box_ratio' : 'absolute_value',
    linearDeflection: linearDeflection === undefined ? relativeDeflection : linearDeflection * 1000,
    angularDeflection,
  };
}

function checkTolerance(name: string, value: number): void {
  if (value > 0 && Number.isFinite(value)) return;
  throw new PalpableError('option-invalid', `The ${name} of a STEP file is ${value}; give a number above 0.`);
}

/** Joins the meshes of the kernel's result, still in millimetres. */
export function meshFromStepResult(result: StepResult): RawMesh {
  if (!result.success) {
    throw new PalpableError(
      'format-invalid',
      'The CAD kernel cannot read this STEP file; it is damaged: export it again.',
    );
  }
  const meshes = result.meshes ?? [];
  const values = meshes.reduce((sum, mesh) => sum + mesh.attributes.position.array.length, 0);
  const corners = meshes.reduce((sum, mesh) => sum + mesh.index.array.length, 0);
  if (corners === 0) {
    throw new PalpableError('mesh-empty', 'The STEP file holds no solids; export the part as a solid body.');
  }
  checkTriangleLimit(corners / 3);
  const positions = new Float64Array(values);
  const triangles = new Uint32Array(corners);
  let valueOffset = 0;
  let cornerOffset = 0;
  for (const mesh of meshes) {
    positions.set(mesh.attributes.position.array, valueOffset);
    const indices = mesh.index.array;
    for (let i = 0; i < indices.length; i++) triangles[cornerOffset + i] = indices[i] + valueOffset / 3;
    valueOffset += mesh.attributes.position.array.length;
    cornerOffset += indices.length;
  }
  return { positions, triangles, warnings: [] };
}

/** Entities that bound a volume; a file without any of them has surfaces, curves or nothing. */
const SOLID_ENTITIES = [
  'MANIFOLD_SOLID_BREP',
  'BREP_WITH_VOIDS',
  'FACETED_BREP',
  'CSG_SOLID',
  'SOLID_MODEL',
  'TESSELLATED_SOLID',
  'EXTRUDED_AREA_SOLID',
  'REVOLVED_AREA_SOLID',
];

/** Whether the text of a STEP file names a solid anywhere. One pass over the bytes per kind, without making strings. */
export function stepNamesSolid(bytes: Uint8Array): boolean {
  return SOLID_ENTITIES.some((entity) => contains(bytes, entity));
}

function contains(bytes: Uint8Array, word: string): boolean {
  const codes = Uint8Array.from(word, (character) => character.charCodeAt(0));
  for (let i = bytes.indexOf(codes[0]); i >= 0; i = bytes.indexOf(codes[0], i + 1)) {
    let matched = 1;
    while (matched < codes.length && bytes[i + matched] === codes[matched]) matched++;
    if (matched === codes.length) return true;
  }
  return false;
}
