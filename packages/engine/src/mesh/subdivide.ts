import { PalpableError } from '../base/errors.js';
import { buildEdgeTable, type EdgeTable, nextCorner } from './edge-table.js';
import { GrowableUint32 } from './growable.js';
import { MAX_TRIANGLES } from './raw-mesh.js';
import { squaredDistance } from './triangle-geometry.js';
import { type TriangleMesh, triangleCount, vertexCount } from './triangle-mesh.js';

const NO_MIDDLE = 0xffffffff;

/**
 * Cuts triangles at the middles of edges until there are at least `minimumTriangles`, with little more than that. The
 * shape stays the same. An edge is cut for all of its triangles or for none, so no cracks open; the longest edges go
 * first, so triangles become alike in size.
 */
export function subdivideMesh(mesh: TriangleMesh, minimumTriangles: number): TriangleMesh {
  if (!Number.isSafeInteger(minimumTriangles) || minimumTriangles < 0 || minimumTriangles > MAX_TRIANGLES) {
    throw new PalpableError(
      'option-invalid',
      `A mesh of ${minimumTriangles} triangles was asked for; give a whole number up to ${MAX_TRIANGLES}.`,
    );
  }
  let refined = mesh;
  while (triangleCount(refined) < minimumTriangles) refined = cutLongEdges(refined, minimumTriangles);
  return refined;
}

/** One round: every cut adds a triangle for each one at the edge, mostly two; at most all edges are cut once. */
function cutLongEdges(mesh: TriangleMesh, minimumTriangles: number): TriangleMesh {
  const edges = buildEdgeTable(mesh.triangles, vertexCount(mesh));
  const order = edgesByLength(mesh, edges);
  const middleOfCorner = new Uint32Array(mesh.triangles.length).fill(NO_MIDDLE);
  const positions = new Float64Array(mesh.positions.length + edges.count * 3);
  positions.set(mesh.positions);
  let vertices = vertexCount(mesh);
  let missing = minimumTriangles - triangleCount(mesh);
  for (let i = 0; i < order.length && missing > 0; i++) {
    const [start, end] = [edges.starts[order[i]], edges.starts[order[i] + 1]];
    const corner = edges.halfEdges[start];
    const [from, to] = [mesh.triangles[corner], mesh.triangles[nextCorner(corner)]];
    for (let axis = 0; axis < 3; axis++) {
      positions[vertices * 3 + axis] = (mesh.positions[from * 3 + axis] + mesh.positions[to * 3 + axis]) / 2;
    }
    for (let k = start; k < end; k++) middleOfCorner[edges.halfEdges[k]] = vertices;
    vertices++;
    missing -= end - start;
  }
  const triangles = new GrowableUint32();
  for (let triangle = 0; triangle < triangleCount(mesh); triangle++) {
    cutTriangle(mesh.triangles, triangle, middleOfCorner, triangles);
  }
  return { positions: positions.slice(0, vertices * 3), triangles: triangles.take() };
}

/** Edges from the longest on; equal ones in their own order, so that the result is the same everywhere. */
function edgesByLength(mesh: TriangleMesh, edges: EdgeTable): Uint32Array {
  const lengths = new Float64Array(edges.count);
  for (let edge = 0; edge < edges.count; edge++) {
    const corner = edges.halfEdges[edges.starts[edge]];
    lengths[edge] = squaredDistance(mesh.positions, mesh.triangles[corner], mesh.triangles[nextCorner(corner)]);
  }
  return Uint32Array.from({ length: edges.count }, (_, edge) => edge).sort((a, b) => lengths[b] - lengths[a] || a - b);
}

/** Cuts one triangle by the middles its edges have got: none, one, two or all three. */
function cutTriangle(triangles: Uint32Array, triangle: number, middles: Uint32Array, out: GrowableUint32): void {
  const corners = [triangle * 3, triangle * 3 + 1, triangle * 3 + 2];
  const cuts = corners.filter((corner) => middles[corner] !== NO_MIDDLE).length;
  // Start where the pattern is always the same: at the cut edge if there is one, behind the uncut one if there are two.
  const start =
    cuts === 1
      ? corners.find((corner) => middles[corner] !== NO_MIDDLE)!
      : cuts === 2
        ? nextCorner(corners.find((corner) => middles[corner] === NO_MIDDLE)!)
        : triangle * 3;
  const second = nextCorner(start);
  const third = nextCorner(second);
  const [a, b, c] = [triangles[start], triangles[second], triangles[third]];
  const [ab, bc, ca] = [middles[start], middles[second], middles[third]];
  if (cuts === 0) out.push3(a, b, c);
  else if (cuts === 1) {
    out.push3(a, ab, c);
    out.push3(ab, b, c);
  } else if (cuts === 2) {
    out.push3(ab, b, bc);
    out.push3(a, ab, bc);
    out.push3(a, bc, c);
  } else {
    out.push3(a, ab, ca);
    out.push3(ab, b, bc);
    out.push3(ca, bc, c);
    out.push3(ab, bc, ca);
  }
}
