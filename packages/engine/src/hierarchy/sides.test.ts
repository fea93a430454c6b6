import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { createTreeWorkspace, nearestDistanceSquared, windingNumber } from '../field/tree-query.js';
import { buildTriangleTree, type TriangleTree } from '../field/triangle-tree.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import { meshBounds, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { Sides } from './sides.js';
import { wholeTriangles } from './whole-triangles.js';

function moved({ positions, triangles }: TriangleMesh, x: number, y: number, z: number): TriangleMesh {
  return { positions: positions.map((value, n) => value + [x, y, z][n % 3]), triangles };
}

function joined(...parts: readonly TriangleMesh[]): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const part of parts) {
    for (const vertex of part.triangles) triangles.push(vertex + positions.length / 3);
    positions.push(...part.positions);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

const inverted = ({ positions, triangles }: TriangleMesh) => ({ positions, triangles: triangles.slice().reverse() });

const wholeOf = (mesh: TriangleMesh) => wholeTriangles(mesh, buildTriangleTree(mesh));
const countOf = (whole: Uint8Array) => whole.reduce((sum, one) => sum + one, 0);
/** By exact sum, at what no rounding of dipoles can reach. */
const exactInside = (tree: TriangleTree, x: number, y: number, z: number) =>
  windingNumber(tree, createTreeWorkspace(tree), x, y, z, Number.POSITIVE_INFINITY) > 0.5;

describe('wholeTriangles', () => {
  it.each([
    ['a box', createBox(1, 2, 3), 12],
    ['a torus', createTorus(0.4, 0.1, 24, 12), 576],
    ['a box with flat fans', joined(createBox(1, 1, 1), moved(createBox(1, 1, 1), 3, 0, 0)), 24],
    ['a sphere inside of another', joined(createSphere(1, 4), createSphere(0.5, 4)), 640],
  ])('are all of %s', (_, mesh, count) => {
    expect(countOf(wholeOf(mesh))).toBe(count);
  });

  it('are none of an open mesh', () => {
    const { positions, triangles } = createBox(1, 1, 1);
    expect(countOf(wholeOf({ positions, triangles: triangles.slice(3) }))).toBe(0);
  });

  it('are not those where one box passes through another', () => {
    // The rod leaves through two faces: both triangles of the upper and of the lower one are hit at the diagonal.
    const mesh = joined(createBox(1, 1, 1), createBox(0.1, 0.1, 2));
    const tree = buildTriangleTree(mesh);
    const whole = wholeTriangles(mesh, tree);
    for (let t = 0; t < whole.length; t++) {
      const corners = tree.corners.subarray(9 * t, 9 * t + 9);
      const flat = [2, 5, 8].every((at) => corners[at] === corners[2]);
      const isLarge = Math.abs(corners[0]) === 0.5;
      // Of the block the upper and lower side, of the rod the walls.
      expect(whole[t], `triangle ${t}`).toBe((isLarge && flat) || (!isLarge && !flat) ? 0 : 1);
    }
  });

  it('are not those folded onto their neighbour, nor doubled', () => {
    const sheet = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0),
      triangles: Uint32Array.of(0, 1, 2, 2, 1, 0, 1, 3, 2, 2, 3, 1),
    };
    expect(countOf(wholeOf(sheet))).toBe(0);
    // Triangle 0 1 2 lies on 0 1 3 from another side of the same plane, with only the edge in common.
    const folded = {
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0.5, 1, 0, 0.5, 0.5, 0, 0.5, 0.5, -1),
      triangles: Uint32Array.of(0, 1, 2, 0, 3, 1, 1, 3, 4, 3, 0, 4, 0, 1, 4, 1, 4, 2, 4, 0, 2, 1, 0, 4),
    };
    const tree = buildTriangleTree(folded);
    const whole = wholeTriangles(folded, tree);
    for (let t = 0; t < whole.length; t++) {
      const isFlat = [2, 5, 8].every((at) => tree.corners[9 * t + at] === 0);
      if (isFlat) expect(whole[t], `triangle ${t}`).toBe(0);
    }
  });
});

describe('Sides', () => {
  it.each([
    ['a torus', createTorus(0.4, 0.15, 40, 20)],
    ['a torus through a box', joined(createTorus(0.4, 0.15, 40, 20), createBox(0.5, 0.6, 0.1))],
    ['a cave in a block', joined(createBox(1, 1, 1), inverted(createSphere(0.4, 8)))],
    ['a tube through a sphere, turned inside out', joined(createSphere(0.4, 8), inverted(createBox(0.1, 0.1, 1)))],
  ])('are those of the winding number, at any distance from %s (seed 1)', (_, mesh) => {
    const tree = buildTriangleTree(mesh);
    const workspace = createTreeWorkspace(tree);
    const sides = new Sides(tree, workspace, wholeTriangles(mesh, tree));
    const random = createRandom(1);
    const { min, max } = meshBounds(mesh);
    const seen = [0, 0];
    for (let n = 0; n < 4000; n++) {
      const away = 10 ** (-6 * random());
      const corner = 9 * Math.floor((random() * tree.corners.length) / 9);
      const share = random();
      const [x, y, z] = [0, 1, 2].map((axis) => {
        const place = tree.corners[corner + axis] * share + tree.corners[corner + 3 + axis] * (1 - share);
        return place + away * (max[axis] - min[axis]) * (random() - 0.5);
      });
      nearestDistanceSquared(tree, workspace, x, y, z, Number.POSITIVE_INFINITY);
      const expected = exactInside(tree, x, y, z);
      expect(sides.isInside(x, y, z), `${x} ${y} ${z}`).toBe(expected);
      seen[Number(expected)]++;
    }
    expect(Math.min(...seen)).toBeGreaterThan(500);
  });

  it('do not learn from points on the surface, where rounding says on which face they are', () => {
    const mesh = moved(createSphere(0.5, 12), 0.1, 0.2, 0.3);
    const tree = buildTriangleTree(mesh);
    const workspace = createTreeWorkspace(tree);
    const sides = new Sides(tree, workspace, wholeTriangles(mesh, tree));
    const ask = (x: number, y: number, z: number) => {
      nearestDistanceSquared(tree, workspace, x, y, z, Number.POSITIVE_INFINITY);
      return sides.isInside(x, y, z);
    };
    for (let o = 0; o < tree.corners.length; o += 9) {
      const [x, y, z] = [0, 1, 2].map(
        (axis) => (tree.corners[o + axis] + tree.corners[o + 3 + axis] + tree.corners[o + 6 + axis]) / 3,
      );
      ask(x, y, z);
      expect(ask(x + 1e-3 * (0.1 - x), y + 1e-3 * (0.2 - y), z + 1e-3 * (0.3 - z))).toBe(true);
      expect(ask(x - 1e-3 * (0.1 - x), y - 1e-3 * (0.2 - y), z - 1e-3 * (0.3 - z))).toBe(false);
    }
  });
});
