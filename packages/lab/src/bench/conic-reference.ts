import { setFlagsFromString } from 'node:v8';
import { type CscMatrix, cscFromTriplets, cscZeros, solveConic } from 'cvxjs';
import { dot, type StaticReduction, solve } from './static-reduction.js';

// V8 of Node 20 aborts ("unreachable code" in its deoptimizer) after some hundred solves, in a call it has inlined.
setFlagsFromString('--no-turbo-inline-js-wasm-calls');

/** The questions of `cone` and `quadratic` put to Clarabel, an interior-point solver for conic programs. */

/**
 * The smallest s for which friction discs of s times their size hold the load: minimise s subject to
 * Σ r_i G_i β_i = b, |β_i| ≤ s. Static friction holds if s ≤ 1.
 */
export async function smallestConeScale({ columns, radii, range, load }: StaticReduction): Promise<number> {
  const count = columns.length;
  const program = new ConicProgram(2 * count + 1);
  range.forEach((row) => {
    const friction = columns.flatMap(([u, v], i) => [
      [2 * i, dot(row, u) * radii[i]] as const,
      [2 * i + 1, dot(row, v) * radii[i]] as const,
    ]);
    program.addEquality(friction, dot(row, load));
  });
  for (let i = 0; i < count; i += 1) program.addDisc(2 * i, 2 * count);
  program.cost[2 * count] = 1;
  return (await program.minimise())[2 * count];
}

/**
 * Minimise ½ΔᵀDΔ subject to w + KΔ + Σ G_i β_i = 0, |β_i| ≤ r_i, with Δ = −K⁻¹(w + Gβ) put in and everything divided by
 * the answer without friction: y = y₀ + Σ C_i β_i, y = LᵀΔ for D = L Lᵀ, |y₀| = 1. Gives Δ in metres and radians, and the energy as a part of that without friction.
 */
export async function maximalDissipation(reduction: StaticReduction, length: number) {
  const { columns, radii, wrench, stiffness, inertia } = reduction;
  const factor = choleskyFactor(inertia);
  const respond = (load: readonly number[]) => {
    const moved = solve(stiffness, load).map((value) => -value);
    return { moved, energetic: factor[0].map((_, j) => factor.reduce((sum, row, i) => sum + row[j] * moved[i], 0)) };
  };
  const free = respond(wrench);
  const size = Math.sqrt(dot(free.energetic, free.energetic));
  const responses = columns.flatMap((pair, i) =>
    pair.map((column) => respond(column.map((value) => value * radii[i]))),
  );
  const program = new ConicProgram(6 + responses.length);
  for (let row = 0; row < 6; row += 1) {
    const terms = responses.map(({ energetic }, j) => [6 + j, -energetic[row] / size] as const);
    program.addEquality([[row, 1], ...terms], free.energetic[row] / size);
    program.curvature[row] = 1;
  }
  for (let i = 0; i < columns.length; i += 1) program.addDisc(6 + 2 * i, null);
  const x = await program.minimise();
  const displacement = free.moved.map((value, row) =>
    responses.reduce((sum, { moved }, j) => sum + moved[row] * x[6 + j], value),
  );
  const energy = dot([...x.subarray(0, 6)], [...x.subarray(0, 6)]);
  return { displacement: displacement.map((value, row) => (row < 3 ? value : value / length)), energy };
}

/** Minimise ½ xᵀPx + qᵀx with P diagonal, subject to equalities and to pairs of unknowns that stay in discs. */
class ConicProgram {
  readonly cost: Float64Array;
  readonly curvature: Float64Array;
  private readonly size: number;
  private readonly rows: number[] = [];
  private readonly columns: number[] = [];
  private readonly values: number[] = [];
  private readonly bounds: number[] = [];
  private equalities = 0;
  private discs = 0;

  constructor(size: number) {
    this.size = size;
    this.cost = new Float64Array(size);
    this.curvature = new Float64Array(size);
  }

  /** All equalities come before the first disc: that is the order of the cones. */
  addEquality(terms: readonly (readonly [column: number, value: number])[], bound: number): void {
    for (const [column, value] of terms) this.put(this.bounds.length, column, value);
    this.bounds.push(bound);
    this.equalities += 1;
  }

  /** |(x_at, x_at+1)| ≤ x_scale, or ≤ 1 without one. */
  addDisc(at: number, scale: number | null): void {
    const row = this.bounds.length;
    if (scale !== null) this.put(row, scale, -1);
    this.put(row + 1, at, -1);
    this.put(row + 2, at + 1, -1);
    this.bounds.push(scale === null ? 1 : 0, 0, 0);
    this.discs += 1;
  }

  async minimise(): Promise<Float64Array> {
    const a = cscFromTriplets(this.bounds.length, this.size, this.rows, this.columns, this.values);
    const cones = { zero: this.equalities, nonneg: 0, soc: new Array(this.discs).fill(3), exp: 0, power: [] };
    let status = '';
    // Close to the load at which friction gives way the narrower gap may be out of double precision's reach.
    for (const gap of [1e-10, 1e-9]) {
      const settings = { tolGapAbs: gap, tolGapRel: gap };
      const answer = await solveConic(this.diagonal(), this.cost, a, Float64Array.from(this.bounds), cones, settings);
      if (answer.x !== null) return answer.x;
      status = answer.status;
    }
    throw new Error(`Clarabel ended with ${status}.`);
  }

  private diagonal(): CscMatrix {
    const used = [...this.curvature.keys()].filter((i) => this.curvature[i] !== 0);
    if (used.length === 0) return cscZeros(this.size, this.size);
    return cscFromTriplets(
      this.size,
      this.size,
      used,
      used,
      used.map((i) => this.curvature[i]),
    );
  }

  private put(row: number, column: number, value: number): void {
    if (value === 0) return;
    this.rows.push(row);
    this.columns.push(column);
    this.values.push(value);
  }
}

/** D = L Lᵀ. */
function choleskyFactor(d: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const l = d.map((row) => row.map(() => 0));
  for (let i = 0; i < d.length; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let sum = d[i][j];
      for (let k = 0; k < j; k += 1) sum -= l[i][k] * l[j][k];
      l[i][j] = i === j ? Math.sqrt(sum) : sum / l[j][j];
    }
  }
  return l;
}
