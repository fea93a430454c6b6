import { CONTACT_DYNAMIC, CONTACT_STATIC, type FrictionProblem } from './friction-problem.js';

/**
 * The contacts that may carry static friction, in the six-dimensional form that the solvers work on.
 *
 * Torques are divided by the length of the tool and forces by R = Σ μ_i F_n,i, so that all numbers are near 1 whatever
 * the units of the problem: w' = S w / R, Δ' = S⁻¹ Δ, G' = S G, with S = diag(1, 1, 1, 1/L, 1/L, 1/L). A dual vector λ
 * becomes λ' = S⁻¹ λ, since λᵀw stays what it is.
 */
export interface ScaledContacts {
  /** Contacts with a disc of their own; others are left out. */
  count: number;
  /** Index in the problem of each. */
  readonly index: Int32Array;
  /** G'_i, twelve numbers each: the six of the u column, then the six of the v column. */
  readonly map: Float64Array;
  /** μ_i F_n,i / R; they sum to 1. */
  readonly radius: Float64Array;
  /** R, N; 0 when there is no friction at all. */
  totalRadius: number;
  /**
   * What each counts for in `square`: its radius. Without any friction all count the same, for they still say which
   * motions are tangential.
   */
  readonly weight: Float64Array;
  /** Σ weight_i G'_i G'_iᵀ, 6×6. */
  readonly square: Float64Array;
}

export function createScaledContacts(capacity: number): ScaledContacts {
  return {
    count: 0,
    index: new Int32Array(capacity),
    map: new Float64Array(12 * capacity),
    radius: new Float64Array(capacity),
    totalRadius: 0,
    weight: new Float64Array(capacity),
    square: new Float64Array(36),
  };
}

/** Takes the contacts that may hold; with `dynamicToo` also those that are declared dynamic. */
export function scaleContacts(scaled: ScaledContacts, problem: FrictionProblem, dynamicToo: boolean): void {
  collectDiscs(scaled, problem, dynamicToo);
  const perLength = 1 / problem.length;
  const { index, map } = scaled;
  const { arm, tangent } = problem;
  for (let n = 0; n < scaled.count; n += 1) {
    const contact = index[n];
    const rx = arm[3 * contact] * perLength;
    const ry = arm[3 * contact + 1] * perLength;
    const rz = arm[3 * contact + 2] * perLength;
    for (let side = 0; side < 2; side += 1) {
      const t = 6 * contact + 3 * side;
      const o = 12 * n + 6 * side;
      const tx = tangent[t];
      const ty = tangent[t + 1];
      const tz = tangent[t + 2];
      map[o] = tx;
      map[o + 1] = ty;
      map[o + 2] = tz;
      map[o + 3] = ry * tz - rz * ty;
      map[o + 4] = rz * tx - rx * tz;
      map[o + 5] = rx * ty - ry * tx;
    }
  }
  // Both columns of a contact have its weight.
  sumOuter(scaled.square, map, scaled.weight, 2 * scaled.count, 1);
}

function collectDiscs(scaled: ScaledContacts, problem: FrictionProblem, dynamicToo: boolean): void {
  const { coefficient, normalForce, role } = problem;
  let count = 0;
  let total = 0;
  for (let contact = 0; contact < problem.count; contact += 1) {
    if (role[contact] !== CONTACT_STATIC && !(dynamicToo && role[contact] === CONTACT_DYNAMIC)) continue;
    const radius = coefficient[contact] * normalForce[contact];
    scaled.index[count] = contact;
    scaled.radius[count] = radius;
    total += radius;
    count += 1;
  }
  scaled.count = count;
  scaled.totalRadius = total;
  const perTotal = total > 0 ? 1 / total : 0;
  for (let n = 0; n < count; n += 1) {
    scaled.radius[n] *= perTotal;
    scaled.weight[n] = total > 0 ? scaled.radius[n] : 1 / count;
  }
}

/**
 * Σ weight_c g_c g_cᵀ of `count` columns of six numbers, into `out` (6×6). Column c has the weight at `c >> shift`. The
 * sums are local variables, because that is more than twice as fast as adding to an array.
 */
export function sumOuter(
  out: Float64Array,
  columns: Float64Array,
  weights: Float64Array,
  count: number,
  shift: number,
): void {
  let s00 = 0;
  let s10 = 0;
  let s11 = 0;
  let s20 = 0;
  let s21 = 0;
  let s22 = 0;
  let s30 = 0;
  let s31 = 0;
  let s32 = 0;
  let s33 = 0;
  let s40 = 0;
  let s41 = 0;
  let s42 = 0;
  let s43 = 0;
  let s44 = 0;
  let s50 = 0;
  let s51 = 0;
  let s52 = 0;
  let s53 = 0;
  let s54 = 0;
  let s55 = 0;
  for (let column = 0; column < count; column += 1) {
    const weight = weights[column >> shift];
    const o = 6 * column;
    const g0 = columns[o];
    const g1 = columns[o + 1];
    const g2 = columns[o + 2];
    const g3 = columns[o + 3];
    const g4 = columns[o + 4];
    const g5 = columns[o + 5];
    const w0 = weight * g0;
    const w1 = weight * g1;
    const w2 = weight * g2;
    const w3 = weight * g3;
    const w4 = weight * g4;
    const w5 = weight * g5;
    s00 += w0 * g0;
    s10 += w1 * g0;
    s11 += w1 * g1;
    s20 += w2 * g0;
    s21 += w2 * g1;
    s22 += w2 * g2;
    s30 += w3 * g0;
    s31 += w3 * g1;
    s32 += w3 * g2;
    s33 += w3 * g3;
    s40 += w4 * g0;
    s41 += w4 * g1;
    s42 += w4 * g2;
    s43 += w4 * g3;
    s44 += w4 * g4;
    s50 += w5 * g0;
    s51 += w5 * g1;
    s52 += w5 * g2;
    s53 += w5 * g3;
    s54 += w5 * g4;
    s55 += w5 * g5;
  }
  out[0] = s00;
  out[6] = s10;
  out[7] = s11;
  out[12] = s20;
  out[13] = s21;
  out[14] = s22;
  out[18] = s30;
  out[19] = s31;
  out[20] = s32;
  out[21] = s33;
  out[24] = s40;
  out[25] = s41;
  out[26] = s42;
  out[27] = s43;
  out[28] = s44;
  out[30] = s50;
  out[31] = s51;
  out[32] = s52;
  out[33] = s53;
  out[34] = s54;
  out[35] = s55;
  mirrorLower(out);
}

/** Copies the lower half of a 6×6 matrix to the upper one. */
function mirrorLower(matrix: Float64Array): void {
  for (let i = 0; i < 6; i += 1) for (let j = 0; j < i; j += 1) matrix[6 * j + i] = matrix[6 * i + j];
}
