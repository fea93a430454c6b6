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

/** The smallest object is 16 bytes: one in every tenth cycle would show. The compiler's own growth comes when it will. */
function expectFlatHeap(report: { heapPerCycle: number; heapGrowth: number }) {
  expect(report.heapPerCycle).toBeLessThan(1.6);
  expect(report.heapGrowth).toBeLessThan(2_000_000);
}

test('100,000 query cycles leave the heap flat and wake no garbage collector', { timeout: 120_000 }, () => {
  const report = bench('soak', '--cycles', '100000');
  expect(report.cycles).toBe(100_000);
  expect(report.cyclesInContact).toBeGreaterThan(10_000);
  expect(report.collections).toBe(0);
  expectFlatHeap(report);
});

test('100,000 cycles with friction, sticking and sliding, leave the heap flat too', { timeout: 300_000 }, () => {
  const report = bench('soak', '--method', 'static-friction', '--cycles', '100000');
  expect(report.method).toBe('static-friction');
  expect(report.cycles).toBe(100_000);
  expect(report.cyclesSticking).toBeGreaterThan(10_000);
  expect(report.cyclesSliding).toBeGreaterThan(10_000);
  expect(report.collections).toBe(0);
  expectFlatHeap(report);
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
  expect(report.bars.map((bar: { met: boolean }) => typeof bar.met)).not.toContain('undefined');
  expect(readFileSync(plot, 'utf8')).toContain('<svg');
});

test('the god object benchmark covers sizes, contacts and both constraints', { timeout: 300_000 }, () => {
  const plot = join(folder, 'god-object.svg');
  const report = bench('god-object', '--replays', '1', '--largest', '500', '--plot', plot);
  const constraints = ['heuristic', 'manifold'];
  expect(report.sizes.map((row: { constraint: string }) => row.constraint)).toEqual(constraints);
  for (const row of report.sizes) expect(row.cycles).toBeGreaterThan(1000);
  expect(report.sizes[0].batchP50Us).toBeGreaterThan(0);
  expect(report.contacts).toHaveLength(4);
  for (const row of report.contacts) expect(row.contacts).toBeGreaterThan(0.85 * row.points);
  expect(report.bars.map((bar: { met: boolean }) => typeof bar.met)).not.toContain('undefined');
  expect(readFileSync(plot, 'utf8')).toContain('<svg');
});

test('the benchmark of deformable bodies solves 30 contacts, and other solvers answer the same problems', {
  timeout: 300_000,
}, () => {
  const report = bench('deformable', '--quick', '--replays', '1', '--out', folder);
  expect(report.contacts.map((row: { friction: number }) => row.friction)).toEqual([0.2, 0.2, 0]);
  for (const row of report.contacts) {
    expect(row.contacts).toBe(30);
    expect(row.cycles).toBeGreaterThan(100);
    expect(row.meanPressing).toBeGreaterThan(2);
    const { contacts, delassus, solve, motion } = row.shares;
    expect(contacts + delassus + solve + motion).toBeCloseTo(1, 9);
    expect(Math.min(contacts, delassus, solve, motion)).toBeGreaterThan(0);
  }
  const [size] = report.sizes;
  expect(Math.abs(size.touchable - 1000)).toBeLessThan(100);
  const residuals = Object.fromEntries(
    report.solvers.map((row: { solver: string; worstResidual: number }) => [row.solver, row.worstResidual]),
  );
  expect(residuals['Newton, exact cone to 1e-12']).toBeLessThan(1e-10);
  expect(residuals['sweeps, exact']).toBeLessThan(1e-4);
  expect(report.bars.map((bar: { met: boolean }) => typeof bar.met)).toEqual(['boolean', 'boolean']);
  for (const plot of ['deformable-contacts.svg', 'deformable-nodes.svg']) {
    expect(readFileSync(join(folder, plot), 'utf8')).toContain('<svg');
  }
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

test('the loop is measured beside an empty one', { timeout: 120_000 }, () => {
  const plot = join(folder, 'servo.svg');
  const report = bench('servo', '--seconds', '2', '--load', 'none', '--plot', plot);
  expect(report.rateHz).toBe(1000);
  expect(report.loops.map((row: { loop: string }) => row.loop)).toEqual(['empty', 'palpable']);
  for (const row of report.loops) {
    expect(row.cycles).toBeGreaterThan(0);
    expect(row.missedAtWork).toBeLessThanOrEqual(row.missed);
    for (const { p50, p99, p999, max } of [row.late, row.compute, row.method, row.ownCompute]) {
      const rising = [0, p50, p99, p999, max];
      expect(rising.every(Number.isFinite)).toBe(true);
      expect(rising).toEqual(rising.toSorted((a, b) => a - b));
    }
    expect(row.ownCompute.max).toBeLessThanOrEqual(row.compute.max);
    expect(row.collections).toBeGreaterThanOrEqual(0);
    expect(row.lateCurve.at(-1)).toEqual([row.cycles, row.late.max]);
  }
  const [empty, ours] = report.loops;
  expect(empty.method.max).toBe(0);
  expect(ours.method.p50).toBeGreaterThan(0);
  expect(readFileSync(plot, 'utf8')).toContain('<svg');
});
