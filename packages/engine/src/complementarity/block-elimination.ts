import { BLOCK_STRIDE } from './one-contact.js';

/**
 * Solves a system of 3×3 blocks by elimination without row exchanges between blocks, in an order of least degree. Made
 * for matrices whose pattern is symmetric while their numbers need not be: the Newton systems of contact problems.
 *
 * The order and the places of fill depend on the pattern alone and are found once.
 */
export interface BlockPattern {
  readonly count: number;
  /** Order in which unknowns are eliminated. */
  readonly order: Int32Array;
  /** By unknown: those that come later and share a block with it, fill included. */
  readonly later: readonly Int32Array[];
  /** By unknown: places of the blocks (itself, later) and (later, itself), in the order of `later`. */
  readonly upper: readonly Int32Array[];
  readonly lower: readonly Int32Array[];
  /** Place of the block at (row, column). */
  placeOf(row: number, column: number): number;
  /** Blocks with fill; the diagonal of unknown i is block i. */
  readonly blockCount: number;
}

export function planElimination(count: number, rowStart: Int32Array, column: Int32Array): BlockPattern {
  const neighbours = Array.from({ length: count }, () => new Set<number>());
  for (let row = 0; row < count; row += 1) {
    for (let block = rowStart[row]; block < rowStart[row + 1]; block += 1) {
      if (column[block] === row) continue;
      neighbours[row].add(column[block]);
      neighbours[column[block]].add(row);
    }
  }
  const places = createPlaces(count);
  const order = new Int32Array(count);
  const later: Int32Array[] = new Array(count);
  const upper: Int32Array[] = new Array(count);
  const lower: Int32Array[] = new Array(count);
  const left = new Set<number>();
  for (let i = 0; i < count; i += 1) left.add(i);
  for (let step = 0; step < count; step += 1) {
    const next = leastDegree(left, neighbours);
    left.delete(next);
    order[step] = next;
    const others = Int32Array.from(neighbours[next]).sort();
    later[next] = others;
    upper[next] = others.map((other) => places.of(next, other));
    lower[next] = others.map((other) => places.of(other, next));
    for (const a of others) {
      neighbours[a].delete(next);
      for (const b of others) if (a !== b) neighbours[a].add(b);
    }
  }
  return { count, order, later, upper, lower, placeOf: places.of, blockCount: places.count() };
}

/** Unknowns up to which places are looked up in a full table (16 MB), beyond in a map. */
const LARGEST_TABLE = 2048;

/** Numbers blocks as they are asked for, after the diagonal ones. */
function createPlaces(count: number): { of(row: number, column: number): number; count(): number } {
  const table = count <= LARGEST_TABLE ? new Int32Array(count * count) : new Map<number, number>();
  let next = count;
  const of = (row: number, column: number): number => {
    if (row === column) return row;
    const key = row * count + column;
    const known = table instanceof Map ? (table.get(key) ?? 0) : table[key];
    if (known > 0) return known;
    if (table instanceof Map) table.set(key, next);
    else table[key] = next;
    next += 1;
    return next - 1;
  };
  return { of, count: () => next };
}

function leastDegree(left: ReadonlySet<number>, neighbours: readonly ReadonlySet<number>[]): number {
  let best = -1;
  for (const candidate of left) {
    if (best < 0 || neighbours[candidate].size < neighbours[best].size) best = candidate;
  }
  return best;
}

/**
 * Solves A x = b; `blocks` (A at the places of the pattern) is destroyed, `x` holds b on entry. False when a pivot block
 * is singular; `x` is then not to be used.
 */
export function eliminateBlocks(x: Float64Array, blocks: Float64Array, pattern: BlockPattern): boolean {
  const inverse = new Float64Array(BLOCK_STRIDE);
  const factor = new Float64Array(BLOCK_STRIDE);
  for (const pivot of pattern.order) {
    if (!invertBlock(inverse, blocks, BLOCK_STRIDE * pivot)) return false;
    blocks.set(inverse, BLOCK_STRIDE * pivot);
    const { [pivot]: others } = pattern.later;
    const n = others.length;
    for (let i = 0; i < n; i += 1) {
      multiplyBlocks(factor, blocks, BLOCK_STRIDE * pattern.lower[pivot][i], inverse, 0);
      subtractProduct(x, 3 * others[i], factor, 0, x, 3 * pivot);
      for (let j = 0; j < n; j += 1) {
        const target = BLOCK_STRIDE * pattern.placeOf(others[i], others[j]);
        subtractBlockProduct(blocks, target, factor, BLOCK_STRIDE * pattern.upper[pivot][j]);
      }
    }
  }
  substituteBack(x, blocks, pattern);
  return true;
}

function substituteBack(x: Float64Array, blocks: Float64Array, { later, order, upper }: BlockPattern): void {
  const rest = new Float64Array(3);
  for (let step = order.length - 1; step >= 0; step -= 1) {
    const row = order[step];
    for (let j = 0; j < later[row].length; j += 1) {
      subtractProduct(x, 3 * row, blocks, BLOCK_STRIDE * upper[row][j], x, 3 * later[row][j]);
    }
    for (let axis = 0; axis < 3; axis += 1) rest[axis] = x[3 * row + axis];
    for (let axis = 0; axis < 3; axis += 1) {
      const w = BLOCK_STRIDE * row + 3 * axis;
      x[3 * row + axis] = blocks[w] * rest[0] + blocks[w + 1] * rest[1] + blocks[w + 2] * rest[2];
    }
  }
}

function invertBlock(out: Float64Array, m: Float64Array, at: number): boolean {
  const [a, b, c, d, e, f, g, h, i] = m.subarray(at, at + BLOCK_STRIDE);
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const determinant = a * A + b * B + c * C;
  if (!(Math.abs(determinant) > 0) || !Number.isFinite(determinant)) return false;
  const s = 1 / determinant;
  out.set([A, c * h - b * i, b * f - c * e, B, a * i - c * g, c * d - a * f, C, b * g - a * h, a * e - b * d]);
  for (let k = 0; k < BLOCK_STRIDE; k += 1) out[k] *= s;
  return true;
}

function multiplyBlocks(out: Float64Array, a: Float64Array, aAt: number, b: Float64Array, bAt: number): void {
  for (let row = 0; row < 3; row += 1) {
    for (let column = 0; column < 3; column += 1) {
      let sum = 0;
      for (let k = 0; k < 3; k += 1) sum += a[aAt + 3 * row + k] * b[bAt + 3 * k + column];
      out[3 * row + column] = sum;
    }
  }
}

function subtractBlockProduct(blocks: Float64Array, target: number, factor: Float64Array, at: number): void {
  for (let row = 0; row < 3; row += 1) {
    const [p, q, r] = [factor[3 * row], factor[3 * row + 1], factor[3 * row + 2]];
    for (let column = 0; column < 3; column += 1) {
      blocks[target + 3 * row + column] -=
        p * blocks[at + column] + q * blocks[at + 3 + column] + r * blocks[at + 6 + column];
    }
  }
}

function subtractProduct(
  out: Float64Array,
  outAt: number,
  block: Float64Array,
  at: number,
  x: Float64Array,
  xAt: number,
): void {
  for (let axis = 0; axis < 3; axis += 1) {
    const w = at + 3 * axis;
    out[outAt + axis] -= block[w] * x[xAt] + block[w + 1] * x[xAt + 1] + block[w + 2] * x[xAt + 2];
  }
}
