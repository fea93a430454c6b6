import type { Arena } from '../kernels/arena.js';
import { evenCount, mapAt } from './pair-layout.js';
import type { ScaledContacts } from './scaled-contacts.js';

/** Numbers that a sum of outer products takes: its 21 entries on and below the diagonal, twice while they are summed. */
export const LOWER_SUMS = 42;

/** Columns of six numbers, and their weights: those of the even or the odd contacts. None where kernels sum. */
export interface ColumnScratch {
  readonly columns: Float64Array;
  readonly weights: Float64Array;
}

/** For as many contacts, both columns of each. */
export function createColumnScratch({ kernels }: Arena, contacts: number): ColumnScratch {
  const count = kernels ? 0 : evenCount(contacts);
  return { columns: new Float64Array(6 * count), weights: new Float64Array(count) };
}

/** Σ weight_i G'_i G'_iᵀ into `square`. */
export function sumSquare(scaled: ScaledContacts): void {
  const { arena, lower, map, weight, square, count } = scaled;
  const pairs = (count + 1) >> 1;
  if (arena.kernels) arena.kernels.sumSquare(map.byteOffset, weight.byteOffset, lower.byteOffset, pairs);
  else sumSquareReference(scaled);
  writeSymmetric(square, lower);
}

function sumSquareReference({ lower, map, weight, count, scratch }: ScaledContacts): void {
  const { columns, weights } = scratch;
  lower.fill(0);
  for (let lane = 0; lane < 2; lane += 1) {
    let size = 0;
    for (let n = lane; n < count; n += 2) {
      const o = mapAt(n);
      for (let e = 0; e < 12; e += 1) columns[6 * size + e] = map[o + 2 * e];
      weights[size] = weight[n];
      weights[size + 1] = weight[n];
      size += 2;
    }
    addOuter(lower, scratch, size);
  }
}

/** The whole 6×6 matrix of its lower half. */
export function writeSymmetric(out: Float64Array, lower: Float64Array): void {
  let entry = 0;
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      out[6 * i + j] = lower[entry];
      out[6 * j + i] = lower[entry];
      entry += 1;
    }
  }
}

/**
 * Adds Σ weight_c g_c g_cᵀ of `count` columns. The sums are local variables, because that is more than twice as fast as
 * adding to an array.
 */
export function addOuter(lower: Float64Array, { columns, weights }: ColumnScratch, count: number): void {
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
    const weight = weights[column];
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
  lower[0] += s00;
  lower[1] += s10;
  lower[2] += s11;
  lower[3] += s20;
  lower[4] += s21;
  lower[5] += s22;
  lower[6] += s30;
  lower[7] += s31;
  lower[8] += s32;
  lower[9] += s33;
  lower[10] += s40;
  lower[11] += s41;
  lower[12] += s42;
  lower[13] += s43;
  lower[14] += s44;
  lower[15] += s50;
  lower[16] += s51;
  lower[17] += s52;
  lower[18] += s53;
  lower[19] += s54;
  lower[20] += s55;
}
