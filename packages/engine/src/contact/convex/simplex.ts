/**
 * The point of a simplex that is nearest to the origin, with its barycentric weights: the sub-problem of GJK.
 *
 * As in the signed volumes method (Montanari, Petrinic, Barbieri 2017) the signs of the barycentric coordinates say
 * which faces the origin can see, and only those are looked at: the nearest point of a convex set lies on a face that
 * is seen. Two deviations: coordinates are taken relative to a corner, which loses no digits when a small simplex is far
 * away, and a simplex without volume (or area) has all of its faces looked at.
 *
 * Limit cases, all among the random pieces of GJK's tests: doubled points, four points in a plane, three on a line, the
 * origin on a face or a corner.
 */
export interface Simplex {
  /** Points in use, up to 4; EPA needs one place more. */
  count: number;
  /** Points of the difference tool − environment, three numbers each. */
  readonly point: Float64Array;
  /** The same points on the tool alone. */
  readonly toolPoint: Float64Array;
  /** Which vertices of the two pieces they are. */
  readonly toolVertex: Int32Array;
  readonly environmentVertex: Int32Array;
  readonly weight: Float64Array;
  /** The nearest point, then its squared length at `NEAREST_SQUARED`. */
  readonly nearest: Float64Array;
  /** Scratch: weights of the face that is looked at. */
  readonly trial: Float64Array;
}

/** Place of the squared length in `nearest`. */
export const NEAREST_SQUARED = 3;

const PLACES = 5;

export function createSimplex(): Simplex {
  return {
    count: 0,
    point: new Float64Array(3 * PLACES),
    toolPoint: new Float64Array(3 * PLACES),
    toolVertex: new Int32Array(PLACES),
    environmentVertex: new Int32Array(PLACES),
    weight: new Float64Array(PLACES),
    nearest: new Float64Array(4),
    trial: new Float64Array(PLACES),
  };
}

/** Squared sine of the angle, or the like in three dimensions, below which a simplex counts as flat. */
const FLAT = 1e-22;

/** Finds the nearest point and drops the points of the simplex that it does not need. */
export function reduceSimplex(simplex: Simplex): void {
  simplex.nearest[NEAREST_SQUARED] = Number.POSITIVE_INFINITY;
  if (simplex.count === 1) tryCorner(simplex);
  else if (simplex.count === 2) trySegment(simplex, 0, 1);
  else if (simplex.count === 3) tryTriangle(simplex, 0, 1, 2);
  else tryTetrahedron(simplex);
  dropUnused(simplex);
}

function tryCorner(simplex: Simplex): void {
  simplex.trial.fill(0);
  simplex.trial[0] = 1;
  keepIfNearer(simplex);
}

function trySegment(simplex: Simplex, i: number, j: number): void {
  const { point: p, trial } = simplex;
  const a = 3 * i;
  const b = 3 * j;
  const x = p[b] - p[a];
  const y = p[b + 1] - p[a + 1];
  const z = p[b + 2] - p[a + 2];
  const length = x * x + y * y + z * z;
  let t = length > 0 ? -(p[a] * x + p[a + 1] * y + p[a + 2] * z) / length : 0;
  t = Math.min(1, Math.max(0, t));
  trial.fill(0);
  trial[i] = 1 - t;
  trial[j] = t;
  keepIfNearer(simplex);
}

function tryTriangle(simplex: Simplex, i: number, j: number, k: number): void {
  const { point: p, trial } = simplex;
  const a = 3 * i;
  const b = 3 * j;
  const c = 3 * k;
  const bx = p[b] - p[a];
  const by = p[b + 1] - p[a + 1];
  const bz = p[b + 2] - p[a + 2];
  const cx = p[c] - p[a];
  const cy = p[c + 1] - p[a + 1];
  const cz = p[c + 2] - p[a + 2];
  const nx = by * cz - bz * cy;
  const ny = bz * cx - bx * cz;
  const nz = bx * cy - by * cx;
  const area = nx * nx + ny * ny + nz * nz;
  const size = (bx * bx + by * by + bz * bz) * (cx * cx + cy * cy + cz * cz);
  if (!(area > FLAT * size)) {
    trySegment(simplex, i, j);
    trySegment(simplex, j, k);
    trySegment(simplex, k, i);
    return;
  }
  const rx = -p[a];
  const ry = -p[a + 1];
  const rz = -p[a + 2];
  const v = ((ry * cz - rz * cy) * nx + (rz * cx - rx * cz) * ny + (rx * cy - ry * cx) * nz) / area;
  const w = ((by * rz - bz * ry) * nx + (bz * rx - bx * rz) * ny + (bx * ry - by * rx) * nz) / area;
  const u = 1 - v - w;
  if (u >= 0 && v >= 0 && w >= 0) {
    trial.fill(0);
    trial[i] = u;
    trial[j] = v;
    trial[k] = w;
    keepIfNearer(simplex);
    return;
  }
  if (u < 0) trySegment(simplex, j, k);
  if (v < 0) trySegment(simplex, k, i);
  if (w < 0) trySegment(simplex, i, j);
}

function tryTetrahedron(simplex: Simplex): void {
  const { point: p, trial } = simplex;
  const ax = p[3] - p[0];
  const ay = p[4] - p[1];
  const az = p[5] - p[2];
  const bx = p[6] - p[0];
  const by = p[7] - p[1];
  const bz = p[8] - p[2];
  const cx = p[9] - p[0];
  const cy = p[10] - p[1];
  const cz = p[11] - p[2];
  const nx = by * cz - bz * cy;
  const ny = bz * cx - bx * cz;
  const nz = bx * cy - by * cx;
  const volume = ax * nx + ay * ny + az * nz;
  const size = (ax * ax + ay * ay + az * az) * (bx * bx + by * by + bz * bz) * (cx * cx + cy * cy + cz * cz);
  if (!(volume * volume > FLAT * size)) {
    tryTriangle(simplex, 0, 1, 2);
    tryTriangle(simplex, 0, 1, 3);
    tryTriangle(simplex, 0, 2, 3);
    tryTriangle(simplex, 1, 2, 3);
    return;
  }
  const rx = -p[0];
  const ry = -p[1];
  const rz = -p[2];
  const u = (rx * nx + ry * ny + rz * nz) / volume;
  const v = (rx * (cy * az - cz * ay) + ry * (cz * ax - cx * az) + rz * (cx * ay - cy * ax)) / volume;
  const w = (rx * (ay * bz - az * by) + ry * (az * bx - ax * bz) + rz * (ax * by - ay * bx)) / volume;
  const t = 1 - u - v - w;
  if (t >= 0 && u >= 0 && v >= 0 && w >= 0) {
    trial[0] = t;
    trial[1] = u;
    trial[2] = v;
    trial[3] = w;
    keepIfNearer(simplex);
    return;
  }
  if (t < 0) tryTriangle(simplex, 1, 2, 3);
  if (u < 0) tryTriangle(simplex, 0, 2, 3);
  if (v < 0) tryTriangle(simplex, 0, 1, 3);
  if (w < 0) tryTriangle(simplex, 0, 1, 2);
}

function keepIfNearer(simplex: Simplex): void {
  const { point: p, trial, weight, nearest, count } = simplex;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let n = 0; n < count; n += 1) {
    x += trial[n] * p[3 * n];
    y += trial[n] * p[3 * n + 1];
    z += trial[n] * p[3 * n + 2];
  }
  const squared = x * x + y * y + z * z;
  if (!(squared < nearest[NEAREST_SQUARED])) return;
  nearest[0] = x;
  nearest[1] = y;
  nearest[2] = z;
  nearest[NEAREST_SQUARED] = squared;
  for (let n = 0; n < count; n += 1) weight[n] = trial[n];
}

function dropUnused(simplex: Simplex): void {
  const { point, toolPoint, toolVertex, environmentVertex, weight } = simplex;
  let kept = 0;
  for (let n = 0; n < simplex.count; n += 1) {
    if (weight[n] <= 0) continue;
    if (kept < n) {
      for (let axis = 0; axis < 3; axis += 1) {
        point[3 * kept + axis] = point[3 * n + axis];
        toolPoint[3 * kept + axis] = toolPoint[3 * n + axis];
      }
      toolVertex[kept] = toolVertex[n];
      environmentVertex[kept] = environmentVertex[n];
      weight[kept] = weight[n];
    }
    kept += 1;
  }
  simplex.count = kept;
}
