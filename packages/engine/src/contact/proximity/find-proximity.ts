import { addEdgeEdges } from './edge-edges.js';
import { BAD_PROXIMITY, beginQuery, FACE_VERTEX, type ProximitySet, VERTEX_FACE } from './proximity-set.js';
import { listNear, type ProximitySurface } from './proximity-surface.js';
import { addVertexFaces } from './vertex-faces.js';

/**
 * Appends what of two surfaces is nearer than the alarm distance, or has gone into the other by no more than `maxDepth`
 * (metres; as much as the alarm distance unless given). Both must have been refitted since they moved.
 *
 * The nearest pair of two bodies that are apart is always among the contacts. Gives the flags of the set.
 */
export function findProximity(
  set: ProximitySet,
  a: ProximitySurface,
  b: ProximitySurface,
  alarm: number,
  maxDepth = alarm,
): number {
  beginQuery(set, alarm, maxDepth);
  return searchSurfaces(set, a, b);
}

/** The same with the limits that the set has from `beginQuery`: numbers that a function is handed may be allocated. */
export function searchSurfaces(set: ProximitySet, a: ProximitySurface, b: ProximitySurface): number {
  if (a.finite === 0 || b.finite === 0) {
    set.flags |= BAD_PROXIMITY;
    return set.flags;
  }
  const { limits, box } = set.workspace;
  listNear(a, b, limits, box);
  listNear(b, a, limits, box);
  addVertexFaces(set, a, b, VERTEX_FACE);
  addVertexFaces(set, b, a, FACE_VERTEX);
  addEdgeEdges(set, a, b);
  return set.flags;
}
