import {
  buildEdgeTable,
  type EdgeTable,
  NO_PARTNER,
  nextCorner,
  pairHalfEdges,
  runsUpward,
  sortByKey,
} from './edge-table.js';
import { isCollapsed, isSliver, keepTriangles, squaredDistance } from './triangle-geometry.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** Rounds of turning edges; each moves a chain of slivers on by one triangle, and chains are short. */
const MOST_ROUNDS = 8;

/** Leaves out triangles two corners of which are the same vertex. They are neither seen nor felt, nor close anything. */
export function removeCollapsed(mesh: TriangleMesh): TriangleMesh {
  const keep = new Uint8Array(mesh.triangles.length / 3);
  for (let triangle = 0; triangle < keep.length; triangle++) {
    keep[triangle] = isCollapsed(mesh.triangles, triangle) ? 0 : 1;
  }
  return keepTriangles(mesh, keep);
}

/**
 * Leaves out repetitions of a triangle: same vertices, same side. Two triangles back to back are not that: they are the
 * two sides of a sheet.
 */
export function removeDuplicates(mesh: TriangleMesh): TriangleMesh {
  const { triangles } = mesh;
  const count = triangles.length / 3;
  // Turned so that the lowest vertex comes first, equal triangles are equal triples; three sorts bring them together.
  const keys = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)] as const;
  let order = new Uint32Array(count);
  for (let triangle = 0; triangle < count; triangle++) {
    order[triangle] = triangle;
    const lowest = lowestCorner(triangles, triangle);
    keys[0][triangle] = triangles[lowest];
    keys[1][triangle] = triangles[nextCorner(lowest)];
    keys[2][triangle] = triangles[nextCorner(nextCorner(lowest))];
  }
  for (const key of [keys[2], keys[1], keys[0]])
    order = sortByKey(order, key, mesh.positions.length / 3) as typeof order;
  const keep = new Uint8Array(count).fill(1);
  for (let i = 1; i < count; i++) {
    const [here, before] = [order[i], order[i - 1]];
    if (keys.every((key) => key[here] === key[before])) keep[here] = 0;
  }
  return keepTriangles(mesh, keep);
}

function lowestCorner(triangles: Uint32Array, triangle: number): number {
  let lowest = triangle * 3;
  for (let corner = lowest + 1; corner < triangle * 3 + 3; corner++) {
    if (triangles[corner] < triangles[lowest]) lowest = corner;
  }
  return lowest;
}

/**
 * Removes triangles whose corners lie on one line. Just leaving them out would tear the surface open where one fills the
 * gap between a long edge and two short ones, so the long edge is turned first: together with the neighbour across it, a
 * sliver becomes two good triangles. What cannot be turned is left out.
 */
export function removeSlivers(mesh: TriangleMesh): TriangleMesh {
  const triangles = mesh.triangles.slice();
  const turned = { positions: mesh.positions, triangles };
  let slivers = findSlivers(turned);
  if (slivers.length === 0) return mesh;
  for (let round = 0; round < MOST_ROUNDS && slivers.length > 0; round++) {
    if (!turnLongEdges(turned, slivers)) break;
    slivers = findSlivers(turned);
  }
  const keep = new Uint8Array(triangles.length / 3).fill(1);
  for (const sliver of slivers) keep[sliver] = 0;
  return keepTriangles(turned, keep);
}

function findSlivers(mesh: TriangleMesh): number[] {
  const scratch = new Float64Array(3);
  const slivers: number[] = [];
  for (let triangle = 0; triangle < mesh.triangles.length / 3; triangle++) {
    if (isSliver(mesh, triangle, scratch)) slivers.push(triangle);
  }
  return slivers;
}

/** Turns the long edge of every sliver whose neighbourhood allows it; false when there was none. */
function turnLongEdges(mesh: TriangleMesh, slivers: readonly number[]): boolean {
  const { triangles } = mesh;
  // The table belongs to the triangles as they are now; the search in it must not see the changes of this round.
  const before = triangles.slice();
  const edges = buildEdgeTable(before, mesh.positions.length / 3);
  const partner = pairHalfEdges(edges);
  const touched = new Uint8Array(triangles.length / 3);
  let any = false;
  for (const sliver of slivers) {
    const long = longestHalfEdge(mesh, sliver);
    const across = partner[long];
    if (across === NO_PARTNER || runsUpward(triangles, long) === runsUpward(triangles, across)) continue;
    const neighbour = Math.floor(across / 3);
    if (touched[sliver] !== 0 || touched[neighbour] !== 0) continue;
    // The sliver is c → a → b with b between them, the neighbour a → c → d; they become a b d and b c d.
    const [c, a] = [triangles[long], triangles[nextCorner(long)]];
    const b = triangles[nextCorner(nextCorner(long))];
    const d = triangles[nextCorner(nextCorner(across))];
    if (b === d || hasEdge(before, edges, b, d)) continue;
    triangles.set([a, b, d], sliver * 3);
    triangles.set([b, c, d], neighbour * 3);
    touched[sliver] = 1;
    touched[neighbour] = 1;
    any = true;
  }
  return any;
}

function longestHalfEdge(mesh: TriangleMesh, triangle: number): number {
  const { positions, triangles } = mesh;
  let longest = triangle * 3;
  let length = -1;
  for (let corner = triangle * 3; corner < triangle * 3 + 3; corner++) {
    const here = squaredDistance(positions, triangles[corner], triangles[nextCorner(corner)]);
    if (here > length) {
      length = here;
      longest = corner;
    }
  }
  return longest;
}

/** Looks the edge up in the sorted table by halving. */
function hasEdge(triangles: Uint32Array, edges: EdgeTable, a: number, b: number): boolean {
  const [lower, higher] = [Math.min(a, b), Math.max(a, b)];
  let [first, last] = [0, edges.count - 1];
  while (first <= last) {
    const middle = (first + last) >> 1;
    const halfEdge = edges.halfEdges[edges.starts[middle]];
    const [from, to] = [triangles[halfEdge], triangles[nextCorner(halfEdge)]];
    const order = Math.min(from, to) - lower || Math.max(from, to) - higher;
    if (order === 0) return true;
    if (order < 0) first = middle + 1;
    else last = middle - 1;
  }
  return false;
}
