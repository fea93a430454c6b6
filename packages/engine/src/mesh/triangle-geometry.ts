import { length3 } from '../math/portable.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Height over longest edge below which a triangle counts as a line: far under what single precision resolves. */
const FLATNESS = 1e-12;

/** Writes the cross product of two edges: twice the area, along the normal. */
export function triangleCross(out: Float64Array, mesh: TriangleMesh, triangle: number): void {
  const { positions, triangles } = mesh;
  const a = triangles[triangle * 3] * 3;
  const b = triangles[triangle * 3 + 1] * 3;
  const c = triangles[triangle * 3 + 2] * 3;
  const [ax, ay, az] = [positions[a], positions[a + 1], positions[a + 2]];
  const [ux, uy, uz] = [positions[b] - ax, positions[b + 1] - ay, positions[b + 2] - az];
  const [vx, vy, vz] = [positions[c] - ax, positions[c + 1] - ay, positions[c + 2] - az];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

export function squaredDistance(positions: Float64Array, a: number, b: number): number {
  const dx = positions[a * 3] - positions[b * 3];
  const dy = positions[a * 3 + 1] - positions[b * 3 + 1];
  const dz = positions[a * 3 + 2] - positions[b * 3 + 2];
  return dx * dx + dy * dy + dz * dz;
}

export function triangleArea(mesh: TriangleMesh, triangle: number, scratch: Float64Array): number {
  triangleCross(scratch, mesh, triangle);
  return length3(scratch[0], scratch[1], scratch[2]) / 2;
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

/** Six times the signed volume of the tetrahedron from the point `origin` (x, y, z) to the triangle. */
export function tetrahedronVolume6(mesh: TriangleMesh, triangle: number, origin: ArrayLike<number>): number {
  const { positions, triangles } = mesh;
  const a = triangles[triangle * 3] * 3;
  const b = triangles[triangle * 3 + 1] * 3;
  const c = triangles[triangle * 3 + 2] * 3;
  const [ox, oy, oz] = [origin[0], origin[1], origin[2]];
  const [ax, ay, az] = [positions[a] - ox, positions[a + 1] - oy, positions[a + 2] - oz];
  const [bx, by, bz] = [positions[b] - ox, positions[b + 1] - oy, positions[b + 2] - oz];
  const [cx, cy, cz] = [positions[c] - ox, positions[c + 1] - oy, positions[c + 2] - oz];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
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
