import { createRandom } from '../base/random.js';
import { length2, lengthOf } from '../math/portable.js';

/**
 * Convex hulls by quickhull (Barber, Dobkin and Huhdanpaa 1996), the furthest point of all first: so a hull that is
 * stopped early, by `maxVertices` or `tolerance`, is already the best outline that few points give.
 *
 * Rounding: points are first scaled so that they reach equally far along three axes, which changes no hull but makes a
 * thin plate as easy as a ball. A face's plane through points apart by the height h then errs by about ε/h. A point
 * counts as outside from √ε on, which keeps every height above that and therefore every plane's error below it. What lies
 * on the hull to that precision (coplanar, collinear and doubled points) is no vertex.
 */
export interface ConvexHull {
  /** What the points span: 0 one place, 1 a line, 2 a plane, 3 space. */
  readonly rank: 0 | 1 | 2 | 3;
  /** Which of the points are vertices. */
  readonly vertices: Int32Array;
  /**
   * Three indices into `vertices` per face, counter-clockwise from outside. A flat hull has faces on both sides; those of
   * a segment (a, b, b) and of a point (a, a, a) have no area.
   */
  readonly faces: Int32Array;
  /** Per vertex (+ 1): where its neighbours along the edges begin. */
  readonly neighbourStart: Int32Array;
  readonly neighbours: Int32Array;
}

export interface HullOptions {
  /** Stop at so many vertices. At least 4; a flat outline keeps what the tolerance leaves of it. */
  readonly maxVertices?: number;
  /** Leave out what sticks out of the hull by no more than about this, m. */
  readonly tolerance?: number;
}

/** Part of the extent within which two things coincide: √ε and a little. */
const COINCIDENT = 3e-8;
/** Thinner than this part of the extent is flat: its thickness could not be scaled up without scaling up noise. */
const FLAT = 1e-7;
const MAX_ATTEMPTS = 8;

export function convexHull(points: Float64Array, options: HullOptions = {}): ConvexHull {
  const { extent, axis } = extentOf(points);
  const simplex = extent > 0 ? firstSimplex(points, axis, FLAT * extent) : { corners: [0], thickness: 0 };
  const tolerance = options.tolerance ?? 0;
  const { corners, thickness } = simplex;
  if (corners.length < 3) return wireHull(corners);
  if (corners.length === 3) return flatHull(points, corners, tolerance);
  // Within the tolerance of a plane only the outline counts; its points span space nevertheless.
  if (thickness <= tolerance) return hullOfSome(points, flatHull(points, corners, tolerance).vertices);
  const maxVertices = Math.max(4, options.maxVertices ?? Number.POSITIVE_INFINITY);
  const scaled = scaleToSimplex(points, corners);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // Rounding may tear the outline of what a point sees. Points in general position have no such cases.
    const moved = attempt === 1 ? scaled : joggle(scaled, COINCIDENT * 2 ** attempt, attempt);
    const builder = new HullBuilder(moved, COINCIDENT);
    if (builder.build(corners, tolerance / extent, maxVertices)) return finish(3, builder.faceVertices());
  }
  // The simplex is always a hull of some of the points.
  const builder = new HullBuilder(scaled, COINCIDENT);
  builder.build(corners, Number.POSITIVE_INFINITY, 4);
  return finish(3, builder.faceVertices());
}

function hullOfSome(points: Float64Array, chosen: Int32Array): ConvexHull {
  const some = new Float64Array(3 * chosen.length);
  chosen.forEach((point, i) => {
    some.set(points.subarray(3 * point, 3 * point + 3), 3 * i);
  });
  const hull = convexHull(some);
  return { ...hull, vertices: hull.vertices.map((vertex) => chosen[vertex]) };
}

/** Coordinates along the simplex' longest edge, across it and off its plane, each over the simplex' own reach. */
function scaleToSimplex(points: Float64Array, [a, b, c, d]: readonly number[]): Float64Array {
  const along = difference(points, b, a);
  const normal = cross(along, difference(points, c, a));
  const across = cross(normal, along);
  const scaled = new Float64Array(points.length);
  [along, across, normal].forEach((direction, axis) => {
    const reach = Math.abs(dot(direction, difference(points, [b, c, d][axis], a)));
    for (let i = 0; i < points.length / 3; i++) {
      scaled[3 * i + axis] = dot(direction, difference(points, i, a)) / reach;
    }
  });
  // The three directions are right-handed only in this order: along × across points against the normal.
  for (let at = 1; at < scaled.length; at += 3) scaled[at] *= handedness(along, across, normal);
  return scaled;
}

function handedness(a: Vector, b: Vector, c: Vector): number {
  return Math.sign(dot(cross(a, b), c));
}

/** Longest side of the box, and which one that is. */
function extentOf(points: Float64Array): { extent: number; axis: number } {
  let extent = 0;
  let axis = 0;
  for (let candidate = 0; candidate < 3; candidate++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let at = candidate; at < points.length; at += 3) {
      low = Math.min(low, points[at]);
      high = Math.max(high, points[at]);
    }
    if (high - low > extent) [extent, axis] = [high - low, candidate];
  }
  return { extent, axis };
}

interface Simplex {
  readonly corners: readonly number[];
  /** Largest distance of a point from the plane of the first three. */
  readonly thickness: number;
}

/** Two points far apart, one far from their line, one far from their plane; fewer if there are none. */
function firstSimplex(points: Float64Array, axis: number, epsilon: number): Simplex {
  const count = points.length / 3;
  let a = 0;
  let b = 0;
  for (let i = 0; i < count; i++) {
    if (points[3 * i + axis] < points[3 * a + axis]) a = i;
    if (points[3 * i + axis] > points[3 * b + axis]) b = i;
  }
  const direction = difference(points, b, a);
  const length = lengthOf(direction);
  const c = furthest(count, (i) => lengthOf(cross(direction, difference(points, i, a))));
  const normal = cross(direction, difference(points, c, a));
  const size = lengthOf(normal);
  if (size / length <= epsilon) return { corners: [a, b], thickness: 0 };
  const height = (i: number) => dot(normal, difference(points, i, a)) / size;
  const d = furthest(count, (i) => Math.abs(height(i)));
  const thickness = Math.abs(height(d));
  if (thickness <= epsilon) return { corners: [a, b, c], thickness };
  return { corners: height(d) < 0 ? [a, b, c, d] : [a, c, b, d], thickness };
}

function furthest(count: number, measure: (index: number) => number): number {
  let best = 0;
  let bestMeasure = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const value = measure(i);
    if (value > bestMeasure) [best, bestMeasure] = [i, value];
  }
  return best;
}

function wireHull(ends: readonly number[]): ConvexHull {
  const last = ends.length - 1;
  return {
    rank: last as 0 | 1,
    vertices: Int32Array.from(ends),
    faces: Int32Array.of(0, last, last),
    neighbourStart: last === 0 ? Int32Array.of(0, 0) : Int32Array.of(0, 1, 2),
    neighbours: last === 0 ? new Int32Array(0) : Int32Array.of(1, 0),
  };
}

/** All points in one plane: their outline by Andrew's monotone chain, with a fan of faces on both sides. */
function flatHull(points: Float64Array, [a, b, c]: readonly number[], tolerance: number): ConvexHull {
  const u = difference(points, b, a);
  const v = cross(cross(u, difference(points, c, a)), u);
  const [lengthU, lengthV] = [lengthOf(u), lengthOf(v)];
  const count = points.length / 3;
  const x = Float64Array.from({ length: count }, (_, i) => dot(u, difference(points, i, a)) / lengthU);
  const y = Float64Array.from({ length: count }, (_, i) => dot(v, difference(points, i, a)) / lengthV);
  const order = Array.from({ length: count }, (_, i) => i).sort((i, j) => x[i] - x[j] || y[i] - y[j]);
  const flatness = Math.max(COINCIDENT * lengthU, tolerance / 2);
  const outline = dropNearlyStraight([...chain(order, x, y), ...chain(order.reverse(), x, y)], x, y, flatness);
  const faces: number[] = [];
  for (let i = 1; i + 1 < outline.length; i++) faces.push(outline[0], outline[i], outline[i + 1]);
  for (let i = 1; i + 1 < outline.length; i++) faces.push(outline[0], outline[i + 1], outline[i]);
  const hull = finish(2, faces);
  // The fans' diagonals are no edges.
  const place = new Map(Array.from(hull.vertices, (vertex, index) => [vertex, index]));
  const ring = outline.map((vertex) => place.get(vertex)!);
  const neighbours = new Int32Array(2 * ring.length);
  ring.forEach((vertex, i) => {
    neighbours[2 * vertex] = ring[(i + ring.length - 1) % ring.length];
    neighbours[2 * vertex + 1] = ring[(i + 1) % ring.length];
  });
  return { ...hull, neighbourStart: Int32Array.from({ length: ring.length + 1 }, (_, i) => 2 * i), neighbours };
}

/** Half of the outline without its last point, which begins the other half. */
function chain(order: readonly number[], x: Float64Array, y: Float64Array): number[] {
  const result: number[] = [];
  for (const i of order) {
    while (result.length > 1 && turn(result.at(-2)!, result.at(-1)!, i, x, y) <= 0) result.pop();
    result.push(i);
  }
  result.pop();
  return result;
}

/** Twice the area of the triangle, positive if it turns left. */
function turn(a: number, b: number, c: number, x: Float64Array, y: Float64Array): number {
  return (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
}

/** The outline without corners that stick out of it by no more than `flatness`. */
function dropNearlyStraight(outline: number[], x: Float64Array, y: Float64Array, flatness: number): number[] {
  // The corner furthest along x stays whatever the tolerance: it is where the outline begins.
  const kept = [outline[0]];
  let dropped: number[] = [];
  for (let i = 1; i < outline.length; i++) {
    const before = kept.at(-1)!;
    const after = outline[(i + 1) % outline.length];
    const base = length2(x[after] - x[before], y[after] - y[before]);
    dropped.push(outline[i]);
    if (dropped.every((corner) => -turn(before, after, corner, x, y) <= flatness * base)) continue;
    kept.push(outline[i]);
    dropped = [];
  }
  return kept.length >= 3 ? kept : outline;
}

/** A face of the hull under construction. */
interface Face {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** Across the edges ab, bc, ca. */
  readonly across: [Face, Face, Face];
  readonly nx: number;
  readonly ny: number;
  readonly nz: number;
  readonly offset: number;
  /** Points that are outside of this face, and of them the furthest. */
  outside: number[];
  furthest: number;
  height: number;
  alive: boolean;
  seen: boolean;
}

/** An edge between what a point sees and what it does not: the face behind it and which of its edges it is. */
interface HorizonEdge {
  readonly from: number;
  readonly to: number;
  readonly behind: Face;
}

class HullBuilder {
  private readonly points: Float64Array;
  private readonly epsilon: number;
  private faces: Face[] = [];

  constructor(points: Float64Array, epsilon: number) {
    this.points = points;
    this.epsilon = epsilon;
  }

  /** False if rounding got in the way. */
  build([a, b, c, d]: readonly number[], tolerance: number, maxVertices: number): boolean {
    this.startWith(a, b, c, d);
    for (let vertices = 4; vertices < maxVertices; vertices++) {
      const face = this.furthestFace();
      if (!face || face.height <= tolerance) return true;
      if (!this.addPoint(face)) return false;
    }
    return true;
  }

  faceVertices(): number[] {
    return this.faces.flatMap(({ a, b, c }) => [a, b, c]);
  }

  private startWith(a: number, b: number, c: number, d: number): void {
    const [base, left, right, back] = [
      this.makeFace(a, b, c),
      this.makeFace(a, d, b),
      this.makeFace(b, d, c),
      this.makeFace(c, d, a),
    ];
    base.across.splice(0, 3, left, right, back);
    left.across.splice(0, 3, back, right, base);
    right.across.splice(0, 3, left, back, base);
    back.across.splice(0, 3, right, left, base);
    this.faces = [base, left, right, back];
    const all = Array.from({ length: this.points.length / 3 }, (_, i) => i);
    this.distribute(all, this.faces);
  }

  private furthestFace(): Face | undefined {
    let best: Face | undefined;
    for (const face of this.faces) if (face.outside.length > 0 && face.height > (best?.height ?? 0)) best = face;
    return best;
  }

  private addPoint(start: Face): boolean {
    const point = start.furthest;
    const visible = this.visibleFrom(point, start);
    const horizon = orderedHorizon(visible);
    for (const face of visible) face.seen = false;
    if (!horizon) return false;
    const fresh = horizon.map(({ from, to }) => this.makeFace(from, to, point));
    fresh.forEach((face, i) => {
      const { behind, from, to } = horizon[i];
      const [next, previous] = [fresh[(i + 1) % fresh.length], fresh[(i + fresh.length - 1) % fresh.length]];
      face.across.splice(0, 3, behind, next, previous);
      behind.across[edgeIndex(behind, to, from)] = face;
    });
    for (const face of visible) face.alive = false;
    this.faces = this.faces.filter(({ alive }) => alive);
    this.faces.push(...fresh);
    this.distribute(
      visible.flatMap(({ outside }) => outside).filter((other) => other !== point),
      fresh,
    );
    return true;
  }

  /** The faces that the point is outside of, as far as they are connected with the first. Left marked as seen. */
  private visibleFrom(point: number, start: Face): Face[] {
    start.seen = true;
    const visible = [start];
    for (let i = 0; i < visible.length; i++) {
      for (const face of visible[i].across) {
        if (face.seen || this.height(face, point) <= this.epsilon) continue;
        face.seen = true;
        visible.push(face);
      }
    }
    return visible;
  }

  private distribute(points: readonly number[], faces: readonly Face[]): void {
    for (const point of points) {
      let best: Face | undefined;
      let bestHeight = this.epsilon;
      for (const face of faces) {
        const height = this.height(face, point);
        if (height > bestHeight) [best, bestHeight] = [face, height];
      }
      if (!best) continue;
      best.outside.push(point);
      if (bestHeight > best.height) [best.furthest, best.height] = [point, bestHeight];
    }
  }

  private height(face: Face, point: number): number {
    const at = 3 * point;
    return face.nx * this.points[at] + face.ny * this.points[at + 1] + face.nz * this.points[at + 2] - face.offset;
  }

  private makeFace(a: number, b: number, c: number): Face {
    const { points } = this;
    const normal = cross(difference(points, b, a), difference(points, c, a));
    const length = Math.sqrt(dot(normal, normal)) || 1;
    const [nx, ny, nz] = [normal[0] / length, normal[1] / length, normal[2] / length];
    const offset =
      (nx * (points[3 * a] + points[3 * b] + points[3 * c]) +
        ny * (points[3 * a + 1] + points[3 * b + 1] + points[3 * c + 1]) +
        nz * (points[3 * a + 2] + points[3 * b + 2] + points[3 * c + 2])) /
      3;
    const across = [] as unknown as [Face, Face, Face];
    return { a, b, c, across, nx, ny, nz, offset, outside: [], furthest: -1, height: 0, alive: true, seen: false };
  }
}

/** The border of the seen faces as one closed loop; nothing if it is not one. */
function orderedHorizon(visible: readonly Face[]): HorizonEdge[] | undefined {
  const edgeFrom = new Map<number, HorizonEdge>();
  let first: HorizonEdge | undefined;
  let count = 0;
  for (const face of visible) {
    const corners = [face.a, face.b, face.c];
    for (let i = 0; i < 3; i++) {
      const behind = face.across[i];
      if (behind.seen) continue;
      const edge = { from: corners[i], to: corners[(i + 1) % 3], behind };
      edgeFrom.set(edge.from, edge);
      first ??= edge;
      count++;
    }
  }
  const loop: HorizonEdge[] = [];
  for (let edge = first; edge && loop.length < count; edge = edgeFrom.get(edge.to)) {
    loop.push(edge);
    if (edge.to === first!.from) break;
  }
  return loop.length === count && count >= 3 && loop.at(-1)!.to === first!.from ? loop : undefined;
}

function edgeIndex(face: Face, from: number, to: number): number {
  if (face.a === from && face.b === to) return 0;
  return face.b === from && face.c === to ? 1 : 2;
}

/** Numbers the vertices that the faces use, in ascending order, and lists the edges at each. */
function finish(rank: 2 | 3, faces: readonly number[]): ConvexHull {
  const vertices = Int32Array.from(new Set(faces)).sort();
  const place = new Map(Array.from(vertices, (vertex, index) => [vertex, index]));
  const numbered = Int32Array.from(faces, (vertex) => place.get(vertex)!);
  const around: number[][] = Array.from(vertices, () => []);
  for (let corner = 0; corner < numbered.length; corner++) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    around[numbered[corner]].push(numbered[next]);
  }
  const neighbourStart = new Int32Array(vertices.length + 1);
  around.forEach((list, i) => {
    neighbourStart[i + 1] = neighbourStart[i] + list.length;
  });
  return { rank, vertices, faces: numbered, neighbourStart, neighbours: Int32Array.from(around.flat()) };
}

function joggle(points: Float64Array, amount: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return points.map((value) => value + (2 * random() - 1) * amount);
}

type Vector = [number, number, number];

function difference(points: Float64Array, a: number, b: number): Vector {
  return [points[3 * a] - points[3 * b], points[3 * a + 1] - points[3 * b + 1], points[3 * a + 2] - points[3 * b + 2]];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
