import { PalpableError } from '../base/errors.js';
import { applyMatrix, invertPositiveDefinite3, rotateTensor } from '../math/matrices.js';

/**
 * State and kinematics of a rigid body (Otaduy, Lin, Eq. 2–3, 7–12).
 *
 *   y = (x, q, P, L): centre of mass, quaternion (x, y, z, s), momentum and angular momentum, world frame
 *   v = P/m,   ω = R M⁻¹ Rᵀ L,   q̇ = ½ ω_q q = Q ω
 *
 * R goes from the body to the world (the text says the opposite) and has the homogeneous diagonal x² − y² − z² + s², so
 * that its derivatives are linear in q. Where we deviate: Eq. 12 lacks a factor 2 off the diagonal as printed, and the
 * third matrix of Eq. 11 a row of zeros. Matrices lie row by row.
 */
/** Where q, P and L begin in y; x is at 0. */
export const STATE_Q = 3;
export const STATE_P = 7;
export const STATE_L = 10;
export const STATE_SIZE = 13;

export interface RigidBody {
  /** kg */
  readonly mass: number;
  /** M⁻¹ along the body's axes, 1/(kg m²), 3×3. */
  readonly inverseInertia: Float64Array;
}

/** What follows from a state. The first group is written by `updateMotion`, the second by `differentiateMotion`. */
export interface RigidMotion {
  readonly body: RigidBody;
  /** R, 3×3. */
  readonly rotation: Float64Array;
  /** M⁻¹ Rᵀ L: the angular velocity along the body's axes. */
  readonly ownTurning: Float64Array;
  /** R M⁻¹ Rᵀ, 3×3. */
  readonly mobility: Float64Array;
  readonly velocity: Float64Array;
  /** ω */
  readonly turning: Float64Array;
  /** q̇ */
  readonly quaternionRate: Float64Array;

  /** ∂R/∂q_i, four matrices of 3×3 (Eq. 12). */
  readonly rotationByQ: Float64Array;
  /** ∂ω/∂q, 3×4 (Eq. 10). */
  readonly turningByQ: Float64Array;
  /** ∂q̇/∂q, 4×4 (Eq. 9). */
  readonly rateByQ: Float64Array;
  /** ∂q̇/∂L = Q R M⁻¹ Rᵀ, 4×3 (Eq. 8). */
  readonly rateByL: Float64Array;
}

export function createRigidBody(mass: number, inertia: Float64Array): RigidBody {
  const inverseInertia = new Float64Array(9);
  if (!(mass > 0 && Number.isFinite(mass)) || !invertPositiveDefinite3(inverseInertia, inertia)) {
    throw new PalpableError(
      'option-invalid',
      `The tool has a mass of ${mass} kg and inertia (${Array.from(inertia).join(', ')}) kg m², but dynamics need a ` +
        'mass above 0 and an inertia that is positive about every axis; give a body that encloses a volume.',
      'tool',
    );
  }
  return { mass, inverseInertia };
}

export function createRigidMotion(body: RigidBody): RigidMotion {
  return {
    body,
    rotation: new Float64Array(9),
    ownTurning: new Float64Array(3),
    mobility: new Float64Array(9),
    velocity: new Float64Array(3),
    turning: new Float64Array(3),
    quaternionRate: new Float64Array(4),
    rotationByQ: new Float64Array(36),
    turningByQ: new Float64Array(12),
    rateByQ: new Float64Array(16),
    rateByL: new Float64Array(12),
  };
}

export function updateMotion(motion: RigidMotion, y: Float64Array): void {
  const { body, rotation: R, ownTurning, mobility, velocity, turning, quaternionRate } = motion;
  const { mass, inverseInertia: inverse } = body;
  writeRotation(R, y);
  for (let i = 0; i < 3; i += 1) {
    velocity[i] = y[STATE_P + i] / mass;
    ownTurning[i] = 0;
  }
  for (let k = 0; k < 3; k += 1) {
    const own = R[k] * y[STATE_L] + R[3 + k] * y[STATE_L + 1] + R[6 + k] * y[STATE_L + 2];
    for (let i = 0; i < 3; i += 1) ownTurning[i] += inverse[3 * i + k] * own;
  }
  applyMatrix(turning, 0, R, ownTurning, 0);
  rotateTensor(mobility, R, inverse);
  writeQuaternionRates(quaternionRate, 1, 0, y, turning, 1, 0);
}

/** Needs `updateMotion` at the same state before. */
export function differentiateMotion(motion: RigidMotion, y: Float64Array): void {
  const { body, rotation: R, ownTurning, mobility, turning: w, rotationByQ, turningByQ, rateByQ, rateByL } = motion;
  const inverse = body.inverseInertia;
  writeRotationByQ(rotationByQ, y);
  for (let i = 0; i < 4; i += 1) {
    const o = 9 * i;
    // ∂R M⁻¹RᵀL + R M⁻¹ ∂Rᵀ L
    let h0 = 0;
    let h1 = 0;
    let h2 = 0;
    for (let k = 0; k < 3; k += 1) {
      const own =
        rotationByQ[o + k] * y[STATE_L] +
        rotationByQ[o + 3 + k] * y[STATE_L + 1] +
        rotationByQ[o + 6 + k] * y[STATE_L + 2];
      h0 += inverse[k] * own;
      h1 += inverse[3 + k] * own;
      h2 += inverse[6 + k] * own;
    }
    for (let r = 0; r < 3; r += 1) {
      turningByQ[4 * r + i] =
        rotationByQ[o + 3 * r] * ownTurning[0] +
        rotationByQ[o + 3 * r + 1] * ownTurning[1] +
        rotationByQ[o + 3 * r + 2] * ownTurning[2] +
        R[3 * r] * h0 +
        R[3 * r + 1] * h1 +
        R[3 * r + 2] * h2;
    }
  }
  for (let i = 0; i < 4; i += 1) writeQuaternionRates(rateByQ, 4, i, y, turningByQ, 4, i);
  addTurningMatrix(rateByQ, w);
  for (let j = 0; j < 3; j += 1) writeQuaternionRates(rateByL, 3, j, y, mobility, 3, j);
}

/** Column `to` of `out` becomes Q times column `from` of `vectors`; both have as many columns as their stride says. */
function writeQuaternionRates(
  out: Float64Array,
  stride: number,
  to: number,
  y: Float64Array,
  vectors: Float64Array,
  vectorStride: number,
  from: number,
): void {
  const x = 0.5 * y[STATE_Q];
  const z = 0.5 * y[STATE_Q + 2];
  const s = 0.5 * y[STATE_Q + 3];
  const h = 0.5 * y[STATE_Q + 1];
  const a = vectors[from];
  const b = vectors[vectorStride + from];
  const c = vectors[2 * vectorStride + from];
  out[to] = s * a + z * b - h * c;
  out[stride + to] = -z * a + s * b + x * c;
  out[2 * stride + to] = h * a - x * b + s * c;
  out[3 * stride + to] = -x * a - h * b - z * c;
}

/** Adds Σ ∂Q/∂q_i ω (Eq. 11). */
function addTurningMatrix(m: Float64Array, w: Float64Array): void {
  const a = 0.5 * w[0];
  const b = 0.5 * w[1];
  const c = 0.5 * w[2];
  m[1] -= c;
  m[2] += b;
  m[3] += a;
  m[4] += c;
  m[6] -= a;
  m[7] += b;
  m[8] -= b;
  m[9] += a;
  m[11] += c;
  m[12] -= a;
  m[13] -= b;
  m[14] -= c;
}

function writeRotation(R: Float64Array, state: Float64Array): void {
  const x = state[STATE_Q];
  const y = state[STATE_Q + 1];
  const z = state[STATE_Q + 2];
  const s = state[STATE_Q + 3];
  R[0] = x * x - y * y - z * z + s * s;
  R[1] = 2 * (x * y - s * z);
  R[2] = 2 * (x * z + s * y);
  R[3] = 2 * (x * y + s * z);
  R[4] = y * y - x * x - z * z + s * s;
  R[5] = 2 * (y * z - s * x);
  R[6] = 2 * (x * z - s * y);
  R[7] = 2 * (y * z + s * x);
  R[8] = z * z - x * x - y * y + s * s;
}

function writeRotationByQ(d: Float64Array, state: Float64Array): void {
  const x = 2 * state[STATE_Q];
  const y = 2 * state[STATE_Q + 1];
  const z = 2 * state[STATE_Q + 2];
  const s = 2 * state[STATE_Q + 3];
  d[0] = x;
  d[1] = y;
  d[2] = z;
  d[3] = y;
  d[4] = -x;
  d[5] = -s;
  d[6] = z;
  d[7] = s;
  d[8] = -x;
  d[9] = -y;
  d[10] = x;
  d[11] = s;
  d[12] = x;
  d[13] = y;
  d[14] = z;
  d[15] = -s;
  d[16] = z;
  d[17] = -y;
  d[18] = -z;
  d[19] = -s;
  d[20] = x;
  d[21] = s;
  d[22] = -z;
  d[23] = y;
  d[24] = x;
  d[25] = y;
  d[26] = z;
  d[27] = s;
  d[28] = -z;
  d[29] = y;
  d[30] = z;
  d[31] = s;
  d[32] = -x;
  d[33] = -y;
  d[34] = x;
  d[35] = s;
}
