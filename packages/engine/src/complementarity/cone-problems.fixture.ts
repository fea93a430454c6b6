import type { RandomSource } from '../base/random.js';
import { type ConeProblem, createConeProblem, layDense } from './cone-problem.js';
import { BLOCK_STRIDE } from './one-contact.js';

/** How a sample is made. */
export interface ConeSample {
  readonly contacts: number;
  /** Directions in which the body that carries all contacts can move; fewer than 3 per contact make W singular. */
  readonly freedoms: number;
  /** μ, the same at all contacts. */
  readonly coefficient: number;
}

/**
 * A body of many freedoms falls on contacts whose normals share a direction, so that a solution exists: W = H Hᵀ with
 * random H, q = H v. Full pattern.
 */
export function sampleConeProblem(random: RandomSource, sample: ConeSample): ConeProblem {
  const { coefficient, contacts, freedoms } = sample;
  const signed = () => 2 * random() - 1;
  const lever = Float64Array.from({ length: 3 * contacts * freedoms }, signed);
  // Every contact opens along the first freedom.
  for (let i = 0; i < contacts; i += 1) lever[3 * i * freedoms] = 1 + random();
  const speed = Float64Array.from({ length: freedoms }, (_, k) => (k === 0 ? -1 : 0.5 * signed()));
  const problem = createConeProblem(contacts);
  layDense(problem, contacts);
  problem.coefficient.fill(coefficient);
  for (let row = 0; row < 3 * contacts; row += 1) {
    problem.free[row] = dotRows(lever, row * freedoms, speed, 0, freedoms);
    for (let column = 0; column < 3 * contacts; column += 1) {
      const block = Math.floor(row / 3) * contacts + Math.floor(column / 3);
      const at = BLOCK_STRIDE * block + 3 * (row % 3) + (column % 3);
      problem.blocks[at] = dotRows(lever, row * freedoms, lever, column * freedoms, freedoms);
    }
  }
  return problem;
}

function dotRows(a: Float64Array, aAt: number, b: Float64Array, bAt: number, n: number): number {
  let sum = 0;
  for (let k = 0; k < n; k += 1) sum += a[aAt + k] * b[bAt + k];
  return sum;
}
