import { offsetFromTriangle } from '../math/closest-point.js';
import { crossOfEdges, dot, normalise } from '../math/vectors.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { ConvexHull } from './convex-hull.js';
import { type Reach, type ReachSearch, reachOutside, type Solid } from './solid.js';

/*
 * How well a convex hull stands for a patch of the finest surface. Two things are measured:
 *
 * - how far the patch lies away from the hull's surface, outside of it or deep in it;
 * - how far the hull's surface sticks out of the solid. What of it lies inside of the solid, as the virtual faces that
 *   close a patch at its back do, is no deviation: nothing can touch it before it has gone through the surface.
 *
 * The first is an upper bound; the second is the largest that a search for it finds.
 */

/** The faces of a hull as numbers. */
export interface HullFaces {
  readonly count: number;
  /** Nine per face. */
  readonly corners: Float64Array;
  /** Outward unit normal and offset per face; zero for faces without area. */
  readonly planes: Float64Array;
  /** Planes bound the hull on all sides: not so for flat hulls. */
  readonly solid: boolean;
}

export function facesOf(points: Float64Array, hull: ConvexHull): HullFaces {
  const count = hull.faces.length / 3;
  const corners = new Float64Array(9 * count);
  const planes = new Float64Array(4 * count);
  hull.faces.forEach((vertex, corner) => {
    const at = 3 * hull.vertices[vertex];
    for (let axis = 0; axis < 3; axis++) corners[3 * corner + axis] = points[at + axis];
  });
  for (let face = 0; face < count; face++) writePlane(planes, corners, face);
  return { count, corners, planes, solid: hull.rank === 3 };
}

function writePlane(planes: Float64Array, p: Float64Array, face: number): void {
  const o = 9 * face;
  const at = 4 * face;
  crossOfEdges(planes, at, p, o, o + 3, o + 6);
  const height = dot(planes, at, p, o);
  const length = normalise(planes, at);
  if (length > 0) planes[at + 3] = height / length;
}

/**
 * Upper bound of the distance between any point of the patch and the hull's surface. Gives up beyond `limit`.
 *
 * Outside of a convex body the distance is a convex function: over a triangle it is largest at a corner. Inside, the
 * depth is the smallest of the depths under the faces, each linear: over a triangle no larger than under any one face at
 * the deepest corner; the best such face is taken.
 */
export function distanceFromHull(
  mesh: TriangleMesh,
  patch: ArrayLike<number>,
  faces: HullFaces,
  limit: number,
): number {
  const offset = new Float64Array(3);
  const { positions, triangles } = mesh;
  let furthest = 0;
  let likely = 0;
  const done = new Set<number>();
  for (let i = 0; i < patch.length && furthest <= limit; i++) {
    const t = 3 * patch[i];
    for (let corner = t; corner < t + 3; corner++) {
      const vertex = triangles[corner];
      if (done.has(vertex)) continue;
      done.add(vertex);
      furthest = Math.max(furthest, distanceOutside(positions, 3 * vertex, faces, furthest, offset));
    }
    let depth = Number.POSITIVE_INFINITY;
    // The face that served the last triangle often serves the next one, too.
    for (let k = 0; k < faces.count && depth > furthest; k++) {
      const face = (likely + k) % faces.count;
      const under = deepestCorner(positions, triangles, t, faces.planes, 4 * face);
      if (under >= depth) continue;
      depth = under;
      if (depth <= furthest) likely = face;
    }
    furthest = Math.max(furthest, depth);
  }
  return furthest;
}

/** Depth of a triangle's deepest corner under a face; at least 0. */
function deepestCorner(p: Float64Array, triangles: Uint32Array, t: number, planes: Float64Array, f: number): number {
  let deepest = 0;
  for (let corner = t; corner < t + 3; corner++) {
    const at = 3 * triangles[corner];
    const depth = planes[f + 3] - planes[f] * p[at] - planes[f + 1] * p[at + 1] - planes[f + 2] * p[at + 2];
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** Distance of a point from the hull, 0 inside; a point nearer than `known` may give 0 as well. */
function distanceOutside(
  p: Float64Array,
  at: number,
  { count, corners, planes, solid }: HullFaces,
  known: number,
  offset: Float64Array,
): number {
  let above = 0;
  for (let face = 0; face < count && solid; face++) {
    const f = 4 * face;
    const height = dot(planes, f, p, at) - planes[f + 3];
    if (height > above) above = height;
  }
  if (solid && above === 0) return 0;
  let nearest = Number.POSITIVE_INFINITY;
  for (let face = 0; face < count && nearest > known * known; face++) {
    nearest = Math.min(nearest, offsetFromTriangle(offset, corners, 9 * face, p[at], p[at + 1], p[at + 2]));
  }
  return Math.sqrt(nearest);
}

/** How far the hull sticks out of the solid. */
export function reachOfHull(solid: Solid, { count, corners, solid: isSolid }: HullFaces, search: ReachSearch): Reach {
  // A flat hull has each face twice: one of them is enough.
  const distinct = isSolid ? count : Math.ceil(count / 2);
  const triangles = Array.from({ length: distinct }, (_, face) => Array.from(corners.subarray(9 * face, 9 * face + 9)));
  return reachOutside(solid, triangles, search);
}
