import { choleskyFactor, choleskySolve } from '../math/linear-algebra.js';
import { multiplyMatrix6 } from '../math/matrices.js';
import { type DiscSum, evaluateHeld, evaluateSum, SUM_POTENTIAL, SUM_SUPPORT, sumHessian } from './disc-sum.js';

/**
 * Semismooth Newton iteration with a line search for f(y) = ½ yᵀA y − yᵀb + ε Σ r_i h(s_i / ε) (`disc-sum.ts`), in six
 * unknowns. f is convex and once differentiable, and its Hessian jumps only where a contact comes to the rim of its disc,
 * so that a few steps do.
 *
 * `range` restricts y: the static test has no A, and f is flat along the twists that no contact resists.
 */
export interface SumNewton {
  readonly sum: DiscSum;
  /** A, 6×6, symmetric and not negative. */
  readonly quadratic: Float64Array;
  readonly load: Float64Array;
  /** Projector on the space in which y is sought, 6×6. */
  readonly range: Float64Array;
  /** False if that is the whole space, so that nothing need be projected. */
  restricted: boolean;
  /** Start on entry, the minimiser on return. */
  readonly y: Float64Array;
  /** −∇f in that space: what is not balanced. */
  readonly rest: Float64Array;
  readonly workspace: NewtonWorkspace;
  iterations: number;
}

interface NewtonWorkspace {
  readonly hessian: Float64Array;
  readonly product: Float64Array;
  readonly restricted: Float64Array;
  readonly step: Float64Array;
  readonly trial: Float64Array;
  readonly curved: Float64Array;
  /** f, |rest|² and yᵀb − Σ r_i σ(s_i) of the last evaluation. */
  readonly values: Float64Array;
}

export const NEWTON_CONVERGED = 0;
/** f has no minimum: `y` is a direction along which the load outweighs all that friction can do. */
export const NEWTON_UNBOUNDED = 1;
export const NEWTON_CAPPED = 2;

const VALUE = 0;
const REST_SQUARE = 1;
const EXCESS = 2;

const MAX_SEARCHES = 60;
/** The slope along a step must fall to this part of itself. */
const SLOPE_DECREASE = 0.3;
/** Where f no longer changes by more than it is rounded, a shorter rest is progress enough. */
const REST_DECREASE = 0.1;
/**
 * A load on the very border of what friction can hold, as where a sliding tool comes to rest, is neither balanced nor
 * outweighed to the last digit. After this part of the iterations, or when they get no further, a rest a
 * thousand times above its limit will do; the number is for squares.
 */
const PATIENCE = 0.2;
const SLACK = 1e6;
/** A direction proves something only if it wins by more than rounding. */
const PROOF_MARGIN = 1e-11;
/** Smallest pivot, in a problem whose numbers are near 1: where f is straight a step is long, but not without end. */
const PIVOT_FLOOR = 1e-9;

export function createSumNewton(sum: DiscSum): SumNewton {
  return {
    sum,
    quadratic: new Float64Array(36),
    load: new Float64Array(6),
    range: new Float64Array(36),
    restricted: true,
    y: new Float64Array(6),
    rest: new Float64Array(6),
    workspace: {
      hessian: new Float64Array(36),
      product: new Float64Array(36),
      restricted: new Float64Array(36),
      step: new Float64Array(6),
      trial: new Float64Array(6),
      curved: new Float64Array(6),
      values: new Float64Array(3),
    },
    iterations: 0,
  };
}

/** Places in the limits of a search: in an array, because numbers given to a function may be put on the heap. */
export const LIMIT_REST = 0;
const LIMIT_ITERATIONS = 1;

/**
 * Iterates from `y` until |rest| ≤ `limits[LIMIT_REST]`, at most `limits[LIMIT_ITERATIONS]` times. `seekProof` ends the
 * search as soon as it is clear that there is no minimum.
 */
export function minimizeSum(newton: SumNewton, limits: Float64Array, seekProof: boolean): number {
  evaluate(newton, newton.y);
  return iterate(newton, limits, seekProof);
}

/**
 * The same with a first step that keeps every contact inside or on the rim, as it is in `sum.rim`. `sameHessian` takes
 * the one of the last step again, for when only the shifts have changed since.
 */
export function minimizeFromHeld(newton: SumNewton, limits: Float64Array, sameHessian: boolean): number {
  takeHeldStep(newton, sameHessian);
  return iterate(newton, limits, false);
}

/** Moves `y` unless f is more there than where it was, and evaluates it. */
function takeHeldStep(newton: SumNewton, sameHessian: boolean): void {
  const { sum, y, workspace } = newton;
  const { step, trial, values } = workspace;
  evaluateHeld(sum, y);
  findRest(newton, y);
  const restSquare = values[REST_SQUARE];
  if (!sameHessian) factorHessian(newton);
  findStep(newton);
  for (let i = 0; i < 6; i += 1) trial[i] = y[i] + step[i];
  evaluate(newton, trial);
  if (!(values[REST_SQUARE] <= REST_DECREASE * restSquare)) {
    const value = values[VALUE];
    evaluate(newton, y);
    if (!(value < values[VALUE])) return;
    evaluate(newton, trial);
  }
  for (let i = 0; i < 6; i += 1) y[i] = trial[i];
}

function iterate(newton: SumNewton, limits: Float64Array, seekProof: boolean): number {
  const { y, workspace } = newton;
  const { trial, values } = workspace;
  const restLimit = limits[LIMIT_REST] * limits[LIMIT_REST];
  for (newton.iterations = 0; newton.iterations < limits[LIMIT_ITERATIONS]; newton.iterations += 1) {
    if (seekProof && values[EXCESS] > 0) return NEWTON_UNBOUNDED;
    if (values[REST_SQUARE] <= restLimit) return NEWTON_CONVERGED;
    if (newton.iterations > PATIENCE * limits[LIMIT_ITERATIONS] && values[REST_SQUARE] <= SLACK * restLimit)
      return NEWTON_CONVERGED;
    factorHessian(newton);
    findStep(newton);
    const restSquare = values[REST_SQUARE];
    // If not, rounding is all that is left: the last point is as good as any.
    if (!searchAlongStep(newton, seekProof)) return restSquare <= SLACK * restLimit ? NEWTON_CONVERGED : NEWTON_CAPPED;
    for (let i = 0; i < 6; i += 1) y[i] = trial[i];
  }
  if (values[REST_SQUARE] <= restLimit) return NEWTON_CONVERGED;
  return NEWTON_CAPPED;
}

/**
 * Finds a point along the step where f is less and its slope a fraction of what it was: Newton's own point if that will
 * do, else by false position between the last point before the minimum and the first one behind it. Halving alone would
 * creep, because the slope jumps where many contacts come to their rims at once. Leaves the point in `trial`, evaluated.
 */
function searchAlongStep(newton: SumNewton, seekProof: boolean): boolean {
  const { y, rest, workspace } = newton;
  const { step, trial, values } = workspace;
  const value = values[VALUE];
  const restSquare = values[REST_SQUARE];
  let firstSlope = 0;
  for (let i = 0; i < 6; i += 1) firstSlope -= rest[i] * step[i];
  let before = 0;
  let slopeBefore = firstSlope;
  let behind = 0;
  let slopeBehind = 0;
  let length = 1;
  for (let search = 0; search < MAX_SEARCHES; search += 1) {
    for (let i = 0; i < 6; i += 1) trial[i] = y[i] + length * step[i];
    evaluate(newton, trial);
    if (seekProof && values[EXCESS] > 0) return true;
    if (values[REST_SQUARE] <= REST_DECREASE * restSquare) return true;
    let slope = 0;
    for (let i = 0; i < 6; i += 1) slope -= rest[i] * step[i];
    if (values[VALUE] < value && Math.abs(slope) <= SLOPE_DECREASE * -firstSlope) return true;
    if (slope < 0) {
      before = length;
      slopeBefore = slope;
    } else {
      behind = length;
      slopeBehind = slope;
    }
    if (behind === 0) length *= 4;
    else if (search % 2 === 0) length = before + ((behind - before) * slopeBefore) / (slopeBefore - slopeBehind);
    else length = 0.5 * (before + behind);
  }
  return values[VALUE] < value;
}

/** Lifts the restriction: y may be anything. */
export function allowEverything(newton: SumNewton): void {
  newton.restricted = false;
  newton.range.fill(0);
  for (let i = 0; i < 6; i += 1) newton.range[7 * i] = 1;
}

/** f and its gradient at `y`. */
function evaluate(newton: SumNewton, y: Float64Array): void {
  evaluateSum(newton.sum, y);
  findRest(newton, y);
}

/** What follows from the sum over the contacts. */
function findRest(newton: SumNewton, y: Float64Array): void {
  const { sum, quadratic, load, range, rest, workspace } = newton;
  const { curved, values } = workspace;
  let value = sum.sums[SUM_POTENTIAL];
  let work = 0;
  for (let i = 0; i < 6; i += 1) {
    let along = 0;
    for (let j = 0; j < 6; j += 1) along += quadratic[6 * i + j] * y[j];
    curved[i] = load[i] - along - sum.pull[i];
    value += y[i] * (0.5 * along - load[i]);
    work += y[i] * load[i];
  }
  let square = 0;
  for (let i = 0; i < 6; i += 1) {
    let component = curved[i];
    if (newton.restricted) {
      component = 0;
      for (let j = 0; j < 6; j += 1) component += range[6 * i + j] * curved[j];
    }
    rest[i] = component;
    square += component * component;
  }
  values[VALUE] = value;
  values[REST_SQUARE] = square;
  const support = sum.sums[SUM_SUPPORT];
  values[EXCESS] = work - support - PROOF_MARGIN * support;
}

function factorHessian(newton: SumNewton): void {
  const { sum, quadratic, workspace } = newton;
  const { hessian, restricted } = workspace;
  sumHessian(hessian, sum);
  for (let e = 0; e < 36; e += 1) hessian[e] += quadratic[e];
  restrictSymmetric(restricted, hessian, newton);
  choleskyFactor(restricted, 6, PIVOT_FLOOR);
}

/** Newton's step: (P H P + trace·(1 − P)) step = rest. */
function findStep({ rest, workspace }: SumNewton): void {
  const { step, restricted } = workspace;
  for (let i = 0; i < 6; i += 1) step[i] = rest[i];
  choleskySolve(step, restricted, 6);
}

/** P M P + trace(M)·(1 − P) for the projector P on the range: M where y is sought, and no obstacle elsewhere. */
export function restrictSymmetric(out: Float64Array, matrix: Float64Array, newton: SumNewton): void {
  const { range, workspace } = newton;
  const { product } = workspace;
  if (!newton.restricted) {
    for (let e = 0; e < 36; e += 1) out[e] = matrix[e];
    return;
  }
  let trace = 0;
  for (let i = 0; i < 6; i += 1) trace += matrix[7 * i];
  multiplyMatrix6(product, matrix, range);
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      let entry = 0;
      for (let k = 0; k < 6; k += 1) entry += range[6 * i + k] * product[6 * k + j];
      out[6 * i + j] = entry + trace * ((i === j ? 1 : 0) - range[6 * i + j]);
    }
  }
}
