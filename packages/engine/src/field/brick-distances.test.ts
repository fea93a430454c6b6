import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { offsetFromTriangle } from '../math/closest-point.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { brickCentreDistance, brickDistances, createBrickWorkspace } from './brick-distances.js';
import { BRICK_CELLS, BRICK_NODES, BRICK_SIZE, type FieldGrid, nodeCoordinate } from './distance-field.js';
import { buildTriangleTree, type TriangleTree } from './triangle-tree.js';

/** Every third one a needle, every seventh a point. */
function roughTriangles(count: number, seed: number): TriangleMesh {
  const random = createRandom(seed);
  const positions = new Float64Array(9 * count);
  for (let t = 0; t < count; t += 1) {
    const size = 10 ** (-2 * random());
    const centre = [random(), random(), random()];
    const p = positions.subarray(9 * t, 9 * t + 9);
    for (let n = 0; n < 9; n += 1) p[n] = centre[n % 3] - 0.5 + size * (random() - 0.5);
    if (t % 3 === 0)
      for (let axis = 0; axis < 3; axis += 1) p[6 + axis] = (p[axis] + p[3 + axis]) / 2 + 1e-8 * random();
    if (t % 7 === 0) p.copyWithin(3, 0, 3).copyWithin(6, 0, 3);
  }
  return { positions, triangles: Uint32Array.from({ length: 3 * count }, (_, n) => n) };
}

/** What a brick says and what a loop over all triangles says, and the error that the brick admits. */
function measure(tree: TriangleTree, grid: FieldGrid, [ci, cj, ck]: readonly number[], band: number) {
  const workspace = createBrickWorkspace(tree);
  const values = new Float64Array(BRICK_SIZE);
  const centre = brickCentreDistance(tree, workspace, grid, ci, cj, ck);
  const error = brickDistances(values, tree, workspace, grid, ci, cj, ck, centre, band);
  const exact = new Float64Array(BRICK_SIZE);
  const out = new Float64Array(3);
  for (let node = 0; node < BRICK_SIZE; node += 1) {
    const x = nodeCoordinate(grid, 0, BRICK_CELLS * ci + (node % BRICK_NODES));
    const y = nodeCoordinate(grid, 1, BRICK_CELLS * cj + (Math.floor(node / BRICK_NODES) % BRICK_NODES));
    const z = nodeCoordinate(grid, 2, BRICK_CELLS * ck + Math.floor(node / (BRICK_NODES * BRICK_NODES)));
    let nearest = Number.POSITIVE_INFINITY;
    for (let o = 0; o < tree.corners.length; o += 9) {
      nearest = Math.min(nearest, offsetFromTriangle(out, tree.corners, o, x, y, z));
    }
    exact[node] = Math.sqrt(nearest);
  }
  return { values, exact, error, measured: workspace.measured };
}

/** The largest error over all nodes of a brick that has to be exact everywhere, in voxels. */
function worstError(tree: TriangleTree, grid: FieldGrid, cell: readonly number[]): number {
  const { values, exact, error } = measure(tree, grid, cell, Number.POSITIVE_INFINITY);
  if (error !== 0) throw new Error(`An exact brick admits an error of ${error}.`);
  return values.reduce((worst, value, node) => Math.max(worst, Math.abs(value - exact[node])), 0) / grid.voxelSize;
}

const shapes: readonly (readonly [string, TriangleMesh])[] = [
  ['one triangle', roughTriangles(2, 1)],
  ['rough triangles, seed 2', roughTriangles(300, 2)],
  ['box', createBox(1, 1, 1)],
  ['sphere', createSphere(0.5, 6)],
  ['torus', createTorus(0.4, 0.1, 24, 12)],
];

describe('the distances of a brick', () => {
  // Voxels much larger, about as large and much smaller than the triangles.
  it.each(shapes.flatMap(([name, mesh]) => [0.1, 0.02, 0.003].map((voxelSize) => [name, voxelSize, mesh] as const)))(
    'are those of brute force: %s, voxels of %d m',
    (_, voxelSize, mesh) => {
      const tree = buildTriangleTree(mesh);
      const random = createRandom(3);
      for (let n = 0; n < 8; n += 1) {
        const origin = Float64Array.from({ length: 3 }, () => 0.6 * (random() - 0.5) - 1.5 * BRICK_CELLS * voxelSize);
        const grid = { voxelSize, origin, cells: Int32Array.of(4, 4, 4) };
        expect(worstError(tree, grid, [1, 1, 1]), `origin ${origin}`).toBeLessThan(1e-6);
        expect(worstError(tree, grid, [3, 0, 2]), `origin ${origin}`).toBeLessThan(1e-6);
      }
    },
  );

  it.each(shapes)('are exact within a band, and beyond it no more off than admitted: %s (seed 4)', (_, mesh) => {
    const tree = buildTriangleTree(mesh);
    const random = createRandom(4);
    const voxelSize = 0.03;
    const band = 3 * voxelSize;
    let interpolated = 0;
    for (let n = 0; n < 12; n += 1) {
      const origin = Float64Array.from({ length: 3 }, () => 1.2 * (random() - 0.5) - 0.5 * BRICK_CELLS * voxelSize);
      const grid = { voxelSize, origin, cells: Int32Array.of(1, 1, 1) };
      const { values, exact, error, measured } = measure(tree, grid, [0, 0, 0], band);
      values.forEach((value, node) => {
        const difference = value - exact[node];
        if (exact[node] <= band) expect(Math.abs(difference)).toBeLessThan(1e-9);
        expect(difference).toBeLessThanOrEqual(error + 1e-9);
        // Where the distance has a ridge, what is interpolated is less than exact, but not so that far looks near.
        if (exact[node] > band) expect(value).toBeGreaterThan(band - voxelSize);
        if (Math.abs(difference) > 1e-9) interpolated += 1;
      });
      // All nodes once, and every fourth twice.
      expect(measured).toBeLessThanOrEqual(BRICK_SIZE + 27);
    }
    expect(interpolated).toBeGreaterThan(100);
  });

  it('hold the same numbers as their neighbours on a common face (seed 5)', () => {
    const tree = buildTriangleTree(createTorus(0.4, 0.1, 24, 12));
    const random = createRandom(5);
    for (let n = 0; n < 20; n += 1) {
      const voxelSize = 0.02 + 0.03 * random();
      const origin = Float64Array.from({ length: 3 }, () => 0.8 * (random() - 0.5) - BRICK_CELLS * voxelSize);
      const grid = { voxelSize, origin, cells: Int32Array.of(2, 2, 2) };
      const here = measure(tree, grid, [0, 0, 0], 2 * voxelSize).values;
      for (let axis = 0; axis < 3; axis += 1) {
        const step = BRICK_NODES ** axis;
        const next = measure(
          tree,
          grid,
          [0, 1, 2].map((other) => (other === axis ? 1 : 0)),
          2 * voxelSize,
        ).values;
        for (let node = 0; node < BRICK_SIZE; node += 1) {
          if (Math.floor(node / step) % BRICK_NODES !== BRICK_CELLS) continue;
          expect(next[node - BRICK_CELLS * step], `axis ${axis}, node ${node}`).toBe(here[node]);
        }
      }
    }
  });

  it.each(shapes)(
    'are the same after those before them have been filled, with fewer nodes measured: %s (seed 6)',
    (_, mesh) => {
      const tree = buildTriangleTree(mesh);
      const random = createRandom(6);
      let [alone, together] = [0, 0];
      for (let n = 0; n < 6; n += 1) {
        const voxelSize = 0.01 + 0.03 * random();
        const origin = Float64Array.from({ length: 3 }, () => 0.8 * (random() - 0.5) - BRICK_CELLS * voxelSize);
        const grid = { voxelSize, origin, cells: Int32Array.of(2, 2, 2) };
        const workspace = createBrickWorkspace(tree);
        const band = n % 2 === 0 ? 2 * voxelSize : Number.POSITIVE_INFINITY;
        for (let cell = 0; cell < 8; cell += 1) {
          const place = [cell & 1, (cell >> 1) & 1, cell >> 2] as const;
          const values = new Float64Array(BRICK_SIZE);
          const centre = brickCentreDistance(tree, workspace, grid, ...place);
          const error = brickDistances(values, tree, workspace, grid, ...place, centre, band);
          const expected = measure(tree, grid, place, band);
          expect([...values], `cell ${cell} at ${origin}`).toEqual([...expected.values]);
          expect(error).toBe(expected.error);
          alone += expected.measured;
        }
        together += workspace.measured;
      }
      expect(together).toBeLessThan(0.9 * alone);
    },
  );

  it('are those of brute force where hundreds of triangles are smaller than a voxel', () => {
    const tree = buildTriangleTree(createSphere(0.5, 48));
    const grid = { voxelSize: 0.04, origin: Float64Array.of(0.31, 0.01, 0.02), cells: Int32Array.of(1, 1, 1) };
    expect(tree.corners.length / 9).toBeGreaterThan(40_000);
    expect(worstError(tree, grid, [0, 0, 0])).toBeLessThan(1e-6);
  });

  it('are right where nodes lie on the surface', () => {
    const grid = { voxelSize: 0.125, origin: Float64Array.of(-1, -1, -1), cells: Int32Array.of(2, 2, 2) };
    const tree = buildTriangleTree(createBox(1, 1, 1));
    for (const cell of [0, 1, 2, 3, 4, 5, 6, 7]) {
      expect(worstError(tree, grid, [cell & 1, (cell >> 1) & 1, cell >> 2])).toBe(0);
    }
  });

  it('are right a thousand kilometres from the origin', () => {
    const far = createSphere(0.5, 6);
    const moved = { positions: far.positions.map((value) => value + 1e6), triangles: far.triangles };
    const grid = {
      voxelSize: 0.02,
      origin: Float64Array.of(1e6 - 0.5, 1e6 - 0.4, 1e6 - 0.3),
      cells: Int32Array.of(4, 4, 4),
    };
    // Coordinates there are known to 1e-10 m, 1e-8 voxels.
    expect(worstError(buildTriangleTree(moved), grid, [1, 1, 0])).toBeLessThan(1e-6);
  });
});
