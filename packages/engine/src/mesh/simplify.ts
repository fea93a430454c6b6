import { PalpableError } from '../base/errors.js';
import { type BuildHooks, throwIfCancelled } from '../base/progress.js';
import { crossOfEdges, distanceSquared, dot, lengthAt } from '../math/vectors.js';
import { EdgeHeap } from './simplify-heap.js';
import { addPlane, addQuadric, bestPlace, QUADRIC_SIZE, quadricError } from './simplify-quadric.js';
import { squaredDistance } from './triangle-geometry.js';
import { type TriangleMesh, triangleCount, vertexCount } from './triangle-mesh.js';

/** When to stop: at a number of triangles, or before the surface moves further than a distance. Give at least one. */
export interface SimplifyOptions {
  /** Stop at this many triangles; more remain where none can be removed without damage. */
  readonly triangles?: number;
  /** No vertex gets further than this from the plane of any triangle that it stands for, m. */
  readonly deviation?: number;
}

/** A triangle may turn by no more than this (cosine) in one collapse: more is the beginning of a fold. */
const LEAST_TURN_COSINE = 0.3;
/** Twice the area over the squared longest edge; an equilateral triangle has 0.87. */
const LEAST_SHAPE = 0.005;
/** Where nothing costs anything, on flat sides, the shortest edges go first: else one vertex would get all the triangles. */
const LENGTH_SHARE = 1e-6;
const CANCEL_INTERVAL = 1024;

/**
 * Simplifies a surface by collapsing edges in the order of their quadric error (Garland and Heckbert 1997). What is
 * closed stays closed and of the same genus, no triangle turns over, and the vertices on borders and on edges of more
 * than two triangles stay where they are, so that neighbouring pieces still fit afterwards. The same input gives the
 * same bits.
 */
export function simplifyMesh(mesh: TriangleMesh, options: SimplifyOptions, hooks: BuildHooks = {}): TriangleMesh {
  checkOptions(options);
  const { triangles = 0, deviation = Number.POSITIVE_INFINITY } = options;
  const simplifier = new Simplifier(mesh);
  simplifier.collapse(triangles, deviation * deviation, hooks);
  return simplifier.finish();
}

function checkOptions({ triangles, deviation }: SimplifyOptions): void {
  if (triangles === undefined && deviation === undefined) {
    throw new PalpableError(
      'option-invalid',
      'Simplifying was given neither a number of triangles nor a deviation; give one of them.',
      'simplify',
    );
  }
  if (triangles !== undefined && !(Number.isInteger(triangles) && triangles >= 0)) {
    throw new PalpableError(
      'option-invalid',
      `Simplifying was asked for ${triangles} triangles; give a whole number of 0 or more.`,
      'simplify.triangles',
    );
  }
  if (deviation !== undefined && !(deviation >= 0)) {
    throw new PalpableError(
      'option-invalid',
      `Simplifying was given the deviation ${deviation}; give metres, 0 or more.`,
      'simplify.deviation',
    );
  }
}

class Simplifier {
  private readonly positions: Float64Array;
  private readonly triangles: Uint32Array;
  /** Triangles at each vertex, living ones only. */
  private readonly around: number[][];
  private readonly alive: Uint8Array;
  private readonly quadrics: Float64Array;
  private readonly locked: Uint8Array;
  /** Grows with every change near a vertex: what is in the heap with an older one is out of date. */
  private readonly version: Uint32Array;
  private readonly heap = new EdgeHeap();
  private readonly merged = new Float64Array(QUADRIC_SIZE);
  private readonly place = new Float64Array(3);
  private readonly corner = new Float64Array(9);
  private count: number;

  constructor(mesh: TriangleMesh) {
    const vertices = vertexCount(mesh);
    this.positions = mesh.positions.slice();
    this.triangles = mesh.triangles.slice();
    this.count = triangleCount(mesh);
    this.alive = new Uint8Array(this.count).fill(1);
    this.around = Array.from({ length: vertices }, () => []);
    this.triangles.forEach((vertex, corner) => {
      this.around[vertex].push(Math.floor(corner / 3));
    });
    this.quadrics = new Float64Array(QUADRIC_SIZE * vertices);
    this.locked = new Uint8Array(vertices);
    this.version = new Uint32Array(vertices);
    this.addQuadrics();
    this.lockBorders();
  }

  collapse(target: number, limit: number, { signal, onProgress }: BuildHooks): void {
    const initial = this.count;
    for (let vertex = 0; vertex < this.around.length; vertex++) this.pushEdges(vertex, true);
    for (let step = 0; this.count > target && this.heap.pop(); step++) {
      if (step % CANCEL_INTERVAL === 0) {
        throwIfCancelled(signal);
        onProgress?.('simplifying', (initial - this.count) / Math.max(1, initial - target));
      }
      const { from, to } = this.heap;
      if (this.version[from] + this.version[to] !== this.heap.version) continue;
      if (this.findPlace(from, to) <= limit && this.isHarmless(from, to)) this.collapseEdge(from, to);
    }
    onProgress?.('simplifying', 1);
  }

  finish(): TriangleMesh {
    const place = new Int32Array(this.around.length).fill(-1);
    const positions: number[] = [];
    const triangles: number[] = [];
    for (let t = 0; t < this.alive.length; t++) {
      if (this.alive[t] === 0) continue;
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const vertex = this.triangles[corner];
        if (place[vertex] < 0) {
          place[vertex] = positions.length / 3;
          for (let axis = 0; axis < 3; axis++) positions.push(this.positions[3 * vertex + axis]);
        }
        triangles.push(place[vertex]);
      }
    }
    return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
  }

  private addQuadrics(): void {
    for (let t = 0; t < this.alive.length; t++) {
      this.readCorners(t);
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        addPlane(this.quadrics, QUADRIC_SIZE * this.triangles[corner], this.corner);
      }
    }
  }

  /** An edge with one triangle is a border, one with three or more a seam that must not be torn. */
  private lockBorders(): void {
    for (let vertex = 0; vertex < this.around.length; vertex++) {
      for (const t of this.around[vertex]) {
        for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
          const other = this.triangles[corner];
          if (other > vertex && this.sharedTriangles(vertex, other) !== 2) {
            this.locked[vertex] = 1;
            this.locked[other] = 1;
          }
        }
      }
    }
  }

  private sharedTriangles(a: number, b: number): number {
    let shared = 0;
    for (const t of this.around[a]) if (this.hasVertex(t, b)) shared++;
    return shared;
  }

  private hasVertex(t: number, vertex: number): boolean {
    const { triangles } = this;
    return triangles[3 * t] === vertex || triangles[3 * t + 1] === vertex || triangles[3 * t + 2] === vertex;
  }

  /** The edges at a vertex with what collapsing them would cost; at first each edge once, from its lower end. */
  private pushEdges(vertex: number, upwardOnly: boolean): void {
    for (const other of this.neighboursOf(vertex)) {
      if (upwardOnly && other < vertex) continue;
      const [from, to] = vertex < other ? [vertex, other] : [other, vertex];
      if (this.locked[from] === 1 && this.locked[to] === 1) continue;
      const cost = this.findPlace(from, to) + LENGTH_SHARE * squaredDistance(this.positions, from, to);
      this.heap.push(cost, from, to, this.version[from] + this.version[to]);
    }
  }

  private neighboursOf(vertex: number): Set<number> {
    const neighbours = new Set<number>();
    for (const t of this.around[vertex]) {
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) neighbours.add(this.triangles[corner]);
    }
    neighbours.delete(vertex);
    return neighbours;
  }

  /** Writes where the edge's vertex would go and returns the error there. */
  private findPlace(from: number, to: number): number {
    const { merged, quadrics, positions, place } = this;
    merged.fill(0);
    addQuadric(merged, quadrics, QUADRIC_SIZE * from);
    addQuadric(merged, quadrics, QUADRIC_SIZE * to);
    const fixed = this.locked[from] === 1 ? from : this.locked[to] === 1 ? to : -1;
    if (fixed < 0) bestPlace(place, merged, positions, 3 * from, 3 * to);
    else place.set(positions.subarray(3 * fixed, 3 * fixed + 3));
    return quadricError(merged, place);
  }

  /** The link condition, which keeps the topology, and no triangle that turns over or shrinks to a sliver. */
  private isHarmless(from: number, to: number): boolean {
    if (this.sharedTriangles(from, to) !== 2) return false;
    const there = this.neighboursOf(to);
    let common = 0;
    for (const vertex of this.neighboursOf(from)) {
      if (!there.has(vertex)) continue;
      common++;
      // Each of the two loses a triangle and must keep three, or, on a border, at least one.
      const least = this.locked[vertex] === 1 ? 2 : 4;
      if (this.around[vertex].length < least) return false;
    }
    return common === 2 && this.keepsTriangles(from, to) && this.keepsTriangles(to, from);
  }

  private keepsTriangles(moving: number, other: number): boolean {
    const [before, after] = [new Float64Array(3), new Float64Array(3)];
    for (const t of this.around[moving]) {
      if (this.hasVertex(t, other)) continue;
      this.readCorners(t);
      crossOfEdges(before, 0, this.corner, 0, 3, 6);
      const index = [0, 1, 2].find((corner) => this.triangles[3 * t + corner] === moving)!;
      this.corner.set(this.place, 3 * index);
      crossOfEdges(after, 0, this.corner, 0, 3, 6);
      const [sizeBefore, sizeAfter] = [lengthAt(before, 0), lengthAt(after, 0)];
      if (dot(before, 0, after, 0) < LEAST_TURN_COSINE * sizeBefore * sizeAfter) return false;
      if (sizeAfter < LEAST_SHAPE * longestEdgeSquared(this.corner)) return false;
    }
    return true;
  }

  private collapseEdge(from: number, to: number): void {
    const [kept, gone] = this.locked[to] === 1 ? [to, from] : [from, to];
    this.positions.set(this.place, 3 * kept);
    addQuadric(
      this.quadrics.subarray(QUADRIC_SIZE * kept, QUADRIC_SIZE * (kept + 1)),
      this.quadrics,
      QUADRIC_SIZE * gone,
    );
    for (const t of this.around[gone]) {
      if (this.hasVertex(t, kept)) this.removeTriangle(t, gone);
      else {
        for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
          if (this.triangles[corner] === gone) this.triangles[corner] = kept;
        }
        this.around[kept].push(t);
      }
    }
    this.around[gone] = [];
    this.version[gone]++;
    this.version[kept]++;
    // Edges one further out may have become possible or impossible; their error is the same and is checked when due.
    this.pushEdges(kept, false);
  }

  private removeTriangle(t: number, except: number): void {
    this.alive[t] = 0;
    this.count--;
    for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
      const vertex = this.triangles[corner];
      if (vertex !== except) this.around[vertex] = this.around[vertex].filter((other) => other !== t);
    }
  }

  private readCorners(t: number): void {
    for (let corner = 0; corner < 3; corner++) {
      const at = 3 * this.triangles[3 * t + corner];
      for (let axis = 0; axis < 3; axis++) this.corner[3 * corner + axis] = this.positions[at + axis];
    }
  }
}

function longestEdgeSquared(p: Float64Array): number {
  let longest = 0;
  for (let i = 0; i < 3; i++) {
    longest = Math.max(longest, distanceSquared(p, 3 * i, p, 3 * ((i + 1) % 3)));
  }
  return longest;
}
