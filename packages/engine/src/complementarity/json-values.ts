import { PalpableError } from '../base/errors.js';

/** Values of problem files in JSON, checked; each error is one sentence that names the key. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function parseProblemJson(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = (error as Error).message.replace(/\s+/g, ' ');
    const message = `The problem is not valid JSON (${reason}); correct the text or save it again.`;
    throw new PalpableError('format-invalid', message);
  }
  return objectAt('', value);
}

export function objectAt(path: string, value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw invalid(path, value, 'an object');
}

/** Finite numbers, `count` of them where it is given; lists in the list are taken as one. */
export function numbersAt(path: string, value: unknown, count?: number): readonly number[] {
  if (!Array.isArray(value)) throw invalid(path, value, 'a list of numbers');
  const flat: readonly unknown[] = value.some(Array.isArray) ? value.flat() : value;
  const wrong = flat.findIndex((each) => typeof each !== 'number' || !Number.isFinite(each));
  if (wrong >= 0) throw invalid(`${path}[${wrong}]`, flat[wrong], 'a finite number');
  if (count !== undefined && flat.length !== count) throw invalid(path, `${flat.length} numbers`, `${count}`);
  return flat as readonly number[];
}

/** Whole numbers from 0 up to, not including, `end`. */
export function indicesAt(path: string, value: unknown, end: number, count?: number): readonly number[] {
  const list = numbersAt(path, value, count);
  const wrong = list.findIndex((each) => !Number.isSafeInteger(each) || each < 0 || each >= end);
  if (wrong >= 0) throw invalid(`${path}[${wrong}]`, list[wrong], `a whole number from 0 to ${end - 1}`);
  return list;
}

/** Where rows begin: from 0, never falling, up to `total`. */
export function rowStartsAt(path: string, value: unknown, rows: number, total: number): readonly number[] {
  const starts = indicesAt(path, value, total + 1, rows + 1);
  const falls = starts.findIndex((start, row) => start < (row === 0 ? 0 : starts[row - 1]));
  if (falls >= 0) throw invalid(`${path}[${falls}]`, starts[falls], 'no less than the one before it');
  if (starts[0] !== 0) throw invalid(`${path}[0]`, starts[0], '0');
  if (starts[rows] !== total) throw invalid(`${path}[${rows}]`, starts[rows], `${total}, the number of values`);
  return starts;
}

export function invalid(path: string, found: unknown, expected: string): PalpableError {
  const place = path === '' ? '' : `${path}: `;
  const message = `The contact problem is not valid: ${place}found ${shown(found)}, expected ${expected}.`;
  return new PalpableError('format-invalid', message, path === '' ? undefined : path);
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
