import type { FrictionProblem } from '@palpable/engine';
import type { Highs, Model, ModelData } from 'highs';
import { leastOfEach, timeCall } from '../play/statistics.js';
import { dot, type Matrix, reduceStatic, type StaticReduction } from './static-reduction.js';

/**
 * The pyramid's static test (Zhao, Li, Barbič, Eq. 32–37) in HiGHS, a general solver of linear programs, as a peer for
 * speed and as a reference for answers. Four forms of the same question, to be sure to meet HiGHS in its best one:
 *
 * - `literal`: Eq. 32–37 as printed, unknowns β, Δ, λ;
 * - `planes`: the reduced question Σ G_i β_i = b, with ℓ half-planes for each contact;
 * - `vertices`: the same with β_i a combination of the ℓ corners of its polygon, so that rows are few;
 * - `segments`: the same for an even ℓ, whose polygon is a sum of ℓ/2 segments parallel to its sides, so that six rows
 *   are left and all else is a bound on one unknown.
 */
export type HighsForm = 'literal' | 'planes' | 'vertices' | 'segments';

const RANK_TOLERANCE = 1e-9;
const DUAL_SIMPLEX = 1;
const PRIMAL_SIMPLEX = 4;

/** A model that stays in HiGHS while only the wrench changes; each solve starts from the basis of the last. */
export interface FrictionPeer {
  /** Marshalling, not to be timed. */
  setWrench(problem: FrictionProblem): void;
  /** The solve call alone: whether static friction holds. */
  solve(): boolean;
  dispose(): void;
}

export async function createHighsPeer(problem: FrictionProblem, sides: number, form: HighsForm): Promise<FrictionPeer> {
  const highs = await loadHighs();
  const model = highs.createModel(pyramidProgram(reduceStatic(problem, RANK_TOLERANCE), sides, form, 1));
  model.options.set({
    output_flag: false,
    // Presolve would throw the basis away; the numbers are near 1 already, so that scaling them only costs time.
    presolve: 'off',
    simplex_scale_strategy: 0,
    solver: 'simplex',
    // In the forms with many rows the dual simplex is no faster, and often cannot confirm that it found no answer.
    simplex_strategy: form === 'literal' || form === 'planes' ? PRIMAL_SIMPLEX : DUAL_SIMPLEX,
  });
  const { optimal, infeasible, unknown } = highs.constants.modelStatus;
  return {
    setWrench(changed) {
      changeWrench(model, reduceStatic(changed, RANK_TOLERANCE), form);
    },
    solve() {
      let { modelStatus } = model.run();
      if (modelStatus === unknown) {
        // From the basis of the last problem HiGHS can end in doubt; from scratch it does not.
        model.clearSolver();
        modelStatus = model.run().modelStatus;
      }
      if (modelStatus !== optimal && modelStatus !== infeasible) throw new Error(`HiGHS ended with ${modelStatus}.`);
      return modelStatus === optimal;
    },
    dispose: () => model.dispose(),
  };
}

/** Plays a sequence of problems that differ in their wrench alone, several times over: the least of each solve call alone. */
export function timePeer(peer: FrictionPeer, problems: readonly FrictionProblem[], repetitions = 5) {
  const holds = new Array<boolean>(problems.length);
  const microseconds = leastOfEach(problems, repetitions, (problem, n) => {
    peer.setWrench(problem);
    return timeCall(() => {
      holds[n] = peer.solve();
    });
  });
  return { microseconds, holds };
}

/** The smallest s for which s times the friction of every contact holds the tool: static friction holds if s ≤ 1. */
export async function smallestScale(reduction: StaticReduction, sides: number, form: HighsForm): Promise<number> {
  const highs = await loadHighs();
  return highs.withModel(pyramidProgram(reduction, sides, form, null), (model) => {
    model.options.set({
      output_flag: false,
      primal_feasibility_tolerance: 1e-9,
      dual_feasibility_tolerance: 1e-9,
    });
    const { modelStatus } = model.run();
    const { optimal, infeasible } = highs.constants.modelStatus;
    if (modelStatus === infeasible) return Number.POSITIVE_INFINITY;
    if (modelStatus !== optimal) throw new Error(`HiGHS ended with ${modelStatus}.`);
    return model.getObjectiveValue();
  });
}

let loaded: Promise<Highs> | undefined;

function loadHighs(): Promise<Highs> {
  // The types of the package describe its CommonJS form, in which the loader is one level deeper.
  loaded ??= import('highs').then(({ default: load }) => (load as unknown as () => Promise<Highs>)());
  return loaded;
}

/** Rows as they are written down; a missing bound is infinite. */
class Program {
  readonly columns: number;
  readonly cost: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  private readonly rowLower: number[] = [];
  private readonly rowUpper: number[] = [];
  private readonly starts: number[] = [0];
  private readonly indices: number[] = [];
  private readonly values: number[] = [];

  constructor(columns: number) {
    this.columns = columns;
    this.cost = new Float64Array(columns);
    this.lower = new Float64Array(columns).fill(Number.NEGATIVE_INFINITY);
    this.upper = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
  }

  addRow(lower: number, entries: Iterable<readonly [column: number, value: number]>, upper: number): void {
    for (const [column, value] of entries) {
      if (value === 0) continue;
      this.indices.push(column);
      this.values.push(value);
    }
    this.starts.push(this.indices.length);
    this.rowLower.push(lower);
    this.rowUpper.push(upper);
  }

  toModel(): ModelData {
    const rows = this.rowLower.length;
    return {
      numCols: this.columns,
      numRows: rows,
      colCost: this.cost,
      colLower: this.lower,
      colUpper: this.upper,
      rowLower: Float64Array.from(this.rowLower),
      rowUpper: Float64Array.from(this.rowUpper),
      matrix: {
        format: 'csr',
        numRows: rows,
        numCols: this.columns,
        starts: Int32Array.from(this.starts),
        indices: Int32Array.from(this.indices),
        values: Float64Array.from(this.values),
      },
    };
  }
}

/** With a `scale` of null it is an unknown as well, the last column, and the least is wanted. */
function pyramidProgram(reduction: StaticReduction, sides: number, form: HighsForm, scale: number | null): ModelData {
  switch (form) {
    case 'literal':
      return literalProgram(reduction, sides, scale);
    case 'planes':
      return planesProgram(reduction, sides, scale);
    case 'vertices':
      return verticesProgram(reduction, sides, scale);
    case 'segments':
      return segmentsProgram(reduction, sides, scale);
  }
}

/** The rows whose bounds carry the wrench come first in every form. */
function changeWrench(model: Model, reduction: StaticReduction, form: HighsForm): void {
  const bounds = form === 'literal' ? reduction.wrench.map((value) => -value) : loadAlongRange(reduction);
  bounds.forEach((value, row) => {
    model.changeRowBounds(row, value, value);
  });
}

/** β_i (unit: its radius), then Δ', then λ'. */
function literalProgram(reduction: StaticReduction, sides: number, scale: number | null): ModelData {
  const { columns, radii, wrench, stiffness, inertia } = reduction;
  const count = columns.length;
  const [move, multiplier] = [2 * count, 2 * count + 6];
  const program = new Program(2 * count + 12 + (scale === null ? 1 : 0));
  for (let row = 0; row < 6; row += 1) {
    const friction = columns.flatMap((pair, i) =>
      pair.map((column, side) => entry(2 * i + side, column[row] * radii[i])),
    );
    const displaced = stiffness[row].map((value, j) => entry(move + j, value));
    program.addRow(-wrench[row], [...friction, ...displaced], -wrench[row]);
  }
  // Any factor on D leaves the answer as it is; this one brings the multipliers near the displacements.
  const perInertia = largestEntry(stiffness) / largestEntry(inertia);
  for (let row = 0; row < 6; row += 1) {
    const displaced = inertia[row].map((value, j) => entry(move + j, value * perInertia));
    program.addRow(0, [...displaced, ...stiffness.map((each, j) => entry(multiplier + j, each[row]))], 0);
  }
  for (const column of columns.flat())
    program.addRow(
      0,
      column.map((value, j) => entry(multiplier + j, value)),
      0,
    );
  addPlanes(program, count, sides, scale);
  return program.toModel();
}

/** β_i in units of its radius. */
function planesProgram(reduction: StaticReduction, sides: number, scale: number | null): ModelData {
  const { columns, radii, range } = reduction;
  const count = columns.length;
  const program = new Program(2 * count + (scale === null ? 1 : 0));
  loadAlongRange(reduction).forEach((value, k) => {
    const friction = columns.flatMap((pair, i) =>
      pair.map((column, side) => entry(2 * i + side, dot(range[k], column) * radii[i])),
    );
    program.addRow(value, friction, value);
  });
  addPlanes(program, count, sides, scale);
  return program.toModel();
}

/** Eq. 37 for every contact and side; an unknown scale is the last column. */
function addPlanes(program: Program, count: number, sides: number, scale: number | null): void {
  const last = program.columns - 1;
  for (let i = 0; i < count; i += 1) {
    for (let j = 0; j < sides; j += 1) {
      const angle = ((2 * j + 1) * Math.PI) / sides;
      const plane = [entry(2 * i, Math.cos(angle)), entry(2 * i + 1, Math.sin(angle))];
      if (scale === null) program.addRow(Number.NEGATIVE_INFINITY, [...plane, entry(last, -1)], 0);
      else program.addRow(Number.NEGATIVE_INFINITY, plane, scale);
    }
  }
  if (scale === null) wantLeast(program, last);
}

/** One share of each corner of each polygon. */
function verticesProgram(reduction: StaticReduction, sides: number, scale: number | null): ModelData {
  const { columns, radii, range } = reduction;
  const count = columns.length;
  const program = new Program(count * sides + (scale === null ? 1 : 0));
  program.lower.fill(0);
  const corners = polygonCorners(sides);
  loadAlongRange(reduction).forEach((value, k) => {
    const friction = columns.flatMap(([u, v], i) => {
      const [alongU, alongV] = [dot(range[k], u) * radii[i], dot(range[k], v) * radii[i]];
      return corners.map(([x, y], j) => entry(i * sides + j, x * alongU + y * alongV));
    });
    program.addRow(value, friction, value);
  });
  const last = program.columns - 1;
  for (let i = 0; i < count; i += 1) {
    const shares = corners.map((_, j) => entry(i * sides + j, 1));
    if (scale === null) program.addRow(Number.NEGATIVE_INFINITY, [...shares, entry(last, -1)], 0);
    else program.addRow(Number.NEGATIVE_INFINITY, shares, scale);
  }
  if (scale === null) wantLeast(program, last);
  return program.toModel();
}

/** Along each side of each polygon, one unknown between the two ends of the segment. */
function segmentsProgram(reduction: StaticReduction, sides: number, scale: number | null): ModelData {
  const { columns, radii, range } = reduction;
  const perContact = sides / 2;
  const program = new Program(columns.length * perContact + (scale === null ? 1 : 0));
  const reach = Math.tan(Math.PI / sides);
  const segments = Array.from({ length: perContact }, (_, j) => {
    const angle = ((2 * j + 1) * Math.PI) / sides;
    return [-reach * Math.sin(angle), reach * Math.cos(angle)] as const;
  });
  loadAlongRange(reduction).forEach((value, k) => {
    const friction = columns.flatMap(([u, v], i) => {
      const [alongU, alongV] = [dot(range[k], u) * radii[i], dot(range[k], v) * radii[i]];
      return segments.map(([x, y], j) => entry(i * perContact + j, x * alongU + y * alongV));
    });
    program.addRow(value, friction, value);
  });
  if (scale !== null) {
    program.lower.fill(-scale);
    program.upper.fill(scale);
    return program.toModel();
  }
  const last = program.columns - 1;
  for (let column = 0; column < last; column += 1) {
    program.addRow(Number.NEGATIVE_INFINITY, [entry(column, 1), entry(last, -1)], 0);
    program.addRow(Number.NEGATIVE_INFINITY, [entry(column, -1), entry(last, -1)], 0);
  }
  wantLeast(program, last);
  return program.toModel();
}

function wantLeast(program: Program, column: number): void {
  program.cost[column] = 1;
  program.lower[column] = 0;
}

/** Corners of the polygon around the unit circle (Eq. 16, 17). */
export function polygonCorners(sides: number): readonly (readonly [number, number])[] {
  const radius = 1 / Math.cos(Math.PI / sides);
  return Array.from({ length: sides }, (_, j) => {
    const angle = (2 * Math.PI * j) / sides;
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
  });
}

function loadAlongRange({ range, load }: StaticReduction): readonly number[] {
  return range.map((row) => dot(row, load));
}

function entry(column: number, value: number): readonly [number, number] {
  return [column, value];
}

function largestEntry(m: Matrix): number {
  return Math.max(...m.flat().map(Math.abs));
}
