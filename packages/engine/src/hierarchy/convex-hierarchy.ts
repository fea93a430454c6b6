/**
 * One tree that is bounding volumes and levels of detail at once (Otaduy and Lin 2003, "Sensation preserving
 * simplification for haptic rendering"). Its leaves are convex patches of the finest surface (Ehmann and Lin 2001); an
 * inner node is the merged and simplified surface of its children. Every node's convex hull bounds what is beneath it to
 * within the node's deviation, and stands for it wherever that deviation is too small to be felt.
 *
 * All lengths in metres, all coordinates in the body's frame.
 */
export interface ConvexHierarchy {
  /** Node 0 is the root. */
  readonly nodeCount: number;
  /** Two per node; -1, -1: a leaf. */
  readonly child: Int32Array;
  /**
   * Per node: how far the hull's surface sticks out of, or lies away from, the finest surface beneath it at most. Never
   * smaller than a child's; at most the build's `leafTolerance` for leaves.
   */
  readonly deviation: Float64Array;
  /** Four per node: centre and radius. Holds the hull and all finest geometry beneath. */
  readonly sphere: Float64Array;
  /** nodeCount + 1: where each node's vertices begin. */
  readonly vertexStart: Int32Array;
  /** Three per vertex: vertices of the node's convex hull. */
  readonly vertices: Float64Array;
  /** Per vertex (total + 1): its hull edges, for hill climbing in support queries. */
  readonly neighbourStart: Int32Array;
  /** Indices into the node's own vertices (0 … count - 1). */
  readonly neighbours: Int32Array;
  /** Three per node: mean outward normal of the surface patch (area weighted, unit). */
  readonly normal: Float64Array;
  /** Per node, rad: largest angle between that mean and a face normal of the patch (π: anything). */
  readonly spread: Float64Array;
  /** Of the whole body about its centre; tolerances are given as a share of it. */
  readonly radius: number;
  /** nodeCount + 1: the finest triangles of leaves (an empty range for inner nodes). */
  readonly triangleStart: Int32Array;
  /** Three vertex indices per triangle into `points`. */
  readonly triangles: Int32Array;
  /** The finest mesh: three per point. */
  readonly points: Float64Array;
  /** Per node: height above the leaves, for display. */
  readonly level: Int32Array;
}
