import { solveLinear } from '../math/linear-algebra.js';
import { WRENCH_STRIDE } from './contact-wrenches.js';

/**
 * The tool between an elastic support and contacts that yield: find Δ with
 *
 *     A Δ = b + Σ N_i f_i + Σ G_i β_i,
 *     f_i = max(0, F_i − k_i N_iᵀΔ),
 *     β_i = the point of the disc |β| ≤ r_i that is closest to z_i = a_i − k_t c_i G_iᵀΔ,
 *
 * N_i and G_i the wrenches of unit forces along the normal and the tangents. Three models are made of it. With k_i = 0,
 * a_i = −k_t c_i · stretch it is Yamane's, implicit. With r_i = 0 it finds the penalty forces that go with a given friction.
 * With k_i = 0 and a_i the friction of the last round it is one round of the method of multipliers for rigid friction:
 * what a contact still yields goes to zero as a_i comes to rest.
 *
 * Solved by Newton's method on the six unknowns. The equation is piecewise smooth, and for symmetric A the gradient of
 * a convex function, so the line search looks for a sign change of the slope along the step: unlike the function's
 * value the slope keeps its digits near the solution. Iterating on the sets of sticking and slipping contacts with
 * frozen directions of slip, the simpler way, lost: of 300 random problems with springs it brought 172 not to a residual
 * of 1e-8 in 500 solves, where this takes 5 steps in the median and 7 at most.
 *
 * Limits: r_i = 0 no friction; k_t → ∞ rigid friction; k_i → ∞ the rigid contact of Signorini; all contacts inside
 * their bounds: linear, one iteration.
 */
export interface ElasticContacts {
  count: number;
  /** By which torques are divided before they are compared with forces, m. */
  length: number;
  /** k_t, N/m. */
  springStiffness: number;
  /** c_i: the part of it that each contact has; 1 unless set. */
  readonly springShare: Float64Array;
  /** A, 6×6. */
  readonly elasticity: Float64Array;
  /** b, a wrench. */
  readonly load: Float64Array;
  /** F_i, N: the normal force at Δ = 0. */
  readonly restForce: Float64Array;
  /** k_i, N/m; 0 leaves the normal force of a contact out. */
  readonly normalStiffness: Float64Array;
  /** a_i, N, two numbers per contact. */
  readonly anchorForce: Float64Array;
  /** r_i, N. */
  readonly bound: Float64Array;
  /** Δ: start on entry, answer on return. */
  readonly displacement: Float64Array;
  /** f_i, N. */
  readonly normalForce: Float64Array;
  /** β, N, two numbers per contact. */
  readonly force: Float64Array;
  iterations: number;
  /** Whether the tolerance was met. */
  converged: boolean;
  /** Force over which residuals are measured, N. */
  scale: number;
  /** A Δ − b − Σ N_i f_i − Σ G_i β_i */
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  readonly step: Float64Array;
  readonly start: Float64Array;
}

export function createElasticContacts(capacity: number): ElasticContacts {
  return {
    count: 0,
    length: 1,
    springStiffness: 1,
    springShare: new Float64Array(capacity).fill(1),
    elasticity: new Float64Array(36),
    load: new Float64Array(6),
    restForce: new Float64Array(capacity),
    normalStiffness: new Float64Array(capacity),
    anchorForce: new Float64Array(2 * capacity),
    bound: new Float64Array(capacity),
    displacement: new Float64Array(6),
    normalForce: new Float64Array(capacity),
    force: new Float64Array(2 * capacity),
    iterations: 0,
    converged: false,
    scale: 0,
    gradient: new Float64Array(6),
    hessian: new Float64Array(36),
    step: new Float64Array(6),
    start: new Float64Array(6),
  };
}

const MAX_TRIALS = 12;

/** Places in `limits`: relative residual at which to stop, and the most iterations. */
const LIMIT_RESIDUAL = 0;
const LIMIT_ITERATIONS = 1;

export function solveElasticContacts(work: ElasticContacts, wrenches: Float64Array, limits: Float64Array): void {
  const { gradient, hessian, step } = work;
  work.converged = false;
  work.iterations = 0;
  evaluate(work, wrenches);
  while (!isBalanced(work, limits) && work.iterations < limits[LIMIT_ITERATIONS]) {
    work.iterations += 1;
    for (let row = 0; row < 6; row += 1) step[row] = -gradient[row];
    if (!solveLinear(step, hessian, 6)) return;
    searchLine(work, wrenches);
  }
}

function isBalanced(work: ElasticContacts, limits: Float64Array): boolean {
  const { gradient, length } = work;
  let sum = 0;
  for (let row = 0; row < 6; row += 1) {
    const part = row < 3 ? gradient[row] : gradient[row] / length;
    sum += part * part;
  }
  work.converged = Math.sqrt(sum) <= limits[LIMIT_RESIDUAL] * work.scale;
  return work.converged;
}

/** Goes along the step to where the slope is small or has changed its sign the least. */
function searchLine(work: ElasticContacts, wrenches: Float64Array): void {
  const { displacement, gradient, start, step } = work;
  let firstSlope = 0;
  for (let row = 0; row < 6; row += 1) {
    start[row] = displacement[row];
    firstSlope += gradient[row] * step[row];
  }
  const enough = 0.5 * Math.abs(firstSlope);
  let low = 0;
  let lowSlope = firstSlope;
  let high = 1;
  let at = 1;
  for (let trial = 0; trial < MAX_TRIALS; trial += 1) {
    let slope = 0;
    for (let row = 0; row < 6; row += 1) displacement[row] = start[row] + at * step[row];
    evaluate(work, wrenches);
    for (let row = 0; row < 6; row += 1) slope += gradient[row] * step[row];
    if (Math.abs(slope) <= enough || (at === 1 && slope < 0)) return;
    // Only an unsymmetric A can give a step that does not descend; the full step is then as good as any.
    if (!(firstSlope < 0)) return;
    if (slope < 0) {
      low = at;
      lowSlope = slope;
      at = 0.5 * (low + high);
    } else {
      high = at;
      const secant = lowSlope / (lowSlope - slope);
      at = low + (high - low) * Math.min(0.9, Math.max(0.1, secant));
    }
  }
}

/** Forces, gradient and its derivative at `displacement`, in one pass over the contacts. */
function evaluate(work: ElasticContacts, wrenches: Float64Array): void {
  const { displacement, elasticity, gradient, hessian, load } = work;
  let size = 0;
  for (let row = 0; row < 6; row += 1) {
    let support = 0;
    for (let column = 0; column < 6; column += 1) support += elasticity[6 * row + column] * displacement[column];
    gradient[row] = support - load[row];
    const part = (Math.abs(support) + Math.abs(load[row])) / (row < 3 ? 1 : work.length);
    size += part * part;
  }
  work.scale = Math.sqrt(size);
  hessian.set(elasticity);
  for (let i = 0; i < work.count; i += 1) {
    work.normalForce[i] = 0;
    if (work.normalStiffness[i] > 0) addNormal(work, wrenches, i);
  }
  addFriction(work, wrenches);
  mirror(hessian, elasticity);
}

function addNormal(work: ElasticContacts, wrenches: Float64Array, contact: number): void {
  const { displacement, gradient, hessian } = work;
  const n = WRENCH_STRIDE * contact;
  const stiffness = work.normalStiffness[contact];
  let motion = 0;
  for (let row = 0; row < 6; row += 1) motion += wrenches[n + row] * displacement[row];
  const force = work.restForce[contact] - stiffness * motion;
  if (!(force > 0)) return;
  work.normalForce[contact] = force;
  for (let row = 0; row < 6; row += 1) {
    gradient[row] -= force * wrenches[n + row];
    const along = stiffness * wrenches[n + row];
    for (let column = row; column < 6; column += 1) hessian[6 * row + column] += along * wrenches[n + column];
  }
}

/** The sums are local variables, because that is about twice as fast as adding to arrays. */
function addFriction(work: ElasticContacts, wrenches: Float64Array): void {
  const { anchorForce, bound, count, displacement, force, gradient, hessian, springShare } = work;
  const fullStiffness = work.springStiffness;
  const d0 = displacement[0];
  const d1 = displacement[1];
  const d2 = displacement[2];
  const d3 = displacement[3];
  const d4 = displacement[4];
  const d5 = displacement[5];
  let w0 = 0;
  let w1 = 0;
  let w2 = 0;
  let w3 = 0;
  let w4 = 0;
  let w5 = 0;
  let h00 = 0;
  let h01 = 0;
  let h02 = 0;
  let h03 = 0;
  let h04 = 0;
  let h05 = 0;
  let h11 = 0;
  let h12 = 0;
  let h13 = 0;
  let h14 = 0;
  let h15 = 0;
  let h22 = 0;
  let h23 = 0;
  let h24 = 0;
  let h25 = 0;
  let h33 = 0;
  let h34 = 0;
  let h35 = 0;
  let h44 = 0;
  let h45 = 0;
  let h55 = 0;
  for (let i = 0; i < count; i += 1) {
    const rim = bound[i];
    force[2 * i] = 0;
    force[2 * i + 1] = 0;
    if (!(rim > 0)) continue;
    const stiffness = fullStiffness * springShare[i];
    const at = WRENCH_STRIDE * i + 6;
    const u0 = wrenches[at];
    const u1 = wrenches[at + 1];
    const u2 = wrenches[at + 2];
    const u3 = wrenches[at + 3];
    const u4 = wrenches[at + 4];
    const u5 = wrenches[at + 5];
    const v0 = wrenches[at + 6];
    const v1 = wrenches[at + 7];
    const v2 = wrenches[at + 8];
    const v3 = wrenches[at + 9];
    const v4 = wrenches[at + 10];
    const v5 = wrenches[at + 11];
    let zu = anchorForce[2 * i] - stiffness * (u0 * d0 + u1 * d1 + u2 * d2 + u3 * d3 + u4 * d4 + u5 * d5);
    let zv = anchorForce[2 * i + 1] - stiffness * (v0 * d0 + v1 * d1 + v2 * d2 + v3 * d3 + v4 * d4 + v5 * d5);
    // −∂β/∂s is (uu, uv; uv, vv): the spring inside the disc, on its rim only what turns the force.
    let uu = stiffness;
    let vv = stiffness;
    let uv = 0;
    const size = Math.sqrt(zu * zu + zv * zv);
    if (size > rim) {
      zu /= size;
      zv /= size;
      const across = (stiffness * rim) / size;
      uu = across * zv * zv;
      vv = across * zu * zu;
      uv = -across * zu * zv;
      zu *= rim;
      zv *= rim;
    }
    force[2 * i] = zu;
    force[2 * i + 1] = zv;
    w0 += u0 * zu + v0 * zv;
    w1 += u1 * zu + v1 * zv;
    w2 += u2 * zu + v2 * zv;
    w3 += u3 * zu + v3 * zv;
    w4 += u4 * zu + v4 * zv;
    w5 += u5 * zu + v5 * zv;
    const a0 = uu * u0 + uv * v0;
    const b0 = uv * u0 + vv * v0;
    const a1 = uu * u1 + uv * v1;
    const b1 = uv * u1 + vv * v1;
    const a2 = uu * u2 + uv * v2;
    const b2 = uv * u2 + vv * v2;
    const a3 = uu * u3 + uv * v3;
    const b3 = uv * u3 + vv * v3;
    const a4 = uu * u4 + uv * v4;
    const b4 = uv * u4 + vv * v4;
    const a5 = uu * u5 + uv * v5;
    const b5 = uv * u5 + vv * v5;
    h00 += a0 * u0 + b0 * v0;
    h01 += a0 * u1 + b0 * v1;
    h02 += a0 * u2 + b0 * v2;
    h03 += a0 * u3 + b0 * v3;
    h04 += a0 * u4 + b0 * v4;
    h05 += a0 * u5 + b0 * v5;
    h11 += a1 * u1 + b1 * v1;
    h12 += a1 * u2 + b1 * v2;
    h13 += a1 * u3 + b1 * v3;
    h14 += a1 * u4 + b1 * v4;
    h15 += a1 * u5 + b1 * v5;
    h22 += a2 * u2 + b2 * v2;
    h23 += a2 * u3 + b2 * v3;
    h24 += a2 * u4 + b2 * v4;
    h25 += a2 * u5 + b2 * v5;
    h33 += a3 * u3 + b3 * v3;
    h34 += a3 * u4 + b3 * v4;
    h35 += a3 * u5 + b3 * v5;
    h44 += a4 * u4 + b4 * v4;
    h45 += a4 * u5 + b4 * v5;
    h55 += a5 * u5 + b5 * v5;
  }
  gradient[0] -= w0;
  gradient[1] -= w1;
  gradient[2] -= w2;
  gradient[3] -= w3;
  gradient[4] -= w4;
  gradient[5] -= w5;
  hessian[0] += h00;
  hessian[1] += h01;
  hessian[2] += h02;
  hessian[3] += h03;
  hessian[4] += h04;
  hessian[5] += h05;
  hessian[7] += h11;
  hessian[8] += h12;
  hessian[9] += h13;
  hessian[10] += h14;
  hessian[11] += h15;
  hessian[14] += h22;
  hessian[15] += h23;
  hessian[16] += h24;
  hessian[17] += h25;
  hessian[21] += h33;
  hessian[22] += h34;
  hessian[23] += h35;
  hessian[28] += h44;
  hessian[29] += h45;
  hessian[35] += h55;
}

/** The contacts' part was added above the diagonal only; below, it is the same on top of A. */
function mirror(hessian: Float64Array, elasticity: Float64Array): void {
  for (let row = 1; row < 6; row += 1) {
    for (let column = 0; column < row; column += 1) {
      const above = 6 * column + row;
      hessian[6 * row + column] = elasticity[6 * row + column] + (hessian[above] - elasticity[above]);
    }
  }
}
