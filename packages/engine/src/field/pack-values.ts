import {
  BRICK_CELLS,
  BRICK_LAYER,
  BRICK_NODES,
  BRICK_SIZE,
  brickNodeIndex,
  cellCount,
  coarseNodeCount,
  coarseNodeIndex,
  type FieldGrid,
} from './distance-field.js';

/**
 * The values of a field as whole numbers of which most are next to nothing, so that few bytes are left when they are
 * packed. All values are multiples of a quantum (m); kept is by how many of these a node differs from what the nodes
 * before it foretell (the Lorenzo predictor, Ibarria et al. 2003, exact for what is bilinear): on a smooth surface by a
 * rounding or two. Along the edges through its first corner a brick continues the line. The corner itself is a coarse
 * node, and nodes on a face of an earlier brick are that brick's: neither is kept.
 */
export interface PackedValues {
  readonly coarse: Int32Array;
  readonly bricks: Int32Array;
}

export interface FieldValues {
  readonly coarse: Float32Array;
  readonly bricks: Float32Array;
}

/** Parts of a voxel in a quantum. Values are off by half a quantum at most: 1/8192 of a voxel. */
export const QUANTA_PER_VOXEL = 4096;

/** Rounds values (m) to multiples of the quantum, none of them −0. */
export function quantize(values: Float32Array, quantum: number): void {
  for (let n = 0; n < values.length; n += 1) values[n] = (Math.round(values[n] / quantum) + 0) * quantum;
}

/** Null for values that are no multiples of the quantum, or differ between bricks that meet. */
export function packValues(
  grid: FieldGrid,
  brickOf: Int32Array,
  { coarse, bricks }: FieldValues,
  quantum: number,
): PackedValues | null {
  const coarseQuanta = quantaOf(coarse, quantum);
  const brickQuanta = quantaOf(bricks, quantum);
  if (!(coarseQuanta && brickQuanta)) return null;
  const packed = { coarse: new Int32Array(coarse.length), bricks: new Int32Array(bricks.length) };
  foretellLattice(coarseQuanta, packed.coarse, grid, false);
  const count = foretellBricks(brickQuanta, packed.bricks, coarseQuanta, grid, brickOf, false);
  return count < 0 ? null : { ...packed, bricks: packed.bricks.slice(0, count) };
}

/** The values as they were, to the last bit; null if there are fewer or more than the bricks need. */
export function unpackValues(
  grid: FieldGrid,
  brickOf: Int32Array,
  { coarse, bricks }: PackedValues,
  quantum: number,
): FieldValues | null {
  if (coarse.length !== coarseNodeCount(grid) || brickOf.length !== cellCount(grid)) return null;
  const coarseQuanta = new Int32Array(coarse.length);
  foretellLattice(coarseQuanta, coarse, grid, true);
  let brickCount = 0;
  for (const brick of brickOf) if (brick >= 0) brickCount += 1;
  const brickQuanta = new Int32Array(brickCount * BRICK_SIZE);
  const count = foretellBricks(brickQuanta, bricks, coarseQuanta, grid, brickOf, true);
  if (count !== bricks.length) return null;
  return { coarse: valuesOf(coarseQuanta, quantum), bricks: valuesOf(brickQuanta, quantum) };
}

function quantaOf(values: Float32Array, quantum: number): Int32Array | null {
  const quanta = new Int32Array(values.length);
  for (let n = 0; n < values.length; n += 1) {
    quanta[n] = Math.round(values[n] / quantum);
    if (Math.fround(quanta[n] * quantum) !== values[n]) return null;
  }
  return quanta;
}

function valuesOf(quanta: Int32Array, quantum: number): Float32Array {
  const values = new Float32Array(quanta.length);
  for (let n = 0; n < values.length; n += 1) values[n] = quanta[n] * quantum;
  return values;
}

/** `rest` from `quanta`, or when reading the other way round. What is outside the lattice counts as 0. */
function foretellLattice(quanta: Int32Array, rest: Int32Array, { cells }: FieldGrid, isReading: boolean): void {
  const row = cells[0] + 1;
  const layer = row * (cells[1] + 1);
  let n = 0;
  for (let k = 0; k <= cells[2]; k += 1) {
    for (let j = 0; j <= cells[1]; j += 1) {
      for (let i = 0; i <= cells[0]; i += 1) {
        let guess = i > 0 ? quanta[n - 1] : 0;
        if (j > 0) guess += quanta[n - row] - (i > 0 ? quanta[n - row - 1] : 0);
        if (k > 0) {
          guess += quanta[n - layer] - (i > 0 ? quanta[n - layer - 1] : 0);
          if (j > 0) guess += (i > 0 ? quanta[n - layer - row - 1] : 0) - quanta[n - layer - row];
        }
        if (isReading) quanta[n] = guess + rest[n];
        else rest[n] = quanta[n] - guess;
        n += 1;
      }
    }
  }
}

/** The same for all bricks, in the order of their cells. Gives how many numbers are kept; −1 if two bricks do not agree. */
function foretellBricks(
  quanta: Int32Array,
  rest: Int32Array,
  coarse: Int32Array,
  grid: FieldGrid,
  brickOf: Int32Array,
  isReading: boolean,
): number {
  const [nx, ny, nz] = grid.cells;
  let kept = 0;
  let cell = 0;
  for (let k = 0; k < nz; k += 1) {
    for (let j = 0; j < ny; j += 1) {
      for (let i = 0; i < nx; i += 1) {
        if (brickOf[cell] >= 0) {
          const left = i > 0 ? brickOf[cell - 1] * BRICK_SIZE : -1;
          const front = j > 0 ? brickOf[cell - nx] * BRICK_SIZE : -1;
          const below = k > 0 ? brickOf[cell - nx * ny] * BRICK_SIZE : -1;
          const at = brickOf[cell] * BRICK_SIZE;
          const first = coarse[coarseNodeIndex(grid, i, j, k)];
          kept = foretellBrick(quanta, rest, kept, at, left, front, below, first, isReading);
          if (kept < 0) return -1;
        }
        cell += 1;
      }
    }
  }
  return kept;
}

/** `at`, `left`, `front` and `below` are where the bricks begin, negative for none. */
function foretellBrick(
  quanta: Int32Array,
  rest: Int32Array,
  start: number,
  at: number,
  left: number,
  front: number,
  below: number,
  first: number,
  isReading: boolean,
): number {
  let kept = start;
  for (let k = 0; k < BRICK_NODES; k += 1) {
    for (let j = 0; j < BRICK_NODES; j += 1) {
      const isInside = j > 0 && k > 0;
      const line = at + brickNodeIndex(0, j, k);
      for (let i = 0; i < (isInside ? 1 : BRICK_NODES); i += 1) {
        const n = line + i;
        const shared = sharedNode(i, j, k, left, front, below);
        if (shared >= 0 || i + j + k === 0) {
          const known = shared >= 0 ? quanta[shared] : first;
          if (isReading) quanta[n] = known;
          else if (quanta[n] !== known) return -1;
          continue;
        }
        const guess = foretellOnBorder(quanta, n, i, j, k);
        if (isReading) quanta[n] = guess + rest[kept];
        else rest[kept] = quanta[n] - guess;
        kept += 1;
      }
      if (!isInside) continue;
      // What the three lines before this one add, from node to node.
      let node = quanta[line];
      let known = quanta[line - BRICK_NODES] + quanta[line - BRICK_LAYER] - quanta[line - BRICK_LAYER - BRICK_NODES];
      for (let n = line + 1; n < line + BRICK_NODES; n += 1) {
        const next = quanta[n - BRICK_NODES] + quanta[n - BRICK_LAYER] - quanta[n - BRICK_LAYER - BRICK_NODES];
        const guess = node + next - known;
        if (isReading) quanta[n] = guess + rest[kept];
        else rest[kept] = quanta[n] - guess;
        kept += 1;
        node = quanta[n];
        known = next;
      }
    }
  }
  return kept;
}

/** A node of which one place or two are 0. */
function foretellOnBorder(quanta: Int32Array, n: number, i: number, j: number, k: number): number {
  if (i > 0 && j > 0) return quanta[n - 1] + quanta[n - BRICK_NODES] - quanta[n - BRICK_NODES - 1];
  if (i > 0 && k > 0) return quanta[n - 1] + quanta[n - BRICK_LAYER] - quanta[n - BRICK_LAYER - 1];
  if (j > 0 && k > 0) {
    return quanta[n - BRICK_NODES] + quanta[n - BRICK_LAYER] - quanta[n - BRICK_LAYER - BRICK_NODES];
  }
  const step = i > 0 ? 1 : j > 0 ? BRICK_NODES : BRICK_LAYER;
  return i + j + k > 1 ? 2 * quanta[n - step] - quanta[n - 2 * step] : quanta[n - step];
}

/** The same node in an earlier brick, or −1. */
function sharedNode(i: number, j: number, k: number, left: number, front: number, below: number): number {
  if (i === 0 && left >= 0) return left + brickNodeIndex(BRICK_CELLS, j, k);
  if (j === 0 && front >= 0) return front + brickNodeIndex(i, BRICK_CELLS, k);
  if (k === 0 && below >= 0) return below + brickNodeIndex(i, j, BRICK_CELLS);
  return -1;
}
