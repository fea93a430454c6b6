import { type BuildHooks, throwIfCancelled } from '../base/progress.js';
import { cosOf, lengthOf } from '../math/portable.js';
import { type TriangleMesh, triangleCount } from '../mesh/triangle-mesh.js';
import { type ConvexHull, convexHull } from './convex-hull.js';
import { distanceFromHull, facesOf, reachOfHull } from './hull-fit.js';
import { type NormalCone, normalCone, unitNormals } from './patch-normals.js';
import type { Reach, Solid } from './solid.js';
import { type TriangleNeighbours, triangleNeighbours } from './triangle-neighbours.js';

/** A part of the finest surface with the convex hull that stands for it. */
export interface Patch {
  /** Triangles of the finest mesh. */
  readonly triangles: Int32Array;
  /** Corners of the hull, three numbers each. */
  readonly vertices: Float64Array;
  readonly neighbourStart: Int32Array;
  readonly neighbours: Int32Array;
  /** What of the deviation was found for sure, m; the rest is what could not be excluded. */
  readonly seen: number;
  readonly deviation: number;
  readonly cone: NormalCone;
}

export interface PatchLimits {
  /** m */
  readonly tolerance: number;
  readonly maxVertices: number;
}

/** Beyond this angle from the mean normal a patch would no longer face one way, rad. */
const MAX_SPREAD = (75 * Math.PI) / 180;
/** While growing, the mean still moves: a little less than the limit. */
const GROWING_SPREAD_COSINE = cosOf((70 * Math.PI) / 180);
/** Vertices may stick out of the planes of the patch's triangles by this part of the tolerance. */
const GROWING_SHARE = 0.5;
/** The hull may leave out vertices that stick out by this part of the tolerance. */
const HULL_SHARE = 0.25;
const MAX_TRIANGLES = 4096;
/** Distinct planes; each new triangle is compared with all of them. */
const MAX_PLANES = 256;
/** What the search for the hull's furthest reach out of the solid may miss, as a part of the tolerance. */
const PRECISION = 0.25;
/** Places at which that search looks. Leaves are what a query answers from in the end: it is worth looking well. */
const LOOKS = 300;
/** What is left of a patch that does not fit, per try. */
const SHRINK = 0.6;

/**
 * Cuts a surface into connected convex patches (Ehmann and Lin 2001): triangles are added to a patch as long as no vertex
 * of it sticks out of the plane of another of its triangles, which makes all of them faces of their hull. Unlike there,
 * the hull's remaining ("virtual") faces need not be inside of the patch's own piece but inside of the solid; a patch
 * whose hull would fill an opening, as that of a cup's outer wall does, is cut down until it does not.
 */
export function findConvexPatches(mesh: TriangleMesh, solid: Solid, limits: PatchLimits, hooks: BuildHooks): Patch[] {
  const finder = new PatchFinder(mesh, solid, limits);
  const total = triangleCount(mesh);
  const patches: Patch[] = [];
  let finished = 0;
  for (let seed = finder.nextSeed(); seed >= 0; seed = finder.nextSeed()) {
    throwIfCancelled(hooks.signal);
    const patch = finder.fittingPatch(finder.grow(seed));
    finder.claim(patch);
    patches.push(patch);
    finished += patch.triangles.length;
    hooks.onProgress?.('convex patches', finished / total);
  }
  return patches;
}

class PatchFinder {
  private readonly mesh: TriangleMesh;
  private readonly solid: Solid;
  private readonly limits: PatchLimits;
  private readonly normals: Float64Array;
  private readonly graph: TriangleNeighbours;
  private readonly taken: Uint8Array;
  /** Last seed for which a triangle was looked at, and the same for vertices: saves clearing marks. */
  private readonly lookedAt: Int32Array;
  private readonly hasVertex: Int32Array;
  private readonly seeds: number[] = [];
  private unclaimed = 0;

  constructor(mesh: TriangleMesh, solid: Solid, limits: PatchLimits) {
    this.mesh = mesh;
    this.solid = solid;
    this.limits = limits;
    this.normals = unitNormals(mesh);
    this.graph = triangleNeighbours(mesh);
    this.taken = new Uint8Array(triangleCount(mesh));
    this.lookedAt = new Int32Array(triangleCount(mesh)).fill(-1);
    this.hasVertex = new Int32Array(mesh.positions.length / 3).fill(-1);
  }

  /** Beside what is done if possible, so that patches tile the surface without leaving slivers; -1 at the end. */
  nextSeed(): number {
    for (let seed = this.seeds.shift(); seed !== undefined; seed = this.seeds.shift()) {
      if (this.taken[seed] === 0) return seed;
    }
    while (this.unclaimed < this.taken.length && this.taken[this.unclaimed] === 1) this.unclaimed++;
    return this.unclaimed < this.taken.length ? this.unclaimed : -1;
  }

  claim({ triangles }: Patch): void {
    for (const t of triangles) this.taken[t] = 1;
    for (const t of triangles) {
      for (let e = this.graph.start[t]; e < this.graph.start[t + 1]; e++) {
        const other = this.graph.others[e];
        if (this.taken[other] === 0) this.seeds.push(other);
      }
    }
  }

  /** Triangles in the order in which they were added, from the seed outward: every beginning of it is connected. */
  grow(seed: number): number[] {
    const growth = new Growth(this.mesh, this.normals, GROWING_SHARE * this.limits.tolerance);
    this.add(growth, seed, seed);
    const queue = [seed];
    for (let i = 0; i < queue.length && !growth.isFull(); i++) {
      const t = queue[i];
      for (let e = this.graph.start[t]; e < this.graph.start[t + 1]; e++) {
        const other = this.graph.others[e];
        if (this.taken[other] === 1 || this.lookedAt[other] === seed) continue;
        this.lookedAt[other] = seed;
        if (!growth.accepts(other)) continue;
        this.add(growth, other, seed);
        queue.push(other);
      }
    }
    return growth.members;
  }

  private add(growth: Growth, t: number, seed: number): void {
    this.lookedAt[t] = seed;
    growth.add(t);
    for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
      const vertex = this.mesh.triangles[corner];
      if (this.hasVertex[vertex] === seed) continue;
      this.hasVertex[vertex] = seed;
      growth.vertices.push(vertex);
    }
  }

  /** The patch of the first so many members that keeps the tolerance; a single triangle always does. */
  fittingPatch(members: readonly number[]): Patch {
    for (let count = members.length; count > 1; count = Math.floor(SHRINK * count)) {
      const patch = this.tryPatch(Int32Array.from(members.slice(0, count)));
      if (patch) return patch;
    }
    return this.tryPatch(Int32Array.of(members[0]))!;
  }

  private tryPatch(triangles: Int32Array): Patch | undefined {
    const { mesh, limits } = this;
    const { tolerance, maxVertices } = limits;
    const isSingle = triangles.length === 1;
    const cone = normalCone(mesh, this.normals, triangles);
    if (cone.spread > MAX_SPREAD && !isSingle) return undefined;
    const points = cornersOf(mesh, triangles);
    const hull = convexHull(points, { maxVertices, tolerance: isSingle ? 0 : HULL_SHARE * tolerance });
    if (isSingle) return makePatch(triangles, points, hull, { seen: 0, bound: 0 }, cone);
    if (hull.vertices.length > maxVertices) return undefined;
    const faces = facesOf(points, hull);
    const limit = (1 - PRECISION) * tolerance;
    const distance = distanceFromHull(mesh, triangles, faces, limit);
    if (distance > limit) return undefined;
    const search = { atLeast: distance, precision: PRECISION * tolerance, limit, looks: LOOKS };
    const reach = reachOfHull(this.solid, faces, search);
    return reach.seen > limit ? undefined : makePatch(triangles, points, hull, reach, cone);
  }
}

/** A patch in the making. */
class Growth {
  readonly members: number[] = [];
  readonly vertices: number[] = [];
  private readonly mesh: TriangleMesh;
  private readonly normals: Float64Array;
  private readonly tolerance: number;
  /** Normal and offset of each distinct plane. */
  private readonly planes: number[] = [];
  private readonly sum = [0, 0, 0];

  constructor(mesh: TriangleMesh, normals: Float64Array, tolerance: number) {
    this.mesh = mesh;
    this.normals = normals;
    this.tolerance = tolerance;
  }

  isFull(): boolean {
    return this.members.length >= MAX_TRIANGLES || this.planes.length >= 4 * MAX_PLANES;
  }

  add(t: number): void {
    this.members.push(t);
    const [nx, ny, nz, offset] = this.planeOf(t);
    this.sum[0] += nx;
    this.sum[1] += ny;
    this.sum[2] += nz;
    // Coplanar triangles, as a flat side has thousands of, are one plane.
    const { planes } = this;
    for (let p = 0; p < planes.length; p += 4) {
      const turn = Math.abs(planes[p] - nx) + Math.abs(planes[p + 1] - ny) + Math.abs(planes[p + 2] - nz);
      if (turn < 1e-9 && Math.abs(planes[p + 3] - offset) < 0.01 * this.tolerance) return;
    }
    planes.push(nx, ny, nz, offset);
  }

  accepts(t: number): boolean {
    const [nx, ny, nz, offset] = this.planeOf(t);
    const { sum, planes, vertices, tolerance, mesh } = this;
    const length = lengthOf(sum);
    const isDegenerate = nx === 0 && ny === 0 && nz === 0;
    const along = nx * sum[0] + ny * sum[1] + nz * sum[2];
    if (!isDegenerate && along < GROWING_SPREAD_COSINE * length) return false;
    const p = mesh.positions;
    for (let i = 0; i < vertices.length; i++) {
      const at = 3 * vertices[i];
      if (nx * p[at] + ny * p[at + 1] + nz * p[at + 2] > offset + tolerance) return false;
    }
    for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
      const at = 3 * mesh.triangles[corner];
      for (let f = 0; f < planes.length; f += 4) {
        const height = planes[f] * p[at] + planes[f + 1] * p[at + 1] + planes[f + 2] * p[at + 2];
        if (height > planes[f + 3] + tolerance) return false;
      }
    }
    return true;
  }

  private planeOf(t: number): [number, number, number, number] {
    const { normals, mesh } = this;
    const at = 3 * mesh.triangles[3 * t];
    const [nx, ny, nz] = [normals[3 * t], normals[3 * t + 1], normals[3 * t + 2]];
    const p = mesh.positions;
    return [nx, ny, nz, nx * p[at] + ny * p[at + 1] + nz * p[at + 2]];
  }
}

/** The corners of some triangles, each vertex once. */
export function cornersOf(mesh: TriangleMesh, triangles: ArrayLike<number>): Float64Array {
  const seen = new Set<number>();
  for (let i = 0; i < triangles.length; i++) {
    for (let corner = 3 * triangles[i]; corner < 3 * triangles[i] + 3; corner++) seen.add(mesh.triangles[corner]);
  }
  const points = new Float64Array(3 * seen.size);
  let at = 0;
  for (const vertex of seen) for (let axis = 0; axis < 3; axis++) points[at++] = mesh.positions[3 * vertex + axis];
  return points;
}

export function makePatch(
  triangles: Int32Array,
  points: Float64Array,
  hull: ConvexHull,
  { seen, bound }: Reach,
  cone: NormalCone,
): Patch {
  const vertices = new Float64Array(3 * hull.vertices.length);
  hull.vertices.forEach((vertex, i) => {
    vertices.set(points.subarray(3 * vertex, 3 * vertex + 3), 3 * i);
  });
  const { neighbourStart, neighbours } = hull;
  return { triangles, vertices, neighbourStart, neighbours, seen, deviation: bound, cone };
}
