import { PalpableError } from '../base/errors.js';
import { BLOCK_STRIDE } from './one-contact.js';

/**
 * Contact with dry friction on the Delassus operator (Duriez et al., Eq. 14–21): find the forces r with
 *
 *   u = W r + q,   û = u + (μ|u_T|, 0, 0),   C* ∋ û ⊥ r ∈ C,   C = { |r_T| ≤ μ r_N }
 *
 * at every contact. Components are ordered normal, tangent 1, tangent 2; the normal pushes the bodies apart. What u is, a
 * velocity, or a gap and a motion since the start of the step, is up to the one who poses the problem.
 *
 * W is kept in 3×3 blocks by rows, so that one layout serves the full matrix of a cycle and the sparse one of a file. It
 * is symmetric and positive semidefinite when it comes from mechanics; the solvers that need this say so.
 */
export interface ConeProblem {
  /** Contacts at present, of at most `capacity`. */
  count: number;
  readonly capacity: number;
  /** Blocks of row α are `rowStart[α]` up to `rowStart[α + 1]`. */
  readonly rowStart: Int32Array;
  /** Column β of each block. */
  readonly column: Int32Array;
  /** 9 numbers per block, row by row. */
  readonly blocks: Float64Array;
  /** Index of the block αα of each row. */
  readonly diagonal: Int32Array;
  /** q: what u would be without contact forces. */
  readonly free: Float64Array;
  /** μ */
  readonly coefficient: Float64Array;
  /** The count for which `layDense` has laid the pattern, or −1 for any other pattern. */
  laidDense: number;
}

/** Room for `capacity` contacts and `blockCapacity` blocks, by default all pairs. */
export function createConeProblem(capacity: number, blockCapacity = capacity * capacity): ConeProblem {
  if (!Number.isSafeInteger(capacity) || capacity < 0) {
    const message = `A contact problem has capacity ${capacity}; give a whole number of contacts, 0 or above.`;
    throw new PalpableError('option-invalid', message, 'capacity');
  }
  return {
    count: 0,
    capacity,
    rowStart: new Int32Array(capacity + 1),
    column: new Int32Array(blockCapacity),
    blocks: new Float64Array(BLOCK_STRIDE * blockCapacity),
    diagonal: new Int32Array(capacity),
    free: new Float64Array(3 * capacity),
    coefficient: new Float64Array(capacity),
    laidDense: -1,
  };
}

/**
 * Lays the full pattern for `count` contacts: block (α, β) is then number α·count + β. Values stay as they are. Nothing
 * is done when the pattern is there already. More contacts than there is room for are left out.
 */
export function layDense(problem: ConeProblem, count: number): void {
  const { capacity, column, diagonal, rowStart } = problem;
  let fitting = Math.min(count, capacity);
  while (fitting * fitting > column.length) fitting -= 1;
  problem.count = fitting;
  if (problem.laidDense === fitting) return;
  problem.laidDense = fitting;
  for (let row = 0; row < fitting; row += 1) {
    rowStart[row] = row * fitting;
    diagonal[row] = row * fitting + row;
    for (let other = 0; other < fitting; other += 1) column[row * fitting + other] = other;
  }
  rowStart[fitting] = fitting * fitting;
}

/** Writes u = W r + q: the motion of the contacts under the forces r. */
export function writeContactMotion(motion: Float64Array, problem: ConeProblem, forces: Float64Array): void {
  for (let row = 0; row < problem.count; row += 1) writeMotionOf(motion, problem, forces, row);
}

/** u of one contact, at its place in `motion`. */
export function writeMotionOf(motion: Float64Array, problem: ConeProblem, forces: Float64Array, contact: number): void {
  const { blocks, column, free, rowStart } = problem;
  let n = free[3 * contact];
  let t = free[3 * contact + 1];
  let s = free[3 * contact + 2];
  for (let block = rowStart[contact]; block < rowStart[contact + 1]; block += 1) {
    const f = 3 * column[block];
    const w = BLOCK_STRIDE * block;
    const fn = forces[f];
    const ft = forces[f + 1];
    const fs = forces[f + 2];
    // Most contacts of a cycle are near and carry nothing: the cost is that of those which do.
    if (fn === 0 && ft === 0 && fs === 0) continue;
    n += blocks[w] * fn + blocks[w + 1] * ft + blocks[w + 2] * fs;
    t += blocks[w + 3] * fn + blocks[w + 4] * ft + blocks[w + 5] * fs;
    s += blocks[w + 6] * fn + blocks[w + 7] * ft + blocks[w + 8] * fs;
  }
  motion[3 * contact] = n;
  motion[3 * contact + 1] = t;
  motion[3 * contact + 2] = s;
}
