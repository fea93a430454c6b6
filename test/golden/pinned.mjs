// The file of pinned bits, and where two answers part.
import { BLOCK } from './play.mjs';

/** @typedef {ReturnType<typeof import('./play.mjs').summarise>} Summary */

const HEADER = `# The bits of every scene and method, pinned: hash of all result columns but times, of the prepared bodies, of each
# block of ${BLOCK} cycles and of each column. Renewed by \`npm run golden\`; the commit that changes it says why.
`;

/** @param {readonly Summary[]} summaries */
export function formatPinned(summaries) {
  const lines = summaries.map(
    ({ name, hash, bodies, blocks, columns }) => `${name}\n  ${hash} ${bodies.join(' ')}\n  ${blocks}\n  ${columns}\n`,
  );
  return [HEADER, ...lines].join('\n');
}

/**
 * @param {string} text
 * @returns {Map<string, Summary>}
 */
export function readPinned(text) {
  const entries = text
    .replace(/^#.*\n/gm, '')
    .trim()
    .split(/\n\n+/)
    .map((entry) => {
      const [name = '', second = '', blocks = '', columns = ''] = entry.split('\n').map((line) => line.trim());
      const [hash = '', ...bodies] = second.split(' ');
      return { name, hash, bodies, blocks, columns };
    });
  return new Map(entries.map((entry) => [entry.name, entry]));
}

/**
 * Where a case left its pinned bits, in a sentence; empty where it has not.
 *
 * @param {Summary} found
 * @param {Summary | undefined} expected
 * @param {readonly string[]} columns
 */
export function compareSummaries(found, expected, columns) {
  if (!expected) return `${found.name}: not pinned yet`;
  if (found.hash === expected.hash && String(found.bodies) === String(expected.bodies)) return '';
  const bodies = found.bodies.filter((body, at) => body !== expected.bodies[at]).map((body) => body.split('=')[0]);
  const prepared = bodies.length > 0 ? `the prepared ${bodies.join(' and ')} differ; ` : '';
  if (found.hash === expected.hash) return `${found.name}: ${prepared}the motion is the same`;
  const pairs = (/** @type {string} */ text) => text.match(/../g) ?? [];
  const block = pairs(found.blocks).findIndex((digits, at) => digits !== pairs(expected.blocks)[at]);
  const which = columns.filter((_, at) => pairs(found.columns)[at] !== pairs(expected.columns)[at]);
  const cycles = `cycles ${block * BLOCK} to ${(block + 1) * BLOCK - 1}`;
  return `${found.name}: ${prepared}first differs in ${cycles}; columns ${which.join(', ')}`;
}

/**
 * The first cycle and column in which two answers to the same case differ.
 *
 * @param {{ columns: readonly string[], rows: Float64Array }} one
 * @param {ArrayLike<number>} other
 */
export function firstDifference({ columns, rows }, other) {
  const at = rows.findIndex((value, k) => !Object.is(value, other[k]));
  if (at < 0) return 'no difference';
  const cycle = Math.floor(at / columns.length);
  return `cycle ${cycle}, column ${columns[at % columns.length]}: ${rows[at]} and ${other[at]}`;
}
