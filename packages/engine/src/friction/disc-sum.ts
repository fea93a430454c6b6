import { cosOf, sinOf, tanOf } from '../math/portable.js';
import { LOWER_SUMS, writeSymmetric } from './column-sums.js';
import {
  countRims,
  evaluateDiscs,
  findArguments,
  findPull,
  holdNearest,
  projectOnPolygon,
  sumRims,
} from './disc-sum-reference.js';
import { evenCount, twoAt } from './pair-layout.js';
import type { ScaledContacts } from './scaled-contacts.js';

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
 * One pass over the contacts for value and gradient, one over those outside P for the Hessian. Both run in kernels where
 * there are any; `disc-sum-reference.ts` has the same operations in the same order.
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
  /** y / ε. */
  readonly direction: Float64Array;
  /**
   * q_i, two numbers per contact, by pairs (`twoAt`): s_i / ε + q_i is projected instead of s_i / ε. Zero but for
   * multiplier steps, and always after an odd last contact.
   */
  readonly shift: Float64Array;
  /** s_i / ε + q_i and p_i, in the same order. */
  readonly argument: Float64Array;
  readonly nearest: Float64Array;
  /** 0 inside P, 1 on its rim; for a polygon 2 at a corner. */
  readonly rim: Float64Array;
  /** For the disc p_i is this times the argument. */
  readonly scale: Float64Array;
  /** Σ r_i G_i p_i. */
  readonly pull: Float64Array;
  /** In order: ε Σ r_i h_i, and Σ r_i σ_P(s_i). */
  readonly sums: Float64Array;
  /** The sum of the Hessian, its lower half. */
  readonly lower: Float64Array;
  /** Addresses of these arrays, for kernels. */
  readonly table: number;
}

export const SUM_POTENTIAL = 0;
export const SUM_SUPPORT = 1;

/** Arrays of a sum in the arena, and numbers in them for so many contacts. */
export const SUM_ARRAYS = 10;
export function sumNumbers(capacity: number): number {
  return 8 * evenCount(capacity) + LOWER_SUMS + 14;
}

export function createDiscSum(contacts: ScaledContacts, sides: number): DiscSum {
  const { arena, map, radius } = contacts;
  const sideNormals = new Float64Array(2 * sides);
  for (let j = 0; j < sides; j += 1) {
    const angle = ((2 * j + 1) * Math.PI) / sides;
    sideNormals[2 * j] = cosOf(angle);
    sideNormals[2 * j + 1] = sinOf(angle);
  }
  const shift = arena.floats(2 * radius.length);
  const argument = arena.floats(2 * radius.length);
  const nearest = arena.floats(2 * radius.length);
  const rim = arena.floats(radius.length);
  const scale = arena.floats(radius.length);
  const direction = arena.floats(6);
  const pull = arena.floats(6);
  const sums = arena.floats(2);
  const lower = arena.floats(LOWER_SUMS);
  return {
    contacts,
    sides,
    sideNormals,
    halfSide: sides > 0 ? tanOf(Math.PI / sides) : 0,
    width: Float64Array.of(1),
    direction,
    shift,
    argument,
    nearest,
    rim,
    scale,
    pull,
    sums,
    lower,
    table: arena.table([map, radius, shift, argument, nearest, rim, direction, pull, sums, lower, scale]),
  };
}

/** To be called when the contacts have changed: after an odd last one comes one of zeros. */
export function takeContacts({ contacts, shift, nearest, rim }: DiscSum): void {
  const { count } = contacts;
  if (count % 2 === 0) return;
  const at = twoAt(count);
  rim[count] = 0;
  for (let side = 0; side < 4; side += 2) {
    shift[at + side] = 0;
    nearest[at + side] = 0;
  }
}

/** Evaluates the sum over the contacts at y: `argument`, `nearest`, `rim`, `pull` and `sums`. */
export function evaluateSum(sum: DiscSum, y: Float64Array): void {
  const { contacts, sides, sums, width, table } = sum;
  const { kernels } = contacts.arena;
  if (sides > 0) {
    takeArguments(sum, y);
    projectOnPolygon(sum);
    sumPull(sum);
  } else {
    writeDirection(sum, y);
    if (kernels) kernels.evaluateDiscs(table, pairsOf(contacts));
    else evaluateDiscs(sum);
  }
  sums[SUM_POTENTIAL] *= width[0];
  sums[SUM_SUPPORT] *= width[0];
}

/**
 * The same with every contact kept where it was, inside P or on the rim, whatever its argument is now; `rim` and `sums`
 * stay as they are. For the first step of Newton's iteration this is the better model of f when the width has just become
 * smaller, or contacts have moved a little: either would throw those that stick out of P, all at once.
 */
export function evaluateHeld(sum: DiscSum, y: Float64Array): void {
  const { contacts, sides, table } = sum;
  const { kernels } = contacts.arena;
  if (kernels && sides === 0) {
    writeDirection(sum, y);
    kernels.evaluateHeldDiscs(table, pairsOf(contacts));
    return;
  }
  takeArguments(sum, y);
  holdNearest(sum);
  sumPull(sum);
}

/** s_i / ε of every contact, shifted: `argument` alone. */
export function takeArguments(sum: DiscSum, y: Float64Array): void {
  const { kernels } = sum.contacts.arena;
  writeDirection(sum, y);
  if (kernels) kernels.takeArguments(sum.table, pairsOf(sum.contacts));
  else findArguments(sum);
}

function writeDirection({ direction, width }: DiscSum, y: Float64Array): void {
  const perWidth = 1 / width[0];
  for (let i = 0; i < 6; i += 1) direction[i] = y[i] * perWidth;
}

function pairsOf({ count }: ScaledContacts): number {
  return (count + 1) >> 1;
}

function sumPull(sum: DiscSum): void {
  const { kernels } = sum.contacts.arena;
  if (kernels) kernels.sumPull(sum.table, pairsOf(sum.contacts));
  else findPull(sum);
}

/**
 * Hessian of the sum where it was last evaluated, into `out` (6×6): Σ r_i G_i H_i G_iᵀ / ε. H_i is 1 inside P. On the rim
 * it is c t tᵀ, with t the direction along the rim: c is 1 / |s_i / ε| for the disc, 1 on the side of a polygon, 0 at its
 * corners. While few are on the rim, what they lack is taken away from the sum for "all inside".
 */
export function sumHessian(out: Float64Array, sum: DiscSum): void {
  const { contacts, width, lower, table, sides } = sum;
  const { arena, count, square } = contacts;
  const rimCount = arena.kernels ? arena.kernels.countRims(table, pairsOf(contacts)) : countRims(sum);
  // A contact inside has two columns, one on the rim has one, and lacks two.
  const isLacking = 2 * rimCount <= rimCount + 2 * (count - rimCount);
  if (arena.kernels) arena.kernels.sumRims(table, pairsOf(contacts), sides > 0 ? 1 : 0, isLacking ? 1 : 0);
  else sumRims(sum, isLacking);
  writeSymmetric(out, lower);
  const scale = 1 / width[0];
  for (let e = 0; e < 36; e += 1) out[e] = scale * (isLacking ? square[e] - out[e] : out[e]);
}
