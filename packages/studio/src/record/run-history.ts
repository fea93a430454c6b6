/** A run of a comparison as the plots want it. */
import { RESULT_WIDTH } from '@palpable/engine/advanced';
import { type HistoryColumn, RowHistory } from '../plots/row-history.js';
import type { VariantResult } from './compare.js';

const COMPARED_COLUMNS = ['force', 'torque', 'max_penetration', 'gap'] as const satisfies HistoryColumn[];

export type ComparedColumn = (typeof COMPARED_COLUMNS)[number];

export function historyOf({ count, rows }: VariantResult): RowHistory {
  const seconds = 1 + (rows[(count - 1) * RESULT_WIDTH] ?? 0) - (rows[0] ?? 0);
  const history = new RowHistory({
    columns: COMPARED_COLUMNS,
    seconds,
    // Room for every row, however they lie.
    rowsPerSecond: (count + 1) / seconds,
    rowWidth: RESULT_WIDTH,
  });
  for (let row = 0; row < count; row += 1) history.add(rows, row * RESULT_WIDTH);
  return history;
}
