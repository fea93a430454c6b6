import { type BuildHooks, throwIfCancelled } from '../base/progress.js';
import { simplifyMesh } from '../mesh/simplify.js';
import { type TriangleMesh, triangleCount } from '../mesh/triangle-mesh.js';
import { weldMesh } from '../mesh/weld.js';
import { convexHull } from './convex-hull.js';
import { cornersOf, makePatch, type Patch, type PatchLimits } from './convex-patches.js';
import { enclosingSphere } from './enclosing-sphere.js';
import { distanceFromHull, facesOf, reachOfHull } from './hull-fit.js';
import { pairPatches } from './pair-patches.js';
import { normalCone, unitNormals } from './patch-normals.js';
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

/** Above so many triangles a joined surface is simplified to half as many. */
const MAX_SURFACE = 192;
/** A hull leaves out vertices that stick out by this part of the deviation that its children have already. */
const HULL_SHARE = 0.25;
/** What the search for a hull's furthest reach out of the solid may miss, as a part of what is known already. */
const PRECISION = 0.1;
/** … and at least this part of the leaves' tolerance. */
const LEAST_PRECISION = 0.5;
/** Places at which that search looks. */
const LOOKS = 600;

/** Joins patches two by two, level by level, until one is left. */
export function mergePatches(
  mesh: TriangleMesh,
  solid: Solid,
  patches: readonly Patch[],
  limits: PatchLimits,
  hooks: BuildHooks,
): PatchNode {
  const merger = new PatchMerger(mesh, solid, limits);
  let nodes = patches.map((patch) => merger.leaf(patch));
  let neighbours = patchNeighbours(mesh, patches);
  const total = patches.length - 1;
  let finished = 0;
  while (nodes.length > 1) {
    const pairs = pairPatches(solid, nodes, neighbours);
    const next: PatchNode[] = [];
    const placeOf = new Int32Array(nodes.length).fill(-1);
    for (const [a, b] of pairs) {
      throwIfCancelled(hooks.signal);
      placeOf[a] = next.length;
      placeOf[b] = next.length;
      next.push(merger.join(nodes[a], nodes[b]));
      finished++;
      hooks.onProgress?.('levels of detail', finished / total);
    }
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

class PatchMerger {
  private readonly mesh: TriangleMesh;
  private readonly solid: Solid;
  private readonly limits: PatchLimits;
  private readonly normals: Float64Array;

  constructor(mesh: TriangleMesh, solid: Solid, limits: PatchLimits) {
    this.mesh = mesh;
    this.solid = solid;
    this.limits = limits;
    this.normals = unitNormals(mesh);
  }

  leaf(patch: Patch): PatchNode {
    const sphere = new Float64Array(4);
    enclosingSphere(sphere, [patch.vertices, cornersOf(this.mesh, patch.triangles)]);
    const triangles = new Uint32Array(3 * patch.triangles.length);
    patch.triangles.forEach((t, i) => {
      triangles.set(this.mesh.triangles.subarray(3 * t, 3 * t + 3), 3 * i);
    });
    const surface = compact({ positions: this.mesh.positions, triangles });
    return { patch, children: undefined, sphere, level: 0, surface };
  }

  join(a: PatchNode, b: PatchNode): PatchNode {
    const { mesh, limits } = this;
    const triangles = new Int32Array(a.patch.triangles.length + b.patch.triangles.length);
    triangles.set(a.patch.triangles);
    triangles.set(b.patch.triangles, a.patch.triangles.length);
    const surface = joinSurfaces(a.surface!, b.surface!);
    a.surface = undefined;
    b.surface = undefined;
    const known = Math.max(a.patch.deviation, b.patch.deviation);
    const { maxVertices } = limits;
    const hull = convexHull(surface.positions, { maxVertices, tolerance: HULL_SHARE * known });
    const faces = facesOf(surface.positions, hull);
    const distance = distanceFromHull(mesh, triangles, faces, Number.POSITIVE_INFINITY);
    // Begins with what was seen, not with the bounds: what could not be excluded would add up from level to level.
    const atLeast = Math.max(a.patch.seen, b.patch.seen, distance);
    const precision = Math.max(PRECISION * atLeast, LEAST_PRECISION * limits.tolerance);
    const search = { atLeast, precision, limit: Number.POSITIVE_INFINITY, looks: LOOKS };
    const { seen, bound } = reachOfHull(this.solid, faces, search);
    const cone = normalCone(mesh, this.normals, triangles);
    const patch = makePatch(triangles, surface.positions, hull, { seen, bound: Math.max(known, bound) }, cone);
    const sphere = new Float64Array(4);
    enclosingSphere(sphere, [patch.vertices, a.patch.vertices, b.patch.vertices, cornersOf(mesh, triangles)]);
    return { patch, children: [a, b], sphere, level: 1 + Math.max(a.level, b.level), surface };
  }
}

/** Both surfaces as one, sewn together where their borders coincide, and simplified if it has become too fine. */
function joinSurfaces(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const positions = new Float64Array(a.positions.length + b.positions.length);
  positions.set(a.positions);
  positions.set(b.positions, a.positions.length);
  const triangles = new Uint32Array(a.triangles.length + b.triangles.length);
  triangles.set(a.triangles);
  triangles.set(
    b.triangles.map((vertex) => vertex + a.positions.length / 3),
    a.triangles.length,
  );
  const joined = { positions, triangles };
  if (triangleCount(joined) <= MAX_SURFACE) return joined;
  // Borders were kept to the bit, so what belongs together coincides.
  return simplifyMesh(weldMesh(joined), { triangles: MAX_SURFACE / 2 });
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
