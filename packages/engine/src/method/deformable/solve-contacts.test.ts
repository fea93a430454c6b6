import { expect, it } from 'vitest';
import { writeContactMotion } from '../../complementarity/cone-problem.js';
import { createPose } from '../../math/pose.js';
import { createMethodOutput } from '../method.js';
import { createDeformableWorld } from './deformable.js';
import { barTool, createBar, elasticBody, floorBody, worldSetup } from './rig.fixture.js';

const COUPLING = { stiffness: 2000, torsionalStiffness: 5, damping: null, torsionalDamping: null, graspPoint: null };
const TOLERANCE = 1e-7;

/** A soft bar that is tilted about on the floor, so that ever other vertices of its base press. */
function tiltedBar() {
  const tool = { tool: barTool(), pose: createPose(0, 0, 1e-4) };
  const bodies = [elasticBody(createBar([6, 6, 8]), 1e6, tool), floorBody()];
  const options = { coupling: COUPLING, contacts: 60, tolerance: TOLERANCE, maxSweeps: 500 };
  const world = createDeformableWorld(worldSetup(bodies, options, 0.4));
  const output = createMethodOutput();
  return (step: number) => {
    const turn = step / 20;
    const [x, y] = [0.03 * Math.sin(turn), 0.03 * Math.cos(1.3 * turn)];
    world.methods[0].step(output, createPose(1e-3 * Math.sin(turn), 0, 5e-4 - 2e-6 * step, x, y, 0, 1));
    return world.dynamics;
  };
}

it('W of the contacts that press gives the answer of W of all contacts', () => {
  const step = tiltedBar();
  let [solved, watched, joined, worst] = [0, 0, 0, 0];
  for (let n = 0; n < 500; n += 1) {
    const { contacts, problem } = step(n);
    const pressed = contacts.force.filter((force, k) => k % 3 === 0 && k < 3 * contacts.count && force > 0).length;
    expect(problem.count).toBe(contacts.count);
    const motion = new Float64Array(3 * contacts.count);
    writeContactMotion(motion, problem, contacts.force);
    for (let c = 0; c < contacts.count; c += 1) {
      const [normal, ...friction] = contacts.force.subarray(3 * c, 3 * c + 3);
      // How far the sweeps leave a contact moved, times the pull of the others.
      expect(motion[3 * c]).toBeGreaterThan(-20 * TOLERANCE);
      if (normal > 0) expect(motion[3 * c]).toBeLessThan(20 * TOLERANCE);
      expect(Math.hypot(...friction)).toBeLessThanOrEqual(problem.coefficient[c] * normal * (1 + 1e-9));
      // Also where the contact was never in W: without it, its row was worked out from the motion of the bodies.
      worst = Math.max(worst, Math.abs(contacts.ended[3 * c] - motion[3 * c]));
    }
    solved += pressed;
    watched += contacts.count - pressed;
    if (pressed > 0) joined += 1;
  }
  expect(worst).toBeLessThan(1e-12);
  expect(joined).toBeGreaterThan(300);
  expect(solved).toBeGreaterThan(500);
  expect(watched).toBeGreaterThan(500);
});

it('works W out between contacts that press or would overlap, and of the others when it is asked for', () => {
  const step = tiltedBar();
  let [most, all] = [0, 0];
  for (let n = 0; n < 300; n += 1) {
    const { contacts } = step(n);
    for (let c = 0; c < contacts.count; c += 1) if (contacts.solved[c] === 1) most += 1;
    all += contacts.count;
  }
  expect(most).toBeGreaterThan(0);
  expect(most / all).toBeLessThan(0.6);
  const { contacts, problem } = step(300);
  expect(problem.count).toBe(contacts.count);
  for (let a = 0; a < problem.count; a += 1) expect(problem.blocks[9 * (a * problem.count + a)]).toBeGreaterThan(0);
});
