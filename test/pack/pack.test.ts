// The engine as a user gets it: packed, installed into an empty project, used from Node and from a Vite build there.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const examplesFolder = join(repository, 'docs', 'api');
const examples = readdirSync(examplesFolder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length));

let project: string;
let elsewhere: string;
beforeAll(() => {
  elsewhere = mkdtempSync(join(tmpdir(), 'palpable-bundles-'));
  project = mkdtempSync(join(tmpdir(), 'palpable-pack-'));
  const packed = run('npm', ['pack', '--json', '--pack-destination', project], join(repository, 'packages', 'engine'));
  const { filename } = JSON.parse(packed)[0];
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  run('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', join(project, filename)], project);
});
afterAll(() => {
  for (const folder of [project, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

describe('the packed engine', () => {
  it('carries its documents, its types, no tests and no fixtures', () => {
    const installed = join(project, 'node_modules', '@palpable', 'engine');
    for (const file of [
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'THIRD-PARTY-NOTICES.md',
      'dist/index.d.ts',
      'dist/advanced.d.ts',
    ]) {
      expect(existsSync(join(installed, file)), file).toBe(true);
    }
    const files = readdirSync(installed, { recursive: true }) as string[];
    expect(files.filter((file) => /\.(test|fixture)\.|tsbuildinfo/.test(file))).toEqual([]);
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies).toBeUndefined();
  });

  it('has types that need neither DOM nor Node', () => {
    writeFileSync(
      join(project, 'all.ts'),
      "export * from '@palpable/engine';\nexport * from '@palpable/engine/advanced';\n",
    );
    compile('all.ts', '--noEmit');
  });
});

describe('the examples of docs/api', () => {
  beforeAll(() => {
    const files = examples.map((example) => `${example}.ts`);
    for (const file of files) copyFileSync(join(examplesFolder, file), join(project, file));
    compile(...files, '--types', 'node', '--typeRoots', join(repository, 'node_modules', '@types'));
  });

  it('exist', () => {
    expect(examples).not.toEqual([]);
  });

  it.each(examples)('%s runs in Node and, built with Vite, gives the same', async (example) => {
    const output = run(process.execPath, [`${example}.js`], project);
    expect(output).not.toBe('');

    // Far from any installed package: what runs there has the engine inside.
    const outDir = join(elsewhere, example);
    await build({
      root: project,
      configFile: false,
      logLevel: 'error',
      build: { outDir, lib: { entry: `${example}.ts`, formats: ['es'], fileName: () => 'bundle.mjs' } },
    });
    expect(run(process.execPath, ['bundle.mjs'], outDir)).toBe(output);
  });
});

/** Strict, as a careful user would have it, with the repository's compiler and the project's own packages. */
function compile(...args: string[]): void {
  const tsc = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  const strict = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023', '--ignoreConfig'];
  run(process.execPath, [tsc, ...strict, ...args], project);
}

/** Runs a program to its end and gives back its output; a failure is told with all that it printed. */
function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 110_000 });
  if (status !== 0)
    throw new Error(`${program} ${args.join(' ')}: ${error ?? `exit code ${status}`}\n${stdout}${stderr}`);
  return stdout;
}
