import { type ConeProblem, writeContactMotion } from './cone-problem.js';

/**
 * How far forces are from solving a problem, whoever found them: the natural map
 *
 *   F_α = r_α − P_C(r_α − û_α),   residual = |F| / max(|q|, |r|, |u|)
 *
 * with P_C the projection on the cone of friction and û = u + (μ|u_T|, 0, 0). It is zero exactly at the solutions. This
 * is the measure of Siconos (`fc3d_compute_error`), so that numbers can be compared; like Siconos it adds velocities to
 * forces as if both had one unit, hence it depends on the units of the problem.
 */

/** Writes the residual to `out[0]` and u to `motion`. Allocates nothing. */
export function writeConeResidual(
  out: Float64Array,
  problem: ConeProblem,
  forces: Float64Array,
  motion: Float64Array,
): void {
  const { coefficient, count, free } = problem;
  writeContactMotion(motion, problem, forces);
  let error = 0;
  let sizeOfFree = 0;
  let sizeOfForces = 0;
  let sizeOfMotion = 0;
  for (let i = 0; i < count; i += 1) {
    const friction = coefficient[i];
    const rn = forces[3 * i];
    const rt = forces[3 * i + 1];
    const rs = forces[3 * i + 2];
    const un = motion[3 * i];
    const ut = motion[3 * i + 1];
    const us = motion[3 * i + 2];
    const n = rn - un - friction * Math.sqrt(ut * ut + us * us);
    const t = rt - ut;
    const s = rs - us;
    const size = Math.sqrt(t * t + s * s);
    // P_C: the point itself inside the cone, the apex from within the polar cone, else the nearest point of the mantle.
    let pn = n;
    let scale = 1;
    if (friction * size <= -n) {
      pn = 0;
      scale = 0;
    } else if (size > friction * n) {
      pn = (n + friction * size) / (1 + friction * friction);
      scale = (friction * pn) / size;
    }
    const en = rn - pn;
    const et = rt - scale * t;
    const es = rs - scale * s;
    error += en * en + et * et + es * es;
    const q = 3 * i;
    sizeOfFree += free[q] * free[q] + free[q + 1] * free[q + 1] + free[q + 2] * free[q + 2];
    sizeOfForces += rn * rn + rt * rt + rs * rs;
    sizeOfMotion += un * un + ut * ut + us * us;
  }
  const size = Math.max(sizeOfFree, sizeOfForces, sizeOfMotion);
  out[0] = size > 0 ? Math.sqrt(error / size) : Math.sqrt(error);
}

/** The residual of `forces` (3 per contact). */
export function coneResidual(problem: ConeProblem, forces: Float64Array): number {
  const out = new Float64Array(1);
  writeConeResidual(out, problem, forces, new Float64Array(3 * problem.count));
  return out[0];
}
