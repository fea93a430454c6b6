import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';

/**
 * Gradients of the four linear shape functions of a tetrahedron, 1/m, three numbers per corner. Returns its volume, m³,
 * positive when the corners are in the order that the mesh promises.
 *
 * With the edges e₁, e₂, e₃ from corner 0 and 6V = e₁ · (e₂ × e₃): ∇N₁ = (e₂ × e₃)/6V and so on in a circle, and the
 * four add up to zero.
 */
export function shapeGradients(out: Float64Array, mesh: TetrahedralMesh, tetrahedron: number): number {
  const { positions, tetrahedra } = mesh;
  const a = 3 * tetrahedra[4 * tetrahedron];
  const b = 3 * tetrahedra[4 * tetrahedron + 1];
  const c = 3 * tetrahedra[4 * tetrahedron + 2];
  const d = 3 * tetrahedra[4 * tetrahedron + 3];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  const wx = positions[d] - positions[a];
  const wy = positions[d + 1] - positions[a + 1];
  const wz = positions[d + 2] - positions[a + 2];
  out[3] = vy * wz - vz * wy;
  out[4] = vz * wx - vx * wz;
  out[5] = vx * wy - vy * wx;
  out[6] = wy * uz - wz * uy;
  out[7] = wz * ux - wx * uz;
  out[8] = wx * uy - wy * ux;
  out[9] = uy * vz - uz * vy;
  out[10] = uz * vx - ux * vz;
  out[11] = ux * vy - uy * vx;
  const sixfold = ux * out[3] + uy * out[4] + uz * out[5];
  for (let i = 3; i < 12; i += 1) out[i] /= sixfold;
  for (let i = 0; i < 3; i += 1) out[i] = -out[3 + i] - out[6 + i] - out[9 + i];
  return sixfold / 6;
}
