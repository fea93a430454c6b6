import { applyMatrix } from '../math/matrices.js';
import { type RigidMotion, STATE_L, STATE_P, STATE_Q, STATE_SIZE } from './rigid-motion.js';

/**
 * Wrench on the body (force, then torque about the centre of mass, world frame) and its derivative by the state, 6×13.
 */
export interface RigidLoad {
  readonly wrench: Float64Array;
  readonly jacobian: Float64Array;
}

export const JACOBIAN_SIZE = 6 * STATE_SIZE;

export function createRigidLoad(): RigidLoad {
  return { wrench: new Float64Array(6), jacobian: new Float64Array(JACOBIAN_SIZE) };
}

/**
 * A viscoelastic link at a point r of the body. Coupling, contact and friction are all of this form, with other matrices
 * S and B and another place to be pulled to:
 *
 *   ∂F/∂p = −S,   ∂F/∂ṗ = −B,   p = x + R r,   ṗ = v + ω × R r,   T = R r × F
 *
 * With S = k_c 1, B = b_c 1 the derivatives are Eq. 17–24, with S = kN, B = bN Eq. 34–41.
 */
export interface PointLink {
  /** r, along the body's axes, from the centre of mass. */
  readonly point: Float64Array;
  readonly force: Float64Array;
  /** S, 3×3. */
  readonly stiffness: Float64Array;
  /** B, 3×3. */
  readonly damping: Float64Array;
  /** R r; written by `placeLink`. */
  readonly arm: Float64Array;
  readonly workspace: {
    readonly armByQ: Float64Array;
    readonly column: Float64Array;
  };
}

export function createPointLink(): PointLink {
  return {
    point: new Float64Array(3),
    force: new Float64Array(3),
    stiffness: new Float64Array(9),
    damping: new Float64Array(9),
    arm: new Float64Array(3),
    workspace: { armByQ: new Float64Array(12), column: new Float64Array(3) },
  };
}

export function placeLink({ arm, point }: PointLink, { rotation: R }: RigidMotion): void {
  applyMatrix(arm, 0, R, point, 0);
}

/** Adds F and R r × F. Needs `placeLink` before. */
export function addLinkWrench(wrench: Float64Array, { arm, force }: PointLink): void {
  wrench[0] += force[0];
  wrench[1] += force[1];
  wrench[2] += force[2];
  wrench[3] += arm[1] * force[2] - arm[2] * force[1];
  wrench[4] += arm[2] * force[0] - arm[0] * force[2];
  wrench[5] += arm[0] * force[1] - arm[1] * force[0];
}

/** Adds the derivatives of force and torque. Needs `placeLink` and `differentiateMotion` before. */
export function addLinkJacobian(jacobian: Float64Array, link: PointLink, motion: RigidMotion): void {
  const { stiffness: S, damping: B, arm, force, workspace } = link;
  const { armByQ, column } = workspace;
  const { mobility, turning: w, turningByQ, body } = motion;
  writeArmByQ(armByQ, link, motion);
  for (let j = 0; j < 3; j += 1) {
    for (let i = 0; i < 3; i += 1) column[i] = -S[3 * i + j];
    addColumn(jacobian, j, arm, column);
    for (let i = 0; i < 3; i += 1) column[i] = -B[3 * i + j] / body.mass;
    addColumn(jacobian, STATE_P + j, arm, column);
    // −B (∂ω × R r)
    const a = mobility[j];
    const b = mobility[3 + j];
    const c = mobility[6 + j];
    const sx = arm[1] * c - arm[2] * b;
    const sy = arm[2] * a - arm[0] * c;
    const sz = arm[0] * b - arm[1] * a;
    for (let i = 0; i < 3; i += 1) column[i] = B[3 * i] * sx + B[3 * i + 1] * sy + B[3 * i + 2] * sz;
    addColumn(jacobian, STATE_L + j, arm, column);
  }
  for (let k = 0; k < 4; k += 1) {
    const dx = armByQ[k];
    const dy = armByQ[4 + k];
    const dz = armByQ[8 + k];
    const a = turningByQ[k];
    const b = turningByQ[4 + k];
    const c = turningByQ[8 + k];
    // ∂ṗ = ω × ∂(R r) + ∂ω × R r
    const vx = w[1] * dz - w[2] * dy + b * arm[2] - c * arm[1];
    const vy = w[2] * dx - w[0] * dz + c * arm[0] - a * arm[2];
    const vz = w[0] * dy - w[1] * dx + a * arm[1] - b * arm[0];
    for (let i = 0; i < 3; i += 1) {
      const o = 3 * i;
      column[i] = -S[o] * dx - S[o + 1] * dy - S[o + 2] * dz - B[o] * vx - B[o + 1] * vy - B[o + 2] * vz;
    }
    addColumn(jacobian, STATE_Q + k, arm, column);
    // ∂(R r) × F
    jacobian[3 * STATE_SIZE + STATE_Q + k] += dy * force[2] - dz * force[1];
    jacobian[4 * STATE_SIZE + STATE_Q + k] += dz * force[0] - dx * force[2];
    jacobian[5 * STATE_SIZE + STATE_Q + k] += dx * force[1] - dy * force[0];
  }
}

/** ∂(R r)/∂q, 3×4. */
function writeArmByQ(armByQ: Float64Array, { point }: PointLink, { rotationByQ: d }: RigidMotion): void {
  for (let k = 0; k < 4; k += 1) {
    for (let i = 0; i < 3; i += 1) {
      const o = 9 * k + 3 * i;
      armByQ[4 * i + k] = d[o] * point[0] + d[o + 1] * point[1] + d[o + 2] * point[2];
    }
  }
}

/** Adds a column of ∂F and of R r × ∂F. */
function addColumn(jacobian: Float64Array, at: number, arm: Float64Array, column: Float64Array): void {
  const a = column[0];
  const b = column[1];
  const c = column[2];
  jacobian[at] += a;
  jacobian[STATE_SIZE + at] += b;
  jacobian[2 * STATE_SIZE + at] += c;
  jacobian[3 * STATE_SIZE + at] += arm[1] * c - arm[2] * b;
  jacobian[4 * STATE_SIZE + at] += arm[2] * a - arm[0] * c;
  jacobian[5 * STATE_SIZE + at] += arm[0] * b - arm[1] * a;
}
