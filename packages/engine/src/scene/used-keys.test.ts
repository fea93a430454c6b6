import { describe, expect, test } from 'vitest';
import { type PreparedBody, prepareBody } from '../asset/prepared-body.js';
import { frictionModels } from '../friction/create-friction-model.js';
import { createPose } from '../math/pose.js';
import { createMethodOutput } from '../method/method.js';
import { methodOf, methods } from '../method/methods.js';
import type { Parameter } from '../settings/parameter.js';
import { buildSceneMesh } from './build-scene-mesh.js';
import { checkSceneValue } from './check-scene.js';
import { createSceneMethod } from './create-scene-method.js';
import { planPreparation } from './plan-preparation.js';
import type { Scene } from './scene-description.js';
import { sceneDescription } from './scene-description.js';
import { isKeyUsed } from './used-keys.js';

const BASE = {
  palpable: 1,
  bodies: {
    cube: { mesh: { box: [0.05, 0.05, 0.05] }, shell: { count: 200 }, hierarchy: {} },
    plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 32 }, hierarchy: {} },
  },
  tool: 'cube',
};
const FORMS: Readonly<Record<string, readonly object[]>> = {
  'god-object': [{ constraint: 'heuristic' }, { constraint: 'manifold' }],
  modular: [{ detection: 'shell' }, { detection: 'hierarchy' }],
};

function sceneOf(keys: object): Scene {
  const { scene, problems } = checkSceneValue({ ...BASE, ...keys });
  expect(problems).toEqual([]);
  return scene!;
}

let prepared: Promise<ReadonlyMap<string, PreparedBody>> | undefined;
function bodiesOf(scene: Scene): Promise<ReadonlyMap<string, PreparedBody>> {
  prepared ??= (async () => {
    const bodies = new Map<string, PreparedBody>();
    for (const [name, options] of planPreparation(scene)) {
      bodies.set(name, await prepareBody(buildSceneMesh(scene.bodies[name])!, { ...options, hierarchy: {} }));
    }
    return bodies;
  })();
  return prepared;
}

/** A cube pressed onto a plate, dragged and turned: every number that comes out. */
async function bitsOf(scene: Scene): Promise<string> {
  const { method } = createSceneMethod(scene, await bodiesOf(sceneOf({})));
  const output = createMethodOutput();
  const device = createPose(0, 0, 0.03);
  method.reset(device);
  const rows: number[] = [];
  for (let cycle = 0; cycle < 150; cycle += 1) {
    device[2] -= cycle < 60 ? 1.5e-4 : 0;
    device[0] += cycle < 60 ? 0 : 1e-4;
    device[5] = cycle < 100 ? 0 : 0.001 * (cycle - 100);
    device[6] = Math.sqrt(1 - device[5] * device[5]);
    method.step(output, device);
    rows.push(...output.toolPose, ...output.wrench, output.contacts);
  }
  return rows.join();
}

/** Another value that the table allows. */
function anotherValue(parameter: Parameter): unknown {
  if (parameter.kind === 'flag') return !parameter.default;
  if (parameter.kind === 'choice') return Object.keys(parameter.choices).find((name) => name !== parameter.default);
  if (parameter.kind === 'vector') return [0.01, -0.02, 0.015];
  if (parameter.kind !== 'number') return undefined;
  const { default: given, max = 1, whole } = parameter;
  const wanted = Math.min(max, 1.7 * (given || 0.1));
  return whole ? Math.ceil(wanted) : wanted;
}

const GROUPS = ['contact', 'friction', 'coupling'] as const;
const PATHS = GROUPS.flatMap((group) =>
  Object.entries<Parameter>(sceneDescription.keys[group].keys).flatMap(([key, parameter]) => {
    const value = anotherValue(parameter);
    return value === undefined || key === 'model' ? [] : [{ group, key, path: `${group}.${key}`, value }];
  }),
);
const CASES = methods.flatMap(({ kind }) => (FORMS[kind] ?? [{}]).map((form) => ({ kind, ...form })));

describe('keys that a method does not use', () => {
  test.each(CASES)('make no difference to $kind, $constraint$detection', async (method) => {
    const plain = sceneOf({ method });
    const before = await bitsOf(plain);
    for (const { group, key, path, value } of PATHS) {
      if (isKeyUsed(path, plain.method, 'cone')) continue;
      expect(await bitsOf(sceneOf({ method, [group]: { [key]: value } })), path).toBe(before);
    }
  });

  test.each(frictionModels)('make no difference to the friction model $name', async ({ name: model }) => {
    const plain = sceneOf({ friction: { model } });
    const before = await bitsOf(plain);
    for (const { group, key, path, value } of PATHS) {
      if (isKeyUsed(path, plain.method, model)) continue;
      expect(
        await bitsOf(
          sceneOf({ friction: { model }, [group]: { ...(group === 'friction' && { model }), [key]: value } }),
        ),
        path,
      ).toBe(before);
    }
  });
});

describe('keys that a method says it reads', () => {
  test.each(CASES)('are read by $kind, $constraint$detection', async (method) => {
    const scene = sceneOf({ method, gravity: [0, 0, -1] });
    const bodies = await bodiesOf(sceneOf({}));
    const seen = new Set<string>();
    const watched = <T extends object>(group: string, target: T): T =>
      new Proxy(target, {
        get(object, key, receiver) {
          seen.add(`${group}.${String(key)}`);
          return Reflect.get(object, key, receiver);
        },
      });
    const { method: made } = createSceneMethod(
      {
        ...scene,
        method: watched('method', scene.method),
        contact: watched('contact', scene.contact),
        friction: watched('friction', scene.friction),
        coupling: watched('coupling', scene.coupling),
      },
      bodies,
    );
    made.reset(createPose(0, 0, 0.02));
    made.step(createMethodOutput(), createPose(0, 0, 0.02));
    const own = Object.keys(methodOf(method.kind).parameters).map((key) => `method.${key}`);
    const shared = PATHS.map(({ path }) => path);
    const claimed = [...own, ...shared].filter((path) => isKeyUsed(path, scene.method, 'cone'));
    expect(claimed.filter((path) => !seen.has(path))).toEqual([]);
  });
});

describe('warnings', () => {
  const warningsOf = (keys: object) => checkSceneValue({ ...BASE, ...keys }).warnings.map(({ message }) => message);

  test('name the methods that read a key which the chosen one does not', () => {
    expect(warningsOf({ method: { kind: 'god-object', clusters: 7, mass: 0.1 } })).toEqual([
      expect.stringMatching(/^method\.clusters: the method "god-object" does not read it; "modular" does/),
      expect.stringMatching(/^method\.mass: the method "god-object" does not read it; "modular" and "deformable" do/),
    ]);
    expect(warningsOf({ method: { kind: 'modular' }, contact: { margin: 0.001 } })).toEqual([
      expect.stringMatching(
        /^contact\.margin: the method "modular" does not read it; "penalty" and "static-friction" do/,
      ),
    ]);
    expect(warningsOf({ method: { kind: 'penalty' }, gravity: [0, 0, -9.81] })).toEqual([
      expect.stringMatching(/^gravity: the method "penalty" does not read it; /),
    ]);
  });

  test('name the friction models that read a key, and the methods that use models', () => {
    expect(warningsOf({ method: { kind: 'static-friction' }, friction: { model: 'cone', sides: 6 } })).toEqual([
      expect.stringMatching(/^friction\.sides: the friction model "cone" does not read it; "pyramid" does/),
    ]);
    expect(warningsOf({ method: { kind: 'deformable' }, friction: { model: 'pyramid' } })).toEqual([
      expect.stringMatching(/^friction\.model: the method "deformable" has a friction law of its own/),
    ]);
    expect(warningsOf({ method: { kind: 'deformable' }, friction: { model: 'none' } })).toEqual([]);
  });

  test('are silent about what is used', () => {
    const friction = { model: 'pyramid', sides: 6, coefficient: 0.3 };
    expect(warningsOf({ method: { kind: 'static-friction' }, friction, contact: { margin: 0 } })).toEqual([]);
  });
});
