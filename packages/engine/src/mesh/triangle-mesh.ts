import { PalpableError } from '../base/errors.js';

/**
 * A surface as everything after the readers sees it: an indexed list of triangles in metres. Nothing is promised about
 * it (it may be open, doubled, inside out) beyond what `createMesh` checks; the audit says what it is.
 */
export interface TriangleMesh {
  /** x, y, z of every vertex, metres, body frame. */
  readonly positions: Float64Array;
  /** Three vertex indices per triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array;
}

/** Number of vertices. */
export function vertexCount(mesh: TriangleMesh): number {
  return mesh.positions.length / 3;
}

/** Number of triangles. */
export function triangleCount(mesh: TriangleMesh): number {
  return mesh.triangles.length / 3;
}

/** An axis-aligned box, metres. */
export interface Bounds {
  /** Smallest coordinates, metres. */
  readonly min: readonly [number, number, number];
  /** Largest coordinates, metres. */
  readonly max: readonly [number, number, number];
}

/** Largest magnitude of a coordinate: beyond it, a double no longer resolves a tenth of a nanometre. */
const HUGE_COORDINATE = 1e6;

/** Smallest extent of a whole mesh: below the size of an atom only a wrong unit is left as an explanation. */
const TINY_EXTENT = 1e-9;

/**
 * Checks what every later stage relies on: whole triples, at least one triangle, indices in range, finite coordinates
 * of a size that makes sense in metres. The arrays are kept, not copied.
 *
 * @example
 * ```ts
 * import { createMesh } from '@palpable/engine';
 *
 * const corners = Float64Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0);
 * const triangle = createMesh(corners, Uint32Array.of(0, 1, 2));
 * console.log(triangle.triangles.length / 3);
 * ```
 */
export function createMesh(positions: Float64Array, triangles: Uint32Array): TriangleMesh {
  if (positions.length % 3 !== 0 || triangles.length % 3 !== 0) {
    throw new PalpableError('mesh-invalid', 'Positions and triangles must come in threes; pass complete triples.');
  }
  if (triangles.length === 0) {
    throw new PalpableError('mesh-empty', 'The mesh has no triangles; export a surface, not points or lines.');
  }
  checkIndices(triangles, positions.length / 3);
  checkCoordinates(positions);
  const mesh = { positions, triangles };
  checkExtent(mesh);
  return mesh;
}

/** The box around the vertices that triangles use; vertices that no triangle uses do not count. */
export function meshBounds(mesh: TriangleMesh): Bounds {
  const { positions, triangles } = mesh;
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let corner = 0; corner < triangles.length; corner++) {
    const base = triangles[corner] * 3;
    for (let axis = 0; axis < 3; axis++) {
      const value = positions[base + axis];
      if (value < min[axis]) min[axis] = value;
      if (value > max[axis]) max[axis] = value;
    }
  }
  return { min, max };
}

/** The box around all points. */
export function pointBounds(positions: Float64Array): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at++) {
    const axis = at % 3;
    min[axis] = Math.min(min[axis], positions[at]);
    max[axis] = Math.max(max[axis], positions[at]);
  }
  return { min, max };
}

export function checkIndices(indices: Uint32Array, count: number): void {
  for (let corner = 0; corner < indices.length; corner++) {
    if (indices[corner] >= count) {
      throw new PalpableError(
        'mesh-invalid',
        `A face uses vertex ${indices[corner] + 1} but there are only ${count} vertices; the file is damaged: export it again.`,
      );
    }
  }
}

function checkCoordinates(positions: Float64Array): void {
  for (let i = 0; i < positions.length; i++) {
    const value = positions[i];
    if (Math.abs(value) <= HUGE_COORDINATE) continue;
    const vertex = Math.floor(i / 3) + 1;
    if (!Number.isFinite(value)) {
      throw new PalpableError(
        'mesh-invalid',
        `Vertex ${vertex} has a coordinate that is not a finite number; repair the file or export it again.`,
      );
    }
    throw new PalpableError(
      'mesh-invalid',
      `Vertex ${vertex} has the coordinate ${value.toExponential(2)} m, beyond the limit of 1e6 m; set the unit of the file or its scale.`,
    );
  }
}

function checkExtent(mesh: TriangleMesh): void {
  const { min, max } = meshBounds(mesh);
  const extent = Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  if (extent >= TINY_EXTENT) return;
  const size = extent === 0 ? 'zero size (all its points coincide)' : `a size of only ${extent.toExponential(2)} m`;
  throw new PalpableError('mesh-invalid', `The mesh has ${size}; check the export, the unit and the scale.`);
}
