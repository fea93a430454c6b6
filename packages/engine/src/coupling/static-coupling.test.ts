import { describe, expect, test } from 'vitest';
import { createPose, type Pose, rotationMatrix, transformPoint } from '../math/pose.js';
import { turnPose } from '../math/rotation.js';
import type { ToolBody } from '../method/tool-contacts.js';
import {
  couplingGoal,
  couplingStiffness,
  couplingWrench,
  createStaticCoupling,
  type StaticCoupling,
} from './static-coupling.js';

const STIFFNESS = 800;
const TORSIONAL = 4;

const TOOL: ToolBody = {
  centre: [0.01, -0.02, 0.03],
  mass: 1,
  inertia: Float64Array.of(1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3),
  length: 0.1,
};

type Point = readonly [number, number, number];

function couplingAt(graspPoint: Point | null): StaticCoupling {
  return createStaticCoupling(TOOL, { stiffness: STIFFNESS, torsionalStiffness: TORSIONAL, graspPoint });
}

function wrenchAt(coupling: StaticCoupling, toolPose: Pose, devicePose: Pose): Float64Array {
  const wrench = new Float64Array(6);
  const centre = transformPoint(new Float64Array(3), toolPose, ...TOOL.centre);
  couplingWrench(wrench, coupling, toolPose, devicePose, centre);
  return wrench;
}

/** The tool's pose after a displacement of its centre of mass and a turn about it. */
function displaced(pose: Pose, twist: Float64Array): Pose {
  const centre = transformPoint(new Float64Array(3), pose, ...TOOL.centre);
  const result = pose.slice();
  turnPose(result, twist, 3);
  const turn = rotationMatrix(new Float64Array(9), result);
  for (let i = 0; i < 3; i += 1) {
    const arm = [0, 1, 2].reduce((sum, j) => sum + turn[3 * i + j] * TOOL.centre[j], 0);
    result[i] = centre[i] + twist[i] - arm;
  }
  return result;
}

function tilted(x: number, y: number, z: number, ...turn: number[]): Pose {
  const pose = createPose(x, y, z);
  turnPose(pose, Float64Array.from(turn), 0);
  return pose;
}

describe('the wrench of the coupling', () => {
  test('pulls the tool towards the device', () => {
    const wrench = wrenchAt(couplingAt(null), createPose(), createPose(0.001, 0.002, -0.003));
    [0.8, 1.6, -2.4, 0, 0, 0].forEach((expected, i) => {
      expect(wrench[i]).toBeCloseTo(expected, 12);
    });
  });

  test('turns the tool the short way towards the device', () => {
    const device = tilted(0, 0, 0, 0, 0, 0.3);
    const wrench = wrenchAt(couplingAt([0, 0, 0]), createPose(), device);
    expect(wrench[5]).toBeCloseTo(TORSIONAL * 0.3, 12);
    const sameRotation = device.map((number, i) => (i < 3 ? number : -number));
    expect(wrenchAt(couplingAt([0, 0, 0]), createPose(), sameRotation)[5]).toBeCloseTo(TORSIONAL * 0.3, 12);
  });

  test('acts at the grasp point: its force has a torque about the centre of mass', () => {
    const grasp: Point = [TOOL.centre[0], TOOL.centre[1], TOOL.centre[2] + 0.1];
    const wrench = wrenchAt(couplingAt(grasp), createPose(), createPose(0.001, 0, 0));
    expect(wrench[0]).toBeCloseTo(0.8, 12);
    expect(wrench[4]).toBeCloseTo(0.08, 12);
  });

  test('is that of the centre of mass when no grasp point is given', () => {
    const tool = tilted(0.1, 0.2, 0.3, 0.4, -0.5, 0.6);
    const device = tilted(0.11, 0.19, 0.32, 0.5, -0.4, 0.5);
    expect(wrenchAt(couplingAt(null), tool, device)).toEqual(wrenchAt(couplingAt(TOOL.centre), tool, device));
  });

  test('vanishes where tool and device are the same', () => {
    const pose = tilted(0.1, 0.2, 0.3, 0.4, -0.5, 0.6);
    for (const component of wrenchAt(couplingAt([0.1, 0, 0.05]), pose, pose)) expect(component).toBeCloseTo(0, 12);
  });
});

describe('the derivative of the coupling', () => {
  // −k_tor is the derivative of the rotation vector only where that is zero: the device is shifted, not turned.
  const toolPose = tilted(0.02, -0.01, 0.05, 0.3, -0.2, 0.5);
  const devicePose = toolPose.slice();
  devicePose.set([0.024, -0.017, 0.049]);

  const grasps: [string, Point | null][] = [
    ['centre of mass', null],
    ['a grasp point', [0.06, 0.02, -0.08]],
  ];
  test.each(grasps)('is that of differences: %s', (_, grasp) => {
    const coupling = couplingAt(grasp);
    wrenchAt(coupling, toolPose, devicePose);
    const matrix = new Float64Array(36);
    couplingStiffness(matrix, coupling);
    const step = 1e-5;
    for (let column = 0; column < 6; column += 1) {
      const twist = new Float64Array(6);
      twist[column] = step;
      const ahead = wrenchAt(coupling, displaced(toolPose, twist), devicePose);
      twist[column] = -step;
      const behind = wrenchAt(coupling, displaced(toolPose, twist), devicePose);
      for (let row = 0; row < 6; row += 1) {
        const scale = (row < 3 ? 1 : 0.1) * (column < 3 ? 1 : 0.1) * STIFFNESS;
        const error = Math.abs(matrix[6 * row + column] - (ahead[row] - behind[row]) / (2 * step));
        expect(error / scale, `row ${row}, column ${column}`).toBeLessThan(1e-6);
      }
    }
  });

  test('without a grasp point is −k and −k_tor on the diagonal', () => {
    const coupling = couplingAt(null);
    wrenchAt(coupling, toolPose, devicePose);
    const matrix = new Float64Array(36);
    couplingStiffness(matrix, coupling);
    for (let e = 0; e < 36; e += 1) {
      const diagonal = e % 7 === 0 ? (e < 18 ? -STIFFNESS : -TORSIONAL) : 0;
      expect(matrix[e]).toBeCloseTo(diagonal, 9);
    }
  });
});

describe('springs that saturate', () => {
  const LIMITS = { maxForce: 10, maxTorque: 0.5 };
  const saturating = (graspPoint: Point | null) =>
    createStaticCoupling(TOOL, { stiffness: STIFFNESS, torsionalStiffness: TORSIONAL, graspPoint, ...LIMITS });

  test('pull like plain ones up to 80 % of the limit, and no harder than it however far the device is', () => {
    let last = 0;
    for (let x = 0; x < 0.1; x += 1e-4) {
      const device = createPose(x, 0, 0);
      const [force] = wrenchAt(saturating([0, 0, 0]), createPose(), device);
      const [plain] = wrenchAt(couplingAt([0, 0, 0]), createPose(), device);
      if (plain <= 0.8 * LIMITS.maxForce) expect(force).toBe(plain);
      expect(force).toBeGreaterThanOrEqual(last * (1 - 1e-15));
      expect(force).toBeLessThanOrEqual(LIMITS.maxForce * (1 + 1e-15));
      // Smooth: no slope above that of the spring.
      expect(force - last).toBeLessThanOrEqual(STIFFNESS * 1e-4 * (1 + 1e-9));
      last = force;
    }
    expect(last).toBeCloseTo(LIMITS.maxForce, 12);
    const [, , , , , torque] = wrenchAt(saturating([0, 0, 0]), createPose(), tilted(0, 0, 0, 0, 0, 2));
    expect(torque).toBeCloseTo(LIMITS.maxTorque, 12);
  });

  test.each([
    ['near', 0.001, 0.01],
    ['too far', 0.2, 0.01],
    ['turned too far', 0.001, 1.5],
    ['both', 0.3, 2],
  ])('have a goal from which plain springs pull as much: %s', (_, distance, angle) => {
    const tool = tilted(0.02, 0.01, -0.03, 0.3, -0.2, 0.1);
    const device = tilted(0.02 + distance, 0.01, -0.03 - distance, 0.3, -0.2 + angle, 0.1);
    const grasp: Point = [0.04, 0.01, 0.02];
    const goal = createPose();
    couplingGoal(goal, saturating(grasp), tool, device);
    const wanted = wrenchAt(saturating(grasp), tool, device);
    const got = wrenchAt(couplingAt(grasp), tool, goal);
    for (let i = 0; i < 6; i += 1) expect(got[i]).toBeCloseTo(wanted[i], 12);
    if (distance < 0.01 && angle < 0.1) expect(goal).toEqual(device);
  });
});
