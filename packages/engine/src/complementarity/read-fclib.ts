import { PalpableError } from '../base/errors.js';
import { UnionFind } from '../base/union-find.js';
import { choleskySolve, innerProduct } from '../math/linear-algebra.js';
import type { ConeProblem } from './cone-problem.js';
import {
  indicesAt,
  invalid,
  type JsonObject,
  numbersAt,
  objectAt,
  parseProblemJson,
  rowStartsAt,
} from './json-values.js';
import { checkContactCount, layBlocks, type MatrixEntries, setContacts } from './lay-blocks.js';

/**
 * Problems of the Frictional Contact Library as JSON: `dim`, `nc`, `mu`, and either a local problem (`q`, and `W` by
 * compressed rows: `rowptr`, `colidx`, `val`) or a global one (`M`, `H` as places `i`, `j` and values `x`, `f`, `w`),
 *
 *   M v = H r + f,   u = Hᵀ v + w   ⇒   W = Hᵀ M⁻¹ H,   q = Hᵀ M⁻¹ f + w.
 *
 * A file with both is read as local.
 */

/** Whether a text is meant to be such a file. Says nothing about mistakes in it. */
export function isFclibProblem(text: string): boolean {
  return /^\s*\{/.test(text) && /"mu"\s*:/.test(text) && /"[WHM]"\s*:/.test(text);
}

export function readFclibProblem(text: string): ConeProblem {
  const file = parseProblemJson(text);
  if (file.dim !== 3) throw invalid('dim', file.dim, '3: contacts in space, with one normal and two tangents');
  const coefficients = numbersAt('mu', file.mu);
  const count = coefficients.length;
  checkContactCount(count);
  if (file.nc !== undefined && file.nc !== count) throw invalid('nc', file.nc, `${count}, the length of mu`);
  const { entries, free } = file.W === undefined ? condense(file, 3 * count) : readLocal(file, 3 * count);
  const problem = layBlocks(count, entries);
  setContacts(problem, coefficients, free);
  return problem;
}

interface LocalSystem {
  readonly entries: MatrixEntries;
  readonly free: ArrayLike<number>;
}

function readLocal(file: JsonObject, size: number): LocalSystem {
  const matrix = objectAt('W', file.W);
  const values = numbersAt('W.val', matrix.val);
  const columns = indicesAt('W.colidx', matrix.colidx, size, values.length);
  const starts = rowStartsAt('W.rowptr', matrix.rowptr, size, values.length);
  const rows = new Int32Array(values.length);
  for (let row = 0; row < size; row += 1) rows.fill(row, starts[row], starts[row + 1]);
  return { entries: { rows, columns, values }, free: numbersAt('q', file.q, size) };
}

function readEntries(name: string, value: unknown, rows: number, columns: number): MatrixEntries {
  const matrix = objectAt(name, value);
  if (matrix.m !== rows) throw invalid(`${name}.m`, matrix.m, `${rows} rows`);
  if (matrix.n !== columns) throw invalid(`${name}.n`, matrix.n, `${columns} columns`);
  const values = numbersAt(`${name}.x`, matrix.x);
  return {
    rows: indicesAt(`${name}.i`, matrix.i, rows, values.length),
    columns: indicesAt(`${name}.j`, matrix.j, columns, values.length),
    values,
  };
}

/** Unknowns of one part of M that hang together; the largest part that is factored as a full matrix. */
const MAX_PART = 2000;

/** Part by part of M, which for rigid bodies is one body, or one direction of it, each. */
function condense(file: JsonObject, size: number): LocalSystem {
  const force = numbersAt('f', file.f);
  const mass = readEntries('M', file.M, force.length, force.length);
  const lever = readEntries('H', file.H, force.length, size);
  const free = Float64Array.from(numbersAt('w', file.w, size));
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (const part of connectedParts(mass, lever, force.length)) {
    const n = part.unknowns.length;
    const factor = factorPart(part, n);
    const load = Float64Array.from(part.unknowns, (unknown) => force[unknown]);
    choleskySolve(load, factor, n);
    const solved = new Map<number, Float64Array>();
    for (const [column, pull] of part.pulls) {
      const answer = pull.slice();
      choleskySolve(answer, factor, n);
      solved.set(column, answer);
    }
    for (const [row, pull] of part.pulls) {
      free[row] += innerProduct(pull, load);
      for (const [column, answer] of solved) {
        rows.push(row);
        columns.push(column);
        values.push(innerProduct(pull, answer));
      }
    }
  }
  return { entries: { rows, columns, values }, free };
}

interface Part {
  readonly unknowns: number[];
  /** M among them. */
  matrix: Float64Array;
  /** Columns of H that reach them. */
  readonly pulls: Map<number, Float64Array>;
}

function connectedParts(mass: MatrixEntries, lever: MatrixEntries, size: number): Iterable<Part> {
  const joined = new UnionFind(size);
  for (let i = 0; i < mass.values.length; i += 1) joined.join(mass.rows[i], mass.columns[i]);
  const parts = new Map<number, Part>();
  const place = new Int32Array(size);
  for (let unknown = 0; unknown < size; unknown += 1) {
    const root = joined.find(unknown);
    const part: Part = parts.get(root) ?? { unknowns: [], matrix: new Float64Array(0), pulls: new Map() };
    parts.set(root, part);
    place[unknown] = part.unknowns.push(unknown) - 1;
  }
  for (const part of parts.values()) {
    const n = part.unknowns.length;
    if (n > MAX_PART) {
      const message = `M joins ${n} unknowns, more than the ${MAX_PART} that are condensed here; give W and q in the file instead.`;
      throw new PalpableError('too-large', message, 'M');
    }
    part.matrix = new Float64Array(n * n);
  }
  const partOf = (unknown: number) => parts.get(joined.find(unknown)) as Part;
  for (let i = 0; i < mass.values.length; i += 1) {
    const part = partOf(mass.rows[i]);
    part.matrix[part.unknowns.length * place[mass.rows[i]] + place[mass.columns[i]]] += mass.values[i];
  }
  for (let i = 0; i < lever.values.length; i += 1) {
    const part = partOf(lever.rows[i]);
    const pull = part.pulls.get(lever.columns[i]) ?? new Float64Array(part.unknowns.length);
    part.pulls.set(lever.columns[i], pull);
    pull[place[lever.rows[i]]] += lever.values[i];
  }
  return parts.values();
}

/** M = L Lᵀ; what is not positive definite is no mass and no stiffness. */
function factorPart({ matrix, unknowns }: Part, n: number): Float64Array {
  for (let j = 0; j < n; j += 1) {
    for (let i = j; i < n; i += 1) {
      let sum = matrix[i * n + j];
      for (let k = 0; k < j; k += 1) sum -= matrix[i * n + k] * matrix[j * n + k];
      if (i > j) {
        matrix[i * n + j] = sum / matrix[j * n + j];
        continue;
      }
      if (!(sum > 0)) throw invalid('M', `no positive pivot at row ${unknowns[j]}`, 'a positive definite matrix');
      matrix[j * n + j] = Math.sqrt(sum);
    }
  }
  return matrix;
}
