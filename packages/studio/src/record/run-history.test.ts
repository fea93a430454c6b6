import { RESULT_COLUMNS } from '@palpable/engine';
import { RESULT_WIDTH } from '@palpable/engine/advanced';
import { expect, test } from 'vitest';
import type { VariantResult } from './compare.js';
import { historyOf } from './run-history.js';

test('a run keeps all its rows', () => {
  const count = 5000;
  const rows = new Float64Array(count * RESULT_WIDTH);
  for (let i = 0; i < count; i += 1) {
    rows[i * RESULT_WIDTH] = 0.001 * i;
    rows[i * RESULT_WIDTH + RESULT_COLUMNS.indexOf('fy')] = -i;
    rows[i * RESULT_WIDTH + RESULT_COLUMNS.indexOf('tpz')] = 0.5;
  }
  const history = historyOf({ count, rows } as VariantResult);
  expect(history.count).toBe(count);
  expect([history.first, history.last]).toEqual([0, 0.001 * 4999]);
  expect(history.valueAt('force', 1.234)).toBe(1234);
  expect(history.valueAt('gap', 3)).toBe(0.5);
});
