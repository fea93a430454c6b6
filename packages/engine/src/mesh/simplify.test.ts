import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { createTreeWorkspace, nearestDistanceSquared } from '../field/tree-query.js';
import { buildTriangleTree } from '../field/triangle-tree.js';
import { auditMesh } from './audit.js';
import { createBox, createSphere, createTorus } from './shapes.js';
import { simplifyMesh } from './simplify.js';
import { subdivideMesh } from './subdivide.js';
import { createMesh, type TriangleMesh, triangleCount } from './triangle-mesh.js';

/** Largest distance of random points of one mesh from the other. */
function distanceTo(from: TriangleMesh, to: TriangleMesh): number {
  const tree = buildTriangleTree(to);
  const workspace = createTreeWorkspace(tree);
  const random = createRandom(3);
  let furthest = 0;
  for (let t = 0; t < triangleCount(from); t++) {
    for (let sample = 0; sample < 5; sample++) {
      const u = Math.sqrt(random());
      const v = random();
      const weights = [1 - u, u * (1 - v), u * v];
      const point = [0, 1, 2].map((axis) =>
        weights.reduce((sum, w, corner) => sum + w * from.positions[3 * from.triangles[3 * t + corner] + axis], 0),
      );
      furthest = Math.max(furthest, nearestDistanceSquared(tree, workspace, point[0], point[1], point[2], Infinity));
    }
  }
  return Math.sqrt(furthest);
}

const wavySheet = (cells: number): TriangleMesh => {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= cells; i++) {
    for (let j = 0; j <= cells; j++) positions.push(i / cells, j / cells, 0.05 * Math.sin((6 * i) / cells));
  }
  const at = (i: number, j: number) => i * (cells + 1) + j;
  for (let i = 0; i < cells; i++) {
    for (let j = 0; j < cells; j++) {
      triangles.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return createMesh(Float64Array.from(positions), Uint32Array.from(triangles));
};

describe('simplifyMesh', () => {
  it('reaches the triangles asked for and keeps a torus closed, of one hole and in place', () => {
    const torus = createTorus(0.05, 0.02, 48, 24);
    const simple = simplifyMesh(torus, { triangles: 400 });
    expect(triangleCount(simple)).toBe(400);
    const audit = auditMesh(simple);
    expect(audit.closed).toBe(true);
    // Euler's V − E + F = V − F/2 is 0 for one hole.
    expect(simple.positions.length / 3 - triangleCount(simple) / 2).toBe(0);
    expect(audit.volume).toBeGreaterThan(0.9 * auditMesh(torus).volume);
    expect(distanceTo(simple, torus)).toBeLessThan(2e-3);
    expect(distanceTo(torus, simple)).toBeLessThan(2e-3);
  });

  it('takes everything from a flat side and nothing from the shape', () => {
    const cube = simplifyMesh(subdivideMesh(createBox(1, 1, 1), 3000), { deviation: 1e-6 });
    expect(triangleCount(cube)).toBe(12);
    expect(auditMesh(cube).volume).toBeCloseTo(1, 9);
  });

  it('stays within the deviation', () => {
    const sphere = createSphere(1, 12);
    for (const deviation of [0.01, 0.03, 0.1]) {
      const simple = simplifyMesh(sphere, { deviation });
      expect(triangleCount(simple)).toBeLessThan(triangleCount(sphere));
      expect(auditMesh(simple).closed).toBe(true);
      expect(distanceTo(simple, sphere)).toBeLessThan(2 * deviation);
      expect(distanceTo(sphere, simple)).toBeLessThan(2 * deviation);
    }
  });

  it('keeps the border to the bit and turns no triangle over', () => {
    const sheet = wavySheet(30);
    const simple = simplifyMesh(sheet, { triangles: 200 });
    expect(triangleCount(simple)).toBeLessThanOrEqual(200);
    const corners = new Set<string>();
    for (let i = 0; i < simple.positions.length; i += 3) corners.add(simple.positions.slice(i, i + 3).join());
    for (let i = 0; i < sheet.positions.length; i += 3) {
      const [x, y] = [sheet.positions[i], sheet.positions[i + 1]];
      if (x === 0 || x === 1 || y === 0 || y === 1) {
        expect(corners.has(sheet.positions.slice(i, i + 3).join())).toBe(true);
      }
    }
    for (let t = 0; t < simple.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((corner) => 3 * simple.triangles[t + corner]);
      const p = simple.positions;
      expect((p[b] - p[a]) * (p[c + 1] - p[a + 1]) - (p[b + 1] - p[a + 1]) * (p[c] - p[a])).toBeGreaterThan(0);
    }
  });

  it('stops where nothing can be taken away: a tetrahedron stays one', () => {
    const cube = simplifyMesh(createSphere(1, 4), { triangles: 0 });
    expect(triangleCount(cube)).toBeGreaterThanOrEqual(4);
    expect(auditMesh(cube).closed).toBe(true);
  });

  it('leaves seams of three triangles alone', () => {
    const positions = Float64Array.from([0, 0, 0, 0, 0, 1, 1, 0, 0.5, -1, 1, 0.5, -1, -1, 0.5]);
    const fan = createMesh(positions, Uint32Array.of(0, 1, 2, 0, 1, 3, 0, 1, 4));
    expect(triangleCount(simplifyMesh(fan, { triangles: 0 }))).toBe(3);
  });

  it('refuses options that mean nothing, and stops when cancelled', () => {
    const box = createBox(1, 1, 1);
    expect(() => simplifyMesh(box, {})).toThrow('neither');
    expect(() => simplifyMesh(box, { triangles: -1 })).toThrow('whole number');
    expect(() => simplifyMesh(box, { deviation: Number.NaN })).toThrow('metres');
    expect(() => simplifyMesh(box, { triangles: 4 }, { signal: { aborted: true } })).toThrow('cancelled');
  });
});
