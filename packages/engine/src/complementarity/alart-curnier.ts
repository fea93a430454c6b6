import type { ConeProblem } from './cone-problem.js';
import { BLOCK_STRIDE } from './one-contact.js';

/**
 * Contact with friction as equations (Alart and Curnier 1991), and their generalised derivative. With x = r − ρ u,
 *
 *   F_N = r_N − max(0, x_N)
 *   F_T = r_T − P(x_T), P the projection on the disc of radius μ max(0, x_N)
 *
 * F = 0 exactly where the problem is solved, for any ρ > 0. With D = ∂P/∂x, 3×3 per contact, the derivative is
 * J = I − D + D ρ W: D = 0 where a contact is open, I where it sticks; where it slips, with e = x_T / |x_T| and
 * k = μ x_N / |x_T|, its normal row is (1, 0, 0) and its tangential rows are (μ e, k (I − e eᵀ)).
 *
 * ρ is taken per contact as 1 / W_NN and 1 / (the largest eigenvalue of W_TT), so that F is a force and x is the step of
 * the diagonal Gauss–Seidel; W_NN ≤ 0 gives ρ_N = 0, at which the contact is taken to be open.
 */
export function contactScales(problem: ConeProblem): Float64Array {
  const scales = new Float64Array(2 * problem.count);
  writeContactScales(scales, problem);
  return scales;
}

/** ρ_N and ρ_T of each contact, 2 numbers each. Allocates nothing. */
export function writeContactScales(scales: Float64Array, problem: ConeProblem): void {
  const { blocks, count, diagonal } = problem;
  for (let i = 0; i < count; i += 1) {
    const w = BLOCK_STRIDE * diagonal[i];
    const mean = 0.5 * (blocks[w + 4] + blocks[w + 8]);
    const half = 0.5 * (blocks[w + 4] - blocks[w + 8]);
    const tangential = mean + Math.sqrt(Math.max(0, half * half + blocks[w + 5] * blocks[w + 7]));
    scales[2 * i] = blocks[w] > 0 ? 1 / blocks[w] : 0;
    scales[2 * i + 1] = tangential > 0 ? 1 / tangential : scales[2 * i];
  }
}

/** Writes F and D at the forces r and motion u, and |F|² to `out[0]`. Allocates nothing. */
export function evaluateContacts(
  out: Float64Array,
  values: Float64Array,
  slopes: Float64Array,
  problem: ConeProblem,
  forces: Float64Array,
  motion: Float64Array,
  scales: Float64Array,
): void {
  const { coefficient, count } = problem;
  let size = 0;
  for (let i = 0; i < count; i += 1) {
    const at = 3 * i;
    const d = BLOCK_STRIDE * i;
    for (let k = 0; k < BLOCK_STRIDE; k += 1) slopes[d + k] = 0;
    for (let axis = 0; axis < 3; axis += 1) values[at + axis] = forces[at + axis];
    const xn = forces[at] - scales[2 * i] * motion[at];
    if (scales[2 * i] > 0 && xn > 0) {
      // Written out: numbers handed to a call may go to the heap.
      const xt = forces[at + 1] - scales[2 * i + 1] * motion[at + 1];
      const xs = forces[at + 2] - scales[2 * i + 1] * motion[at + 2];
      const length = Math.sqrt(xt * xt + xs * xs);
      const radius = coefficient[i] * xn;
      const slips = length > radius;
      const k = slips ? radius / length : 1;
      const et = slips ? xt / length : 0;
      const es = slips ? xs / length : 0;
      values[at] -= xn;
      values[at + 1] -= slips ? radius * et : xt;
      values[at + 2] -= slips ? radius * es : xs;
      slopes[d] = 1;
      slopes[d + 3] = slips ? coefficient[i] * et : 0;
      slopes[d + 6] = slips ? coefficient[i] * es : 0;
      slopes[d + 4] = k * (1 - et * et);
      slopes[d + 5] = -k * et * es;
      slopes[d + 7] = -k * et * es;
      slopes[d + 8] = k * (1 - es * es);
    }
    size += values[at] * values[at] + values[at + 1] * values[at + 1] + values[at + 2] * values[at + 2];
  }
  out[0] = size;
}

/**
 * Writes J, with `regularisation` · D added, at the places that `places` gives for the blocks of the problem. It stands for
 * W + ε/ρ: where W is singular, as between contacts that do each other's work, it picks the shortest step.
 */
export function writeJacobian(
  out: Float64Array,
  places: Int32Array,
  slopes: Float64Array,
  problem: ConeProblem,
  scales: Float64Array,
  regularisation: number,
): void {
  const { blocks, count, rowStart } = problem;
  out.fill(0);
  for (let row = 0; row < count; row += 1) {
    const d = BLOCK_STRIDE * row;
    const scaleN = scales[2 * row];
    const scaleT = scales[2 * row + 1];
    for (let block = rowStart[row]; block < rowStart[row + 1]; block += 1) {
      const at = BLOCK_STRIDE * places[block];
      const w = BLOCK_STRIDE * block;
      for (let i = 0; i < 3; i += 1) {
        const n = slopes[d + 3 * i] * scaleN;
        const t = slopes[d + 3 * i + 1] * scaleT;
        const s = slopes[d + 3 * i + 2] * scaleT;
        for (let j = 0; j < 3; j += 1) {
          out[at + 3 * i + j] += n * blocks[w + j] + t * blocks[w + 3 + j] + s * blocks[w + 6 + j];
        }
      }
    }
    const at = BLOCK_STRIDE * places[problem.diagonal[row]];
    for (let k = 0; k < BLOCK_STRIDE; k += 1) out[at + k] += (regularisation - 1) * slopes[d + k];
    for (let k = 0; k < BLOCK_STRIDE; k += 4) out[at + k] += 1;
  }
}
