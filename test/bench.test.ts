import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

// The benchmarks as a user starts them, short. What they claim without a clock is checked here; times are not.

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'palpable-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

function bench(...args: string[]) {
  const output = execFileSync(
    process.execPath,
    [join(repository, 'packages/cli/bin/palpable.js'), 'bench', ...args, '--json'],
    // What the build prepared for the studio is there already.
    { encoding: 'utf8', env: { ...process.env, PALPABLE_CACHE: join(repository, '.palpable/cache') } },
  );
  return JSON.parse(output);
}

test('100,000 query cycles leave the heap flat and wake no garbage collector', { timeout: 120_000 }, () => {
  const report = bench('soak', '--cycles', '100000');
  expect(report.cycles).toBe(100_000);
  expect(report.cyclesInContact).toBeGreaterThan(10_000);
  expect(report.collections).toBe(0);
  expect(report.heapGrowth).toBeLessThan(200_000);
});

test('the bunny finds the contacts that brute force finds, at every pose', { timeout: 300_000 }, () => {
  const plot = join(folder, 'contact.svg');
  const report = bench('contact', '--poses', '1000', '--seed', '20261115', '--plot', plot);
  expect(report.posesCompared).toBe(1000);
  expect(report.posesInContact).toBeGreaterThan(200);
  expect(report.posesDifferent).toBe(0);
  for (const row of report.rows) expect(row.visited).toBeGreaterThanOrEqual(row.contacts);
  expect(readFileSync(plot, 'utf8')).toContain('<svg');
});

test('the field agrees with three-mesh-bvh where it is exact', { timeout: 300_000 }, () => {
  const report = bench('field', '--triangles', '10000', '--resolution', '96', '--peer-nodes', '5000');
  expect(report.triangles).toBeGreaterThanOrEqual(10_000);
  expect(report.peer.largestDifferenceVoxels).toBeLessThan(1e-4);
  expect(report.statistics.nodesComputed).toBeLessThan(report.statistics.nodesOfFullGrid);
});
