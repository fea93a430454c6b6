import { type BuildHooks, throwIfCancelled } from '../base/progress.js';
import { square } from '../math/portable.js';
import type { FactorPlan } from './factor-plan.js';
import type { Neighbourhood, NodeGraph } from './node-graph.js';
import { dotThreeByThree } from './panel-kernels.js';

/** K = L Lᵀ in the order of the plan. */
export interface BlockFactor {
  readonly plan: FactorPlan;
  readonly values: Float64Array;
}

/** The matrix is not positive definite: `node` is the free node at which that was seen. */
export interface FactorFailure {
  readonly node: number;
}

/**
 * A pivot below this share of its diagonal counts as zero. Rounding leaves about 1e-15 of it; the most slender bodies
 * that can be computed at all keep 1e-11.
 */
const SINGULAR_PIVOT = 1e-13;

/**
 * Factors a positive definite matrix of 3×3 blocks by the multifrontal method: each part is assembled from the matrix
 * and from the updates of the parts below it, its columns are eliminated densely, and what they subtract from the rows
 * beyond is handed up.
 */
export function factorise(
  plan: FactorPlan,
  graph: NodeGraph,
  neighbours: Neighbourhood,
  blocks: Float64Array,
  hooks: BuildHooks = {},
): BlockFactor | FactorFailure {
  const values = new Float64Array(plan.valueCount);
  const fronts: Fronts = {
    plan,
    values,
    updates: [],
    below: Array.from(plan.parent, () => []),
    rowOf: new Int32Array(graph.count),
    sums: new Float64Array(9),
  };
  for (let part = 0; part < plan.parent.length; part += 1) {
    throwIfCancelled(hooks.signal);
    const failed = eliminatePart(fronts, part, graph, neighbours, blocks);
    if (failed >= 0) return { node: failed };
    if (plan.parent[part] >= 0) fronts.below[plan.parent[part]].push(part);
    hooks.onProgress?.('factoring the stiffness', plan.panelStart[part + 1] / plan.valueCount);
  }
  return { plan, values };
}

interface Fronts {
  readonly plan: FactorPlan;
  readonly values: Float64Array;
  /** What each part subtracts from the rows beyond it, square, lower half; undefined once it was handed up. */
  readonly updates: (Float64Array | undefined)[];
  readonly below: number[][];
  /** Row in the present front by place. */
  readonly rowOf: Int32Array;
  readonly sums: Float64Array;
}

function eliminatePart(
  fronts: Fronts,
  part: number,
  graph: NodeGraph,
  neighbours: Neighbourhood,
  blocks: Float64Array,
): number {
  const { plan, updates } = fronts;
  numberRows(fronts, part);
  assembleFront(fronts, part, graph, neighbours, blocks);
  const beyond = plan.reachStart[part + 1] - plan.reachStart[part];
  const update = new Float64Array(9 * beyond * beyond);
  for (const child of fronts.below[part]) {
    addUpdate(fronts, part, child, update);
    updates[child] = undefined;
  }
  const failed = eliminateColumns(fronts, part, graph, blocks);
  subtractProducts(fronts, part, update);
  updates[part] = update;
  return failed;
}

function numberRows({ plan, rowOf }: Fronts, part: number): void {
  const first = plan.partStart[part];
  const width = plan.partStart[part + 1] - first;
  for (let row = 0; row < width; row += 1) rowOf[first + row] = row;
  for (let at = plan.reachStart[part]; at < plan.reachStart[part + 1]; at += 1) {
    rowOf[plan.reach[at]] = width + at - plan.reachStart[part];
  }
}

/** Copies the blocks of the matrix that belong to a part's columns, at and below the diagonal. */
function assembleFront(
  { plan, values, rowOf }: Fronts,
  part: number,
  graph: NodeGraph,
  neighbours: Neighbourhood,
  blocks: Float64Array,
): void {
  const first = plan.partStart[part];
  const end = plan.partStart[part + 1];
  const width = 3 * (end - first);
  const base = plan.panelStart[part];
  for (let at = first; at < end; at += 1) {
    const node = plan.order[at];
    const column = 3 * (at - first);
    copyBlock(values, base + column * width + column, width, blocks, 9 * graph.start[node], false);
    for (let i = neighbours.start[node]; i < neighbours.start[node + 1]; i += 1) {
      const other = neighbours.nodes[i];
      if (plan.place[other] < at) continue;
      const target = base + 3 * rowOf[plan.place[other]] * width + column;
      copyBlock(values, target, width, blocks, 9 * neighbours.entries[i], other < node);
    }
  }
}

function copyBlock(
  values: Float64Array,
  at: number,
  stride: number,
  blocks: Float64Array,
  from: number,
  transposed: boolean,
): void {
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) {
      values[at + i * stride + j] = blocks[from + (transposed ? 3 * j + i : 3 * i + j)];
    }
  }
}

/** Adds what a part below left to this front: to its panel where the column is of this part, else to its own update. */
function addUpdate({ plan, values, updates, rowOf }: Fronts, part: number, child: number, update: Float64Array): void {
  const from = updates[child]!;
  const width = plan.partStart[part + 1] - plan.partStart[part];
  const beyond = plan.reachStart[part + 1] - plan.reachStart[part];
  const first = plan.reachStart[child];
  const size = plan.reachStart[child + 1] - first;
  for (let i = 0; i < size; i += 1) {
    const row = rowOf[plan.reach[first + i]];
    for (let j = 0; j <= i; j += 1) {
      const column = rowOf[plan.reach[first + j]];
      const own = column < width;
      const target = own ? values : update;
      const stride = 3 * (own ? width : beyond);
      const at = own
        ? plan.panelStart[part] + 3 * row * stride + 3 * column
        : 3 * (row - width) * stride + 3 * (column - width);
      for (let k = 0; k < 3; k += 1) {
        const source = (3 * i + k) * 3 * size + 3 * j;
        target[at + k * stride] += from[source];
        target[at + k * stride + 1] += from[source + 1];
        target[at + k * stride + 2] += from[source + 2];
      }
    }
  }
}

/** Dense Cholesky of a panel, column block by column block. The node of a pivot that is not positive, or −1. */
function eliminateColumns(
  { plan, values, sums }: Fronts,
  part: number,
  graph: NodeGraph,
  blocks: Float64Array,
): number {
  const first = plan.partStart[part];
  const columns = plan.partStart[part + 1] - first;
  const rows = columns + plan.reachStart[part + 1] - plan.reachStart[part];
  const width = 3 * columns;
  const base = plan.panelStart[part];
  for (let column = 0; column < columns; column += 1) {
    const pivot = base + 3 * column * width;
    for (let row = column; row < rows; row += 1) {
      const at = base + 3 * row * width;
      dotThreeByThree(sums, values, at, width, values, pivot, width, 3 * column);
      for (let i = 0; i < 3; i += 1) {
        for (let j = 0; j < 3; j += 1) values[at + i * width + 3 * column + j] -= sums[3 * i + j];
      }
      if (row > column) divideBlock(values, at + 3 * column, values, pivot + 3 * column, width);
      else {
        const node = plan.order[first + column];
        if (!factorBlock(values, at + 3 * column, width, blocks, 9 * graph.start[node])) return node;
      }
    }
  }
  return -1;
}

/** Cholesky of one diagonal block in place, upper half zeroed. False for a pivot that is not positive. */
function factorBlock(
  values: Float64Array,
  at: number,
  stride: number,
  blocks: Float64Array,
  original: number,
): boolean {
  for (let j = 0; j < 3; j += 1) {
    let pivot = values[at + j * stride + j];
    for (let k = 0; k < j; k += 1) pivot -= square(values[at + j * stride + k]);
    if (!(pivot > SINGULAR_PIVOT * blocks[original + 4 * j])) return false;
    const diagonal = Math.sqrt(pivot);
    values[at + j * stride + j] = diagonal;
    for (let i = j + 1; i < 3; i += 1) {
      let sum = values[at + i * stride + j];
      for (let k = 0; k < j; k += 1) sum -= values[at + i * stride + k] * values[at + j * stride + k];
      values[at + i * stride + j] = sum / diagonal;
      values[at + j * stride + i] = 0;
    }
  }
  return true;
}

/** Block at `at` times the inverse transpose of the factored diagonal block at `pivot`. */
function divideBlock(values: Float64Array, at: number, factor: Float64Array, pivot: number, stride: number): void {
  const l00 = factor[pivot];
  const l10 = factor[pivot + stride];
  const l11 = factor[pivot + stride + 1];
  const l20 = factor[pivot + 2 * stride];
  const l21 = factor[pivot + 2 * stride + 1];
  const l22 = factor[pivot + 2 * stride + 2];
  for (let i = 0; i < 3; i += 1) {
    const x0 = values[at + i * stride] / l00;
    const x1 = (values[at + i * stride + 1] - l10 * x0) / l11;
    values[at + i * stride] = x0;
    values[at + i * stride + 1] = x1;
    values[at + i * stride + 2] = (values[at + i * stride + 2] - l20 * x0 - l21 * x1) / l22;
  }
}

/** update −= B Bᵀ, B being the rows of a panel beyond its part; lower half. */
function subtractProducts({ plan, values, sums }: Fronts, part: number, update: Float64Array): void {
  const columns = plan.partStart[part + 1] - plan.partStart[part];
  const beyond = plan.reachStart[part + 1] - plan.reachStart[part];
  const width = 3 * columns;
  const size = 3 * beyond;
  const base = plan.panelStart[part] + width * width;
  for (let row = 0; row < beyond; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      dotThreeByThree(sums, values, base + 3 * row * width, width, values, base + 3 * column * width, width, width);
      for (let i = 0; i < 3; i += 1) {
        for (let j = 0; j < 3; j += 1) update[(3 * row + i) * size + 3 * column + j] -= sums[3 * i + j];
      }
    }
  }
}
