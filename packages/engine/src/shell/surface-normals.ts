/**
 * Normals that are smooth where the surface is meant to be smooth and sharp at its creases.
 *
 * Two triangles that share an edge are one smooth piece when their normals differ by less than the crease angle. All
 * corners at a vertex that are connected through such edges share one normal: the sum of the triangles' normals, each
 * weighted by its angle at the vertex, so that it does not depend on how the surface is cut into triangles (Thürmer and
 * Wüthrich, "Computing Vertex Normals from Polygonal Facets", 1998). Edges of one triangle (a border) or of more than two
 * are creases.
 */

import { UnionFind } from '../base/union-find.js';
import { atan2Of, cosOf, length3 } from '../math/portable.js';
import { dot, lengthAt } from '../math/vectors.js';
import { buildEdgeTable, NO_PARTNER, nextCorner, pairHalfEdges } from '../mesh/edge-table.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { vertexCount } from '../mesh/triangle-mesh.js';
import type { Surface } from './surface.js';

export class SurfaceNormals {
  private readonly surface: Surface;
  /** For every triangle corner the corner that stands for its smooth piece. */
  private readonly pieces: UnionFind;
  /** Weighted sum of normals (not of unit length), kept at the corner that stands for a piece. */
  private readonly sums: Float64Array;

  constructor(mesh: TriangleMesh, surface: Surface, creaseAngle: number) {
    this.surface = surface;
    this.pieces = joinCornersAcrossSmoothEdges(mesh, surface.faceNormals, cosOf(creaseAngle));
    this.sums = new Float64Array(3 * mesh.triangles.length);
    for (let corner = 0; corner < mesh.triangles.length; corner++) {
      const angle = cornerAngle(mesh, corner);
      const triangle = Math.floor(corner / 3);
      const sum = 3 * this.pieces.find(corner);
      for (let axis = 0; axis < 3; axis++) {
        this.sums[sum + axis] += angle * surface.faceNormals[3 * triangle + axis];
      }
    }
  }

  /** The unit normal at barycentric weights (of the second and third corner) in a triangle, to `out[at … at + 2]`. */
  write(triangle: number, second: number, third: number, out: Float64Array, at: number): void {
    out.fill(0, at, at + 3);
    this.addCorner(3 * triangle, 1 - second - third, out, at);
    this.addCorner(3 * triangle + 1, second, out, at);
    this.addCorner(3 * triangle + 2, third, out, at);
    const { faceNormals } = this.surface;
    const size = lengthAt(out, at);
    const towardsFace = dot(out, at, faceNormals, 3 * triangle);
    // A badly folded piece can turn or cancel the sum; the triangle itself is then the better witness.
    const smooth = size > 1e-6 && towardsFace > 0;
    for (let axis = 0; axis < 3; axis++) {
      out[at + axis] = smooth ? out[at + axis] / size : faceNormals[3 * triangle + axis];
    }
  }

  private addCorner(corner: number, weight: number, out: Float64Array, at: number): void {
    const { sums } = this;
    const sum = 3 * this.pieces.find(corner);
    const size = lengthAt(sums, sum);
    if (size === 0) return;
    for (let axis = 0; axis < 3; axis++) out[at + axis] += (weight * sums[sum + axis]) / size;
  }
}

function cornerAngle(mesh: TriangleMesh, corner: number): number {
  const { positions, triangles } = mesh;
  const first = corner - (corner % 3);
  const p = 3 * triangles[corner];
  const q = 3 * triangles[first + ((corner + 1) % 3)];
  const r = 3 * triangles[first + ((corner + 2) % 3)];
  const ux = positions[q] - positions[p];
  const uy = positions[q + 1] - positions[p + 1];
  const uz = positions[q + 2] - positions[p + 2];
  const vx = positions[r] - positions[p];
  const vy = positions[r + 1] - positions[p + 1];
  const vz = positions[r + 2] - positions[p + 2];
  const cross = length3(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  return atan2Of(cross, ux * vx + uy * vy + uz * vz);
}

function joinCornersAcrossSmoothEdges(mesh: TriangleMesh, faceNormals: Float64Array, cosine: number): UnionFind {
  const { triangles } = mesh;
  const pieces = new UnionFind(triangles.length);
  const partners = pairHalfEdges(buildEdgeTable(triangles, vertexCount(mesh)));
  for (let edge = 0; edge < triangles.length; edge++) {
    const other = partners[edge];
    if (other === NO_PARTNER || other < edge) continue;
    if (!normalsAgree(faceNormals, Math.floor(edge / 3), Math.floor(other / 3), cosine)) continue;
    // Neighbours with the same winding run along their common edge in opposite directions.
    const opposite = triangles[edge] === triangles[nextCorner(other)];
    pieces.join(edge, opposite ? nextCorner(other) : other);
    pieces.join(nextCorner(edge), opposite ? other : nextCorner(other));
  }
  return pieces;
}

function normalsAgree(normals: Float64Array, a: number, b: number, cosine: number): boolean {
  return dot(normals, 3 * a, normals, 3 * b) > cosine;
}
