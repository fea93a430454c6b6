import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readResult } from '@palpable/engine';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../scripts/lib/run.mjs';

// Follows the recipe "Add a method" of CONTRIBUTING.md to the letter, in a copy of the built packages: a folder, and its
// name in one file. Then the method is rendered by the command line as any other.

const folder = mkdtempSync(join(tmpdir(), 'palpable-recipe-'));
const packages = join(folder, 'node_modules', '@palpable');
const program = join(packages, 'cli', 'bin', 'palpable.js');
const methodFolder = join(packages, 'engine', 'dist', 'method');
const run = promisify(execFile);
const palpable = (...args: string[]) =>
  run(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, PALPABLE_CACHE: join(folder, 'cache') },
  });

const recipe = readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8').split('## Add a method')[1]!;
const definition = /```typescript\n([\s\S]*?)```/.exec(recipe)![1]!.replace(/^ {3}/gm, '');

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
  for (const name of ['engine', 'cli']) {
    const from = join(repositoryRoot, 'packages', name);
    for (const part of ['package.json', 'dist', 'bin']) {
      if (readdirSync(from).includes(part)) cpSync(join(from, part), join(packages, name, part), { recursive: true });
    }
  }
  linkDependencies(repositoryRoot);
  const options = { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 } };
  mkdirSync(join(methodFolder, 'capped'));
  writeFileSync(join(methodFolder, 'capped', 'definition.js'), ts.transpileModule(definition, options).outputText);
  const list = readFileSync(join(repositoryRoot, 'packages/engine/src/method/methods.ts'), 'utf8');
  const changed = `import { capped } from './capped/definition.js';\n${list.replace('const definitions = [', 'const definitions = [capped, ')}`;
  expect(changed).not.toBe(list);
  writeFileSync(join(methodFolder, 'methods.js'), ts.transpileModule(changed, options).outputText);
  writeFileSync(join(folder, 'scene.json'), JSON.stringify(SCENE));
  writeFileSync(join(folder, 'hand.mjs'), HAND);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** All other packages are where they are. */
function linkDependencies(root: string): void {
  const modules = join(root, 'node_modules');
  for (const name of readdirSync(modules)) {
    if (name.startsWith('.') || name === '@palpable') continue;
    symlinkSync(join(modules, name), join(folder, 'node_modules', name));
  }
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
