import { copyPose, type Pose, placePoint } from '../math/pose.js';
import { rotationBetween, turnPose } from '../math/rotation.js';
import { createSpringLaw, type SpringLaw, shortenDeviation } from './spring-law.js';

/**
 * Static virtual coupling (Zhao, Li, Barbič, Eq. 5, 6): a spring between the device's pose and the tool's, without mass.
 * It acts at the centre of mass, or at a grasp point g fixed in the tool. With r_g from the centre of mass to g:
 *
 *   F = k (x_g,device − x_g,tool),   τ = r_g × F + k_tor log(q_device q_tool⁻¹)
 *
 * Derivative by the tool's displacement: ∂F/∂x = −k, ∂F/∂ω = k [r_g]×, ∂τ/∂x = −k [r_g]×,
 * ∂τ/∂ω = k [r_g]×[r_g]× + [F]×[r_g]× − k_tor. Limit case r_g = 0: −k and −k_tor on the diagonal.
 *
 * Both springs may saturate (`spring-law.ts`): they then act as if the device were as near as its pull says, and the
 * derivative is that of the plain spring to there.
 */
export interface StaticCoupling {
  /** N/m. Too stiff for the device, and it buzzes; too soft, and contact feels like rubber. */
  readonly stiffness: number;
  /** N m/rad */
  readonly torsionalStiffness: number;
  readonly spring: SpringLaw;
  readonly turnSpring: SpringLaw;
  /** Whether they have a limit at all. */
  readonly canSaturate: boolean;
  /** Whether one of them was beyond its linear range when last asked. */
  isSaturated: boolean;
  /** In the tool's frame, m. */
  readonly graspPoint: readonly [number, number, number];
  readonly workspace: {
    readonly toolPoint: Float64Array;
    readonly devicePoint: Float64Array;
    /** From tool to device, m and rad, shortened where the springs saturate. */
    readonly ahead: Float64Array;
    readonly turn: Float64Array;
    readonly force: Float64Array;
    readonly arm: Float64Array;
  };
}

/** What a static coupling is made of; a saturation of null or none is that of a spring that never gives way. */
export interface StaticCouplingOptions {
  /** N/m */
  readonly stiffness: number;
  /** N m/rad */
  readonly torsionalStiffness: number;
  /** In the tool's frame, m; null for its centre of mass. */
  readonly graspPoint: readonly [number, number, number] | null;
  /** N */
  readonly maxForce?: number | null;
  /** N m */
  readonly maxTorque?: number | null;
}

/** `tool.centre`: centre of mass in the tool's frame, m. */
export function createStaticCoupling(
  tool: { readonly centre: readonly [number, number, number] },
  { stiffness, torsionalStiffness, graspPoint, maxForce = null, maxTorque = null }: StaticCouplingOptions,
): StaticCoupling {
  return {
    stiffness,
    torsionalStiffness,
    spring: createSpringLaw(stiffness, maxForce),
    turnSpring: createSpringLaw(torsionalStiffness, maxTorque),
    canSaturate: maxForce !== null || maxTorque !== null,
    isSaturated: false,
    graspPoint: graspPoint ?? tool.centre,
    workspace: {
      toolPoint: new Float64Array(3),
      devicePoint: new Float64Array(3),
      ahead: new Float64Array(3),
      turn: new Float64Array(3),
      force: new Float64Array(3),
      arm: new Float64Array(3),
    },
  };
}

/** Writes the wrench of the coupling on the tool, torque about `centre` (the tool's centre of mass in the world). */
export function couplingWrench(
  wrench: Float64Array,
  coupling: StaticCoupling,
  toolPose: Pose,
  devicePose: Pose,
  centre: Float64Array,
): void {
  const { workspace, stiffness, torsionalStiffness } = coupling;
  const { toolPoint, ahead, turn, force, arm } = workspace;
  measureAhead(coupling, toolPose, devicePose);
  for (let i = 0; i < 3; i += 1) {
    force[i] = stiffness * ahead[i];
    arm[i] = toolPoint[i] - centre[i];
    wrench[i] = force[i];
  }
  wrench[3] = arm[1] * force[2] - arm[2] * force[1] + torsionalStiffness * turn[0];
  wrench[4] = arm[2] * force[0] - arm[0] * force[2] + torsionalStiffness * turn[1];
  wrench[5] = arm[0] * force[1] - arm[1] * force[0] + torsionalStiffness * turn[2];
}

/** Writes where a device would be from which plain springs pull as much as the saturated ones: it itself, unless they do. */
export function couplingGoal(goal: Pose, coupling: StaticCoupling, toolPose: Pose, devicePose: Pose): void {
  const { graspPoint, workspace } = coupling;
  const { toolPoint, devicePoint, ahead, turn } = workspace;
  if (coupling.canSaturate) measureAhead(coupling, toolPose, devicePose);
  if (!coupling.isSaturated) {
    copyPose(goal, 0, devicePose, 0);
    return;
  }
  copyPose(goal, 0, toolPose, 0);
  turnPose(goal, turn, 0);
  for (let i = 0; i < 3; i += 1) goal[i] = 0;
  placePoint(devicePoint, goal, graspPoint);
  for (let i = 0; i < 3; i += 1) goal[i] = toolPoint[i] + ahead[i] - devicePoint[i];
}

function measureAhead(coupling: StaticCoupling, toolPose: Pose, devicePose: Pose): void {
  const { graspPoint, workspace, spring, turnSpring } = coupling;
  const { toolPoint, devicePoint, ahead, turn } = workspace;
  placePoint(toolPoint, toolPose, graspPoint);
  placePoint(devicePoint, devicePose, graspPoint);
  rotationBetween(turn, toolPose, devicePose);
  for (let i = 0; i < 3; i += 1) ahead[i] = devicePoint[i] - toolPoint[i];
  const isForceSaturated = shortenDeviation(ahead, 0, spring);
  const isTorqueSaturated = shortenDeviation(turn, 0, turnSpring);
  coupling.isSaturated = isForceSaturated || isTorqueSaturated;
}

/** Writes the derivative at the poses that `couplingWrench` was last asked about. */
export function couplingStiffness(matrix: Float64Array, coupling: StaticCoupling): void {
  const { stiffness: k, torsionalStiffness, workspace } = coupling;
  const { force, arm } = workspace;
  const x = arm[0];
  const y = arm[1];
  const z = arm[2];
  matrix.fill(0);
  for (let i = 0; i < 3; i += 1) {
    matrix[7 * i] = -k;
    matrix[7 * (3 + i)] = -torsionalStiffness;
  }
  matrix[4] = -k * z;
  matrix[5] = k * y;
  matrix[9] = k * z;
  matrix[11] = -k * x;
  matrix[15] = -k * y;
  matrix[16] = k * x;
  matrix[19] = k * z;
  matrix[20] = -k * y;
  matrix[24] = -k * z;
  matrix[26] = k * x;
  matrix[30] = k * y;
  matrix[31] = -k * x;
  // [a]×[r]× = r aᵀ − (a·r) 1, for a = k r + F.
  let inner = 0;
  for (let i = 0; i < 3; i += 1) inner += (k * arm[i] + force[i]) * arm[i];
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) matrix[6 * (3 + i) + 3 + j] += arm[i] * (k * arm[j] + force[j]);
    matrix[7 * (3 + i)] -= inner;
  }
}
