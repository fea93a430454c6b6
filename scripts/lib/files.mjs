// The files that the checks look at.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/**
 * All files below a folder, relative to it, with forward slashes, sorted.
 *
 * @param {string} folder
 * @param {(name: string) => boolean} [enter] whether to go into a folder of that name
 * @returns {string[]}
 */
export function listFiles(folder, enter = () => true) {
  if (!existsSync(folder)) return [];
  /** @type {string[]} */
  const files = [];
  /** @param {string} current */
  const walk = (current) => {
    for (const entry of readdirSync(current, { withFileTypes: true })) {
      const path = join(current, entry.name);
      if (entry.isDirectory()) {
        if (enter(entry.name)) walk(path);
      } else if (entry.isFile()) {
        files.push(relative(folder, path).split(sep).join('/'));
      }
    }
  };
  walk(folder);
  return files.sort();
}

/**
 * The files that belong to the project: what git tracks or would track. A tree without git (an unpacked archive) is
 * walked instead, without the folders that are made by tools.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function listProjectFiles(root) {
  if (!existsSync(join(root, '.git'))) {
    const madeByTools = new Set(['node_modules', 'dist', 'test-output', 'coverage', '.palpable']);
    return listFiles(root, (name) => !madeByTools.has(name));
  }
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  // A file that was deleted but not yet committed is still listed.
  return listing.split('\0').filter((file) => file !== '' && existsSync(join(root, file)));
}
