import { PalpableError } from '../base/errors.js';
import { TextScanner } from '../mesh/text-scanner.js';
import type { ConeProblem } from './cone-problem.js';
import { checkContactCount, layBlocks, type MatrixEntries, setContacts } from './lay-blocks.js';
import type { LcpProblem } from './lcp.js';

/**
 * Siconos' text files. A contact problem: `dim nc`, the matrix, q, μ. A linear complementarity problem: its size, the
 * matrix, q. A matrix: `storage rows columns`, then
 *
 * - storage 0: `rows columns` again and all values, column by column;
 * - storage 1: the number of blocks, of block rows and of block columns, where block rows and block columns end, how long
 *   the next two lists are, where the blocks of each row start, their columns, then each block: its number and its
 *   values, column by column.
 *
 * What follows is for people to read.
 */

/** How a full matrix is written down. */
export type MatrixOrder = 'columns' | 'rows';

/** Which of Siconos' files a text is meant to be, judged by the numbers it begins with. */
export function siconosKind(text: string): 'contact' | 'lcp' | undefined {
  const head = /^\s*(\d+)\s+(\d+)\s+(\d+)(?=\s|$)/.exec(text);
  if (!head) return undefined;
  const [first, second, third] = head.slice(1).map(Number);
  const isStorage = (value: number) => value === 0 || value === 1;
  // An LCP goes on with its storage and its size, a contact problem with its contacts and then the storage.
  if (isStorage(second) && third === first) return 'lcp';
  return (first === 2 || first === 3) && isStorage(third) ? 'contact' : isStorage(second) ? 'lcp' : 'contact';
}

export function readSiconosProblem(text: string): ConeProblem {
  const scanner = scan(text);
  const dimension = scanner.nextInteger();
  if (dimension !== 3) {
    const message = `The problem has ${dimension} dimensions, expected 3: contacts in space, with one normal and two tangents.`;
    throw new PalpableError('format-unsupported', message);
  }
  const count = scanner.nextInteger();
  checkContactCount(count);
  const entries = readMatrix(scanner, 3 * count, 'columns');
  const free = readNumbers(scanner, 3 * count);
  const coefficients = readNumbers(scanner, count);
  const problem = layBlocks(count, entries);
  setContacts(problem, coefficients, free);
  return problem;
}

/** A full matrix of this size takes 800 MB; a pivot on it takes a second. */
const MAX_LCP = 10_000;

/**
 * A linear complementarity problem. Siconos takes a full matrix column by column, and so do we; but Murty's examples
 * stand in their files as in his book, by rows. `order` left out therefore takes a matrix whose text is lower triangular
 * by rows, any other by columns.
 */
export function readSiconosLcp(text: string, order?: MatrixOrder): LcpProblem {
  const scanner = scan(text);
  const size = scanner.nextInteger(1);
  if (size > MAX_LCP) {
    const message = `The problem has ${size} unknowns, more than the ${MAX_LCP} that are read; split it.`;
    throw new PalpableError('too-large', message);
  }
  const { columns, rows, values } = readMatrix(scanner, size, order);
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < values.length; i += 1) matrix[size * rows[i] + columns[i]] += values[i];
  return { size, matrix, free: readNumbers(scanner, size) };
}

/** Numbers are ASCII; whatever else the text holds need only not look like one. */
function scan(text: string): TextScanner {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = Math.min(text.charCodeAt(i), 127);
  return new TextScanner(bytes);
}

/** Lists are made only as long as the text can fill them: each number takes a digit and a space. */
function checkLength(scanner: TextScanner, count: number): void {
  if (2 * count - 1 <= scanner.remaining) return;
  scanner.fail(`The file ends before the ${count} numbers it announces; it is cut short: export it again.`);
}

function readNumbers(scanner: TextScanner, count: number): Float64Array {
  checkLength(scanner, count);
  const numbers = new Float64Array(count);
  for (let i = 0; i < count; i += 1) numbers[i] = scanner.nextNumber();
  return numbers;
}

function readIntegers(scanner: TextScanner, count: number, most: number): Int32Array {
  checkLength(scanner, count);
  const numbers = new Int32Array(count);
  for (let i = 0; i < count; i += 1) {
    const value = scanner.nextInteger();
    if (value > most) scanner.failHere(`holds ${value} where at most ${most} was expected`);
    numbers[i] = value;
  }
  return numbers;
}

function readMatrix(scanner: TextScanner, size: number, order?: MatrixOrder): MatrixEntries {
  const storage = scanner.nextInteger();
  if (storage > 1) {
    scanner.failHere(`holds the storage ${storage}, expected 0 for a full matrix or 1 for one of blocks`);
  }
  readSize(scanner, size);
  if (storage === 1) return readBlocks(scanner, size);
  readSize(scanner, size);
  const values = readNumbers(scanner, size * size);
  const byRows = order === 'rows' || (order === undefined && isLowerTriangular(values, size));
  const slow = Int32Array.from(values, (_, i) => Math.floor(i / size));
  const fast = Int32Array.from(values, (_, i) => i % size);
  return dropZeros(byRows ? { rows: slow, columns: fast, values } : { rows: fast, columns: slow, values });
}

function readSize(scanner: TextScanner, size: number): void {
  for (const what of ['rows', 'columns']) {
    const found = scanner.nextInteger();
    if (found !== size) scanner.failHere(`states a matrix of ${found} ${what}, expected ${size}`);
  }
}

/** As it stands in the text, line by line, and not diagonal. */
function isLowerTriangular(values: Float64Array, size: number): boolean {
  let below = false;
  for (let line = 0; line < size; line += 1) {
    for (let i = 0; i < size; i += 1) {
      if (values[size * line + i] === 0) continue;
      if (i > line) return false;
      if (i < line) below = true;
    }
  }
  return below;
}

function dropZeros({ columns, rows, values }: MatrixEntries): MatrixEntries {
  const kept: number[] = [];
  for (let i = 0; i < values.length; i += 1) if (values[i] !== 0) kept.push(i);
  return {
    rows: kept.map((i) => rows[i]),
    columns: kept.map((i) => columns[i]),
    values: kept.map((i) => values[i]),
  };
}

function readBlocks(scanner: TextScanner, size: number): MatrixEntries {
  const blockCount = scanner.nextInteger();
  const blockRows = scanner.nextInteger(1);
  const blockColumns = scanner.nextInteger(1);
  const rowEnds = readEnds(scanner, blockRows, size);
  const columnEnds = readEnds(scanner, blockColumns, size);
  const startCount = scanner.nextInteger();
  if (startCount !== blockRows + 1) scanner.failHere(`announces ${startCount} row starts, expected ${blockRows + 1}`);
  const listed = scanner.nextInteger();
  if (listed !== blockCount) scanner.failHere(`announces ${listed} block columns, expected ${blockCount}`);
  const starts = readIntegers(scanner, startCount, blockCount);
  const blockColumn = readIntegers(scanner, blockCount, blockColumns - 1);
  const rows: number[] = [];
  const columns: number[] = [];
  const values: number[] = [];
  for (let row = 0; row < blockRows; row += 1) {
    for (let block = starts[row]; block < starts[row + 1]; block += 1) {
      const number = scanner.nextInteger();
      if (number !== block) scanner.failHere(`begins block ${number}, expected block ${block}`);
      const [top, left] = [startOf(rowEnds, row), startOf(columnEnds, blockColumn[block])];
      for (let column = left; column < columnEnds[blockColumn[block]]; column += 1) {
        for (let line = top; line < rowEnds[row]; line += 1) {
          rows.push(line);
          columns.push(column);
          values.push(scanner.nextNumber());
        }
      }
    }
  }
  return { rows, columns, values };
}

/** Where blocks end, rising up to the size of the matrix. */
function readEnds(scanner: TextScanner, count: number, size: number): Int32Array {
  const ends = readIntegers(scanner, count, size);
  for (let i = 0; i < count; i += 1) {
    if (ends[i] <= startOf(ends, i)) scanner.failHere(`ends with blocks whose ends do not rise`);
  }
  if (ends[count - 1] !== size) scanner.failHere(`ends the last block at ${ends[count - 1]}, expected ${size}`);
  return ends;
}

function startOf(ends: Int32Array, index: number): number {
  return index === 0 ? 0 : ends[index - 1];
}
