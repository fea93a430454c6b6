import type { BlockFactor } from './factorise.js';
import { dotThreeByThree, subtractThreeByThree } from './panel-kernels.js';

/*
 * Forward and backward substitution, one part of the plan at a time, three right-hand sides at a time. `x` holds them
 * one after the other in the order of elimination, `stride` numbers apart.
 */

/** Eliminates the columns of a part from three right-hand sides, and from the rows beyond it. */
export function forwardPart(
  x: Float64Array,
  at: number,
  stride: number,
  { plan, values }: BlockFactor,
  part: number,
  sums: Float64Array,
): void {
  const first = plan.partStart[part];
  const columns = plan.partStart[part + 1] - first;
  const width = 3 * columns;
  const base = plan.panelStart[part];
  const own = at + 3 * first;
  for (let row = 0; row < columns; row += 1) {
    const panel = base + 3 * row * width;
    dotThreeByThree(sums, values, panel, width, x, own, stride, 3 * row);
    subtractSums(x, own + 3 * row, stride, sums);
    forwardBlock(x, own + 3 * row, stride, values, panel + 3 * row, width);
  }
  const below = base + width * width;
  for (let row = plan.reachStart[part]; row < plan.reachStart[part + 1]; row += 1) {
    const panel = below + 3 * (row - plan.reachStart[part]) * width;
    dotThreeByThree(sums, values, panel, width, x, own, stride, width);
    subtractSums(x, at + 3 * plan.reach[row], stride, sums);
  }
}

/** The unknowns of a part, the rows beyond it being known. */
export function backwardPart(
  x: Float64Array,
  at: number,
  stride: number,
  { plan, values }: BlockFactor,
  part: number,
  weights: Float64Array,
): void {
  const first = plan.partStart[part];
  const columns = plan.partStart[part + 1] - first;
  const width = 3 * columns;
  const base = plan.panelStart[part];
  const own = at + 3 * first;
  const below = base + width * width;
  for (let row = plan.reachStart[part]; row < plan.reachStart[part + 1]; row += 1) {
    const panel = below + 3 * (row - plan.reachStart[part]) * width;
    takeWeights(weights, x, at + 3 * plan.reach[row], stride);
    subtractThreeByThree(x, own, stride, values, panel, width, weights, width);
  }
  for (let row = columns - 1; row >= 0; row -= 1) {
    const panel = base + 3 * row * width;
    backwardBlock(x, own + 3 * row, stride, values, panel + 3 * row, width);
    takeWeights(weights, x, own + 3 * row, stride);
    subtractThreeByThree(x, own, stride, values, panel, width, weights, 3 * row);
  }
}

function subtractSums(x: Float64Array, at: number, stride: number, sums: Float64Array): void {
  for (let side = 0; side < 3; side += 1) {
    for (let axis = 0; axis < 3; axis += 1) x[at + side * stride + axis] -= sums[3 * axis + side];
  }
}

function takeWeights(weights: Float64Array, x: Float64Array, at: number, stride: number): void {
  for (let side = 0; side < 3; side += 1) {
    for (let axis = 0; axis < 3; axis += 1) weights[3 * axis + side] = x[at + side * stride + axis];
  }
}

function forwardBlock(
  x: Float64Array,
  at: number,
  stride: number,
  l: Float64Array,
  pivot: number,
  width: number,
): void {
  for (let side = at; side < at + 3 * stride; side += stride) {
    const x0 = x[side] / l[pivot];
    const x1 = (x[side + 1] - l[pivot + width] * x0) / l[pivot + width + 1];
    x[side] = x0;
    x[side + 1] = x1;
    x[side + 2] = (x[side + 2] - l[pivot + 2 * width] * x0 - l[pivot + 2 * width + 1] * x1) / l[pivot + 2 * width + 2];
  }
}

function backwardBlock(
  x: Float64Array,
  at: number,
  stride: number,
  l: Float64Array,
  pivot: number,
  width: number,
): void {
  for (let side = at; side < at + 3 * stride; side += stride) {
    const x2 = x[side + 2] / l[pivot + 2 * width + 2];
    const x1 = (x[side + 1] - l[pivot + 2 * width + 1] * x2) / l[pivot + width + 1];
    x[side + 2] = x2;
    x[side + 1] = x1;
    x[side] = (x[side] - l[pivot + width] * x1 - l[pivot + 2 * width] * x2) / l[pivot];
  }
}

/** Scratch memory of `solveFactor`, for any number of right-hand sides. */
export interface SolveWorkspace {
  readonly ordered: Float64Array;
  readonly nine: Float64Array;
}

export function createSolveWorkspace(factor: BlockFactor): SolveWorkspace {
  return { ordered: new Float64Array(9 * factor.plan.order.length), nine: new Float64Array(9) };
}

/**
 * Solves K x = b in place for `count` right-hand sides, one after the other in `x`, three numbers per free node. They
 * are taken three at a time, so that one or two cost as much as three.
 */
export function solveFactor(x: Float64Array, factor: BlockFactor, workspace: SolveWorkspace, count = 1): void {
  const { order, parent } = factor.plan;
  const { ordered, nine } = workspace;
  const size = 3 * order.length;
  for (let first = 0; first < count; first += 3) {
    const sides = Math.min(3, count - first);
    if (sides < 3) ordered.fill(0);
    for (let side = 0; side < sides; side += 1) {
      const from = (first + side) * size;
      for (let at = 0; at < order.length; at += 1) {
        for (let i = 0; i < 3; i += 1) ordered[side * size + 3 * at + i] = x[from + 3 * order[at] + i];
      }
    }
    for (let part = 0; part < parent.length; part += 1) forwardPart(ordered, 0, size, factor, part, nine);
    for (let part = parent.length - 1; part >= 0; part -= 1) backwardPart(ordered, 0, size, factor, part, nine);
    for (let side = 0; side < sides; side += 1) {
      const to = (first + side) * size;
      for (let at = 0; at < order.length; at += 1) {
        for (let i = 0; i < 3; i += 1) x[to + 3 * order[at] + i] = ordered[side * size + 3 * at + i];
      }
    }
  }
}
