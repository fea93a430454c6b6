import type { BlockFactor } from './factorise.js';
import { backwardPart, forwardPart } from './solve.js';

/**
 * The part of K⁻¹ that can be touched: displacements of some nodes (rows) under unit forces on some of them (columns).
 *
 * A unit force reaches, going forward, only the parts above its node, and going backward only what is asked for has to
 * be computed. K⁻¹ is symmetric: of two touchable nodes only the one that is eliminated earlier is loaded, and the other
 * is read. Columns are taken in the order of elimination and some at a time, so that a panel that was fetched from
 * memory serves them all.
 */
export interface Condensation {
  readonly factor: BlockFactor;
  /** Place in the order of elimination by row, −1 where the node is fixed. */
  readonly rowPlace: Int32Array;
  /** Column by row, −1 for rows without a load. */
  readonly columnOf: Int32Array;
  readonly columnCount: number;
  /** Row and place in the order of elimination by column. */
  readonly columnRow: Uint32Array;
  readonly columnPlace: Uint32Array;
  /** Columns as they are eliminated: what `condenseColumns` counts by. */
  readonly loadOrder: Uint32Array;
  /** The parts below part p, itself included, are firstBelow[p] … p. */
  readonly firstBelow: Uint32Array;
  /** Whether a row lies in a part or below it, and whether one does that is not a column as well. */
  readonly hasRow: Uint8Array;
  readonly hasUnloadedRow: Uint8Array;
}

/** Loads at a time: nodes, of three right-hand sides each. */
const GROUP = 16;

/** `rows` are free nodes, −1 for a fixed one; `columnOf` numbers those of them that can be loaded, −1 for the others. */
export function createCondensation(factor: BlockFactor, rows: Int32Array, columnOf: Int32Array): Condensation {
  const { plan } = factor;
  const rowPlace = rows.map((node) => (node < 0 ? -1 : plan.place[node]));
  const columnCount = columnOf.reduce((count, column) => count + (column >= 0 ? 1 : 0), 0);
  const columnRow = new Uint32Array(columnCount);
  for (let row = 0; row < rows.length; row += 1) if (columnOf[row] >= 0) columnRow[columnOf[row]] = row;
  const columnPlace = columnRow.map((row) => rowPlace[row]);
  const loadOrder = Uint32Array.from(columnPlace.keys()).sort((a, b) => columnPlace[a] - columnPlace[b]);
  const below = summariseParts(factor, rowPlace, columnOf);
  return { factor, rowPlace, columnOf, columnCount, columnRow, columnPlace, loadOrder, ...below };
}

function summariseParts({ plan }: BlockFactor, rowPlace: Int32Array, columnOf: Int32Array) {
  const partCount = plan.parent.length;
  const firstBelow = Uint32Array.from({ length: partCount }, (_, part) => part);
  const hasRow = new Uint8Array(partCount);
  const hasUnloadedRow = new Uint8Array(partCount);
  for (let row = 0; row < rowPlace.length; row += 1) {
    if (rowPlace[row] < 0) continue;
    hasRow[plan.partOf[rowPlace[row]]] = 1;
    if (columnOf[row] < 0) hasUnloadedRow[plan.partOf[rowPlace[row]]] = 1;
  }
  for (let part = 0; part < partCount; part += 1) {
    const parent = plan.parent[part];
    if (parent < 0) continue;
    firstBelow[parent] = Math.min(firstBelow[parent], firstBelow[part]);
    hasRow[parent] |= hasRow[part];
    hasUnloadedRow[parent] |= hasUnloadedRow[part];
  }
  return { firstBelow, hasRow, hasUnloadedRow };
}

/**
 * Computes the loads `from` … `to` − 1 of the load order and writes the blocks that follow from them: block (row,
 * column) row by row at 9 (row · columnCount + column). Ranges may be computed in any order and by several workers into
 * shared memory: no block is written by two of them.
 */
export function condenseColumns(
  compliance: Float32Array,
  condensation: Condensation,
  from: number,
  to: number,
  onGroup?: (done: number) => void,
): void {
  const stride = 3 * condensation.factor.plan.order.length;
  const x = new Float64Array(3 * GROUP * stride);
  const nine = new Float64Array(9);
  for (let first = from; first < to; first += GROUP) {
    const loads = condensation.loadOrder.subarray(first, Math.min(to, first + GROUP));
    x.fill(0);
    loads.forEach((column, load) => {
      for (let i = 0; i < 3; i += 1) {
        x[(3 * load + i) * stride + 3 * condensation.columnPlace[column] + i] = 1;
      }
    });
    substitute(x, stride, condensation, loads, nine);
    writeBlocks(compliance, condensation, x, stride, loads);
    onGroup?.(first + loads.length - from);
  }
}

function substitute(
  x: Float64Array,
  stride: number,
  { factor, columnPlace, firstBelow, hasRow, hasUnloadedRow }: Condensation,
  loads: Uint32Array,
  nine: Float64Array,
): void {
  const { partOf, parent } = factor.plan;
  const partsOfLoads = Uint32Array.from(loads, (column) => partOf[columnPlace[column]]);
  for (let part = partsOfLoads[0]; part < parent.length; part += 1) {
    for (let load = 0; load < loads.length; load += 1) {
      const isAbove = partsOfLoads[load] >= firstBelow[part] && partsOfLoads[load] <= part;
      if (isAbove) forwardPart(x, 3 * load * stride, stride, factor, part, nine);
    }
  }
  for (let part = parent.length - 1; part >= 0; part -= 1) {
    for (let load = 0; load < loads.length; load += 1) {
      const isAsked = part >= partsOfLoads[load] ? hasRow[part] : hasUnloadedRow[part];
      if (isAsked) backwardPart(x, 3 * load * stride, stride, factor, part, nine);
    }
  }
}

function writeBlocks(
  compliance: Float32Array,
  { rowPlace, columnOf, columnRow, columnPlace, columnCount }: Condensation,
  x: Float64Array,
  stride: number,
  loads: Uint32Array,
): void {
  for (let row = 0; row < rowPlace.length; row += 1) {
    if (rowPlace[row] < 0) continue;
    for (let load = 0; load < loads.length; load += 1) {
      const column = loads[load];
      const isLoaded = columnOf[row] >= 0;
      if (isLoaded && rowPlace[row] < columnPlace[column]) continue;
      const from = 3 * load * stride + 3 * rowPlace[row];
      const at = 9 * (row * columnCount + column);
      for (let i = 0; i < 3; i += 1) {
        for (let j = 0; j < 3; j += 1) compliance[at + 3 * i + j] = x[from + j * stride + i];
      }
      if (!isLoaded || columnOf[row] === column) continue;
      const mirror = 9 * (columnRow[column] * columnCount + columnOf[row]);
      for (let i = 0; i < 3; i += 1) {
        for (let j = 0; j < 3; j += 1) compliance[mirror + 3 * j + i] = compliance[at + 3 * i + j];
      }
    }
  }
}
