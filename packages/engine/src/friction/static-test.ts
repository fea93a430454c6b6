import {
  choleskyFactor,
  choleskySolve,
  isPositiveDefinite,
  solveLinear,
  symmetricEigen,
} from '../math/linear-algebra.js';
import { square } from '../math/portable.js';
import { createDiscSum, takeContacts } from './disc-sum.js';
import type { FrictionModelOptions, FrictionResult } from './friction-model.js';
import type { FrictionProblem } from './friction-problem.js';
import { mapAt } from './pair-layout.js';
import { displacementOf, dualQuadratic, findMobility, type ScaledBody, unscaleTwist } from './scaled-body.js';
import type { ScaledContacts } from './scaled-contacts.js';
import {
  allowEverything,
  createSumNewton,
  minimizeSum,
  NEWTON_CAPPED,
  NEWTON_CONVERGED,
  NEWTON_UNBOUNDED,
  restrictSymmetric,
  type SumNewton,
} from './sum-newton.js';
import { writeForces } from './write-forces.js';

/**
 * Can static friction hold the tool? (Zhao, Li, Barbič, section 4, Eq. 32–37, for pyramids and for the exact cone.)
 *
 * The linear program of the paper has 2k + 12 unknowns. It reduces to six: let the columns of N be a basis of the null
 * space of Gᵀ, the twists that move every contact along its own normal. Eq. 34 says λ = N z; Eq. 32, 33 give
 * Δ = −D⁻¹KᵀNz; Eq. 35, 36 multiplied by Nᵀ give (NᵀK D⁻¹KᵀN) z = Nᵀw, since NᵀG = 0. So Δ is known before any friction
 * force is, and what is left is whether b = −(w + KΔ) lies in the sum of the k friction discs { G_i β_i, |β_i| ≤ r_i }.
 *
 * Of all forces that do it, the one of least Σ |β_i|²/(2 r_i) is found by its dual (`disc-sum.ts` with A = 0, ε = 1):
 * unique, and continuous from cycle to cycle. A y with yᵀb > Σ r_i |G_iᵀy| proves that there is none.
 *
 * Where we deviate: singular values of G, weighted by the forces, below `rankTolerance` of the largest count as zero.
 * Slightly curved faces would otherwise be called slipping in every cycle in which they are pressed in.
 *
 * Limit cases: no contacts, N is everything and Δ = −K⁻¹w; μ = 0, no force is allowed and only b = 0 holds; three faces
 * of a corner or a bore, N is empty and Δ = 0.
 */
export interface StaticTest {
  readonly contacts: ScaledContacts;
  readonly body: ScaledBody;
  readonly newton: SumNewton;
  /** Smallest eigenvalue of Σ r GGᵀ that counts, in units of the largest. */
  readonly smallestEigenvalue: number;
  readonly limits: Float64Array;
  readonly workspace: StaticWorkspace;
  /** Whether `newton.y` holds a direction that outweighed friction last time. */
  proved: boolean;
  /** Whether the last answer is a start for the next. */
  warm: boolean;
  /** The answer before the last one, and whether going on as from it to the last would have come closer last time. */
  readonly before: Float64Array;
  goesOn: boolean;
}

interface StaticWorkspace {
  readonly matrix: Float64Array;
  readonly vectors: Float64Array;
  readonly dualQuadratic: Float64Array;
  readonly reduced: Float64Array;
  readonly coefficients: Float64Array;
  readonly dual: Float64Array;
  readonly displacement: Float64Array;
  readonly rest: Float64Array;
  readonly last: Float64Array;
}

/** Below this a doubly rounded 6×6 eigenvalue cannot be told from zero. */
const EIGENVALUE_NOISE = 1e-14;
/** A rest below this part of the friction forces still counts as balanced when the iteration cannot get further. */
const GOOD_ENOUGH = 1e-5;

export function createStaticTest(
  contacts: ScaledContacts,
  body: ScaledBody,
  sides: number,
  options: FrictionModelOptions,
): StaticTest {
  return {
    contacts,
    body,
    newton: createSumNewton(createDiscSum(contacts, sides)),
    smallestEigenvalue: Math.max(square(options.rankTolerance), EIGENVALUE_NOISE),
    limits: Float64Array.of(options.tolerance, options.maxIterations),
    workspace: {
      matrix: new Float64Array(36),
      vectors: new Float64Array(36),
      dualQuadratic: new Float64Array(36),
      reduced: new Float64Array(36),
      coefficients: new Float64Array(6),
      dual: new Float64Array(6),
      displacement: new Float64Array(6),
      rest: new Float64Array(6),
      last: new Float64Array(6),
    },
    proved: false,
    warm: false,
    before: new Float64Array(6),
    goesOn: false,
  };
}

/**
 * Fills the whole result if static friction holds; otherwise `holds`, `proved`, `direction`, `iterations` and `capped`
 * only. `contacts` and `body` must have been scaled from `problem`.
 */
export function testStatic(test: StaticTest, result: FrictionResult, problem: FrictionProblem): void {
  splitTwists(test);
  returnToAnchors(test, problem);
  if (test.newton.restricted) findDisplacement(test, problem);
  findLoad(test);
  const outcome = balance(test);
  const { newton } = test;
  result.iterations = newton.iterations;
  result.capped = outcome === NEWTON_CAPPED;
  result.proved = outcome === NEWTON_UNBOUNDED;
  result.holds =
    outcome === NEWTON_CONVERGED || (outcome === NEWTON_CAPPED && restSquare(newton) < square(GOOD_ENOUGH));
  test.proved = result.proved;
  test.warm = result.holds;
  if (result.proved) {
    for (let i = 0; i < 6; i += 1) result.direction[i] = newton.y[i];
    unscaleTwist(result.direction, problem);
  }
  if (!result.holds) return;
  for (let i = 0; i < 6; i += 1) result.displacement[i] = test.workspace.displacement[i];
  unscaleTwist(result.displacement, problem);
  writeForces(result, newton.sum, problem, 1);
}

function restSquare({ rest }: SumNewton): number {
  let square = 0;
  for (let i = 0; i < 6; i += 1) square += rest[i] * rest[i];
  return square;
}

/** Eigenvectors of Σ r GGᵀ; those of the large eigenvalues span what friction resists. */
function splitTwists(test: StaticTest): void {
  const { contacts, newton, smallestEigenvalue, workspace } = test;
  const { matrix, vectors } = workspace;
  if (resistsAllTwists(test)) {
    allowEverything(newton);
    return;
  }
  newton.restricted = true;
  for (let e = 0; e < 36; e += 1) matrix[e] = contacts.square[e];
  symmetricEigen(vectors, matrix, 6);
  let largest = 0;
  for (let i = 0; i < 6; i += 1) if (matrix[7 * i] > largest) largest = matrix[7 * i];
  // From here on the diagonal says to which part each eigenvector belongs.
  for (let i = 0; i < 6; i += 1) matrix[7 * i] = matrix[7 * i] > smallestEigenvalue * largest ? 1 : 0;
  for (let i = 0; i < 6; i += 1) {
    for (let j = 0; j < 6; j += 1) {
      let entry = 0;
      for (let k = 0; k < 6; k += 1) entry += matrix[7 * k] * vectors[6 * i + k] * vectors[6 * j + k];
      newton.range[6 * i + j] = entry;
    }
  }
}

/**
 * Whether clearly no eigenvalue is small, as in a corner or a bore: A − t·trace(A) has a Cholesky factor. That is a tenth
 * of the work of finding the eigenvalues. The trace is at least the largest of them, so it errs on the side of no.
 */
function resistsAllTwists({ contacts, smallestEigenvalue, workspace }: StaticTest): boolean {
  const { matrix } = workspace;
  let trace = 0;
  for (let i = 0; i < 6; i += 1) trace += contacts.square[7 * i];
  for (let e = 0; e < 36; e += 1) matrix[e] = contacts.square[e];
  for (let i = 0; i < 6; i += 1) matrix[7 * i] -= smallestEigenvalue * trace;
  return isPositiveDefinite(matrix, 6);
}

/** Adds Δ of the twists that friction does not resist. */
function findDisplacement({ body, workspace }: StaticTest, problem: FrictionProblem): void {
  const { matrix, vectors, dualQuadratic: a, reduced, coefficients, dual, displacement, rest } = workspace;
  findMobility(body, problem);
  dualQuadratic(a, body);
  wrenchAfter(rest, body, displacement);
  let size = 0;
  for (let k = 0; k < 6; k += 1) {
    if (matrix[7 * k] !== 0) continue;
    // Eigenvectors of the null space move to the front: a column is read only after those before it.
    for (let i = 0; i < 6; i += 1) vectors[6 * i + size] = vectors[6 * i + k];
    size += 1;
  }
  for (let m = 0; m < size; m += 1) {
    coefficients[m] = 0;
    for (let i = 0; i < 6; i += 1) coefficients[m] += vectors[6 * i + m] * rest[i];
    for (let n = 0; n < size; n += 1) {
      let entry = 0;
      for (let i = 0; i < 6; i += 1) {
        for (let j = 0; j < 6; j += 1) entry += vectors[6 * i + m] * a[6 * i + j] * vectors[6 * j + n];
      }
      reduced[size * m + n] = entry;
    }
  }
  const solved = solveLinear(coefficients, reduced, size);
  for (let i = 0; i < 6; i += 1) {
    dual[i] = 0;
    if (solved) for (let m = 0; m < size; m += 1) dual[i] += vectors[6 * i + m] * coefficients[m];
  }
  displacementOf(rest, body, dual);
  for (let i = 0; i < 6; i += 1) displacement[i] += rest[i];
}

/**
 * Starts with the small twist that brings the contacts back to their anchors, as well as one can: least squares, weighted
 * by the forces, of G_iᵀΔ = −stretch_i among the twists that friction resists. In exact arithmetic and infinitely small
 * steps there would be nothing to bring back; in finite ones a tool that is loaded again and again would wander.
 */
function returnToAnchors({ contacts, newton, workspace }: StaticTest, problem: FrictionProblem): void {
  const { coefficients: slip, reduced, displacement, dual } = workspace;
  const { index, map, radius, square, count } = contacts;
  displacement.fill(0);
  slip.fill(0);
  let any = false;
  for (let n = 0; n < count; n += 1) {
    const u = radius[n] * problem.stretch[2 * index[n]];
    const v = radius[n] * problem.stretch[2 * index[n] + 1];
    if (u === 0 && v === 0) continue;
    any = true;
    const o = mapAt(n);
    for (let i = 0; i < 6; i += 1) slip[i] -= u * map[o + 2 * i] + v * map[o + 12 + 2 * i];
  }
  if (!any) return;
  restrictSymmetric(reduced, square, newton);
  for (let i = 0; i < 6; i += 1) {
    dual[i] = 0;
    for (let j = 0; j < 6; j += 1) dual[i] += newton.range[6 * i + j] * slip[j];
  }
  choleskyFactor(reduced, 6, Number.MIN_VALUE);
  choleskySolve(dual, reduced, 6);
  for (let i = 0; i < 6; i += 1) displacement[i] = dual[i];
}

/** What friction has to balance after that. */
function findLoad({ contacts, body, newton, workspace }: StaticTest): void {
  const { displacement, rest } = workspace;
  const perForce = contacts.totalRadius > 0 ? 1 / contacts.totalRadius : 1;
  wrenchAfter(rest, body, displacement);
  for (let i = 0; i < 6; i += 1) newton.load[i] = -rest[i] * perForce;
}

/** w + KΔ */
function wrenchAfter(out: Float64Array, { wrench, stiffness }: ScaledBody, displacement: Float64Array): void {
  for (let i = 0; i < 6; i += 1) {
    out[i] = wrench[i];
    for (let j = 0; j < 6; j += 1) out[i] += stiffness[6 * i + j] * displacement[j];
  }
}

/** Looks for forces that balance the load, first along the direction that proved last time that there are none. */
function balance(test: StaticTest): number {
  const { newton, limits } = test;
  const { last } = test.workspace;
  takeContacts(newton.sum);
  last.set(newton.y);
  if (test.warm && test.goesOn) for (let i = 0; i < 6; i += 1) newton.y[i] = 2 * last[i] - test.before[i];
  if (test.warm || test.proved) keepResisted(newton, test.workspace.dual);
  else newton.y.fill(0);
  const outcome = minimizeSum(newton, limits, true);
  judgeStart(test);
  if (outcome !== NEWTON_CAPPED || !(test.warm || test.proved)) return outcome;
  // A start from last time can be a bad one.
  newton.y.fill(0);
  return minimizeSum(newton, limits, true);
}

/** Whether to go on as the last two answers did: a hand moves smoothly, but contacts come to their rims. */
function judgeStart(test: StaticTest): void {
  const { newton, before, workspace } = test;
  const { last } = workspace;
  let fromLast = 0;
  let fromBoth = 0;
  for (let i = 0; i < 6; i += 1) {
    const change = newton.y[i] - last[i];
    const rest = change - (last[i] - before[i]);
    fromLast += change * change;
    fromBoth += rest * rest;
  }
  test.goesOn = test.warm && fromBoth < fromLast;
  before.set(last);
}

/** Of last time's y, the part along twists that friction resists now: the rest would prove what is not so. */
function keepResisted({ y, range }: SumNewton, part: Float64Array): void {
  for (let i = 0; i < 6; i += 1) {
    part[i] = 0;
    for (let j = 0; j < 6; j += 1) part[i] += range[6 * i + j] * y[j];
  }
  for (let i = 0; i < 6; i += 1) y[i] = part[i];
}
