import { solveLinear } from './linear-algebra.js';
import type { Matrix3, Pose } from './pose.js';

/**
 * Matrices of 3×3 and 6×6 numbers, row by row. Vectors are three numbers of an array from an offset on, as in
 * `vectors.ts`. Destination first, owned by the caller. No allocation.
 *
 * Sums run from the first column to the last. Recorded motions depend on it to the last bit.
 */

/** out = M v; `out` may be `v`. */
export function applyMatrix(out: Float64Array, o: number, m: Matrix3, v: Float64Array, at: number): void {
  const x = v[at];
  const y = v[at + 1];
  const z = v[at + 2];
  out[o] = m[0] * x + m[1] * y + m[2] * z;
  out[o + 1] = m[3] * x + m[4] * y + m[5] * z;
  out[o + 2] = m[6] * x + m[7] * y + m[8] * z;
}

/** out = Mᵀ v, for a rotation its inverse; `out` may be `v`. */
export function applyTransposed(out: Float64Array, o: number, m: Matrix3, v: Float64Array, at: number): void {
  const x = v[at];
  const y = v[at + 1];
  const z = v[at + 2];
  out[o] = m[0] * x + m[3] * y + m[6] * z;
  out[o + 1] = m[1] * x + m[4] * y + m[7] * z;
  out[o + 2] = m[2] * x + m[5] * y + m[8] * z;
}

/** out = t + R v, the rotation of `pose` at hand as a matrix; the translation comes first in the sum. */
export function applyPose(
  out: Float64Array,
  o: number,
  pose: Pose,
  rotation: Matrix3,
  v: Float64Array,
  at: number,
): void {
  const x = v[at];
  const y = v[at + 1];
  const z = v[at + 2];
  out[o] = pose[0] + rotation[0] * x + rotation[1] * y + rotation[2] * z;
  out[o + 1] = pose[1] + rotation[3] * x + rotation[4] * y + rotation[5] * z;
  out[o + 2] = pose[2] + rotation[6] * x + rotation[7] * y + rotation[8] * z;
}

/** out = R I Rᵀ: a tensor of the body frame, such as its inertia in kg m², along the axes of the world. */
export function rotateInertia(out: Float64Array, rotation: Matrix3, inertia: Float64Array): void {
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      let sum = 0;
      for (let k = 0; k < 3; k += 1) {
        for (let l = 0; l < 3; l += 1) sum += rotation[3 * i + k] * inertia[3 * k + l] * rotation[3 * j + l];
      }
      out[3 * i + j] = sum;
    }
  }
}

/** The same with R T summed first, which rounds otherwise; `out` is neither of the two. */
export function rotateTensor(out: Float64Array, rotation: Matrix3, tensor: Float64Array): void {
  for (let i = 0; i < 3; i += 1) {
    const a = rotation[3 * i];
    const b = rotation[3 * i + 1];
    const c = rotation[3 * i + 2];
    const x = a * tensor[0] + b * tensor[3] + c * tensor[6];
    const y = a * tensor[1] + b * tensor[4] + c * tensor[7];
    const z = a * tensor[2] + b * tensor[5] + c * tensor[8];
    for (let j = 0; j < 3; j += 1) {
      out[3 * i + j] = x * rotation[3 * j] + y * rotation[3 * j + 1] + z * rotation[3 * j + 2];
    }
  }
}

/** out = M v for 6×6 and six numbers; `out` is not `v`. */
export function applyMatrix6(out: Float64Array, o: number, m: Float64Array, v: Float64Array, at: number): void {
  for (let i = 0; i < 6; i += 1) {
    let sum = 0;
    for (let j = 0; j < 6; j += 1) sum += m[6 * i + j] * v[at + j];
    out[o + i] = sum;
  }
}

/** out = A B, 6×6; `out` is neither of the two. */
export function multiplyMatrix6(out: Float64Array, a: Float64Array, b: Float64Array): void {
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 6; j += 1) {
      let sum = 0;
      for (let k = 0; k < 6; k += 1) sum += a[6 * i + k] * b[6 * k + j];
      out[6 * i + j] = sum;
    }
  }
}

export interface InverseWorkspace {
  readonly matrix: Float64Array;
  readonly column: Float64Array;
}

/** For matrices of n×n numbers. */
export function createInverseWorkspace(n: number): InverseWorkspace {
  return { matrix: new Float64Array(n * n), column: new Float64Array(n) };
}

/**
 * out = A⁻¹ for n×n numbers, column by column. Of a singular matrix zeros, and false: for a compliance that nothing moves.
 */
export function invertMatrix(out: Float64Array, a: Float64Array, n: number, workspace: InverseWorkspace): boolean {
  const { matrix, column } = workspace;
  for (let j = 0; j < n; j += 1) {
    for (let k = 0; k < n * n; k += 1) matrix[k] = a[k];
    column.fill(0);
    column[j] = 1;
    if (!solveLinear(column, matrix, n)) {
      out.fill(0, 0, n * n);
      return false;
    }
    for (let i = 0; i < n; i += 1) out[n * i + j] = column[i];
  }
  return true;
}

/** out = M⁻¹ of a symmetric 3×3 matrix, by its adjugate. False, and `out` untouched, unless M is positive definite. */
export function invertPositiveDefinite3(out: Float64Array, m: Matrix3): boolean {
  const [a, b, c, , e, f, , , i] = m;
  const a2 = e * i - f * f;
  const b2 = c * f - b * i;
  const c2 = b * f - c * e;
  const determinant = a * a2 + b * b2 + c * c2;
  if (!(a > 0 && a * e - b * b > 0 && determinant > 0 && Number.isFinite(determinant))) return false;
  const d2 = b * c - a * f;
  const adjugate = [a2, b2, c2, b2, a * i - c * c, d2, c2, d2, a * e - b * b];
  for (let k = 0; k < 9; k += 1) out[k] = adjugate[k] / determinant;
  return true;
}
