import type { Vector } from './solids.js';

/**
 * The point of a cell that lies best on the planes of its crossings: the minimum of Σ (n·(x − p))² (Ju et al., Eq. 1).
 *
 * Along an edge or on a flat face that minimum is a line or a plane; of it the point nearest to the mean of the crossings
 * is wanted. The steps x ← argmin Σ (n·(x − p))² + ε|x − x_last|², begun at the mean, go there without eigenvectors:
 * what the planes determine converges by ε / (σ + ε) a step, what they leave open does not move. The planes of a slightly
 * curved face determine a little of everything and would, given time, throw the point far out of the cell: hence few
 * steps, and the cell as the border.
 */
const STEPS = 12;
/** ε, in parts of the number of crossings. */
const REGULARISATION = 0.03;

/** Crossings are given by their numbers in `points` and `normals`; `low` is the cell's lowest corner. */
export function writeFeaturePoint(
  out: Float64Array,
  points: Float64Array,
  normals: Float64Array,
  crossings: readonly number[],
  low: Vector,
  cell: number,
): void {
  const mean = [0, 0, 0];
  for (const crossing of crossings) {
    for (let axis = 0; axis < 3; axis++) mean[axis] += points[3 * crossing + axis] / crossings.length;
  }
  // Normal equations about the mean: A x = b, A = [xx xy xz yy yz zz].
  const a = [0, 0, 0, 0, 0, 0];
  const b = [0, 0, 0];
  for (const crossing of crossings) {
    const [nx, ny, nz] = [normals[3 * crossing], normals[3 * crossing + 1], normals[3 * crossing + 2]];
    const offset =
      nx * (points[3 * crossing] - mean[0]) +
      ny * (points[3 * crossing + 1] - mean[1]) +
      nz * (points[3 * crossing + 2] - mean[2]);
    [nx * nx, nx * ny, nx * nz, ny * ny, ny * nz, nz * nz].forEach((product, i) => {
      a[i] += product;
    });
    b[0] += nx * offset;
    b[1] += ny * offset;
    b[2] += nz * offset;
  }
  const step = solveProximal(a, b, REGULARISATION * crossings.length);
  for (let axis = 0; axis < 3; axis++) {
    out[axis] = keepInCell(mean[axis] + step[axis], low[axis], cell);
  }
}

/** The nearest coordinate within a cell. A hair off its border, so that the vertices of two cells never coincide. */
export function keepInCell(value: number, low: number, cell: number): number {
  const inset = 1e-4 * cell;
  return Math.min(low + cell - inset, Math.max(low + inset, value));
}

/** The steps for a symmetric A, from 0. */
function solveProximal(a: readonly number[], b: readonly number[], epsilon: number): [number, number, number] {
  const [xx, xy, xz, yy, yz, zz] = [a[0] + epsilon, a[1], a[2], a[3] + epsilon, a[4], a[5] + epsilon];
  // The inverse by cofactors: A + ε is well conditioned (at most 1 / 0.03).
  const cxx = yy * zz - yz * yz;
  const cxy = xz * yz - xy * zz;
  const cxz = xy * yz - xz * yy;
  const cyy = xx * zz - xz * xz;
  const cyz = xy * xz - xx * yz;
  const czz = xx * yy - xy * xy;
  const determinant = xx * cxx + xy * cxy + xz * cxz;
  let [x, y, z] = [0, 0, 0];
  for (let step = 0; step < STEPS; step++) {
    const [rx, ry, rz] = [b[0] + epsilon * x, b[1] + epsilon * y, b[2] + epsilon * z];
    x = (cxx * rx + cxy * ry + cxz * rz) / determinant;
    y = (cxy * rx + cyy * ry + cyz * rz) / determinant;
    z = (cxz * rx + cyz * ry + czz * rz) / determinant;
  }
  return [x, y, z];
}
