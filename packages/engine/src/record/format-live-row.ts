import { LIVE_COLUMNS, LIVE_WIDTH } from './live-row.js';
import { formatResultCells, RESULT_WIDTH } from './result.js';

/** The header line of a live CSV file. */
export function liveHeader(): string {
  return LIVE_COLUMNS.join(',');
}

/**
 * A row of the live loop as a line of CSV, without its end. Numbers are written so that they read back to the same bits,
 * but for the measured times (`us_…`), which are given to the nanosecond.
 */
export function formatLiveRow(row: Float64Array): string {
  const cells = formatResultCells(row, 0);
  for (let k = RESULT_WIDTH; k < LIVE_WIDTH; k += 1) {
    const value = row[k];
    cells.push(String(isMeasuredTime(k) ? Math.round(value * 1000) / 1000 : value));
  }
  // A replay compares bits, and a text of a number leaves out the sign of zero.
  for (let k = 0; k < LIVE_WIDTH; k += 1) if (cells[k] === '0' && Object.is(row[k], -0)) cells[k] = '-0';
  return cells.join(',');
}

const isMeasuredTime = (column: number) => LIVE_COLUMNS[column].startsWith('us_');
