import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { edgesAsMesh, findOpenEdges } from '../mesh/open-edges.js';
import { createBox, createSphere } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { brickCentreDistance, brickDistances, createBrickWorkspace } from './brick-distances.js';
import { BrickSigner } from './brick-signs.js';
import { BRICK_CELLS, BRICK_NODES, BRICK_SIZE, type FieldGrid, nodeCoordinate } from './distance-field.js';
import { buildTriangleTree } from './triangle-tree.js';

type Vector = readonly [number, number, number];

/** Signed distances of one brick; for an open mesh with the signs of its winding number. */
function signedBrick(mesh: TriangleMesh, grid: FieldGrid): Float64Array {
  const surface = buildTriangleTree(mesh);
  const openEdges = findOpenEdges(mesh);
  const signer = new BrickSigner({
    winding: surface,
    openEdges: openEdges.length > 0 ? buildTriangleTree(edgesAsMesh(mesh, openEdges)) : null,
  });
  const workspace = createBrickWorkspace(surface);
  const values = new Float64Array(BRICK_SIZE);
  const centre = brickCentreDistance(surface, workspace, grid, 0, 0, 0);
  brickDistances(values, surface, workspace, grid, 0, 0, 0, centre, 5 * grid.voxelSize);
  signer.sign(values, grid, 0, 0, 0);
  return values;
}

function wrongNodes(values: Float64Array, grid: FieldGrid, isInside: (p: Vector) => boolean | undefined): number {
  let wrong = 0;
  values.forEach((value, node) => {
    const inside = isInside([
      nodeCoordinate(grid, 0, node % BRICK_NODES),
      nodeCoordinate(grid, 1, Math.floor(node / BRICK_NODES) % BRICK_NODES),
      nodeCoordinate(grid, 2, Math.floor(node / (BRICK_NODES * BRICK_NODES))),
    ]);
    if (inside !== undefined && inside !== value < 0) wrong += 1;
  });
  return wrong;
}

function gridAround(centre: readonly number[], voxelSize: number): FieldGrid {
  const half = (BRICK_CELLS / 2) * voxelSize;
  return { voxelSize, origin: Float64Array.from(centre, (value) => value - half), cells: Int32Array.of(1, 1, 1) };
}

describe('the signs of a brick', () => {
  // A face between two layers of nodes makes their distances add up to the step to the last bit, or one more or less.
  it('are right on both sides of faces that lie along the grid (seed 1)', () => {
    const random = createRandom(1);
    for (let n = 0; n < 300; n += 1) {
      const size = [0.1 + random(), 0.1 + random(), 0.1 + random()] as const;
      const away = 10 ** (6 * random() - 2);
      const centre = [away * (random() - 0.5), away * (random() - 0.5), away * (random() - 0.5)];
      const box = createBox(...size);
      const mesh = { positions: box.positions.map((value, i) => value + centre[i % 3]), triangles: box.triangles };
      const grid = gridAround(
        centre.map((value, axis) => value + (random() - 0.5) * size[axis]),
        0.01 + 0.1 * random(),
      );
      const wrong = wrongNodes(signedBrick(mesh, grid), grid, (p) => {
        const outside = Math.max(...p.map((value, axis) => Math.abs(value - centre[axis]) - size[axis] / 2));
        return Math.abs(outside) < 1e-6 * grid.voxelSize ? undefined : outside < 0;
      });
      expect(wrong, `box ${n}: ${size} at ${centre}`).toBe(0);
    }
  });

  it('are right where sheets thinner than a voxel part the brick', () => {
    const plate = createBox(2, 2, 0.004);
    const grid = gridAround([0.003, 0.002, 0], 0.1);
    const wrong = wrongNodes(signedBrick(plate, grid), grid, (p) => Math.abs(p[2]) < 0.002);
    expect(wrong).toBe(0);
  });

  it('are right inside, outside and across a sphere', () => {
    const sphere = createSphere(1, 24);
    for (const centre of [
      [0, 0, 0],
      [3, 0, 0],
      [0.6, 0.5, 0.6],
      [1, 0, 0],
    ]) {
      const grid = gridAround(centre, 0.05);
      const wrong = wrongNodes(signedBrick(sphere, grid), grid, (p) => {
        const distance = Math.hypot(...p) - 1;
        return Math.abs(distance) < 0.002 ? undefined : distance < 0;
      });
      expect(wrong, `around ${centre}`).toBe(0);
    }
  });

  it('change in the plane of an opening, where no triangle is', () => {
    const box = createBox(1, 1, 1);
    // Without its upper face: the winding number is 0.5 on a surface over the opening.
    const keep = (t: number) => [0, 1, 2].some((corner) => box.positions[3 * box.triangles[t + corner] + 2] < 0);
    const starts = Array.from({ length: box.triangles.length / 3 }, (_, n) => 3 * n).filter(keep);
    const open = {
      positions: box.positions,
      triangles: Uint32Array.from(starts.flatMap((t) => [...box.triangles.subarray(t, t + 3)])),
    };
    expect(open.triangles.length).toBe(30);
    const grid = gridAround([0.01, 0.02, 0.5], 0.05);
    const wrong = wrongNodes(signedBrick(open, grid), grid, ([, , z]) =>
      Math.abs(z - 0.5) < 1e-3 ? undefined : z < 0.5,
    );
    expect(wrong).toBe(0);
  });

  it.each([
    ['closed', 36],
    ['open', 30],
  ])('are those of a brick by itself where the bricks before it have been signed: %s', (_, corners) => {
    const box = createBox(1, 1, 1);
    const mesh = { positions: box.positions, triangles: box.triangles.slice(0, corners) };
    const surface = buildTriangleTree(mesh);
    const openEdges = findOpenEdges(mesh);
    const source = {
      winding: surface,
      openEdges: openEdges.length > 0 ? buildTriangleTree(edgesAsMesh(mesh, openEdges)) : null,
    };
    const grid = { ...gridAround([0.31, 0.33, 0.35], 0.045), cells: Int32Array.of(2, 2, 2) };
    const sign = (signer: BrickSigner, cell: number) => {
      const workspace = createBrickWorkspace(surface);
      const values = new Float64Array(BRICK_SIZE);
      const [i, j, k] = [cell & 1, (cell >> 1) & 1, cell >> 2];
      const centre = brickCentreDistance(surface, workspace, grid, i, j, k);
      brickDistances(values, surface, workspace, grid, i, j, k, centre, 5 * grid.voxelSize);
      signer.sign(values, grid, i, j, k);
      return [...values];
    };
    const signer = new BrickSigner(source);
    const together = Array.from({ length: 8 }, (_, cell) => sign(signer, cell));
    together.forEach((values, cell) => {
      expect(values, `cell ${cell}`).toEqual(sign(new BrickSigner(source), cell));
    });
    expect(together.flat().some((value) => value < 0)).toBe(true);
    expect(together.flat().some((value) => value > 0)).toBe(true);
  });
});
