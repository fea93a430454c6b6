import { describe, expect, it } from 'vitest';
import { edgesAsMesh, findOpenEdges } from '../mesh/open-edges.js';
import { createBox, createSphere } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { extractCaps } from './cap-openings.js';
import { BRICK_SIZE, cellCount, type FieldGrid } from './distance-field.js';
import { fieldJob } from './field-job.js';
import { buildTriangleTree } from './triangle-tree.js';

/** The caps of a mesh as it is, without lids, with bricks in all cells of a grid of 3 × 3 × 3. */
function capsOf(mesh: TriangleMesh, grid: FieldGrid): TriangleMesh {
  const surface = buildTriangleTree(mesh);
  const edges = findOpenEdges(mesh);
  const openEdges = edges.length > 0 ? buildTriangleTree(edgesAsMesh(mesh, edges)) : null;
  const everywhere = Number.POSITIVE_INFINITY;
  const run = fieldJob.open({
    grid,
    surface,
    winding: surface,
    openEdges,
    caps: null,
    keepDistance: everywhere,
    band: everywhere,
  });
  const cells = Int32Array.from({ length: cellCount(grid) }, (_, n) => n);
  const { values } = run({ kind: 'bricks', cells, forced: true });
  const bricks = new Map([...cells].map((cell) => [cell, values.subarray(cell * BRICK_SIZE, (cell + 1) * BRICK_SIZE)]));
  return extractCaps(grid, surface, bricks);
}

function area({ positions, triangles }: TriangleMesh): number {
  let total = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => positions.subarray(3 * triangles[t + n], 3 * triangles[t + n] + 3));
    const [u, v] = [b, c].map((corner) => [0, 1, 2].map((axis) => corner[axis] - a[axis]));
    total += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return total;
}

describe('caps', () => {
  const voxelSize = 1 / 16;
  const grid: FieldGrid = {
    voxelSize,
    // Off the middle, so that no node lies in the plane of the opening.
    origin: Float64Array.of(-0.76, -0.74, -0.73),
    cells: Int32Array.of(3, 3, 3),
  };

  it('are none on a closed mesh', () => {
    expect(capsOf(createBox(1, 1, 1), grid).triangles.length).toBe(0);
    expect(capsOf(createSphere(0.6, 8), grid).triangles.length).toBe(0);
  });

  it('span an opening where the winding number is 0.5', () => {
    const box = createBox(1, 1, 1);
    const upper = (t: number) => [0, 1, 2].every((n) => box.positions[3 * box.triangles[t + n] + 2] > 0);
    const starts = Array.from({ length: 12 }, (_, n) => 3 * n).filter((t) => !upper(t));
    const open = {
      positions: box.positions,
      triangles: Uint32Array.from(starts.flatMap((t) => [...box.triangles.subarray(t, t + 3)])),
    };
    const caps = capsOf(open, grid);
    for (let v = 0; v < caps.positions.length; v += 3) {
      const [x, y, z] = caps.positions.subarray(v, v + 3);
      expect(Math.abs(z - 0.5)).toBeLessThan(0.3 * voxelSize);
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThan(0.5 + voxelSize);
    }
    // All of the opening but a border of about two voxels, where the mesh itself is near enough.
    expect(area(caps)).toBeGreaterThan((1 - 4 * voxelSize) ** 2);
    expect(area(caps)).toBeLessThan(1.05);
  });
});
