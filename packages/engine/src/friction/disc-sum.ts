import { cosOf, sinOf, tanOf } from '../math/portable.js';
import { type ScaledContacts, sumOuter } from './scaled-contacts.js';

/**
 * The function that both the static test and the quadratic program minimise, with its derivatives:
 *
 *   f(y) = ½ yᵀA y − yᵀb + ε Σ r_i h(s_i / ε),   s_i = G_iᵀ y,   h(s) = ½|s|² − ½ dist(s, P)²
 *
 * P is the unit disc, or a regular polygon around it (Zhao, Eq. 13: it circumscribes the disc). h is Huber's function:
 * the square inside P, the support function σ_P of P minus a constant far outside. Its gradient is the point p_i of P
 * next to s_i / ε, so that p_i is a friction force in units of r_i. Limit cases: A = 0 and ε = 1 give the force of least
 * Σ |β_i|²/(2 r_i) that balances b; ε → 0 turns ε h into σ_P, which is maximal dissipation.
 *
 * One pass over the contacts for value and gradient, one over those outside P for the Hessian.
 */
export interface DiscSum {
  readonly contacts: ScaledContacts;
  /** 0 for the disc. */
  readonly sides: number;
  /** Normals of the polygon's sides, x and y each. */
  readonly sideNormals: Float64Array;
  /** Half the length of a side. */
  readonly halfSide: number;
  /** ε, in the first place, so that a number that changes is not a boxed one. */
  readonly width: Float64Array;
  /** q_i, two numbers per contact: s_i / ε + q_i is projected instead of s_i / ε. Zero but for multiplier steps. */
  readonly shift: Float64Array;
  /** s_i / ε + q_i and p_i, two numbers per contact. */
  readonly argument: Float64Array;
  readonly nearest: Float64Array;
  /** 0 inside P, 1 on its rim; for a polygon 2 at a corner. */
  readonly rim: Uint8Array;
  /** Σ r_i G_i p_i. */
  readonly pull: Float64Array;
  /** In order: ε Σ r_i h_i, and Σ r_i σ_P(s_i). */
  readonly sums: Float64Array;
  /** For the Hessian: columns of six numbers, with their weights. */
  readonly columns: Float64Array;
  readonly weights: Float64Array;
}

export const SUM_POTENTIAL = 0;
export const SUM_SUPPORT = 1;

export function createDiscSum(contacts: ScaledContacts, sides: number): DiscSum {
  const capacity = contacts.radius.length;
  const sideNormals = new Float64Array(2 * sides);
  for (let j = 0; j < sides; j += 1) {
    const angle = ((2 * j + 1) * Math.PI) / sides;
    sideNormals[2 * j] = cosOf(angle);
    sideNormals[2 * j + 1] = sinOf(angle);
  }
  return {
    contacts,
    sides,
    sideNormals,
    halfSide: sides > 0 ? tanOf(Math.PI / sides) : 0,
    width: Float64Array.of(1),
    shift: new Float64Array(2 * capacity),
    argument: new Float64Array(2 * capacity),
    nearest: new Float64Array(2 * capacity),
    rim: new Uint8Array(capacity),
    pull: new Float64Array(6),
    sums: new Float64Array(2),
    columns: new Float64Array(12 * capacity),
    weights: new Float64Array(2 * capacity),
  };
}

/** Evaluates the sum over the contacts at y: `argument`, `nearest`, `rim`, `pull` and `sums`. */
export function evaluateSum(sum: DiscSum, y: Float64Array): void {
  if (sum.sides === 0) {
    evaluateDiscs(sum, y);
    return;
  }
  takeArguments(sum, y);
  projectOnPolygon(sum);
  sumPull(sum);
}

/**
 * The same with every contact kept where it was, inside P or on the rim, whatever its argument is now; `rim` and `sums`
 * stay as they are. For the first step of Newton's iteration this is the better model of f when the width has just become
 * smaller, or contacts have moved a little: either would throw those that stick out of P, all at once.
 */
export function evaluateHeld(sum: DiscSum, y: Float64Array): void {
  takeArguments(sum, y);
  const { contacts, argument, nearest, rim, sides } = sum;
  for (let n = 0; n < contacts.count; n += 1) {
    // On a polygon the point stays the same.
    if (rim[n] !== 0 && sides > 0) continue;
    const u = argument[2 * n];
    const v = argument[2 * n + 1];
    const scale = rim[n] === 0 ? 1 : 1 / Math.sqrt(u * u + v * v);
    nearest[2 * n] = scale * u;
    nearest[2 * n + 1] = scale * v;
  }
  sumPull(sum);
}

/** s_i / ε of every contact, shifted: `argument` alone. */
export function takeArguments({ contacts, argument, shift, width }: DiscSum, y: Float64Array): void {
  const { map, count } = contacts;
  const scale = 1 / width[0];
  const y0 = y[0] * scale;
  const y1 = y[1] * scale;
  const y2 = y[2] * scale;
  const y3 = y[3] * scale;
  const y4 = y[4] * scale;
  const y5 = y[5] * scale;
  for (let n = 0; n < 2 * count; n += 1) {
    const o = 6 * n;
    argument[n] =
      shift[n] + map[o] * y0 + map[o + 1] * y1 + map[o + 2] * y2 + map[o + 3] * y3 + map[o + 4] * y4 + map[o + 5] * y5;
  }
}

/** For the disc all in one pass: what is read of a contact once serves for its argument and for its pull. */
function evaluateDiscs({ contacts, argument, nearest, shift, rim, width, pull, sums }: DiscSum, y: Float64Array): void {
  const { map, radius, count } = contacts;
  const perWidth = 1 / width[0];
  const y0 = y[0] * perWidth;
  const y1 = y[1] * perWidth;
  const y2 = y[2] * perWidth;
  const y3 = y[3] * perWidth;
  const y4 = y[4] * perWidth;
  const y5 = y[5] * perWidth;
  let potential = 0;
  let support = 0;
  let f0 = 0;
  let f1 = 0;
  let f2 = 0;
  let f3 = 0;
  let f4 = 0;
  let f5 = 0;
  for (let n = 0; n < count; n += 1) {
    const o = 12 * n;
    const a0 = map[o];
    const a1 = map[o + 1];
    const a2 = map[o + 2];
    const a3 = map[o + 3];
    const a4 = map[o + 4];
    const a5 = map[o + 5];
    const b0 = map[o + 6];
    const b1 = map[o + 7];
    const b2 = map[o + 8];
    const b3 = map[o + 9];
    const b4 = map[o + 10];
    const b5 = map[o + 11];
    const u = shift[2 * n] + a0 * y0 + a1 * y1 + a2 * y2 + a3 * y3 + a4 * y4 + a5 * y5;
    const v = shift[2 * n + 1] + b0 * y0 + b1 * y1 + b2 * y2 + b3 * y3 + b4 * y4 + b5 * y5;
    const r = radius[n];
    const square = u * u + v * v;
    const length = Math.sqrt(square);
    let pu = u;
    let pv = v;
    support += r * length;
    if (square <= 1) {
      rim[n] = 0;
      potential += r * 0.5 * square;
    } else {
      pu /= length;
      pv /= length;
      rim[n] = 1;
      potential += r * (length - 0.5);
    }
    argument[2 * n] = u;
    argument[2 * n + 1] = v;
    nearest[2 * n] = pu;
    nearest[2 * n + 1] = pv;
    const ru = r * pu;
    const rv = r * pv;
    f0 += ru * a0 + rv * b0;
    f1 += ru * a1 + rv * b1;
    f2 += ru * a2 + rv * b2;
    f3 += ru * a3 + rv * b3;
    f4 += ru * a4 + rv * b4;
    f5 += ru * a5 + rv * b5;
  }
  pull[0] = f0;
  pull[1] = f1;
  pull[2] = f2;
  pull[3] = f3;
  pull[4] = f4;
  pull[5] = f5;
  sums[SUM_POTENTIAL] = width[0] * potential;
  sums[SUM_SUPPORT] = width[0] * support;
}

function projectOnPolygon(sum: DiscSum): void {
  const { contacts, argument, nearest, rim, width, sums, sides, sideNormals, halfSide } = sum;
  const { radius, count } = contacts;
  let potential = 0;
  let support = 0;
  for (let n = 0; n < count; n += 1) {
    const u = argument[2 * n];
    const v = argument[2 * n + 1];
    let nearestSide = 0;
    let height = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < sides; j += 1) {
      const along = sideNormals[2 * j] * u + sideNormals[2 * j + 1] * v;
      if (along > height) {
        height = along;
        nearestSide = j;
      }
    }
    const nu = sideNormals[2 * nearestSide];
    const nv = sideNormals[2 * nearestSide + 1];
    const across = nu * v - nv * u;
    support += radius[n] * (height + Math.abs(across) * halfSide);
    let pu = u;
    let pv = v;
    let state = 0;
    if (height > 1) {
      let along = across;
      state = 1;
      if (across > halfSide) {
        along = halfSide;
        state = 2;
      } else if (across < -halfSide) {
        along = -halfSide;
        state = 2;
      }
      pu = nu - along * nv;
      pv = nv + along * nu;
    }
    nearest[2 * n] = pu;
    nearest[2 * n + 1] = pv;
    rim[n] = state;
    const du = u - pu;
    const dv = v - pv;
    potential += radius[n] * 0.5 * (u * u + v * v - du * du - dv * dv);
  }
  sums[SUM_POTENTIAL] = width[0] * potential;
  sums[SUM_SUPPORT] = width[0] * support;
}

function sumPull({ contacts, nearest, pull }: DiscSum): void {
  const { map, radius, count } = contacts;
  let f0 = 0;
  let f1 = 0;
  let f2 = 0;
  let f3 = 0;
  let f4 = 0;
  let f5 = 0;
  for (let n = 0; n < count; n += 1) {
    const o = 12 * n;
    const u = radius[n] * nearest[2 * n];
    const v = radius[n] * nearest[2 * n + 1];
    f0 += u * map[o] + v * map[o + 6];
    f1 += u * map[o + 1] + v * map[o + 7];
    f2 += u * map[o + 2] + v * map[o + 8];
    f3 += u * map[o + 3] + v * map[o + 9];
    f4 += u * map[o + 4] + v * map[o + 10];
    f5 += u * map[o + 5] + v * map[o + 11];
  }
  pull[0] = f0;
  pull[1] = f1;
  pull[2] = f2;
  pull[3] = f3;
  pull[4] = f4;
  pull[5] = f5;
}

/**
 * Hessian of the sum where it was last evaluated, into `out` (6×6): Σ r_i G_i H_i G_iᵀ / ε. H_i is 1 inside P. On the rim
 * it is c t tᵀ, with t the direction along the rim: c is 1 / |s_i / ε| for the disc, 1 on the side of a polygon, 0 at its
 * corners. While few are on the rim, what they lack is taken away from the sum for "all inside".
 */
export function sumHessian(out: Float64Array, sum: DiscSum): void {
  const { contacts, rim, width, columns, weights } = sum;
  const { count, square } = contacts;
  let rimCount = 0;
  for (let n = 0; n < count; n += 1) if (rim[n] !== 0) rimCount += 1;
  // A contact inside has two columns, one on the rim has one, and lacks two.
  const fromAll = 2 * rimCount <= rimCount + 2 * (count - rimCount);
  const columnCount = fromAll ? writeLacking(sum) : writePresent(sum);
  sumOuter(out, columns, weights, columnCount, 0);
  const scale = 1 / width[0];
  for (let e = 0; e < 36; e += 1) out[e] = scale * (fromAll ? square[e] - out[e] : out[e]);
}

/** Of contacts inside both columns, of those on the rim the one along it. Returns how many. */
function writePresent(sum: DiscSum): number {
  const { contacts, rim, columns, weights } = sum;
  const { map, radius, count } = contacts;
  let column = 0;
  for (let n = 0; n < count; n += 1) {
    if (rim[n] === 2) continue;
    if (rim[n] === 1) {
      writeRimColumns(sum, n, column, false);
      column += 1;
      continue;
    }
    for (let e = 0; e < 12; e += 1) columns[6 * column + e] = map[12 * n + e];
    weights[column] = radius[n];
    weights[column + 1] = radius[n];
    column += 2;
  }
  return column;
}

/** Of contacts on the rim: 1 − c along it and 1 across. Returns how many columns. */
function writeLacking(sum: DiscSum): number {
  const { contacts, rim, columns, weights } = sum;
  const { map, radius, count } = contacts;
  let column = 0;
  for (let n = 0; n < count; n += 1) {
    if (rim[n] === 0) continue;
    if (rim[n] === 1) writeRimColumns(sum, n, column, true);
    else {
      for (let e = 0; e < 12; e += 1) columns[6 * column + e] = map[12 * n + e];
      weights[column] = radius[n];
      weights[column + 1] = radius[n];
    }
    column += 2;
  }
  return column;
}

/** The column of contact n along the rim, weighted by r c; if `lacking` by r (1 − c), with the one across after it. */
function writeRimColumns(sum: DiscSum, n: number, column: number, lacking: boolean): void {
  const { contacts, argument, nearest, sides, columns, weights } = sum;
  const { map, radius } = contacts;
  // Across the rim: towards s, from P's nearest point to it.
  let nu = argument[2 * n];
  let nv = argument[2 * n + 1];
  if (sides > 0) {
    nu -= nearest[2 * n];
    nv -= nearest[2 * n + 1];
  }
  const perLength = 1 / Math.sqrt(nu * nu + nv * nv);
  const along = sides > 0 ? 1 : perLength;
  nu *= perLength;
  nv *= perLength;
  const from = 12 * n;
  const to = 6 * column;
  for (let e = 0; e < 6; e += 1) columns[to + e] = nu * map[from + 6 + e] - nv * map[from + e];
  weights[column] = radius[n] * (lacking ? 1 - along : along);
  if (!lacking) return;
  for (let e = 0; e < 6; e += 1) columns[to + 6 + e] = nu * map[from + e] + nv * map[from + 6 + e];
  weights[column + 1] = radius[n];
}
