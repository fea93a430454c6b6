import { offsetFromTriangle } from '../math/closest-point.js';
import { atan2Of } from '../math/portable.js';
import { lengthAt } from '../math/vectors.js';
import { DIPOLE_SIZE, PLANES_SIZE, type TriangleTree } from './triangle-tree.js';

/** Questions to a `TriangleTree`: how far, which triangles, how often wound around. */

/** Scratch of the queries; it can be dropped between calls without changing results. */
export interface TreeWorkspace {
  readonly stack: Uint32Array;
  readonly stackDistance: Float64Array;
  /** From the nearest point of a triangle to the point asked about. */
  readonly offset: Float64Array;
  /** The same for the nearest triangle of the last `nearestDistanceSquared`. */
  readonly nearestOffset: Float64Array;
  /** That triangle. */
  readonly nearest: Uint32Array;
  /** Of the solid angles that are summed up. */
  readonly turning: Float64Array;
}

export function createTreeWorkspace(tree: TriangleTree): TreeWorkspace {
  return {
    stack: new Uint32Array(tree.depth + 2),
    stackDistance: new Float64Array(tree.depth + 2),
    offset: new Float64Array(3),
    nearestOffset: new Float64Array(3),
    nearest: new Uint32Array(1),
    turning: new Float64Array(3),
  };
}

/** Rounding in a bound must not hide the triangle that is nearest. */
export const BOUND_SLACK = 1 + 1e-6;

/**
 * Squared distance to the nearest triangle. `bound` is a squared distance known to be large enough: a tight one, such as
 * that of a neighbouring point plus the step between them, spares most of the walk. Gives `bound` if nothing is nearer.
 */
export function nearestDistanceSquared(
  tree: TriangleTree,
  workspace: TreeWorkspace,
  x: number,
  y: number,
  z: number,
  bound: number,
): number {
  const { boxes, right, first, count, corners, planes } = tree;
  const { stack, stackDistance, offset, nearestOffset, nearest } = workspace;
  let best = bound;
  let size = 1;
  stack[0] = 0;
  stackDistance[0] = boxDistanceSquared(boxes, 0, x, y, z);
  while (size > 0) {
    size -= 1;
    if (stackDistance[size] >= best) continue;
    const node = stack[size];
    const far = right[node];
    if (far === 0) {
      const end = first[node] + count[node];
      for (let t = first[node]; t < end; t += 1) {
        if (planeBoundSquared(planes, t, x, y, z) > best * BOUND_SLACK) continue;
        const distance = offsetFromTriangle(offset, corners, 9 * t, x, y, z);
        if (distance >= best) continue;
        best = distance;
        nearest[0] = t;
        nearestOffset[0] = offset[0];
        nearestOffset[1] = offset[1];
        nearestOffset[2] = offset[2];
      }
      continue;
    }
    const leftDistance = boxDistanceSquared(boxes, node + 1, x, y, z);
    const rightDistance = boxDistanceSquared(boxes, far, x, y, z);
    const leftIsNearer = leftDistance <= rightDistance;
    stack[size] = leftIsNearer ? far : node + 1;
    stackDistance[size] = leftIsNearer ? rightDistance : leftDistance;
    stack[size + 1] = leftIsNearer ? node + 1 : far;
    stackDistance[size + 1] = leftIsNearer ? leftDistance : rightDistance;
    size += 2;
  }
  return best;
}

/**
 * Lower bound of the squared distance to triangle `t`: to its plane, and in that plane to the furthest of the edge
 * lines that the point is outside of. It is the distance itself except beyond a corner.
 */
export function planeBoundSquared(planes: Float64Array, t: number, x: number, y: number, z: number): number {
  const p = PLANES_SIZE * t;
  const height = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z - planes[p + 3];
  const a = planes[p + 4] * x + planes[p + 5] * y + planes[p + 6] * z - planes[p + 7];
  const b = planes[p + 8] * x + planes[p + 9] * y + planes[p + 10] * z - planes[p + 11];
  const c = planes[p + 12] * x + planes[p + 13] * y + planes[p + 14] * z - planes[p + 15];
  let outside = a;
  if (b > outside) outside = b;
  if (c > outside) outside = c;
  return outside > 0 ? height * height + outside * outside : height * height;
}

/**
 * Triangles near a common centre, each with a linear lower bound of its distance around there: `distance + slope · (p −
 * centre)`. The distance to a triangle is a convex function of the point, so its tangent at the centre never lies above
 * it: nearby, that is far tighter than what the distance to the centre alone would say.
 */
export interface CandidateList {
  count: number;
  triangle: Uint32Array;
  /** Distance, then slope x, y, z, per candidate. */
  tangent: Float64Array;
}

export function createCandidateList(capacity = 256): CandidateList {
  return {
    count: 0,
    triangle: new Uint32Array(capacity),
    tangent: new Float64Array(4 * capacity),
  };
}

/**
 * All triangles that may be the nearest for some point of a ball. The centre must be what `nearestDistanceSquared` was
 * asked about last, with this workspace.
 *
 * With D and g the nearest triangle's distance and direction at the centre, that triangle is at o from it no further than
 * D + g·o + |o|²/(2D) away; another one, with d and its own direction s, at least d + s·o. So it is out of the race in
 * the whole ball of radius r if d − D − |s − g| r > r²/(2D).
 */
export function collectCandidates(
  list: CandidateList,
  tree: TriangleTree,
  workspace: TreeWorkspace,
  x: number,
  y: number,
  z: number,
  radius: number,
): void {
  const { boxes, right, first, count } = tree;
  const { stack, nearestOffset } = workspace;
  const nearest = lengthAt(nearestOffset, 0);
  const reach = (nearest + 2 * radius) * (1 + 1e-9);
  list.count = 0;
  let size = 1;
  stack[0] = 0;
  while (size > 0) {
    size -= 1;
    const node = stack[size];
    if (boxDistanceSquared(boxes, node, x, y, z) > reach * reach) continue;
    if (right[node] !== 0) {
      stack[size] = right[node];
      stack[size + 1] = node + 1;
      size += 2;
      continue;
    }
    if (list.count + count[node] > list.triangle.length) growCandidates(list, list.count + count[node]);
    const end = first[node] + count[node];
    for (let t = first[node]; t < end; t += 1) addCandidate(list, tree, workspace, t, x, y, z, nearest, reach, radius);
  }
}

/** An offset shorter than this part of the ball has no direction to rely on. */
const SMALLEST_DIRECTION = 1e-4;

function addCandidate(
  list: CandidateList,
  tree: TriangleTree,
  { offset, nearestOffset }: TreeWorkspace,
  t: number,
  x: number,
  y: number,
  z: number,
  nearest: number,
  reach: number,
  radius: number,
): void {
  if (planeBoundSquared(tree.planes, t, x, y, z) > reach * reach) return;
  const distance = Math.sqrt(offsetFromTriangle(offset, tree.corners, 9 * t, x, y, z));
  if (distance > reach) return;
  // In the plane of a triangle the direction would be made of rounding errors: none is better, as it bounds nothing.
  const scale = distance > SMALLEST_DIRECTION * radius ? 1 / distance : 0;
  const sx = offset[0] * scale;
  const sy = offset[1] * scale;
  const sz = offset[2] * scale;
  if (nearest > 0) {
    const along = (sx * nearestOffset[0] + sy * nearestOffset[1] + sz * nearestOffset[2]) / nearest;
    const turn = Math.sqrt(Math.max(0, 2 - 2 * along)) * (1 + 1e-6) + 1e-7;
    if (distance - nearest - turn * radius > (radius * radius) / (2 * nearest)) return;
  }
  const at = 4 * list.count;
  list.triangle[list.count] = t;
  list.tangent[at] = scale > 0 ? distance : 0;
  list.tangent[at + 1] = sx;
  list.tangent[at + 2] = sy;
  list.tangent[at + 3] = sz;
  list.count += 1;
}

function growCandidates(list: CandidateList, needed: number): void {
  const capacity = Math.max(needed, 2 * list.triangle.length);
  const triangle = new Uint32Array(capacity);
  const tangent = new Float64Array(4 * capacity);
  triangle.set(list.triangle);
  tangent.set(list.tangent);
  list.triangle = triangle;
  list.tangent = tangent;
}

/**
 * From how many of its radii on a node is seen as one dipole. Largest error of the sum on bunny and torus: 0.05 at 2.3,
 * 0.03 at 3, below 0.02 at 3.5, for about twice the time at 2.3.
 */
export const FINE_DIPOLES = 3.5;
/** Enough where the winding number is whole, and an error of a tenth does no harm. */
export const COARSE_DIPOLES = 2;

/**
 * Generalised winding number (Jacobson et al. 2013) with far parts as dipoles (Barill et al. 2018): 1 inside a closed
 * surface, 0 outside, in between near openings.
 */
export function windingNumber(
  tree: TriangleTree,
  workspace: TreeWorkspace,
  x: number,
  y: number,
  z: number,
  dipoleDistance = FINE_DIPOLES,
): number {
  const { right, first, count, corners, dipoles } = tree;
  const { stack } = workspace;
  let solidAngle = 0;
  let size = 1;
  stack[0] = 0;
  while (size > 0) {
    size -= 1;
    const node = stack[size];
    const d = DIPOLE_SIZE * node;
    const dx = dipoles[d] - x;
    const dy = dipoles[d + 1] - y;
    const dz = dipoles[d + 2] - z;
    const distanceSquared = dx * dx + dy * dy + dz * dz;
    const reach = dipoleDistance * dipoles[d + 6];
    if (distanceSquared > reach * reach) {
      const flux = dx * dipoles[d + 3] + dy * dipoles[d + 4] + dz * dipoles[d + 5];
      solidAngle += flux / (distanceSquared * Math.sqrt(distanceSquared));
    } else if (right[node] === 0) {
      for (let t = first[node]; t < first[node] + count[node]; t += 1) {
        solidAngle += triangleSolidAngle(corners, 9 * t, x, y, z);
      }
    } else {
      stack[size] = right[node];
      stack[size + 1] = node + 1;
      size += 2;
    }
  }
  return solidAngle / (4 * Math.PI);
}

/**
 * From how many radii on dipoles are used at first, and how far from 0.5 a winding number has to be then to be on the
 * same side of it as with fine ones. Largest difference from these seen near open and closed meshes of a few hundred to
 * thirty thousand triangles: 0.19 at 1.5, 0.06 at 2.5.
 */
const ROUGH_DIPOLES = [
  [1.5, 0.2],
  [2.5, 0.07],
] as const;

/** Nearer than this to 0.5 it is rounding that decides. */
const UNDECIDED = 1e-9;

/** Whether the winding number is above 0.5, in a fraction of the time that the number itself takes. */
export function isWoundAround(tree: TriangleTree, workspace: TreeWorkspace, x: number, y: number, z: number): boolean {
  for (const [dipoleDistance, margin] of ROUGH_DIPOLES) {
    const rough = quickWinding(tree, workspace, x, y, z, dipoleDistance);
    if (Math.abs(rough - 0.5) > margin) return rough > 0.5;
  }
  const fine = quickWinding(tree, workspace, x, y, z, FINE_DIPOLES);
  // On the surface all depends on the order of sums: what says so is always the number itself.
  return Math.abs(fine - 0.5) > UNDECIDED ? fine > 0.5 : windingNumber(tree, workspace, x, y, z) > 0.5;
}

/** The winding number but for rounding, without an arc tangent for each triangle. */
export function quickWinding(
  tree: TriangleTree,
  workspace: TreeWorkspace,
  x: number,
  y: number,
  z: number,
  dipoleDistance: number,
): number {
  const { right, first, count, corners, dipoles } = tree;
  const { stack, turning } = workspace;
  let solidAngle = 0;
  startTurning(turning);
  let size = 1;
  stack[0] = 0;
  while (size > 0) {
    size -= 1;
    const node = stack[size];
    const d = DIPOLE_SIZE * node;
    const dx = dipoles[d] - x;
    const dy = dipoles[d + 1] - y;
    const dz = dipoles[d + 2] - z;
    const distanceSquared = dx * dx + dy * dy + dz * dz;
    const reach = dipoleDistance * dipoles[d + 6];
    if (distanceSquared > reach * reach) {
      const flux = dx * dipoles[d + 3] + dy * dipoles[d + 4] + dz * dipoles[d + 5];
      solidAngle += flux / (distanceSquared * Math.sqrt(distanceSquared));
    } else if (right[node] === 0) {
      for (let t = first[node]; t < first[node] + count[node]; t += 1) {
        turnByTriangle(turning, corners, 9 * t, x, y, z);
      }
    } else {
      stack[size] = right[node];
      stack[size + 1] = node + 1;
      size += 2;
    }
  }
  return (solidAngle + 2 * angleTurned(turning)) / (4 * Math.PI);
}

/** Van Oosterom and Strackee 1983. Positive when the triangle is seen from behind. */
function triangleSolidAngle(corners: Float64Array, o: number, x: number, y: number, z: number): number {
  const ax = corners[o] - x;
  const ay = corners[o + 1] - y;
  const az = corners[o + 2] - z;
  const bx = corners[o + 3] - x;
  const by = corners[o + 4] - y;
  const bz = corners[o + 5] - z;
  const cx = corners[o + 6] - x;
  const cy = corners[o + 7] - y;
  const cz = corners[o + 8] - z;
  const la = Math.sqrt(ax * ax + ay * ay + az * az);
  const lb = Math.sqrt(bx * bx + by * by + bz * bz);
  const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const ab = ax * bx + ay * by + az * bz;
  const bc = bx * cx + by * cy + bz * cz;
  const ca = cx * ax + cy * ay + cz * az;
  return 2 * atan2Of(volume, la * lb * lc + ab * lc + bc * la + ca * lb);
}

/**
 * Solid angles are summed without an arc tangent for each. Half the solid angle of a triangle is the angle of a complex
 * number (Van Oosterom and Strackee 1983), and the angle of a product is the sum of the angles: the numbers are
 * multiplied, whole turns are counted, and one arc tangent at the end gives the rest.
 *
 * Three numbers: real and imaginary part of the product, and the turns.
 */
function startTurning(turning: Float64Array): void {
  turning[0] = 1;
  turning[1] = 0;
  turning[2] = 0;
}

function angleTurned(turning: Float64Array): number {
  return atan2Of(turning[1], turning[0]) + 2 * Math.PI * turning[2];
}

/** Beyond these the product is scaled back: by a power of two, which rounds nothing. */
const LARGE = 2 ** 300;
const SMALL = 2 ** -300;

/** Positive when the triangle is seen from behind. */
function turnByTriangle(
  turning: Float64Array,
  corners: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
): void {
  const ax = corners[o] - x;
  const ay = corners[o + 1] - y;
  const az = corners[o + 2] - z;
  const bx = corners[o + 3] - x;
  const by = corners[o + 4] - y;
  const bz = corners[o + 5] - z;
  const cx = corners[o + 6] - x;
  const cy = corners[o + 7] - y;
  const cz = corners[o + 8] - z;
  const la = Math.sqrt(ax * ax + ay * ay + az * az);
  const lb = Math.sqrt(bx * bx + by * by + bz * bz);
  const lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
  const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const ab = ax * bx + ay * by + az * bz;
  const bc = bx * cx + by * cy + bz * cz;
  const ca = cx * ax + cy * ay + cz * az;
  const along = la * lb * lc + ab * lc + bc * la + ca * lb;
  // At a corner, and on the line through an edge, there is no angle.
  if (volume === 0 && along === 0) return;
  const re = turning[0];
  const im = turning[1];
  let nextRe = re * along - im * volume;
  let nextIm = re * volume + im * along;
  // Both angles are in (−π, π]. Two of the same sign may add up to more than that.
  const bothBehind = re < 0 && along < 0;
  if (im >= 0 && volume >= 0) {
    if (bothBehind || nextIm < 0) turning[2] += 1;
  } else if (im < 0 && volume < 0) {
    if (bothBehind || nextIm > 0 || (nextIm === 0 && nextRe < 0)) turning[2] -= 1;
  }
  const size = Math.abs(nextRe) + Math.abs(nextIm);
  if (size < SMALL) {
    nextRe *= LARGE;
    nextIm *= LARGE;
  } else if (size > LARGE) {
    nextRe *= SMALL;
    nextIm *= SMALL;
  }
  turning[0] = nextRe;
  turning[1] = nextIm;
}

function boxDistanceSquared(boxes: Float64Array, node: number, x: number, y: number, z: number): number {
  const b = 6 * node;
  let sum = 0;
  let gap = x < boxes[b] ? boxes[b] - x : x - boxes[b + 3];
  if (gap > 0) sum = gap * gap;
  gap = y < boxes[b + 1] ? boxes[b + 1] - y : y - boxes[b + 4];
  if (gap > 0) sum += gap * gap;
  gap = z < boxes[b + 2] ? boxes[b + 2] - z : z - boxes[b + 5];
  if (gap > 0) sum += gap * gap;
  return sum;
}
