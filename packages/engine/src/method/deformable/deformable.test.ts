import { describe, expect, it } from 'vitest';
import { buildField } from '../../field/build-field.js';
import { createPose, type Pose } from '../../math/pose.js';
import { createBox } from '../../mesh/shapes.js';
import { createMethodOutput } from '../method.js';
import { createDeformableWorld } from './deformable.js';
import type {
  DeformableBodySetup,
  DeformableOptions,
  DeformablePairSetup,
  DeformableSetup,
} from './deformable-setup.js';
import { barTool, createBar, elasticBody, floorBody, worldSetup } from './rig.fixture.js';

// Whole worlds with the proximity that finds their contacts; what the solver does with given ones is tested beside it.

const bar = createBar([2, 2, 4]);
const COUPLING = { stiffness: 2000, torsionalStiffness: 50, damping: null, torsionalDamping: null, graspPoint: null };
/** Free of force, but for the little that keeps it from turning. */
const LOOSE = { ...COUPLING, stiffness: 1e-9, damping: 0 };
const PRECISE = { coupling: COUPLING, tolerance: 1e-9, maxSweeps: 200 };

function heldBar(young: number, pose: Pose): DeformableBodySetup {
  return elasticBody(bar, young, { tool: barTool(), pose });
}

/** The bar itself, but stiff without limit. */
function rigidBar(pose: Pose): DeformableBodySetup {
  return { surface: bar.surface, elastic: null, field: null, tool: barTool(), pose };
}

/** Upside down: from the given place downwards, held at its lower end. */
function turned(x: number, z: number): Pose {
  return createPose(x, 0, z, 1, 0, 0, 0);
}

/** Every hand goes from where it is to its device's place within the first steps, and waits there. */
function settle(setup: DeformableSetup, ends: readonly Pose[], steps = 300) {
  const world = createDeformableWorld(setup);
  const outputs = setup.hands.map(() => createMethodOutput());
  const device = createPose();
  let deepest = 0;
  for (let step = 1; step <= steps; step += 1) {
    const part = Math.min(1, step / (0.3 * steps));
    world.methods.forEach((method, hand) => {
      const start = setup.bodies[setup.hands[hand]].pose;
      for (let i = 0; i < 7; i += 1) device[i] = start[i] + part * (ends[hand][i] - start[i]);
      method.step(outputs[hand], device);
      deepest = Math.max(deepest, outputs[hand].maxPenetration);
    });
  }
  return { world, outputs, deepest };
}

function withPairs(setup: DeformableSetup, names: readonly (readonly [number, number])[]): DeformableSetup {
  const [{ staticCoefficient, kineticCoefficient }] = setup.pairs;
  const pairs = names.map(([first, second]): DeformablePairSetup => {
    return { first, second, staticCoefficient, kineticCoefficient };
  });
  return { ...setup, pairs };
}

describe('two hands in one world', () => {
  const start = [createPose(0, 0, 5e-4), turned(0, -5e-4)] as const;
  const ends = [createPose(3e-4, 0, -5e-4), turned(0, 5e-4)] as const;

  it.each([
    ['both bend', 1e7, 1e7],
    ['one is much softer', 1e7, 1e6],
    ['the second is rigid', 1e7, null],
  ] as const)('each feels what the other does: %s', (_, upper, lower) => {
    const second = lower === null ? rigidBar(start[1]) : heldBar(lower, start[1]);
    const setup = worldSetup([heldBar(upper, start[0]), second], PRECISE);
    const { outputs, world, deepest } = settle(setup, ends);
    const [first, other] = outputs.map(({ wrench }) => wrench);
    expect(first[2]).toBeGreaterThan(0.3);
    // The second hand is told of the same step, and its device stands still: the sum is what the solver leaves.
    for (let axis = 0; axis < 3; axis += 1) expect(first[axis] + other[axis]).toBeCloseTo(0, 5);
    expect(Math.abs(first[0])).toBeGreaterThan(0.01);
    expect(outputs[1].contacts).toBe(outputs[0].contacts);
    expect(world.dynamics.groups).toBe(1);
    expect(world.dynamics.faults).toBe(0);
    expect(deepest).toBeLessThan(5e-5);
  });

  it('balances what each contact does to the two', () => {
    const setup = worldSetup([heldBar(1e7, start[0]), heldBar(1e6, start[1])], PRECISE);
    const { world, outputs } = settle(setup, ends);
    const { contacts } = world.dynamics;
    const sum = [0, 0, 0];
    for (let c = 0; c < contacts.count; c += 1) {
      for (let axis = 0; axis < 3; axis += 1) {
        for (let k = 0; k < 3; k += 1)
          sum[axis] += contacts.directions[9 * c + 3 * k + axis] * contacts.force[3 * c + k];
      }
    }
    // At rest but for what still swings.
    for (let axis = 0; axis < 3; axis += 1) {
      expect(Math.abs(outputs[0].wrench[axis] - sum[axis])).toBeLessThan(2e-3 * sum[2]);
    }
  });
});

describe('several bodies at once', () => {
  const APART = 0.1;
  const bars = [heldBar(1e7, createPose(0, 0, 5e-4)), heldBar(3e6, createPose(APART, 0, 5e-4))];
  const floors = [floorBody(createPose(-0.05, 0, -0.01)), floorBody(createPose(APART + 0.05, 0, -0.01))];
  const ends = [createPose(2e-4, 0, -5e-4), createPose(APART, 1e-4, -8e-4)];
  const alone = bars.map((body, n) => settle(worldSetup([body, floors[n]], PRECISE), [ends[n]]).outputs[0]);

  it('solves contacts apart that share nothing, with the forces that each has alone', () => {
    const pairs = [
      [0, 2],
      [1, 3],
    ] as const;
    const { world, outputs } = settle(withPairs(worldSetup([...bars, ...floors], PRECISE), pairs), ends);
    expect(world.dynamics.groups).toBe(2);
    outputs.forEach(({ wrench, contacts }, n) => {
      expect(contacts).toBe(alone[n].contacts);
      // The second hand's device counts one cycle later, of which friction keeps a little.
      for (let i = 0; i < 6; i += 1) expect(wrench[i]).toBeCloseTo(alone[n].wrench[i], n === 0 ? 9 : 3);
    });
  });

  it('lets one rigid body that stands still part them as well', () => {
    const pairs = [
      [0, 2],
      [1, 2],
    ] as const;
    const wide = { ...floorBody(), surface: createBox(0.4, 0.2, 0.02) };
    const { world } = settle(withPairs(worldSetup([...bars, wide], PRECISE), pairs), ends, 200);
    expect(world.dynamics.groups).toBe(2);
  });

  it('joins them through a body that bends', () => {
    const between = elasticBody(bar, 1e7, { pose: turned(0.5 * APART, 0) });
    const near = [
      heldBar(1e7, createPose(0.5 * APART - 0.008, 0, 5e-4)),
      heldBar(1e7, createPose(0.5 * APART + 0.013, 0, 5e-4)),
    ];
    const goals = near.map(({ pose }) => createPose(pose[0], 0, -3e-4));
    const pairs = [
      [0, 2],
      [1, 2],
    ] as const;
    const { world, outputs } = settle(withPairs(worldSetup([...near, between], PRECISE), pairs), goals, 200);
    for (const { contacts } of outputs) expect(contacts).toBeGreaterThan(0);
    expect(world.dynamics.groups).toBe(1);
  });
});

describe('the limits of the deformable method', () => {
  const start = createPose(0, 0, 5e-4);
  const end = createPose(4e-4, 0, -1e-3);
  const press = (body: DeformableBodySetup, floor = floorBody(), options: Partial<DeformableOptions> = {}) =>
    settle(worldSetup([body, floor], { ...PRECISE, ...options }), [end]);

  it('is the rigid solution within 1 % for a body of 200 GPa', () => {
    const stiff = press(heldBar(2e11, start)).outputs[0];
    const rigid = press(rigidBar(start)).outputs[0];
    expect(rigid.wrench[2]).toBeGreaterThan(1);
    for (const axis of [0, 2]) expect(stiff.wrench[axis] / rigid.wrench[axis]).toBeCloseTo(1, 2);
    expect(stiff.toolPose[2]).toBeCloseTo(rigid.toolPose[2], 7);
  });

  it('feels a plane through distances as through triangles', async () => {
    const surface = createBox(0.2, 0.2, 0.02);
    const field = await buildField(surface, { resolution: 40 });
    const body = heldBar(1e7, start);
    const byField = press(body, { ...floorBody(), field }).outputs[0];
    const byMesh = press(body).outputs[0];
    for (const axis of [0, 2]) expect(byField.wrench[axis] / byMesh.wrench[axis]).toBeCloseTo(1, 2);
  });

  it.each([0.1, 0.2, 0.3])('slips on an incline from tan θ = μ on (μ = %d)', (coefficient) => {
    const slide = (slope: number) => {
      const half = 0.5 * Math.atan(slope);
      const tilt = (x: number, z: number): Pose => {
        const [sin, cos] = [Math.sin(2 * half), Math.cos(2 * half)];
        return createPose(cos * x + sin * z, 0, -sin * x + cos * z, 0, Math.sin(half), 0, Math.cos(half));
      };
      const held = tilt(0, 0);
      const setup = worldSetup(
        [heldBar(1e9, held), floorBody(tilt(0, -0.01))],
        { ...PRECISE, coupling: LOOSE, gravity: [0, 0, -10] },
        coefficient,
      );
      const { toolPose } = settle(setup, [held], 200).outputs[0];
      return Math.hypot(toolPose[0], toolPose[2]);
    };
    // Half a thousandth of the slope too much moves it by ½ g Δ t²: 0.2 s at 5 % of μ are a millimetre.
    const far = 0.5 * 10 * 0.05 * coefficient * 0.2 ** 2;
    expect(slide(0.95 * coefficient)).toBeLessThan(0.02 * far);
    expect(slide(1.05 * coefficient)).toBeGreaterThan(0.8 * far);
  });

  it('does not walk under loads that come and go within the cone, for all the tolerance of its solver', () => {
    const size = [0.06, 0.06, 0.03] as const;
    const pose = createPose(0, 0, 0.5 * size[2]);
    const block = { surface: createBox(...size), elastic: null, field: null, tool: barTool(), pose };
    const world = createDeformableWorld(worldSetup([block, floorBody()], { coupling: COUPLING }));
    const output = createMethodOutput();
    const [press, pull] = [2.5e-3, 0.8 * 0.5 * 2.5e-3];
    let start = 0;
    for (let step = 0; step < 1800; step += 1) {
      const load = step < 300 ? 0 : 0.5 - 0.5 * Math.cos((2 * Math.PI * (step - 300)) / 300);
      const z = pose[2] - press * Math.min(1, step / 200);
      world.methods[0].step(output, createPose(pull * load, 0, z));
      if (step === 299) start = output.toolPose[0];
    }
    // Without taking back what the solver leaves over: tens of micrometres.
    expect(Math.abs(output.toolPose[0] - start)).toBeLessThan(1e-6);
  });
});
