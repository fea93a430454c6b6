import type { FrictionModelOptions } from '@palpable/engine';
import { CONTACT_STATIC, type FrictionProblem } from '@palpable/engine/advanced';

/**
 * The static test of Zhao, Li, Barbič (section 4, Eq. 32–37) brought to six dimensions, for solvers other than ours.
 * Written for clarity and apart from the engine, so that an error in one does not hide an error in the other: singular
 * values come from one-sided Jacobi rotations of the rows of G, which keeps even the small ones accurate.
 *
 * All is scaled as λ' = S⁻¹λ, w' = S w / R, G' = S G, K' = S K S / R, Δ' = S⁻¹Δ with S = diag(1, 1, 1, 1/L, 1/L, 1/L)
 * and R = Σ μ_i F_n,i, so that the radii sum to 1.
 */
export type StaticReduction = ReturnType<typeof reduceStatic>;

export type Vector = readonly number[];
export type Matrix = readonly Vector[];

export function reduceStatic(
  problem: FrictionProblem,
  rankTolerance: number,
  metric: FrictionModelOptions['metric'] = 'stiffness',
) {
  const contacts = Array.from({ length: problem.count }, (_, i) => i).filter((i) => radiusOf(problem, i) > 0);
  const force = contacts.reduce((sum, i) => sum + radiusOf(problem, i), 0) || 1;
  const radii = contacts.map((i) => radiusOf(problem, i) / force);
  const columns = contacts.map((i) => [frictionColumn(problem, i, 0), frictionColumn(problem, i, 1)] as const);
  const { length } = problem;
  const perLength = (row: number) => (row < 3 ? 1 : 1 / length);
  const wrench = Array.from(problem.wrench, (value, row) => (value * perLength(row)) / force);
  const stiffness = matrix(6, 6, (i, j) => (problem.stiffness[6 * i + j] * perLength(i) * perLength(j)) / force);
  const inertia =
    metric === 'mass'
      ? matrix(6, 6, (i, j) => inertiaEntry(problem, i, j) * perLength(i) * perLength(j))
      : matrix(6, 6, (i, j) => -0.5 * (stiffness[i][j] + stiffness[j][i]));
  const { basis, values } = leftSingular(matrix(6, 2 * columns.length, (i, j) => weighted(columns, radii, i, j)));
  const largest = values[0] || 1;
  const singularValues = values.map((value) => value / largest);
  const range = basis.filter((_, k) => values[0] > 0 && singularValues[k] > rankTolerance);
  const nullSpace = basis.filter((row) => !range.includes(row));
  const scaled = freeDisplacement(nullSpace, wrench, stiffness, inertia);
  const unbalanced = wrench.map((value, i) => -(value + dot(stiffness[i], scaled)));
  const load = wrench.map((_, i) => range.reduce((sum, row) => sum + row[i] * dot(row, unbalanced), 0));
  const displacement = scaled.map((value, row) => value * perLength(row));
  return {
    /** Indices of the contacts with friction. */
    contacts,
    /** G'_i: the column of u and that of v. */
    columns,
    /** μ_i F_n,i / R. */
    radii,
    /** R, N. */
    force,
    /** w'. */
    wrench,
    /** K'. */
    stiffness,
    /** D': that of mass, or of the stiffness. */
    inertia,
    /** Orthonormal rows that span what friction resists. */
    range,
    /** Orthonormal rows that span the rest: twists that move every contact along its own normal. */
    nullSpace,
    /** Singular values of the G'_i weighted by the radii, in units of the largest, falling. */
    singularValues,
    /** Δ, in metres and radians: the same for every feasible answer. */
    displacement,
    /** b' = −(w' + K'Δ'), what friction must balance. */
    load,
  };
}

/** Δ' = −D'⁻¹K'ᵀNz with (NᵀK'D'⁻¹K'ᵀN) z = Nᵀw'; the rows of `nullSpace` are the columns of N. */
function freeDisplacement(nullSpace: Matrix, wrench: Vector, stiffness: Matrix, inertia: Matrix): Vector {
  if (nullSpace.length === 0) return wrench.map(() => 0);
  const moved = nullSpace.map((row) => solve(inertia, applyTransposed(stiffness, row)));
  const gram = matrix(nullSpace.length, nullSpace.length, (i, j) =>
    dot(applyTransposed(stiffness, nullSpace[i]), moved[j]),
  );
  const z = solve(
    gram,
    nullSpace.map((row) => dot(row, wrench)),
  );
  return wrench.map((_, i) => -z.reduce((sum, value, k) => sum + value * moved[k][i], 0));
}

function radiusOf({ role, coefficient, normalForce }: FrictionProblem, i: number): number {
  return role[i] === CONTACT_STATIC ? coefficient[i] * normalForce[i] : 0;
}

function frictionColumn({ arm, tangent, length }: FrictionProblem, i: number, side: number): Vector {
  const [x, y, z] = arm.subarray(3 * i, 3 * i + 3).map((value) => value / length);
  const at = 6 * i + 3 * side;
  const [tx, ty, tz] = tangent.subarray(at, at + 3);
  return [tx, ty, tz, y * tz - z * ty, z * tx - x * tz, x * ty - y * tx];
}

function weighted(columns: StaticReduction['columns'], radii: readonly number[], row: number, column: number): number {
  const contact = column >> 1;
  return columns[contact][column & 1][row] * radii[contact];
}

function inertiaEntry({ mass, inertia }: FrictionProblem, i: number, j: number): number {
  if (i < 3 || j < 3) return i === j ? mass : 0;
  return inertia[3 * (i - 3) + (j - 3)];
}

const MAX_ROTATION_SWEEPS = 60;

/** Left singular vectors as rows, with their singular values, largest first. */
function leftSingular(a: Matrix): { basis: Matrix; values: readonly number[] } {
  const rows = a.map((row) => [...row]);
  const vectors = matrix(rows.length, rows.length, (i, j) => (i === j ? 1 : 0)).map((row) => [...row]);
  for (let sweep = 0, turned = true; turned && sweep < MAX_ROTATION_SWEEPS; sweep += 1) {
    turned = false;
    for (let p = 0; p < rows.length; p += 1) {
      for (let q = p + 1; q < rows.length; q += 1) {
        const [alpha, beta, gamma] = [dot(rows[p], rows[p]), dot(rows[q], rows[q]), dot(rows[p], rows[q])];
        if (!(Math.abs(gamma) > 1e-16 * Math.sqrt(alpha * beta))) continue;
        turned = true;
        const zeta = (beta - alpha) / (2 * gamma);
        const t = (zeta >= 0 ? 1 : -1) / (Math.abs(zeta) + Math.sqrt(1 + zeta * zeta));
        const c = 1 / Math.sqrt(1 + t * t);
        rotateRows(rows[p], rows[q], c, c * t);
        rotateRows(vectors[p], vectors[q], c, c * t);
      }
    }
  }
  const order = rows.map((row, k) => ({ k, value: Math.sqrt(dot(row, row)) })).sort((x, y) => y.value - x.value);
  return { basis: order.map(({ k }) => vectors[k]), values: order.map(({ value }) => value) };
}

function rotateRows(first: number[], second: number[], c: number, s: number): void {
  for (let j = 0; j < first.length; j += 1) {
    const value = first[j];
    first[j] = c * value - s * second[j];
    second[j] = s * value + c * second[j];
  }
}

/** Gaussian elimination with partial pivoting. */
export function solve(a: Matrix, b: Vector): Vector {
  const n = b.length;
  const rows = a.map((row, i) => [...row, b[i]]);
  for (let k = 0; k < n; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < n; i += 1) if (Math.abs(rows[i][k]) > Math.abs(rows[pivot][k])) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    for (let i = k + 1; i < n; i += 1) {
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j += 1) rows[i][j] -= factor * rows[k][j];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let k = n - 1; k >= 0; k -= 1) {
    let sum = rows[k][n];
    for (let j = k + 1; j < n; j += 1) sum -= rows[k][j] * x[j];
    x[k] = sum / rows[k][k];
  }
  return x;
}

function matrix(rows: number, columns: number, entry: (i: number, j: number) => number): Matrix {
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => entry(i, j)));
}

export function applyTransposed(a: Matrix, x: Vector): Vector {
  return a[0].map((_, j) => a.reduce((sum, row, i) => sum + row[j] * x[i], 0));
}

export function dot(a: Vector, b: Vector): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}
