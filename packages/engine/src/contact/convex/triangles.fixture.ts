import { offsetFromTriangle } from '../../math/closest-point.js';
import { type Pose, transformPoint } from '../../math/pose.js';

/** Triangle against triangle, each with each: the reference that the query is held against. */

export function moved(points: Float64Array, pose: Pose): Float64Array {
  const out = new Float64Array(points.length);
  for (let n = 0; n < points.length; n += 3) {
    transformPoint(out.subarray(n, n + 3), pose, points[n], points[n + 1], points[n + 2]);
  }
  return out;
}

export interface NearPairs {
  /** Smallest distance, or the given reach if nothing is nearer; 0 if triangles cross. */
  least: number;
  /** Pairs of triangles that cross. */
  crossing: number;
  /** Distance, then the points on both triangles, per pair within the reach: seven numbers. */
  pairs: number[];
}

export function nearPairs(
  aPoints: Float64Array,
  aTriangles: Uint32Array,
  bPoints: Float64Array,
  bTriangles: Uint32Array,
  reach: number,
): NearPairs {
  const found: NearPairs = { least: reach, crossing: 0, pairs: [] };
  const a = cornersOf(aPoints, aTriangles);
  const b = cornersOf(bPoints, bTriangles);
  const aBoxes = boxesOf(a);
  const bBoxes = boxesOf(b);
  const result = new Float64Array(7);
  for (let i = 0; i < aTriangles.length / 3; i += 1) {
    for (let j = 0; j < bTriangles.length / 3; j += 1) {
      if (boxesApart(aBoxes, 6 * i, bBoxes, 6 * j, reach)) continue;
      measureTriangles(result, a.subarray(9 * i, 9 * i + 9), b.subarray(9 * j, 9 * j + 9));
      if (result[0] === 0) found.crossing += 1;
      if (result[0] < reach) found.pairs.push(...result);
      found.least = Math.min(found.least, result[0]);
    }
  }
  return found;
}

function cornersOf(points: Float64Array, triangles: Uint32Array): Float64Array {
  const corners = new Float64Array(3 * triangles.length);
  for (let n = 0; n < corners.length; n += 1) corners[n] = points[3 * triangles[Math.floor(n / 3)] + (n % 3)];
  return corners;
}

function boxesOf(corners: Float64Array): Float64Array {
  const boxes = new Float64Array((corners.length / 9) * 6);
  for (let t = 0; t < corners.length / 9; t += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      const at = 9 * t + axis;
      boxes[6 * t + axis] = Math.min(corners[at], corners[at + 3], corners[at + 6]);
      boxes[6 * t + 3 + axis] = Math.max(corners[at], corners[at + 3], corners[at + 6]);
    }
  }
  return boxes;
}

function boxesApart(a: Float64Array, i: number, b: Float64Array, j: number, reach: number): boolean {
  for (let axis = 0; axis < 3; axis += 1) {
    if (a[i + axis] - b[j + 3 + axis] > reach || b[j + axis] - a[i + 3 + axis] > reach) return true;
  }
  return false;
}

const offset = new Float64Array(3);

/** Crossing edges, else the nearest of all corners to triangles and all edges to edges. */
function measureTriangles(result: Float64Array, a: Float64Array, b: Float64Array): void {
  result[0] = Infinity;
  for (let n = 0; n < 3; n += 1) {
    const m = (n + 1) % 3;
    if (crosses(a.subarray(3 * n, 3 * n + 3), a.subarray(3 * m, 3 * m + 3), b)) result[0] = 0;
    if (crosses(b.subarray(3 * n, 3 * n + 3), b.subarray(3 * m, 3 * m + 3), a)) result[0] = 0;
  }
  if (result[0] === 0) return;
  for (let n = 0; n < 9; n += 3) {
    const onB = Math.sqrt(offsetFromTriangle(offset, b, 0, a[n], a[n + 1], a[n + 2]));
    if (onB < result[0]) {
      for (let x = 0; x < 3; x += 1) {
        result[1 + x] = a[n + x];
        result[4 + x] = a[n + x] - offset[x];
      }
      result[0] = onB;
    }
    const onA = Math.sqrt(offsetFromTriangle(offset, a, 0, b[n], b[n + 1], b[n + 2]));
    if (onA < result[0]) {
      for (let x = 0; x < 3; x += 1) {
        result[1 + x] = b[n + x] - offset[x];
        result[4 + x] = b[n + x];
      }
      result[0] = onA;
    }
    for (let m = 0; m < 9; m += 3) nearestOfEdges(result, a, n, (n + 3) % 9, b, m, (m + 3) % 9);
  }
}

function crosses(p: Float64Array, q: Float64Array, t: Float64Array): boolean {
  const u = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const v = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  const way = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const h = [way[1] * v[2] - way[2] * v[1], way[2] * v[0] - way[0] * v[2], way[0] * v[1] - way[1] * v[0]];
  const det = u[0] * h[0] + u[1] * h[1] + u[2] * h[2];
  if (det === 0) return false;
  const s = [p[0] - t[0], p[1] - t[1], p[2] - t[2]];
  const x = (s[0] * h[0] + s[1] * h[1] + s[2] * h[2]) / det;
  if (x < 0 || x > 1) return false;
  const k = [s[1] * u[2] - s[2] * u[1], s[2] * u[0] - s[0] * u[2], s[0] * u[1] - s[1] * u[0]];
  const y = (way[0] * k[0] + way[1] * k[1] + way[2] * k[2]) / det;
  if (y < 0 || x + y > 1) return false;
  const z = (v[0] * k[0] + v[1] * k[1] + v[2] * k[2]) / det;
  return z >= 0 && z <= 1;
}

/** Inner points of two edges only: the ends are among the corners. */
function nearestOfEdges(
  result: Float64Array,
  a: Float64Array,
  a0: number,
  a1: number,
  b: Float64Array,
  b0: number,
  b1: number,
): void {
  let uu = 0;
  let uv = 0;
  let vv = 0;
  let uw = 0;
  let vw = 0;
  for (let x = 0; x < 3; x += 1) {
    const u = a[a1 + x] - a[a0 + x];
    const v = b[b1 + x] - b[b0 + x];
    const w = a[a0 + x] - b[b0 + x];
    uu += u * u;
    uv += u * v;
    vv += v * v;
    uw += u * w;
    vw += v * w;
  }
  const det = uu * vv - uv * uv;
  if (!(det > 1e-14 * uu * vv)) return;
  const s = (uv * vw - vv * uw) / det;
  const t = (uu * vw - uv * uw) / det;
  if (s < 0 || s > 1 || t < 0 || t > 1) return;
  let squared = 0;
  for (let x = 0; x < 3; x += 1) {
    const gap = a[a0 + x] + s * (a[a1 + x] - a[a0 + x]) - b[b0 + x] - t * (b[b1 + x] - b[b0 + x]);
    squared += gap * gap;
  }
  if (Math.sqrt(squared) >= result[0]) return;
  result[0] = Math.sqrt(squared);
  for (let x = 0; x < 3; x += 1) {
    result[1 + x] = a[a0 + x] + s * (a[a1 + x] - a[a0 + x]);
    result[4 + x] = b[b0 + x] + t * (b[b1 + x] - b[b0 + x]);
  }
}
