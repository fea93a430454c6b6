import { describe, expect, it } from 'vitest';
import { FAULT_DEVICE_JUMPED } from '../servo/sample-guard.js';
import { FAULT_LOOP_STALLED } from '../servo/servo.js';
import { LIVE_COLUMNS } from './live-row.js';
import { cellOf, faultWords, lengthOf } from './read-live-row.js';

describe('a row of the loop', () => {
  it('is read by the names of its columns', () => {
    const row = Float64Array.from(LIVE_COLUMNS, (_, place) => place);
    for (const column of LIVE_COLUMNS) expect(LIVE_COLUMNS[cellOf(row, column)]).toBe(column);
  });

  it('gives the length of a force', () => {
    const row = new Float64Array(LIVE_COLUMNS.length);
    row.set([1, 2, -2], LIVE_COLUMNS.indexOf('fx'));
    expect(lengthOf(row, 'fx')).toBe(3);
    expect(lengthOf(row, 'tx')).toBe(0);
  });

  it('says faults in words', () => {
    expect(faultWords(0)).toEqual([]);
    expect(faultWords(FAULT_DEVICE_JUMPED | FAULT_LOOP_STALLED)).toEqual(['loop stalled', 'device jumped']);
  });
});
