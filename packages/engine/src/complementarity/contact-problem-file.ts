import { PalpableError } from '../base/errors.js';
import { type ConeProblem, createConeProblem } from './cone-problem.js';
import { indicesAt, invalid, numbersAt, objectAt, parseProblemJson, rowStartsAt } from './json-values.js';
import { checkContactCount, setContacts } from './lay-blocks.js';
import { BLOCK_STRIDE } from './one-contact.js';

/**
 * A contact problem as a JSON file, so that any solver can take it up again. Numbers are shortest round-trip doubles:
 * reading what was written gives the same bits. docs/contact-problem.md describes every key.
 */

const KIND = 'contact-problem';
const VERSION = 1;

/** Whether a text is meant to be such a file. Says nothing about mistakes in it. */
export function isContactProblemFile(text: string): boolean {
  return /^\s*\{/.test(text) && new RegExp(`"kind"\\s*:\\s*"${KIND}"`).test(text);
}

/** Writes a contact problem as JSON; numbers round-trip exactly. */
export function encodeContactProblem(problem: ConeProblem): string {
  const { blocks, coefficient, column, count, free, rowStart } = problem;
  const blockCount = rowStart[count];
  const lines = Array.from({ length: blockCount }, (_, i) => `\n      ${list('blocks', blocks, 9 * i, 9)}`);
  return [
    '{',
    `  "palpable": ${VERSION},`,
    `  "kind": "${KIND}",`,
    `  "coefficients": ${list('coefficients', coefficient, 0, count)},`,
    `  "free": ${list('free', free, 0, 3 * count)},`,
    '  "delassus": {',
    `    "rows": ${list('rows', rowStart, 0, count + 1)},`,
    `    "columns": ${list('columns', column, 0, blockCount)},`,
    `    "blocks": [${lines.join(',')}${blockCount > 0 ? '\n    ' : ''}]`,
    '  }',
    '}',
    '',
  ].join('\n');
}

function list(name: string, values: Float64Array | Int32Array, from: number, count: number): string {
  const texts: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const value = values[from + i];
    if (!Number.isFinite(value)) {
      const message = `The contact problem cannot be written: ${name}[${from + i}] is ${value}, expected a finite number.`;
      throw new PalpableError('format-invalid', message, name);
    }
    texts.push(Object.is(value, -0) ? '-0' : String(value));
  }
  return `[${texts.join(', ')}]`;
}

/** Reads the text of a contact-problem file. Throws a `PalpableError` that names the wrong key. */
export function decodeContactProblem(text: string): ConeProblem {
  const file = parseProblemJson(text);
  if (file.palpable !== VERSION) throw invalid('palpable', file.palpable, `${VERSION}, the version of the format`);
  if (file.kind !== KIND) throw invalid('kind', file.kind, `"${KIND}"`);
  const coefficients = numbersAt('coefficients', file.coefficients);
  const count = coefficients.length;
  checkContactCount(count);
  const free = numbersAt('free', file.free, 3 * count);
  const delassus = objectAt('delassus', file.delassus);
  const columns = indicesAt('delassus.columns', delassus.columns, count);
  const starts = rowStartsAt('delassus.rows', delassus.rows, count, columns.length);
  const blocks = numbersAt('delassus.blocks', delassus.blocks, BLOCK_STRIDE * columns.length);
  const problem = createConeProblem(count, columns.length);
  problem.count = count;
  setContacts(problem, coefficients, free);
  problem.rowStart.set(starts);
  problem.column.set(columns);
  problem.blocks.set(blocks);
  findDiagonal(problem);
  return problem;
}

function findDiagonal(problem: ConeProblem): void {
  const { column, count, diagonal, rowStart } = problem;
  for (let row = 0; row < count; row += 1) {
    const inRow = column.subarray(rowStart[row], rowStart[row + 1]);
    const at = inRow.indexOf(row);
    if (at < 0) throw invalid('delassus.columns', `row ${row} without its diagonal`, `column ${row} among its blocks`);
    if (new Set(inRow).size < inRow.length) {
      throw invalid('delassus.columns', `a column twice in row ${row}`, 'each of its blocks once');
    }
    diagonal[row] = rowStart[row] + at;
  }
}
