import { describe, expect, it } from 'vitest';
import { GrowableUint32 } from './growable.js';
import { PolygonTriangulator } from './polygon.js';

/** Cuts a polygon given by x, y; returns triangles and the sum of their signed areas. */
function cut(points: readonly (readonly [number, number])[], lift = (x: number, y: number) => [x, y, 0]) {
  const positions = Float64Array.from(points.flatMap(([x, y]) => lift(x, y)));
  const out = new GrowableUint32();
  const triangulator = new PolygonTriangulator(positions, out);
  triangulator.add(Uint32Array.from(points.keys()), 0, points.length);
  const triangles = out.take();
  const areas: number[] = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [points[triangles[i]], points[triangles[i + 1]], points[triangles[i + 2]]];
    areas.push(((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2);
  }
  return { triangles, areas, total: areas.reduce((sum, area) => sum + area, 0), fanned: triangulator.fanned };
}

const arrow = [[0, 0], [2, 1], [0, 2], [1, 1]] as const; // biome-ignore format: a shape

describe('cutting polygons into triangles', () => {
  it.each([
    ['a convex quad', [[0, 0], [1, 0], [1, 1], [0, 1]], 1], // biome-ignore format: a shape
    ['a concave quad', arrow, 1],
    ['an L', [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], 3], // biome-ignore format: a shape
    ['a square with points on its edges', [[0, 0], [1, 0], [2, 0], [2, 2], [1, 2], [0, 2]], 4], // biome-ignore format: a shape
    [
      'a square with a square hole reached through a doubled edge',
      [[0, 0], [4, 0], [4, 4], [0, 4], [0, 0], [1, 1], [1, 3], [3, 3], [3, 1], [1, 1]], // biome-ignore format: a shape
      12,
    ],
  ] as const)('cuts %s without turning any triangle round', (_, points, area) => {
    const { triangles, areas, total } = cut(points);
    expect(triangles).toHaveLength((points.length - 2) * 3);
    expect(Math.min(...areas)).toBeGreaterThanOrEqual(0);
    expect(total).toBeCloseTo(area, 12);
  });

  it.each([
    ['seen from behind', (x: number, y: number) => [x, -y, 3]],
    ['in the x-z plane', (x: number, y: number) => [y, 7, x]],
    ['in the y-z plane', (x: number, y: number) => [-5, x, y]],
    ['tilted and far from the origin', (x: number, y: number) => [1e5 + x + y, 2e5 + x - y, 0.3 * x]],
  ])('cuts a concave polygon %s', (_, lift) => {
    const { areas, total } = cut(arrow, lift);
    expect(Math.min(...areas)).toBeGreaterThan(0);
    expect(total).toBeCloseTo(1, 12);
  });

  it('ends on polygons that cross themselves or have no area', () => {
    expect(cut([[0, 0], [1, 1], [1, 0], [0, 1]]).triangles).toHaveLength(6); // biome-ignore format: a shape
    expect(cut(Array.from({ length: 9 }, () => [1, 1] as const)).triangles).toHaveLength(21);
  });

  it('cuts a comb of 1,000 corners with care, and one of 30,000 as a fan instead of taking minutes', () => {
    const comb = (teeth: number) => {
      const upper = Array.from({ length: teeth }, (_, i) => [i, i % 2 ? 1 : 100] as const);
      return [...upper, ...upper.map(([x]) => [x, -1] as const).reverse()].reverse();
    };
    const small = cut(comb(500));
    expect(small.fanned).toBe(0);
    expect(Math.min(...small.areas)).toBeGreaterThanOrEqual(0);
    const large = cut(comb(15_000));
    expect(large.fanned).toBe(1);
    expect(large.triangles).toHaveLength(29_998 * 3);
  });
});
