import { square } from '../math/portable.js';
import type { Patch } from './convex-patches.js';
import { distanceOutOf, type Solid } from './solid.js';

/** A patch as far as pairing looks at it. */
export interface Candidate {
  readonly patch: Patch;
  /** Centre and radius. */
  readonly sphere: Float64Array;
}

interface Pair {
  readonly a: number;
  readonly b: number;
  readonly cost: number;
}

/** Of two pairs that fit equally well, the rounder one is better: the sphere's radius counts so much. */
const RADIUS_SHARE = 0.1;
/** Pairs that cost more than so many times the median of the cheaper ones wait for a better partner… */
const MAX_COST = 3;
/** … unless fewer pairs than this part of all patches have been found. */
const FREE_PAIRS = 0.2;
/** Places between two patches at which it is seen what a common hull would fill, beside the outermost. */
const BRIDGE_LOOKS = 3;
/** If fewer than this part of all find a neighbour to join, the others take who is near. */
const LEAST_PAIRED = 0.25;
/** How many of those that follow along the longest axis are looked at for the nearest. */
const NEAR_CANDIDATES = 16;

/**
 * Which patches to join: the cheapest pairs of neighbours first, every patch in at most one pair, so that the tree stays
 * balanced. Patches that touch no other, as those of separate pieces, are joined by distance when nothing else is left.
 */
export function pairPatches(
  solid: Solid,
  candidates: readonly Candidate[],
  neighbours: readonly ReadonlySet<number>[],
): [number, number][] {
  const adjacent: Pair[] = [];
  neighbours.forEach((others, a) => {
    for (const b of others) if (b > a) adjacent.push({ a, b, cost: joiningCost(solid, candidates[a], candidates[b]) });
  });
  const isPaired = new Uint8Array(candidates.length);
  const pairs = takeCheapest(adjacent, isPaired, MAX_COST);
  if (2 * pairs.length < LEAST_PAIRED * candidates.length) {
    pairs.push(...takeCheapest(nearPairs(candidates, isPaired), isPaired, Number.POSITIVE_INFINITY));
  }
  return pairs;
}

function takeCheapest(pairs: Pair[], isPaired: Uint8Array, maxCost: number): [number, number][] {
  pairs.sort((p, q) => p.cost - q.cost || p.a - q.a || p.b - q.b);
  const taken: Pair[] = [];
  for (const pair of pairs) {
    const { a, b, cost } = pair;
    if (isPaired[a] === 1 || isPaired[b] === 1) continue;
    if (taken.length > FREE_PAIRS * isPaired.length && cost > maxCost * taken[taken.length >> 1].cost) break;
    isPaired[a] = 1;
    isPaired[b] = 1;
    taken.push(pair);
  }
  return taken.map(({ a, b }) => [a, b]);
}

/**
 * An estimate of the deviation of the joined patch, by what the common hull has to bridge: how far one rises above the
 * other as seen along the other's mean normal, and how far out of the solid the middles between the two are. Convex pairs
 * cost nothing but their size.
 */
function joiningCost(solid: Solid, a: Candidate, b: Candidate): number {
  const radius = joinedRadius(a.sphere, b.sphere);
  const bridged = Math.max(0, rise(a.patch, b.patch), rise(b.patch, a.patch), bridge(solid, a, b));
  return bridged + RADIUS_SHARE * radius;
}

function bridge(solid: Solid, a: Candidate, b: Candidate): number {
  const [p, q] = [a.patch.vertices, b.patch.vertices];
  let furthest = 0;
  const look = (i: number, j: number) => {
    const out = distanceOutOf(solid, (p[i] + q[j]) / 2, (p[i + 1] + q[j + 1]) / 2, (p[i + 2] + q[j + 2]) / 2);
    furthest = Math.max(furthest, out);
  };
  look(furthestVertex(p, b.sphere), furthestVertex(q, a.sphere));
  for (let k = 0; k < BRIDGE_LOOKS; k++) {
    look(3 * Math.floor((k * p.length) / (3 * BRIDGE_LOOKS)), 3 * Math.floor((k * q.length) / (3 * BRIDGE_LOOKS)));
  }
  return furthest;
}

function furthestVertex(points: Float64Array, from: Float64Array): number {
  let best = 0;
  let furthest = -1;
  for (let at = 0; at < points.length; at += 3) {
    const distance = square(points[at] - from[0]) + square(points[at + 1] - from[1]) + square(points[at + 2] - from[2]);
    if (distance > furthest) [best, furthest] = [at, distance];
  }
  return best;
}

function rise(over: Patch, base: Patch): number {
  const { axis } = base.cone;
  return reachAlong(over.vertices, axis) - reachAlong(base.vertices, axis);
}

function reachAlong(points: Float64Array, [x, y, z]: readonly [number, number, number]): number {
  let reach = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < points.length; at += 3) {
    reach = Math.max(reach, x * points[at] + y * points[at + 1] + z * points[at + 2]);
  }
  return reach;
}

function joinedRadius(a: Float64Array, b: Float64Array): number {
  const distance = Math.sqrt(square(a[0] - b[0]) + square(a[1] - b[1]) + square(a[2] - b[2]));
  return Math.max(a[3], b[3], (distance + a[3] + b[3]) / 2);
}

function nearPairs(candidates: readonly Candidate[], isPaired: Uint8Array): Pair[] {
  const free = candidates.map((_, i) => i).filter((i) => isPaired[i] === 0);
  const width = [0, 1, 2].map((axis) => {
    const places = free.map((i) => candidates[i].sphere[axis]);
    return (
      places.reduce((high, p) => Math.max(high, p), -Infinity) - places.reduce((low, p) => Math.min(low, p), Infinity)
    );
  });
  const axis = width.indexOf(Math.max(...width));
  free.sort((i, j) => candidates[i].sphere[axis] - candidates[j].sphere[axis] || i - j);
  const pairs: Pair[] = [];
  free.forEach((first, place) => {
    for (const second of free.slice(place + 1, place + 1 + NEAR_CANDIDATES)) {
      const [a, b] = first < second ? [first, second] : [second, first];
      pairs.push({ a, b, cost: joinedRadius(candidates[a].sphere, candidates[b].sphere) });
    }
  });
  return pairs;
}
