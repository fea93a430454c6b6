import { type TriangleMesh, triangleCount } from '../mesh/triangle-mesh.js';
import { cornersOf, type Patch } from './convex-patches.js';
import { enclosingSphere } from './enclosing-sphere.js';
import type { JoinedPatch, JoinPiece } from './join-patches.js';
import { pairPatches } from './pair-patches.js';
import type { Solid } from './solid.js';
import { triangleNeighbours } from './triangle-neighbours.js';

/** A node of the tree while it is built. */
export interface PatchNode {
  readonly patch: Patch;
  readonly children: readonly [PatchNode, PatchNode] | undefined;
  /** Centre and radius. */
  readonly sphere: Float64Array;
  readonly level: number;
  /** The surface at this level of detail; let go once the node is part of another. */
  surface: TriangleMesh | undefined;
}

/** Pairs that can be joined at the same time, and what part of all of them is done before and afterwards. */
export interface JoinStep {
  readonly pieces: readonly JoinPiece[];
  readonly from: number;
  readonly to: number;
}

/** Pairs handed to a worker at a time: about ten milliseconds of work. */
const PAIRS_PER_PIECE = 8;

/**
 * Joins patches two by two, level by level, until one is left. Whoever drives this has each step's pieces joined, here
 * or on workers, and passes the results back in the order of the pieces.
 */
export function* mergePatches(
  mesh: TriangleMesh,
  solid: Solid,
  patches: readonly Patch[],
): Generator<JoinStep, PatchNode, JoinedPatch[][]> {
  let nodes = patches.map((patch) => leafOf(mesh, patch));
  let neighbours = patchNeighbours(mesh, patches);
  const total = patches.length - 1;
  let finished = 0;
  while (nodes.length > 1) {
    const pairs = pairPatches(solid, nodes, neighbours);
    const pieces = piecesOf(pairs.map(([a, b]) => [partOf(nodes[a]), partOf(nodes[b])] as const));
    const joined = (yield { pieces, from: finished / total, to: (finished + pairs.length) / total }).flat();
    finished += pairs.length;
    const next: PatchNode[] = [];
    const placeOf = new Int32Array(nodes.length).fill(-1);
    pairs.forEach(([a, b], n) => {
      placeOf[a] = next.length;
      placeOf[b] = next.length;
      next.push(parentOf(nodes[a], nodes[b], joined[n]));
    });
    nodes.forEach((node, i) => {
      if (placeOf[i] >= 0) return;
      placeOf[i] = next.length;
      next.push(node);
    });
    neighbours = joinedNeighbours(neighbours, placeOf, next.length);
    nodes = next;
  }
  return nodes[0];
}

function leafOf(mesh: TriangleMesh, patch: Patch): PatchNode {
  const sphere = new Float64Array(4);
  enclosingSphere(sphere, [patch.vertices, cornersOf(mesh, patch.triangles)]);
  const triangles = new Uint32Array(3 * patch.triangles.length);
  patch.triangles.forEach((t, i) => {
    triangles.set(mesh.triangles.subarray(3 * t, 3 * t + 3), 3 * i);
  });
  const surface = compact({ positions: mesh.positions, triangles });
  return { patch, children: undefined, sphere, level: 0, surface };
}

function parentOf(a: PatchNode, b: PatchNode, joined: JoinedPatch): PatchNode {
  a.surface = undefined;
  b.surface = undefined;
  return { ...joined, children: [a, b], level: 1 + Math.max(a.level, b.level) };
}

function partOf({ patch: { triangles, vertices, seen, deviation }, surface }: PatchNode) {
  return { patch: { triangles, vertices, seen, deviation }, surface: surface! };
}

function piecesOf(pairs: JoinPiece): JoinPiece[] {
  const count = Math.ceil(pairs.length / PAIRS_PER_PIECE);
  return Array.from({ length: count }, (_, n) => pairs.slice(n * PAIRS_PER_PIECE, (n + 1) * PAIRS_PER_PIECE));
}

/** Only the vertices that the triangles use. */
function compact(mesh: TriangleMesh): TriangleMesh {
  const place = new Map<number, number>();
  const positions: number[] = [];
  const triangles = mesh.triangles.map((vertex) => {
    let index = place.get(vertex);
    if (index === undefined) {
      index = place.size;
      place.set(vertex, index);
      for (let axis = 0; axis < 3; axis++) positions.push(mesh.positions[3 * vertex + axis]);
    }
    return index;
  });
  return { positions: Float64Array.from(positions), triangles };
}

/** Which patches share an edge. */
function patchNeighbours(mesh: TriangleMesh, patches: readonly Patch[]): Set<number>[] {
  const patchOf = new Int32Array(triangleCount(mesh));
  patches.forEach(({ triangles }, patch) => {
    for (const t of triangles) patchOf[t] = patch;
  });
  const { start, others } = triangleNeighbours(mesh);
  const neighbours = patches.map(() => new Set<number>());
  for (let t = 0; t < patchOf.length; t++) {
    for (let e = start[t]; e < start[t + 1]; e++) {
      if (patchOf[others[e]] !== patchOf[t]) neighbours[patchOf[t]].add(patchOf[others[e]]);
    }
  }
  return neighbours;
}

function joinedNeighbours(neighbours: readonly Set<number>[], placeOf: Int32Array, count: number): Set<number>[] {
  const joined = Array.from({ length: count }, () => new Set<number>());
  neighbours.forEach((others, node) => {
    for (const other of others) if (placeOf[other] !== placeOf[node]) joined[placeOf[node]].add(placeOf[other]);
  });
  return joined;
}
