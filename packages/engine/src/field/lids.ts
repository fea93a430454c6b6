import { createRandom } from '../base/random.js';
import { UnionFind } from '../base/union-find.js';
import { length3 } from '../math/portable.js';
import { findOpenEdges } from '../mesh/open-edges.js';
import { meshBounds, type TriangleMesh, vertexCount } from '../mesh/triangle-mesh.js';
import { createTreeWorkspace, windingNumber } from './tree-query.js';
import { buildTriangleTree } from './triangle-tree.js';

/**
 * Lids over the openings of a mesh: each connected group of open edges is joined to its middle by a fan of triangles.
 * Whatever the edges are like, the result has whole winding numbers, and over a flat opening the lid is exactly where
 * the winding number of the open mesh is 0.5.
 *
 * A lid is only right where the open edges are rims of holes. Where a surface is made of loose pieces, lids would turn
 * every piece into a sliver of its own; such a mesh keeps its open edges, and winding numbers alone decide. Which it is
 * shows at points about which the open mesh leaves no doubt: the lids must not change what they say.
 */
export interface LiddedMesh {
  readonly mesh: TriangleMesh;
  /** Triangles of the lids; 0 for a mesh that was closed. */
  readonly lidTriangles: number;
  /** What is still open: all or nothing. */
  readonly openEdges: Uint32Array;
}

const TEST_POINTS = 2000;
/** Winding numbers at least this far from 0.5 leave no doubt. */
const DECISIVE = 0.25;

export function closeWithLids(mesh: TriangleMesh): LiddedMesh {
  const openEdges = findOpenEdges(mesh);
  if (openEdges.length === 0) return { mesh, lidTriangles: 0, openEdges };
  const lidded = addLids(mesh, openEdges);
  if (!agreeWithWinding(mesh, lidded)) return { mesh, lidTriangles: 0, openEdges };
  return { mesh: lidded, lidTriangles: openEdges.length / 2, openEdges: new Uint32Array(0) };
}

function addLids(mesh: TriangleMesh, edges: Uint32Array): TriangleMesh {
  const groups = new UnionFind(vertexCount(mesh));
  for (let edge = 0; edge < edges.length; edge += 2) groups.join(edges[edge], edges[edge + 1]);
  const { middles, apexOf } = middlesOfGroups(mesh, edges, groups);
  const positions = new Float64Array(mesh.positions.length + middles.length);
  positions.set(mesh.positions);
  positions.set(middles, mesh.positions.length);
  const triangles = new Uint32Array(mesh.triangles.length + (3 * edges.length) / 2);
  triangles.set(mesh.triangles);
  for (let edge = 0, at = mesh.triangles.length; edge < edges.length; edge += 2, at += 3) {
    triangles[at] = edges[edge + 1];
    triangles[at + 1] = edges[edge];
    triangles[at + 2] = apexOf.get(groups.find(edges[edge]))!;
  }
  return { positions, triangles };
}

/**
 * The mean of each group's edges, weighted by their lengths, so that unevenly spaced vertices do not pull it aside; and
 * for each group the number of the vertex that it becomes.
 */
function middlesOfGroups(mesh: TriangleMesh, edges: Uint32Array, groups: UnionFind) {
  const sums = new Map<number, Float64Array>();
  for (let edge = 0; edge < edges.length; edge += 2) {
    const a = mesh.positions.subarray(3 * edges[edge], 3 * edges[edge] + 3);
    const b = mesh.positions.subarray(3 * edges[edge + 1], 3 * edges[edge + 1] + 3);
    const length = length3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const root = groups.find(edges[edge]);
    const sum = sums.get(root) ?? new Float64Array(4);
    for (let axis = 0; axis < 3; axis += 1) sum[axis] += (length * (a[axis] + b[axis])) / 2;
    sum[3] += length;
    sums.set(root, sum);
  }
  const middles = Float64Array.from(
    [...sums.values()].flatMap(([x, y, z, total]) => [x / total, y / total, z / total]),
  );
  const apexOf = new Map([...sums.keys()].map((root, index) => [root, vertexCount(mesh) + index]));
  return { middles, apexOf };
}

function agreeWithWinding(open: TriangleMesh, lidded: TriangleMesh): boolean {
  const openTree = buildTriangleTree(open);
  const liddedTree = buildTriangleTree(lidded);
  const openWorkspace = createTreeWorkspace(openTree);
  const liddedWorkspace = createTreeWorkspace(liddedTree);
  const { min, max } = meshBounds(open);
  const random = createRandom(1);
  for (let n = 0; n < TEST_POINTS; n += 1) {
    const [x, y, z] = min.map((low, axis) => low + random() * (max[axis] - low));
    const winding = windingNumber(openTree, openWorkspace, x, y, z);
    if (Math.abs(winding - 0.5) < DECISIVE) continue;
    if (winding > 0.5 !== windingNumber(liddedTree, liddedWorkspace, x, y, z) > 0.5) return false;
  }
  return true;
}
