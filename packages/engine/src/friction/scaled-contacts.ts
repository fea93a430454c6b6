import { type Arena, createArena } from '../kernels/arena.js';
import { type ColumnScratch, createColumnScratch, LOWER_SUMS, sumSquare } from './column-sums.js';
import { CONTACT_DYNAMIC, CONTACT_STATIC, type FrictionProblem } from './friction-problem.js';
import { evenCount, mapAt } from './pair-layout.js';

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
  /**
   * G'_i, twelve numbers each: the six of the u column, then the six of the v column. Two contacts make a pair whose
   * numbers take turns (`mapAt`). After an odd last contact comes one of nothing but zeros, without weight.
   */
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
  /** Where all that is summed over the contacts lies. */
  readonly arena: Arena;
  /** The lower half of `square`, row by row. */
  readonly lower: Float64Array;
  readonly scratch: ColumnScratch;
}

/** With so much more room in the arena, for sums over these contacts. */
export function createScaledContacts(capacity: number, numbers: number, arrays: number): ScaledContacts {
  const even = evenCount(capacity);
  const arena = createArena(14 * even + LOWER_SUMS + numbers, 4 + arrays);
  return {
    count: 0,
    index: new Int32Array(capacity),
    map: arena.floats(12 * even),
    radius: arena.floats(even),
    totalRadius: 0,
    weight: arena.floats(even),
    square: new Float64Array(36),
    arena,
    lower: arena.floats(LOWER_SUMS),
    scratch: createColumnScratch(arena, even),
  };
}

/** Takes the contacts that may hold; with `dynamicToo` also those that are declared dynamic. */
export function scaleContacts(scaled: ScaledContacts, problem: FrictionProblem, dynamicToo: boolean): void {
  const perLength = 1 / problem.length;
  const { index, map, radius, weight } = scaled;
  const { arm, tangent, coefficient, normalForce, role } = problem;
  const all = problem.count;
  let count = 0;
  let total = 0;
  for (let contact = 0; contact < all; contact += 1) {
    if (role[contact] !== CONTACT_STATIC && !(dynamicToo && role[contact] === CONTACT_DYNAMIC)) continue;
    const bound = coefficient[contact] * normalForce[contact];
    index[count] = contact;
    radius[count] = bound;
    total += bound;
    const a = 3 * contact;
    const rx = arm[a] * perLength;
    const ry = arm[a + 1] * perLength;
    const rz = arm[a + 2] * perLength;
    const t = 6 * contact;
    const ux = tangent[t];
    const uy = tangent[t + 1];
    const uz = tangent[t + 2];
    const vx = tangent[t + 3];
    const vy = tangent[t + 4];
    const vz = tangent[t + 5];
    const o = mapAt(count);
    map[o] = ux;
    map[o + 2] = uy;
    map[o + 4] = uz;
    map[o + 6] = ry * uz - rz * uy;
    map[o + 8] = rz * ux - rx * uz;
    map[o + 10] = rx * uy - ry * ux;
    map[o + 12] = vx;
    map[o + 14] = vy;
    map[o + 16] = vz;
    map[o + 18] = ry * vz - rz * vy;
    map[o + 20] = rz * vx - rx * vz;
    map[o + 22] = rx * vy - ry * vx;
    count += 1;
  }
  scaled.count = count;
  scaled.totalRadius = total;
  const perTotal = total > 0 ? 1 / total : 0;
  const even = total > 0 ? 0 : 1 / count;
  for (let n = 0; n < count; n += 1) {
    radius[n] *= perTotal;
    weight[n] = total > 0 ? radius[n] : even;
  }
  if (count % 2 === 1) {
    radius[count] = 0;
    weight[count] = 0;
    for (let e = 0; e < 24; e += 2) map[mapAt(count) + e] = 0;
  }
  sumSquare(scaled);
}
