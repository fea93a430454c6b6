import { length3 } from '../math/portable.js';
import { FAULT_DEVICE_JUMPED, FAULT_DEVICE_SILENT, FAULT_SAMPLE_BAD } from '../servo/sample-guard.js';
import { FAULT_EMERGENCY_STOP, FAULT_LOOP_STALLED, FAULT_METHOD_NOT_FINITE } from '../servo/servo.js';
import { LIVE_COLUMNS } from './live-row.js';

/** The name of a column of a live row. */
export type LiveColumn = (typeof LIVE_COLUMNS)[number];

const PLACES = new Map(LIVE_COLUMNS.map((column, place) => [column, place]));

/** Where a column stands in a row of the live loop. */
export function placeOf(column: LiveColumn): number {
  return PLACES.get(column)!;
}

/** A number of a row by the name of its column. */
export function cellOf(row: Float64Array, column: LiveColumn): number {
  return row[placeOf(column)];
}

/** Length of the vector whose first part is this column. */
export function lengthOf(row: Float64Array, column: LiveColumn): number {
  const at = placeOf(column);
  return length3(row[at], row[at + 1], row[at + 2]);
}

const FAULT_WORDS: readonly (readonly [number, string])[] = [
  [FAULT_EMERGENCY_STOP, 'emergency stop'],
  [FAULT_LOOP_STALLED, 'loop stalled'],
  [FAULT_DEVICE_JUMPED, 'device jumped'],
  [FAULT_DEVICE_SILENT, 'device silent'],
  [FAULT_SAMPLE_BAD, 'device sent no pose'],
  [FAULT_METHOD_NOT_FINITE, 'method not finite'],
];

/** What the bits of the faults mean; empty for none. */
export function faultWords(bits: number): string[] {
  return FAULT_WORDS.filter(([bit]) => (bits & bit) !== 0).map(([, word]) => word);
}
