import { PalpableError } from '../../base/errors.js';
import { crossOfEdges, dot } from '../../math/vectors.js';
import { buildEdgeTable, nextCorner, trianglesOfVertices } from '../../mesh/edge-table.js';
import { type TriangleMesh, vertexCount } from '../../mesh/triangle-mesh.js';
import { buildSurfaceTree, collectNear, refitTree, type SurfaceTree } from './surface-tree.js';

/**
 * A triangle surface that moves and deforms, ready to be asked what is near to it. Its topology is made once; the caller
 * overwrites `positions` (world frame) every cycle and then calls `refitSurface`. Nothing is allocated after creation.
 *
 * The surface should be closed and face outward: the normals of its faces decide what is inside.
 */
export interface ProximitySurface {
  /** x, y, z of every vertex, world frame, metres; written by the caller. */
  readonly positions: Float64Array;
  readonly triangles: Int32Array;
  /** Two vertices per edge, in the order in which the first of its faces has them. */
  readonly edges: Int32Array;
  /** Two triangles per edge, −1 where there is no second one. */
  readonly edgeFaces: Int32Array;
  /** The edge from corner 0 to 1, 1 to 2 and 2 to 0 of every triangle. */
  readonly faceEdges: Int32Array;
  /** The one touchable triangle that answers for an edge, −1 for edges that do not count. */
  readonly edgeOwner: Int32Array;
  /** Vertex `v` is in `vertexTriangles[vertexStart[v]]` up to `vertexTriangles[vertexStart[v + 1]]`. */
  readonly vertexStart: Int32Array;
  readonly vertexTriangles: Int32Array;
  /** Per vertex. */
  readonly touchable: Uint8Array;
  readonly touchableVertices: Int32Array;
  /** Per triangle: whether all its vertices are. */
  readonly faceTouchable: Uint8Array;
  /** Over the triangles with at least one touchable vertex. */
  readonly tree: SurfaceTree;
  /** Times that the surface was refitted. */
  refits: number;
  /** Outward unit normals, 0 for triangles without area, and as of which refit; written by `freshenNormals`. */
  readonly normals: Float64Array;
  readonly normalOf: Int32Array;
  /** Per edge near to the other surface, 1 if its faces meet as on a convex body; written by `listNear`. */
  readonly convex: Uint8Array;
  /** Triangles near to the other surface of the query at hand, and vertices of theirs; written by `findProximity`. */
  nearTriangleCount: number;
  readonly nearTriangles: Int32Array;
  nearVertexCount: number;
  readonly nearVertices: Int32Array;
  /** Per vertex, the last query that listed it. */
  readonly listedIn: Int32Array;
  query: number;
  /** 0 when the last positions held a number that is not finite; nothing is near to the surface then. */
  finite: number;
}

/** Which part of a surface can be touched. */
export interface ProximitySurfaceOptions {
  /** Per vertex, 0 for those that are never touched; a face or an edge counts when all its vertices do. */
  readonly touchable?: Uint8Array;
}

/** Builds the bounding-volume tree and adjacency of a surface that may deform; `refitSurface` follows its vertices. */
export function createProximitySurface(mesh: TriangleMesh, options: ProximitySurfaceOptions = {}): ProximitySurface {
  const vertices = vertexCount(mesh);
  const touchable = options.touchable?.slice() ?? new Uint8Array(vertices).fill(1);
  if (touchable.length !== vertices) {
    throw new PalpableError(
      'option-invalid',
      `The surface has ${vertices} vertices but ${touchable.length} flags that say which can be touched; give one per vertex.`,
      'touchable',
    );
  }
  const positions = mesh.positions.slice();
  const triangles = Int32Array.from(mesh.triangles);
  const touchableCorners = new Uint8Array(triangles.length / 3);
  triangles.forEach((v, corner) => {
    if (touchable[v] !== 0) touchableCorners[Math.floor(corner / 3)]++;
  });
  const faceTouchable = touchableCorners.map((corners) => (corners === 3 ? 1 : 0));
  const edges = joinEdges(mesh, faceTouchable);
  const around = trianglesOfVertices(triangles, vertices);
  const isUsed = (v: number) => around.start[v + 1] > around.start[v];
  const surface: ProximitySurface = {
    positions,
    triangles,
    ...edges,
    vertexStart: around.start,
    vertexTriangles: around.triangles,
    touchable,
    touchableVertices: numbersWhere(vertices, (v) => touchable[v] !== 0 && isUsed(v)),
    faceTouchable,
    tree: buildSurfaceTree(
      positions,
      triangles,
      numbersWhere(touchableCorners.length, (t) => touchableCorners[t] > 0),
    ),
    refits: 0,
    normals: new Float64Array(triangles.length),
    normalOf: new Int32Array(touchableCorners.length),
    convex: new Uint8Array(edges.edgeOwner.length),
    nearTriangleCount: 0,
    nearTriangles: new Int32Array(touchableCorners.length),
    nearVertexCount: 0,
    nearVertices: new Int32Array(vertices),
    listedIn: new Int32Array(vertices),
    query: 0,
    finite: 1,
  };
  refitSurface(surface);
  return surface;
}

/** The same for a surface that only `findFieldProximity` is asked about: its vertices count, its boxes are left as they are. */
export function moveSurface(surface: ProximitySurface): void {
  const { positions } = surface;
  surface.refits = (surface.refits + 1) | 0;
  // Zero times a finite number is zero, times any other it is not a number.
  let check = 0;
  for (let k = 0; k < positions.length; k++) check += 0 * positions[k];
  surface.finite = check === 0 ? 1 : 0;
}

function numbersWhere(count: number, holds: (item: number) => boolean): Int32Array {
  const found: number[] = [];
  for (let n = 0; n < count; n++) if (holds(n)) found.push(n);
  return Int32Array.from(found);
}

/** To be called after the positions have changed: fits the boxes, without allocation. */
export function refitSurface(surface: ProximitySurface): void {
  surface.refits = (surface.refits + 1) | 0;
  surface.finite = refitTree(surface.tree, surface.positions, surface.triangles);
}

/** Lists what of the surface is near to another one, within the reach of `limits`, for the query at hand, and works out its normals. */
export function listNear(
  surface: ProximitySurface,
  other: ProximitySurface,
  limits: Float64Array,
  box: Float64Array,
): void {
  const { nearTriangles } = surface;
  surface.nearTriangleCount = collectNear(nearTriangles, surface.tree, other.tree, limits, box);
  listVertices(surface);
  for (let i = 0; i < surface.nearVertexCount; i++) freshenNormals(surface, surface.nearVertices[i]);
  for (let i = 0; i < surface.nearTriangleCount; i++) reportConvexEdges(surface, nearTriangles[i]);
}

function listVertices(surface: ProximitySurface): void {
  const { triangles, nearTriangles, nearVertices, listedIn, touchable } = surface;
  surface.query = (surface.query + 1) | 0;
  let count = 0;
  for (let i = 0; i < surface.nearTriangleCount; i++) {
    const corner = 3 * nearTriangles[i];
    for (let k = 0; k < 3; k++) {
      const vertex = triangles[corner + k];
      if (listedIn[vertex] === surface.query || touchable[vertex] === 0) continue;
      listedIn[vertex] = surface.query;
      nearVertices[count] = vertex;
      count += 1;
    }
  }
  surface.nearVertexCount = count;
}

/** Works out the normals around a vertex, unless that was done since the surface was refitted. */
export function freshenNormals(surface: ProximitySurface, vertex: number): void {
  const { vertexStart, vertexTriangles, normalOf, refits } = surface;
  for (let i = vertexStart[vertex]; i < vertexStart[vertex + 1]; i++) {
    const face = vertexTriangles[i];
    if (normalOf[face] === refits) continue;
    normalOf[face] = refits;
    writeNormal(surface, face);
  }
}

function writeNormal({ positions, triangles, normals }: ProximitySurface, face: number): void {
  const o = 3 * face;
  const a = 3 * triangles[o];
  const b = 3 * triangles[o + 1];
  const c = 3 * triangles[o + 2];
  crossOfEdges(normals, o, positions, a, b, c);
  const squared = dot(normals, o, normals, o);
  const scale = squared > 0 ? 1 / Math.sqrt(squared) : 0;
  for (let axis = 0; axis < 3; axis++) normals[o + axis] *= scale;
}

/** Whether the edges for which a triangle answers are convex, as on a convex body: no others can touch an edge. */
function reportConvexEdges(surface: ProximitySurface, face: number): void {
  const { faceEdges, edgeOwner, convex } = surface;
  for (let k = 0; k < 3; k++) {
    const edge = faceEdges[3 * face + k];
    if (edgeOwner[edge] === face) convex[edge] = isConvexEdge(surface, edge) ? 1 : 0;
  }
}

/** Sine of the angle between two faces below which they are flat. */
const FLAT = 1e-6;

function isConvexEdge({ positions, edges, edgeFaces, normals }: ProximitySurface, edge: number): boolean {
  if (edgeFaces[2 * edge + 1] < 0) return false;
  const one = 3 * edgeFaces[2 * edge];
  const other = 3 * edgeFaces[2 * edge + 1];
  const from = 3 * edges[2 * edge];
  const to = 3 * edges[2 * edge + 1];
  const x = positions[to] - positions[from];
  const y = positions[to + 1] - positions[from + 1];
  const z = positions[to + 2] - positions[from + 2];
  const crossX = normals[one + 1] * normals[other + 2] - normals[one + 2] * normals[other + 1];
  const crossY = normals[one + 2] * normals[other] - normals[one] * normals[other + 2];
  const crossZ = normals[one] * normals[other + 1] - normals[one + 1] * normals[other];
  const sine = x * crossX + y * crossY + z * crossZ;
  return sine > 0 && sine * sine > FLAT * FLAT * (x * x + y * y + z * z);
}

/** Of edges with more than two faces the first two count. */
function joinEdges(
  mesh: TriangleMesh,
  faceTouchable: Uint8Array,
): Pick<ProximitySurface, 'edges' | 'edgeFaces' | 'faceEdges' | 'edgeOwner'> {
  const { triangles } = mesh;
  const table = buildEdgeTable(triangles, vertexCount(mesh));
  const edges = new Int32Array(2 * table.count);
  const edgeFaces = new Int32Array(2 * table.count).fill(-1);
  const faceEdges = new Int32Array(triangles.length);
  const edgeOwner = new Int32Array(table.count).fill(-1);
  for (let edge = 0; edge < table.count; edge++) {
    const start = table.starts[edge];
    const corner = table.halfEdges[start];
    edges[2 * edge] = triangles[corner];
    edges[2 * edge + 1] = triangles[nextCorner(corner)];
    for (let i = start; i < table.starts[edge + 1]; i++) {
      const halfEdge = table.halfEdges[i];
      const face = Math.floor(halfEdge / 3);
      faceEdges[halfEdge] = edge;
      if (i - start < 2) edgeFaces[2 * edge + (i - start)] = face;
      if (edgeOwner[edge] < 0 && faceTouchable[face] === 1) edgeOwner[edge] = face;
    }
  }
  return { edges, edgeFaces, faceEdges, edgeOwner };
}
