import { describe, expect, it } from 'vitest';
import { createPose } from '../../math/pose.js';
import { MODEL_SEQUENCE } from '../contact-model-header.js';
import { createMethodOutput, STATE_FREE, STATE_SLIP, STATE_STICK } from '../method.js';
import { createDeformableDynamics } from './deformable-dynamics.js';
import type { DeformableOptions } from './deformable-setup.js';

import { barTool, createBar, elasticBody, floorBody, planeModel, verticesAt, worldSetup } from './rig.fixture.js';

const bar = createBar();
const COUPLING = { stiffness: 2000, torsionalStiffness: 50, damping: null, torsionalDamping: null, graspPoint: null };
const base = verticesAt(bar.surface, 0);

interface Press {
  readonly young?: number;
  readonly depth?: number;
  readonly pull?: number;
  readonly coefficient?: number;
  readonly steps?: number;
  readonly options?: Partial<DeformableOptions>;
  readonly density?: number;
}

/** The bar, held above, is pressed on the floor by a device that is `depth` too low and `pull` to the side. */
function press({ young = 1e7, depth = 1e-3, pull = 0, coefficient = 0.5, steps = 2000, options, density }: Press = {}) {
  const setup = worldSetup(
    [elasticBody(bar, young, { tool: barTool(density), pose: createPose(0, 0, 1e-4) }), floorBody()],
    { coupling: COUPLING, ...options },
    coefficient,
  );
  const dynamics = createDeformableDynamics(setup);
  const model = planeModel(bar.surface, base, 0.01);
  const device = createPose(pull, 0, -depth);
  const output = createMethodOutput();
  for (let step = 0; step < steps; step += 1) {
    model[MODEL_SEQUENCE] += 1;
    dynamics.setDevice(0, device);
    dynamics.step(model);
  }
  dynamics.report(output, 0);
  return { dynamics, output, setup };
}

describe('deformable bodies', () => {
  it('hangs on its device without contact', () => {
    const { output } = press({ depth: -0.02, options: { gravity: [0, 0, -9.81] } });
    const weight = barTool().mass * 9.81;
    expect(output.wrench[2]).toBeCloseTo(-weight, 6);
    expect(output.toolPose[2]).toBeCloseTo(0.02 - weight / COUPLING.stiffness, 7);
    expect(output.frictionState).toBe(STATE_FREE);
  });

  it('hardly feels the steps in which a device reports its place', () => {
    const tool = { ...barTool(), mass: 0.1 };
    const setup = worldSetup([elasticBody(bar, 1e7, { tool, pose: createPose() }), floorBody(createPose(0, 0, -1))]);
    const dynamics = createDeformableDynamics(setup);
    const model = planeModel(bar.surface, [], 0);
    const output = createMethodOutput();
    let most = 0;
    for (let step = 0; step < 600; step += 1) {
      // 23 µm at 5 mm/s
      dynamics.setDevice(0, createPose(23e-6 * Math.floor((5e-6 * step) / 23e-6)));
      dynamics.step(model);
      dynamics.report(output, 0);
      if (step > 100) most = Math.max(most, Math.abs(output.wrench[0]));
    }
    expect(most).toBeLessThan(0.08);
  });

  it('shares the way of the device between coupling and bar, as springs in a row', () => {
    // Long bars compress by F l / (E A); this one is short and held at both ends by friction: stiffer than that.
    const young = 1e6;
    const { output, dynamics } = press({ young, coefficient: 0 });
    const force = output.wrench[2];
    const compression = -output.toolPose[2];
    expect(force).toBeCloseTo(COUPLING.stiffness * (1e-3 - compression), 6);
    const stiffness = force / compression;
    const simple = (young * 0.02 * 0.02) / 0.06;
    expect(stiffness / simple).toBeGreaterThan(1);
    expect(stiffness / simple).toBeLessThan(1.15);
    const { contacts } = dynamics;
    let sum = 0;
    for (let c = 0; c < contacts.count; c += 1) sum += contacts.force[3 * c];
    expect(sum).toBeCloseTo(force, 5);
  });

  it('obeys Signorini: gaps not below zero, forces push, one of both is zero', () => {
    const { dynamics } = press({ options: { tolerance: 1e-10, maxSweeps: 1000 } });
    const { contacts } = dynamics;
    for (let c = 0; c < contacts.count; c += 1) {
      expect(contacts.gap[c]).toBeGreaterThan(-1e-9);
      expect(contacts.force[3 * c]).toBeGreaterThanOrEqual(0);
      expect(contacts.force[3 * c] * contacts.gap[c]).toBeLessThan(1e-8);
    }
  });

  it('sticks within the cone and slides beyond it, by the coefficient', () => {
    const held = press({ pull: 2e-4, coefficient: 0.5, young: 1e8 });
    expect(held.output.frictionState).toBe(STATE_STICK);
    const sliding = press({ pull: 2e-3, coefficient: 0.2, young: 1e8 });
    const [fx, , fz] = sliding.output.wrench;
    expect(-fx / fz).toBeCloseTo(0.2, 3);
    const creeping = press({ pull: 2e-3, coefficient: 0.2, young: 1e8, steps: 30 });
    expect(creeping.output.frictionState).toBe(STATE_SLIP);
  });

  it('is stable and finite from 1 kPa to 200 GPa at the same step, and rigid at the stiff end', () => {
    const rigid = press({ young: 1e15 }).output.wrench[2];
    let last = 0;
    for (const young of [1e3, 1e5, 1e7, 1e9, 2e11]) {
      const { output, dynamics } = press({ young });
      expect(dynamics.faults).toBe(0);
      expect(output.wrench[2]).toBeGreaterThan(last);
      last = output.wrench[2];
    }
    expect(Math.abs(last / rigid - 1)).toBeLessThan(0.01);
    expect(rigid).toBeCloseTo(COUPLING.stiffness * 1e-3, 2);
  });

  it('carries its weight on its contacts when nothing else holds it', () => {
    const loose = { ...COUPLING, stiffness: 1e-9, damping: 0 };
    const { dynamics } = press({ young: 1e12, steps: 300, options: { gravity: [0, 0, -10], coupling: loose } });
    const { contacts } = dynamics;
    let sum = 0;
    for (let c = 0; c < contacts.count; c += 1) sum += contacts.force[3 * c];
    expect(sum / (barTool().mass * 10)).toBeCloseTo(1, 3);
  });

  it('lets go smoothly when proximity no longer comes', () => {
    const { setup } = press({ steps: 0 });
    const dynamics = createDeformableDynamics(setup);
    const model = planeModel(bar.surface, base, 0.01);
    const device = createPose(0, 0, -1e-3);
    const output = createMethodOutput();
    const forces: number[] = [];
    for (let step = 0; step < 1700; step += 1) {
      if (step < 1000) model[MODEL_SEQUENCE] += 1;
      dynamics.setDevice(0, device);
      dynamics.step(model);
      dynamics.report(output, 0);
      forces.push(output.wrench[2]);
    }
    expect(forces[999]).toBeGreaterThan(1);
    expect(Math.abs(forces[1699])).toBeLessThan(0.01);
    // The damper of the coupling is what is felt most, when the bar begins to move.
    const jerks = forces.slice(1000).map((force, step) => Math.abs(force - forces[999 + step]));
    expect(Math.max(...jerks)).toBeLessThan(0.07 * forces[999]);
  });

  it('holds still for a device without a pose, and goes on after it', () => {
    const { dynamics, output } = press();
    const model = planeModel(bar.surface, base, 0.01);
    dynamics.setDevice(0, createPose(Number.NaN));
    dynamics.step(model);
    dynamics.report(output, 0);
    expect([...output.wrench]).toEqual([0, 0, 0, 0, 0, 0]);
    expect(output.toolPose.every(Number.isFinite)).toBe(true);
    for (let step = 0; step < 500; step += 1) {
      model[MODEL_SEQUENCE] += 1;
      dynamics.setDevice(0, createPose(0, 0, -1e-3));
      dynamics.step(model);
    }
    dynamics.report(output, 0);
    expect(output.wrench[2]).toBeGreaterThan(1);
    expect(dynamics.faults).toBe(0);
  });
});
