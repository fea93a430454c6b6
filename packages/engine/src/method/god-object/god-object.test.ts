import { beforeAll, describe, expect, test } from 'vitest';
import type { ShellOwner } from '../../contact/contact-query.js';
import { createContactQuery } from '../../contact/create-contact-query.js';
import { createPose } from '../../math/pose.js';
import { createBox } from '../../mesh/shapes.js';
import { CAPPED_ITERATIONS, createMethodOutput, STATE_FREE, STATE_SLIP, STATE_STICK } from '../method.js';
import { prepareRigBodies, type RigBodies, turnedPose } from '../rig.fixture.js';
import { createContactPair } from '../tool-contacts.js';
import { type ConstraintKind, createGodObjectMethod } from './god-object.js';
import { createGodRig, type GodRig, type GodRigChanges, lead, placeAt, rest, turned } from './god-rig.fixture.js';

/* A cube of 0.1 m on a block, pressed by 5 mm of a coupling of 1 N/mm: 5 N. */

const ROLES: ShellOwner[] = ['tool', 'environment'];
const CONSTRAINTS: ConstraintKind[] = ['heuristic', 'manifold'];
const BOTH = CONSTRAINTS.flatMap((constraint) => ROLES.map((role) => [constraint, role] as const));
const SIDE = 0.1;
const TOUCHING = 0.075;
const ABOVE = createPose(0, 0, TOUCHING + 0.004);
const PRESSED = createPose(0, 0, TOUCHING - 0.005);
const STATIC = 0.5;
const KINETIC = 0.4;
const PATIENCE = 90_000;

const bodies = {} as Record<ShellOwner, RigBodies>;

beforeAll(async () => {
  const cube = createBox(SIDE, SIDE, SIDE);
  const block = createBox(0.16, 0.16, 0.05);
  for (const shellOn of ROLES) bodies[shellOn] = await prepareRigBodies(cube, block, { shellOn, spacing: 0.01 });
}, PATIENCE);

function pressedCube(constraint: ConstraintKind, role: ShellOwner, changes: GodRigChanges = {}): GodRig {
  const rig = createGodRig(bodies[role], { constraint, coefficient: STATIC, kinetic: KINETIC, ...changes });
  placeAt(rig, ABOVE);
  lead(rig, PRESSED, 50);
  rest(rig, 300);
  return rig;
}

const sideways = ({ output }: GodRig) => Math.hypot(output.wrench[0], output.wrench[1]) / output.wrench[2];

/** How far the proxy is from a pose, with its turn counted at half its side. */
function distanceFrom(pose: Float64Array, { output: { toolPose } }: GodRig): number {
  const turn = 2 * Math.hypot(toolPose[3] - pose[3], toolPose[4] - pose[4], toolPose[5] - pose[5]);
  return Math.hypot(toolPose[0] - pose[0], toolPose[1] - pose[1], toolPose[2] - pose[2]) + (turn * SIDE) / 2;
}

describe.each(BOTH)('a cube on a block, %s, shell on the %s', (constraint, role) => {
  test('stays on the surface, and the hand feels the spring', () => {
    const rig = createGodRig(bodies[role], { constraint });
    placeAt(rig, ABOVE);
    // The manifold gives way by a 500th of what the coupling is stretched.
    const sink = constraint === 'manifold' ? 0.005 / 501 : 0;
    const deepest = Math.max(lead(rig, PRESSED, 60), rest(rig, 300));
    expect(deepest).toBeLessThan(sink > 0 ? 1.5 * sink : 1e-7);
    expect(Math.abs(rig.output.toolPose[2] - (TOUCHING - sink))).toBeLessThan(sink > 0 ? 0.05 * sink : 1e-7);
    expect(rig.output.wrench[2]).toBeCloseTo(5 - 1000 * sink, 3);
    expect(rig.output.contacts).toBeGreaterThan(50);
    expect(rig.output.frictionState).toBe(STATE_STICK);
  });

  test(
    'holds without creeping, slips at the static and slides at the kinetic coefficient',
    () => {
      const rig = pressedCube(constraint, role);
      rig.device[0] = 0.0018;
      rest(rig, 200);
      const held = Float64Array.from(rig.output.toolPose);
      rest(rig, 10_000);
      expect(distanceFrom(held, rig)).toBeLessThan(1e-9);
      expect(rig.output.frictionState).toBe(STATE_STICK);
      let before = 0;
      while (rig.output.frictionState !== STATE_SLIP && rig.device[0] < 0.01) {
        before = sideways(rig);
        rig.device[0] += 5e-6;
        rest(rig, 1);
      }
      expect(Math.abs(before / STATIC - 1)).toBeLessThan(0.03);
      // At 2 mm/s.
      for (let cycle = 0; cycle < 3000; cycle += 1) {
        rig.device[0] += 2e-6;
        rest(rig, 1);
        if (cycle > 2000) expect(Math.abs(sideways(rig) / KINETIC - 1), `cycle ${cycle}`).toBeLessThan(0.03);
      }
    },
    PATIENCE,
  );

  test('resists drilling by the size of its face, though nothing blocks the turn', () => {
    const rig = pressedCube(constraint, role);
    // Mean distance from the centre of a square.
    const lever = 0.3826 * SIDE;
    let torque = 0;
    for (let angle = 0; angle < 0.1 && rig.output.frictionState !== STATE_SLIP; angle += 1e-4) {
      torque = -rig.output.wrench[5];
      rig.device.set(turned(PRESSED, [0, 0, angle]));
      rest(rig, 1);
    }
    expect(rig.output.frictionState).toBe(STATE_SLIP);
    expect(Math.abs(torque / (STATIC * 5 * lever) - 1)).toBeLessThan(0.06);
  });

  test('holds on a slope that is less steep than friction, and slides on a steeper one', () => {
    for (const [angle, state] of [
      [Math.atan(0.97 * STATIC), STATE_STICK],
      [Math.atan(1.03 * STATIC), STATE_SLIP],
    ]) {
      const rig = createGodRig(bodies[role], {
        constraint,
        coefficient: STATIC,
        environmentPoses: [turnedPose([0, 0, 0], 1, angle)],
      });
      const up = [TOUCHING * Math.sin(angle), 0, TOUCHING * Math.cos(angle)];
      placeAt(rig, turnedPose(up, 1, angle));
      let slipped = false;
      for (let cycle = 0; cycle < 60; cycle += 1) {
        // A hand that follows, and pulls straight down.
        rig.device.set(rig.output.toolPose);
        rig.device[2] -= 0.003;
        rest(rig, 1);
        if (cycle > 30) slipped ||= rig.output.frictionState === STATE_SLIP;
      }
      expect(slipped, `slope ${angle}`).toBe(state === STATE_SLIP);
    }
  });

  test('follows a turning hand without sinking in by a voxel', () => {
    const rig = pressedCube(constraint, role);
    let deepest = 0;
    for (const turn of [
      [0.3, 0, 0],
      [-0.2, 0.3, 0.5],
      [0, 0, 0],
    ]) {
      deepest = Math.max(deepest, lead(rig, turned(PRESSED, turn), 150), rest(rig, 100));
    }
    // On a tilted edge, points whose nearest face is the other one are left out, and get in a little.
    expect(deepest).toBeLessThan(constraint === 'manifold' ? 0.25 * rig.voxel : rig.voxel);
  });

  test('two blocks that leave too little room hold it still', () => {
    const above = createPose(0, 0, 2 * TOUCHING - 0.0005);
    const rig = createGodRig(bodies[role], { constraint, environmentPoses: [createPose(), above] });
    const middle = createPose(0, 0, TOUCHING - 0.00025);
    placeAt(rig, middle);
    rest(rig, 300);
    expect(distanceFrom(middle, rig)).toBeLessThan(1e-5);
    let last = Float64Array.from(rig.output.toolPose);
    for (let cycle = 0; cycle < 400; cycle += 1) {
      rig.device[2] = middle[2] + 0.004 * Math.sin(cycle / 30);
      rest(rig, 1);
      expect(distanceFrom(last, rig), `cycle ${cycle}`).toBeLessThan(rig.voxel);
      last = Float64Array.from(rig.output.toolPose);
    }
    expect(distanceFrom(middle, rig)).toBeLessThan(0.0005);
  });
});

describe.each(CONSTRAINTS)('rules of the cycle, %s', (constraint) => {
  test('away from everything the proxy is the device, and nothing is felt', () => {
    const rig = createGodRig(bodies.tool, { constraint });
    placeAt(rig, createPose(0, 0, 0.5));
    const goal = turned(createPose(0.001, 0.002, 0.5), [0.01, 0.02, 0]);
    rig.device.set(goal);
    rest(rig, 1);
    expect([...rig.output.toolPose]).toEqual([...goal]);
    expect([...rig.output.wrench].map(Math.abs)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(rig.output.frictionState).toBe(STATE_FREE);
  });

  test('a device that jumps by a metre does not take the proxy through the block', () => {
    const rig = createGodRig(bodies.tool, { constraint });
    placeAt(rig, createPose(0, 0, 0.5));
    rig.device.set(createPose(0.01, 0, -0.5));
    let last = rig.output.toolPose[2];
    for (let cycle = 0; cycle < 500; cycle += 1) {
      rest(rig, 1);
      expect(Math.abs(rig.output.toolPose[2] - last)).toBeLessThan(0.03);
      last = rig.output.toolPose[2];
      expect(rig.output.maxPenetration).toBeLessThan(rig.voxel);
    }
    // The manifold gives way by 0.1 mm at most.
    const sink = constraint === 'manifold' ? 1e-4 : 0;
    expect(rig.output.toolPose[2] + sink).toBeCloseTo(TOUCHING, 4);
    rig.device.set(createPose(0, 0, 0.5));
    rest(rig, 300);
    expect(rig.output.toolPose[2]).toBeCloseTo(0.5, 9);
  });

  test('a pose that is not finite is not followed, and felt as nothing', () => {
    const rig = pressedCube(constraint, 'tool');
    const before = Float64Array.from(rig.output.toolPose);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      rig.device[3] = bad;
      rest(rig, 3);
      expect([...rig.output.toolPose]).toEqual([...before]);
      expect([...rig.output.wrench]).toEqual([0, 0, 0, 0, 0, 0]);
    }
    rig.device.set(PRESSED);
    rest(rig, 1);
    expect(rig.output.wrench[2]).toBeCloseTo(constraint === 'manifold' ? (5 * 500) / 501 : 5, 3);
  });

  test('the same way gives the same bits, also after a reset', () => {
    const hash = (rig: GodRig) => {
      placeAt(rig, ABOVE);
      const poses: number[] = [];
      for (const goal of [PRESSED, turned(createPose(0.02, 0.01, TOUCHING - 0.004), [0.1, 0.2, 0.4]), ABOVE]) {
        lead(rig, goal, 80);
        poses.push(...rig.output.toolPose, ...rig.output.wrench);
      }
      return poses;
    };
    const rig = createGodRig(bodies.environment, { constraint });
    const first = hash(rig);
    expect(hash(rig)).toEqual(first);
    expect(hash(createGodRig(bodies.environment, { constraint }))).toEqual(first);
  });

  test('runs on voxel layers as well, within half a voxel', () => {
    const rig = createGodRig(bodies.tool, { constraint, sampling: 'voxels' });
    placeAt(rig, ABOVE);
    lead(rig, PRESSED, 60);
    rest(rig, 300);
    expect(Math.abs(rig.output.toolPose[2] - TOUCHING)).toBeLessThan(0.6 * rig.voxel);
    expect(rig.output.wrench[2]).toBeGreaterThan(2);
  });

  test('caps are told', () => {
    const rig = createGodRig(bodies.tool, { constraint, contact: { maxContacts: 10 } });
    placeAt(rig, ABOVE);
    lead(rig, PRESSED, 20);
    expect(rig.output.capped & ~CAPPED_ITERATIONS).not.toBe(0);
    expect(rig.output.contacts).toBe(10);
  });
});

describe('coupling', () => {
  test('damping resists the speed at which proxy and device part', () => {
    const rig = pressedCube('manifold', 'tool', { coupling: { damping: 20, torsionalDamping: 0 } });
    const still = rig.output.wrench[2];
    rig.device[2] -= 1e-5;
    rest(rig, 1);
    // 10 mm/s into the block: 0.01 N from the spring, 0.2 N from the damper.
    // A 500th less, by which the contact gives way.
    expect((rig.output.wrench[2] - still) / (500 / 501)).toBeCloseTo(0.01 + 0.2, 5);
    rest(rig, 1);
    expect((rig.output.wrench[2] - still) / (500 / 501)).toBeCloseTo(0.01, 5);
  });

  test('carries the weight of the tool', () => {
    const rig = createGodRig(bodies.tool, { gravity: [0, 0, -10] });
    placeAt(rig, createPose(0, 0, 0.5));
    rest(rig, 200);
    // A litre of water.
    expect(rig.output.wrench[2]).toBeCloseTo(-10, 6);
  });
});

describe('what cannot be', () => {
  const options = () => createGodRig(bodies.tool).options;

  test('queries without a margin', () => {
    const { tool, query } = bodies.tool;
    expect(() => createGodObjectMethod(tool, [createContactPair(query)], options())).toThrow(/safety distance/);
    const wide = createContactQuery(query.shell, query.field, { shellOn: 'tool', margin: 0.01 });
    const narrow = createContactQuery(query.shell, query.field, { shellOn: 'tool', margin: 0.003 });
    const pairs = [createContactPair(wide), createContactPair(narrow)];
    expect(() => createGodObjectMethod(tool, pairs, options())).toThrow(/same for all/);
  });

  test.each([
    [{ coupling: { stiffness: 0 } }, /coupling\.stiffness/],
    [{ coupling: { damping: -1 } }, /coupling\.damping/],
    [{ friction: { viscous: 1 } }, /friction\.viscous/],
    [{ timeStep: Number.NaN }, /timeStep/],
  ])('%j', (changes, message) => {
    expect(() => createGodRig(bodies.tool, changes as GodRigChanges)).toThrow(message);
  });

  test('without anything to touch it is the device', () => {
    const method = createGodObjectMethod(bodies.tool.tool, [], options());
    const output = createMethodOutput();
    method.reset(createPose());
    for (let cycle = 0; cycle < 3; cycle += 1) method.step(output, createPose(1, 2, 3));
    expect([...output.toolPose.subarray(0, 3)]).toEqual([1, 2, 3]);
  });
});
