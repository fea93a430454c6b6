import { square } from '../math/portable.js';
import type { TriangleMesh } from './triangle-mesh.js';

/**
 * The edges that really keep a surface from being closed: those not used equally often in both directions, after edges
 * that other edges cover piece by piece have been cancelled. CAD exports and subdivided models often put vertices on
 * the long edge of a neighbour (T-junctions): such a surface has no gap, and its winding number is whole.
 *
 * A surface without open edges has whole winding numbers everywhere, whatever else is wrong with it (parts that overlap,
 * edges shared by four triangles).
 */

/** How far a vertex may lie off an edge and still count as being on it, in parts of the edge's length. */
const ON_EDGE = 1e-5;
/** Beyond this many the mesh is a soup, and looking for T-junctions would take longer than it is worth. */
const MAX_EDGES_TO_MATCH = 20_000;

/** Vertex pairs (from, to) in the direction of the triangles they belong to. */
export function findOpenEdges(mesh: TriangleMesh): Uint32Array {
  const vertices = mesh.positions.length / 3;
  const open = unbalanced(triangleEdges(mesh.triangles), vertices);
  if (open.length === 0 || open.length / 2 > MAX_EDGES_TO_MATCH) return open;
  return unbalanced(splitAtVertices(open, mesh.positions), vertices);
}

/** The open edges as flat triangles (a, b, b), so that distances to them can be asked like those to any triangle. */
export function edgesAsMesh(mesh: TriangleMesh, edges: Uint32Array): TriangleMesh {
  const triangles = new Uint32Array((3 * edges.length) / 2);
  for (let edge = 0; edge < edges.length / 2; edge += 1) {
    triangles[3 * edge] = edges[2 * edge];
    triangles[3 * edge + 1] = edges[2 * edge + 1];
    triangles[3 * edge + 2] = edges[2 * edge + 1];
  }
  return { positions: mesh.positions, triangles };
}

function triangleEdges(triangles: Uint32Array): Uint32Array {
  const edges = new Uint32Array(2 * triangles.length);
  for (let corner = 0; corner < triangles.length; corner += 1) {
    edges[2 * corner] = triangles[corner];
    edges[2 * corner + 1] = triangles[corner % 3 === 2 ? corner - 2 : corner + 1];
  }
  return edges;
}

/** What is left of directed edges once opposite ones have cancelled each other. */
function unbalanced(edges: Uint32Array, vertices: number): Uint32Array {
  // One number per edge that sorts by its two ends, with the direction in the last bit.
  const keys = new Float64Array(edges.length / 2);
  for (let edge = 0; edge < keys.length; edge += 1) {
    const a = edges[2 * edge];
    const b = edges[2 * edge + 1];
    keys[edge] = a < b ? 2 * (a * vertices + b) : 2 * (b * vertices + a) + 1;
  }
  keys.sort();
  const left: number[] = [];
  for (let start = 0; start < keys.length; ) {
    const edge = Math.floor(keys[start] / 2);
    let balance = 0;
    let end = start;
    for (; end < keys.length && Math.floor(keys[end] / 2) === edge; end += 1) balance += keys[end] % 2 === 0 ? 1 : -1;
    const low = Math.floor(edge / vertices);
    const high = edge % vertices;
    for (let n = 0; n < Math.abs(balance) && low !== high; n += 1)
      left.push(...(balance > 0 ? [low, high] : [high, low]));
    start = end;
  }
  return Uint32Array.from(left);
}

/** Cuts every edge at the ends of other open edges that lie on it. */
function splitAtVertices(edges: Uint32Array, positions: Float64Array): Uint32Array {
  const ends = Uint32Array.from(new Set(edges));
  // Sorted along x, so that each edge looks only at the vertices in its range.
  ends.sort((a, b) => positions[3 * a] - positions[3 * b]);
  const pieces: number[] = [];
  for (let edge = 0; edge < edges.length; edge += 2) {
    const inner = verticesOn(edges[edge], edges[edge + 1], ends, positions);
    let from = edges[edge];
    for (const vertex of [...inner, edges[edge + 1]]) {
      pieces.push(from, vertex);
      from = vertex;
    }
  }
  return Uint32Array.from(pieces);
}

/** Vertices of `sorted` strictly between the two ends of an edge, in order from `a` to `b`. */
function verticesOn(a: number, b: number, sorted: Uint32Array, positions: Float64Array): number[] {
  const ax = positions[3 * a];
  const ay = positions[3 * a + 1];
  const az = positions[3 * a + 2];
  const dx = positions[3 * b] - ax;
  const dy = positions[3 * b + 1] - ay;
  const dz = positions[3 * b + 2] - az;
  const lengthSquared = dx * dx + dy * dy + dz * dz;
  const tolerance = ON_EDGE * Math.sqrt(lengthSquared);
  const found: { vertex: number; t: number }[] = [];
  const last = Math.max(ax, ax + dx) + tolerance;
  for (let n = lowerBound(sorted, positions, Math.min(ax, ax + dx) - tolerance); n < sorted.length; n += 1) {
    const vertex = sorted[n];
    const px = positions[3 * vertex] - ax;
    if (px + ax > last) break;
    if (vertex === a || vertex === b) continue;
    const py = positions[3 * vertex + 1] - ay;
    const pz = positions[3 * vertex + 2] - az;
    const t = (px * dx + py * dy + pz * dz) / lengthSquared;
    if (t <= 0 || t >= 1) continue;
    const off = square(px - t * dx) + square(py - t * dy) + square(pz - t * dz);
    if (off <= tolerance * tolerance) found.push({ vertex, t });
  }
  return found.sort((p, q) => p.t - q.t).map(({ vertex }) => vertex);
}

/** First place in `sorted` whose x is not below the given one. */
function lowerBound(sorted: Uint32Array, positions: Float64Array, x: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (positions[3 * sorted[middle]] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
