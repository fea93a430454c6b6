import { choleskyFactor, choleskySolve } from '../../math/linear-algebra.js';

/**
 * Where a proxy comes to rest between the pull of its coupling and its contacts, friction included, as one convex program
 * in six unknowns. With y the twist in the measure of the coupling (metres; turns times a length), y_u the twist to the
 * device, and for each contact u_N = nᵀy − depth and u_T = Tᵀy:
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
  /** n, then both columns of T, 18 numbers per contact. */
  readonly columns: Float64Array;
  /** m; negative for a gap. */
  readonly depth: Float64Array;
  /** κ */
  readonly stiffness: Float64Array;
  readonly coefficient: Float64Array;
  /** R, m. */
  readonly bound: Float64Array;
  /** β, m, two per contact; on return the friction. */
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
    columns: new Float64Array(18 * capacity),
    depth: new Float64Array(capacity),
    stiffness: new Float64Array(capacity),
    coefficient: new Float64Array(capacity),
    bound: new Float64Array(capacity),
    friction: new Float64Array(2 * capacity),
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
    program.friction.fill(0, 0, 2 * program.count);
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

/** Gradient and Hessian at y, and the normal forces. */
function evaluate(program: ContactProgram, y: Float64Array, target: Float64Array): void {
  const { count, columns, depth, stiffness, bound, friction, normalForce, workspace } = program;
  const { gradient: g, hessian: h, values } = workspace;
  const sigma = values[SIGMA];
  const eta = values[ETA];
  h.fill(0);
  for (let i = 0; i < 6; i += 1) {
    g[i] = y[i] - target[i];
    h[7 * i] = 1;
  }
  for (let c = 0; c < count; c += 1) {
    const o = 18 * c;
    let un = -depth[c];
    for (let i = 0; i < 6; i += 1) un += columns[o + i] * y[i];
    if (un < 0) {
      const k = stiffness[c];
      normalForce[c] = -k * un;
      for (let i = 0; i < 6; i += 1) {
        const scaled = k * columns[o + i];
        g[i] += scaled * un;
        for (let j = 0; j <= i; j += 1) h[6 * i + j] += scaled * columns[o + j];
      }
    } else normalForce[c] = 0;
    const most = bound[c];
    if (!(most > 0)) continue;
    let ua = 0;
    let ub = 0;
    for (let i = 0; i < 6; i += 1) {
      ua += columns[o + 6 + i] * y[i];
      ub += columns[o + 12 + i] * y[i];
    }
    const za = friction[2 * c] + sigma * ua;
    const zb = friction[2 * c + 1] + sigma * ub;
    const size = Math.sqrt(za * za + zb * zb);
    let part = 1;
    let bend = 0;
    if (size > most) {
      part = most / size;
      bend = (sigma * part) / (size * size);
    }
    const k = sigma * part + eta;
    for (let i = 0; i < 6; i += 1) {
      const a = columns[o + 6 + i];
      const b = columns[o + 12 + i];
      g[i] += part * (za * a + zb * b) + eta * (ua * a + ub * b);
      const ka = k * a;
      const kb = k * b;
      const along = bend * (za * a + zb * b);
      for (let j = 0; j <= i; j += 1) {
        const aj = columns[o + 6 + j];
        const bj = columns[o + 12 + j];
        h[6 * i + j] += ka * aj + kb * bj - along * (za * aj + zb * bj);
      }
    }
  }
  let rest = 0;
  for (let i = 0; i < 6; i += 1) rest += g[i] * g[i];
  values[REST] = rest;
}

/** β and R of the next round. True if it is not needed. */
function updateMultipliers(program: ContactProgram): boolean {
  const { count, columns, coefficient, bound, friction, normalForce, y, workspace } = program;
  const sigma = workspace.values[SIGMA];
  let change = 0;
  let total = 0;
  let slip = 0;
  program.slides = false;
  for (let c = 0; c < count; c += 1) {
    const next = coefficient[c] * normalForce[c];
    const o = 18 * c;
    let ua = 0;
    let ub = 0;
    for (let i = 0; i < 6; i += 1) {
      ua += columns[o + 6 + i] * y[i];
      ub += columns[o + 12 + i] * y[i];
    }
    const za = friction[2 * c] + sigma * ua;
    const zb = friction[2 * c + 1] + sigma * ub;
    const size = Math.sqrt(za * za + zb * zb);
    const part = size > next ? next / size : 1;
    const moved = ua * ua + ub * ub;
    if (next > 0 && size <= next) slip = Math.max(slip, moved);
    else if (next > 0 && moved > SLIPPING * SLIPPING) program.slides = true;
    friction[2 * c] = part * za;
    friction[2 * c + 1] = part * zb;
    change += Math.abs(next - bound[c]);
    total += next;
    bound[c] = next;
  }
  return change <= SETTLED * total && slip <= STILL * STILL;
}
