/**
 * A surface as points: what the contact query pushes into a distance field.
 *
 * The points are the nodes of a forest of bounding spheres. A sphere is centred at its point, so that one sample of the
 * field is both the point's contact test and its sphere's cull test. A child is always one level finer than its parent,
 * and the children of a point follow each other, farthest reaching first. A query for all points with a distance of at
 * most `margin` visits the tree breadth-first, one level after the other:
 *
 *     active = roots
 *     while active is not empty:
 *       for each point p of active: d[p] = distance at p          (p is a contact if d[p] ≤ margin)
 *       next = []
 *       for each point p of active, if d[p] ≤ margin + radius[p]:
 *         for c = childStart[p] … childStart[p] + childCount[p] − 1:
 *           if d[p] > margin + reach[c]: break                     (c, its siblings to follow and all below are farther)
 *           append c to next
 *       active = next
 *
 * `reach[c]` already bounds the whole subtree of c from its parent's sample, so most points near a culled parent are
 * never sampled. `margin` has to hold the error of the field's value as a bound of distances as well.
 */
export interface PointShell {
  /** Number of points. */
  readonly count: number;
  /**
   * x, y, z per point, body frame, metres. Sorted by level: the first `levelEnds[0]` points are level 0, the first
   * `levelEnds[1]` are levels 0 and 1, and so on. Each of these prefixes samples the whole surface evenly.
   */
  readonly points: Float64Array;
  /** Unit outward normals, body frame, three numbers per point. */
  readonly normals: Float64Array;
  /**
   * Cosine of half the angle of the cone of normals that a point may have, around `normals`: 1 on faces, less on sharp
   * edges and corners.
   */
  readonly cone: Float64Array;
  /** Unit vector along a sharp edge, body frame, to which its normals are perpendicular; 0 on faces and corners. */
  readonly along: Float64Array;
  /** Part of its surroundings that lies on one face: 1 on faces, ½ on sharp edges, ¼ on corners. */
  readonly share: Float64Array;
  /** Triangle of the mesh that each point lies on. */
  readonly triangles: Uint32Array;
  /** Number of points up to and including each level. */
  readonly levelEnds: Uint32Array;
  /** Radius of the sphere around point i that holds all its descendants, metres; 0 for leaves. */
  readonly radius: Float64Array;
  /** Largest distance from the *parent* of point i to i and its descendants, metres; 0 for roots. */
  readonly reach: Float64Array;
  /** The children of point i are the `childCount[i]` points from `childStart[i]` on, in falling order of `reach`. */
  readonly childStart: Uint32Array;
  readonly childCount: Uint32Array;
  /** The roots are the points 0 … rootCount − 1, that is, level 0. */
  readonly rootCount: number;
  /** Mean distance between neighbouring points on the same side of the material, metres, as measured on this shell. */
  readonly spacing: number;
  /** Of the random numbers that spread the points. */
  readonly seed: number;
}

/** How to spread the points; give `spacing` or `count`, or neither for a shell of 4,000 points. */
export interface ShellOptions {
  /**
   * Wanted mean distance between neighbouring points, metres. Half of it gives four times the points; too large, and
   * features smaller than it slip between the points. Small parts get one point each whatever the spacing.
   */
  readonly spacing?: number;
  /** Exact number of points. */
  readonly count?: number;
  /** Of the random numbers, a whole number from 0 to 2³² − 1; 1 unless given. The same seed gives the same points. */
  readonly seed?: number;
  /**
   * Edges with a larger angle between their faces stay sharp, the normals turn smoothly over the others; radians, 30°
   * unless given. 0 gives the faces' own normals, π smooths everything.
   */
  readonly creaseAngle?: number;
}
