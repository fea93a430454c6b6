import { beforeAll, describe, expect, test } from 'vitest';
import { type PreparedBody, prepareBody } from '../../asset/prepared-body.js';
import { createPose, type Pose } from '../../math/pose.js';
import { buildSceneMesh } from '../../scene/build-scene-mesh.js';
import { checkSceneValue } from '../../scene/check-scene.js';
import { createSceneMethod, describeSources } from '../../scene/create-scene-method.js';
import { missingPart, planPreparation } from '../../scene/plan-preparation.js';
import type { Scene } from '../../scene/scene-description.js';
import { createMethodOutput, type Method } from '../method.js';
import { createMethodCaches } from '../method-caches.js';
import { createContactModel } from './contact-model.js';
import { modular } from './definition.js';
import type { ModularMethod } from './modular.js';

const CUBE = { mesh: { box: [0.05, 0.05, 0.05] }, shell: { count: 300 } };
const PLATE = { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 32 } };
const MODULAR = { kind: 'modular', mass: 0.02 };
const BY_HIERARCHY = { ...MODULAR, detection: 'hierarchy' };

function sceneOf(parts: Record<string, unknown>): Scene {
  const { scene, problems } = checkSceneValue({
    palpable: 1,
    bodies: { cube: CUBE, plate: PLATE },
    tool: 'cube',
    method: MODULAR,
    ...parts,
  });
  expect(problems).toEqual([]);
  return scene!;
}

async function prepareAll(scene: Scene): Promise<Map<string, PreparedBody>> {
  const bodies = new Map<string, PreparedBody>();
  for (const [name, options] of planPreparation(scene)) {
    bodies.set(name, await prepareBody(buildSceneMesh(scene.bodies[name])!, options));
  }
  return bodies;
}

/** Rests on the plate's surface at z = 0 when it is at 0.025. */
function pressDown(method: Method, cycles = 400): number[][] {
  const output = createMethodOutput();
  const device = createPose(0, 0, 0.03);
  method.reset(device);
  const rows: number[][] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    device[2] = Math.max(0.022, 0.03 - 1e-4 * cycle);
    device[0] = Math.max(0, 2e-5 * (cycle - 200));
    method.step(output, device);
    rows.push([...output.toolPose, ...output.wrench, output.contacts, output.maxPenetration]);
  }
  return rows;
}

let bodies: Map<string, PreparedBody>;
beforeAll(async () => {
  bodies = await prepareAll(sceneOf({ method: BY_HIERARCHY }));
});

describe('what is prepared', () => {
  test('a hierarchy for contacts between pieces, beside what the scene gives itself', () => {
    const plan = planPreparation(sceneOf({ method: BY_HIERARCHY }));
    expect(plan.get('cube')).toEqual({ field: null, shell: { count: 300, seed: 1 }, hierarchy: {} });
    expect(plan.get('plate')).toEqual({ field: { resolution: 32 }, shell: null, hierarchy: {} });
    const bare = { cube: { mesh: CUBE.mesh }, plate: { mesh: PLATE.mesh, hierarchy: { tolerance: 0.01 } } };
    const barePlan = planPreparation(sceneOf({ method: BY_HIERARCHY, bodies: bare }));
    expect(barePlan.get('cube')).toEqual({ field: null, shell: null, hierarchy: {} });
    expect(barePlan.get('plate')).toEqual({ field: null, shell: null, hierarchy: { tolerance: 0.01 } });
  });

  test('none for other scenes, unless they give one', () => {
    expect(planPreparation(sceneOf({})).get('cube')).not.toHaveProperty('hierarchy');
    const withOne = sceneOf({ bodies: { cube: { ...CUBE, hierarchy: {} }, plate: PLATE } });
    expect(planPreparation(withOne).get('cube')!.hierarchy).toEqual({});
    expect(planPreparation(withOne).get('plate')).not.toHaveProperty('hierarchy');
  });

  test('what is missing is told', async () => {
    const plain = await prepareAll(sceneOf({}));
    expect(missingPart(sceneOf({}), plain, 'cube')).toBeNull();
    const scene = sceneOf({ method: BY_HIERARCHY });
    expect(missingPart(scene, plain, 'cube')).toMatch(/"cube" was prepared without its hierarchy/);
    expect(() => createSceneMethod(scene, plain)).toThrow(/"cube" was prepared without its hierarchy; give it the key/);
    expect(missingPart(scene, bodies, 'cube')).toBeNull();
  });
});

describe.each([
  ['shell', MODULAR],
  ['hierarchy', BY_HIERARCHY],
])('modular with the detection %s', (_, method) => {
  test('holds the tool on the surface and the hand feels the spring', () => {
    const rows = pressDown(createSceneMethod(sceneOf({ method }), bodies).method, 190);
    const [, , z, , , , , , , fz] = rows.at(-1)!;
    // Contacts push from 1 mm on.
    expect(z).toBeGreaterThan(0.0245);
    expect(z).toBeLessThan(0.0262);
    expect(fz).toBeCloseTo(1000 * (z - 0.022), 1);
  });

  test('gives the same bits again', () => {
    const scene = sceneOf({ method: { ...method, contactRatio: 3, contactDelayed: true } });
    const first = pressDown(createSceneMethod(scene, bodies).method);
    expect(pressDown(createSceneMethod(scene, bodies).method)).toEqual(first);
  });

  test('friction drags the tool, and none lets it go', () => {
    const draggedBy = (friction: object) => pressDown(createSceneMethod(sceneOf({ method, friction }), bodies).method);
    expect(Math.abs(draggedBy({ model: 'none' }).at(-1)![7])).toBeLessThan(0.2);
    expect(draggedBy({ coefficient: 1 }).at(-1)![7]).toBeLessThan(-0.5);
  });

  test('its two sides apart give what they give together', () => {
    const scene = sceneOf({ method });
    const { serve, modelSize } = modular.contactSide!;
    const side = serve(scene as Parameters<typeof serve>[0], describeSources(scene, bodies, {}));
    const model = new Float64Array(modelSize);
    const contactLink = { model: () => model, tell: (state: Float64Array) => side.update(model, state) };
    const apart = createSceneMethod(scene, bodies, { contactLink });
    expect([apart.pairs, apart.hierarchyPairs]).toEqual([[], []]);
    const together = createSceneMethod(scene, bodies);
    expect(pressDown(apart.method)).toEqual(pressDown(together.method));
    for (const { method: each } of [apart, together]) expect((each as ModularMethod).dynamics.faults).toBe(0);
  });

  test('follows a body that is moved, and leaves its place alone', () => {
    const place = createPose(0, 0, -0.01);
    const { method: moved } = createSceneMethod(sceneOf({ method }), bodies, { places: new Map([['plate', place]]) });
    const output = createMethodOutput();
    const device = createPose(0, 0, 0.027);
    moved.reset(device);
    for (let cycle = 0; cycle < 200; cycle += 1) moved.step(output, device);
    expect(output.toolPose[2]).toBeCloseTo(0.027, 4);
    for (let cycle = 0; cycle < 200; cycle += 1) {
      place[2] = -0.01 + 2e-5 * (cycle + 1);
      moved.step(output, device);
    }
    for (let cycle = 0; cycle < 100; cycle += 1) moved.step(output, device);
    expect(place[2]).toBeCloseTo(-0.006, 9);
    expect(output.toolPose[2]).toBeGreaterThan(0.0285);
    expect(output.wrench[2]).toBeGreaterThan(1);
  });
});

test('the keys of the scene become those of the method', () => {
  const scene = sceneOf({
    method: { ...BY_HIERARCHY, clusters: 7, tolerance: 0.1, distanceTolerance: 0.002 },
    contact: { maxContacts: 50 },
    friction: { coefficient: 0.4, pairs: [{ bodies: ['cube', 'plate'], static: 0.9, kinetic: 0.3, dynamic: true }] },
  });
  const { toolBody, hierarchyPairs, pairs, method } = createSceneMethod(scene, bodies);
  expect(toolBody.mass).toBe(0.02);
  expect(pairs).toEqual([]);
  const [{ query, ...pair }] = hierarchyPairs;
  expect(pair).toMatchObject({ environment: 'plate', staticCoefficient: 0.3, kineticCoefficient: 0.3 });
  expect(query).toMatchObject({ distanceTolerance: 0.002, maxContacts: 50 });
  expect(query.tolerance).toBeCloseTo(0.1 * 0.025 * Math.sqrt(3), 9);
  expect(method.contactModel?.length).toBe(createContactModel(7).length);
  const inMetres = sceneOf({ method: { ...BY_HIERARCHY, absoluteTolerance: 0.0003 } });
  expect(createSceneMethod(inMetres, bodies).hierarchyPairs[0].query.tolerance).toBe(0.0003);
  expect(createSceneMethod(sceneOf({}), bodies).pairs[0].query.margin).toBe(0.001);
});

test('limits of the scene are where the coupling gives way', () => {
  const contact = { stiffness: 20_000 };
  const limited = sceneOf({ limits: { force: 2 }, contact });
  // At rest, since damping comes on top of the spring.
  const forceOf = (scene: Scene) => pressDown(createSceneMethod(scene, bodies).method, 200).at(-1)![9];
  expect(forceOf(sceneOf({ contact }))).toBeGreaterThan(2.5);
  expect(forceOf(limited)).toBeLessThan(2.001);
  expect(forceOf(limited)).toBeGreaterThan(1.5);
});

test('several bodies are touched where they stand', async () => {
  const wall = { ...PLATE, position: [0, 0, 0.5], hierarchy: {} };
  const scene = sceneOf({ method: BY_HIERARCHY, bodies: { cube: CUBE, plate: PLATE, wall } });
  const { method, hierarchyPairs } = createSceneMethod(scene, await prepareAll(scene));
  expect(hierarchyPairs.map(({ environment }) => environment)).toEqual(['plate', 'wall']);
  expect(pressDown(method, 150).at(-1)![9]).toBeGreaterThan(1);
});

test('a query is made once for the same settings', () => {
  const caches = createMethodCaches();
  const scene = sceneOf({ method: BY_HIERARCHY });
  const make = () => createSceneMethod(scene, bodies, { caches }).hierarchyPairs[0].query;
  const first = make();
  const { size } = caches.queries;
  expect(make()).toBe(first);
  expect(caches.queries.size).toBe(size);
});

test('a place that is not finite leaves the tool where it is', () => {
  const bad: Pose = createPose(Number.NaN, 0, 0);
  const { method } = createSceneMethod(sceneOf({}), bodies);
  const output = createMethodOutput();
  method.reset(createPose(0, 0, 0.1));
  method.step(output, bad);
  expect(output.toolPose[2]).toBeCloseTo(0.1, 12);
  expect([...output.wrench]).toEqual([0, 0, 0, 0, 0, 0]);
});
