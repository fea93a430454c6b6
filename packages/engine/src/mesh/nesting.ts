import { GrowableFloat64 } from './growable.js';
import type { Patches } from './patches.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** How closed patches lie inside of each other. */
export interface Nesting {
  /** For every patch the number of closed patches around it; 0 for open ones. */
  readonly depth: Uint32Array;
  /** For every patch the largest closed patch around it, or `NOT_NESTED`. */
  readonly outermost: Uint32Array;
}

export const NOT_NESTED = 0xffffffff;

/** Most steps of the search. Only thousands of parts inside of a part of a million triangles come near it. */
const MOST_STEPS = 300_000_000;

/** Barycentric weights of the point a ray starts from; without any symmetry, so that it meets no edge of a regular mesh. */
const WEIGHTS = [0.4142135, 0.3183098, 0.2674767] as const;

/**
 * From a point of every closed patch a ray goes up; it is inside of those patches that the ray meets an odd number of
 * times. The rays stand in a grid seen from above, and each triangle asks its cells for rays. Returns undefined when the
 * search would take too long.
 */
export function findNesting(mesh: TriangleMesh, patches: Patches): Nesting | undefined {
  const nesting: Nesting = {
    depth: new Uint32Array(patches.count),
    outermost: new Uint32Array(patches.count).fill(NOT_NESTED),
  };
  const closed = Array.from(patches.closed.keys()).filter((patch) => patches.closed[patch] !== 0);
  if (closed.length < 2) return nesting;
  const boxes = patchBoxes(mesh, patches);
  const rays = new RayGrid(mesh, patches, closed);
  const hits = rays.collectHits(mesh, patches, boxes);
  if (hits === undefined) return undefined;
  for (let i = 0; i < hits.length; ) {
    let end = i;
    while (end < hits.length && hits[end] === hits[i]) end++;
    if ((end - i) % 2 === 1) {
      const inner = closed[Math.floor(hits[i] / patches.count)];
      const outer = hits[i] % patches.count;
      nesting.depth[inner]++;
      const known = nesting.outermost[inner];
      const larger = known === NOT_NESTED || Math.abs(patches.volume[outer]) > Math.abs(patches.volume[known]);
      if (larger) nesting.outermost[inner] = outer;
    }
    i = end;
  }
  return nesting;
}

/** min x, y, z, max x, y, z of every patch. */
function patchBoxes(mesh: TriangleMesh, patches: Patches): Float64Array {
  const boxes = new Float64Array(patches.count * 6);
  for (let patch = 0; patch < patches.count; patch++)
    boxes.fill(Infinity, patch * 6, patch * 6 + 3).fill(-Infinity, patch * 6 + 3, patch * 6 + 6);
  for (let corner = 0; corner < mesh.triangles.length; corner++) {
    const box = patches.ofTriangle[Math.floor(corner / 3)] * 6;
    const vertex = mesh.triangles[corner] * 3;
    for (let axis = 0; axis < 3; axis++) {
      const value = mesh.positions[vertex + axis];
      boxes[box + axis] = Math.min(boxes[box + axis], value);
      boxes[box + 3 + axis] = Math.max(boxes[box + 3 + axis], value);
    }
  }
  return boxes;
}

/** Rays upward, sorted into square columns of the plane. */
class RayGrid {
  private readonly rayPatch: Uint32Array;
  private readonly points: Float64Array;
  private readonly width: number;
  private readonly lower: readonly [number, number];
  private readonly perCell: readonly [number, number];
  private readonly cellStarts: Uint32Array;
  private readonly cellRays: Uint32Array;

  constructor(mesh: TriangleMesh, patches: Patches, closed: readonly number[]) {
    this.rayPatch = Uint32Array.from(closed);
    this.points = rayPoints(mesh, patches, closed);
    this.width = Math.max(1, Math.min(512, Math.ceil(Math.sqrt(closed.length))));
    const range = [0, 1].map((axis) => {
      let [low, high] = [Infinity, -Infinity];
      for (let i = axis; i < this.points.length; i += 3) {
        low = Math.min(low, this.points[i]);
        high = Math.max(high, this.points[i]);
      }
      return [low, Math.max(high - low, Number.MIN_VALUE)] as const;
    });
    this.lower = [range[0][0], range[1][0]];
    this.perCell = [this.width / range[0][1], this.width / range[1][1]];
    const cells = closed.map(
      (_, ray) => this.cell(this.points[ray * 3], 0) + this.width * this.cell(this.points[ray * 3 + 1], 1),
    );
    this.cellStarts = new Uint32Array(this.width * this.width + 1);
    for (const cell of cells) this.cellStarts[cell + 1]++;
    for (let cell = 0; cell < this.width * this.width; cell++) this.cellStarts[cell + 1] += this.cellStarts[cell];
    this.cellRays = Uint32Array.from(cells.keys()).sort((a, b) => cells[a] - cells[b] || a - b);
  }

  /** Every meeting of a ray with a patch whose box holds the ray's, as ray × patches + patch, sorted. */
  collectHits(mesh: TriangleMesh, patches: Patches, boxes: Float64Array): Float64Array | undefined {
    const hits = new GrowableFloat64();
    let steps = 0;
    for (let triangle = 0; triangle < patches.ofTriangle.length; triangle++) {
      const patch = patches.ofTriangle[triangle];
      if (patches.closed[patch] === 0) continue;
      const [firstX, lastX] = this.cellRange(mesh, triangle, 0);
      const [firstY, lastY] = this.cellRange(mesh, triangle, 1);
      for (let y = firstY; y <= lastY; y++) {
        const start = this.cellStarts[y * this.width + firstX];
        const end = this.cellStarts[y * this.width + lastX + 1];
        steps += 1 + end - start;
        for (let i = start; i < end; i++) {
          const ray = this.cellRays[i];
          if (this.rayPatch[ray] === patch || !holdsBox(boxes, patch, this.rayPatch[ray])) continue;
          if (this.meets(mesh, triangle, ray)) hits.push(ray * patches.count + patch);
        }
      }
      if (steps > MOST_STEPS) return undefined;
    }
    return hits.take().sort();
  }

  private cell(value: number, axis: 0 | 1): number {
    const cell = Math.floor((value - this.lower[axis]) * this.perCell[axis]);
    return Math.max(0, Math.min(this.width - 1, cell));
  }

  private cellRange(mesh: TriangleMesh, triangle: number, axis: 0 | 1): [number, number] {
    const [a, b, c] = [0, 1, 2].map((corner) => mesh.positions[mesh.triangles[triangle * 3 + corner] * 3 + axis]) as [
      number,
      number,
      number,
    ];
    return [this.cell(Math.min(a, b, c), axis), this.cell(Math.max(a, b, c), axis)];
  }

  /** Whether the triangle lies above the ray's start. */
  private meets(mesh: TriangleMesh, triangle: number, ray: number): boolean {
    const { positions, triangles } = mesh;
    const a = triangles[triangle * 3] * 3;
    const b = triangles[triangle * 3 + 1] * 3;
    const c = triangles[triangle * 3 + 2] * 3;
    const [px, py, pz] = [this.points[ray * 3], this.points[ray * 3 + 1], this.points[ray * 3 + 2]];
    const side = (u: number, v: number) =>
      (positions[u] - px) * (positions[v + 1] - py) - (positions[u + 1] - py) * (positions[v] - px);
    const [ab, bc, ca] = [side(a, b), side(b, c), side(c, a)];
    if (!((ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0))) return false;
    return (bc * positions[a + 2] + ca * positions[b + 2] + ab * positions[c + 2]) / (ab + bc + ca) > pz;
  }
}

/** A point in the first triangle of each closed patch. */
function rayPoints(mesh: TriangleMesh, patches: Patches, closed: readonly number[]): Float64Array {
  const firstTriangle = new Uint32Array(patches.count);
  for (let triangle = patches.ofTriangle.length - 1; triangle >= 0; triangle--)
    firstTriangle[patches.ofTriangle[triangle]] = triangle;
  const points = new Float64Array(closed.length * 3);
  closed.forEach((patch, ray) => {
    for (let corner = 0; corner < 3; corner++) {
      const vertex = mesh.triangles[firstTriangle[patch] * 3 + corner] * 3;
      for (let axis = 0; axis < 3; axis++) points[ray * 3 + axis] += WEIGHTS[corner] * mesh.positions[vertex + axis];
    }
  });
  return points;
}

function holdsBox(boxes: Float64Array, outer: number, inner: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (boxes[outer * 6 + axis] > boxes[inner * 6 + axis]) return false;
    if (boxes[outer * 6 + 3 + axis] < boxes[inner * 6 + 3 + axis]) return false;
  }
  return true;
}
