import { beforeAll, describe, expect, test } from 'vitest';
import type { ShellOwner } from '../../contact/contact-query.js';
import { createPose } from '../../math/pose.js';
import { createBox, createCapsule, createCylinder } from '../../mesh/shapes.js';
import { STATE_SLIP, STATE_STICK } from '../method.js';
import {
  changeOptions,
  createRig,
  placeTool,
  prepareRigBodies,
  type Rig,
  type RigBodies,
  runRig,
  settleAt,
  stepWithWrench,
  turnedPose,
} from '../rig.fixture.js';

/* Classical problems of dry friction with known limits, with the exact cone. */

const ROLES: ShellOwner[] = ['tool', 'environment'];
const PATIENCE = 90_000;

describe('a slab on an incline', () => {
  const bodies = {} as Record<ShellOwner, RigBodies>;
  beforeAll(async () => {
    // Low, so that its weight stays well inside its base.
    const slab = createBox(0.1, 0.1, 0.04);
    const block = createBox(0.16, 0.16, 0.05);
    for (const shellOn of ROLES) bodies[shellOn] = await prepareRigBodies(slab, block, { shellOn, spacing: 0.008 });
  }, PATIENCE);

  /** A slab that is pushed straight down on a plane of the given slope, after `cycles`. */
  function slabAfter(shellOn: ShellOwner, coefficient: number, slope: number, cycles: number): Rig {
    const angle = Math.atan(slope);
    const pairOptions = { staticCoefficient: coefficient };
    const rig = createRig(bodies[shellOn], pairOptions, {}, [turnedPose([0, 0, 0], 1, angle)]);
    const height = 0.045 - 1e-4;
    placeTool(rig, turnedPose([height * Math.sin(angle), 0, height * Math.cos(angle)], 1, angle));
    for (let cycle = 0; cycle < cycles; cycle += 1) stepWithWrench(rig, [0, 0, -2]);
    return rig;
  }

  const cases = ROLES.flatMap((role) =>
    [0.2, 0.5, 0.8].map((coefficient): [number, ShellOwner] => [coefficient, role]),
  );
  test.each(cases)(
    'μ = %f: stays 2 % below tan θ = μ and slides 2 % above, shell on the %s',
    (coefficient, shellOn) => {
      const held = slabAfter(shellOn, coefficient, 0.98 * coefficient, 100);
      const settled = held.output.toolPose.slice();
      for (let cycle = 0; cycle < 100; cycle += 1) {
        stepWithWrench(held, [0, 0, -2]);
        expect(held.output.frictionState).toBe(STATE_STICK);
      }
      expect(Math.hypot(...[0, 1, 2].map((axis) => held.output.toolPose[axis] - settled[axis]))).toBeLessThan(1e-6);

      const sliding = slabAfter(shellOn, coefficient, 1.02 * coefficient, 200);
      const start = sliding.output.toolPose[0];
      for (let cycle = 0; cycle < 200; cycle += 1) stepWithWrench(sliding, [0, 0, -2]);
      expect(sliding.output.toolPose[0] - start).toBeGreaterThan(5e-4);
    },
  );
});

describe('a flat block that the pull tilts', () => {
  let block: RigBodies;
  beforeAll(async () => {
    const plate = createBox(0.3, 0.3, 0.02);
    block = await prepareRigBodies(createBox(0.06, 0.06, 0.03), plate, {
      shellOn: 'tool',
      spacing: 0.004,
      resolution: 96,
    });
  }, PATIENCE);

  test.each([5, 50])(
    'slips at μ of what the plate carries, with a torsional coupling of %i N m/rad',
    (torsionalStiffness) => {
      const rig = createRig(block, { staticCoefficient: 0.5 }, { coupling: { torsionalStiffness } });
      settleAt(rig, createPose(0, 0, 0.0251), createPose(0, 0, 0.02), 200);
      let most = 0;
      for (let cycle = 0; cycle < 1500 && rig.output.toolPose[0] < 2e-4; cycle += 1) {
        rig.device[0] += 2e-6;
        runRig(rig, 1);
        const [x, , z] = rig.output.wrench;
        most = Math.max(most, -x / z);
      }
      expect(Math.abs(most / 0.5 - 1), `slips at ${most}`).toBeLessThan(2e-3);
    },
    PATIENCE,
  );
});

describe('between a floor and a wall', () => {
  const LENGTH = 0.2;
  const RADIUS = 0.015;
  let ladder: RigBodies;
  beforeAll(async () => {
    const plate = createBox(0.16, 0.06, 0.02);
    const capsule = createCapsule(RADIUS, LENGTH, 48);
    ladder = await prepareRigBodies(capsule, plate, { shellOn: 'environment', spacing: 0.0025, resolution: 96 });
  }, PATIENCE);

  /**
   * Slope of a ladder of round ends that is about to slip at both: the weight W in its middle, N_f and μ N_f at the
   * floor, N_w = μ N_f and μ N_w at the wall, moments about the foot.
   */
  function limitSlope(coefficient: number): number {
    const excess = (angle: number) => {
      const along = LENGTH * Math.cos(angle);
      const wall = coefficient / (1 + coefficient ** 2);
      return along / 2 - wall * (coefficient * (along + RADIUS) + LENGTH * Math.sin(angle) + RADIUS);
    };
    let low = 0;
    let high = Math.PI / 2;
    for (let halving = 0; halving < 60; halving += 1) {
      const middle = (low + high) / 2;
      if (excess(middle) > 0) low = middle;
      else high = middle;
    }
    return Math.tan(low);
  }

  function leanLadder(coefficient: number, slope: number): Rig {
    const angle = Math.atan(slope);
    const along = LENGTH * Math.cos(angle);
    const up = LENGTH * Math.sin(angle);
    const floor = createPose(0.02, 0, -RADIUS - 0.01);
    const wall = turnedPose([along + RADIUS + 0.01, 0, up], 1, -Math.PI / 2);
    const rig = createRig(ladder, { staticCoefficient: coefficient }, {}, [floor, wall]);
    placeTool(rig, turnedPose([along / 2, 0, up / 2], 1, Math.PI / 2 - angle));
    for (let cycle = 0; cycle < 1500; cycle += 1) stepWithWrench(rig, [0, 0, -1]);
    return rig;
  }

  const slopeOf = ({ output }: Rig) => Math.tan(Math.PI / 2 - 2 * Math.asin(output.toolPose[4]));

  test.each([0.3, 0.5])(
    'a ladder of μ = %f leans safely 3 % above its limit, and falls 2 % below',
    (coefficient) => {
      const limit = limitSlope(coefficient);
      const safe = slopeOf(leanLadder(coefficient, 1.03 * limit)) / limit;
      // It sinks in and slips a little until the wall carries its part.
      expect(safe).toBeGreaterThan(1);
      expect(safe).toBeLessThan(1.03);
      expect(slopeOf(leanLadder(coefficient, 0.98 * limit)) / limit).toBeLessThan(0.8);
    },
    PATIENCE,
  );
});

describe('a cylinder in a groove', () => {
  const COEFFICIENT = 0.3;
  const RADIUS = 0.02;
  const bodies = {} as Record<ShellOwner, RigBodies>;
  beforeAll(async () => {
    const cylinder = createCylinder(RADIUS, 0.12, 64);
    const flank = createBox(0.16, 0.08, 0.02);
    for (const shellOn of ROLES) {
      bodies[shellOn] = await prepareRigBodies(cylinder, flank, { shellOn, spacing: 0.003, resolution: 96 });
    }
  }, PATIENCE);

  /**
   * Pressed into the groove along x without friction, so that none is left over across the groove, and held at the height
   * of its contacts: friction that also has to keep the cylinder from pitching gives way earlier.
   */
  function pressedIn(shellOn: ShellOwner, halfAngle: number): Rig {
    const away = RADIUS + 0.01;
    const flanks = [1, -1].map((side) =>
      turnedPose(
        [0, side * away * Math.cos(halfAngle), -away * Math.sin(halfAngle)],
        0,
        side * (Math.PI / 2 - halfAngle),
      ),
    );
    const coupling = { graspPoint: [RADIUS * Math.sin(halfAngle), 0, 0] } as const;
    const rig = createRig(
      bodies[shellOn],
      { staticCoefficient: COEFFICIENT },
      { friction: { model: 'none' }, coupling },
      flanks,
    );
    settleAt(rig, turnedPose([0, 0, 0], 1, Math.PI / 2), turnedPose([0, 0, -0.004], 1, Math.PI / 2), 200);
    changeOptions(rig, { coupling });
    runRig(rig, 50);
    return rig;
  }

  const cases = ROLES.flatMap((role) => [30, 45, 60].map((degrees): [number, ShellOwner] => [degrees, role]));
  test.each(cases)(
    'of %i° to each side slides at μ / sin of it, shell on the %s',
    (degrees, shellOn) => {
      const halfAngle = (degrees * Math.PI) / 180;
      const effective = COEFFICIENT / Math.sin(halfAngle);
      const rig = pressedIn(shellOn, halfAngle);
      const ratio = () => -rig.output.wrench[0] / rig.output.wrench[2] / effective;
      let brokeAt = 0;
      for (let cycle = 0; cycle < 2000; cycle += 1) {
        rig.device[0] += 5e-6;
        runRig(rig, 1);
        if (rig.output.frictionState !== STATE_SLIP) continue;
        brokeAt = ratio();
        break;
      }
      expect(Math.abs(brokeAt - 1), `broke at ${brokeAt}`).toBeLessThan(0.02);
      for (let cycle = 0; cycle < 300; cycle += 1) {
        rig.device[0] += 5e-6;
        runRig(rig, 1);
      }
      expect(Math.abs(ratio() - 1), `slides at ${ratio()}`).toBeLessThan(0.02);
    },
    PATIENCE,
  );
});

describe('a cube in the edge of a floor and a wall', () => {
  const cases = ROLES.flatMap((role) => [0.002, 0.005].map((press): [number, ShellOwner] => [press, role]));
  test.each(cases)(
    'pressed by %f m against the wall slides at μ (F_floor + F_wall), shell on the %s',
    async (press, role) => {
      const cube = createBox(0.1, 0.1, 0.1);
      const plate = createBox(0.2, 0.16, 0.02);
      const bodies = await prepareRigBodies(cube, plate, { shellOn: role, spacing: 0.01 });
      const plates = [createPose(0, 0, -0.06), turnedPose([-0.06, 0, 0], 1, Math.PI / 2)];
      const changes = { friction: { model: 'none' }, coupling: { torsionalStiffness: 50 } } as const;
      const rig = createRig(bodies, { staticCoefficient: 0.4 }, changes, plates);
      settleAt(rig, createPose(), createPose(-press, 0, -0.005), 200);
      changeOptions(rig, { coupling: changes.coupling });
      // Long enough for what friction holds across the edge at first to wear off.
      for (let cycle = 0; cycle < 1000; cycle += 1) {
        rig.device[1] += 5e-6;
        runRig(rig, 1);
      }
      const { wrench, frictionState } = rig.output;
      expect(frictionState).toBe(STATE_SLIP);
      const ratio = -wrench[1] / (0.4 * (wrench[0] + wrench[2]));
      expect(Math.abs(ratio - 1), `slides at ${ratio}`).toBeLessThan(0.01);
    },
    PATIENCE,
  );
});

describe('a block that is pulled far harder than its contacts push', () => {
  test.each(ROLES)(
    'through a table stays above it and comes back, shell on the %s',
    async (shellOn) => {
      const bodies = await prepareRigBodies(createBox(0.04, 0.03, 0.02), createBox(0.2, 0.2, 0.03), {
        shellOn,
        spacing: 0.004,
      });
      for (const pull of [createPose(0.06, 0, -0.3), turnedPose([0, 0.02, -0.3], 0, 0.5)]) {
        const rig = createRig(bodies, { staticCoefficient: 0.3 });
        const above = createPose(0, 0, 0.03);
        settleAt(rig, above, pull);
        // 300 N at 5 kN/m would be 60 mm.
        expect(rig.output.maxPenetration).toBeLessThan(Math.max(0.51 * bodies.query.field.band, 0.00201));
        expect(rig.output.toolPose[2]).toBeGreaterThan(0.015);
        settleAt(rig, rig.output.toolPose.slice(), above);
        expect(Array.from(rig.output.toolPose)).toEqual(Array.from(above));
      }
    },
    PATIENCE,
  );
});

describe('a block driven onto a plate thinner than a voxel, with 50 N', () => {
  // Flat, tilted, and so slowly that no single step is long.
  test.each([
    [0.001, 0.5, 0],
    [0.001, 0.05, 0],
    [0.0005, 2, 0],
    [0.0005, 1, 0.3],
    [0.0005, 0.1, 0.1],
  ])(
    'of %f m at %f m/s, tilted by %f rad, stays above it and comes back',
    async (thickness, speed, tilt) => {
      const bodies = await prepareRigBodies(createBox(0.06, 0.06, 0.03), createBox(0.2, 0.2, thickness), {
        shellOn: 'tool',
        spacing: 0.006,
      });
      expect(bodies.query.field.voxelSize).toBeGreaterThan(thickness);
      const rig = createRig(bodies, { staticCoefficient: 0.5 });
      const above = turnedPose([0.001, 0.002, 0.03], 0, tilt);
      settleAt(rig, above, above);
      for (let fallen = 0; fallen < 0.065; fallen += 0.001 * speed) {
        rig.device[2] = above[2] - fallen;
        runRig(rig, 1);
        expect(rig.output.toolPose[2], `${fallen} m down`).toBeGreaterThan(0.0135);
      }
      settleAt(rig, rig.output.toolPose.slice(), above);
      expect(Array.from(rig.output.toolPose)).toEqual(Array.from(above));
    },
    PATIENCE,
  );
});

describe('a wedge whose acute edge is pressed into a table', () => {
  /** A prism along y: its edge at z = 0, 40 mm high and 16 mm wide. */
  const wedge = {
    positions: Float64Array.from([-0.03, 0.03].flatMap((y) => [0, y, 0, 0.008, y, 0.04, -0.008, y, 0.04])),
    triangles: Uint32Array.from([0, 1, 2, 3, 5, 4, 0, 3, 4, 0, 4, 1, 1, 4, 5, 1, 5, 2, 2, 5, 3, 2, 3, 0]),
  };

  // The upper side of so thin an edge, once inside, is like a contact that came through from the other side of a sheet.
  test.each([1.2, 1.35, 1.5])(
    'lies at %f rad, sinks in as far as it is pressed, slides at μ, and comes back',
    async (tilt) => {
      const bodies = await prepareRigBodies(wedge, createBox(0.2, 0.2, 0.03), { shellOn: 'tool', spacing: 0.002 });
      const rig = createRig(bodies, { staticCoefficient: 0.5 });
      const above = turnedPose([0, 0, 0.03], 1, tilt);
      settleAt(rig, above, turnedPose([0, 0, 0.005], 1, tilt), 500);
      expect(rig.output.maxPenetration).toBeGreaterThan(0.0015);
      expect(rig.output.maxPenetration).toBeLessThan(1.2 * bodies.query.field.voxelSize);
      expect(rig.output.wrench[2]).toBeGreaterThan(5);

      rig.device[1] = 0.001;
      runRig(rig, 200);
      expect(Math.abs(rig.output.toolPose[1])).toBeLessThan(1e-5);
      for (let cycle = 0; cycle < 1000; cycle += 1) {
        rig.device[1] += 2e-5;
        runRig(rig, 1);
      }
      // On both sides of the edge it would rub up to four times as hard.
      const [, rubbing, pressed] = rig.output.wrench;
      expect(Math.abs(-rubbing / pressed / 0.5 - 1)).toBeLessThan(0.02);
      expect(rig.output.toolPose[1]).toBeGreaterThan(0.01);

      settleAt(rig, rig.output.toolPose.slice(), above);
      expect(Array.from(rig.output.toolPose)).toEqual(Array.from(above));
    },
    PATIENCE,
  );
});
