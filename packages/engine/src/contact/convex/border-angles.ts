import type { ConvexHierarchy } from '../../hierarchy/convex-hierarchy.js';
import { acosOf } from '../../math/portable.js';
import { topDown } from './tree-order.js';

/**
 * Largest angle between a node's mean normal and a direction in which a body can lie nearest to its patch, radians.
 *
 * Above a face that direction is the face's normal. At an edge or a corner it lies between the normals of all faces that
 * meet there, of which some may belong to other patches: a face of a cube can be nearest along any direction up to 90°
 * from its normal, but a patch in the middle of a smooth surface only along its own normals. Where the surface turns up
 * at the border, nothing is added. Contacts outside of this cone are those of a patch taken for the whole surface: the
 * neighbouring patch is nearer.
 */
export function borderAngles(hierarchy: ConvexHierarchy): Float64Array {
  const { nodeCount, child, triangleStart, normal, spread } = hierarchy;
  const { faceNormal, ringStart, ring } = surfaceRings(hierarchy);
  const angles = new Float64Array(nodeCount);
  const order = topDown(child, nodeCount);
  for (let n = order.length - 1; n >= 0; n -= 1) {
    const node = order[n];
    let widest = spread[node];
    for (let triangle = triangleStart[node]; triangle < triangleStart[node + 1]; triangle += 1) {
      for (let corner = 0; corner < 3; corner += 1) {
        const point = hierarchy.triangles[3 * triangle + corner];
        for (let at = ringStart[point]; at < ringStart[point + 1]; at += 1) {
          if (!fallsAway(hierarchy, faceNormal, triangle, ring[at])) continue;
          widest = Math.max(widest, angleBetween(normal, node, faceNormal, ring[at]));
        }
      }
    }
    for (let side = 0; side < 2; side += 1) {
      const below = child[2 * node + side];
      if (below >= 0) widest = Math.max(widest, angleBetween(normal, node, normal, below) + angles[below]);
    }
    angles[node] = Math.min(Math.PI, widest);
  }
  return angles;
}

/** Normals of all finest triangles, and which triangles meet at each point. */
function surfaceRings({ triangles, points }: ConvexHierarchy) {
  const faceNormal = new Float64Array(triangles.length);
  const ringStart = new Int32Array(points.length / 3 + 1);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const u = [points[b] - points[a], points[b + 1] - points[a + 1], points[b + 2] - points[a + 2]];
    const v = [points[c] - points[a], points[c + 1] - points[a + 1], points[c + 2] - points[a + 2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) || 1;
    for (let axis = 0; axis < 3; axis += 1) faceNormal[t + axis] = n[axis] / length;
    for (let corner = 0; corner < 3; corner += 1) ringStart[triangles[t + corner] + 1] += 1;
  }
  for (let n = 1; n < ringStart.length; n += 1) ringStart[n] += ringStart[n - 1];
  const filled = ringStart.slice();
  const ring = new Int32Array(triangles.length);
  for (let corner = 0; corner < triangles.length; corner += 1) {
    const point = triangles[corner];
    ring[filled[point]] = Math.floor(corner / 3);
    filled[point] += 1;
  }
  return { faceNormal, ringStart, ring };
}

/** Whether triangle `other` lies on or below the plane of `triangle`, as it does across a convex edge. */
function fallsAway(
  { triangles, points }: ConvexHierarchy,
  faceNormal: Float64Array,
  triangle: number,
  other: number,
): boolean {
  const n = 3 * triangle;
  const base = 3 * triangles[n];
  let highest = Number.NEGATIVE_INFINITY;
  let furthest = 0;
  for (let corner = 0; corner < 3; corner += 1) {
    const at = 3 * triangles[3 * other + corner];
    const x = points[at] - points[base];
    const y = points[at + 1] - points[base + 1];
    const z = points[at + 2] - points[base + 2];
    highest = Math.max(highest, faceNormal[n] * x + faceNormal[n + 1] * y + faceNormal[n + 2] * z);
    furthest = Math.max(furthest, x * x + y * y + z * z);
  }
  return highest <= 1e-6 * Math.sqrt(furthest);
}

function angleBetween(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const dot = a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
  return acosOf(Math.min(1, Math.max(-1, dot)));
}
