import { choleskyFactor, choleskySolve } from '../../math/linear-algebra.js';

/**
 * Where a proxy comes to rest between the pull of its coupling and its contacts, friction included, as one convex program
 * in six unknowns. With y the twist in the measure of the coupling (metres; turns times a length), y_u the twist to the
 * device, and for each contact u = y_x + y_θ × arm how far it goes, u_N = nᵀu − depth and u_T = u − n nᵀu:
 *
 *   minimise ½ |y − y_u|² + Σ ½ κ max(0, −u_N)² + Σ H(u_T)
 *
 * κ is the stiffness of the contact over that of the coupling. It makes the pressure under a flat face unique and all
 * forces continuous. H is friction with bound R = μ r_N as a method of multipliers has it: with z = β + σ u_T its force
 * is z, cut off at length R. β is the force of the round before, or of the cycle before, so that a contact that holds
 * does not move: in two or three rounds u_T is 0 to rounding. One that slides feels R against its slip; its direction
 * follows over a way of R / σ, which is micrometres. R is that of the round before (Haslinger's fixed point). η resists
 * sliding in proportion to its speed.
 *
 * Forces are in metres: those of the coupling's spring, divided by its stiffness. Newton's method; the program is
 * piecewise quadratic but for contacts that slide.
 */
export interface ContactProgram {
  count: number;
  /** n */
  readonly normal: Float64Array;
  /** From the point about which y turns, in units of its length. */
  readonly arm: Float64Array;
  /** m; negative for a gap. */
  readonly depth: Float64Array;
  /** κ */
  readonly stiffness: Float64Array;
  readonly coefficient: Float64Array;
  /** R, m. */
  readonly bound: Float64Array;
  /** β, m, across the normal; on return the friction. */
  readonly friction: Float64Array;
  /** η of all contacts together. */
  viscosity: number;
  /** r_N, m. */
  readonly normalForce: Float64Array;
  readonly y: Float64Array;
  /** Whether any contact that pushes moves along its surface at the bound of its friction. */
  slides: boolean;
  capped: boolean;
  readonly workspace: {
    readonly gradient: Float64Array;
    readonly hessian: Float64Array;
    readonly step: Float64Array;
    readonly trial: Float64Array;
    readonly values: Float64Array;
  };
}

/** σ: of all contacts together, so many times the coupling. */
const GRIP = 2000;
const MAX_STEPS = 30;
const MAX_CUTS = 12;
const WHOLE_STEPS = 10;
/** Rounds of multipliers and bounds in one solution. */
const MAX_ROUNDS = 6;
/** m */
const PRECISION = 1e-12;
/** Bounds that change by less than this part, and slip of contacts that hold below this, m, need no other round. */
const SETTLED = 1e-4;
const STILL = 1e-10;
/** Slip that counts as sliding, m: less is load that moves from contact to contact. */
const SLIPPING = 1e-8;

const SIGMA = 0;
const REST = 1;
const ETA = 2;

export function createContactProgram(capacity: number): ContactProgram {
  return {
    count: 0,
    normal: new Float64Array(3 * capacity),
    arm: new Float64Array(3 * capacity),
    depth: new Float64Array(capacity),
    stiffness: new Float64Array(capacity),
    coefficient: new Float64Array(capacity),
    bound: new Float64Array(capacity),
    friction: new Float64Array(3 * capacity),
    viscosity: 0,
    normalForce: new Float64Array(capacity),
    y: new Float64Array(6),
    slides: false,
    capped: false,
    workspace: {
      gradient: new Float64Array(6),
      hessian: new Float64Array(36),
      step: new Float64Array(6),
      trial: new Float64Array(6),
      values: new Float64Array(3),
    },
  };
}

/** Finds `y`, starting from what it holds, and with it the forces. */
export function solveContactProgram(program: ContactProgram, target: Float64Array): void {
  const { workspace } = program;
  program.capped = false;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    shareGrip(program);
    minimise(program, target);
    const wasSlippery = workspace.values[SIGMA] === 0;
    if (updateMultipliers(program)) return;
    if (!wasSlippery) continue;
    // From a standstill contacts give way one by one; from a slide without friction Newton's steps would overshoot.
    program.y.fill(0);
    program.friction.fill(0, 0, 3 * program.count);
  }
}

/** σ and η of one contact: the same for all that rub. */
function shareGrip({ workspace, count, bound, viscosity }: ContactProgram): void {
  let rough = 0;
  for (let c = 0; c < count; c += 1) if (bound[c] > 0) rough += 1;
  const share = rough > 0 ? 1 / rough : 0;
  workspace.values[SIGMA] = GRIP * share;
  workspace.values[ETA] = viscosity * share;
}

function minimise(program: ContactProgram, target: Float64Array): void {
  const { y, workspace } = program;
  const { gradient, hessian, step, trial, values } = workspace;
  evaluate(program, y, target);
  for (let k = 0; k < MAX_STEPS; k += 1) {
    if (values[REST] <= PRECISION * PRECISION) return;
    for (let i = 0; i < 6; i += 1) step[i] = -gradient[i];
    choleskyFactor(hessian, 6, 1e-12);
    choleskySolve(step, hessian, 6);
    let before = 0;
    for (let i = 0; i < 6; i += 1) before -= gradient[i] * step[i];
    // Whole steps find what presses and what slides; a search along the line is for those that go round in circles.
    let low = 0;
    let high = 1;
    let slopeLow = before;
    let slopeHigh = 0;
    let length = 1;
    for (let cut = 0; ; cut += 1) {
      for (let i = 0; i < 6; i += 1) trial[i] = y[i] + length * step[i];
      evaluate(program, trial, target);
      if (k < WHOLE_STEPS || cut === MAX_CUTS) break;
      let along = 0;
      for (let i = 0; i < 6; i += 1) along -= gradient[i] * step[i];
      // Falling at `low`, rising at `high`: the lowest point is between them (rule of false position, Illinois form).
      if (Math.abs(along) <= 0.1 * before || (length === 1 && along > 0)) break;
      if (along > 0) {
        low = length;
        slopeLow = along;
        slopeHigh *= 0.5;
      } else {
        high = length;
        slopeHigh = -along;
        slopeLow *= 0.5;
      }
      length = low + ((high - low) * slopeLow) / (slopeLow + slopeHigh);
    }
    y.set(trial);
  }
  program.capped = true;
}

/**
 * Gradient and Hessian at y, and the normal forces. A contact of stiffness M, 3×3, adds M for places, [arm]× M for turns
 * against places and [arm]× M [arm]×ᵀ for turns; the sums are in variables of their own, which is three times as fast as
 * in arrays.
 */
function evaluate(program: ContactProgram, y: Float64Array, target: Float64Array): void {
  const { count, normal, arm, depth, stiffness, bound, friction, normalForce, workspace } = program;
  const { gradient: g, hessian: h, values } = workspace;
  const sigma = values[SIGMA];
  const eta = values[ETA];
  const y0 = y[0];
  const y1 = y[1];
  const y2 = y[2];
  const y3 = y[3];
  const y4 = y[4];
  const y5 = y[5];
  let g0 = y0 - target[0];
  let g1 = y1 - target[1];
  let g2 = y2 - target[2];
  let g3 = y3 - target[3];
  let g4 = y4 - target[4];
  let g5 = y5 - target[5];
  let h00 = 1;
  let h10 = 0;
  let h11 = 1;
  let h20 = 0;
  let h21 = 0;
  let h22 = 1;
  let h30 = 0;
  let h31 = 0;
  let h32 = 0;
  let h33 = 1;
  let h40 = 0;
  let h41 = 0;
  let h42 = 0;
  let h43 = 0;
  let h44 = 1;
  let h50 = 0;
  let h51 = 0;
  let h52 = 0;
  let h53 = 0;
  let h54 = 0;
  let h55 = 1;
  for (let c = 0; c < count; c += 1) {
    const o = 3 * c;
    const nx = normal[o];
    const ny = normal[o + 1];
    const nz = normal[o + 2];
    const ax = arm[o];
    const ay = arm[o + 1];
    const az = arm[o + 2];
    const ux = y0 + y4 * az - y5 * ay;
    const uy = y1 + y5 * ax - y3 * az;
    const uz = y2 + y3 * ay - y4 * ax;
    const along = nx * ux + ny * uy + nz * uz;
    const un = along - depth[c];
    // The contact's part of the gradient is f, its stiffness kn nnᵀ + kt 1 − bend zzᵀ.
    let kn = 0;
    let kt = 0;
    let bend = 0;
    let zx = 0;
    let zy = 0;
    let zz = 0;
    let fx = 0;
    let fy = 0;
    let fz = 0;
    if (un < 0) {
      kn = stiffness[c];
      const push = kn * un;
      normalForce[c] = -push;
      fx = push * nx;
      fy = push * ny;
      fz = push * nz;
    } else normalForce[c] = 0;
    const most = bound[c];
    if (most > 0) {
      const tx = ux - along * nx;
      const ty = uy - along * ny;
      const tz = uz - along * nz;
      zx = friction[o] + sigma * tx;
      zy = friction[o + 1] + sigma * ty;
      zz = friction[o + 2] + sigma * tz;
      const size = Math.sqrt(zx * zx + zy * zy + zz * zz);
      let part = 1;
      if (size > most) {
        part = most / size;
        bend = (sigma * part) / (size * size);
      }
      fx += part * zx + eta * tx;
      fy += part * zy + eta * ty;
      fz += part * zz + eta * tz;
      kt = sigma * part + eta;
      kn -= kt;
    } else if (!(un < 0)) continue;
    g0 += fx;
    g1 += fy;
    g2 += fz;
    g3 += ay * fz - az * fy;
    g4 += az * fx - ax * fz;
    g5 += ax * fy - ay * fx;
    const mxx = kt + kn * nx * nx - bend * zx * zx;
    const mxy = kn * nx * ny - bend * zx * zy;
    const mxz = kn * nx * nz - bend * zx * zz;
    const myy = kt + kn * ny * ny - bend * zy * zy;
    const myz = kn * ny * nz - bend * zy * zz;
    const mzz = kt + kn * nz * nz - bend * zz * zz;
    const b30 = ay * mxz - az * mxy;
    const b31 = ay * myz - az * myy;
    const b32 = ay * mzz - az * myz;
    const b40 = az * mxx - ax * mxz;
    const b41 = az * mxy - ax * myz;
    const b42 = az * mxz - ax * mzz;
    const b50 = ax * mxy - ay * mxx;
    const b51 = ax * myy - ay * mxy;
    const b52 = ax * myz - ay * mxz;
    h00 += mxx;
    h10 += mxy;
    h11 += myy;
    h20 += mxz;
    h21 += myz;
    h22 += mzz;
    h30 += b30;
    h31 += b31;
    h32 += b32;
    h33 += ay * b32 - az * b31;
    h40 += b40;
    h41 += b41;
    h42 += b42;
    h43 += ay * b42 - az * b41;
    h44 += az * b40 - ax * b42;
    h50 += b50;
    h51 += b51;
    h52 += b52;
    h53 += ay * b52 - az * b51;
    h54 += az * b50 - ax * b52;
    h55 += ax * b51 - ay * b50;
  }
  g[0] = g0;
  g[1] = g1;
  g[2] = g2;
  g[3] = g3;
  g[4] = g4;
  g[5] = g5;
  h[0] = h00;
  h[6] = h10;
  h[7] = h11;
  h[12] = h20;
  h[13] = h21;
  h[14] = h22;
  h[18] = h30;
  h[19] = h31;
  h[20] = h32;
  h[21] = h33;
  h[24] = h40;
  h[25] = h41;
  h[26] = h42;
  h[27] = h43;
  h[28] = h44;
  h[30] = h50;
  h[31] = h51;
  h[32] = h52;
  h[33] = h53;
  h[34] = h54;
  h[35] = h55;
  values[REST] = g0 * g0 + g1 * g1 + g2 * g2 + g3 * g3 + g4 * g4 + g5 * g5;
}

/** β and R of the next round. True if it is not needed. */
function updateMultipliers(program: ContactProgram): boolean {
  const { count, normal, arm, coefficient, bound, friction, normalForce, y, workspace } = program;
  const sigma = workspace.values[SIGMA];
  let change = 0;
  let total = 0;
  let slip = 0;
  program.slides = false;
  for (let c = 0; c < count; c += 1) {
    const next = coefficient[c] * normalForce[c];
    const o = 3 * c;
    const ux = y[0] + y[4] * arm[o + 2] - y[5] * arm[o + 1];
    const uy = y[1] + y[5] * arm[o] - y[3] * arm[o + 2];
    const uz = y[2] + y[3] * arm[o + 1] - y[4] * arm[o];
    const along = normal[o] * ux + normal[o + 1] * uy + normal[o + 2] * uz;
    const tx = ux - along * normal[o];
    const ty = uy - along * normal[o + 1];
    const tz = uz - along * normal[o + 2];
    const zx = friction[o] + sigma * tx;
    const zy = friction[o + 1] + sigma * ty;
    const zz = friction[o + 2] + sigma * tz;
    const size = Math.sqrt(zx * zx + zy * zy + zz * zz);
    const part = size > next ? next / size : 1;
    const moved = tx * tx + ty * ty + tz * tz;
    if (next > 0 && size <= next) slip = Math.max(slip, moved);
    else if (next > 0 && moved > SLIPPING * SLIPPING) program.slides = true;
    friction[o] = part * zx;
    friction[o + 1] = part * zy;
    friction[o + 2] = part * zz;
    change += Math.abs(next - bound[c]);
    total += next;
    bound[c] = next;
  }
  return change <= SETTLED * total && slip <= STILL * STILL;
}
