import type { GrowableUint32 } from './growable.js';

/**
 * Cuts polygons into triangles: strictly convex ones as a fan, others by ear clipping in the plane of their Newell
 * normal, so that concave faces, and faces with holes reached through a doubled edge, come out right.
 *
 * Ear clipping takes quadratic time. One polygon of a million corners must not stop the reader, so all polygons of a
 * file share a budget of point tests; beyond it they are cut as fans, and `fanned` says how many.
 */
export class PolygonTriangulator {
  /** Polygons cut as a fan although they were not convex, because the budget was used up. */
  fanned = 0;
  private budget = 50_000_000;
  private x = new Float64Array(64);
  private y = new Float64Array(64);
  private next = new Uint32Array(64);
  private previous = new Uint32Array(64);
  private readonly positions: Float64Array;
  private readonly out: GrowableUint32;

  constructor(positions: Float64Array, out: GrowableUint32) {
    this.positions = positions;
    this.out = out;
  }

  /** Cuts the polygon of `count` ≥ 3 vertex indices that starts at `first`. */
  add(corners: Uint32Array, first: number, count: number): void {
    if (count === 3) {
      this.out.push3(corners[first], corners[first + 1], corners[first + 2]);
      return;
    }
    this.project(corners, first, count);
    if (this.isStrictlyConvex(count)) this.fan(corners, first, count);
    else this.clipEars(corners, first, count);
  }

  private fan(corners: Uint32Array, first: number, count: number): void {
    for (let i = 1; i + 1 < count; i++) {
      this.out.push3(corners[first], corners[first + i], corners[first + i + 1]);
    }
  }

  /** Drops the axis along which the polygon's normal is longest, so that the rest is counter-clockwise. */
  private project(corners: Uint32Array, first: number, count: number): void {
    this.reserve(count);
    const { positions } = this;
    let nx = 0;
    let ny = 0;
    let nz = 0;
    // Relative to the first corner: a small polygon far from the origin keeps its normal.
    const origin = corners[first] * 3;
    const [ox, oy, oz] = [positions[origin], positions[origin + 1], positions[origin + 2]];
    for (let i = 0; i < count; i++) {
      const a = corners[first + i] * 3;
      const b = corners[first + ((i + 1) % count)] * 3;
      const [ax, ay, az] = [positions[a] - ox, positions[a + 1] - oy, positions[a + 2] - oz];
      const [bx, by, bz] = [positions[b] - ox, positions[b + 1] - oy, positions[b + 2] - oz];
      nx += (ay - by) * (az + bz);
      ny += (az - bz) * (ax + bx);
      nz += (ax - bx) * (ay + by);
    }
    const dropped =
      Math.abs(nx) > Math.abs(ny) ? (Math.abs(nx) > Math.abs(nz) ? 0 : 2) : Math.abs(ny) > Math.abs(nz) ? 1 : 2;
    const positive = [nx, ny, nz][dropped] >= 0;
    const u = (dropped + (positive ? 1 : 2)) % 3;
    const v = (dropped + (positive ? 2 : 1)) % 3;
    for (let i = 0; i < count; i++) {
      const base = corners[first + i] * 3;
      this.x[i] = positions[base + u] - positions[origin + u];
      this.y[i] = positions[base + v] - positions[origin + v];
    }
  }

  private reserve(count: number): void {
    if (count <= this.x.length) return;
    const size = Math.max(count, this.x.length * 2);
    this.x = new Float64Array(size);
    this.y = new Float64Array(size);
    this.next = new Uint32Array(size);
    this.previous = new Uint32Array(size);
  }

  /** Twice the signed area of the projected triangle a, b, c. */
  private cross(a: number, b: number, c: number): number {
    const { x, y } = this;
    return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
  }

  private isStrictlyConvex(count: number): boolean {
    let turnsOfX = 0;
    for (let i = 0; i < count; i++) {
      const j = (i + 1) % count;
      const k = (i + 2) % count;
      if (!(this.cross(i, j, k) > 0)) return false;
      // A star turns left at every corner as well, but its x runs to and fro more than once.
      if (this.x[j] > this.x[i] !== this.x[k] > this.x[j]) turnsOfX++;
    }
    return turnsOfX <= 2;
  }

  private clipEars(corners: Uint32Array, first: number, count: number): void {
    const { next, previous } = this;
    for (let i = 0; i < count; i++) {
      next[i] = (i + 1) % count;
      previous[i] = (i + count - 1) % count;
    }
    let remaining = count;
    let ear = 0;
    let misses = 0;
    let exhausted = false;
    while (remaining > 2) {
      const [before, after] = [previous[ear], next[ear]];
      // A whole round without an ear happens where the outline crosses itself: any corner then has to do.
      if (remaining > 3 && misses < remaining && !exhausted && !this.isEar(before, ear, after)) {
        exhausted = this.budget <= 0;
        misses++;
        ear = after;
        continue;
      }
      this.out.push3(corners[first + before], corners[first + ear], corners[first + after]);
      next[before] = after;
      previous[after] = before;
      remaining--;
      misses = 0;
      // Going on behind the neighbour avoids a fan of slivers about one corner.
      ear = exhausted ? after : next[after];
    }
    if (exhausted) this.fanned++;
  }

  private isEar(before: number, ear: number, after: number): boolean {
    this.budget--;
    if (!(this.cross(before, ear, after) > 0)) return false;
    for (let point = this.next[after]; point !== before; point = this.next[point]) {
      this.budget--;
      if (this.blocks(point, before, ear, after)) return false;
    }
    return true;
  }

  /** Whether the corner lies in the triangle or on its border; corners in the same place do not block each other. */
  private blocks(point: number, a: number, b: number, c: number): boolean {
    if (this.cross(a, b, point) < 0 || this.cross(b, c, point) < 0 || this.cross(c, a, point) < 0) return false;
    return !this.coincides(point, a) && !this.coincides(point, b) && !this.coincides(point, c);
  }

  private coincides(a: number, b: number): boolean {
    return this.x[a] === this.x[b] && this.y[a] === this.y[b];
  }
}

/** The sentence for the user about polygons that were too large to be cut carefully, if there were any. */
export function fannedWarning(triangulator: PolygonTriangulator): string[] {
  if (triangulator.fanned === 0) return [];
  return [`${triangulator.fanned} very large concave polygons were cut as fans and may be wrong; export triangles.`];
}
