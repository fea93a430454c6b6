import { describe, expect, test } from 'vitest';
import { prepareBody } from '../asset/prepared-body.js';
import { createPose } from '../math/pose.js';
import { createBox } from '../mesh/shapes.js';
import { checkSceneValue } from '../scene/check-scene.js';
import { createSceneMethod } from '../scene/create-scene-method.js';
import { describeSinking, describeStartOverlap } from '../scene/start-overlap.js';
import { createGodRig, rest } from './god-object/god-rig.fixture.js';
import { leadOut } from './lead-out.js';
import { createMethodOutput } from './method.js';
import { createRig, joinBodies, runRig } from './rig.fixture.js';
import { createContactPair, createToolContacts, deepestContact, findToolContacts } from './tool-contacts.js';

const plate = await prepareBody(createBox(0.2, 0.2, 0.04), { field: { resolution: 64 }, shell: null });
const block = await prepareBody(createBox(0.03, 0.02, 0.02), { field: null, shell: { spacing: 0.002 } });
const { tool, query } = joinBodies(block, plate, 'tool');
const contacts = createToolContacts(tool, [createContactPair(query)]);

const startInside = {
  palpable: 1,
  bodies: {
    plate: { mesh: { box: [0.2, 0.2, 0.04] }, field: { resolution: 64 } },
    block: { mesh: { box: [0.03, 0.02, 0.02] }, position: [0, 0, 0.015], shell: { spacing: 0.002 } },
  },
  tool: 'block',
};
const prepared = new Map([
  ['plate', plate],
  ['block', block],
]);

describe('a tool that starts inside', () => {
  test.each([
    ['above the middle', [0, 0, 0.005], [0, 0, 0.03]],
    ['below it', [0.02, 0.01, -0.008], [0.02, 0.01, -0.03]],
    ['at a side', [0.095, 0, 0.001], [0.115, 0, 0.001]],
    ['at an edge, nearer to its top', [0.085, 0, 0.015], [0.085, 0, 0.03]],
  ])('is led out by the shortest path: %s', (_, from, to) => {
    const pose = createPose(...(from as [number, number, number]));
    const gone = leadOut(pose, contacts);
    findToolContacts(contacts, pose);
    expect(deepestContact(contacts.set)).toBe(0);
    const shortest = Math.hypot(...to.map((value, i) => value - from[i]));
    expect(gone).toBeLessThan(shortest + 0.5 * query.field.voxelSize);
    for (let i = 0; i < 3; i += 1) expect(Math.abs(pose[i] - to[i])).toBeLessThan(0.5 * query.field.voxelSize);
  });

  test('stays where it is when it is not deeper than a voxel', () => {
    const pose = createPose(0, 0, 0.029);
    expect(leadOut(pose, contacts)).toBe(0);
    expect([...pose]).toEqual([...createPose(0, 0, 0.029)]);
  });

  test('stays where soft contacts let it rest', () => {
    const pose = createPose(0, 0, 0.022);
    expect(leadOut(pose, contacts, 1000)).toBe(0);
    expect(leadOut(pose, contacts, 5000)).toBeGreaterThan(0.007);
  });

  test.each(['manifold', 'heuristic'] as const)('is held outside by a god object, %s', (constraint) => {
    const rig = createGodRig({ tool, query }, { constraint });
    rig.device.set(createPose(0, 0, 0.005));
    rig.method.reset(rig.device);
    rest(rig, 200);
    expect(rig.output.toolPose[2]).toBeGreaterThan(0.0295);
    expect(rig.output.wrench[2]).toBeCloseTo(25, 0);
    expect(rig.output.maxPenetration).toBeLessThan(2e-4);
    // And there it rests, to the last bit.
    const rested = [...rig.output.toolPose];
    rest(rig, 100);
    expect([...rig.output.toolPose]).toEqual(rested);
  });

  test('is held outside by static friction', () => {
    const rig = createRig({ tool, query });
    rig.device.set(createPose(0, 0, 0.005));
    rig.method.reset(rig.device);
    runRig(rig, 200);
    expect(rig.output.toolPose[2]).toBeGreaterThan(0.02);
    expect(rig.output.wrench[2]).toBeGreaterThan(15);
  });

  test.each(['modular', 'deformable'] as const)('is held outside by %s', (kind) => {
    const { scene } = checkSceneValue({ ...startInside, method: { kind } });
    const { method } = createSceneMethod(scene!, prepared);
    const output = createMethodOutput();
    const device = createPose(0, 0, 0.015);
    method.reset(device);
    for (let cycle = 0; cycle < 500; cycle += 1) method.step(output, device);
    expect(output.toolPose[2]).toBeGreaterThan(0.0285);
    expect(output.wrench[2]).toBeGreaterThan(10);
  });

  test('is reported, with how deep it is and in what', async () => {
    const { scene } = checkSceneValue(startInside);
    expect(describeStartOverlap(scene!, prepared)).toMatch(
      /^The block starts 15\.\d mm inside of the plate and was put/,
    );
    expect(describeStartOverlap(scene!, prepared, 'block', createPose(0, 0, 0.031))).toBe(null);
    const { scene: naive } = checkSceneValue({ ...startInside, method: { kind: 'penalty' } });
    expect(describeStartOverlap(naive!, prepared)).toContain('penalty leaves it there');
  });

  test('is reported when it was pulled inside, with what to do', () => {
    const { scene } = checkSceneValue({ ...startInside, contact: { stiffness: 5000 } });
    expect(describeSinking(scene!, prepared, 'block', 0.0019)).toBe(null);
    expect(describeSinking(scene!, prepared, 'block', 0.012)).toMatch(
      /^The block went 12\.0 mm deep, further than the \d\.\d+ mm .* Limit the pull with coupling\.maxForce/,
    );
    const { scene: naive } = checkSceneValue({ ...startInside, method: { kind: 'penalty' } });
    expect(describeSinking(naive!, prepared, 'block', 0.012)).toContain('the tool is where the device is');
  });
});
