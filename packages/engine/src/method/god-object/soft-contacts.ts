import { sumOuter } from '../../friction/scaled-contacts.js';
import { choleskyFactor, choleskySolve } from '../../math/linear-algebra.js';
import type { HalfSpaces } from './half-spaces.js';

/**
 * What becomes of half-spaces that leave nothing, or so little that the forces between them are beyond all measure: a peg
 * too large for its hole. They give way like springs: minimise ½|y − target|² + ½ κ Σ max(0, b_i − a_iᵀy)², the least
 * violation that the coupling's pull allows for. Newton's iteration in six unknowns; the minimum is unique.
 *
 * κ is the stiffness of the contacts in units of the coupling's. It is that of one direction of contact, shared among the
 * contacts as if they were spread over the six sides of a box.
 */
export interface SoftContacts {
  /** N/m per N/m. */
  readonly stiffness: number;
  /** 1 + κ Σ a aᵀ over those that push, and its load: target + κ Σ b a. */
  readonly matrix: Float64Array;
  readonly load: Float64Array;
  /** κ max(0, b_i − a_iᵀy), by half-space, m. */
  readonly force: Float64Array;
  readonly y: Float64Array;
  readonly workspace: {
    readonly factor: Float64Array;
    readonly trial: Float64Array;
    readonly step: Float64Array;
    readonly weight: Float64Array;
    /** The function's value, and κ of each contact. */
    readonly values: Float64Array;
  };
}

const SIDES = 6;
const MAX_STEPS = 20;
const MAX_HALVINGS = 20;
const PRECISION = 1e-18;

export function createSoftContacts(capacity: number, stiffness: number): SoftContacts {
  return {
    stiffness,
    matrix: new Float64Array(36),
    load: new Float64Array(6),
    force: new Float64Array(capacity),
    y: new Float64Array(6),
    workspace: {
      factor: new Float64Array(36),
      trial: new Float64Array(6),
      step: new Float64Array(6),
      weight: new Float64Array(capacity),
      values: new Float64Array(2),
    },
  };
}

/** Starts at rest, where the tool is. `depth` takes the place of the half-spaces' bounds, which may be eased. */
export function giveWay(soft: SoftContacts, space: HalfSpaces, depth: Float64Array, target: Float64Array): void {
  const { y, matrix, load, workspace } = soft;
  const { factor, trial, step, values } = workspace;
  values[1] = (soft.stiffness * SIDES) / Math.max(SIDES, space.count);
  y.fill(0);
  findForces(soft, space, depth, target, y);
  for (let round = 0; round < MAX_STEPS; round += 1) {
    sumSprings(soft, space, depth, target);
    for (let i = 0; i < 36; i += 1) factor[i] = matrix[i];
    for (let i = 0; i < 6; i += 1) step[i] = load[i];
    choleskyFactor(factor, 6, Number.MIN_VALUE);
    choleskySolve(step, factor, 6);
    for (let i = 0; i < 6; i += 1) step[i] -= y[i];
    const before = values[0];
    let length = 1;
    let better = false;
    let size = 0;
    for (let halving = 0; halving < MAX_HALVINGS && !better; halving += 1) {
      size = 0;
      for (let i = 0; i < 6; i += 1) {
        trial[i] = y[i] + length * step[i];
        size += length * length * step[i] * step[i];
      }
      findForces(soft, space, depth, target, trial);
      better = values[0] < before;
      length *= 0.5;
    }
    if (!better) break;
    for (let i = 0; i < 6; i += 1) y[i] = trial[i];
    if (size < PRECISION) break;
  }
  findForces(soft, space, depth, target, y);
  sumSprings(soft, space, depth, target);
}

/** Force of each contact at y, and the value of the function. */
function findForces(
  { force, workspace }: SoftContacts,
  { columns, count }: HalfSpaces,
  depth: Float64Array,
  target: Float64Array,
  y: Float64Array,
): void {
  const { values } = workspace;
  const kappa = values[1];
  let value = 0;
  for (let i = 0; i < 6; i += 1) value += 0.5 * (y[i] - target[i]) * (y[i] - target[i]);
  const y0 = y[0];
  const y1 = y[1];
  const y2 = y[2];
  const y3 = y[3];
  const y4 = y[4];
  const y5 = y[5];
  for (let c = 0; c < count; c += 1) {
    const o = 6 * c;
    const lacking =
      depth[c] -
      columns[o] * y0 -
      columns[o + 1] * y1 -
      columns[o + 2] * y2 -
      columns[o + 3] * y3 -
      columns[o + 4] * y4 -
      columns[o + 5] * y5;
    force[c] = lacking > 0 ? kappa * lacking : 0;
    if (lacking > 0) value += 0.5 * kappa * lacking * lacking;
  }
  values[0] = value;
}

/** `matrix` and `load` of the contacts that push now. */
function sumSprings(
  { matrix, load, force, workspace }: SoftContacts,
  { columns, count }: HalfSpaces,
  depth: Float64Array,
  target: Float64Array,
): void {
  const { values, weight } = workspace;
  const kappa = values[1];
  for (let i = 0; i < 6; i += 1) load[i] = target[i];
  for (let c = 0; c < count; c += 1) {
    weight[c] = force[c] > 0 ? kappa : 0;
    if (weight[c] === 0) continue;
    for (let i = 0; i < 6; i += 1) load[i] += kappa * depth[c] * columns[6 * c + i];
  }
  sumOuter(matrix, columns, weight, count, 0);
  for (let i = 0; i < 6; i += 1) matrix[7 * i] += 1;
}
