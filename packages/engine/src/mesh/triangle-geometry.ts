import { crossOfEdges, distanceSquared, lengthAt, volumeOfCorners6 } from '../math/vectors.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Height over longest edge below which a triangle counts as a line: far under what single precision resolves. */
const FLATNESS = 1e-12;

/** Writes the cross product of two edges: twice the area, along the normal. */
export function triangleCross(out: Float64Array, mesh: TriangleMesh, triangle: number): void {
  const { positions, triangles } = mesh;
  const a = triangles[triangle * 3] * 3;
  const b = triangles[triangle * 3 + 1] * 3;
  const c = triangles[triangle * 3 + 2] * 3;
  crossOfEdges(out, 0, positions, a, b, c);
}

/** Between two vertices, by their numbers. */
export function squaredDistance(positions: Float64Array, a: number, b: number): number {
  return distanceSquared(positions, 3 * a, positions, 3 * b);
}

export function triangleArea(mesh: TriangleMesh, triangle: number, scratch: Float64Array): number {
  triangleCross(scratch, mesh, triangle);
  return lengthAt(scratch, 0) / 2;
}

/** Whether two corners are the same vertex. */
export function isCollapsed(triangles: Uint32Array, triangle: number): boolean {
  const a = triangles[triangle * 3];
  const b = triangles[triangle * 3 + 1];
  const c = triangles[triangle * 3 + 2];
  return a === b || b === c || c === a;
}

/** Whether the corners lie on one line, to rounding. */
export function isSliver(mesh: TriangleMesh, triangle: number, scratch: Float64Array): boolean {
  const { positions, triangles } = mesh;
  const a = triangles[triangle * 3];
  const b = triangles[triangle * 3 + 1];
  const c = triangles[triangle * 3 + 2];
  const longest = Math.max(
    squaredDistance(positions, a, b),
    squaredDistance(positions, b, c),
    squaredDistance(positions, c, a),
  );
  return 2 * triangleArea(mesh, triangle, scratch) <= FLATNESS * longest;
}

/** Six times the signed volume of the tetrahedron to the triangle from the point at `at` in `origin`. */
export function tetrahedronVolume6(mesh: TriangleMesh, triangle: number, origin: Float64Array, at = 0): number {
  const { positions, triangles } = mesh;
  const a = triangles[triangle * 3] * 3;
  const b = triangles[triangle * 3 + 1] * 3;
  const c = triangles[triangle * 3 + 2] * 3;
  return volumeOfCorners6(origin, at, positions, a, b, c);
}

/** The mesh with only those triangles for which `keep` is not 0. */
export function keepTriangles(mesh: TriangleMesh, keep: Uint8Array): TriangleMesh {
  const triangles = new Uint32Array(mesh.triangles.length);
  let length = 0;
  for (let triangle = 0; triangle < keep.length; triangle++) {
    if (keep[triangle] === 0) continue;
    for (let corner = triangle * 3; corner < triangle * 3 + 3; corner++) triangles[length++] = mesh.triangles[corner];
  }
  return { positions: mesh.positions, triangles: triangles.slice(0, length) };
}
