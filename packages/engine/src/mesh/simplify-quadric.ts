import { solveLinear } from '../math/linear-algebra.js';
import { cube, square } from '../math/portable.js';

/*
 * Quadrics (Garland and Heckbert 1997): the sum of a point's squared distances to a set of planes, as the ten numbers of
 * a symmetric 4 × 4 matrix: aa ab ac ad bb bc bd cc cd dd. Not weighted by area, so that the root of the error bounds the
 * distance to each single plane.
 */
export const QUADRIC_SIZE = 10;

/** Determinant of the 3 × 3 part, relative to the cube of its trace, below which it has no single lowest point. */
const LEAST_DETERMINANT = 1e-6;

/** Adds the plane of a triangle, nine numbers; one without area has none. */
export function addPlane(quadrics: Float64Array, at: number, p: Float64Array): void {
  const [ux, uy, uz] = [p[3] - p[0], p[4] - p[1], p[5] - p[2]];
  const [vx, vy, vz] = [p[6] - p[0], p[7] - p[1], p[8] - p[2]];
  const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(length > 0)) return;
  const [a, b, c] = [nx / length, ny / length, nz / length];
  const d = -(a * p[0] + b * p[1] + c * p[2]);
  quadrics[at] += a * a;
  quadrics[at + 1] += a * b;
  quadrics[at + 2] += a * c;
  quadrics[at + 3] += a * d;
  quadrics[at + 4] += b * b;
  quadrics[at + 5] += b * c;
  quadrics[at + 6] += b * d;
  quadrics[at + 7] += c * c;
  quadrics[at + 8] += c * d;
  quadrics[at + 9] += d * d;
}

export function addQuadric(out: Float64Array, quadrics: Float64Array, at: number): void {
  for (let i = 0; i < QUADRIC_SIZE; i++) out[i] += quadrics[at + i];
}

/** Sum of the squared distances, m². */
export function quadricError(q: Float64Array, [x, y, z]: ArrayLike<number> & Iterable<number>): number {
  const error =
    q[0] * x * x +
    q[4] * y * y +
    q[7] * z * z +
    q[9] +
    2 * (q[1] * x * y + q[2] * x * z + q[5] * y * z + q[3] * x + q[6] * y + q[8] * z);
  return Math.max(0, error);
}

const system = new Float64Array(9);
const solution = new Float64Array(3);
const candidate = new Float64Array(3);

/**
 * Where the error is least: anywhere if the planes meet in a point not too far away, else (flat or folded along a line,
 * where the lowest place is not unique) the best of the edge's ends and middle.
 */
export function bestPlace(out: Float64Array, q: Float64Array, positions: Float64Array, from: number, to: number): void {
  if (lowestPoint(q, positions, from, to)) {
    out.set(solution);
    return;
  }
  let least = Number.POSITIVE_INFINITY;
  for (const share of [0.5, 0, 1]) {
    for (let axis = 0; axis < 3; axis++) {
      candidate[axis] = (1 - share) * positions[from + axis] + share * positions[to + axis];
    }
    const error = quadricError(q, candidate);
    if (error >= least) continue;
    least = error;
    out.set(candidate);
  }
}

/** Solved about the edge's middle, where the numbers are small. False if not unique or further than the edge is long. */
function lowestPoint(q: Float64Array, positions: Float64Array, from: number, to: number): boolean {
  const [a, b, c, e, f, g] = [q[0], q[1], q[2], q[4], q[5], q[7]];
  const determinant = a * (e * g - f * f) - b * (b * g - f * c) + c * (b * f - e * c);
  if (!(determinant > LEAST_DETERMINANT * cube(a + e + g))) return false;
  const middle = [0, 1, 2].map((axis) => (positions[from + axis] + positions[to + axis]) / 2);
  const length = [0, 1, 2].reduce((sum, axis) => sum + square(positions[from + axis] - positions[to + axis]), 0);
  system.set([a, b, c, b, e, f, c, f, g]);
  for (let row = 0; row < 3; row++) {
    const constant = [q[3], q[6], q[8]][row];
    solution[row] =
      -constant - (system[3 * row] * middle[0] + system[3 * row + 1] * middle[1] + system[3 * row + 2] * middle[2]);
  }
  if (!solveLinear(solution, system, 3)) return false;
  if (square(solution[0]) + square(solution[1]) + square(solution[2]) > length) return false;
  for (let axis = 0; axis < 3; axis++) solution[axis] += middle[axis];
  return true;
}
