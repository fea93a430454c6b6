import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { PointGrid } from './point-grid.js';

function randomPoints(count: number, extent: number, offset: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: 3 * count }, () => offset + extent * (random() - 0.5));
}

function collected(grid: PointGrid, points: Float64Array, i: number): number[] {
  const count = grid.collect(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  return [...grid.found.subarray(0, count)].sort((a, b) => a - b);
}

function bruteForce(points: Float64Array, subset: Uint32Array, i: number, radius: number): number[] {
  return [...subset].filter((j) => {
    const dx = points[3 * j] - points[3 * i];
    const dy = points[3 * j + 1] - points[3 * i + 1];
    const dz = points[3 * j + 2] - points[3 * i + 2];
    return dx * dx + dy * dy + dz * dz < radius * radius;
  });
}

describe('PointGrid', () => {
  it.each([
    { name: 'around the origin', extent: 1, offset: 0, cell: 0.1 },
    { name: 'at negative coordinates', extent: 1, offset: -7, cell: 0.1 },
    { name: 'in one cell', extent: 1, offset: 0.5, cell: 10 },
    { name: 'scattered over far more cells than 32 bits count', extent: 1e6, offset: 0, cell: 1e-5 },
  ])('finds the same points as brute force $name (seed 11)', ({ extent, offset, cell }) => {
    const points = randomPoints(600, extent, offset, 11);
    const subset = Uint32Array.from({ length: 400 }, (_, i) => i + 100);
    const grid = new PointGrid(points, subset, cell);
    for (let i = 0; i < 600; i++) expect(collected(grid, points, i)).toEqual(bruteForce(points, subset, i, cell));
  });

  it('bounds the work where thousands of points share a place', () => {
    const points = new Float64Array(3 * 50_000);
    const grid = new PointGrid(
      points,
      Uint32Array.from({ length: 50_000 }, (_, i) => i),
      1,
    );
    expect(grid.collect(0, 0, 0)).toBe(1024);
  });
});
