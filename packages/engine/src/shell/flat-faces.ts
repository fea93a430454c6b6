import { cosOf } from '../math/portable.js';
import { dot } from '../math/vectors.js';
import { flatPoints } from './flat-points.js';
import { PointGrid } from './point-grid.js';
import type { PointShell } from './point-shell.js';

/**
 * The flat, convex faces of a shell with their outlines. What flat faces of two bodies say to each other is known from
 * where they overlap, without all the points between (`face-pairs.ts`).
 *
 * A face is what neighbouring points of the same plane make up, and its outline their convex hull together with the points
 * of the edges around. It counts only if it has points everywhere within, so that it is convex and has no holes; others
 * are left as the points that they are.
 */
export interface FlatFaces {
  readonly faces: readonly FlatFace[];
  /** By point of the shell: its face, −1 for none, on edges and corners as well. */
  readonly faceOf: Int16Array;
}

export interface FlatFace {
  /** A point of it, m, and its outward normal, body frame. */
  readonly origin: Float64Array;
  readonly normal: Float64Array;
  /** Unit vectors along it; u × v is the normal. */
  readonly u: Float64Array;
  readonly v: Float64Array;
  /** Corners along u and v from the origin, m, anticlockwise. */
  readonly outline: Float64Array;
  /** Of the outline, m². */
  readonly area: number;
  /** Points within, per m² of the outline without the strip along the edges that their own points stand for. */
  readonly density: number;
  /** Width of that strip, m. */
  readonly strip: number;
  /** Distance of the corner that is furthest from the origin, m. */
  readonly radius: number;
}

/** Fewer points are no trouble. */
const LEAST_POINTS = 24;
/** Of the largest. */
const MOST_FACES = 32;
const MOST_CORNERS = 24;
/** Neighbours are this near, and no place of a face is further from its points, in spacings. */
const NEAR = 2;
const WIDEST_GAP = 1.3;
/** Normals of one face, and the distance of its points from one plane, in spacings. */
const SAME = cosOf(Math.PI / 1800);
const OFF_PLANE = 0.002;
/** Part of the spacing along an edge that points on it stand for. */
const STRIP = 0.5;

const known = new WeakMap<PointShell, FlatFaces>();

export function flatFaces(shell: PointShell): FlatFaces {
  const before = known.get(shell);
  if (before) return before;
  const found = findFaces(shell);
  known.set(shell, found);
  return found;
}

function findFaces(shell: PointShell): FlatFaces {
  const faceOf = new Int16Array(shell.count).fill(-1);
  const faces: FlatFace[] = [];
  for (const members of planesOf(shell)) {
    if (faces.length === MOST_FACES) break;
    const face = faceFrom(shell, members);
    if (!face) continue;
    for (const point of members) faceOf[point] = faces.length;
    faces.push(face);
  }
  return { faces, faceOf };
}

/** Flat points that hang together, largest group first. */
function planesOf(shell: PointShell): number[][] {
  const { count, points, normals, spacing } = shell;
  const isFlat = flatPoints(shell);
  const flat = Uint32Array.from(isFlat.keys()).filter((point) => isFlat[point] === 1);
  const grid = new PointGrid(points, flat, NEAR * spacing);
  const taken = new Uint8Array(count);
  const groups: number[][] = [];
  for (const seed of flat) {
    if (taken[seed] === 1) continue;
    taken[seed] = 1;
    const group = [seed];
    for (let k = 0; k < group.length; k += 1) {
      const at = 3 * group[k];
      const found = grid.collect(points[at], points[at + 1], points[at + 2]);
      for (let i = 0; i < found; i += 1) {
        const other = grid.found[i];
        if (taken[other] === 1 || dot(normals, 3 * seed, normals, 3 * other) < SAME) continue;
        if (Math.abs(heightOf(shell, seed, other)) > OFF_PLANE * spacing) continue;
        taken[other] = 1;
        group.push(other);
      }
    }
    if (group.length >= LEAST_POINTS) groups.push(group);
  }
  return groups.sort((a, b) => b.length - a.length || a[0] - b[0]);
}

/** Of a point above the plane of another. */
function heightOf({ points, normals }: PointShell, plane: number, point: number): number {
  let height = 0;
  for (let i = 0; i < 3; i += 1) height += normals[3 * plane + i] * (points[3 * point + i] - points[3 * plane + i]);
  return height;
}

function faceFrom(shell: PointShell, members: readonly number[]): FlatFace | null {
  const { points, normals, spacing } = shell;
  const origin = points.slice(3 * members[0], 3 * members[0] + 3);
  const normal = normals.slice(3 * members[0], 3 * members[0] + 3);
  const [u, v] = axesOf(normal);
  const flatten = (point: number): readonly [number, number] => [
    dot(u, 0, points, 3 * point) - dot(u, 0, origin, 0),
    dot(v, 0, points, 3 * point) - dot(v, 0, origin, 0),
  ];
  const edges = edgesOf(shell, members);
  const corners = hullOf([...members, ...edges].map(flatten), 1e-6 * spacing);
  if (corners.length < 3) return null;
  const strip = edges.length > 0 ? STRIP * spacing : 0;
  const area = areaWithin(corners, strip);
  if (!(area > 0) || !isFilled(shell, members, { origin, u, v }, corners)) return null;
  const radius = Math.max(...corners.map(([x, y]) => Math.sqrt(x * x + y * y)));
  const outline = Float64Array.from(corners.flat());
  const density = members.length / area;
  return { origin, normal, u, v, outline, area: areaWithin(corners, 0), density, strip, radius };
}

function axesOf(n: Float64Array): [Float64Array, Float64Array] {
  const least = [0, 1, 2].reduce((best, axis) => (Math.abs(n[axis]) < Math.abs(n[best]) ? axis : best), 0);
  const u = new Float64Array(3);
  u[least] = 1;
  for (let i = 0; i < 3; i += 1) u[i] -= n[least] * n[i];
  const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  for (let i = 0; i < 3; i += 1) u[i] /= length;
  const v = Float64Array.of(n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2], n[0] * u[1] - n[1] * u[0]);
  return [u, v];
}

/** Points of the edges and corners around a face. */
function edgesOf(shell: PointShell, members: readonly number[]): number[] {
  const { points, cone, spacing } = shell;
  const grid = new PointGrid(points, Uint32Array.from(members), NEAR * spacing);
  const edges: number[] = [];
  for (let point = 0; point < shell.count; point += 1) {
    if (cone[point] === 1 || Math.abs(heightOf(shell, members[0], point)) > OFF_PLANE * spacing) continue;
    if (grid.collect(points[3 * point], points[3 * point + 1], points[3 * point + 2]) > 0) edges.push(point);
  }
  return edges;
}

type Corner = readonly [number, number];

const across = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);

/** Andrew's monotone chain, anticlockwise, without corners that bend by less than `least` (m) allows; few of them. */
function hullOf(points: readonly Corner[], least: number): Corner[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (ordered: readonly Corner[]) => {
    const kept: Corner[] = [];
    for (const point of ordered) {
      while (kept.length > 1 && across(kept[kept.length - 2], kept[kept.length - 1], point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  const hull = [...chain(sorted), ...chain(sorted.reverse())];
  while (hull.length > 3) {
    const loss = hull.map((corner, i) => {
      const [before, after] = [hull[(i + hull.length - 1) % hull.length], hull[(i + 1) % hull.length]];
      const [x, y] = [after[0] - before[0], after[1] - before[1]];
      return across(before, corner, after) / Math.sqrt(x * x + y * y);
    });
    const flattest = loss.indexOf(Math.min(...loss));
    if (hull.length <= MOST_CORNERS && loss[flattest] > least) break;
    hull.splice(flattest, 1);
  }
  return hull;
}

/** Of the outline without a strip along it. */
function areaWithin(corners: readonly Corner[], strip: number): number {
  let area = 0;
  let around = 0;
  corners.forEach(([x, y], i) => {
    const [a, b] = corners[(i + 1) % corners.length];
    area += (x * b - y * a) / 2;
    around += Math.sqrt((a - x) * (a - x) + (b - y) * (b - y));
  });
  return area - strip * around;
}

/** Whether there are points everywhere within the outline. */
function isFilled(
  { points, spacing }: PointShell,
  members: readonly number[],
  { origin, u, v }: Pick<FlatFace, 'origin' | 'u' | 'v'>,
  corners: readonly Corner[],
): boolean {
  const grid = new PointGrid(points, Uint32Array.from(members), WIDEST_GAP * spacing);
  const [left, right] = [Math.min(...corners.map(([x]) => x)), Math.max(...corners.map(([x]) => x))];
  const [low, high] = [Math.min(...corners.map(([, y]) => y)), Math.max(...corners.map(([, y]) => y))];
  for (let x = left; x <= right; x += spacing) {
    for (let y = low; y <= high; y += spacing) {
      const isWithin = corners.every((corner, i) => {
        const next = corners[(i + 1) % corners.length];
        const [a, b] = [next[0] - corner[0], next[1] - corner[1]];
        return across(corner, next, [x, y]) >= spacing * Math.sqrt(a * a + b * b);
      });
      if (!isWithin) continue;
      const [px, py, pz] = [0, 1, 2].map((i) => origin[i] + x * u[i] + y * v[i]);
      if (grid.collect(px, py, pz) === 0) return false;
    }
  }
  return true;
}
