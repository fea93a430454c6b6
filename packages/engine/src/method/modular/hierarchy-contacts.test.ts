import { expect, it } from 'vitest';
import { createContactSet } from '../../contact/contact-set.js';
import { createHierarchyQuery } from '../../contact/convex/create-hierarchy-query.js';
import { buildConvexHierarchy } from '../../hierarchy/build-hierarchy.js';
import { createPose } from '../../math/pose.js';
import { createBox } from '../../mesh/shapes.js';
import { createHierarchyContacts, type HierarchyPair } from './hierarchy-contacts.js';
import { boxTool, createModularRig, modularOptions } from './modular-rig.fixture.js';

const cube = buildConvexHierarchy(createBox(0.04, 0.04, 0.04));
const plate = buildConvexHierarchy(createBox(0.2, 0.2, 0.02));

function pairAt(z: number, staticCoefficient: number): HierarchyPair {
  const query = createHierarchyQuery(cube, plate, { distanceTolerance: 0.001, tolerance: 0.001, maxContacts: 8 });
  return { query, environmentPose: createPose(0, 0, z), staticCoefficient, kineticCoefficient: 0.1 };
}

it('finds contacts of several bodies, each with its friction and its nodes', () => {
  const contacts = createHierarchyContacts([pairAt(-0.0299, 0.3), pairAt(0.0295, 0.6)]);
  const set = createContactSet(contacts.capacity);
  expect(contacts.capacity).toBe(16);
  contacts.find(set, createPose(), new Float64Array(3));
  expect(set.count).toBe(2);
  expect([...set.depth.subarray(0, 2)]).toEqual([expect.closeTo(0.0001, 9), expect.closeTo(0.0005, 9)]);
  expect([set.normal[2], set.normal[5]]).toEqual([expect.closeTo(1, 9), expect.closeTo(-1, 9)]);
  expect([...contacts.coefficients!.subarray(0, 4)]).toEqual([0.3, 0.1, 0.6, 0.1]);
  expect([...contacts.nodes.subarray(0, 6)]).toEqual([0, 0, 0, 1, 0, 0]);
  expect(contacts.environmentPose).toBeUndefined();
});

it('writes the pose of the pair that moves', () => {
  const pairs = [pairAt(-0.03, 0.3), pairAt(0.1, 0.6)];
  const contacts = createHierarchyContacts(pairs, 1);
  expect(contacts.environmentPose).toBe(pairs[1].environmentPose);
  const set = createContactSet(contacts.capacity);
  contacts.environmentPose![2] = 0.0295;
  contacts.find(set, createPose(0, 0, 0.0001), new Float64Array(3));
  expect(set.count).toBe(2);
  contacts.find(set, createPose(0, 0, Number.NaN), new Float64Array(3));
  expect(set.count).toBe(0);
});

/** Put down aslant on an edge, then held upright: a single point would leave it rocking from corner to corner. */
it.each([false, true])('lets a box rest level on a plate (contacts late: %s)', (contactDelayed) => {
  const tool = { ...boxTool(0.05, [0.04, 0.04, 0.04]), centre: [0, 0, 0] as const };
  const contacts = createHierarchyContacts([pairAt(-0.03, 0)]);
  const hand = createPose(0, 0, 0.005);
  const options = modularOptions({
    coupling: { stiffness: 500, torsionalStiffness: 0.6 },
    contact: { stiffness: 5000, tolerance: 0.001 },
    contactDelayed,
  });
  const { method, output } = createModularRig(tool, contacts, options, hand);
  let mostTorque = 0;
  for (let cycle = 0; cycle < 2500; cycle += 1) {
    hand[2] = Math.max(-0.004, 0.005 - 1e-5 * cycle);
    const half = 0.015 * Math.min(1, Math.max(0, (1500 - cycle) / 200));
    hand.set([0.8 * Math.sin(half), 0.6 * Math.sin(half), 0, Math.cos(half)], 3);
    method.step(output, hand);
    if (cycle < 2000) continue;
    for (let i = 3; i < 6; i += 1) mostTorque = Math.max(mostTorque, Math.abs(output.wrench[i]));
  }
  expect(output.wrench[2]).toBeGreaterThan(1);
  expect(output.contacts).toBe(4);
  expect(mostTorque).toBeLessThan(1e-6);
});
