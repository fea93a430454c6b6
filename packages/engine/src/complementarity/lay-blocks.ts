import { PalpableError } from '../base/errors.js';
import { type ConeProblem, createConeProblem } from './cone-problem.js';
import { BLOCK_STRIDE } from './one-contact.js';

/** A matrix as single numbers with their places; those at one place add up. */
export interface MatrixEntries {
  readonly rows: ArrayLike<number>;
  readonly columns: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Far beyond what a cycle or a published collection holds, far below what exhausts the memory. */
const MAX_CONTACTS = 50_000;

/** A problem whose pattern holds the blocks in which W has numbers, and the diagonal. */
export function layBlocks(count: number, entries: MatrixEntries): ConeProblem {
  const blockOf = numberBlocks(count, entries);
  const problem = createConeProblem(count, blockOf.size);
  problem.count = count;
  for (const [key, block] of blockOf) {
    const row = Math.floor(key / count);
    problem.column[block] = key % count;
    problem.rowStart[row + 1] = Math.max(problem.rowStart[row + 1], block + 1);
    if (problem.column[block] === row) problem.diagonal[row] = block;
  }
  const { rows, columns, values } = entries;
  for (let i = 0; i < values.length; i += 1) {
    const block = blockOf.get(keyOf(count, rows[i], columns[i])) as number;
    problem.blocks[BLOCK_STRIDE * block + 3 * (rows[i] % 3) + (columns[i] % 3)] += values[i];
  }
  return problem;
}

/** From the key of a block to its number, in the order of rows, then columns. */
function numberBlocks(count: number, { rows, columns, values }: MatrixEntries): Map<number, number> {
  const keys = new Set<number>();
  for (let contact = 0; contact < count; contact += 1) keys.add(contact * count + contact);
  for (let i = 0; i < values.length; i += 1) keys.add(keyOf(count, rows[i], columns[i]));
  const sorted = Float64Array.from(keys).sort();
  const blockOf = new Map<number, number>();
  for (const key of sorted) blockOf.set(key, blockOf.size);
  return blockOf;
}

function keyOf(count: number, row: number, column: number): number {
  return Math.floor(row / 3) * count + Math.floor(column / 3);
}

/** Fills in μ and q; refuses what no problem can have. */
export function setContacts(problem: ConeProblem, coefficients: ArrayLike<number>, free: ArrayLike<number>): void {
  for (let i = 0; i < problem.count; i += 1) {
    if (!(coefficients[i] >= 0)) {
      const message = `Contact ${i} has a coefficient of friction of ${coefficients[i]}, expected 0 or above; correct it.`;
      throw new PalpableError('format-invalid', message, `contact ${i}`);
    }
    problem.coefficient[i] = coefficients[i];
  }
  for (let i = 0; i < 3 * problem.count; i += 1) problem.free[i] = free[i];
}

export function checkContactCount(count: number): void {
  if (count <= MAX_CONTACTS) return;
  const message = `The problem states ${count} contacts, more than the ${MAX_CONTACTS} that are read; split it.`;
  throw new PalpableError('too-large', message);
}
