import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { notMet, reproduceIn } from './reproduce/run.js';

// A short run of Otaduy and Lin's first experiment; full ones are in experiments.long.test.ts, and what the others are
// about is pinned by the scenes `spoon-cup` and `jaws` (gallery.test.ts) and by the tests of the modular method.

it('finds the smallest stable masses of a spoon in free space', async () => {
  const report = await reproduceIn('--quick')('otaduy-free');
  const shown = ['backward Euler is stable at 1 g', 'the explicit integrators fail', "so is forward Euler's"];
  expect(notMet(report, shown)).toEqual([]);
  expect(report.tables.masses).toHaveLength(9);
  for (const file of report.files) expect(existsSync(file)).toBe(true);
});
