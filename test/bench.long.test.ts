import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { bench, expectFlatHeap, expectWords } from './lib/bench.js';

// Benchmarks and soaks that take long and find what is rare: `npm run test:all`. What they compare with (brute force,
// HiGHS) is compared in short tests as well.

const folder = mkdtempSync(join(tmpdir(), 'palpable-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['query', 'static-friction'])(
  'a million cycles (%s) leave the heap flat',
  { timeout: 1_800_000 },
  (method) => {
    const report = bench('soak', '--method', method, '--cycles', '1000000');
    expect(report.cycles).toBe(1_000_000);
    expectFlatHeap(report);
  },
);

test('200 faults in a row break no rule', { timeout: 1_800_000 }, async () => {
  const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));
  const args = [program, 'bench', 'faults', '--count', '200', '--seed', '1', '--json'];
  const output = await promisify(execFile)(process.execPath, args).catch((error: { stdout: string }) => error);
  expect(JSON.parse(output.stdout).failures).toEqual([]);
});

test('the friction benchmark asks what it says, and HiGHS agrees', { timeout: 300_000 }, () => {
  const plot = join(folder, 'friction.svg');
  const report = bench('friction', '--cycles', '600', '--directions', '2', '--largest', '50', '--plot', plot);
  expect(Math.abs(report.contacts - 98)).toBeLessThanOrEqual(5);
  expect(Math.abs(report.compare.contacts - 98)).toBeLessThanOrEqual(5);
  expect(report.compare.disagreements).toBe(0);
  // Loads from 60 to 140 % of the limit: the cone holds the lower half.
  const cone = report.compare.rows.find((row: { solver: string }) => row.solver === 'cone');
  expect(cone.feasible.count).toBe(report.compare.problems / 2);
  expect(cone.infeasible.count).toBe(report.compare.problems / 2);
  expect(report.cycle.nearLimit).toBeGreaterThan(0.2);
  expect(report.cycle.capped).toBe(0);
  for (const row of report.cycle.rows) expect(row.count).toBeGreaterThan(100);
  expect(report.growth.rows.map((row: { contacts: number }) => row.contacts)).toHaveLength(3);
  // Times are not to be above their bars, shares and ratios not below.
  for (const { met, value, bar, unit } of report.bars) expect(met).toBe(unit === 'µs' ? value <= bar : value >= bar);
  expectWords(plot, 'contacts', 'whole cycle', 'quadratic', 'cone');
});

test('the bunny finds the contacts that brute force finds, at every pose', { timeout: 300_000 }, () => {
  const plot = join(folder, 'contact.svg');
  const report = bench('contact', '--poses', '1000', '--seed', '20261115', '--plot', plot);
  expect(report.posesCompared).toBe(1000);
  expect(report.posesInContact).toBeGreaterThan(200);
  expect(report.posesDifferent).toBe(0);
  for (const row of report.rows) expect(row.visited).toBeGreaterThanOrEqual(row.contacts);
  expectWords(plot, 'contacts', 'query', 'brute force', 'contacts alone');
});
