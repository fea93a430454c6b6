import { PalpableError } from '../base/errors.js';
import { cosOf, sinOf } from '../math/portable.js';
import type { ConeProblem } from './cone-problem.js';
import { coneResidual } from './cone-residual.js';
import { splitGroups } from './contact-groups.js';
import { type LcpOutcome, type LcpProblem, solveLcp } from './lcp.js';
import { BLOCK_STRIDE } from './one-contact.js';

/**
 * Contact as a linear complementarity problem: without friction (Duriez et al., section 3.4), and with pyramids of k sides
 * (Eq. 22–24). A pyramid is **inscribed** in the cone: its edges n + μ t_r lie on it, t_r at angles 2πr/k from the first
 * tangent. In Eq. 22 μ is missing, in Eq. 24 the last tangential diagonal is W_tk tk.
 *
 *   0 ≤ u_n ⊥ f_n ≥ 0,   0 ≤ λ + u·t_r ⊥ f_r ≥ 0,   0 ≤ μ f_n − Σ f_r ⊥ λ ≥ 0
 *
 * Groups of contacts that do not act on each other are solved apart. Forces are counted in units in which the mean W_nn of
 * the group is 1, so that they and the slip λ are of one size.
 */
export interface ContactLcpSolution {
  /** Pivots over all groups. */
  readonly sweeps: number;
  /** Of the problem with the circular cone, by `coneResidual`: how good the approximation is. */
  readonly residual: number;
  /** The largest residual of the linear problems themselves. */
  readonly modelResidual: number;
  /** Whether each of them was solved. */
  readonly outcome: LcpOutcome;
}

const MIN_PYRAMID_SIDES = 3;
/** Unknowns in the largest group; the tableau of that many takes 250 MB. */
const MAX_UNKNOWNS = 4000;

/** Normal forces alone. */
export function solveFrictionless(forces: Float64Array, problem: ConeProblem, maxPivots?: number): ContactLcpSolution {
  return solveByLcp(forces, problem, 0, maxPivots);
}

/** With pyramids of `sides` sides, 3 or more. */
export function solvePyramid(
  forces: Float64Array,
  problem: ConeProblem,
  sides: number,
  maxPivots?: number,
): ContactLcpSolution {
  if (Number.isSafeInteger(sides) && sides >= MIN_PYRAMID_SIDES) return solveByLcp(forces, problem, sides, maxPivots);
  const message = `The friction pyramid has ${sides} sides, but must have ${MIN_PYRAMID_SIDES} or more.`;
  throw new PalpableError('option-invalid', message, 'sides');
}

function solveByLcp(forces: Float64Array, problem: ConeProblem, sides: number, maxPivots?: number): ContactLcpSolution {
  let sweeps = 0;
  let modelResidual = 0;
  let outcome: LcpOutcome = 'solved';
  const groups = splitGroups(problem);
  const width = sides > 0 ? sides + 2 : 1;
  checkSize(width, Math.max(0, ...groups.map(({ contacts }) => contacts.length)));
  for (const group of groups) {
    const unit = meanNormal(group.problem);
    const { z, ...solved } = solveLcp(pose(group.problem, sides, unit), maxPivots);
    group.contacts.forEach((contact, i) => {
      writeForce(forces, contact, z.subarray(width * i, width * (i + 1)), sides, unit);
    });
    sweeps += solved.pivots;
    modelResidual = Math.max(modelResidual, solved.residual);
    if (solved.outcome !== 'solved') ({ outcome } = solved);
  }
  return { sweeps, residual: coneResidual(problem, forces), modelResidual, outcome };
}

function checkSize(width: number, contacts: number): void {
  const unknowns = width * contacts;
  if (unknowns <= MAX_UNKNOWNS) return;
  const message = `The linear problem of ${contacts} contacts that act on each other has ${unknowns} unknowns, more than ${MAX_UNKNOWNS}; take fewer sides, or a solver on the exact cone.`;
  throw new PalpableError('too-large', message);
}

function meanNormal({ blocks, count, diagonal }: ConeProblem): number {
  let sum = 0;
  for (let i = 0; i < count; i += 1) sum += blocks[BLOCK_STRIDE * diagonal[i]];
  return sum > 0 ? sum / count : 1;
}

/** Per contact the unknowns f_n, f_1 … f_k, λ; without sides f_n alone. */
function pose(problem: ConeProblem, sides: number, unit: number): LcpProblem {
  const { blocks, coefficient, column, count, free, rowStart } = problem;
  const directions = forceDirections(sides);
  const width = sides > 0 ? sides + 2 : 1;
  const size = width * count;
  const lcp: LcpProblem = { size, matrix: new Float64Array(size * size), free: new Float64Array(size) };
  for (let row = 0; row < count; row += 1) {
    directions.forEach((a, i) => {
      const to = width * row + i;
      lcp.free[to] = a[0] * free[3 * row] + a[1] * free[3 * row + 1] + a[2] * free[3 * row + 2];
      for (let block = rowStart[row]; block < rowStart[row + 1]; block += 1) {
        const w = blocks.subarray(BLOCK_STRIDE * block, BLOCK_STRIDE * (block + 1));
        directions.forEach((b, j) => {
          lcp.matrix[size * to + width * column[block] + j] += bilinear(a, w, b) / unit;
        });
      }
    });
    const slip = width * row + sides + 1;
    for (let i = 1; i <= sides; i += 1) {
      lcp.matrix[size * (width * row + i) + slip] = 1;
      lcp.matrix[size * slip + width * row + i] = -1;
    }
    if (sides > 0) lcp.matrix[size * slip + width * row] = coefficient[row];
  }
  return lcp;
}

type Triple = readonly [number, number, number];

/** n, t_1 … t_k */
function forceDirections(sides: number): Triple[] {
  const tangents = Array.from({ length: sides }, (_, r): Triple => {
    const angle = (2 * Math.PI * r) / sides;
    return [0, cosOf(angle), sinOf(angle)];
  });
  return [[1, 0, 0], ...tangents];
}

function bilinear(a: Triple, w: Float64Array, b: Triple): number {
  let sum = 0;
  for (let i = 0; i < 3; i += 1) for (let j = 0; j < 3; j += 1) sum += a[i] * w[3 * i + j] * b[j];
  return sum;
}

function writeForce(forces: Float64Array, contact: number, z: Float64Array, sides: number, unit: number): void {
  forces.fill(0, 3 * contact, 3 * contact + 3);
  forceDirections(sides).forEach((direction, i) => {
    for (let axis = 0; axis < 3; axis += 1) forces[3 * contact + axis] += (direction[axis] * z[i]) / unit;
  });
}
