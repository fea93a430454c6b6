import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { readMesh } from '../mesh/read-mesh.js';
import { buildShell } from './build-shell.js';
import type { PointShell } from './point-shell.js';
import { validateShell } from './validate-shell.js';

/** The query that `PointShell` describes, against the half-space below a plane; returns the points it sampled. */
function visitedPoints(shell: PointShell, heights: Float64Array, margin: number): number[] {
  const visited: number[] = [];
  let active = Array.from({ length: shell.rootCount }, (_, i) => i);
  while (active.length > 0) {
    visited.push(...active);
    const next: number[] = [];
    for (const p of active) {
      if (heights[p] > margin + shell.radius[p]) continue;
      for (let c = shell.childStart[p]; c < shell.childStart[p] + shell.childCount[p]; c++) {
        if (heights[p] > margin + shell.reach[c]) break;
        next.push(c);
      }
    }
    active = next;
  }
  return visited;
}

/** Heights of the points above a plane of random direction that exactly `contacts` points touch or pass. */
function heightsWithContacts(shell: PointShell, contacts: number, random: () => number): Float64Array {
  const direction = [random() - 0.5, random() - 0.5, random() - 0.5];
  const length = Math.hypot(...direction);
  const heights = Float64Array.from({ length: shell.count }, (_, i) =>
    direction.reduce((sum, component, axis) => sum + (component / length) * shell.points[3 * i + axis], 0),
  );
  const plane = heights.toSorted()[contacts - 1];
  return heights.map((height) => height - plane);
}

const bunnyFile = new URL('../../../../scenes/meshes/bunny.obj', import.meta.url);
const bunny = await readMesh(readFileSync(bunnyFile), { fileName: 'bunny.obj' });

describe("the tree of the bunny's shell", () => {
  const shell = buildShell(bunny.mesh, { count: 5600 });

  it('is sound', () => {
    expect(validateShell(shell)).toEqual([]);
  });

  it('finds exactly the points that brute force finds, at any depth (seed 21)', () => {
    const random = createRandom(21);
    for (let trial = 0; trial < 300; trial++) {
      const heights = heightsWithContacts(shell, 1 + Math.floor(random() * shell.count), random);
      const margin = trial % 3 === 0 ? 0 : random() * shell.spacing;
      const found = visitedPoints(shell, heights, margin).filter((i) => heights[i] <= margin);
      const expected = [...heights.keys()].filter((i) => heights[i] <= margin);
      expect(found.sort((a, b) => a - b)).toEqual(expected);
    }
  });

  // The work of a query with few contacts; a regression of the tree shows here before any clock does.
  it.each([
    { contacts: 30, most: 350 },
    { contacts: 100, most: 750 },
    { contacts: 1000, most: 1700 },
  ])('samples at most $most of 5,600 points on average for $contacts contacts (seed 22)', ({ contacts, most }) => {
    const random = createRandom(22);
    const trials = 60;
    let visits = 0;
    for (let trial = 0; trial < trials; trial++) {
      visits += visitedPoints(shell, heightsWithContacts(shell, contacts, random), shell.spacing).length;
    }
    expect(visits / trials).toBeLessThan(most);
  });

  it('has levels of about a quarter of the next, down to a handful of roots', () => {
    const ends = [...shell.levelEnds];
    expect(ends[0]).toBeLessThanOrEqual(12);
    for (let level = 1; level < ends.length; level++) {
      expect(ends[level] / ends[level - 1]).toBeGreaterThan(2.5);
      expect(ends[level] / ends[level - 1]).toBeLessThan(6);
    }
  });
});
