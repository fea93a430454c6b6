// `npm run check`: everything that can be said about the sources without running them. All checks run even when one
// fails, so that one run shows all there is to do. Needs no network.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, requireNode } from './lib/install.mjs';
import { repositoryRoot, runNode, runTool } from './lib/run.mjs';

requireNode();
ensureInstalled();

const typeProjects = [
  'packages/engine',
  'packages/engine/tsconfig.test.json',
  'packages/cli',
  'packages/cli/tsconfig.test.json',
  'packages/lab',
  'packages/lab/tsconfig.test.json',
  'packages/studio',
  'scripts',
  'test',
  'docs/api',
].filter((project) => existsSync(join(repositoryRoot, project, project.endsWith('.json') ? '' : 'tsconfig.json')));

// Biome paints even where nobody sees colours.
const colours = process.stdout.isTTY ? [] : ['--colors=off'];

/** @type {[string, () => number][]} */
const checks = [
  ['kernels', () => runNode([join(repositoryRoot, 'scripts', 'build-kernels.mjs'), '--check'])],
  ['types', () => runTool('tsc', ['-b', ...typeProjects])],
  ['types of the snippets in the documents', () => script('check-snippets.mjs')],
  ['lint and format', () => runTool('biome', ['ci', '--error-on-warnings', ...colours, '.'])],
  ['layers of the packages', () => script('check-layering.mjs')],
  ['dead code', () => runTool('knip', ['--no-progress'])],
  ['reference of the engine', () => runTool('typedoc', [])],
  ['packages as published', checkPackages],
  ['hygiene', () => script('check-hygiene.mjs')],
];

const results = checks.map(([name, check]) => {
  console.log(`\n── ${name}`);
  const start = performance.now();
  const ok = check() === 0;
  return { name, ok, seconds: (performance.now() - start) / 1000 };
});

console.log('\n── summary');
for (const { name, ok, seconds } of results) {
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(40)} ${seconds.toFixed(1).padStart(5)} s`);
}
process.exitCode = results.every((result) => result.ok) ? 0 : 1;

/** What npm would publish: files, entry points and types. The command line has no entry point for imports. */
function checkPackages() {
  const attw = ['--pack', 'packages/engine', '--profile', 'esm-only', '--quiet'];
  return (
    runTool('publint', ['packages/engine', '--strict']) ||
    runTool('publint', ['packages/cli', '--strict']) ||
    runTool('attw', attw)
  );
}

/** @param {string} name */
function script(name) {
  return runNode([join(repositoryRoot, 'scripts', name)]);
}
