import {
  type ConvexPair,
  type ConvexPieces,
  minkowskiSupport,
  placeVertexPair,
  RESULT_BOUND,
  RESULT_DISTANCE,
} from './convex-pair.js';
import { NEAREST_SQUARED, reduceSimplex } from './simplex.js';

/**
 * Distance of two convex pieces (Gilbert, Johnson, Keerthi 1988): the shortest vector v of the difference tool −
 * environment, found as the nearest point of a simplex that is exchanged vertex by vertex.
 *
 * Each support point w along −v also proves a lower bound, v·w/|v|; the search ends when the bound meets |v|, when it is
 * beyond `pair.reach`, when no new vertex is found, or when rounding allows no further progress.
 */

/** `pair.result[RESULT_DISTANCE]` is the distance; `normal`, `onTool` and `onEnvironment` are set. */
export const SEPARATE = 0;
/** The pieces touch or overlap; the simplex holds the origin. */
export const OVERLAPPING = 1;
/** Further apart than `pair.reach`; only the lower bound `pair.result[RESULT_BOUND]` is set. */
export const BEYOND_REACH = 2;

const MOST_ITERATIONS = 64;
/** Part of the squared distance by which the bound may differ at the end. */
const CLOSE_ENOUGH = 1e-10;
/** Rounding of the products that give the bound, as a part of the largest coordinate. */
const ROUNDING = 4e-16;
/** Pieces nearer than this part of their coordinates touch. */
const TOUCHING = 1e-11;

/**
 * Starts from `pair.simplex`: with a `count` above 0, its vertices are those of an earlier question about the same two
 * pieces. Gives one of the three constants above.
 */
export function measureDistance(
  pair: ConvexPair,
  tool: ConvexPieces,
  toolNode: number,
  environment: ConvexPieces,
  environmentNode: number,
): number {
  const { simplex, direction, result, reach } = pair;
  const { nearest, point } = simplex;
  if (simplex.count === 0) {
    simplex.toolVertex[0] = 0;
    simplex.environmentVertex[0] = 0;
    simplex.count = 1;
  }
  for (let n = 0; n < simplex.count; n += 1) {
    placeVertexPair(pair, tool, toolNode, environment, environmentNode, n);
  }
  reduceSimplex(simplex);
  const reachSquared = reach[0] * reach[0];
  result[RESULT_BOUND] = 0;
  for (let iteration = 0; iteration < MOST_ITERATIONS; iteration += 1) {
    pair.iterations += 1;
    const squared = nearest[NEAREST_SQUARED];
    const size = largestCoordinate(simplex.point, simplex.count);
    if (simplex.count === 4 || squared <= TOUCHING * TOUCHING * size * size) {
      result[RESULT_DISTANCE] = 0;
      return OVERLAPPING;
    }
    direction[0] = -nearest[0];
    direction[1] = -nearest[1];
    direction[2] = -nearest[2];
    const slot = simplex.count;
    minkowskiSupport(pair, tool, toolNode, environment, environmentNode, slot);
    const o = 3 * slot;
    const along = nearest[0] * point[o] + nearest[1] * point[o + 1] + nearest[2] * point[o + 2];
    if (along > 0 && along * along > result[RESULT_BOUND] * result[RESULT_BOUND] * squared)
      result[RESULT_BOUND] = along / Math.sqrt(squared);
    if (along > 0 && along * along > reachSquared * squared) return BEYOND_REACH;
    if (squared - along <= CLOSE_ENOUGH * squared + ROUNDING * size * Math.sqrt(squared)) break;
    if (isKnown(simplex.toolVertex, simplex.environmentVertex, slot)) break;
    simplex.count = slot + 1;
    reduceSimplex(simplex);
    if (!(nearest[NEAREST_SQUARED] < squared)) break;
  }
  setNearest(pair);
  return SEPARATE;
}

function largestCoordinate(point: Float64Array, count: number): number {
  let largest = 0;
  for (let n = 0; n < 3 * count; n += 1) {
    const size = Math.abs(point[n]);
    if (size > largest) largest = size;
  }
  return largest;
}

function isKnown(toolVertex: Int32Array, environmentVertex: Int32Array, slot: number): boolean {
  for (let n = 0; n < slot; n += 1) {
    if (toolVertex[n] === toolVertex[slot] && environmentVertex[n] === environmentVertex[slot]) return true;
  }
  return false;
}

function setNearest(pair: ConvexPair): void {
  const { simplex, normal, onTool, onEnvironment, shift, result } = pair;
  const { nearest, weight, toolPoint, count } = simplex;
  const distance = Math.sqrt(nearest[NEAREST_SQUARED]);
  result[RESULT_DISTANCE] = distance;
  for (let axis = 0; axis < 3; axis += 1) {
    let at = 0;
    for (let n = 0; n < count; n += 1) at += weight[n] * toolPoint[3 * n + axis];
    normal[axis] = nearest[axis] / distance;
    onTool[axis] = at;
    onEnvironment[axis] = at + shift[axis] - nearest[axis];
  }
}
