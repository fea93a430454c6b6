import { symmetricEigen } from '../../math/linear-algebra.js';
import { createInverseWorkspace, invertMatrix, rotateTensor } from '../../math/matrices.js';
import { cubeRootOf } from '../../math/portable.js';
import type { ToolBody } from '../tool-contacts.js';
import { PENALTY_DEPTH, PENALTY_FORCE, PENALTY_MARGIN, PENALTY_TORQUE, PENALTY_TOTAL } from './penalty-sum.js';

/**
 * Step #2 of the god object (Sagardia, Hulin, section 2.2): the small twist that takes the proxy out of the surface, or,
 * while it is still outside, the one that would bring it there. World frame, about the centre of mass:
 * Δx_p = λ p u_x and Δr_p = θ u_r (Eq. 7), with p = p_d − d, u_x = f/|f|, and W the inverse inertia per mass.
 *
 * `least-energy`, where we deviate: Eq. 21 and 27 contradict Eq. 20 and do not resolve p. With the lever
 * δ = |f × t|/|f|², the torque's direction u_t at right angles to f, and u_r = W u_t/|W u_t|, the twist of least kinetic
 * energy that resolves p to first order (λ p + θ δ u_rᵀu_t = p) is λ = 1/(1 + δ² u_tᵀW u_t), θ = λ p δ |W u_t|.
 * Limit cases: δ → 0, head-on, λ = 1 and θ = 0; f → 0, a couple, λ = 0 and θ = p/(δ u_rᵀu_t) with δ = |t|/Σ V.
 *
 * `printed`: Eq. 9–27 with the ellipsoid, for comparison. Repaired only where print cannot be used: axes per mass
 * (Eq. 11), u_i² (Eq. 14), the side of the line (Eq. 12) and τ = u_rᵀu_t/|J⁻¹u_t| (Eq. 25).
 */
export type CorrectionRule = 'least-energy' | 'printed';

export interface Correction {
  readonly rule: CorrectionRule;
  /** u_x and u_r; of earlier cycles while `squeezed` or not `turns`. Zero before the first contact. */
  readonly ux: Float64Array;
  readonly ur: Float64Array;
  /** Δx_p, Δr_p. */
  readonly step: Float64Array;
  /** p, λ, θ, δ and how much of Σ V points one way, in the order of the `CORRECTION_…` constants. */
  readonly values: Float64Array;
  /** Forces cancel while there are contacts: f_P says nothing. */
  squeezed: boolean;
  /** Whether there is a torque that says which way a turn leads out. */
  turns: boolean;
  readonly body: BodyNumbers;
  readonly workspace: { readonly ut: Float64Array; readonly inverse: Float64Array; readonly line: Float64Array };
}

interface BodyNumbers {
  /** Inverse inertia per mass in the body's frame, 3×3. */
  readonly mobility: Float64Array;
  /** σ of Eq. 4. */
  readonly sigma: number;
  /** Squares of the ellipsoid's axes, and their directions as columns (Eq. 9–11). */
  readonly axes: Float64Array;
  readonly directions: Float64Array;
  readonly length: number;
}

export const CORRECTION_PENETRATION = 0;
export const CORRECTION_LAMBDA = 1;
export const CORRECTION_THETA = 2;
export const CORRECTION_LEVER = 3;
export const CORRECTION_COHERENCE = 4;

/** With less than this part of Σ V pointing one way, the direction of the sum is chance. */
const SQUEEZED = 0.1;
/** Of a couple: levers below this part of the tool's size say nothing. */
const SHORTEST_COUPLE = 0.1;
/**
 * From this part on the torque fully says where the force acts. Below, it is more and more that of contacts that cancel
 * each other, and divided by what is left of the force its lever is far too long.
 */
const CLEAR = 0.4;
/**
 * Levers below this part of the tool's size are chance as well. The torque of a ball that is pressed is the noise of its
 * points; it must not stop a turn that nothing resists.
 */
const SHORTEST_LEVER = 0.02;

export function createCorrection(
  rule: CorrectionRule,
  tool: Pick<ToolBody, 'mass' | 'inertia' | 'length'>,
): Correction {
  return {
    rule,
    ux: new Float64Array(3),
    ur: new Float64Array(3),
    step: new Float64Array(6),
    values: new Float64Array(5),
    squeezed: false,
    turns: false,
    body: describeBody(tool),
    workspace: { ut: new Float64Array(3), inverse: new Float64Array(9), line: new Float64Array(6) },
  };
}

function describeBody(tool: Pick<ToolBody, 'mass' | 'inertia' | 'length'>): BodyNumbers {
  const perMass = tool.inertia.map((entry) => entry / tool.mass);
  const mobility = new Float64Array(9);
  invertMatrix(mobility, perMass, 3, createInverseWorkspace(3));
  const directions = new Float64Array(9);
  const eigen = Float64Array.from(perMass);
  symmetricEigen(directions, eigen, 3);
  const s = [eigen[0], eigen[4], eigen[8]];
  const sum = s[0] + s[1] + s[2];
  const axes = Float64Array.from(s, (value) => Math.max(2.5 * (sum - 2 * value), 1e-12 * sum));
  return { mobility, sigma: cubeRootOf(s[0] * s[1] * s[2]), axes, directions, length: tool.length };
}

export function forgetDirections({ ux, ur }: Correction): void {
  ux.fill(0);
  ur.fill(0);
}

/** From the numbers of `penalty-sum.ts` and the tool's rotation matrix. */
export function findCorrection(correction: Correction, penalty: Float64Array, rotation: Float64Array): void {
  const { values, step } = correction;
  values[CORRECTION_PENETRATION] = penalty[PENALTY_DEPTH] - penalty[PENALTY_MARGIN];
  step.fill(0);
  rotateTensor(correction.workspace.inverse, rotation, correction.body.mobility);
  findDirections(correction, penalty);
  if (correction.rule === 'printed') findPrinted(correction, rotation);
  else findLeastEnergy(correction);
  const { ux, ur } = correction;
  const way = values[CORRECTION_LAMBDA] * values[CORRECTION_PENETRATION];
  for (let i = 0; i < 3; i += 1) {
    step[i] = way * ux[i];
    step[3 + i] = values[CORRECTION_THETA] * ur[i];
  }
}

function findDirections(correction: Correction, penalty: Float64Array): void {
  const { ux, ur, values, workspace, body } = correction;
  const { ut, inverse } = workspace;
  let square = 0;
  for (let i = 0; i < 3; i += 1) square += penalty[PENALTY_FORCE + i] * penalty[PENALTY_FORCE + i];
  const force = Math.sqrt(square);
  const total = penalty[PENALTY_TOTAL];
  const coherence = total > 0 ? force / total : 1;
  values[CORRECTION_COHERENCE] = coherence;
  correction.squeezed = !(force > 0 && coherence > SQUEEZED);
  if (!correction.squeezed) for (let i = 0; i < 3; i += 1) ux[i] = penalty[PENALTY_FORCE + i] / force;
  // The part of the torque at right angles to the force; all of it when there is none.
  let along = 0;
  if (!correction.squeezed) for (let i = 0; i < 3; i += 1) along += penalty[PENALTY_TORQUE + i] * ux[i];
  let size = 0;
  for (let i = 0; i < 3; i += 1) {
    ut[i] = penalty[PENALTY_TORQUE + i] - along * ux[i];
    size += ut[i] * ut[i];
  }
  size = Math.sqrt(size);
  const load = correction.squeezed ? total : force;
  // No contact is much further from the centre than the tool is long.
  let lever = load > 0 ? Math.min(size / load, 2 * body.length) : 0;
  if (!correction.squeezed) lever *= Math.min(1, Math.max(0, (coherence - SQUEEZED) / (CLEAR - SQUEEZED)));
  values[CORRECTION_LEVER] = lever;
  correction.turns = lever > (correction.squeezed ? SHORTEST_COUPLE : SHORTEST_LEVER) * body.length;
  if (!correction.turns) return;
  let turned = 0;
  for (let i = 0; i < 3; i += 1) ut[i] /= size;
  for (let i = 0; i < 3; i += 1) {
    ur[i] = inverse[3 * i] * ut[0] + inverse[3 * i + 1] * ut[1] + inverse[3 * i + 2] * ut[2];
    turned += ur[i] * ur[i];
  }
  turned = Math.sqrt(turned);
  for (let i = 0; i < 3; i += 1) ur[i] /= turned;
}

function findLeastEnergy({ values, workspace, squeezed, turns }: Correction): void {
  const { ut, inverse } = workspace;
  const p = values[CORRECTION_PENETRATION];
  const lever = values[CORRECTION_LEVER];
  values[CORRECTION_LAMBDA] = squeezed ? 0 : 1;
  values[CORRECTION_THETA] = 0;
  if (!turns) return;
  let energy = 0;
  let size = 0;
  for (let i = 0; i < 3; i += 1) {
    const turned = inverse[3 * i] * ut[0] + inverse[3 * i + 1] * ut[1] + inverse[3 * i + 2] * ut[2];
    energy += turned * ut[i];
    size += turned * turned;
  }
  size = Math.sqrt(size);
  if (squeezed) {
    values[CORRECTION_THETA] = (p * size) / (lever * energy);
    return;
  }
  const lambda = 1 / (1 + lever * lever * energy);
  values[CORRECTION_LAMBDA] = lambda;
  values[CORRECTION_THETA] = lambda * p * lever * size;
}

/** Eq. 21 and 27, with r from the ellipsoid. */
function findPrinted(correction: Correction, rotation: Float64Array): void {
  const { values, workspace, ur, squeezed, turns, body } = correction;
  const { ut, inverse, line } = workspace;
  values[CORRECTION_LAMBDA] = squeezed ? 0 : 1;
  values[CORRECTION_THETA] = 0;
  if (squeezed || !turns) return;
  const lever = values[CORRECTION_LEVER];
  findRotationRadius(correction, rotation);
  const square = line[0];
  let turned = 0;
  let cosine = 0;
  for (let i = 0; i < 3; i += 1) {
    const component = inverse[3 * i] * ut[0] + inverse[3 * i + 1] * ut[1] + inverse[3 * i + 2] * ut[2];
    turned += component * component;
    cosine += ur[i] * ut[i];
  }
  // J = inertia per mass / σ, so that J⁻¹ = σ W.
  const tau = cosine / (body.sigma * Math.sqrt(turned));
  const lambda = 1 / (1 + (square * square) / (body.sigma * tau * lever * lever));
  values[CORRECTION_LAMBDA] = lambda;
  values[CORRECTION_THETA] = (lever / square) * values[CORRECTION_PENETRATION] * (1 - lambda);
}

/** r² of Eq. 13–17 into `line[0]`. */
function findRotationRadius({ ux, values, workspace, body }: Correction, rotation: Float64Array): void {
  const { ut, line } = workspace;
  const { axes, directions } = body;
  const lever = values[CORRECTION_LEVER];
  const ax = lever * (ux[1] * ut[2] - ux[2] * ut[1]);
  const ay = lever * (ux[2] * ut[0] - ux[0] * ut[2]);
  const az = lever * (ux[0] * ut[1] - ux[1] * ut[0]);
  let square = 0;
  let mixed = 0;
  let rest = -1;
  let onSurface = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    // The axis in the world: R e.
    let a = 0;
    let u = 0;
    for (let i = 0; i < 3; i += 1) {
      let e = 0;
      for (let k = 0; k < 3; k += 1) e += rotation[3 * i + k] * directions[3 * k + axis];
      a += e * (i === 0 ? ax : i === 1 ? ay : az);
      u += e * ux[i];
    }
    line[axis] = a;
    line[3 + axis] = u;
    square += (u * u) / axes[axis];
    mixed += (a * u) / axes[axis];
    rest += (a * a) / axes[axis];
    onSurface += axes[axis] * a * a;
  }
  const root = mixed * mixed - square * rest;
  let along: number;
  // The smaller root is where the force meets the ellipsoid's normal head-on (Eq. 15).
  if (root >= 0) along = (-mixed - Math.sqrt(root)) / square;
  else {
    along = 0;
    const scale = onSurface > 0 ? 1 / Math.sqrt(onSurface) : 0;
    for (let axis = 0; axis < 3; axis += 1) {
      along += (axes[axis] * line[axis] * scale - line[axis]) * line[3 + axis];
    }
  }
  line[0] = lever * lever + along * along;
}
