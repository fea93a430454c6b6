// Things that slip into a repository by accident: paths of somebody's machine, addresses of a package registry, large
// files, tests that are switched off, notes to oneself.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { listProjectFiles } from './lib/files.mjs';
import { findMissingEntries } from './lib/lock-file.mjs';
import { reportProblems } from './lib/report.mjs';
import { repositoryRoot } from './lib/run.mjs';

const largestFileBytes = 3 * 1024 * 1024;

/** @type {{ applies: RegExp, pattern: RegExp, problem: string }[]} */
const rules = [
  {
    applies: /./,
    pattern: /(?<![\w.~*$}/\\-])(\/(home|Users|work)\/\w|\/root\b(?!\w)|[A-Za-z]:\\{1,2}Users\\)/,
    problem: 'an absolute path of a machine',
  },
  {
    applies: /./,
    pattern: /\/\/[\w.-]*\b(registry|artifactory|nexus|verdaccio)\b[\w.-]*|^\s*(@[\w-]+:)?registry\s*=|_auth[T]oken/m,
    problem: 'an address of a package registry',
  },
  {
    applies: /(^|\/)package-lock\.json$/,
    pattern: /"resolved":\s*"(https?|git\+\w+):/,
    problem: 'a download address in the lock file (see .npmrc: omit-lockfile-registry-resolved)',
  },
  {
    applies: /\.test\.[cm]?[jt]sx?$/,
    pattern:
      /\b(it|test|describe|suite)(\.\w+)*\.(only|skip|todo|skipIf|runIf|fails)\b|^\s*(xit|xtest|xdescribe|fit|fdescribe)\(|\.skip\(\)/m,
    problem: 'a test that is switched off or runs alone',
  },
  {
    applies: /^packages\/engine\/src\/(?!math\/portable\.ts).*(?<!\.test)\.ts$/,
    pattern: /\bMath\.(a?(sin|cos|tan)h?|atan2|exp|expm1|log|log1p|log2|log10|pow|hypot|cbrt)\(|(?<!\b2) \*\* /,
    problem: 'a function whose last bit differs between JavaScript engines (see math/portable.ts)',
  },
  {
    applies: /\.([cm]?[jt]sx?|css|html)$/,
    pattern: /(\/\/|\/?\*|<!--)\s*(TO-?DO|FIX-?ME)\b/i,
    problem: 'a note of unfinished work',
  },
];

/**
 * What is wrong with the text of one file.
 *
 * @param {string} file relative to the repository
 * @param {string} text
 * @returns {string[]}
 */
export function checkText(file, text) {
  return rules
    .filter(({ applies }) => applies.test(file))
    .flatMap(({ pattern, problem }) => {
      const match = pattern.exec(text);
      if (!match) return [];
      const line = text.slice(0, match.index).split('\n').length;
      return [`${file}:${line}: ${problem}: ${match[0].trim()}`];
    });
}

/**
 * @param {string} file
 * @param {number} bytes
 * @returns {string[]}
 */
export function checkSize(file, bytes) {
  if (bytes <= largestFileBytes) return [];
  return [`${file}: ${(bytes / 1024 / 1024).toFixed(1)} MiB; a tracked file has at most 3 MiB`];
}

/**
 * @param {import('./lib/lock-file.mjs').LockFile} lock
 * @returns {string[]}
 */
export function checkLock(lock) {
  return findMissingEntries(lock).map(
    ([path]) => `package-lock.json: ${path} is missing, npm ci will refuse; run node scripts/complete-lock.mjs`,
  );
}

if (process.argv[1] === import.meta.filename) {
  const files = listProjectFiles(repositoryRoot);
  const problems = files.flatMap((file) => {
    const path = join(repositoryRoot, file);
    const content = readFileSync(path);
    const isBinary = content.subarray(0, 8192).includes(0);
    return [...checkSize(file, statSync(path).size), ...(isBinary ? [] : checkText(file, content.toString('utf8')))];
  });
  problems.push(...checkLock(JSON.parse(readFileSync(join(repositoryRoot, 'package-lock.json'), 'utf8'))));
  reportProblems(problems, `${files.length} files are clean`);
}
