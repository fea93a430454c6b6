import { crossOfEdges, dot, normalise } from '../../math/vectors.js';
import { type ConvexPair, type ConvexPieces, minkowskiSupport, RESULT_DISTANCE } from './convex-pair.js';

/**
 * Penetration of two overlapping convex pieces by the expanding polytope (van den Bergen 2001): a polytope inside the
 * difference D = tool − environment grows, always at its face nearest to the origin, until that face lies on the
 * boundary of D. The shortest way out is then against the face's normal.
 *
 * Where we deviate: the polytope starts at the extreme points of D, not at GJK's last simplex. Faces that have the
 * origin before them count with negative distances and are therefore grown first, so that the start need not hold the
 * origin, and a simplex that is nearly flat cannot spoil the rest. The memory is bounded: at the cap the nearest face
 * so far is the answer, a depth that is too small by what the polytope still lacked.
 *
 * Limit cases, each a test: D is flat (depth 0 across its plane); the origin lies on the boundary (depth 0).
 */
export interface Polytope {
  vertexCount: number;
  faceCount: number;
  /** Points of D and of the tool, three numbers each. */
  readonly point: Float64Array;
  readonly toolPoint: Float64Array;
  /** Three vertices per face, counter-clockwise from outside. */
  readonly corner: Int32Array;
  readonly normal: Float64Array;
  /** Of the face's plane from the origin, along its normal. */
  readonly distance: Float64Array;
  /** Edges seen from one side only while faces are replaced: two vertices each. */
  readonly rim: Int32Array;
  rimCount: number;
  /** Faces left out for having no area; the growth then ends at the next rim, which is no longer closed. */
  degenerate: number;
}

const MOST_VERTICES = 96;
const MOST_FACES = 2 * MOST_VERTICES;

export function createPolytope(): Polytope {
  return {
    vertexCount: 0,
    faceCount: 0,
    point: new Float64Array(3 * MOST_VERTICES),
    toolPoint: new Float64Array(3 * MOST_VERTICES),
    corner: new Int32Array(3 * MOST_FACES),
    normal: new Float64Array(3 * MOST_FACES),
    distance: new Float64Array(MOST_FACES),
    rim: new Int32Array(2 * MOST_FACES),
    rimCount: 0,
    degenerate: 0,
  };
}

/** Parts of the size of D: what counts as flat, and what growth is no longer worth a vertex. */
const FLAT = 1e-9;
const GROWN = 1e-10;

/**
 * To be asked right after `measureDistance` found the same pieces to overlap. Depth in `pair.result[RESULT_DISTANCE]`, the
 * direction that pushes the tool out in `pair.normal`, the deepest points in `onTool` and `onEnvironment`.
 */
export function measurePenetration(
  pair: ConvexPair,
  polytope: Polytope,
  tool: ConvexPieces,
  toolNode: number,
  environment: ConvexPieces,
  environmentNode: number,
): void {
  polytope.vertexCount = 0;
  polytope.faceCount = 0;
  polytope.degenerate = 0;
  setTouchingPoint(pair);
  if (!spanTetrahedron(pair, polytope, tool, toolNode, environment, environmentNode)) {
    setFlat(pair);
    return;
  }
  const size = extent(polytope);
  for (;;) {
    const face = nearestFace(polytope);
    const before = Math.max(0, polytope.distance[face]);
    copyDirection(pair, polytope.normal, face);
    const vertex = addSupport(pair, polytope, tool, toolNode, environment, environmentNode);
    const gain = alongNormal(polytope, face, vertex) - polytope.distance[face];
    const finished = gain <= GROWN * size + 1e-7 * before;
    if (finished || polytope.vertexCount === MOST_VERTICES || !replaceSeen(polytope, vertex, size)) {
      setFromFace(pair, polytope, face);
      return;
    }
  }
}

/** Adds the support point along `pair.direction`; gives its number. */
function addSupport(
  pair: ConvexPair,
  polytope: Polytope,
  tool: ConvexPieces,
  toolNode: number,
  environment: ConvexPieces,
  environmentNode: number,
): number {
  pair.iterations += 1;
  minkowskiSupport(pair, tool, toolNode, environment, environmentNode, 0);
  const vertex = polytope.vertexCount;
  polytope.vertexCount += 1;
  for (let axis = 0; axis < 3; axis += 1) {
    polytope.point[3 * vertex + axis] = pair.simplex.point[axis];
    polytope.toolPoint[3 * vertex + axis] = pair.simplex.toolPoint[axis];
  }
  return vertex;
}

/** Four extreme points of D as the first polytope. False if D is flat; `pair.direction` is then across it. */
function spanTetrahedron(
  pair: ConvexPair,
  polytope: Polytope,
  tool: ConvexPieces,
  toolNode: number,
  environment: ConvexPieces,
  environmentNode: number,
): boolean {
  const { direction } = pair;
  const { point } = polytope;
  for (let axis = 0; axis < 3; axis += 1) {
    for (let side = -1; side <= 1; side += 2) {
      direction.fill(0);
      direction[axis] = side;
      addSupport(pair, polytope, tool, toolNode, environment, environmentNode);
    }
  }
  const size = extent(polytope);
  let axis = 0;
  for (let n = 1; n < 3; n += 1) if (boxSide(point, n) > boxSide(point, axis)) axis = n;
  swapVertices(polytope, 0, 2 * axis);
  swapVertices(polytope, 1, 2 * axis + 1);
  const lx = point[3] - point[0];
  const ly = point[4] - point[1];
  const lz = point[5] - point[2];
  direction.fill(0);
  direction[axis] = 1;
  if (!(size > 0)) return false;
  // Third: the furthest from the line through the first two, in four directions across it.
  const across = axis === 0 ? 1 : 0;
  const ax = across === 0 ? 1 : 0;
  const ay = across === 1 ? 1 : 0;
  polytope.vertexCount = 2;
  for (let quarter = 0; quarter < 4; quarter += 1) {
    const ux = ay * lz;
    const uy = -ax * lz;
    const uz = ax * ly - ay * lx;
    const sign = quarter % 2 === 0 ? 1 : -1;
    if (quarter < 2) setDirection(pair, sign * ux, sign * uy, sign * uz);
    else setDirection(pair, sign * (ly * uz - lz * uy), sign * (lz * ux - lx * uz), sign * (lx * uy - ly * ux));
    addSupport(pair, polytope, tool, toolNode, environment, environmentNode);
  }
  let third = 2;
  for (let n = 3; n < 6; n += 1) if (triangleArea(point, n) > triangleArea(point, third)) third = n;
  swapVertices(polytope, 2, third);
  polytope.vertexCount = 3;
  setDirection(pair, ly, -lx, 0);
  if (Math.abs(lz) > Math.abs(lx) + Math.abs(ly)) setDirection(pair, 0, lz, -ly);
  if (!(triangleArea(point, 2) > FLAT * size * size)) return false;
  // Fourth: the furthest from the plane of the first three.
  crossDirection(pair, polytope);
  addSupport(pair, polytope, tool, toolNode, environment, environmentNode);
  const up = heightOver(pair, point, 3);
  crossDirection(pair, polytope);
  setDirection(pair, -direction[0], -direction[1], -direction[2]);
  addSupport(pair, polytope, tool, toolNode, environment, environmentNode);
  const down = heightOver(pair, point, 4);
  if (!(up > FLAT * size || down > FLAT * size)) {
    polytope.vertexCount = 3;
    return false;
  }
  if (down > up) {
    swapVertices(polytope, 3, 4);
    swapVertices(polytope, 1, 2);
  }
  polytope.vertexCount = 4;
  // Seen from outside: the fourth lies above the triangle 0 1 2, which therefore turns the other way.
  addFace(polytope, 0, 2, 1);
  addFace(polytope, 0, 1, 3);
  addFace(polytope, 1, 2, 3);
  addFace(polytope, 2, 0, 3);
  return polytope.degenerate === 0;
}

function setDirection(pair: ConvexPair, x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  pair.direction[0] = x / length;
  pair.direction[1] = y / length;
  pair.direction[2] = z / length;
}

function crossDirection(pair: ConvexPair, { point: p }: Polytope): void {
  crossOfEdges(pair.direction, 0, p, 0, 3, 6);
  normalise(pair.direction, 0);
}

/** Along `pair.direction`, over the first vertex. */
function heightOver({ direction }: ConvexPair, p: Float64Array, n: number): number {
  const o = 3 * n;
  return direction[0] * (p[o] - p[0]) + direction[1] * (p[o + 1] - p[1]) + direction[2] * (p[o + 2] - p[2]);
}

/** Twice the area of the triangle of vertices 0, 1 and n. */
function triangleArea(p: Float64Array, n: number): number {
  const o = 3 * n;
  const bx = p[3] - p[0];
  const by = p[4] - p[1];
  const bz = p[5] - p[2];
  const cx = p[o] - p[0];
  const cy = p[o + 1] - p[1];
  const cz = p[o + 2] - p[2];
  const nx = by * cz - bz * cy;
  const ny = bz * cx - bx * cz;
  const nz = bx * cy - by * cx;
  return Math.sqrt(nx * nx + ny * ny + nz * nz);
}

/** Of the six extreme points along the axes. */
function boxSide(p: Float64Array, axis: number): number {
  return p[3 * (2 * axis + 1) + axis] - p[3 * (2 * axis) + axis];
}

function extent({ point, vertexCount }: Polytope): number {
  let largest = 0;
  for (let n = 3; n < 3 * vertexCount; n += 1) {
    largest = Math.max(largest, Math.abs(point[n] - point[n % 3]));
  }
  return largest;
}

function swapVertices({ point, toolPoint }: Polytope, a: number, b: number): void {
  for (let axis = 0; axis < 3; axis += 1) {
    const p = point[3 * a + axis];
    point[3 * a + axis] = point[3 * b + axis];
    point[3 * b + axis] = p;
    const t = toolPoint[3 * a + axis];
    toolPoint[3 * a + axis] = toolPoint[3 * b + axis];
    toolPoint[3 * b + axis] = t;
  }
}

function addFace(polytope: Polytope, a: number, b: number, c: number): void {
  const { point: p, corner, normal, distance } = polytope;
  const face = polytope.faceCount;
  const bx = p[3 * b] - p[3 * a];
  const by = p[3 * b + 1] - p[3 * a + 1];
  const bz = p[3 * b + 2] - p[3 * a + 2];
  const cx = p[3 * c] - p[3 * a];
  const cy = p[3 * c + 1] - p[3 * a + 1];
  const cz = p[3 * c + 2] - p[3 * a + 2];
  const nx = by * cz - bz * cy;
  const ny = bz * cx - bx * cz;
  const nz = bx * cy - by * cx;
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const size = Math.sqrt((bx * bx + by * by + bz * bz) * (cx * cx + cy * cy + cz * cz));
  if (face === MOST_FACES || !(area > 1e-13 * size)) {
    polytope.degenerate += 1;
    return;
  }
  corner[3 * face] = a;
  corner[3 * face + 1] = b;
  corner[3 * face + 2] = c;
  normal[3 * face] = nx / area;
  normal[3 * face + 1] = ny / area;
  normal[3 * face + 2] = nz / area;
  distance[face] = (nx * p[3 * a] + ny * p[3 * a + 1] + nz * p[3 * a + 2]) / area;
  polytope.faceCount += 1;
}

function nearestFace({ distance, faceCount }: Polytope): number {
  let face = 0;
  for (let n = 1; n < faceCount; n += 1) if (distance[n] < distance[face]) face = n;
  return face;
}

function alongNormal({ point: p, normal }: Polytope, face: number, vertex: number): number {
  const n = 3 * face;
  const v = 3 * vertex;
  return dot(normal, n, p, v);
}

function copyDirection(pair: ConvexPair, normal: Float64Array, face: number): void {
  for (let axis = 0; axis < 3; axis += 1) pair.direction[axis] = normal[3 * face + axis];
}

/**
 * Replaces the faces that the new vertex sees by a fan from it to their rim. False, with the polytope as it was, if the
 * rim is no closed loop or does not fit, which only rounding can cause.
 */
function replaceSeen(polytope: Polytope, vertex: number, size: number): boolean {
  const { corner, distance } = polytope;
  polytope.rimCount = 0;
  let seen = 0;
  for (let face = 0; face < polytope.faceCount; face += 1) {
    if (!(alongNormal(polytope, face, vertex) > distance[face] + 1e-14 * size)) continue;
    seen += 1;
    for (let edge = 0; edge < 3; edge += 1) {
      toggleRim(polytope, corner[3 * face + edge], corner[3 * face + ((edge + 1) % 3)]);
    }
  }
  if (polytope.rimCount !== seen + 2 || polytope.faceCount + 2 > MOST_FACES) return false;
  for (let face = polytope.faceCount - 1; face >= 0; face -= 1) {
    if (alongNormal(polytope, face, vertex) > distance[face] + 1e-14 * size) removeFace(polytope, face);
  }
  for (let edge = 0; edge < polytope.rimCount; edge += 1) {
    addFace(polytope, polytope.rim[2 * edge], polytope.rim[2 * edge + 1], vertex);
  }
  return true;
}

/** An edge that comes twice, once each way, lies inside the seen part. */
function toggleRim(polytope: Polytope, from: number, to: number): void {
  const { rim } = polytope;
  for (let n = 0; n < polytope.rimCount; n += 1) {
    if (rim[2 * n] !== to || rim[2 * n + 1] !== from) continue;
    polytope.rimCount -= 1;
    rim[2 * n] = rim[2 * polytope.rimCount];
    rim[2 * n + 1] = rim[2 * polytope.rimCount + 1];
    return;
  }
  rim[2 * polytope.rimCount] = from;
  rim[2 * polytope.rimCount + 1] = to;
  polytope.rimCount += 1;
}

function removeFace(polytope: Polytope, face: number): void {
  const { corner, normal, distance } = polytope;
  const last = polytope.faceCount - 1;
  polytope.faceCount = last;
  for (let n = 0; n < 3; n += 1) {
    corner[3 * face + n] = corner[3 * last + n];
    normal[3 * face + n] = normal[3 * last + n];
  }
  distance[face] = distance[last];
}

/** The foot of the origin on the face, by its barycentric coordinates, carried over to both pieces. */
function setFromFace(pair: ConvexPair, polytope: Polytope, face: number): void {
  const { point: p, toolPoint, corner, normal, distance } = polytope;
  const a = 3 * corner[3 * face];
  const b = 3 * corner[3 * face + 1];
  const c = 3 * corner[3 * face + 2];
  const depth = Math.max(0, distance[face]);
  const nx = normal[3 * face];
  const ny = normal[3 * face + 1];
  const nz = normal[3 * face + 2];
  const bx = p[b] - p[a];
  const by = p[b + 1] - p[a + 1];
  const bz = p[b + 2] - p[a + 2];
  const cx = p[c] - p[a];
  const cy = p[c + 1] - p[a + 1];
  const cz = p[c + 2] - p[a + 2];
  const rx = -p[a];
  const ry = -p[a + 1];
  const rz = -p[a + 2];
  const area = (by * cz - bz * cy) * nx + (bz * cx - bx * cz) * ny + (bx * cy - by * cx) * nz;
  const v = ((ry * cz - rz * cy) * nx + (rz * cx - rx * cz) * ny + (rx * cy - ry * cx) * nz) / area;
  const w = ((by * rz - bz * ry) * nx + (bz * rx - bx * rz) * ny + (bx * ry - by * rx) * nz) / area;
  pair.result[RESULT_DISTANCE] = depth;
  for (let axis = 0; axis < 3; axis += 1) {
    const at = (1 - v - w) * toolPoint[a + axis] + v * toolPoint[b + axis] + w * toolPoint[c + axis];
    const n = normal[3 * face + axis];
    pair.normal[axis] = -n;
    pair.onTool[axis] = at;
    pair.onEnvironment[axis] = at + pair.shift[axis] - depth * n;
  }
}

/** Where GJK found the pieces to meet: all there is to say if D turns out to be flat. */
function setTouchingPoint({ simplex, onTool, onEnvironment, shift }: ConvexPair): void {
  for (let axis = 0; axis < 3; axis += 1) {
    let at = 0;
    for (let n = 0; n < simplex.count; n += 1) at += simplex.weight[n] * simplex.toolPoint[3 * n + axis];
    onTool[axis] = at;
    onEnvironment[axis] = at + shift[axis];
  }
  simplex.toolVertex[0] = 0;
  simplex.environmentVertex[0] = 0;
}

/** D has no inside: it is left by the least step across it. */
function setFlat(pair: ConvexPair): void {
  pair.result[RESULT_DISTANCE] = 0;
  for (let axis = 0; axis < 3; axis += 1) pair.normal[axis] = pair.direction[axis];
}
