import { expect, it } from 'vitest';
import { formatFuzzReport, runFuzz } from '../packages/lab/dist/bench/fuzz.js';

const seed = 20;

it(`reads or refuses 500 mutated files, none hangs or crashes (seed ${seed})`, async () => {
  let told = 0;
  const report = await runFuzz({
    count: 500,
    seed,
    onProgress: (done) => {
      told = done;
    },
  });
  expect(report.failures, formatFuzzReport(report)).toEqual([]);
  expect(told).toBe(500);
  const total = (key: 'cases' | 'loaded' | 'refused' | 'ended') =>
    report.tallies.reduce((sum, tally) => sum + tally[key], 0);
  expect(total('cases')).toBe(500);
  expect(total('loaded') + total('refused') + total('ended')).toBe(500);
  // Mutations that break everything, or nothing, would test nothing.
  expect(total('loaded')).toBeGreaterThan(25);
  expect(total('refused')).toBeGreaterThan(250);
});
