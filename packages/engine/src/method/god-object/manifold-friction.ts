import { createDiscSum, type DiscSum, evaluateSum } from '../../friction/disc-sum.js';
import { createScaledContacts, type ScaledContacts, sumOuter } from '../../friction/scaled-contacts.js';
import {
  createSumNewton,
  LIMIT_REST,
  minimizeSum,
  NEWTON_CAPPED,
  NEWTON_CONVERGED,
  type SumNewton,
} from '../../friction/sum-newton.js';
import { choleskyFactor, choleskySolve, symmetricEigen } from '../../math/linear-algebra.js';
import { applyMatrix6, multiplyMatrix6 } from '../../math/matrices.js';
import { MAX_SPREAD } from './spread-forces.js';

/**
 * Coulomb friction of the contacts on the way y of the proxy. While the active contacts stay closed, y lies in
 * y₀ + range(P), P the projector at right angles to their normals; r_i = μ_i u_i bounds the friction of contact i, and
 * s_i = G_iᵀy is how far it slips. The proxy takes the y of least ½|y − y_u|² + Σ r_i |s_i|: coupling energy and
 * dissipation.
 *
 * Holding comes first, because a rounded kink would creep: the motions that friction resists (singular values of G above
 * a small part of the largest) are set to no slip at all, and whether the discs can carry what that takes is answered
 * by the six-dimensional dual of `friction/disc-sum.ts`. If they cannot, the kink is rounded over a width that is
 * narrowed, and the proxy slides.
 *
 * Units: y in metres (turns times a length), divided by Σ r_i where the sums of `friction/` want numbers near 1.
 */
export interface ManifoldFriction {
  readonly contacts: ScaledContacts;
  readonly newton: SumNewton;
  readonly limits: Float64Array;
  /** P, 6×6. */
  readonly free: Float64Array;
  /** A and b of the energy ½ yᵀA y − yᵀb that stands for ½|y − y_u|²: 1 and y_u, unless contacts give way. */
  readonly quadratic: Float64Array;
  readonly load: Float64Array;
  readonly workspace: {
    readonly reduced: Float64Array;
    readonly projector: Float64Array;
    readonly scratch: Float64Array;
    readonly matrix: Float64Array;
    readonly vectors: Float64Array;
    readonly rest: Float64Array;
    readonly slip: Float64Array;
  };
  /** Whether the last call could not hold. */
  slips: boolean;
  capped: boolean;
}

/** Squared part of the strongest below which a motion counts as not resisted, as for `friction.rankTolerance` of 0.05. */
const RANK_TOLERANCE = 0.0025;
const STATIC_TOLERANCE = 1e-8;
const SLIP_TOLERANCE = 1e-7;
const MAX_ITERATIONS = 60;
const SMALLEST_PIVOT = 1e-9;
/** A rest below this part of the friction forces counts as balanced when the iteration cannot get further. */
const GOOD_ENOUGH = 1e-5;
/** Widths of the rounded kink, in units of the slip without friction. */
const WIDTHS = [1e-1, 1e-2, 1e-3, 1e-5];

export function createManifoldFriction(): ManifoldFriction {
  const contacts = createScaledContacts(MAX_SPREAD);
  return {
    contacts,
    newton: createSumNewton(createDiscSum(contacts, 0)),
    limits: Float64Array.of(STATIC_TOLERANCE, MAX_ITERATIONS),
    free: new Float64Array(36),
    quadratic: new Float64Array(36),
    load: new Float64Array(6),
    workspace: {
      reduced: new Float64Array(36),
      projector: new Float64Array(36),
      scratch: new Float64Array(36),
      matrix: new Float64Array(36),
      vectors: new Float64Array(36),
      rest: new Float64Array(6),
      slip: new Float64Array(6),
    },
    slips: false,
    capped: false,
  };
}

/** P from orthonormal rows that span the active normals. */
export function setActiveBasis({ free }: ManifoldFriction, basis: Float64Array, count: number): void {
  free.fill(0);
  for (let i = 0; i < 6; i += 1) {
    free[7 * i] = 1;
    for (let j = 0; j < 6; j += 1) {
      for (let k = 0; k < count; k += 1) free[6 * i + j] -= basis[6 * k + i] * basis[6 * k + j];
    }
  }
}

/** After `contacts.map` and `contacts.radius` (m, not yet scaled) were written: scales the discs so that they sum to 1. */
export function scaleDiscs({ contacts }: ManifoldFriction): void {
  let total = 0;
  for (let n = 0; n < contacts.count; n += 1) total += contacts.radius[n];
  contacts.totalRadius = total;
  for (let n = 0; n < contacts.count; n += 1) {
    contacts.radius[n] = total > 0 ? contacts.radius[n] / total : 0;
    contacts.weight[n] = contacts.radius[n];
  }
  sumOuter(contacts.square, contacts.map, contacts.weight, 2 * contacts.count, 1);
}

/**
 * Whether friction holds. `way` is y₀ on entry, the point of the active planes next to 0; on success it is where the
 * proxy goes, and `pull` is what friction takes from the load, both in metres.
 */
export function holdByFriction(friction: ManifoldFriction, way: Float64Array, pull: Float64Array): boolean {
  const { contacts, newton, limits, workspace } = friction;
  const { rest } = workspace;
  const { range } = newton;
  splitMotions(friction);
  goUnresisted(friction, way);
  takeBackSlip(friction, way);
  findRest(friction, way);
  applyMatrix6(pull, 0, range, rest, 0);
  for (let i = 0; i < 6; i += 1) newton.load[i] = pull[i] / contacts.totalRadius;
  newton.quadratic.fill(0);
  newton.sum.width[0] = 1;
  newton.sum.shift.fill(0, 0, 2 * contacts.count);
  newton.y.fill(0);
  limits[LIMIT_REST] = STATIC_TOLERANCE;
  const outcome = minimizeSum(newton, limits, true);
  friction.slips = !(outcome === NEWTON_CONVERGED || (outcome === NEWTON_CAPPED && isBalanced(newton)));
  if (friction.slips) return false;
  // Along what friction resists the load itself, exact; across the active planes what the discs do there.
  addAcross(friction, pull, newton.sum);
  return true;
}

/** b − A y into `rest`. */
function findRest({ quadratic, load, workspace }: ManifoldFriction, y: Float64Array): void {
  const { rest } = workspace;
  for (let i = 0; i < 6; i += 1) {
    rest[i] = load[i];
    for (let j = 0; j < 6; j += 1) rest[i] -= quadratic[6 * i + j] * y[j];
  }
}

/** Moves `way` to the minimum among the motions that nothing resists: F A F v = F (b − A y₀), F = P − range. */
function goUnresisted(friction: ManifoldFriction, way: Float64Array): void {
  const { free, quadratic, newton, workspace } = friction;
  const { rest, slip, reduced, projector, scratch } = workspace;
  findRest(friction, way);
  for (let e = 0; e < 36; e += 1) projector[e] = free[e] - newton.range[e];
  sandwich(reduced, projector, quadratic, scratch);
  applyMatrix6(slip, 0, projector, rest, 0);
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 6; j += 1) reduced[6 * i + j] += (i === j ? 1 : 0) - projector[6 * i + j];
  }
  choleskyFactor(reduced, 6, SMALLEST_PIVOT);
  choleskySolve(slip, reduced, 6);
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 6; j += 1) way[i] += projector[6 * i + j] * slip[j];
  }
}

/** Eigenvectors of P Σ r GGᵀ P; those of large eigenvalues span what friction resists. */
function splitMotions({ contacts, newton, free, workspace }: ManifoldFriction): void {
  const { matrix, vectors } = workspace;
  const { range } = newton;
  newton.restricted = true;
  sandwich(matrix, free, contacts.square, vectors);
  symmetricEigen(vectors, matrix, 6);
  let largest = 0;
  for (let i = 0; i < 6; i += 1) if (matrix[7 * i] > largest) largest = matrix[7 * i];
  range.fill(0);
  for (let k = 0; k < 6; k += 1) {
    const resisted = matrix[7 * k] > RANK_TOLERANCE * largest && largest > 0;
    if (!resisted) continue;
    for (let i = 0; i < 6; i += 1) {
      for (let j = 0; j < 6; j += 1) range[6 * i + j] += vectors[6 * i + k] * vectors[6 * j + k];
    }
  }
}

/** out = P M P; `scratch` is overwritten. */
function sandwich(out: Float64Array, projector: Float64Array, matrix: Float64Array, scratch: Float64Array): void {
  multiplyMatrix6(scratch, matrix, projector);
  multiplyMatrix6(out, projector, scratch);
}

/** Moves `way` within the resisted motions so that the contacts slip as little as can be: least squares by r. */
function takeBackSlip({ contacts, newton, workspace }: ManifoldFriction, way: Float64Array): void {
  const { matrix, vectors, slip, rest } = workspace;
  let largest = 0;
  for (let i = 0; i < 6; i += 1) if (matrix[7 * i] > largest) largest = matrix[7 * i];
  applyMatrix6(slip, 0, contacts.square, way, 0);
  applyMatrix6(rest, 0, newton.range, slip, 0);
  // The matrix still holds the eigenvalues on its diagonal.
  for (let k = 0; k < 6; k += 1) {
    if (!(matrix[7 * k] > RANK_TOLERANCE * largest)) continue;
    let along = 0;
    for (let i = 0; i < 6; i += 1) along += vectors[6 * i + k] * rest[i];
    for (let i = 0; i < 6; i += 1) way[i] -= (along / matrix[7 * k]) * vectors[6 * i + k];
  }
}

function isBalanced({ rest }: SumNewton): boolean {
  let square = 0;
  for (let i = 0; i < 6; i += 1) square += rest[i] * rest[i];
  return square < GOOD_ENOUGH * GOOD_ENOUGH;
}

/** Adds to `pull` (1 − P) Σ r G p, in metres. */
function addAcross({ contacts, free, workspace }: ManifoldFriction, pull: Float64Array, sum: DiscSum): void {
  const { rest } = workspace;
  for (let i = 0; i < 6; i += 1) rest[i] = sum.pull[i] * contacts.totalRadius;
  for (let i = 0; i < 6; i += 1) {
    pull[i] += rest[i];
    for (let j = 0; j < 6; j += 1) pull[i] -= free[6 * i + j] * rest[j];
  }
}

/**
 * The sliding motion: `way` is a point of the active planes on entry, best the motion without friction, and where the
 * proxy goes on return; `pull` as for holding.
 */
export function slideByFriction(friction: ManifoldFriction, way: Float64Array, pull: Float64Array): void {
  const { contacts, newton, limits, free, quadratic, load, workspace } = friction;
  const { rest } = workspace;
  const { sum, y } = newton;
  const perTotal = 1 / contacts.totalRadius;
  newton.range.set(free);
  newton.restricted = true;
  newton.quadratic.set(quadratic);
  let size = 0;
  for (let i = 0; i < 6; i += 1) {
    newton.load[i] = load[i] * perTotal;
    y[i] = way[i] * perTotal;
    size += newton.load[i] * newton.load[i];
  }
  sum.width[0] = 1;
  sum.shift.fill(0, 0, 2 * contacts.count);
  evaluateSum(sum, y);
  let typical = 0;
  for (let n = 0; n < 2 * contacts.count; n += 1) {
    if (Math.abs(sum.argument[n]) > typical) typical = Math.abs(sum.argument[n]);
  }
  friction.capped = false;
  if (typical > 0) {
    limits[LIMIT_REST] = SLIP_TOLERANCE * Math.sqrt(size);
    for (let stage = 0; stage < WIDTHS.length; stage += 1) {
      sum.width[0] = WIDTHS[stage] * typical;
      friction.capped = minimizeSum(newton, limits, false) === NEWTON_CAPPED;
    }
  }
  for (let i = 0; i < 6; i += 1) way[i] = y[i] * contacts.totalRadius;
  findRest(friction, way);
  applyMatrix6(pull, 0, free, rest, 0);
  addAcross(friction, pull, sum);
}
