import type { FrictionProblem } from '@palpable/engine/advanced';
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
  const model = highs.createModel(PROGRAMS[form](reduceStatic(problem, RANK_TOLERANCE), sides, 1));
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
  return highs.withModel(PROGRAMS[form](reduction, sides, null), (model) => {
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
type Entry = readonly [column: number, value: number];

class Program {
  readonly columns: number;
  readonly cost: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  private readonly scale: number | null;
  private readonly rowLower: number[] = [];
  private readonly rowUpper: number[] = [];
  private readonly starts: number[] = [0];
  private readonly indices: number[] = [];
  private readonly values: number[] = [];

  /** With a `scale` of null it is an unknown as well, the last column, and the least is wanted. */
  constructor(columns: number, scale: number | null) {
    this.columns = columns + (scale === null ? 1 : 0);
    this.scale = scale;
    this.cost = new Float64Array(this.columns);
    this.lower = new Float64Array(this.columns).fill(Number.NEGATIVE_INFINITY);
    this.upper = new Float64Array(this.columns).fill(Number.POSITIVE_INFINITY);
    if (scale !== null) return;
    this.cost[columns] = 1;
    this.lower[columns] = 0;
  }

  /** The sum is at most the scale. */
  addAtMostScale(entries: readonly Entry[]): void {
    const { scale, columns } = this;
    if (scale === null) this.addRow(Number.NEGATIVE_INFINITY, [...entries, [columns - 1, -1]], 0);
    else this.addRow(Number.NEGATIVE_INFINITY, entries, scale);
  }

  /** Friction balances the load along all that it resists; `unknowns`: how those of a contact push along u and v. */
  addBalance(reduction: StaticReduction, unknowns: (contact: number, u: number, v: number) => readonly Entry[]): void {
    const { columns, radii, range } = reduction;
    loadAlongRange(reduction).forEach((value, k) => {
      const along = (column: readonly number[], i: number) => dot(range[k], column) * radii[i];
      this.addRow(
        value,
        columns.flatMap(([u, v], i) => unknowns(i, along(u, i), along(v, i))),
        value,
      );
    });
  }

  addRow(lower: number, entries: Iterable<Entry>, upper: number): void {
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

const PROGRAMS = {
  literal: literalProgram,
  planes: planesProgram,
  vertices: verticesProgram,
  segments: segmentsProgram,
};

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
  const program = new Program(2 * count + 12, scale);
  for (let row = 0; row < 6; row += 1) {
    const friction = columns.flatMap((pair, i) =>
      pair.map((column, side): Entry => [2 * i + side, column[row] * radii[i]]),
    );
    const displaced = stiffness[row].map((value, j): Entry => [move + j, value]);
    program.addRow(-wrench[row], [...friction, ...displaced], -wrench[row]);
  }
  // Any factor on D leaves the answer as it is; this one brings the multipliers near the displacements.
  const perInertia = largestEntry(stiffness) / largestEntry(inertia);
  for (let row = 0; row < 6; row += 1) {
    const displaced = inertia[row].map((value, j): Entry => [move + j, value * perInertia]);
    program.addRow(0, [...displaced, ...stiffness.map((each, j): Entry => [multiplier + j, each[row]])], 0);
  }
  for (const column of columns.flat())
    program.addRow(
      0,
      column.map((value, j): Entry => [multiplier + j, value]),
      0,
    );
  addPlanes(program, count, sides);
  return program.toModel();
}

/** β_i in units of its radius. */
function planesProgram(reduction: StaticReduction, sides: number, scale: number | null): ModelData {
  const count = reduction.columns.length;
  const program = new Program(2 * count, scale);
  program.addBalance(reduction, (i, u, v) => [
    [2 * i, u],
    [2 * i + 1, v],
  ]);
  addPlanes(program, count, sides);
  return program.toModel();
}

/** Eq. 37 for every contact and side. */
function addPlanes(program: Program, count: number, sides: number): void {
  for (let i = 0; i < count; i += 1) {
    for (let j = 0; j < sides; j += 1) {
      const angle = ((2 * j + 1) * Math.PI) / sides;
      program.addAtMostScale([
        [2 * i, Math.cos(angle)],
        [2 * i + 1, Math.sin(angle)],
      ]);
    }
  }
}

/** One share of each corner of each polygon. */
function verticesProgram(reduction: StaticReduction, sides: number, scale: number | null): ModelData {
  const count = reduction.columns.length;
  const program = new Program(count * sides, scale);
  program.lower.fill(0);
  const corners = polygonCorners(sides);
  program.addBalance(reduction, (i, u, v) => corners.map(([x, y], j) => [i * sides + j, x * u + y * v]));
  for (let i = 0; i < count; i += 1) program.addAtMostScale(corners.map((_, j) => [i * sides + j, 1]));
  return program.toModel();
}

/** Along each side of each polygon, one unknown between the two ends of the segment. */
function segmentsProgram(reduction: StaticReduction, sides: number, scale: number | null): ModelData {
  const perContact = sides / 2;
  const unknowns = reduction.columns.length * perContact;
  const program = new Program(unknowns, scale);
  const reach = Math.tan(Math.PI / sides);
  const segments = Array.from({ length: perContact }, (_, j) => {
    const angle = ((2 * j + 1) * Math.PI) / sides;
    return [-reach * Math.sin(angle), reach * Math.cos(angle)] as const;
  });
  program.addBalance(reduction, (i, u, v) => segments.map(([x, y], j) => [i * perContact + j, x * u + y * v]));
  if (scale !== null) {
    program.lower.fill(-scale);
    program.upper.fill(scale);
    return program.toModel();
  }
  for (let column = 0; column < unknowns; column += 1) {
    program.addAtMostScale([[column, 1]]);
    program.addAtMostScale([[column, -1]]);
  }
  return program.toModel();
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

function largestEntry(m: Matrix): number {
  return Math.max(...m.flat().map(Math.abs));
}
