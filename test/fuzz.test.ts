import { expect, it } from 'vitest';
import { bench } from './lib/bench.js';

const seed = 20;

it(`reads or refuses 500 mutated files, none hangs or crashes (seed ${seed})`, () => {
  const report = bench('fuzz', '--count', '500', '--seed', String(seed));
  expect(report.failures).toEqual([]);
  const total = (key: 'cases' | 'loaded' | 'refused' | 'ended') =>
    report.tallies.reduce((sum: number, tally: Record<typeof key, number>) => sum + tally[key], 0);
  expect(total('cases')).toBe(500);
  expect(total('loaded') + total('refused') + total('ended')).toBe(500);
  // Mutations that break everything, or nothing, would test nothing.
  expect(total('loaded')).toBeGreaterThan(25);
  expect(total('refused')).toBeGreaterThan(250);
});
