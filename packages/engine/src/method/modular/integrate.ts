import { solveLinear } from '../../math/linear-algebra.js';
import { createRigidLoad, type RigidLoad } from '../../mechanics/point-load.js';
import {
  createRigidMotion,
  differentiateMotion,
  type RigidBody,
  type RigidMotion,
  STATE_L,
  STATE_P,
  STATE_Q,
  STATE_SIZE,
  updateMotion,
} from '../../mechanics/rigid-motion.js';

/**
 * One step of the equations of motion ẏ = f(y) = (v, q̇, F, T), Eq. 2.
 *
 * - `implicit`: semi-implicit backward Euler, (1 − Δt ∂f/∂y) Δy = Δt f (Eq. 5), with the position and the quaternion
 *   eliminated. Their rows hold only themselves and one of the momenta: Δx = Δt (P + ΔP)/m, and with
 *   (1 − Δt ∂q̇/∂q)⁻¹ Δt (q̇ | ∂q̇/∂L) = (a | X), Δq = a + X ΔL. What is left are six equations in ΔP and ΔL. No term is
 *   dropped, gyroscopic and damping ones included: the result is that of the thirteen to rounding.
 * - `implicit-13`: the same by elimination in all 13 unknowns, as in the paper; the reference.
 * - `euler` and `runge-kutta`: explicit, of first and of fourth order, to compare with.
 */
export type IntegratorKind = 'implicit' | 'implicit-13' | 'euler' | 'runge-kutta';

/**
 * Writes `load.wrench`, and `load.jacobian` if wanted, for the body in state y. `motion` is up to date, and so are its
 * derivatives if the Jacobian is wanted.
 */
export type LoadSource = (load: RigidLoad, y: Float64Array, motion: RigidMotion, wantsJacobian: boolean) => void;

export interface Integrator {
  readonly kind: IntegratorKind;
  readonly body: RigidBody;
  readonly motion: RigidMotion;
  readonly load: RigidLoad;
  /** s, one number. */
  readonly timeStep: Float64Array;
  readonly workspace: {
    readonly matrix: Float64Array;
    readonly step: Float64Array;
    readonly quaternionSystem: Float64Array;
    readonly start: Float64Array;
    readonly slope: Float64Array;
    readonly sum: Float64Array;
  };
}

const N = STATE_SIZE;

export function createIntegrator(kind: IntegratorKind, body: RigidBody, timeStep: number): Integrator {
  return {
    kind,
    body,
    motion: createRigidMotion(body),
    load: createRigidLoad(),
    timeStep: Float64Array.of(timeStep),
    workspace: {
      matrix: new Float64Array(N * N),
      step: new Float64Array(N),
      quaternionSystem: new Float64Array(32),
      start: new Float64Array(N),
      slope: new Float64Array(N),
      sum: new Float64Array(N),
    },
  };
}

/** Advances y. False, and y as before, when the equations have no finite answer. */
export function integrate(integrator: Integrator, y: Float64Array, loads: LoadSource): boolean {
  const { kind, workspace } = integrator;
  workspace.start.set(y);
  let solved = true;
  if (kind === 'implicit' || kind === 'implicit-13') solved = stepImplicitly(integrator, y, loads);
  else if (kind === 'euler') stepEuler(integrator, y, loads);
  else stepRungeKutta(integrator, y, loads);
  if (solved && normaliseQuaternion(y)) return true;
  y.set(workspace.start);
  return false;
}

function stepImplicitly(integrator: Integrator, y: Float64Array, loads: LoadSource): boolean {
  const { kind, motion, load, workspace } = integrator;
  updateMotion(motion, y);
  differentiateMotion(motion, y);
  loads(load, y, motion, true);
  const solved = kind === 'implicit' ? solveReduced(integrator) : solveFull(integrator);
  for (let i = 0; i < N; i += 1) y[i] += workspace.step[i];
  return solved;
}

function solveFull({ motion, load, body, timeStep, workspace }: Integrator): boolean {
  const { matrix: A, step } = workspace;
  const { rateByQ, rateByL, velocity, quaternionRate } = motion;
  const dt = timeStep[0];
  A.fill(0);
  for (let i = 0; i < N; i += 1) A[(N + 1) * i] = 1;
  for (let i = 0; i < 3; i += 1) {
    A[N * i + STATE_P + i] = -dt / body.mass;
    step[i] = dt * velocity[i];
  }
  for (let i = 0; i < 4; i += 1) {
    const row = N * (STATE_Q + i);
    for (let k = 0; k < 4; k += 1) A[row + STATE_Q + k] -= dt * rateByQ[4 * i + k];
    for (let j = 0; j < 3; j += 1) A[row + STATE_L + j] = -dt * rateByL[3 * i + j];
    step[STATE_Q + i] = dt * quaternionRate[i];
  }
  for (let r = 0; r < 6; r += 1) {
    const row = N * (STATE_P + r);
    for (let j = 0; j < N; j += 1) A[row + j] -= dt * load.jacobian[N * r + j];
    step[STATE_P + r] = dt * load.wrench[r];
  }
  return solveLinear(step, A, N);
}

function solveReduced(integrator: Integrator): boolean {
  const { motion, load, body, timeStep, workspace } = integrator;
  const { matrix: A, step, quaternionSystem: G, slope: momentum } = workspace;
  const { velocity } = motion;
  const { jacobian, wrench } = load;
  const dt = timeStep[0];
  const drift = dt / body.mass;
  if (!eliminateQuaternion(integrator)) return false;
  for (let r = 0; r < 6; r += 1) {
    const row = N * r;
    const j0 = jacobian[row + STATE_Q];
    const j1 = jacobian[row + STATE_Q + 1];
    const j2 = jacobian[row + STATE_Q + 2];
    const j3 = jacobian[row + STATE_Q + 3];
    let right = wrench[r] + j0 * G[4] + j1 * G[12] + j2 * G[20] + j3 * G[28];
    for (let j = 0; j < 3; j += 1) {
      right += jacobian[row + j] * dt * velocity[j];
      A[6 * r + j] = -dt * (jacobian[row + STATE_P + j] + drift * jacobian[row + j]);
      A[6 * r + 3 + j] =
        -dt * (jacobian[row + STATE_L + j] + j0 * G[5 + j] + j1 * G[13 + j] + j2 * G[21 + j] + j3 * G[29 + j]);
    }
    A[7 * r] += 1;
    momentum[r] = dt * right;
  }
  const solved = solveLinear(momentum, A, 6);
  for (let i = 0; i < 3; i += 1) step[i] = dt * velocity[i] + drift * momentum[i];
  for (let k = 0; k < 4; k += 1) {
    const o = 8 * k + 4;
    step[STATE_Q + k] = G[o] + G[o + 1] * momentum[3] + G[o + 2] * momentum[4] + G[o + 3] * momentum[5];
  }
  for (let r = 0; r < 6; r += 1) step[STATE_P + r] = momentum[r];
  return solved;
}

/** (1 − Δt ∂q̇/∂q | Δt q̇, Δt ∂q̇/∂L), reduced by Gauss and Jordan to (1 | a, X): four rows of eight. */
function eliminateQuaternion({ motion, timeStep, workspace }: Integrator): boolean {
  const { rateByQ, rateByL, quaternionRate } = motion;
  const G = workspace.quaternionSystem;
  const dt = timeStep[0];
  for (let i = 0; i < 4; i += 1) {
    const o = 8 * i;
    for (let k = 0; k < 4; k += 1) G[o + k] = -dt * rateByQ[4 * i + k];
    G[o + i] += 1;
    G[o + 4] = dt * quaternionRate[i];
    for (let j = 0; j < 3; j += 1) G[o + 5 + j] = dt * rateByL[3 * i + j];
  }
  for (let k = 0; k < 4; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < 4; i += 1) if (Math.abs(G[8 * i + k]) > Math.abs(G[8 * pivot + k])) pivot = i;
    if (!(Math.abs(G[8 * pivot + k]) > 0)) return false;
    if (pivot !== k) {
      for (let j = k; j < 8; j += 1) {
        const swap = G[8 * k + j];
        G[8 * k + j] = G[8 * pivot + j];
        G[8 * pivot + j] = swap;
      }
    }
    const inverse = 1 / G[9 * k];
    for (let j = k; j < 8; j += 1) G[8 * k + j] *= inverse;
    for (let i = 0; i < 4; i += 1) {
      const factor = G[8 * i + k];
      if (i === k || factor === 0) continue;
      for (let j = k; j < 8; j += 1) G[8 * i + j] -= factor * G[8 * k + j];
    }
  }
  return true;
}

function stepEuler(integrator: Integrator, y: Float64Array, loads: LoadSource): void {
  const { slope } = integrator.workspace;
  writeSlope(integrator, y, loads);
  const dt = integrator.timeStep[0];
  for (let i = 0; i < N; i += 1) y[i] += dt * slope[i];
}

function stepRungeKutta(integrator: Integrator, y: Float64Array, loads: LoadSource): void {
  const { slope, sum, start } = integrator.workspace;
  const dt = integrator.timeStep[0];
  sum.fill(0);
  for (let stage = 0; stage < 4; stage += 1) {
    writeSlope(integrator, y, loads);
    const weight = stage === 0 || stage === 3 ? 1 / 6 : 1 / 3;
    const ahead = stage === 2 ? dt : 0.5 * dt;
    for (let i = 0; i < N; i += 1) {
      sum[i] += weight * slope[i];
      y[i] = start[i] + ahead * slope[i];
    }
  }
  for (let i = 0; i < N; i += 1) y[i] = start[i] + dt * sum[i];
}

/** f(y) */
function writeSlope({ motion, load, workspace }: Integrator, y: Float64Array, loads: LoadSource): void {
  const { slope } = workspace;
  updateMotion(motion, y);
  loads(load, y, motion, false);
  for (let i = 0; i < 3; i += 1) slope[i] = motion.velocity[i];
  for (let i = 0; i < 4; i += 1) slope[STATE_Q + i] = motion.quaternionRate[i];
  for (let i = 0; i < 6; i += 1) slope[STATE_P + i] = load.wrench[i];
}

/** False when the state is not finite. */
function normaliseQuaternion(y: Float64Array): boolean {
  let sum = 0;
  for (let i = 0; i < N; i += 1) sum += y[i];
  const a = y[STATE_Q];
  const b = y[STATE_Q + 1];
  const c = y[STATE_Q + 2];
  const d = y[STATE_Q + 3];
  const length = Math.sqrt(a * a + b * b + c * c + d * d);
  if (sum - sum !== 0 || !(length > 0) || length === Number.POSITIVE_INFINITY) return false;
  for (let i = 0; i < 4; i += 1) y[STATE_Q + i] /= length;
  return true;
}
