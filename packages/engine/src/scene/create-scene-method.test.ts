import { beforeAll, describe, expect, test } from 'vitest';
import { type PreparedBody, prepareBody } from '../asset/prepared-body.js';
import { createMesh } from '../mesh/triangle-mesh.js';
import type { GodObjectMethod } from '../method/god-object/god-object.js';
import { createMethodOutput, STATE_FREE } from '../method/method.js';
import { methodSettings } from '../method/methods.js';
import { planPairs } from '../method/scene-pairs.js';
import { buildSceneMesh } from './build-scene-mesh.js';
import { checkSceneValue } from './check-scene.js';
import { createSceneMethod } from './create-scene-method.js';
import { planPreparation } from './plan-preparation.js';
import type { Scene } from './scene-description.js';

const PLATE = { mesh: { box: [0.2, 0.2, 0.02] }, field: { resolution: 32 } };
const BALL = { mesh: { sphere: 0.03 }, density: 2000, shell: { count: 300 } };

function sceneOf(parts: Record<string, unknown>): Scene {
  const { scene, problems } = checkSceneValue({
    palpable: 1,
    bodies: { ball: BALL, plate: PLATE },
    tool: 'ball',
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

describe('who has the shell', () => {
  const shell = { shell: {} };
  const field = { field: {} };
  test.each([
    [{}, {}, 'tool'],
    [shell, {}, 'tool'],
    [{}, shell, 'environment'],
    [field, shell, 'environment'],
    [shell, field, 'tool'],
    [shell, shell, 'tool'],
    [field, field, 'tool'],
    [{}, field, 'tool'],
    [{ ...shell, ...field }, shell, 'tool'],
  ])('tool %j, environment %j: the %s', (tool, environment, owner) => {
    const scene = sceneOf({
      bodies: { a: { mesh: { sphere: 1 }, ...tool }, b: { mesh: { sphere: 1 }, ...environment } },
      tool: 'a',
      method: { kind: 'static-friction' },
    });
    expect(planPairs(scene, 'a')).toEqual([{ environment: 'b', shellOn: owner, isExtra: false }]);
    const plan = planPreparation(scene);
    const [points, distances] = owner === 'tool' ? ['a', 'b'] : ['b', 'a'];
    expect(plan.get(points)!.shell).toEqual({ seed: 1 });
    expect(plan.get(distances)!.field).toEqual({ resolution: 128 });
    expect(plan.get(distances)!.shell).toBeNull();
  });
});

describe('from a scene to a method', () => {
  let scene: Scene;
  let bodies: Map<string, PreparedBody>;
  beforeAll(async () => {
    scene = sceneOf({
      bodies: { ball: BALL, plate: { ...PLATE, position: [0, 0, -0.01] }, wall: { ...PLATE, position: [0, 0, 0.5] } },
      friction: {
        static: 0.6,
        kinetic: 0.4,
        pairs: [
          {
            bodies: ['plate', 'ball'],
            coefficient: 0.3,
            kinetic: 0.2,
            dynamicRegions: [{ min: [-1, -1, -1], max: [0, 1, 1] }],
          },
        ],
      },
    });
    bodies = await prepareAll(scene);
  });

  test('coefficients of a pair go before those of all', () => {
    const { pairs } = createSceneMethod(scene, bodies);
    // Once with the points of the ball, and once with its field.
    expect(pairs.map(({ environment, staticCoefficient: s, kineticCoefficient: k }) => [environment, s, k])).toEqual([
      ['plate', 0.3, 0.2],
      ['wall', 0.6, 0.4],
      ['plate', 0.3, 0.2],
      ['wall', 0.6, 0.4],
    ]);
    expect([...pairs[1].environmentPose]).toEqual([0, 0, 0.5, 0, 0, 0, 1]);
  });

  test('points inside the regions are declared dynamic', () => {
    const [{ dynamicPoints, query }, other] = createSceneMethod(scene, bodies).pairs;
    expect(other.dynamicPoints).toBeNull();
    for (let point = 0; point < query.shell.count; point += 1) {
      expect(dynamicPoints![point]).toBe(query.shell.points[3 * point] <= 0 ? 1 : 0);
    }
  });

  test('mass follows the density', () => {
    const { toolBody } = createSceneMethod(scene, bodies);
    expect(toolBody.mass / ((4 / 3) * Math.PI * 0.03 ** 3 * 2000)).toBeCloseTo(1, 1);
    expect(toolBody.length).toBeCloseTo(0.03 * Math.sqrt(3), 3);
  });

  test.each(['penalty', 'static-friction', 'god-object', 'modular'] as const)(
    '%s pushes the ball out of the plate',
    (kind) => {
      const { method } = createSceneMethod({ ...scene, method: methodSettings(kind) }, bodies);
      const output = createMethodOutput();
      const above = Float64Array.of(0, 0, 0.1, 0, 0, 0, 1);
      method.reset(above);
      method.step(output, above);
      expect([output.contacts, output.frictionState, ...output.wrench.map(Math.abs)]).toEqual([
        0,
        STATE_FREE,
        0,
        0,
        0,
        0,
        0,
        0,
      ]);
      const device = Float64Array.of(0, 0, 0.026, 0, 0, 0, 1);
      for (let cycle = 0; cycle < 200; cycle += 1) method.step(output, device);
      expect(output.contacts).toBeGreaterThan(0);
      expect(output.wrench[2]).toBeGreaterThan(0.1);
    },
  );

  test('a god object gets its keys', () => {
    const parts = {
      bodies: { ball: BALL, plate: PLATE },
      method: { kind: 'god-object', constraint: 'manifold', safetyMargin: 0.002 },
      contact: { margin: 0.01 },
    };
    const { method, pairs } = createSceneMethod(sceneOf(parts), bodies);
    expect((method as GodObjectMethod).manifold).not.toBeNull();
    expect(pairs[0].query.margin).toBe(0.002);
    const plain = createSceneMethod(
      sceneOf({ method: { kind: 'god-object', constraint: 'heuristic' }, friction: { model: 'none' } }),
      bodies,
    );
    expect((plain.method as GodObjectMethod).manifold).toBeNull();
    expect([plain.pairs[0].query.margin, plain.pairs[0].staticCoefficient]).toEqual([0.003, 0]);
  });

  test('a tool alone moves freely', () => {
    const alone = sceneOf({ bodies: { ball: BALL } });
    const { method, pairs } = createSceneMethod(alone, bodies);
    const output = createMethodOutput();
    method.reset(Float64Array.of(0, 0, 0, 0, 0, 0, 1));
    for (let cycle = 0; cycle < 5; cycle += 1) method.step(output, Float64Array.of(0.1, 0, 0, 0, 0, 0, 1));
    expect(pairs).toEqual([]);
    expect(output.toolPose[0]).toBeCloseTo(0.1, 9);
  });

  test('another tool stays put and is touched', async () => {
    const two = sceneOf({ tool: ['ball', 'plate'], contact: { symmetric: false } });
    const { tool, pairs } = createSceneMethod(two, await prepareAll(two), { tool: 'plate' });
    expect(tool).toBe('plate');
    expect(pairs.map(({ environment, query }) => [environment, query.shellOn])).toEqual([['ball', 'environment']]);
  });

  test.each([
    [
      { method: { kind: 'deformable' }, bodies: { ball: { ...BALL, deformable: {} } } },
      /The body "ball" was prepared as a rigid one; prepare it again for the method "deformable"/,
    ],
  ])('%j is refused', (parts, message) => {
    expect(() => createSceneMethod(sceneOf(parts), bodies)).toThrow(message);
  });

  test('a tool without volume, a body without preparation and a tool that is none are refused', async () => {
    const triangle = createMesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint32Array.of(0, 1, 2));
    const sheet = await prepareBody(triangle, { field: null, shell: { count: 20 } });
    const plate = bodies.get('plate')!;
    const plain = sceneOf({ method: { kind: 'static-friction' } });
    expect(() =>
      createSceneMethod(
        plain,
        new Map([
          ['ball', sheet],
          ['plate', plate],
        ]),
      ),
    ).toThrow(/bodies\.ball: The tool encloses no volume/);
    expect(() => createSceneMethod(plain, new Map([['ball', bodies.get('ball')!]]))).toThrow(
      /"plate" .* was not prepared/,
    );
    expect(() =>
      createSceneMethod(
        plain,
        new Map([
          ['ball', { ...plate, shell: null }],
          ['plate', plate],
        ]),
      ),
    ).toThrow(/without its shell/);
    expect(() => createSceneMethod(plain, bodies, { tool: 'plate' })).toThrow(/no tool "plate"; its tool is ball/);
  });
});

test('shapes and models are built, with their scale', () => {
  for (const mesh of [
    { box: [1, 1, 1] },
    { sphere: 1 },
    { cylinder: [1, 2] },
    { capsule: [1, 2] },
    { torus: [2, 1] },
    { model: 'peg' },
  ]) {
    const { bodies } = sceneOf({ bodies: { a: { mesh, scale: 2 }, b: { mesh } }, tool: 'a' });
    const [large, small] = [buildSceneMesh(bodies.a)!, buildSceneMesh(bodies.b)!];
    expect(large.triangles).toEqual(small.triangles);
    expect([...large.positions]).toEqual([...small.positions].map((value) => 2 * value));
  }
  expect(buildSceneMesh({ mesh: 'a.stl', scale: 1 })).toBeNull();
});
