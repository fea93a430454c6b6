import { dot, lengthAt } from '../../math/vectors.js';
import {
  CLOSEST_SQUARED,
  closestOnTriangle,
  INSIDE_FACE,
  ON_CORNER,
  ON_EDGE,
  segmentCrosses,
} from './closest-features.js';
import {
  CAPPED_PROXIMITY_NEAR,
  CAPPED_PROXIMITY_TESTS,
  ID_A,
  ID_B,
  ID_KEY,
  ID_KIND,
  LIMIT_ALARM,
  LIMIT_DEPTH,
  LIMIT_REACH,
  type ProximitySet,
  type ProximityWorkspace,
  storeContact,
  VALUE_GAP,
  VALUE_NORMAL,
  VALUE_P,
  VALUE_Q,
  VALUE_WEIGHT_A,
  VALUE_WEIGHT_B,
  VERTEX_FACE,
} from './proximity-set.js';
import type { ProximitySurface } from './proximity-surface.js';
import {
  edgePseudonormal,
  isLowest,
  isNormalAtEdge,
  isNormalAtVertex,
  leadsInto,
  vertexFaces,
  vertexNormal,
  vertexPseudonormal,
} from './surface-normals.js';
import { collectTriangles } from './surface-tree.js';

/*
 * The vertices of one surface against the faces of another.
 *
 * A vertex has a contact wherever its distance to the other surface has a local minimum: inside a face, on an edge
 * neither face of which comes nearer, on a vertex if nothing else is nearer. One near a flat or convex place has one
 * contact, in a groove two, in a corner three. Minima in nearly the same direction are one.
 *
 * In front of the feature the gap is the distance. Behind it, the vertex has gone in: only the least deep such feature
 * counts, and only if the vertex faces it and the way out to it meets no other face, which would mean that the vertex is
 * outside, beyond a wall thinner than the largest depth.
 */

/** Cosine above which two directions from one vertex are one. */
const SAME_DIRECTION = 0.9;
/** Contacts of one vertex at most. */
const MAX_DIRECTIONS = 4;
/** Part of the alarm distance below which two points touch: the way between them has no direction but rounding's. */
const TOUCHING = 1e-6;
/** Numbers per minimum: what `closestOnTriangle` gives, and the side, positive in front. */
const STRIDE = 5;
const MINIMUM_SQUARED = CLOSEST_SQUARED;
const MINIMUM_SIDE = 4;
/** Part of the way to the closest point that must be free of faces. */
const WAY_OUT = 0.999;

/** Appends the contacts of those vertices of `own` that are listed as near with the faces of `other`; `kind` says which of them is A. */
export function addVertexFaces(set: ProximitySet, own: ProximitySurface, other: ProximitySurface, kind: number): void {
  const { workspace } = set;
  const { positions, nearVertices, nearVertexCount } = own;
  const { point, box, near, limits } = workspace;
  for (let i = 0; i < nearVertexCount; i++) {
    const vertex = nearVertices[i];
    for (let axis = 0; axis < 3; axis++) {
      const x = positions[3 * vertex + axis];
      point[axis] = x;
      box[axis] = x - limits[LIMIT_REACH];
      box[3 + axis] = x + limits[LIMIT_REACH];
    }
    const count = collectTriangles(near, other.tree, box);
    if (count === 0) continue;
    if (count === near.length) set.flags |= CAPPED_PROXIMITY_NEAR;
    set.tests += count;
    if (set.tests > set.maxTests) {
      set.flags |= CAPPED_PROXIMITY_TESTS;
      return;
    }
    const minima = findMinima(workspace, other, count, kind);
    if (minima > 0) addVertex(set, own, other, vertex, minima, count, kind);
  }
}

/** Lists where the distance of the point to the near triangles has minima within the limits; gives their number. */
function findMinima(workspace: ProximityWorkspace, other: ProximitySurface, count: number, kind: number): number {
  const { near, closest, point, limits } = workspace;
  const { positions, triangles, faceEdges, edgeOwner, faceTouchable } = other;
  const most = limits[LIMIT_REACH] * limits[LIMIT_REACH];
  let found = 0;
  let nearest = most;
  let cornerFace = -1;
  let corner = 0;
  let cornerSquared = Infinity;
  for (let i = 0; i < count; i++) {
    const face = near[i];
    if (faceTouchable[face] === 0) continue;
    const feature = closestOnTriangle(closest, positions, triangles, face, point);
    const squared = closest[CLOSEST_SQUARED];
    if (!(squared <= most)) continue;
    if (squared < nearest) nearest = squared;
    if (feature >= ON_CORNER) {
      if (squared < cornerSquared) {
        cornerSquared = squared;
        cornerFace = face;
        corner = feature;
      }
      continue;
    }
    // An edge is told once, by the face that answers for it.
    if (feature !== INSIDE_FACE && edgeOwner[faceEdges[3 * face + feature - ON_EDGE]] !== face) continue;
    if (noteMinimum(workspace, other, found, face, feature)) found += 1;
  }
  // A corner is a minimum if nothing is nearer. Two vertices are told once, as a vertex of A.
  if (cornerFace < 0 || cornerSquared > nearest) return found;
  if (kind !== VERTEX_FACE && other.touchable[triangles[3 * cornerFace + corner - ON_CORNER]] === 1) return found;
  closestOnTriangle(closest, positions, triangles, cornerFace, point);
  if (noteMinimum(workspace, other, found, cornerFace, corner)) found += 1;
  return found;
}

/** Keeps what the closest-point test found; false if the face beyond an edge comes nearer, so that it is no minimum. */
function noteMinimum(
  workspace: ProximityWorkspace,
  other: ProximitySurface,
  at: number,
  face: number,
  feature: number,
): boolean {
  const { closest, vector, minimum, featureNormal } = workspace;
  for (let i = 0; i < 4; i++) minimum[STRIDE * at + i] = closest[i];
  workspace.minimumFace[at] = face;
  workspace.minimumFeature[at] = feature;
  measureWay(workspace, other, at);
  if (feature > INSIDE_FACE && feature < ON_CORNER) {
    const edge = other.faceEdges[3 * face + feature - ON_EDGE];
    if (!leadsInto(other, edge, vector, -1)) return false;
  }
  normalOfFeature(workspace, other, at);
  minimum[STRIDE * at + MINIMUM_SIDE] = dot(vector, 0, featureNormal, 0);
  return true;
}

/** The closest point into `point[3…5]` and the way from it to the vertex into `vector`. */
function measureWay({ point, vector, minimum, minimumFace }: ProximityWorkspace, other: ProximitySurface, at: number) {
  const { positions, triangles } = other;
  const corner = 3 * minimumFace[at];
  for (let axis = 0; axis < 3; axis++) {
    let x = 0;
    for (let k = 0; k < 3; k++) x += minimum[STRIDE * at + k] * positions[3 * triangles[corner + k] + axis];
    point[3 + axis] = x;
    vector[axis] = point[axis] - x;
  }
}

/** What points outward at the closest point; of unit length inside faces only. */
function normalOfFeature(workspace: ProximityWorkspace, other: ProximitySurface, at: number): void {
  const { featureNormal, minimumFace, minimumFeature } = workspace;
  const face = minimumFace[at];
  const feature = minimumFeature[at];
  if (feature >= ON_CORNER) {
    vertexPseudonormal(featureNormal, other, other.triangles[3 * face + feature - ON_CORNER]);
  } else if (feature >= ON_EDGE) {
    edgePseudonormal(featureNormal, other, other.faceEdges[3 * face + feature - ON_EDGE]);
  } else {
    for (let axis = 0; axis < 3; axis++) featureNormal[axis] = other.normals[3 * face + axis];
  }
}

/** Turns the minima of a vertex into contacts: the least deep one behind the surface, then those in front of it. */
function addVertex(
  set: ProximitySet,
  own: ProximitySurface,
  other: ProximitySurface,
  vertex: number,
  minima: number,
  near: number,
  kind: number,
): void {
  const { workspace } = set;
  vertexNormal(workspace.ownNormal, own, vertex);
  let kept = 0;
  for (
    let at = takeNearest(workspace, minima, true);
    at >= 0 && kept === 0;
    at = takeNearest(workspace, minima, true)
  ) {
    writeDirection(workspace, other, at, 0);
    if (!isMutual(workspace, own, other, vertex, at, 0)) continue;
    if (!isWayOut(workspace, other, near)) continue;
    storeVertex(set, other, vertex, at, 0, kind);
    kept = 1;
  }
  while (kept < MAX_DIRECTIONS) {
    const at = takeNearest(workspace, minima, false);
    if (at < 0) return;
    writeDirection(workspace, other, at, kept);
    if (!isNewDirection(workspace.directions, kept)) continue;
    if (!isMutual(workspace, own, other, vertex, at, kept)) continue;
    storeVertex(set, other, vertex, at, kept, kind);
    kept += 1;
  }
}

/** The nearest minimum behind or in front of the surface within its limit, which is not taken again; −1 if none is left. */
function takeNearest(workspace: ProximityWorkspace, minima: number, isBehind: boolean): number {
  const { minimum, limits } = workspace;
  const limit = isBehind ? limits[LIMIT_DEPTH] : limits[LIMIT_ALARM];
  let best = -1;
  let bestSquared = limit * limit;
  for (let at = 0; at < minima; at++) {
    const squared = minimum[STRIDE * at + MINIMUM_SQUARED];
    if (minimum[STRIDE * at + MINIMUM_SIDE] < 0 !== isBehind || !(squared <= bestSquared)) continue;
    best = at;
    bestSquared = squared;
  }
  // Beyond every limit from now on.
  if (best >= 0) minimum[STRIDE * best + MINIMUM_SQUARED] = Infinity;
  return best;
}

/** The unit direction in which the other surface pushes the vertex, as direction number `slot`. */
function writeDirection(workspace: ProximityWorkspace, other: ProximitySurface, at: number, slot: number): void {
  const { vector, featureNormal, directions, limits, minimum, minimumFeature } = workspace;
  measureWay(workspace, other, at);
  normalOfFeature(workspace, other, at);
  const length = lengthAt(vector, 0);
  const isAlongWay = minimumFeature[at] !== INSIDE_FACE && length > TOUCHING * limits[LIMIT_ALARM];
  const normalLength = lengthAt(featureNormal, 0);
  const scale = isAlongWay
    ? (minimum[STRIDE * at + MINIMUM_SIDE] < 0 ? -1 : 1) / length
    : normalLength > 0
      ? 1 / normalLength
      : 0;
  for (let axis = 0; axis < 3; axis++) {
    directions[3 * slot + axis] = scale * (isAlongWay ? vector[axis] : featureNormal[axis]);
  }
}

/**
 * Whether the vertex, too, can be touched in that direction. At sharp edges and corners of the other surface the vertex
 * must stand out in it: else a vertex in the middle of a floor would stop an edge that slides towards it.
 */
function isMutual(
  workspace: ProximityWorkspace,
  own: ProximitySurface,
  other: ProximitySurface,
  vertex: number,
  at: number,
  slot: number,
): boolean {
  const { directions, ownNormal, featureNormal, minimumFace, minimumFeature } = workspace;
  if (!vertexFaces(featureNormal, own, vertex, ownNormal, directions, 3 * slot)) return false;
  const feature = minimumFeature[at];
  if (feature === INSIDE_FACE) return true;
  const isNormal =
    feature >= ON_CORNER
      ? isNormalAtVertex(other, other.triangles[3 * minimumFace[at] + feature - ON_CORNER], directions, 3 * slot)
      : isNormalAtEdge(other, other.faceEdges[3 * minimumFace[at] + feature - ON_EDGE], directions, 3 * slot);
  return isNormal || isLowest(own, vertex, directions, 3 * slot);
}

function isNewDirection(directions: Float64Array, kept: number): boolean {
  const o = 3 * kept;
  for (let i = 0; i < o; i += 3) {
    const cosine = dot(directions, i, directions, o);
    if (cosine > SAME_DIRECTION) return false;
  }
  return true;
}

/** Whether the way from the vertex to the closest point meets no face before it comes there. */
function isWayOut(workspace: ProximityWorkspace, other: ProximitySurface, count: number): boolean {
  const { point, vector, near, limits } = workspace;
  // One that touches would cross the very face that it lies on, by rounding, wherever that is not parallel to an axis.
  if (lengthAt(vector, 0) <= TOUCHING * limits[LIMIT_ALARM]) return true;
  // The last part is left out: at an edge all its faces end there.
  for (let axis = 0; axis < 3; axis++) point[3 + axis] = point[axis] - WAY_OUT * vector[axis];
  for (let i = 0; i < count; i++) {
    if (segmentCrosses(other.positions, other.triangles, near[i], point)) return false;
  }
  return true;
}

function storeVertex(
  set: ProximitySet,
  other: ProximitySurface,
  vertex: number,
  at: number,
  slot: number,
  kind: number,
): void {
  const { ids, values, point, vector, directions, minimum, minimumFace } = set.workspace;
  const isA = kind === VERTEX_FACE;
  const face = minimumFace[at];
  const ownVertices = isA ? ID_A : ID_B;
  const otherVertices = isA ? ID_B : ID_A;
  ids[ID_KIND] = kind;
  ids[ID_KEY] = 4 * vertex + kind;
  ids[ID_KEY + 1] = slot;
  let gap = 0;
  for (let i = 0; i < 3; i++) {
    const direction = directions[3 * slot + i];
    ids[ownVertices + i] = i === 0 ? vertex : -1;
    ids[otherVertices + i] = other.triangles[3 * face + i];
    values[(isA ? VALUE_WEIGHT_A : VALUE_WEIGHT_B) + i] = i === 0 ? 1 : 0;
    values[(isA ? VALUE_WEIGHT_B : VALUE_WEIGHT_A) + i] = minimum[STRIDE * at + i];
    values[(isA ? VALUE_P : VALUE_Q) + i] = point[i];
    values[(isA ? VALUE_Q : VALUE_P) + i] = point[i] - vector[i];
    values[VALUE_NORMAL + i] = isA ? direction : -direction;
    gap += direction * vector[i];
  }
  values[VALUE_GAP] = gap;
  storeContact(set);
}
