// Running other programs from the scripts of this repository.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository. */
export const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Runs a program with its output on our own terminal and gives back its exit code.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 * @returns {number}
 */
export function run(program, args, options = {}) {
  const result = spawnSync(program, [...args], { cwd: repositoryRoot, stdio: 'inherit', ...options });
  if (result.error) {
    console.error(`${program} could not be started: ${result.error.message}.`);
    return 1;
  }
  // Ended by a signal (Ctrl-C, out of memory): there is no code, but it is no success either.
  return result.status ?? 1;
}

/**
 * Runs a script with the Node that runs us.
 *
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function runNode(args, options) {
  return run(process.execPath, args, options);
}

/**
 * Runs a tool of node_modules by its JavaScript file: quicker than npx, and the same on every system.
 *
 * @param {keyof typeof toolFiles} tool
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function runTool(tool, args, options) {
  return runNode([join(repositoryRoot, 'node_modules', toolFiles[tool]), ...args], options);
}

/**
 * Starts a tool beside us.
 *
 * @param {keyof typeof toolFiles} tool
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function startTool(tool, args, options) {
  return startNode([join(repositoryRoot, 'node_modules', toolFiles[tool]), ...args], options);
}

/**
 * Starts a script beside us, with the Node that runs us.
 *
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function startNode(args, options = {}) {
  return spawn(process.execPath, [...args], { cwd: repositoryRoot, stdio: 'inherit', ...options });
}

const toolFiles = {
  tsc: 'typescript/bin/tsc',
  biome: '@biomejs/biome/bin/biome',
  knip: 'knip/bin/knip.js',
  vite: 'vite/bin/vite.js',
  vitest: 'vitest/vitest.mjs',
  typedoc: 'typedoc/bin/typedoc',
  publint: 'publint/src/cli.js',
  attw: '@arethetypeswrong/cli/dist/index.js',
};

/**
 * Runs npm: the very one that started us when there is one, else the one on the path.
 *
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  if (npm?.endsWith('.js')) return runNode([npm, ...args], options);
  return run('npm', args, { shell: process.platform === 'win32', ...options });
}
