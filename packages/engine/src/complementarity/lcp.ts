import { createRandom } from '../base/random.js';
import { solveLinear } from '../math/linear-algebra.js';
import { lengthOf } from '../math/portable.js';

/** The linear complementarity problem: find z ≥ 0 with w = M z + q ≥ 0 and zᵀw = 0. */
export interface LcpProblem {
  /** Number of unknowns. */
  readonly size: number;
  /** M, full, row by row. */
  readonly matrix: Float64Array;
  /** q */
  readonly free: Float64Array;
}

/** How the solution of a linear complementarity problem ended; see `LcpSolution.outcome`. */
export type LcpOutcome = 'solved' | 'none' | 'ray' | 'capped';

/** The answer to w = M z + q, z ≥ 0, w ≥ 0, zᵀw = 0, and how it was found. */
export interface LcpSolution {
  /** The unknowns, none below 0. */
  readonly z: Float64Array;
  /** M z + q, none below 0. */
  readonly w: Float64Array;
  readonly pivots: number;
  /** By `lcpResidual`. */
  readonly residual: number;
  /**
   * - `none`: there is no solution; every choice of what is zero was tried.
   * - `ray`: Lemke's path ran off along a secondary ray. For copositive-plus matrices, as those of mechanics without
   *   friction are, this proves that there is no solution; for others there may be one.
   * - `capped`: too many pivots, or rounding got the better of them: the answer is rough.
   */
  readonly outcome: LcpOutcome;
}

const TIE_TOLERANCE = 1e-12;
/** A column counts as zero below this part of its largest number. Other tries may be luckier than the first. */
const PIVOT_TOLERANCES = [1e-11, 1e-9, 1e-7, 1e-13];
/** What an answer must reach to count as one. */
const ACCEPTED = 1e-9;
/** Unknowns up to which all complementary bases are tried, 2ⁿ of them, where Lemke's method ends on a ray. */
const MOST_ENUMERATED = 12;
const SEED = 1988;

/**
 * Lemke's method on a full tableau with rows scaled to 1. Ties are broken lexicographically, so that no basis returns and
 * the path ends: at a solution or on a ray. The answer is then computed afresh from its basis, since a tableau gathers
 * rounding. Worst case exponential (Murty), usually about as many pivots as unknowns; `maxPivots` bounds each try.
 *
 * Where a path ends at no solution, others are tried: with other covering vectors, and for few unknowns every basis.
 */
export function solveLcp(problem: LcpProblem, maxPivots = 1000 + 50 * problem.size): LcpSolution {
  const random = createRandom(SEED);
  let best: LcpSolution | undefined;
  let pivots = 0;
  for (const [attempt, tolerance] of PIVOT_TOLERANCES.entries()) {
    const cover = Float64Array.from({ length: problem.size }, () => (attempt === 0 ? 1 : 1 + random()));
    const found = solveOnce(problem, cover, tolerance, maxPivots);
    pivots += found.pivots;
    if (best === undefined || found.residual < best.residual) best = found;
    if (best.outcome === 'solved') return { ...best, pivots };
    if (problem.size <= MOST_ENUMERATED) return { ...enumerateBases(problem), pivots };
  }
  return { ...(best as LcpSolution), pivots };
}

function solveOnce(problem: LcpProblem, cover: Float64Array, tolerance: number, maxPivots: number): LcpSolution {
  const tableau = createTableau(problem, cover);
  const outcome = follow(tableau, tolerance, maxPivots);
  const members = Array.from(tableau.basis, (column) => column - problem.size)
    .filter((index) => index >= 0 && index < problem.size)
    .sort((a, b) => a - b);
  const z = bestOf(problem, readZ(tableau), fromBasis(problem, members));
  return judge(problem, z, tableau.pivots, outcome);
}

function judge(problem: LcpProblem, z: Float64Array, pivots: number, outcome: LcpOutcome): LcpSolution {
  const residual = lcpResidual(problem, z);
  const accepted = residual <= ACCEPTED;
  const honest = accepted ? 'solved' : outcome === 'solved' ? 'capped' : outcome;
  return { z, w: multiply(problem, z), pivots, residual, outcome: honest };
}

function enumerateBases(problem: LcpProblem): LcpSolution {
  let best = judge(problem, new Float64Array(problem.size), 0, 'none');
  for (let choice = 0; choice < 2 ** problem.size && best.outcome === 'none'; choice += 1) {
    const members = Array.from({ length: problem.size }, (_, i) => i).filter((i) => (choice >> i) % 2 === 1);
    const z = fromBasis(problem, members);
    const found = z && judge(problem, z, 0, 'none');
    if (found && found.residual < best.residual) best = found;
  }
  return best;
}

/** |min(z, w)| / |q|: the natural map, as Siconos measures it. Not by |z|, which is large along a ray. */
export function lcpResidual(problem: LcpProblem, z: Float64Array): number {
  const w = multiply(problem, z);
  const error = z.map((value, i) => Math.min(value, w[i]));
  const size = lengthOf(problem.free);
  return size > 0 ? lengthOf(error) / size : lengthOf(error);
}

function multiply({ free, matrix, size }: LcpProblem, z: Float64Array): Float64Array {
  const w = free.slice();
  for (let i = 0; i < size; i += 1) for (let j = 0; j < size; j += 1) w[i] += matrix[size * i + j] * z[j];
  return w;
}

/** I w − M z − d z₀ = q with the covering vector d. Columns: w, z, z₀, q. */
interface Tableau {
  readonly size: number;
  readonly width: number;
  readonly cells: Float64Array;
  /** Column that each row's basic variable belongs to. */
  readonly basis: Int32Array;
  pivots: number;
}

function createTableau({ free, matrix, size }: LcpProblem, cover: Float64Array): Tableau {
  const width = 2 * size + 2;
  const cells = new Float64Array(size * width);
  const basis = Int32Array.from({ length: size }, (_, row) => row);
  for (let row = 0; row < size; row += 1) {
    let largest = 0;
    for (let j = 0; j < size; j += 1) largest = Math.max(largest, Math.abs(matrix[size * row + j]));
    const scale = largest > 0 ? 1 / largest : 1;
    const at = width * row;
    cells[at + row] = 1;
    for (let j = 0; j < size; j += 1) cells[at + size + j] = -scale * matrix[size * row + j];
    cells[at + 2 * size] = -cover[row];
    cells[at + 2 * size + 1] = scale * free[row];
  }
  return { size, width, cells, basis, pivots: 0 };
}

function follow(tableau: Tableau, tolerance: number, maxPivots: number): LcpOutcome {
  const { basis, cells, size, width } = tableau;
  const artificial = 2 * size;
  let first = -1;
  let most = 0;
  for (let row = 0; row < size; row += 1) {
    // z₀ begins as the least that makes all w ≥ 0.
    const need = cells[width * row + artificial + 1] / cells[width * row + artificial];
    if (!(need > 0 && need >= most)) continue;
    most = need;
    first = row;
  }
  if (first < 0) return 'solved';
  let entering = complement(pivot(tableau, first, artificial), size);
  while (tableau.pivots < maxPivots) {
    const row = leavingRow(tableau, entering, tolerance);
    if (row < 0) return 'ray';
    const endsHere = basis[row] === artificial;
    const left = pivot(tableau, row, entering);
    if (endsHere) return 'solved';
    entering = complement(left, size);
  }
  return 'capped';
}

function complement(column: number, size: number): number {
  return column < size ? column + size : column - size;
}

/** The row of the lexicographically least quotient; that of z₀ as soon as it is among the least. */
function leavingRow({ basis, cells, size, width }: Tableau, entering: number, tolerance: number): number {
  let largest = 0;
  for (let row = 0; row < size; row += 1) largest = Math.max(largest, cells[width * row + entering]);
  const smallest = tolerance * largest;
  let candidates: number[] = [];
  for (let row = 0; row < size; row += 1) if (cells[width * row + entering] > smallest) candidates.push(row);
  // q first, then the columns of w, which are those of the inverse basis.
  for (let key = -1; key < size && candidates.length > 1; key += 1) {
    const column = key < 0 ? 2 * size + 1 : key;
    const quotients = candidates.map((row) => cells[width * row + column] / cells[width * row + entering]);
    const least = quotients.reduce((a, b) => Math.min(a, b));
    const limit = least + TIE_TOLERANCE * Math.max(1, Math.abs(least));
    candidates = candidates.filter((_, i) => quotients[i] <= limit);
    const ending = candidates.find((row) => basis[row] === 2 * size);
    if (key < 0 && ending !== undefined) return ending;
  }
  return candidates[0] ?? -1;
}

/** Brings a column into the basis; returns the one that leaves. */
function pivot(tableau: Tableau, row: number, entering: number): number {
  const { basis, cells, size, width } = tableau;
  const at = width * row;
  const inverse = 1 / cells[at + entering];
  for (let j = 0; j < width; j += 1) cells[at + j] *= inverse;
  cells[at + entering] = 1;
  for (let other = 0; other < size; other += 1) {
    const to = width * other;
    const factor = cells[to + entering];
    if (other === row || factor === 0) continue;
    for (let j = 0; j < width; j += 1) cells[to + j] -= factor * cells[at + j];
    cells[to + entering] = 0;
  }
  const left = basis[row];
  basis[row] = entering;
  tableau.pivots += 1;
  return left;
}

function readZ({ basis, cells, size, width }: Tableau): Float64Array {
  const z = new Float64Array(size);
  basis.forEach((column, row) => {
    if (column >= size && column < 2 * size) z[column - size] = Math.max(0, cells[width * row + 2 * size + 1]);
  });
  return z;
}

/** z from M_BB z_B = −q_B for the members B of a basis. */
function fromBasis({ free, matrix, size }: LcpProblem, members: readonly number[]): Float64Array | undefined {
  const n = members.length;
  const part = Float64Array.from(
    { length: n * n },
    (_, i) => matrix[size * members[Math.floor(i / n)] + members[i % n]],
  );
  const solution = Float64Array.from(members, (index) => -free[index]);
  if (!solveLinear(solution, part, n)) return undefined;
  const z = new Float64Array(size);
  members.forEach((index, i) => {
    z[index] = Math.max(0, solution[i]);
  });
  return z;
}

function bestOf(problem: LcpProblem, first: Float64Array, second: Float64Array | undefined): Float64Array {
  return second !== undefined && lcpResidual(problem, second) < lcpResidual(problem, first) ? second : first;
}
