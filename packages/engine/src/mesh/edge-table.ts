/**
 * The edges of a mesh, each with the half-edges on it. A half-edge is named by the corner it starts from (3 × triangle +
 * 0, 1 or 2) and leads to the triangle's next corner.
 *
 * Made by two counting sorts: linear time whatever the mesh, also when a million triangles share one vertex or edge.
 */
export interface EdgeTable {
  readonly count: number;
  /** Half-edges sorted by their edge: first the lower, then the higher of the two vertices. */
  readonly halfEdges: Uint32Array;
  /** Edge `e` owns `halfEdges[starts[e]]` up to `halfEdges[starts[e + 1]]`. */
  readonly starts: Uint32Array;
}

/** The corner that follows in the same triangle. */
export function nextCorner(corner: number): number {
  return corner % 3 === 2 ? corner - 2 : corner + 1;
}

/** Whether the half-edge runs from its edge's lower vertex to the higher one. */
export function runsUpward(triangles: Uint32Array, halfEdge: number): boolean {
  return triangles[halfEdge] < triangles[nextCorner(halfEdge)];
}

export function buildEdgeTable(triangles: Uint32Array, vertices: number): EdgeTable {
  const lower = new Uint32Array(triangles.length);
  const higher = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) {
    const from = triangles[corner];
    const to = triangles[nextCorner(corner)];
    lower[corner] = Math.min(from, to);
    higher[corner] = Math.max(from, to);
  }
  const unsorted = new Uint32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner++) unsorted[corner] = corner;
  const halfEdges = sortByKey(sortByKey(unsorted, higher, vertices), lower, vertices);

  const starts = new Uint32Array(triangles.length + 1);
  let count = 0;
  for (let i = 0; i < halfEdges.length; i++) {
    const [here, before] = [halfEdges[i], halfEdges[i - 1]];
    if (i === 0 || lower[here] !== lower[before] || higher[here] !== higher[before]) starts[count++] = i;
  }
  starts[count] = halfEdges.length;
  return { count, halfEdges, starts: starts.slice(0, count + 1) };
}

/** Stable counting sort of items by `keys[item]` < `keyCount`. */
export function sortByKey(items: Uint32Array, keys: Uint32Array, keyCount: number): Uint32Array {
  const offsets = new Uint32Array(keyCount + 1);
  for (const item of items) offsets[keys[item] + 1]++;
  for (let key = 0; key < keyCount; key++) offsets[key + 1] += offsets[key];
  const sorted = new Uint32Array(items.length);
  for (const item of items) {
    const key = keys[item];
    sorted[offsets[key]] = item;
    offsets[key]++;
  }
  return sorted;
}

/** Which triangles meet at each vertex: those of vertex v are `triangles[start[v]]` up to before `start[v + 1]`. */
export interface VertexTriangles {
  readonly start: Int32Array;
  readonly triangles: Int32Array;
}

export function trianglesOfVertices(corners: Int32Array, vertices: number): VertexTriangles {
  const start = new Int32Array(vertices + 1);
  for (const vertex of corners) start[vertex + 1]++;
  for (let vertex = 0; vertex < vertices; vertex++) start[vertex + 1] += start[vertex];
  const filled = start.slice();
  const triangles = new Int32Array(corners.length);
  corners.forEach((vertex, corner) => {
    triangles[filled[vertex]++] = Math.floor(corner / 3);
  });
  return { start, triangles };
}

/** Marks a half-edge without a partner in `pairHalfEdges`. */
export const NO_PARTNER = 0xffffffff;

/** For every half-edge the other one of its edge, where exactly two triangles meet; `NO_PARTNER` elsewhere. */
export function pairHalfEdges(edges: EdgeTable): Uint32Array {
  const partner = new Uint32Array(edges.halfEdges.length).fill(NO_PARTNER);
  for (let edge = 0; edge < edges.count; edge++) {
    const start = edges.starts[edge];
    if (edges.starts[edge + 1] - start !== 2) continue;
    const [one, other] = [edges.halfEdges[start], edges.halfEdges[start + 1]];
    partner[one] = other;
    partner[other] = one;
  }
  return partner;
}
