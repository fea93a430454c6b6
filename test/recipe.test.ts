import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readResult } from '@palpable/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMethod, addToEngine, changeInEngine, copyPackages, palpableIn, recipe } from './recipe/copied-packages.js';

// Follows the recipes "Add a method" and "Add a friction model" of CONTRIBUTING.md to the letter. Then both are rendered
// by the command line as any other; the studio does so in test/browser/recipe.test.ts.

const folder = copyPackages('engine', 'cli');
const palpable = palpableIn(folder);

const SCENE = {
  palpable: 1,
  bodies: {
    plate: { mesh: { box: [0.2, 0.2, 0.04] }, position: [0, 0, -0.02], field: { resolution: 32 } },
    block: { mesh: { box: [0.04, 0.04, 0.02] }, position: [0, 0, 0.011], shell: { spacing: 0.005 } },
  },
  tool: 'block',
  method: { kind: 'capped', ceiling: 2 },
};

/** A hand that sinks by 4 mm, and remembers the strongest push. */
const HAND = `
import { writeFileSync } from 'node:fs';
export default ({ port }) => {
  const wrench = new Float64Array(6);
  let strongest = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    port.putPose([0, 0, -0.004 * Math.min(1, (performance.now() - began) / 500), 0, 0, 0, 1], 0);
    port.takeWrench(wrench, performance.now());
    strongest = Math.max(strongest, Math.hypot(wrench[0], wrench[1], wrench[2]));
  }, 1);
  const close = async () => {
    clearInterval(timer);
    writeFileSync('strongest.txt', String(strongest));
  };
  return { name: 'hand', state: 'connected', limits: { force: 10, torque: 1 }, close };
};
`;

beforeAll(() => {
  addMethod(folder);
  addFrictionModel();
  writeFileSync(join(folder, 'scene.json'), JSON.stringify(SCENE));
  writeFileSync(join(folder, 'hand.mjs'), HAND);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A model in a file, and an entry in the list of models. */
function addFrictionModel(): void {
  expect(recipe('Add a friction model')).toContain('`packages/engine/src/friction/my-model.ts`');
  addToEngine(
    folder,
    'friction/my-model.ts',
    `import { createSpringsModel } from './springs.js';
/** Springs at the contacts, ten times as stiff as the scene says, that forget from cycle to cycle. */
export function createMyModel(options) {
  const inner = createSpringsModel({ ...options, springStiffness: options.springStiffness * 10 });
  return { ...inner, name: 'my-model' };
}
`,
  );
  changeInEngine(
    folder,
    'friction/create-friction-model.ts',
    'export const frictionModels: readonly FrictionDefinition[] = [',
    `export const frictionModels: readonly FrictionDefinition[] = [
  { name: 'my-model', description: 'forgetful springs', reads: ['springStiffness'], create: createMyModel },`,
    "import { createMyModel } from './my-model.js';",
  );
}

describe('a method by the recipe', { timeout: 120_000 }, () => {
  it('is known to the check of scenes, with its parameter, and to the warnings of others', async () => {
    const { stdout } = await palpable('validate', 'scene.json', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, scene: { method: { kind: 'capped', ceiling: 2 } } });
    const wrong = { ...SCENE, method: { kind: 'capped', ceiling: -1 } };
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify(wrong));
    await expect(palpable('validate', 'wrong.json')).rejects.toMatchObject({
      stderr: expect.stringMatching(/method\.ceiling, line 1: found -1, expected a number above 0/),
    });
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...SCENE, method: { kind: 'god-object', ceiling: 2 } }));
    expect((await palpable('validate', 'other.json')).stderr).toContain(
      'method.ceiling, line 1: the method "god-object" does not read it; "capped" does',
    );
  });

  it('is rendered by run', async () => {
    const rows = Array.from({ length: 400 }, (_, cycle) => `${cycle / 1000},0,0,${0.011 - 1e-5 * cycle},0,0,0,1`);
    writeFileSync(join(folder, 'hand.csv'), ['time,px,py,pz,qx,qy,qz,qw', ...rows].join('\n'));
    await palpable('run', 'scene.json', '--trajectory', 'hand.csv', '--out', 'felt.csv');
    const forces = readResult(readFileSync(join(folder, 'felt.csv'), 'utf8')).column('fz');
    expect(forces[50]).toBe(0);
    expect(forces.some((force) => force > 0.5 && force < 1.5)).toBe(true);
    expect(forces.at(-1)).toBeCloseTo(2, 12);
  });

  it('is rendered by servo, and replayed to the bit', async () => {
    await palpable('servo', 'scene.json', '--device', 'module:hand.mjs', '--seconds', '2', '--record', 'felt.mcap');
    const strongest = Number(readFileSync(join(folder, 'strongest.txt'), 'utf8'));
    expect(strongest).toBeGreaterThan(1);
    expect(strongest).toBeLessThan(2.000001);
    await palpable('replay', 'felt.mcap');
  });
});

describe('a friction model by the recipe', { timeout: 120_000 }, () => {
  const sceneWith = (model: string) => ({
    ...SCENE,
    method: { kind: 'static-friction' },
    contact: { stiffness: 5000 },
    friction: { model, coefficient: 0.5 },
  });

  it('is known to the check of scenes and its warnings, and to the list of solvers', async () => {
    const { friction, ...scene } = sceneWith('my-model');
    writeFileSync(join(folder, 'rubbed.json'), JSON.stringify({ ...scene, friction: { ...friction, sides: 4 } }));
    const { stdout, stderr } = await palpable('validate', 'rubbed.json', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, scene: { friction: { model: 'my-model' } } });
    expect(stderr).toContain('friction.sides, line 1: ');
    const solvers: { name: string }[] = JSON.parse((await palpable('solve', '--solver', 'list', '--json')).stdout);
    expect(solvers).toContainEqual({ name: 'my-model', problem: 'friction', description: 'forgetful springs' });
  });

  it('is rendered by run', async () => {
    // Down by 2 mm, then aside by 2 mm.
    const rows = Array.from({ length: 400 }, (_, cycle) => {
      const [down, aside] = [Math.min(200, cycle), Math.max(0, cycle - 200)];
      return `${cycle / 1000},${1e-5 * aside},0,${0.011 - 1.5e-5 * down},0,0,0,1`;
    });
    writeFileSync(join(folder, 'aside.csv'), ['time,px,py,pz,qx,qy,qz,qw', ...rows].join('\n'));
    const sideways = async (model: string) => {
      writeFileSync(join(folder, `${model}.json`), JSON.stringify(sceneWith(model)));
      await palpable('run', `${model}.json`, '--trajectory', 'aside.csv', '--out', `${model}.csv`);
      return -readResult(readFileSync(join(folder, `${model}.csv`), 'utf8'))
        .column('fx')
        .at(-1)!;
    };
    const [own, none, springs] = [await sideways('my-model'), await sideways('none'), await sideways('springs')];
    expect(own).toBeGreaterThan(none + 0.05);
    expect(own).toBeLessThan(springs - 0.05);
  });
});
