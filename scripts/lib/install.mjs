// What a bare machine needs before anything else can run: the right Node and the packages of the lock file.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, runNpm } from './run.mjs';

/** Ends the process with one clear line when this Node is too old to run the project. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  const wanted = engines.node.replace('>=', '');
  if (isAtLeast(process.versions.node, wanted)) return;
  console.error(`Palpable needs Node ${wanted} or newer, this is ${process.versions.node}: install a newer Node.`);
  process.exit(1);
}

/**
 * @param {string} version
 * @param {string} wanted
 */
export function isAtLeast(version, wanted) {
  const have = version.split('.').map(Number);
  const need = wanted.split('.').map(Number);
  for (let i = 0; i < need.length; i++) {
    const difference = (have[i] ?? 0) - (need[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Installs the packages of the lock file unless they are there already; ends the process when that fails. */
export function ensureInstalled() {
  if (isInstalled(repositoryRoot)) return;
  console.log('Installing packages (npm ci) …');
  // A machine with NODE_ENV=production would otherwise leave out the compiler that builds the project.
  if (runNpm(['ci', '--include=dev']) === 0) return;
  console.error('The packages could not be installed: see the message of npm above.');
  process.exit(1);
}

/**
 * Compares the lock file with npm's own record of what it installed, so that a plain `npm ci` counts as well.
 *
 * @param {string} root
 */
export function isInstalled(root) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  /** @type {Record<string, { version?: string, optional?: boolean }>} */
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  /** @type {Record<string, { version?: string }>} */
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/')) return true;
    // Packages for other systems and processors are optional and rightly missing.
    if (!installed[path]) return entry.optional === true;
    return installed[path].version === entry.version;
  });
}
