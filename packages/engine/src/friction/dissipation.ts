import { solveLinear } from '../math/linear-algebra.js';
import { createDiscSum, type DiscSum, takeArguments, takeContacts } from './disc-sum.js';
import type { FrictionModelOptions, FrictionResult } from './friction-model.js';
import type { FrictionProblem } from './friction-problem.js';
import { evenCount, twoAt } from './pair-layout.js';
import { displacementOf, dualQuadratic, findMobility, type ScaledBody, unscaleTwist } from './scaled-body.js';
import type { ScaledContacts } from './scaled-contacts.js';
import {
  allowEverything,
  createSumNewton,
  LIMIT_REST,
  minimizeFromHeld,
  minimizeSum,
  NEWTON_CAPPED,
  type SumNewton,
} from './sum-newton.js';
import { writeForces } from './write-forces.js';

/**
 * Maximal dissipation (Zhao, Li, Barbič, Eq. 28–31): of all friction forces within their cones, those with which the
 * tool comes to rest with the least ½ ΔᵀDΔ, D as `metric.ts` has it. Contacts may stick and slip at once.
 *
 * The dual has six unknowns: minimise ½ λᵀA λ − λᵀw + Σ r_i |s_i|, A = K D⁻¹Kᵀ, s_i = G_iᵀλ; then Δ = −D⁻¹Kᵀλ, and a
 * slipping contact has β_i = −r_i s_i / |s_i|. Sticking ones sit at the kink s_i = 0, where β does not follow from λ: the
 * kink is rounded over a width ε (`disc-sum.ts`), which is narrowed in steps until it is `FINAL_WIDTH` of the s that
 * there would be without friction. Rounded, a sticking contact yields by up to ε; a few steps of the method of
 * multipliers (project s_i / ε + q_i, then q_i ← p_i) take that away.
 *
 * Limit cases: r = 0 gives the motion without friction; where static friction holds, Δ is that of `static-test.ts`.
 */
export interface Dissipation {
  readonly contacts: ScaledContacts;
  readonly body: ScaledBody;
  readonly newton: SumNewton;
  readonly limits: Float64Array;
  readonly tolerance: number;
  readonly workspace: DissipationWorkspace;
  /** Whether `workspace.dual` is a start for the next cycle. */
  warm: boolean;
  /** How many contacts it had: if as many as now, they are most likely the same. */
  lastCount: number;
}

interface DissipationWorkspace {
  readonly matrix: Float64Array;
  /** λ' of the last answer. */
  readonly dual: Float64Array;
  /** The minimiser without friction. */
  readonly frictionless: Float64Array;
  /** In order: λ' per y, the size of the load, and the largest |s| without friction. */
  readonly scales: Float64Array;
}

const DUAL_UNIT = 0;
const LOAD_SIZE = 1;
const TYPICAL_SLIP = 2;

/** In units of all friction: a smaller load is balanced as exactly as this one, since nothing can be told of it. */
const SMALLEST_LOAD = 1e-4;
/** Widths of the rounded kink on the way from a cold start, in units of the slip without friction. */
const FIRST_WIDTHS = [1e-1, 1e-3];
const FINAL_WIDTH = 1e-5;
/** Steps of multipliers; each makes what sticking contacts yield smaller by about FINAL_WIDTH. */
const MULTIPLIER_STEPS = 2;
/** The way there need not be exact, nor the forces from which multipliers are taken. */
const FIRST_TOLERANCE = 1e-3;
const MULTIPLIER_TOLERANCE = 1e-4;

export function createDissipation(
  contacts: ScaledContacts,
  body: ScaledBody,
  sides: number,
  options: FrictionModelOptions,
): Dissipation {
  const newton = createSumNewton(createDiscSum(contacts, sides));
  allowEverything(newton);
  return {
    contacts,
    body,
    newton,
    limits: Float64Array.of(0, options.maxIterations),
    tolerance: options.tolerance,
    workspace: {
      matrix: new Float64Array(36),
      dual: new Float64Array(6),
      frictionless: new Float64Array(6),
      scales: new Float64Array(3),
    },
    warm: false,
    lastCount: 0,
  };
}

/**
 * Fills displacement, forces and states of the result; adds to its iterations. `contacts` and `body` must have been
 * scaled from `problem`.
 */
export function dissipate(dissipation: Dissipation, result: FrictionResult, problem: FrictionProblem): void {
  const { contacts, body, newton, workspace } = dissipation;
  findMobility(body, problem);
  setUp(dissipation);
  result.capped = false;
  if (contacts.totalRadius > 0) narrowKink(dissipation, result);
  else newton.y.set(workspace.frictionless);
  for (let i = 0; i < 6; i += 1) workspace.dual[i] = newton.y[i] * workspace.scales[DUAL_UNIT];
  dissipation.lastCount = contacts.count;
  dissipation.warm = contacts.totalRadius > 0 && !result.capped;
  displacementOf(result.displacement, body, workspace.dual);
  unscaleTwist(result.displacement, problem);
  // Against the slip, unlike the forces of the static test.
  writeForces(result, newton.sum, problem, -1);
}

/** Units in which A has a mean eigenvalue of 1, and the motion without friction. */
function setUp({ contacts, body, newton, workspace }: Dissipation): void {
  const { matrix, frictionless, scales } = workspace;
  const { quadratic, load, sum } = newton;
  dualQuadratic(quadratic, body);
  let trace = 0;
  for (let i = 0; i < 6; i += 1) trace += quadratic[7 * i];
  const unit = trace > 0 ? 6 / trace : 1;
  const perForce = contacts.totalRadius > 0 ? 1 / contacts.totalRadius : 1;
  let square = 0;
  for (let i = 0; i < 6; i += 1) {
    load[i] = body.wrench[i] * perForce;
    frictionless[i] = load[i];
    square += load[i] * load[i];
  }
  for (let e = 0; e < 36; e += 1) {
    quadratic[e] *= unit;
    matrix[e] = quadratic[e];
  }
  if (!solveLinear(frictionless, matrix, 6)) frictionless.fill(0);
  scales[DUAL_UNIT] = unit / perForce;
  scales[LOAD_SIZE] = Math.max(Math.sqrt(square), SMALLEST_LOAD);
  sum.width[0] = 1;
  sum.shift.fill(0, 0, 2 * evenCount(contacts.count));
  takeContacts(sum);
  takeArguments(sum, frictionless);
  let largest = 0;
  for (let n = 0; n < contacts.count; n += 1) {
    const at = twoAt(n);
    const u = Math.abs(sum.argument[at]);
    const v = Math.abs(sum.argument[at + 2]);
    if (u > largest) largest = u;
    if (v > largest) largest = v;
  }
  scales[TYPICAL_SLIP] = largest;
}

/** Newton's iteration for ever smaller widths; only the last one when the last cycle's answer is at hand. */
function narrowKink(dissipation: Dissipation, result: FrictionResult): void {
  const { newton, limits, workspace, tolerance } = dissipation;
  const { scales, dual, frictionless } = workspace;
  const typical = scales[TYPICAL_SLIP];
  // Without any tangential motion there is nothing for friction to do.
  if (!(typical > 0)) {
    newton.y.set(frictionless);
    return;
  }
  if (dissipation.warm) for (let i = 0; i < 6; i += 1) newton.y[i] = dual[i] / scales[DUAL_UNIT];
  else {
    newton.y.set(frictionless);
    limits[LIMIT_REST] = FIRST_TOLERANCE * scales[LOAD_SIZE];
    for (let stage = 0; stage < FIRST_WIDTHS.length; stage += 1) {
      newton.sum.width[0] = FIRST_WIDTHS[stage] * typical;
      if (stage === 0) minimizeSum(newton, limits, false);
      else minimizeFromHeld(newton, limits, false);
      result.iterations += newton.iterations;
    }
  }
  newton.sum.width[0] = FINAL_WIDTH * typical;
  const known = !dissipation.warm || dissipation.lastCount === dissipation.contacts.count;
  for (let round = 0; round <= MULTIPLIER_STEPS; round += 1) {
    if (round > 0) takeMultipliers(newton.sum);
    if (round < MULTIPLIER_STEPS) limits[LIMIT_REST] = MULTIPLIER_TOLERANCE * scales[LOAD_SIZE];
    else limits[LIMIT_REST] = tolerance * scales[LOAD_SIZE];
    // Of discs that are the same the last step of the last cycle has the Hessian, near enough; that of polygons jumps.
    const isSame = round > 0 || (dissipation.warm && known && newton.sum.sides === 0);
    const outcome = known || round > 0 ? minimizeFromHeld(newton, limits, isSame) : minimizeSum(newton, limits, false);
    if (outcome === NEWTON_CAPPED) result.capped = true;
    result.iterations += newton.iterations;
  }
}

function takeMultipliers({ shift, nearest, contacts }: DiscSum): void {
  for (let n = 0; n < 2 * evenCount(contacts.count); n += 1) shift[n] = nearest[n];
}
