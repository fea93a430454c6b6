import { describe, expect, it } from 'vitest';
import { createPose, type Pose } from '../../math/pose.js';
import { turnPose } from '../../math/rotation.js';
import { contactPictureBytes, viewContactPicture } from '../contact-picture.js';
import { STATE_FREE, STATE_SLIP, STATE_STICK } from '../method.js';
import type { IntegratorKind } from './integrate.js';
import {
  boxTool,
  createModularRig,
  type ModularRig,
  modularOptions,
  NO_CONTACTS,
  planeContacts,
  spoonTool,
} from './modular-rig.fixture.js';

const SIZE = [0.06, 0.04, 0.02] as const;
const D = 0.001;

function stepFor(rig: ModularRig, device: Pose, steps: number, eachStep: (n: number) => void = () => {}): void {
  for (let n = 0; n < steps; n += 1) {
    eachStep(n);
    rig.method.step(rig.output, device);
  }
}

function speed({ method }: ModularRig, mass: number): number {
  const y = method.dynamics.toolState;
  return Math.sqrt(y[7] * y[7] + y[8] * y[8] + y[9] * y[9]) / mass;
}

/** Pose of the box's body frame with its lower side at `height`, level. */
function boxPose(height: number, x = 0): Pose {
  return createPose(x - 0.002, 0.001, height + SIZE[2] / 2 - 0.003);
}

describe('in free space', () => {
  const spoon = (mass: number, integrator: IntegratorKind) => {
    const options = modularOptions({
      integrator,
      coupling: {
        stiffness: 200,
        torsionalStiffness: 0.6,
        graspPoint: [-0.08, 0, 0],
        torsionalDamping: 0,
        damping: 0.5,
      },
    });
    const rig = createModularRig(spoonTool(mass), NO_CONTACTS, options, createPose());
    const device = createPose(0.001);
    turnPose(device, Float64Array.of(0.02, 0.01, -0.03), 0);
    stepFor(rig, device, 1000);
    return { rig, device };
  };

  it.each(['implicit', 'implicit-13'] as const)('a spoon of 1 g follows a jump of the device, %s', (integrator) => {
    const { rig, device } = spoon(0.001, integrator);
    expect(speed(rig, 0.001)).toBeLessThan(0.001);
    for (let i = 0; i < 7; i += 1) expect(rig.output.toolPose[i]).toBeCloseTo(device[i], 5);
    expect(rig.output.frictionState).toBe(STATE_FREE);
    expect(rig.method.dynamics.faults).toBe(0);
  });

  it.each(['euler', 'runge-kutta'] as const)(
    'explicit integration fails at 1 g and holds at 5 kg, %s',
    (integrator) => {
      const { rig: light } = spoon(0.001, integrator);
      expect(speed(light, 0.001) > 1 || light.method.dynamics.faults > 0).toBe(true);
      const { rig: heavy } = spoon(5, integrator);
      expect(speed(heavy, 5)).toBeLessThan(0.05);
      expect(heavy.method.dynamics.faults).toBe(0);
    },
  );

  it('is felt as the pull of the link, about the centre of mass', () => {
    const tool = boxTool(0.01, SIZE);
    const options = modularOptions({
      coupling: { stiffness: 200, velocityFilter: null, graspPoint: [0.052, -0.001, 0.003] },
      gravity: [0, 0, -9.81],
    });
    const rig = createModularRig(tool, NO_CONTACTS, options, createPose());
    stepFor(rig, createPose(), 4000);
    // The hand carries the weight, 5 cm away from it.
    expect(rig.output.wrench[2]).toBeCloseTo(-0.0981, 6);
    expect(rig.output.wrench[4]).toBeCloseTo(0, 6);
    expect(rig.output.toolPose[2]).toBeLessThan(0);
  });

  it('gives in to no more than the greatest force', () => {
    const tool = boxTool(0.01, SIZE);
    const contacts = planeContacts(tool, SIZE, D);
    const options = modularOptions({ coupling: { maxForce: 3 } });
    const rig = createModularRig(tool, contacts, options, boxPose(0.002));
    stepFor(rig, boxPose(-0.05), 2000);
    expect(rig.output.wrench[2]).toBeCloseTo(3, 6);
  });

  it('holds still without a pose', () => {
    const rig = createModularRig(boxTool(0.01, SIZE), NO_CONTACTS, modularOptions({}), createPose());
    stepFor(rig, createPose(0.01), 10);
    const before = rig.output.toolPose.slice();
    rig.method.step(rig.output, createPose(Number.NaN));
    expect(rig.output.toolPose).toEqual(before);
    expect([...rig.output.wrench]).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe('resting on a plane', () => {
  it.each([
    [1, false],
    [1, true],
    [10, false],
    [10, true],
  ])('10 g on 5 kN/m, contacts in every %i-th step, delayed %s', (contactRatio, contactDelayed) => {
    const tool = boxTool(0.01, SIZE);
    const options = modularOptions({ contactRatio, contactDelayed, contact: { tolerance: D } });
    const rig = createModularRig(tool, planeContacts(tool, SIZE, D), options, boxPose(0.003));
    stepFor(rig, boxPose(-0.03), 1000);
    // Four clusters of k (δ + d) against the pull of the link.
    const pull = rig.output.wrench[2];
    const height = rig.output.toolPose[2] - boxPose(0)[2];
    expect(speed(rig, 0.01)).toBeLessThan(1e-3);
    expect(pull).toBeCloseTo(500 * (0.03 + height), 4);
    expect(4 * 5000 * (D - height)).toBeCloseTo(pull, 3);
    expect(rig.output.maxPenetration).toBeCloseTo(Math.max(0, -height), 6);
    expect(rig.output.contacts).toBe(4);
  });

  it('is worse when forces are held than when they are linearised', () => {
    const swing = (linearised: boolean) => {
      const tool = boxTool(0.01, SIZE);
      const options = modularOptions({ contactRatio: 10, contactDelayed: true, contact: { linearised } });
      const rig = createModularRig(tool, planeContacts(tool, SIZE, D), options, boxPose(0.003));
      let fastest = 0;
      stepFor(rig, boxPose(-0.01), 2000, (n) => {
        if (n > 1500) fastest = Math.max(fastest, speed(rig, 0.01));
      });
      return fastest;
    };
    expect(swing(true)).toBeLessThan(0.001);
    expect(swing(false)).toBeGreaterThan(0.1);
  });

  it('gives the same numbers every time', () => {
    const run = () => {
      const tool = boxTool(0.01, SIZE);
      const options = modularOptions({
        contactRatio: 3,
        contactDelayed: true,
        friction: { static: 0.4, kinetic: 0.3 },
      });
      const rig = createModularRig(tool, planeContacts(tool, SIZE, D), options, boxPose(0.003));
      const device = boxPose(-0.01);
      stepFor(rig, device, 500, (n) => {
        device[0] = 0.0001 * n;
      });
      return [...rig.output.toolPose, ...rig.output.wrench];
    };
    expect(run()).toEqual(run());
  });

  it('shows its clusters', () => {
    const tool = boxTool(0.01, SIZE);
    const rig = createModularRig(tool, planeContacts(tool, SIZE, D), modularOptions({}), boxPose(0.0005));
    stepFor(rig, boxPose(-0.01), 500);
    const picture = viewContactPicture(new ArrayBuffer(contactPictureBytes(8)), 0, 8);
    rig.method.draw?.(picture);
    expect(picture.numbers[0]).toBe(4);
    let sum = 0;
    for (let k = 0; k < 4; k += 1) {
      expect(picture.normal[3 * k + 2]).toBe(1);
      sum += picture.normalForce[k];
    }
    expect(sum).toBeCloseTo(rig.output.wrench[2], 3);
  });
});

describe('friction', () => {
  /** A box on a plane that is inclined by `angle`, under its weight alone: the link is too weak to matter. */
  function onIncline(angle: number, friction: number, contactRatio = 1) {
    const tool = boxTool(0.05, SIZE);
    const environment = createPose();
    turnPose(environment, Float64Array.of(0, angle, 0), 0);
    const start = createPose();
    turnPose(start, Float64Array.of(0, angle, 0), 0);
    const level = boxPose(0.0008);
    const [x, , z] = level;
    start[0] = Math.cos(angle) * x + Math.sin(angle) * z;
    start[1] = level[1];
    start[2] = -Math.sin(angle) * x + Math.cos(angle) * z;
    const options = modularOptions({
      coupling: { stiffness: 1e-6, torsionalStiffness: 1e-9, damping: 0, torsionalDamping: 0 },
      friction: { static: friction, kinetic: friction },
      gravity: [0, 0, -9.81],
      environmentPose: environment,
      contactRatio,
    });
    const rig = createModularRig(tool, planeContacts(tool, SIZE, D, environment), options, start);
    stepFor(rig, start, 300);
    const before = rig.output.toolPose.slice();
    stepFor(rig, start, 1000);
    const way = Math.hypot(...[0, 1, 2].map((i) => rig.output.toolPose[i] - before[i]));
    return { way, state: rig.output.frictionState };
  }

  it.each([1, 10])('holds a box on an incline below tan = μ, contacts in every %i-th step', (ratio) => {
    const { way, state } = onIncline(Math.atan(0.5) - 0.02, 0.5, ratio);
    expect(way).toBeLessThan(1e-6);
    expect(state).toBe(STATE_STICK);
  });

  it.each([1, 10])('lets it slide above, as fast as Coulomb says, contacts in every %i-th step', (ratio) => {
    const angle = Math.atan(0.5) + 0.1;
    const { way, state } = onIncline(angle, 0.5, ratio);
    const pull = 9.81 * (Math.sin(angle) - 0.5 * Math.cos(angle));
    // From rest at the first touch: ½ a ((1.3 s)² − (0.3 s)²), less what it took to fall on the plane.
    expect(way / (0.5 * pull * (1.3 ** 2 - 0.3 ** 2))).toBeGreaterThan(0.9);
    expect(way / (0.5 * pull * (1.3 ** 2 - 0.3 ** 2))).toBeLessThan(1.1);
    expect(state).toBe(STATE_SLIP);
  });

  it('is carried along by an environment that moves', () => {
    const tool = boxTool(0.05, SIZE);
    const environment = createPose();
    const options = modularOptions({
      coupling: { stiffness: 1e-6, torsionalStiffness: 1e-9, damping: 0, torsionalDamping: 0 },
      friction: { static: 0.8, kinetic: 0.8 },
      gravity: [0, 0, -9.81],
      environmentPose: environment,
      contactRatio: 5,
    });
    const contacts = planeContacts(tool, SIZE, D);
    const rig = createModularRig(tool, contacts, options, boxPose(0.0008));
    stepFor(rig, boxPose(0.0008), 200);
    const before = rig.output.toolPose.slice();
    // Accelerates slowly, goes on, rises.
    stepFor(rig, boxPose(0.0008), 1000, (n) => {
      environment[0] += 1e-4 * Math.min(1, n / 200);
      environment[2] += 2e-6;
    });
    expect(rig.output.toolPose[0] - before[0]).toBeCloseTo(environment[0], 3);
    expect(rig.output.toolPose[2] - before[2]).toBeCloseTo(environment[2], 5);
  });
});

describe('energy', () => {
  it.each([1, 10])('is never given to the hand over ten seconds of rubbing, contacts in every %i-th step', (ratio) => {
    const tool = boxTool(0.01, SIZE);
    const options = modularOptions({
      contactRatio: ratio,
      contactDelayed: ratio > 1,
      friction: { static: 0.4, kinetic: 0.3 },
      coupling: { graspPoint: [0.01, 0, 0.05] },
    });
    const rig = createModularRig(tool, planeContacts(tool, SIZE, D), options, boxPose(0.002));
    const device = boxPose(0.002);
    const last = device.slice();
    let given = 0;
    let most = 0;
    stepFor(rig, device, 10000, (n) => {
      const time = n / 1000;
      // The work of the last cycle's wrench, which acts while the hand goes on.
      for (let i = 0; i < 3; i += 1) given += rig.output.wrench[i] * (device[i] - last[i]);
      most = Math.max(most, given);
      last.set(device);
      device[0] = 0.02 * Math.sin(2 * Math.PI * 0.7 * time);
      device[2] = boxPose(0)[2] - 0.004 * (1 - Math.cos(2 * Math.PI * 1.3 * time)) + 0.002;
    });
    expect(rig.method.dynamics.faults).toBe(0);
    // Never more than what the springs hold at the strongest push: ½ k e².
    expect(most).toBeLessThan(1e-3);
    expect(given).toBeLessThan(0);
  });
});
