import { dot } from '../../math/vectors.js';
import { closestOnEdges, EDGES_SQUARED, segmentCrosses } from './closest-features.js';
import {
  CAPPED_PROXIMITY_NEAR,
  CAPPED_PROXIMITY_TESTS,
  EDGE_EDGE,
  ID_A,
  ID_B,
  ID_KEY,
  ID_KIND,
  LIMIT_ALARM,
  LIMIT_DEPTH,
  LIMIT_REACH,
  type ProximitySet,
  storeContact,
  VALUE_GAP,
  VALUE_NORMAL,
  VALUE_P,
  VALUE_Q,
  VALUE_WEIGHT_A,
  VALUE_WEIGHT_B,
} from './proximity-set.js';
import type { ProximitySurface } from './proximity-surface.js';
import { edgePseudonormal, leadsInto } from './surface-normals.js';
import { collectTriangles } from './surface-tree.js';

/*
 * Edges against edges: only convex ones, only where both closest points lie inside their edges, and only where the
 * direction between them leads out of both bodies, so that no face next to the edges is nearer. What is left out is near
 * at a vertex, too, and told there.
 */

/** Part of the alarm distance by which edges may have passed each other before their faces must be seen to cross. */
const SHALLOW = 0.02;

/** Appends the contacts of the edges of those triangles of A that are listed as near. */
export function addEdgeEdges(set: ProximitySet, a: ProximitySurface, b: ProximitySurface): void {
  const { nearTriangles, nearTriangleCount, faceEdges, edgeOwner, convex } = a;
  for (let i = 0; i < nearTriangleCount; i++) {
    const face = nearTriangles[i];
    for (let k = 0; k < 3; k++) {
      const edge = faceEdges[3 * face + k];
      if (edgeOwner[edge] !== face || convex[edge] === 0) continue;
      addEdge(set, a, b, edge);
      if ((set.flags & CAPPED_PROXIMITY_TESTS) !== 0) return;
    }
  }
}

function addEdge(set: ProximitySet, a: ProximitySurface, b: ProximitySurface, edge: number): void {
  const { near, box } = set.workspace;
  writeEdgeBox(set, a, edge);
  const count = collectTriangles(near, b.tree, box);
  if (count === near.length) set.flags |= CAPPED_PROXIMITY_NEAR;
  set.tests += count;
  if (set.tests > set.maxTests) set.flags |= CAPPED_PROXIMITY_TESTS;
  else for (let n = 0; n < count; n++) addNearEdges(set, a, b, edge, near[n]);
}

function writeEdgeBox(set: ProximitySet, { positions, edges }: ProximitySurface, edge: number): void {
  const { box, limits } = set.workspace;
  const from = 3 * edges[2 * edge];
  const to = 3 * edges[2 * edge + 1];
  for (let axis = 0; axis < 3; axis++) {
    const x = positions[from + axis];
    const y = positions[to + axis];
    box[axis] = Math.min(x, y) - limits[LIMIT_REACH];
    box[3 + axis] = Math.max(x, y) + limits[LIMIT_REACH];
  }
}

/** The edge of A against those edges of a triangle of B for which the triangle answers. */
function addNearEdges(set: ProximitySet, a: ProximitySurface, b: ProximitySurface, edge: number, face: number): void {
  const { closest, limits } = set.workspace;
  for (let k = 0; k < 3; k++) {
    const other = b.faceEdges[3 * face + k];
    if (b.edgeOwner[other] !== face || b.convex[other] === 0) continue;
    const a0 = a.edges[2 * edge];
    const a1 = a.edges[2 * edge + 1];
    const b0 = b.edges[2 * other];
    const b1 = b.edges[2 * other + 1];
    if (!closestOnEdges(closest, a.positions, a0, a1, b.positions, b0, b1)) continue;
    if (!(closest[EDGES_SQUARED] <= limits[LIMIT_REACH] * limits[LIMIT_REACH])) continue;
    writeNormal(set, a, b, edge, other);
    if (!pointsOut(set, a, b, edge, other)) continue;
    writePoints(set, a, b, edge, other);
    if (isWithinLimits(set, a, b, edge, other)) storeContact(set);
  }
}

/** At right angles to both edges, outward from B, into the contact to be stored and into `vector`. */
function writeNormal(set: ProximitySet, a: ProximitySurface, b: ProximitySurface, edgeA: number, edgeB: number): void {
  const { vector, featureNormal } = set.workspace;
  const a0 = 3 * a.edges[2 * edgeA];
  const a1 = 3 * a.edges[2 * edgeA + 1];
  const b0 = 3 * b.edges[2 * edgeB];
  const b1 = 3 * b.edges[2 * edgeB + 1];
  const ux = a.positions[a1] - a.positions[a0];
  const uy = a.positions[a1 + 1] - a.positions[a0 + 1];
  const uz = a.positions[a1 + 2] - a.positions[a0 + 2];
  const vx = b.positions[b1] - b.positions[b0];
  const vy = b.positions[b1 + 1] - b.positions[b0 + 1];
  const vz = b.positions[b1 + 2] - b.positions[b0 + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  edgePseudonormal(featureNormal, b, edgeB);
  const outward = x * featureNormal[0] + y * featureNormal[1] + z * featureNormal[2];
  const scale = (outward < 0 ? -1 : 1) / Math.sqrt(x * x + y * y + z * z);
  vector[0] = x * scale;
  vector[1] = y * scale;
  vector[2] = z * scale;
}

/** Whether the normal leads out of B and into A at both edges. */
function pointsOut(set: ProximitySet, a: ProximitySurface, b: ProximitySurface, edgeA: number, edgeB: number): boolean {
  const { vector, featureNormal } = set.workspace;
  edgePseudonormal(featureNormal, a, edgeA);
  if (dot(vector, 0, featureNormal, 0) >= 0) return false;
  return leadsInto(b, edgeB, vector, -1) && leadsInto(a, edgeA, vector, 1);
}

function writePoints(set: ProximitySet, a: ProximitySurface, b: ProximitySurface, edgeA: number, edgeB: number): void {
  const { ids, values, closest, vector } = set.workspace;
  const a0 = a.edges[2 * edgeA];
  const a1 = a.edges[2 * edgeA + 1];
  const b0 = b.edges[2 * edgeB];
  const b1 = b.edges[2 * edgeB + 1];
  const s = closest[0];
  const t = closest[1];
  ids[ID_KIND] = EDGE_EDGE;
  ids[ID_KEY] = 4 * edgeA + EDGE_EDGE;
  ids[ID_KEY + 1] = edgeB;
  ids[ID_A] = a0;
  ids[ID_A + 1] = a1;
  ids[ID_A + 2] = -1;
  ids[ID_B] = b0;
  ids[ID_B + 1] = b1;
  ids[ID_B + 2] = -1;
  values[VALUE_WEIGHT_A] = 1 - s;
  values[VALUE_WEIGHT_A + 1] = s;
  values[VALUE_WEIGHT_A + 2] = 0;
  values[VALUE_WEIGHT_B] = 1 - t;
  values[VALUE_WEIGHT_B + 1] = t;
  values[VALUE_WEIGHT_B + 2] = 0;
  let gap = 0;
  for (let axis = 0; axis < 3; axis++) {
    const p = (1 - s) * a.positions[3 * a0 + axis] + s * a.positions[3 * a1 + axis];
    const q = (1 - t) * b.positions[3 * b0 + axis] + t * b.positions[3 * b1 + axis];
    values[VALUE_P + axis] = p;
    values[VALUE_Q + axis] = q;
    values[VALUE_NORMAL + axis] = vector[axis];
    gap += vector[axis] * (p - q);
  }
  values[VALUE_GAP] = gap;
}

/** Edges that have passed each other lie on the far sides of two thin bodies unless each goes through a face of the other. */
function isWithinLimits(
  set: ProximitySet,
  a: ProximitySurface,
  b: ProximitySurface,
  edgeA: number,
  edgeB: number,
): boolean {
  const { values, limits } = set.workspace;
  const gap = values[VALUE_GAP];
  if (gap >= 0) return gap <= limits[LIMIT_ALARM];
  if (-gap > limits[LIMIT_DEPTH]) return false;
  if (-gap <= SHALLOW * limits[LIMIT_ALARM]) return true;
  return goesThrough(set, a, edgeA, b, edgeB) && goesThrough(set, b, edgeB, a, edgeA);
}

/** Whether an edge goes through one of the faces of an edge of the other surface. */
function goesThrough(
  set: ProximitySet,
  own: ProximitySurface,
  edge: number,
  other: ProximitySurface,
  otherEdge: number,
): boolean {
  const { point } = set.workspace;
  for (let axis = 0; axis < 3; axis++) {
    point[axis] = own.positions[3 * own.edges[2 * edge] + axis];
    point[3 + axis] = own.positions[3 * own.edges[2 * edge + 1] + axis];
  }
  return (
    segmentCrosses(other.positions, other.triangles, other.edgeFaces[2 * otherEdge], point) ||
    segmentCrosses(other.positions, other.triangles, other.edgeFaces[2 * otherEdge + 1], point)
  );
}
