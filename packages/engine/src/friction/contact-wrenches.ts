import type { FrictionProblem } from './friction-problem.js';

/** Numbers per contact in the array of `writeContactWrenches`. */
export const WRENCH_STRIDE = 18;

/**
 * The wrench (force, then torque about the centre of mass) of a unit force of each contact along its normal, u and v:
 * three times six numbers per contact. The last two are the columns of G_i. Read the other way, as a product with Δ,
 * they give how far the contact point moves along each of the three.
 */
export function writeContactWrenches(wrenches: Float64Array, problem: FrictionProblem): void {
  for (let i = 0; i < problem.count; i += 1) {
    writeUnitWrench(wrenches, WRENCH_STRIDE * i, problem.arm, 3 * i, problem.normal, 3 * i);
    writeUnitWrench(wrenches, WRENCH_STRIDE * i + 6, problem.arm, 3 * i, problem.tangent, 6 * i);
    writeUnitWrench(wrenches, WRENCH_STRIDE * i + 12, problem.arm, 3 * i, problem.tangent, 6 * i + 3);
  }
}

function writeUnitWrench(
  out: Float64Array,
  at: number,
  arm: Float64Array,
  armAt: number,
  axis: Float64Array,
  axisAt: number,
): void {
  const x = axis[axisAt];
  const y = axis[axisAt + 1];
  const z = axis[axisAt + 2];
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  out[at + 3] = arm[armAt + 1] * z - arm[armAt + 2] * y;
  out[at + 4] = arm[armAt + 2] * x - arm[armAt] * z;
  out[at + 5] = arm[armAt] * y - arm[armAt + 1] * x;
}

/** Least stiffness of the coupling along any axis, as a fraction of its largest. */
const STIFFNESS_FLOOR = 1e-3;

/**
 * −∂w/∂Δ of the coupling, 6×6, for models that take its inverse. A coupling that leaves an axis free (a tool held at a
 * point has no torsional stiffness) gets a little stiffness there: the sweeps these models need grow with the ratio of
 * the contacts' stiffness to it. It resists the motion of one cycle only, and so changes no pose of rest.
 */
export function writeCouplingElasticity(out: Float64Array, problem: FrictionProblem): void {
  const lengthSquared = problem.length * problem.length;
  let largest = 0;
  for (let row = 0; row < 6; row += 1) {
    const size = Math.abs(problem.couplingStiffness[7 * row]);
    largest = Math.max(largest, row < 3 ? size : size / lengthSquared);
  }
  for (let n = 0; n < 36; n += 1) out[n] = -problem.couplingStiffness[n];
  for (let row = 0; row < 6; row += 1) {
    const floor = STIFFNESS_FLOOR * largest * (row < 3 ? 1 : lengthSquared);
    out[7 * row] = Math.max(out[7 * row], floor);
  }
}
