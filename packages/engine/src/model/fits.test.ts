import { describe, expect, it } from 'vitest';
import { createTreeWorkspace, nearestDistanceSquared, windingNumber } from '../field/tree-query.js';
import { buildTriangleTree } from '../field/triangle-tree.js';
import { createBox } from '../mesh/shapes.js';
import { meshBounds, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildShell } from '../shell/build-shell.js';
import type { PointShell } from '../shell/point-shell.js';
import { buildModel } from './models.js';

/*
 * Whether the parts go together as their documentation says: the points of one in the exact distance of the other, at
 * the poses of the experiments.
 */

type Vector = readonly [number, number, number];

interface Fit {
  /** Points inside the other part. */
  readonly contacts: number;
  /** Smallest signed distance, metres. */
  readonly gap: number;
}

/** Points further off than this do not count, which makes the search quick; gaps are at most this. */
const REACH = 0.006;

/** Tries a shell, shifted, against a mesh. */
function tryOn(shell: PointShell, mesh: TriangleMesh): (shift: Vector) => Fit {
  const tree = buildTriangleTree(mesh);
  const workspace = createTreeWorkspace(tree);
  return ([sx, sy, sz]) => {
    let contacts = 0;
    let gap = REACH;
    for (let i = 0; i < shell.count; i++) {
      const [x, y, z] = [shell.points[3 * i] + sx, shell.points[3 * i + 1] + sy, shell.points[3 * i + 2] + sz];
      const distance = Math.sqrt(nearestDistanceSquared(tree, workspace, x, y, z, REACH * REACH));
      if (distance >= REACH) continue;
      const inside = windingNumber(tree, workspace, x, y, z) > 0.5;
      if (inside) contacts++;
      gap = Math.min(gap, inside ? -distance : distance);
    }
    return { contacts, gap };
  };
}

/** Of the fixed part's shell against a part that is moved: the same as the shell moved the other way. */
function tryMoved(shell: PointShell, mesh: TriangleMesh): (position: Vector) => Fit {
  const fit = tryOn(shell, mesh);
  return ([x, y, z]) => fit([-x, -y, -z]);
}

describe('corner and cube', () => {
  const shell = buildShell(buildModel('corner'), { count: 7772, seed: 1 });
  const cubeAt = tryMoved(shell, createBox(0.1, 0.1, 0.1));

  it('touch in about 98 points in all three faces and about 70 in two', () => {
    expect(Math.abs(cubeAt([0.0499, 0.0499, 0.0499]).contacts - 98)).toBeLessThan(8);
    for (const x of [0.15, 0.25, 0.35]) {
      expect(Math.abs(cubeAt([x, 0.0499, 0.0499]).contacts - 70)).toBeLessThan(14);
    }
  });

  it('has its inner faces where it says', () => {
    expect(cubeAt([0.05 + 1e-9, 0.05 + 1e-9, 0.05 + 1e-9]).contacts).toBe(0);
    expect(cubeAt([0.051, 0.051, 0.051]).gap).toBeCloseTo(0.001, 6);
  });

  it('has a shell of nested levels', () => {
    expect(shell.count).toBe(7772);
    expect([...shell.levelEnds]).toEqual([6, 25, 105, 442, 1854, 7772]);
  });
});

describe('peg and hole', () => {
  it.each([
    ['peg', 'peg-hole'],
    ['round-peg', 'round-hole'],
  ])('%s is too wide for %s by one part in a hundred', (peg, hole) => {
    const width = meshBounds(buildModel(peg)).max[0];
    const { positions } = buildModel(hole);
    let holeWidth = Number.POSITIVE_INFINITY;
    for (let i = 0; i < positions.length; i += 3) {
      // Vertices of the hole, along x: for the round one those on the axis.
      if (Math.abs(positions[i]) > 0.02) holeWidth = Math.min(holeWidth, Math.abs(positions[i]));
    }
    if (peg === 'peg') expect(holeWidth).toBeCloseTo(0.99 * width, 12);
    const onAxis = [...positions.keys()].filter((i) => i % 3 === 0 && Math.abs(positions[i + 1]) < 1e-12);
    if (peg === 'round-peg') {
      expect(Math.min(...onAxis.map((i) => Math.abs(positions[i])))).toBeCloseTo(0.99 * width, 12);
    }
  });

  it('overlap by 0.25 mm on each side', () => {
    const shell = buildShell(buildModel('peg'), { count: 672, seed: 1 });
    const at = tryOn(shell, buildModel('peg-hole'));
    expect(shell.levelEnds.length).toBe(4);
    expect(at([0, 0, 0.08]).gap).toBeCloseTo(0.005, 4);
    const inserted = at([0, 0, -0.025]);
    expect(inserted.contacts).toBeGreaterThan(300);
    // Deepest near the edges, where both overlaps add up.
    expect(-inserted.gap).toBeGreaterThan(0.000249);
    expect(-inserted.gap).toBeLessThan(0.00025 * Math.SQRT2 + 1e-9);
  });
});

describe('starter motor and engine', () => {
  const shell = buildShell(buildModel('starter-motor'), { count: 8517, seed: 1 });
  const at = tryOn(shell, buildModel('engine-block'));

  it('slides on the ledge with about 50 contacts, and some on its edges', () => {
    for (const x of [-0.13, -0.1, -0.075]) {
      expect(at([x, 0.2, 0.1096]).gap).toBeCloseTo(0.0001, 6);
      const { contacts, gap } = at([x, 0.2, 0.1094]);
      expect(contacts).toBeGreaterThan(40);
      expect(contacts).toBeLessThan(70);
      expect(gap).toBeCloseTo(-0.0001, 6);
    }
  });

  it('goes in along x and has 0.4 mm of clearance there', () => {
    for (const x of [-0.045, -0.03, -0.02, -0.01, -0.005, -0.0005]) {
      const { gap } = at([x, 0.2, 0.11]);
      expect(gap).toBeGreaterThan(0.00039);
      expect(gap).toBeLessThan(0.00051);
    }
    for (const shift of [
      [0, 0.0005],
      [0, -0.0005],
      [0.0005, 0],
      [-0.0005, 0],
    ]) {
      const { gap, contacts } = at([-0.0005, 0.2 + shift[0], 0.11 + shift[1]]);
      expect(gap).toBeCloseTo(-0.0001, 5);
      expect(contacts).toBeGreaterThan(20);
    }
  });

  it('meets the bevel when it is held too high', () => {
    expect(at([-0.045, 0.2, 0.114]).contacts).toBe(0);
    expect(at([-0.019, 0.2, 0.114]).contacts).toBe(0);
    expect(at([-0.0186, 0.2, 0.114]).contacts).toBeGreaterThan(10);
  });
});

describe('window motor and car door', () => {
  const shell = buildShell(buildModel('car-door'), { count: 30_017, seed: 1 });
  const at = tryMoved(shell, buildModel('window-motor'));

  it('slides on the panel with about 55 contacts', () => {
    for (const x of [0.32, 0.39, 0.46]) {
      expect(at([x, 0.0022, 0.3]).gap).toBeCloseTo(0.0002, 5);
      const { contacts, gap } = at([x, 0.0018, 0.3]);
      expect(Math.abs(contacts - 55)).toBeLessThan(11);
      expect(gap).toBeCloseTo(-0.0002, 5);
    }
  });

  it('goes through the service opening without touching, but not much room is left', () => {
    for (let y = 0.03; y >= -0.09; y -= 0.01) expect(at([0.605, y, 0.25]).gap).toBeGreaterThan(0.003);
    expect(at([0.605, -0.006, 0.26]).contacts).toBeGreaterThan(0);
    expect(at([0.617, -0.015, 0.25]).contacts).toBeGreaterThan(0);
  });
});
