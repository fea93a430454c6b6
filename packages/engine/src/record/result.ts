import { PalpableError } from '../base/errors.js';
import type { Pose } from '../math/pose.js';
import type { MethodOutput } from '../method/method.js';
import { CsvLines, cellsOf, toNumber } from './csv-lines.js';

/**
 * The columns of a result, one row per cycle, the same for every method: time (s), poses of device and tool (m,
 * quaternion), force (N) and torque (N m) on the hand, contacts, depth of the deepest (m), friction state, whether the
 * wrench was limited, times of the stages (µs), bits of the caps. Names and order are a contract: new ones go to the
 * end.
 */
export const RESULT_COLUMNS = [
  'time',
  ...['dpx', 'dpy', 'dpz', 'dqx', 'dqy', 'dqz', 'dqw'],
  ...['tpx', 'tpy', 'tpz', 'tqx', 'tqy', 'tqz', 'tqw'],
  ...['fx', 'fy', 'fz', 'tx', 'ty', 'tz'],
  ...['contacts', 'max_penetration', 'friction_state', 'limited'],
  ...['us_contact', 'us_friction', 'us_method', 'us_total'],
  'capped',
] as const;

/** Number of columns of a result. */
export const RESULT_WIDTH = RESULT_COLUMNS.length;

/** Places in a row. */
const DEVICE = 1;
const TOOL = 8;
const WRENCH = 15;
const CONTACTS = 21;
const STATE = 23;
const TIMES = 25;
const CAPPED = 29;

/** The friction states as results write them, in the order of `STATE_FREE`, `STATE_STICK` and `STATE_SLIP`. */
export const STATE_NAMES = ['free', 'stick', 'slip'] as const;

/** What a cycle left, as one row of numbers; the friction state as its code. */
export function writeResultRow(
  rows: Float64Array,
  row: number,
  time: number,
  devicePose: Pose,
  output: MethodOutput,
  limited: boolean,
): void {
  const at = row * RESULT_WIDTH;
  rows[at] = time;
  for (let k = 0; k < 7; k += 1) {
    rows[at + DEVICE + k] = devicePose[k];
    rows[at + TOOL + k] = output.toolPose[k];
  }
  for (let k = 0; k < 6; k += 1) rows[at + WRENCH + k] = output.wrench[k];
  rows[at + CONTACTS] = output.contacts;
  rows[at + CONTACTS + 1] = output.maxPenetration;
  rows[at + STATE] = output.frictionState;
  rows[at + STATE + 1] = limited ? 1 : 0;
  for (let k = 0; k < 4; k += 1) rows[at + TIMES + k] = output.stageUs[k];
  rows[at + CAPPED] = output.capped;
}

/** The header line of a result CSV file. */
export function resultHeader(): string {
  return RESULT_COLUMNS.join(',');
}

/** The cells of a row: numbers in the shortest form that reads back to the same bits, the state as a word. */
export function formatResultCells(rows: Float64Array, row: number): string[] {
  const at = row * RESULT_WIDTH;
  const cells: string[] = [];
  for (let k = 0; k < RESULT_WIDTH; k += 1) {
    const value = rows[at + k];
    if (k === STATE) cells.push(STATE_NAMES[value]);
    // Times are measured to no better than a nanosecond; more digits only fill the disk.
    else cells.push(String(k >= TIMES && k < CAPPED ? Math.round(value * 1000) / 1000 : value));
  }
  return cells;
}

/** A result by columns. */
export interface Result {
  /** Number of rows. */
  readonly count: number;
  /** Of a column, by its name; friction states as their codes. */
  column(name: (typeof RESULT_COLUMNS)[number]): Float64Array;
}

/**
 * Reads what `palpable run` wrote; throws `format-invalid` for anything else.
 *
 * @example
 * ```ts
 * import { readResult } from '@palpable/engine';
 *
 * declare const text: string; // of a file that `palpable run --out` wrote
 *
 * const result = readResult(text, 'result.csv');
 * console.log(result.count, Math.max(...result.column('fz'))); // N
 * ```
 */
export function readResult(text: string, fileName = 'result'): Result {
  const lines = new CsvLines(text);
  const names = cellsOf(lines.header());
  const absent = RESULT_COLUMNS.filter((name) => !names.includes(name));
  if (absent.length > 0) {
    throw invalid(fileName, 1, `found no column ${absent.join(', ')}, expected a result of palpable run`);
  }
  const columns = new Map<string, number[]>(RESULT_COLUMNS.map((name) => [name, []]));
  while (lines.next()) {
    const cells = cellsOf(lines.line);
    for (const [name, values] of columns) {
      const cell = cells[names.indexOf(name)] ?? '';
      const value = name === 'friction_state' ? STATE_NAMES.indexOf(cell as 'free') : toNumber(cell);
      if (!Number.isFinite(value) || (name === 'friction_state' && value < 0)) {
        throw invalid(fileName, lines.number, `found "${cell.slice(0, 40)}" as ${name}, expected a value of a result`);
      }
      values.push(value);
    }
  }
  const arrays = new Map([...columns].map(([name, values]) => [name, Float64Array.from(values)]));
  return { count: arrays.get('time')!.length, column: (name) => arrays.get(name)! };
}

function invalid(fileName: string, line: number, sentence: string): PalpableError {
  return new PalpableError('format-invalid', `${fileName}, line ${line}: ${sentence}.`, fileName);
}
