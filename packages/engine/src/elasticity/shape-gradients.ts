import { crossOfEdges, dot, subtract } from '../math/vectors.js';
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
  crossOfEdges(out, 3, positions, a, c, d);
  crossOfEdges(out, 6, positions, a, d, b);
  crossOfEdges(out, 9, positions, a, b, c);
  subtract(out, 0, positions, b, positions, a);
  const sixfold = dot(out, 0, out, 3);
  for (let i = 3; i < 12; i += 1) out[i] /= sixfold;
  for (let i = 0; i < 3; i += 1) out[i] = -out[3 + i] - out[6 + i] - out[9 + i];
  return sixfold / 6;
}
