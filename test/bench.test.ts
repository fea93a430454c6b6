import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bench, expectBars, expectFlatHeap, expectWords } from './lib/bench.js';

// The benchmarks as a user starts them, short. What they claim without a clock is checked here; times are not. The long
// ones are in bench.long.test.ts.

const folder = mkdtempSync(join(tmpdir(), 'palpable-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

// Twenty thousand cycles to warm up and as many again show what grows in every tenth cycle; a million, what grows rarely.
test('20,000 query cycles leave the heap flat and wake no garbage collector', () => {
  const report = bench('soak', '--cycles', '20000');
  expect(report.cycles).toBe(20_000);
  expect(report.cyclesInContact).toBeGreaterThan(2000);
  expectFlatHeap(report);
});

test('20,000 cycles with friction, sticking and sliding, leave the heap flat too', () => {
  const report = bench('soak', '--method', 'static-friction', '--cycles', '20000');
  expect(report.method).toBe('static-friction');
  expect(report.cyclesSticking).toBeGreaterThan(2000);
  expect(report.cyclesSliding).toBeGreaterThan(2000);
  expectFlatHeap(report);
});

test('the god object benchmark covers sizes, contacts and both constraints', { timeout: 300_000 }, () => {
  const plot = join(folder, 'god-object.svg');
  const report = bench('god-object', '--replays', '1', '--largest', '250', '--plot', plot);
  const constraints = ['heuristic', 'manifold'];
  expect(report.sizes.map((row: { constraint: string }) => row.constraint)).toEqual(constraints);
  for (const row of report.sizes) expect(row.cycles).toBeGreaterThan(1000);
  expect(report.sizes[0].batchP50Us).toBeGreaterThan(0);
  expect(report.contacts).toHaveLength(2);
  for (const row of report.contacts) expect(row.contacts).toBeGreaterThan(0.85 * row.points);
  expectBars(
    report.bars,
    /^heuristic, bunny of 500 points: steps 2–7, p50$/,
    /^heuristic, bunny of 500 points: steps 2–7, p99$/,
    /^heuristic, peg with \d+ contacts: steps 2–7, p50$/,
    /^heuristic, peg with \d+ contacts: cycle, p50$/,
    /^manifold, peg with \d+ contacts: cycle, p50$/,
  );
  expectWords(plot, 'contacts', 'time, µs (p50)', 'heuristic, whole cycle', 'manifold, whole cycle');
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
  expectBars(
    report.bars,
    /^contact cycle, 30 contacts with friction, \d+ nodes, p50$/,
    /p99$/,
    /^proximity between triangles, \d+ nodes, p50$/,
  );
  expectWords(join(folder, 'deformable-contacts.svg'), 'contacts solved', 'friction, exact', 'no friction');
  expectWords(join(folder, 'deformable-nodes.svg'), 'contact cycle', 'proximity', 'step of all nodes');
});

test('the flagship passes the tests of contact and friction that have an analytic answer', { timeout: 300_000 }, () => {
  const report = bench('physics', '--quick');
  const [flagship] = report.results;
  expect(flagship.measured.length).toBeGreaterThan(12);
  for (const { name, value, truth, tolerance } of flagship.measured) {
    expect(Math.abs(value - truth), name).toBeLessThanOrEqual(tolerance);
  }
  expect(report.missed).toBe(0);
});

test('the field agrees with three-mesh-bvh where it is exact', { timeout: 300_000 }, () => {
  const report = bench('field', '--triangles', '10000', '--resolution', '64', '--peer-nodes', '2000');
  expect(report.triangles).toBeGreaterThanOrEqual(10_000);
  // Values are multiples of 1/4096 of a voxel.
  expect(report.peer.largestDifferenceVoxels).toBeLessThan(1 / 8192 + 1e-6);
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
    expect(row.lateCurve.at(-1)).toEqual([row.cycles, row.late.max]);
  }
  const [empty, ours] = report.loops;
  expect(empty.method.max).toBe(0);
  expect(ours.method.p50).toBeGreaterThan(0);
  expectWords(plot, 'one cycle in so many', 'began later than, µs', 'node, as it is, palpable');
});
