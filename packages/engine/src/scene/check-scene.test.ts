import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isPalpableError } from '../base/errors.js';
import { createRandom } from '../base/random.js';
import { checkScene, checkSceneValue, readScene } from './check-scene.js';

const CUBE_IN_CORNER = {
  palpable: 1,
  name: 'Cube in a corner',
  bodies: {
    corner: {
      mesh: 'corner.stl',
      scale: 1,
      position: [0, 0, 0],
      rotation: [0, 0, 0, 1],
      shell: { spacing: 0.004 },
    },
    cube: { mesh: 'cube.stl', density: 1000, field: { resolution: 256 } },
  },
  tool: 'cube',
  method: { kind: 'static-friction' },
  contact: { stiffness: 5000, margin: 0 },
  friction: { model: 'cone', coefficient: 0.5, slip: 'dissipation' },
  coupling: { stiffness: 1000, torsionalStiffness: 5 },
  gravity: [0, 0, 0],
  timeStep: 0.001,
};

/** The example with something changed at a path such as `bodies.cube.scale`. */
function changed(path: string, value: unknown) {
  const scene = structuredClone(CUBE_IN_CORNER) as Record<string, unknown>;
  const keys = path.split('.');
  let at = scene;
  for (const key of keys.slice(0, -1)) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  at[keys.at(-1)!] = value;
  return scene;
}

function messages(value: unknown): string[] {
  return checkSceneValue(value).problems.map(({ message }) => message);
}

describe('a sound scene', () => {
  test('gets all its defaults', () => {
    const scene = readScene('{ "palpable": 1, "bodies": { "ball": { "mesh": { "sphere": 0.05 } } }, "tool": "ball" }');
    expect(scene).toMatchObject({
      name: '',
      tool: ['ball'],
      bodies: {
        ball: {
          scale: 1,
          unit: null,
          position: [0, 0, 0],
          rotation: [0, 0, 0, 1],
          density: 1000,
          shell: null,
          field: null,
        },
      },
      method: { kind: 'god-object', constraint: 'manifold', safetyMargin: 0.003 },
      contact: { stiffness: null, margin: 0, adaptive: true, cornerWeighting: true, maxContacts: 1000 },
      friction: { model: 'cone', coefficient: 0.5, static: null, kinetic: null, slip: 'dissipation', sides: 8 },
      coupling: { stiffness: 1000, torsionalStiffness: 5, graspPoint: null },
      gravity: [0, 0, 0],
      timeStep: 0.001,
      limits: null,
      device: null,
    });
  });

  test('stays the same when its filled form is read again', () => {
    const { scene } = checkSceneValue(CUBE_IN_CORNER);
    expect(scene).not.toBeNull();
    expect(readScene(JSON.stringify(scene))).toEqual(scene);
  });

  test('may have several tools, a grasp point, limits, pairs and a device with keys of its own', () => {
    const scene = {
      ...CUBE_IN_CORNER,
      tool: ['cube', 'corner'],
      coupling: { graspPoint: [0, 0, 0.05] },
      limits: { force: 12 },
      device: { kind: 'mouse', speed: 2 },
      friction: {
        pairs: [{ bodies: ['cube', 'corner'], static: 0.4, dynamicRegions: [{ min: [0, 0, 0], max: [1, 1, 1] }] }],
      },
    };
    const checked = checkSceneValue(scene);
    expect(checked.problems).toEqual([]);
    expect(checked.scene).toMatchObject({
      limits: { force: 12, torque: null },
      device: { kind: 'mouse', speed: 2 },
      friction: { pairs: [{ dynamic: false, coefficient: null, static: 0.4 }] },
    });
  });

  test('has its rotations scaled to length 1, but those that are of that length left alone', () => {
    const rotation = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
    expect(checkSceneValue(changed('bodies.cube.rotation', rotation)).scene!.bodies.cube.rotation).toEqual(rotation);
    expect(checkSceneValue(changed('bodies.cube.rotation', [0, 3, 0, -4])).scene!.bodies.cube.rotation).toEqual([
      0, 0.6, 0, -0.8,
    ]);
    expect(checkSceneValue(changed('bodies.cube.rotation', [0, 0, 0, 1e-300])).scene!.bodies.cube.rotation).toEqual([
      0, 0, 0, 1,
    ]);
  });

  test('is each one of the gallery', () => {
    const folder = new URL('../../../../scenes/', import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'schema.json');
    expect(files).toContain('bunny-teapot.json');
    for (const file of files) {
      const { problems, warnings } = checkScene(readFileSync(new URL(file, folder), 'utf8'));
      expect({ file, problems, warnings }).toEqual({ file, problems: [], warnings: [] });
    }
  });
});

describe('problems', () => {
  test.each([
    [
      'bodies.cube.field.resolution',
      4096,
      'bodies.cube.field.resolution: found 4096, expected a whole number from 8 to 2048 (voxels).',
    ],
    [
      'bodies.cube.field.resolution',
      64.5,
      'bodies.cube.field.resolution: found 64.5, expected a whole number from 8 to 2048 (voxels).',
    ],
    ['contact.stiffness', '5000', 'contact.stiffness: found "5000", expected a number above 0, at most 1e8 (N/m).'],
    ['contact.stiffness', 0, 'contact.stiffness: found 0, expected a number above 0, at most 1e8 (N/m).'],
    ['contact.margin', null, 'contact.margin: found null, expected a number from 0 to 1 (m).'],
    ['timeStep', Number.NaN, 'timeStep: found NaN, expected a number from 1e-5 to 0.1 (s).'],
    ['friction.sides', 2, 'friction.sides: found 2, expected a whole number from 3 to 32 (sides).'],
    ['contact.adaptive', 'yes', 'contact.adaptive: found "yes", expected true or false.'],
    ['gravity', [0, -9.81], 'gravity: found [0,-9.81], expected a list of 3 numbers from -1000 to 1000 (m/s²).'],
    [
      'bodies.cube.rotation',
      [0, 0, 0, 0],
      'bodies.cube.rotation: found [0,0,0,0], expected a quaternion [x, y, z, w] of four numbers, not all 0.',
    ],
    ['name', 7, 'name: found 7, expected a text.'],
    ['palpable', 2, 'palpable: found 2, expected 1.'],
    ['bodies.cube', null, 'bodies.cube: found null, expected an object with keys such as mesh, unit, scale.'],
    ['limits', { force: -1 }, 'limits.force: found -1, expected a number above 0, at most 1e6 (N).'],
    ['bodies.cube.mesh', '', expect.stringMatching(/^bodies\.cube\.mesh: found "", expected a path of a mesh file/)],
    [
      'bodies.cube.mesh',
      { box: [1, 1] },
      'bodies.cube.mesh.box: found [1,1], expected a list of 3 numbers above 0, at most 1000 (m).',
    ],
    [
      'bodies.cube.mesh',
      {},
      expect.stringMatching(/^bodies\.cube\.mesh: found \{\}, expected exactly one of the keys box, /),
    ],
    [
      'bodies.cube.mesh',
      { torus: [0.1, 0.2] },
      'bodies.cube.mesh.torus: found [0.1,0.2], expected a tube (second) thinner than the ring (first).',
    ],
    ['tool', [], 'tool: found [], expected a name, or a list of at least one name.'],
  ])('%s = %j', (path, value, message) => {
    expect(messages(changed(path, value))).toEqual([message]);
  });

  test.each([
    ['method.kind', 'static-fricton', 'probably "static-friction" was meant'],
    ['friction.model', 'Cone', 'probably "cone" was meant'],
    [
      'method.knd',
      'penalty',
      'method.knd: there is no such key, expected one of kind, staticDamping, separation, constraint, correction, sampling, filter, safetyMargin, integrator, detection, clusters, tolerance, absoluteTolerance, distanceTolerance, linearised, contactRatio, contactDelayed, mass, contactDamping, fadeAfter, fadeTime, alarmDistance, solvedContacts, localSolver, solverTolerance, maxSweeps; probably "kind" was meant',
    ],
    ['coupling.torsionalstifness', 5, 'probably "torsionalStiffness" was meant'],
    ['bodies.cube.mesh', { bxo: [1, 1, 1] }, 'probably "box" was meant'],
    ['bodies.cube.mesh', { model: 'cornr' }, 'probably "corner" was meant'],
    ['bodies.cube.mesh', 'corner', 'the built-in model is { "model": "corner" }'],
    ['bodies.cube.mesh', 'box', 'the shape is { "box": its sizes }'],
    ['tool', 'cub', 'tool: found "cub", expected the name of a body: corner, cube; probably "cube" was meant'],
    [
      'tool',
      ['cube', 'cornre'],
      'tool[1]: found "cornre", expected the name of a body: corner, cube; probably "corner" was meant',
    ],
    ['tool', ['cube', 'cube'], 'tool[1]: found "cube", expected each tool once'],
    ['friction.pairs', [{ bodies: ['cube', 'conrer'] }], 'friction.pairs[0].bodies[1]: found "conrer"'],
    ['friction.pairs', [{ bodies: ['cube', 'cube'] }], 'expected two different bodies'],
    ['friction.pairs', [{ bodies: ['cube'] }], 'friction.pairs[0].bodies: found ["cube"], expected a list of 2'],
    [
      'friction.pairs',
      [{ bodies: ['cube', 'corner'] }, { bodies: ['corner', 'cube'] }],
      'friction.pairs[0] has the same bodies',
    ],
    [
      'friction.pairs',
      [{ bodies: ['cube', 'corner'], dynamicRegions: [{ min: [0, 0, 1], max: [1, 1, 0] }] }],
      'friction.pairs[0].dynamicRegions[0]: found',
    ],
    ['bodies.corner.shell', { spacing: 0.01, count: 5 }, 'bodies.corner.shell: both `spacing` and `count` are given'],
    ['bodies.cube', { mesh: { box: [1, 1, 1] }, unit: 'mm' }, 'bodies.cube.unit: found "mm", expected no unit'],
    ['bodies', {}, 'bodies: there are no bodies'],
  ])('%s = %j is told what was meant', (path, value, part) => {
    expect(messages(changed(path, value))).toEqual([expect.stringContaining(part)]);
  });

  test('come all at once, also those that need several keys', () => {
    const scene = changed('bodies.cube.field.resolution', 1);
    expect(messages({ ...scene, tool: 'cubes', gravty: [0, 0, 0], friction: { coefficient: -1 } })).toEqual([
      expect.stringContaining('gravty: there is no such key'),
      expect.stringContaining('bodies.cube.field.resolution: found 1'),
      expect.stringContaining('friction.coefficient: found -1'),
      expect.stringContaining('tool: found "cubes"'),
    ]);
  });

  test('missing keys are named with what they mean', () => {
    expect(messages({})).toEqual([
      'palpable: missing, expected 1: Version of the format.',
      'bodies: missing, expected an object whose keys are names: The bodies, by a name of your choice.',
      expect.stringContaining('tool: missing, expected a name, or a list of at least one name'),
    ]);
  });

  test.each([null, [], 'scene', 3, true])('of a file that holds %j', (value) => {
    expect(messages(value)).toEqual([expect.stringContaining('expected an object with keys such as')]);
  });

  test('names that only a programmer would think of are names like others', () => {
    const text =
      '{ "palpable": 1, "bodies": { "__proto__": { "mesh": "a.obj" }, "constructor": { "mesh": "b.obj" } }, "tool": "__proto__" }';
    const { scene, problems } = checkScene(text);
    expect(problems).toEqual([]);
    expect(Object.keys(scene!.bodies)).toEqual(['__proto__', 'constructor']);
    expect(messages(changed('bodies.cube.constructor', 1))).toEqual([expect.stringContaining('there is no such key')]);
    expect(messages(changed('method.kind', 'toString'))).toEqual([
      expect.stringContaining('expected one of "penalty"'),
    ]);
  });
});

describe('warnings', () => {
  test.each([
    ['friction.kinetic', 0.8, 'friction.kinetic: kinetic friction (0.8) is above static friction (0.5)'],
    [
      'friction.pairs',
      [{ bodies: ['cube', 'corner'], kinetic: 2 }],
      'friction.pairs[0]: kinetic friction (2) is above',
    ],
  ])('%s = %j', (path, value, part) => {
    const { scene, warnings } = checkSceneValue(changed(path, value));
    expect(scene).not.toBeNull();
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining(part)]);
  });

  const byHierarchy = { kind: 'modular', detection: 'hierarchy' };
  test.each([
    [
      'contacts between pieces for another method',
      { method: { detection: 'hierarchy' } },
      'method.detection: the method "god-object" does not read it; "modular" does',
    ],
    [
      'an offset that only a field has',
      { method: byHierarchy, bodies: { a: { mesh: 'a.obj' }, b: { mesh: 'b.obj', field: { offset: 0.001 } } } },
      'bodies.b.field.offset: contacts are found on the mesh itself',
    ],
    [
      'pieces that are too coarse',
      { method: byHierarchy, bodies: { a: { mesh: 'a.obj', hierarchy: { tolerance: 0.05 } }, b: { mesh: 'b.obj' } } },
      'bodies.a.hierarchy.tolerance: the finest pieces are coarser (0.05) than method.tolerance asks for (0.025)',
    ],
    [
      'regions of points',
      {
        method: byHierarchy,
        friction: { pairs: [{ bodies: ['a', 'b'], dynamicRegions: [{ min: [0, 0, 0], max: [1, 1, 1] }] }] },
      },
      'friction.pairs[0].dynamicRegions: regions mark points of a shell',
    ],
  ])('%s', (_, parts, message) => {
    const bodies = { a: { mesh: 'a.obj' }, b: { mesh: 'b.obj' } };
    const { scene, warnings } = checkSceneValue({ palpable: 1, tool: 'a', bodies, ...parts });
    expect(scene).not.toBeNull();
    expect(warnings.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
  });

  test('a tool alone', () => {
    const { scene, warnings } = checkSceneValue({ palpable: 1, bodies: { a: { mesh: 'a.obj' } }, tool: 'a' });
    expect(scene).not.toBeNull();
    expect(warnings[0].message).toContain('nothing to touch');
  });
});

describe('text', () => {
  test('problems say the line', () => {
    const text = JSON.stringify(changed('contact.stiffness', -1), null, 2);
    const line = text.split('\n').findIndex((each) => each.includes('"stiffness": -1')) + 1;
    const [problem] = checkScene(text).problems;
    expect(problem.place).toEqual({ line, column: 5 });
    expect(problem.message).toContain(`contact.stiffness, line ${line}: found -1`);
  });

  test.each([
    ['', 'line 1, column 1: found the end of the file, expected a value'],
    ['{\n  "palpable": 1,\n}', 'line 3, column 1: found "}", a comma stands before it'],
    ['{ "a": 1 "b": 2 }', 'line 1, column 10: found """, expected "," or "}"'],
    ["{ 'a': 1 }", 'line 1, column 3: found "\'", expected a key in double quotes'],
    ['{ "a": .5 }', 'line 1, column 8: found ".5", expected a value'],
    ['{ "a": 01 }', 'line 1, column 8: found "01", expected a value'],
    ['{ "a": NaN }', 'line 1, column 8: found "NaN", expected a value'],
    ['{\n\t// hm\n}', 'line 2, column 2: found "/" (JSON has no comments), expected a key'],
    ['{ "a": "b\n" }', 'line 1, column 8: found """, a text begins here; expected a closing quote'],
    ['{ "a": "\\q" }', 'line 1, column 8: found """, a text begins here; expected no control characters'],
    ['[1, 2', 'line 1, column 6: found the end of the file, expected "," or "]"'],
    ['{} x', 'line 1, column 4: found "x", expected the end of the file'],
    ['['.repeat(1000), 'expected at most 64 levels of brackets'],
  ])('%j is no JSON', (text, part) => {
    const { scene, problems } = checkScene(text);
    expect(scene).toBeNull();
    expect(problems).toHaveLength(1);
    expect(problems[0].message).toContain(part);
  });

  test('a key that stands twice is a problem', () => {
    const text = JSON.stringify(CUBE_IN_CORNER).replace('"timeStep"', '"name":"b","timeStep"');
    expect(checkScene(text).problems.map(({ message }) => message)).toEqual([
      'name, line 1: the key is given twice, expected it once.',
    ]);
  });

  test('agrees with JSON.parse on whatever is JSON, also with a byte-order mark', () => {
    const text = `\uFEFF${JSON.stringify({ ...CUBE_IN_CORNER, name: 'Würfel "in" der Ecke \\ \u2028 😀' }, null, '\t')}`;
    expect(checkScene(text).scene!.name).toBe('Würfel "in" der Ecke \\ \u2028 😀');
  });

  test('errors list all problems in one message', () => {
    try {
      readScene(JSON.stringify({ ...CUBE_IN_CORNER, tool: 'x', timeStep: 5 }), 'a.json');
      expect.unreachable();
    } catch (error) {
      expect(isPalpableError(error) && error.code).toBe('format-invalid');
      expect((error as Error).message).toMatch(
        /^a\.json: 2 problems:\n {2}tool, line 1: .*\n {2}timeStep, line 1: .*\.$/,
      );
    }
  });

  test('never throws, whatever is damaged', () => {
    const random = createRandom(20261116);
    const text = JSON.stringify(CUBE_IN_CORNER, null, 1);
    for (let n = 0; n < 3000; n += 1) {
      const at = Math.floor(random() * text.length);
      const length = Math.floor(random() * 8);
      const insert = ['', '{', ']', '"', 'null', '1e999', ',', '\\', '-1', '[]'][Math.floor(random() * 10)];
      const { scene, problems } = checkScene(text.slice(0, at) + insert + text.slice(at + length));
      expect(scene === null).toBe(problems.length > 0);
    }
  });
});
