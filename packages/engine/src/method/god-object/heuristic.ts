import { symmetricEigen } from '../../math/linear-algebra.js';
import type { ToolBody } from '../tool-contacts.js';
import {
  CORRECTION_COHERENCE,
  CORRECTION_PENETRATION,
  CORRECTION_THETA,
  type Correction,
  type CorrectionRule,
  createCorrection,
  findCorrection,
  forgetDirections,
} from './correction.js';
import {
  PENALTY_DEPTH,
  PENALTY_FORCE,
  PENALTY_LEVER,
  PENALTY_MARGIN,
  PENALTY_SPREAD,
  PENALTY_SQUARES,
  PENALTY_TOTAL,
} from './penalty-sum.js';

/**
 * Steps #2 to #4 of the god object (Sagardia, Hulin, sections 2.2–2.4 and 2.7) from nothing but the numbers of a penalty
 * method: f_P, t_P, p_d, d (layout in `penalty-sum.ts`). Motions are twists in the world frame, translation of the centre
 * of mass and rotation vector, so that the turns of Eq. 29–31 and 41, 42 fall away: a direction of the world stays what
 * it is while the body is corrected.
 *
 * The contact is one direction: translation along u_x and rotation about u_r are stopped where they would lead in, the
 * rest is free. Friction (Algorithm 1) holds the rest back by up to μ times what was stopped.
 *
 * Where we deviate: |x_fr| ≤ |x_u⊥|; a tool that slides goes on at μ_k until it holds, instead of holding and breaking
 * loose in turns; drilling, a turn about u_x that the paper leaves free, is held by up to μ k |x_r∥| ρ; and while the
 * contacts cancel (squeezed) all directions along which they push are stopped both ways, or at least the last u_x; but
 * where one side pushes alone, as the bottom of a blind hole does, the way out is open, and the way in as far as it is.
 */
export interface HeuristicOptions {
  readonly correction: CorrectionRule;
  /** μ_x,v: part of the sliding motion that is held back in each cycle, for translation and rotation. */
  readonly viscous: number;
  /** Overlap at which the proxy has all but stopped on its way along the surface, to be corrected first, m. */
  readonly maxOverlap: number;
  /** N/m and N m/rad; only their ratio counts, for drilling friction. */
  readonly stiffness: number;
  readonly torsionalStiffness: number;
}

/** The heuristic constraint of a god object, with what it remembers from the last step. */
export interface Heuristic {
  readonly options: HeuristicOptions;
  readonly correction: Correction;
  /** What of the correction is taken: gain times Δx_p, Δr_p. */
  readonly corrected: Float64Array;
  /** One of the `REGION_…` constants. */
  region: number;
  /** Whether something was stopped in the last step. */
  restricted: boolean;
  /** Whether friction was at its bound in the last step; until it holds again kinetic coefficients count. */
  sliding: boolean;
  turning: boolean;
  drilling: boolean;
  readonly workspace: {
    /** What is left of the motion for friction to hold: three numbers. */
    readonly rest: Float64Array;
    /** The coefficient that holds, the kinetic and the viscous one, what was stopped; gain of the correction, brake, last overlap. */
    readonly bounds: Float64Array;
    readonly spread: Float64Array;
    readonly vectors: Float64Array;
  };
}

/** The proxy overlaps. */
export const REGION_A = 0;
/** It is outside, within the safety distance. */
export const REGION_B = 1;
/** It is further outside. */
export const REGION_C = 2;

/**
 * η of Eq. 28: part of the overlap that is taken back in one step. Where we deviate: it grows by p/d, because an overlap
 * that keeps growing (an edge that turns in) would outrun a constant one.
 */
const GAIN = 0.2;
/** So that no overlap, even one that cannot be resolved, holds the proxy for good. */
const LEAST_BRAKE = 0.02;
/** Directions with less than this part of all that pushes count as free. */
const LEAST_SPREAD = 0.02;
/** Of the entries of a symmetric matrix in its upper half. */
const SPREAD_PLACE = [0, 1, 2, 1, 3, 4, 2, 4, 5];
/** Places in `friction` of `stepHeuristic`: static and kinetic, for translation, then for rotation. */
export const FRICTION_STATIC = 0;
export const FRICTION_KINETIC = 1;
export const FRICTION_TURN_STATIC = 2;
export const FRICTION_TURN_KINETIC = 3;

/** A heuristic for a tool of this mass (kg), inertia (kg m²) and length (m). */
export function createHeuristic(
  tool: Pick<ToolBody, 'mass' | 'inertia' | 'length'>,
  options: HeuristicOptions,
): Heuristic {
  return {
    options,
    correction: createCorrection(options.correction, tool),
    corrected: new Float64Array(6),
    region: REGION_C,
    restricted: false,
    sliding: false,
    turning: false,
    drilling: false,
    workspace: {
      rest: new Float64Array(3),
      bounds: new Float64Array(7),
      spread: new Float64Array(9),
      vectors: new Float64Array(9),
    },
  };
}

/** Forgets the steps before, as after the tool was placed. */
export function resetHeuristic(heuristic: Heuristic): void {
  forgetDirections(heuristic.correction);
  heuristic.region = REGION_C;
  heuristic.restricted = false;
  heuristic.sliding = false;
  heuristic.turning = false;
  heuristic.drilling = false;
  heuristic.workspace.bounds[6] = 0;
}

/**
 * The twist that the proxy takes, `corrected` and then `step`, where `way` would take it to the device. `rotation` is the proxy's
 * rotation matrix; `friction` holds four coefficients in the order of the `FRICTION_…` constants.
 */
export function stepHeuristic(
  heuristic: Heuristic,
  step: Float64Array,
  penalty: Float64Array,
  way: Float64Array,
  rotation: Float64Array,
  friction: Float64Array,
): void {
  const { correction } = heuristic;
  heuristic.restricted = false;
  if (!(penalty[PENALTY_DEPTH] > 0)) {
    heuristic.region = REGION_C;
    heuristic.corrected.fill(0);
    heuristic.sliding = false;
    heuristic.turning = false;
    heuristic.drilling = false;
    for (let i = 0; i < 6; i += 1) step[i] = way[i];
    return;
  }
  findCorrection(correction, penalty, rotation);
  const { values } = correction;
  heuristic.region = values[CORRECTION_PENETRATION] >= 0 ? REGION_A : REGION_B;
  // Of contacts that push against each other only what is left over can be resolved.
  const agreed = correction.squeezed ? 1 : Math.min(1, 2 * values[CORRECTION_COHERENCE]);
  const gain =
    heuristic.region === REGION_A
      ? Math.min(1, GAIN + values[CORRECTION_PENETRATION] / penalty[PENALTY_MARGIN]) * agreed
      : 0;
  heuristic.workspace.bounds[4] = gain;
  findBrake(heuristic);
  if (correction.squeezed) stopBothWays(heuristic, step, penalty, way, friction);
  else constrainTranslation(heuristic, step, way, friction);
  constrainRotation(heuristic, step, way, penalty, friction);
  for (let i = 0; i < 6; i += 1) heuristic.corrected[i] = gain * correction.step[i];
}

/**
 * Where we deviate: the single direction lets the rest of the motion lead into other parts of the surface. The deeper it
 * has led already, the less of it is taken, as long as the overlap grows; one that does not may be on its way out.
 */
function findBrake({ correction, options, workspace }: Heuristic): void {
  const { bounds } = workspace;
  const overlap = correction.values[CORRECTION_PENETRATION] / options.maxOverlap;
  const grows = overlap > bounds[6];
  bounds[6] = overlap;
  bounds[5] = grows && overlap > 0 && !correction.squeezed ? Math.max(LEAST_BRAKE, 1 - overlap) : 1;
}

/** x_c of Eq. 34–40 and 47. */
function constrainTranslation(
  heuristic: Heuristic,
  step: Float64Array,
  way: Float64Array,
  friction: Float64Array,
): void {
  const { correction, workspace, options, region } = heuristic;
  const { ux, step: toSurface, values } = correction;
  const { rest, bounds } = workspace;
  let along = 0;
  for (let i = 0; i < 3; i += 1) {
    rest[i] = way[i] - bounds[4] * toSurface[i];
    along += rest[i] * ux[i];
  }
  const near = toSurface[0] * ux[0] + toSurface[1] * ux[1] + toSurface[2] * ux[2];
  let allowed = along;
  if (along < 0) allowed = region === REGION_A ? 0 : Math.max(along, -Math.abs(near));
  for (let i = 0; i < 3; i += 1) rest[i] -= along * ux[i];
  bounds[0] = heuristic.sliding ? friction[FRICTION_KINETIC] : friction[FRICTION_STATIC];
  bounds[1] = friction[FRICTION_KINETIC];
  bounds[2] = options.viscous;
  bounds[3] = Math.abs(along - allowed);
  heuristic.restricted = bounds[3] > 0 || (region === REGION_A && values[CORRECTION_PENETRATION] > 0);
  heuristic.sliding = holdBack(rest, bounds);
  for (let i = 0; i < 3; i += 1) step[i] = allowed * ux[i] + bounds[5] * rest[i];
}

/** Of the pushes along a direction this part must be one-sided for its way out to be open. */
const ONE_SIDED = 0.5;

/** Translation of a squeezed tool: only at right angles to all that pushes. */
function stopBothWays(
  heuristic: Heuristic,
  step: Float64Array,
  penalty: Float64Array,
  way: Float64Array,
  friction: Float64Array,
): void {
  const { correction, workspace, options } = heuristic;
  const { ux } = correction;
  const { rest, bounds, spread, vectors } = workspace;
  for (let i = 0; i < 3; i += 1) {
    rest[i] = way[i];
    step[i] = 0;
    for (let j = 0; j < 3; j += 1) {
      spread[3 * i + j] = penalty[PENALTY_SPREAD + SPREAD_PLACE[3 * i + j]];
      if (penalty[PENALTY_TOTAL] === 0) spread[3 * i + j] = ux[i] * ux[j];
    }
  }
  const trace = spread[0] + spread[4] + spread[8];
  let stopped = 0;
  symmetricEigen(vectors, spread, 3);
  for (let k = 0; k < 3; k += 1) {
    // Without any direction nothing can be said, so nothing moves.
    if (trace > 0 && spread[4 * k] < LEAST_SPREAD * trace) continue;
    let along = 0;
    let push = 0;
    for (let i = 0; i < 3; i += 1) {
      along += way[i] * vectors[3 * i + k];
      push += penalty[PENALTY_FORCE + i] * vectors[3 * i + k];
    }
    let allowed = 0;
    if (Math.abs(push) > ONE_SIDED * spread[4 * k]) {
      if (along * push > 0) continue;
      // What V these contacts have in the mean, and so how far they are.
      let squares = 0;
      for (let i = 0; i < 3; i += 1) {
        for (let j = 0; j < 3; j += 1) {
          squares += vectors[3 * i + k] * penalty[PENALTY_SQUARES + SPREAD_PLACE[3 * i + j]] * vectors[3 * j + k];
        }
      }
      const gap = squares > 0 ? Math.max(0, penalty[PENALTY_MARGIN] - squares / spread[4 * k]) : 0;
      allowed = along < 0 ? Math.max(along, -gap) : Math.min(along, gap);
    }
    for (let i = 0; i < 3; i += 1) {
      rest[i] -= along * vectors[3 * i + k];
      // Friction holds what goes along the surfaces, not what goes towards one.
      step[i] += allowed * vectors[3 * i + k];
    }
    stopped += (along - allowed) * (along - allowed);
  }
  bounds[0] = heuristic.sliding ? friction[FRICTION_KINETIC] : friction[FRICTION_STATIC];
  bounds[1] = friction[FRICTION_KINETIC];
  bounds[2] = options.viscous;
  bounds[3] = Math.sqrt(stopped);
  heuristic.restricted = true;
  heuristic.sliding = holdBack(rest, bounds);
  for (let i = 0; i < 3; i += 1) step[i] += rest[i];
}

/** The same for r_c, after drilling friction has taken its part. */
function constrainRotation(
  heuristic: Heuristic,
  step: Float64Array,
  way: Float64Array,
  penalty: Float64Array,
  friction: Float64Array,
): void {
  const { correction, workspace, region } = heuristic;
  const { ur, ux, step: toSurface, values, turns } = correction;
  const held = correction.squeezed;
  const { rest, bounds } = workspace;
  for (let i = 0; i < 3; i += 1) rest[i] = way[3 + i] - bounds[4] * toSurface[3 + i];
  holdDrilling(heuristic, penalty, friction);
  const drill = held ? 0 : rest[0] * ux[0] + rest[1] * ux[1] + rest[2] * ux[2];
  // Only the turn that is not about u_x is subject to the stop at u_r.
  for (let i = 0; i < 3; i += 1) rest[i] -= drill * ux[i];
  const along = rest[0] * ur[0] + rest[1] * ur[1] + rest[2] * ur[2];
  let allowed = along;
  if (held && !turns) allowed = 0;
  else if (!turns) allowed = along;
  else if (along < 0) allowed = region === REGION_A ? 0 : Math.max(along, -Math.abs(values[CORRECTION_THETA]));
  for (let i = 0; i < 3; i += 1) rest[i] -= along * ur[i];
  // A squeezed tool is held at angles of which nothing is known.
  if (held) rest.fill(0);
  bounds[0] = heuristic.turning ? friction[FRICTION_TURN_KINETIC] : friction[FRICTION_TURN_STATIC];
  bounds[1] = friction[FRICTION_TURN_KINETIC];
  bounds[3] = Math.abs(along - allowed);
  if (bounds[3] > 0) heuristic.restricted = true;
  heuristic.turning = holdBack(rest, bounds);
  for (let i = 0; i < 3; i += 1) step[3 + i] = allowed * ur[i] + bounds[5] * (rest[i] + drill * ux[i]);
}

/** Takes from `rest` what drilling friction holds of its turn about u_x: k_tor |r| up to μ k |x_r∥| ρ. */
function holdDrilling(heuristic: Heuristic, penalty: Float64Array, friction: Float64Array): void {
  const { correction, workspace, options } = heuristic;
  const { ux } = correction;
  const { rest, bounds } = workspace;
  const stopped = bounds[3];
  const turn = rest[0] * ux[0] + rest[1] * ux[1] + rest[2] * ux[2];
  const perCoefficient = (options.stiffness * stopped * penalty[PENALTY_LEVER]) / options.torsionalStiffness;
  const bound =
    perCoefficient * (heuristic.drilling ? friction[FRICTION_TURN_KINETIC] : friction[FRICTION_TURN_STATIC]);
  const size = Math.abs(turn);
  let held = size;
  heuristic.drilling = stopped > 0 && size > bound;
  if (size > bound) {
    held = Math.min(
      size,
      perCoefficient * friction[FRICTION_TURN_KINETIC] + (stopped > 0 ? options.viscous * size : 0),
    );
  }
  const part = turn < 0 ? held : -held;
  for (let i = 0; i < 3; i += 1) rest[i] += part * ux[i];
}

/**
 * Algorithm 1 on `rest` (x_u⊥) in place. `bounds`: the coefficient that holds, the kinetic and the viscous one, and
 * |x_r∥|. True if friction is at its bound and something moves.
 */
function holdBack(rest: Float64Array, bounds: Float64Array): boolean {
  const stopped = bounds[3];
  const size = Math.sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]);
  if (!(stopped > 0) || !(size > 0)) return false;
  if (size <= bounds[0] * stopped) {
    rest.fill(0);
    return false;
  }
  const held = bounds[1] * stopped + bounds[2] * size;
  const part = held < size ? 1 - held / size : 0;
  for (let i = 0; i < 3; i += 1) rest[i] *= part;
  return true;
}
