import { expect, test } from 'vitest';
import { formatLiveRow, liveHeader } from './format-live-row.js';
import { LIVE_COLUMNS, LIVE_WIDTH } from './live-row.js';

test('a row reads back to the same bits, but for measured times', () => {
  const row = Float64Array.from({ length: LIVE_WIDTH }, (_, k) => (k % 2 === 0 ? -0 : 1 / (k + 1)));
  row[LIVE_COLUMNS.indexOf('friction_state')] = 2;
  const cells = formatLiveRow(row).split(',');
  expect(liveHeader().split(',')).toEqual([...LIVE_COLUMNS]);
  LIVE_COLUMNS.forEach((column, k) => {
    if (column === 'friction_state') expect(cells[k]).toBe('slip');
    else if (column.startsWith('us_')) expect(Number(cells[k])).toBe(Math.round(row[k] * 1000) / 1000);
    else expect(Object.is(Number(cells[k]), row[k]), column).toBe(true);
  });
});
