import { isPositiveDefinite, symmetricEigen } from '../math/linear-algebra.js';

/**
 * By what a displacement is measured when friction dissipates the most it can, the D of Zhao, Li, Barbič, Eq. 28:
 *
 * - `stiffness`: D = −½(K + Kᵀ). The multiplier of Eq. 32, λ = −K⁻ᵀDΔ, is then Δ itself (exactly, for a symmetric K), so
 *   that friction, which opposes G_iᵀλ, opposes the slip G_iᵀΔ; and where friction holds, Δ slips nowhere;
 * - `mass`: D = diag(M, I), as printed. Mass has no part in an equilibrium, and λ points elsewhere than Δ: a block that is
 *   spun while it is dragged feels eight times the friction along its path. Kept for comparison with the paper.
 */
export type FrictionMetric = 'stiffness' | 'mass';

/** Part of the mean stiffness that D has at least in every direction: a tool that would topple has less than none. */
const LEAST_STIFFNESS = 1e-6;

/** Matrices that `writeStiffnessMetric` works on, 6×6 each. */
export interface MetricWorkspace {
  readonly matrix: Float64Array;
  readonly vectors: Float64Array;
}

export function createMetricWorkspace(): MetricWorkspace {
  return { matrix: new Float64Array(36), vectors: new Float64Array(36) };
}

/**
 * Writes D = −½(K + Kᵀ), 6×6, with eigenvalues raised to the least that counts. `stiffness` (K) has torques and angles
 * divided by a length, so that all its entries have one unit.
 */
export function writeStiffnessMetric(
  out: Float64Array,
  stiffness: Float64Array,
  { matrix, vectors }: MetricWorkspace,
): void {
  let trace = 0;
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 6; j += 1) out[6 * i + j] = -0.5 * (stiffness[6 * i + j] + stiffness[6 * j + i]);
    trace += Math.abs(out[7 * i]);
  }
  const least = (LEAST_STIFFNESS * trace) / 6;
  for (let e = 0; e < 36; e += 1) matrix[e] = out[e];
  for (let i = 0; i < 6; i += 1) matrix[7 * i] -= least;
  if (isPositiveDefinite(matrix, 6)) return;
  for (let e = 0; e < 36; e += 1) matrix[e] = out[e];
  symmetricEigen(vectors, matrix, 6);
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 6; j += 1) {
      let sum = 0;
      for (let k = 0; k < 6; k += 1) sum += Math.max(least, matrix[7 * k]) * vectors[6 * i + k] * vectors[6 * j + k];
      out[6 * i + j] = sum;
    }
  }
}
