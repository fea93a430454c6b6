import { choleskyFactor, choleskySolve } from '../../math/linear-algebra.js';
import type { HalfSpaces } from './half-spaces.js';

/**
 * Which contacts carry the reaction. The projection names up to six of the contacts that touch; a flat face touches with
 * many more, and how the load is spread decides how it resists drilling. Of all forces u_i ≥ 0 with Σ u_i a_i = R those
 * of least Σ u_i²/(2 w_i) are taken: u_i = w_i max(0, a_iᵀz), with z the minimum of ½ Σ w_i max(0, a_iᵀz)² − Rᵀz, found
 * by Newton's iteration in six unknowns. They are unique and change smoothly from cycle to cycle.
 *
 * w_i fades from 1 to 0 over the gap that still counts as touching.
 */
export interface SpreadForces {
  count: number;
  /** Contacts that touch, and what they carry, in the units of R. */
  readonly index: Int32Array;
  readonly force: Float64Array;
  readonly workspace: {
    readonly weight: Float64Array;
    readonly z: Float64Array;
    readonly trial: Float64Array;
    readonly rest: Float64Array;
    readonly step: Float64Array;
    readonly matrix: Float64Array;
    /** |rest|² of the last evaluation, and the function's value. */
    readonly values: Float64Array;
  };
}

/** Enough to tell one face from another; more only cost time. */
export const MAX_SPREAD = 128;
const MAX_STEPS = 25;
const MAX_HALVINGS = 12;
/** |rest| / |R| at which the load counts as carried. */
const PRECISION = 1e-7;
/** Pivots below this part of the trace count as none. */
const FLOOR = 1e-10;

export function createSpreadForces(): SpreadForces {
  return {
    count: 0,
    index: new Int32Array(MAX_SPREAD),
    force: new Float64Array(MAX_SPREAD),
    workspace: {
      weight: new Float64Array(MAX_SPREAD),
      z: new Float64Array(6),
      trial: new Float64Array(6),
      rest: new Float64Array(6),
      step: new Float64Array(6),
      matrix: new Float64Array(36),
      values: new Float64Array(2),
    },
  };
}

/** `gap[0]`: how far from the surface a contact may be left and still count as touching, m. */
export function spreadForces(spread: SpreadForces, space: HalfSpaces, reaction: Float64Array, gap: Float64Array): void {
  collectTouching(spread, space, gap);
  if (balance(spread, space, reaction)) {
    const { weight, z } = spread.workspace;
    for (let n = 0; n < spread.count; n += 1) {
      const o = 6 * spread.index[n];
      let along = 0;
      for (let i = 0; i < 6; i += 1) along += space.columns[o + i] * z[i];
      spread.force[n] = along > 0 ? weight[n] * along : 0;
    }
    return;
  }
  // The projection's own forces are right as well, if not as even.
  spread.count = space.activeCount;
  for (let j = 0; j < space.activeCount; j += 1) {
    spread.index[j] = space.active[j];
    spread.force[j] = Math.max(0, space.multiplier[j]);
  }
}

/** Contacts near equality, evenly thinned if there are too many; the active ones always. */
function collectTouching(spread: SpreadForces, space: HalfSpaces, gap: Float64Array): void {
  const { columns, bound, y, active, activeCount, count } = space;
  const { index, workspace } = spread;
  let touching = 0;
  for (let c = 0; c < count; c += 1) if (slackOf(columns, bound, y, c) < gap[0]) touching += 1;
  const room = MAX_SPREAD - activeCount;
  const stride = Math.max(1, Math.ceil(touching / room));
  let kept = 0;
  for (let j = 0; j < activeCount; j += 1) {
    index[kept] = active[j];
    workspace.weight[kept] = 1;
    kept += 1;
  }
  let seen = 0;
  for (let c = 0; c < count && kept < MAX_SPREAD; c += 1) {
    const slack = slackOf(columns, bound, y, c);
    if (!(slack < gap[0])) continue;
    seen += 1;
    if (seen % stride !== 0) continue;
    let isActive = false;
    for (let j = 0; j < activeCount; j += 1) if (active[j] === c) isActive = true;
    if (isActive) continue;
    index[kept] = c;
    workspace.weight[kept] = slack > 0 ? 1 - slack / gap[0] : 1;
    kept += 1;
  }
  spread.count = kept;
}

function slackOf(columns: Float64Array, bound: Float64Array, y: Float64Array, c: number): number {
  const o = 6 * c;
  return (
    columns[o] * y[0] +
    columns[o + 1] * y[1] +
    columns[o + 2] * y[2] +
    columns[o + 3] * y[3] +
    columns[o + 4] * y[4] +
    columns[o + 5] * y[5] -
    bound[c]
  );
}

/** Newton's iteration from R itself, which is right but for a factor when all point the same way. */
function balance(spread: SpreadForces, space: HalfSpaces, reaction: Float64Array): boolean {
  const { z, trial, rest, step, matrix, values } = spread.workspace;
  let size = 0;
  for (let i = 0; i < 6; i += 1) {
    z[i] = reaction[i];
    size += reaction[i] * reaction[i];
  }
  const enough = PRECISION * PRECISION * size;
  evaluate(spread, space, reaction, z);
  for (let round = 0; round < MAX_STEPS; round += 1) {
    if (values[0] <= enough) return true;
    let trace = 0;
    for (let i = 0; i < 6; i += 1) trace += matrix[7 * i];
    if (!(trace > 0)) return false;
    for (let i = 0; i < 6; i += 1) step[i] = rest[i];
    // A little of the identity, so that directions in which nothing pushes stay where they are.
    for (let i = 0; i < 6; i += 1) matrix[7 * i] += FLOOR * trace;
    choleskyFactor(matrix, 6, FLOOR * trace);
    choleskySolve(step, matrix, 6);
    const before = values[1];
    const restBefore = values[0];
    let length = 1;
    let better = false;
    for (let halving = 0; halving < MAX_HALVINGS && !better; halving += 1) {
      for (let i = 0; i < 6; i += 1) trial[i] = z[i] + length * step[i];
      evaluate(spread, space, reaction, trial);
      better = values[1] < before || values[0] < 0.25 * restBefore;
      length *= 0.5;
    }
    if (!better) return false;
    for (let i = 0; i < 6; i += 1) z[i] = trial[i];
  }
  return values[0] <= enough;
}

/** R − Σ w max(0, aᵀz) a into `rest`, its Hessian into `matrix`. */
function evaluate(spread: SpreadForces, space: HalfSpaces, reaction: Float64Array, z: Float64Array): void {
  const { rest, matrix, weight, values } = spread.workspace;
  const { columns } = space;
  matrix.fill(0);
  let value = 0;
  for (let i = 0; i < 6; i += 1) {
    rest[i] = reaction[i];
    value -= reaction[i] * z[i];
  }
  for (let n = 0; n < spread.count; n += 1) {
    const o = 6 * spread.index[n];
    let along = 0;
    for (let i = 0; i < 6; i += 1) along += columns[o + i] * z[i];
    if (!(along > 0)) continue;
    const w = weight[n];
    value += 0.5 * w * along * along;
    for (let i = 0; i < 6; i += 1) {
      const scaled = w * columns[o + i];
      rest[i] -= scaled * along;
      for (let j = 0; j <= i; j += 1) matrix[6 * i + j] += scaled * columns[o + j];
    }
  }
  let square = 0;
  for (let i = 0; i < 6; i += 1) square += rest[i] * rest[i];
  values[0] = square;
  values[1] = value;
}
