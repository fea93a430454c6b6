import { square } from '../math/portable.js';
/** A small sphere around points, of any number of lists: centre and radius. Not the smallest, but near it (Ritter 1990). */
export function enclosingSphere(out: Float64Array, lists: readonly Float64Array[]): void {
  const far = new Float64Array(3);
  const opposite = new Float64Array(3);
  furthestFrom(far, lists, lists[0][0], lists[0][1], lists[0][2]);
  furthestFrom(opposite, lists, far[0], far[1], far[2]);
  for (let axis = 0; axis < 3; axis++) out[axis] = (far[axis] + opposite[axis]) / 2;
  out[3] = Math.sqrt(squaredDistance(far, 0, opposite[0], opposite[1], opposite[2])) / 2;
  for (const points of lists) for (let at = 0; at < points.length; at += 3) includePoint(out, points, at);
  // Moving the centre rounds: one pass more makes sure of all points.
  for (const points of lists) {
    for (let at = 0; at < points.length; at += 3) {
      out[3] = Math.max(out[3], Math.sqrt(squaredDistance(points, at, out[0], out[1], out[2])));
    }
  }
}

/** Grows the sphere just so far, towards the point, that both the old sphere and the point are in it. */
function includePoint(sphere: Float64Array, points: Float64Array, at: number): void {
  const distance = Math.sqrt(squaredDistance(points, at, sphere[0], sphere[1], sphere[2]));
  if (distance <= sphere[3]) return;
  const radius = (distance + sphere[3]) / 2;
  const shift = (radius - sphere[3]) / distance;
  for (let axis = 0; axis < 3; axis++) sphere[axis] += shift * (points[at + axis] - sphere[axis]);
  sphere[3] = radius;
}

function furthestFrom(out: Float64Array, lists: readonly Float64Array[], x: number, y: number, z: number): void {
  let furthest = -1;
  for (const points of lists) {
    for (let at = 0; at < points.length; at += 3) {
      const distance = squaredDistance(points, at, x, y, z);
      if (distance <= furthest) continue;
      furthest = distance;
      for (let axis = 0; axis < 3; axis++) out[axis] = points[at + axis];
    }
  }
}

function squaredDistance(points: Float64Array, at: number, x: number, y: number, z: number): number {
  return square(points[at] - x) + square(points[at + 1] - y) + square(points[at + 2] - z);
}
