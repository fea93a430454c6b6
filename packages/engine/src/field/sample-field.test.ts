import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { createSphere, createTorus } from '../mesh/shapes.js';
import { buildField } from './build-field.js';
import { BRICK_CELLS, type DistanceField, fieldDimensions } from './distance-field.js';
import { sampleDistance, sampleGradient, sampleVoxelLayer } from './sample-field.js';

type Point = [number, number, number];

let torus: DistanceField;
let sphere: DistanceField;
/** The same sphere ten kilometres away, where a coordinate is known to 2e-12 m. */
let farSphere: DistanceField;
const farAway = [1e4, -1e4, 1e4] as const;
beforeAll(async () => {
  torus = await buildField(createTorus(0.4, 0.12, 48, 24), { resolution: 40 });
  const mesh = createSphere(0.5, 20);
  sphere = await buildField(mesh, { resolution: 40 });
  const positions = mesh.positions.map((value, i) => value + farAway[i % 3]);
  farSphere = await buildField({ positions, triangles: mesh.triangles }, { resolution: 40 });
});

/** In the grid's box enlarged by `margin` of its sides. */
function randomPoint(field: DistanceField, random: RandomSource, margin: number): Point {
  const sides = fieldDimensions(field).map((voxels) => voxels * field.voxelSize);
  const coordinate = (axis: number) => field.origin[axis] + sides[axis] * ((1 + 2 * margin) * random() - margin);
  return [coordinate(0), coordinate(1), coordinate(2)];
}

/** Voxels from the nearest plane of nodes, the smallest of the three axes. */
function distanceToNodePlanes(field: DistanceField, point: Point): number {
  return Math.min(
    ...point.map((value, axis) => {
      const u = (value - field.origin[axis]) / field.voxelSize;
      return Math.abs(u - Math.round(u));
    }),
  );
}

function isOutside(field: DistanceField, point: Point): boolean {
  const sides = fieldDimensions(field).map((voxels) => voxels * field.voxelSize);
  return point.some((value, axis) => value < field.origin[axis] || value > field.origin[axis] + sides[axis]);
}

function centralDifferences(field: DistanceField, point: Point, step: number): Point {
  return point.map((_, axis) => {
    const at = (sign: number) => {
      const moved: Point = [...point];
      moved[axis] += sign * step;
      return sampleDistance(field, ...moved);
    };
    return (at(1) - at(-1)) / (2 * step);
  }) as Point;
}

describe('sampling', () => {
  it('gives the stored values at the nodes', () => {
    const { origin, voxelSize, cells, coarse } = torus;
    let checked = 0;
    for (let k = 0; k <= cells[2]; k += 1) {
      for (let j = 0; j <= cells[1]; j += 1) {
        for (let i = 0; i <= cells[0]; i += 1) {
          const [x, y, z] = [i, j, k].map((n, axis) => origin[axis] + n * BRICK_CELLS * voxelSize);
          const stored = coarse[i + (cells[0] + 1) * (j + (cells[1] + 1) * k)];
          expect(Math.abs(sampleDistance(torus, x, y, z) - stored)).toBeLessThan(1e-9);
          checked += 1;
        }
      }
    }
    expect(checked).toBe(coarse.length);
  });

  it('gives the same value with and without gradient (seed 1)', () => {
    const random = createRandom(1);
    const gradient = new Float64Array(3);
    for (let n = 0; n < 5000; n += 1) {
      const point = randomPoint(torus, random, 0.5);
      const value = sampleGradient(gradient, torus, ...point);
      expect(Math.abs(value - sampleDistance(torus, ...point)), `${point}`).toBeLessThan(1e-7 * torus.voxelSize);
    }
  });

  it('gives the gradient of what it interpolates, inside the grid and beyond (seed 2)', () => {
    const random = createRandom(2);
    const gradient = new Float64Array(3);
    const step = 1e-4 * torus.voxelSize;
    const checked = { inside: 0, beyond: 0 };
    for (let n = 0; n < 8000; n += 1) {
      const point = randomPoint(torus, random, 0.5);
      // The gradient jumps at the planes of nodes.
      if (distanceToNodePlanes(torus, point) < 0.001) continue;
      checked[isOutside(torus, point) ? 'beyond' : 'inside'] += 1;
      sampleGradient(gradient, torus, ...point);
      const expected = centralDifferences(torus, point, step);
      const worst = Math.max(...expected.map((value, axis) => Math.abs(value - gradient[axis])));
      expect(worst, `${point}`).toBeLessThan(1e-6);
    }
    expect(checked.inside).toBeGreaterThan(500);
    expect(checked.beyond).toBeGreaterThan(500);
  });

  it('has a gradient of length 1, outward, near a sphere (seed 3)', () => {
    const random = createRandom(3);
    const gradient = new Float64Array(3);
    for (let n = 0; n < 3000; n += 1) {
      const point = randomPoint(sphere, random, 0);
      const radius = Math.hypot(...point);
      if (Math.abs(radius - 0.5) > 3 * sphere.voxelSize) continue;
      sampleGradient(gradient, sphere, ...point);
      const outward = point.map((value) => value / radius);
      const off = Math.hypot(...outward.map((value, axis) => value - gradient[axis]));
      // A facet's normal is off by its half width over the radius, the interpolation adds as much.
      expect(off).toBeLessThan(0.06);
    }
  });

  it('beyond the grid is continuous, bounds the distance from above and grows with it (seed 4)', () => {
    const random = createRandom(4);
    const sides = fieldDimensions(sphere).map((voxels) => voxels * sphere.voxelSize);
    for (let n = 0; n < 2000; n += 1) {
      const point = randomPoint(sphere, random, 0);
      const axis = n % 3;
      const border = n % 2 === 0 ? sphere.origin[axis] : sphere.origin[axis] + sides[axis];
      const at = (beyond: number) => {
        const moved: Point = [...point];
        moved[axis] = border + (n % 2 === 0 ? -beyond : beyond);
        return { value: sampleDistance(sphere, ...moved), exact: Math.hypot(...moved) - 0.5 };
      };
      const hair = 1e-9 * sides[axis];
      expect(Math.abs(at(hair).value - at(-hair).value)).toBeLessThan(1e-6 * sphere.voxelSize);
      const far = at(0.3 * random());
      expect(far.value).toBeGreaterThanOrEqual(far.exact - 1e-3);
    }
    expect(sampleDistance(sphere, 1e6, 0, 0)).toBeCloseTo(1e6 - 0.5, 1);
  });

  it('works at the corners and far from the origin of the frame (seed 5)', () => {
    const random = createRandom(5);
    const [g, farG] = [new Float64Array(3), new Float64Array(3)];
    const { origin, voxelSize } = farSphere;
    const sides = fieldDimensions(farSphere).map((voxels) => voxels * voxelSize);
    for (let corner = 0; corner < 8; corner += 1) {
      for (const nudge of [-1e-10, 0, 1e-10]) {
        const [x, y, z] = [0, 1, 2].map((axis) => origin[axis] + (corner & (1 << axis) ? sides[axis] : 0) + nudge);
        expect(sampleGradient(farG, farSphere, x, y, z)).toBeGreaterThan(0);
        expect(farG.every(Number.isFinite)).toBe(true);
      }
    }
    for (let n = 0; n < 2000; n += 1) {
      const point = randomPoint(sphere, random, 0.5);
      // Both grids have their nodes at the same places but for rounding, which decides the gradient at their planes.
      if (distanceToNodePlanes(sphere, point) < 0.001) continue;
      const near = sampleGradient(g, sphere, ...point);
      const [x, y, z] = point.map((value, axis) => value + farAway[axis]);
      const far = sampleGradient(farG, farSphere, x, y, z);
      expect(Math.abs(near - far), `${point}`).toBeLessThan(1e-6 * voxelSize);
      expect(Math.max(...g.map((value, axis) => Math.abs(value - farG[axis]))), `${point}`).toBeLessThan(1e-4);
    }
  });

  it.each([
    [Number.NaN, 0, 0],
    [0, Number.NaN, 0],
    [0, 0, Number.NaN],
    [Number.NaN, Number.NaN, Number.NaN],
    [Number.POSITIVE_INFINITY, 0, 0],
    [0, Number.NEGATIVE_INFINITY, 0],
    [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NaN],
    [1e300, 0, 0],
    [-Number.MAX_VALUE, 0, Number.MAX_VALUE],
  ])('answers the position (%d, %d, %d) with a number that is not a distance, and goes on', (x, y, z) => {
    const gradient = new Float64Array(3);
    expect(Number.isFinite(sampleDistance(torus, x, y, z))).toBe(false);
    expect(Number.isFinite(sampleGradient(gradient, torus, x, y, z))).toBe(false);
    expect(Number.isFinite(sampleVoxelLayer(gradient, torus, x, y, z))).toBe(false);
    expect(sampleDistance(torus, 0.6, 0, 0)).toBeCloseTo(0.08, 3);
  });
});

describe('the voxel layers', () => {
  it('are whole numbers that belong to the voxel (seed 6)', () => {
    const random = createRandom(6);
    const centre = new Float64Array(3);
    for (let n = 0; n < 3000; n += 1) {
      const point = randomPoint(sphere, random, 0);
      const layer = sampleVoxelLayer(centre, sphere, ...point);
      expect(Number.isInteger(layer)).toBe(true);
      expect(Object.is(layer, -0)).toBe(false);
      point.forEach((value, axis) => {
        expect(Math.abs(value - centre[axis])).toBeLessThanOrEqual(sphere.voxelSize * 0.5000001);
        const node = (centre[axis] - sphere.origin[axis]) / sphere.voxelSize;
        expect(Math.abs(node - Math.floor(node) - 0.5)).toBeLessThan(1e-6);
      });
      const again = new Float64Array(3);
      expect(sampleVoxelLayer(again, sphere, centre[0], centre[1], centre[2])).toBe(layer);
    }
  });

  it('count from 0 on the surface, one per voxel of depth (seed 7)', () => {
    const random = createRandom(7);
    const centre = new Float64Array(3);
    const seen = new Set<number>();
    for (let n = 0; n < 5000; n += 1) {
      const point = randomPoint(sphere, random, 0);
      const layer = sampleVoxelLayer(centre, sphere, ...point);
      const depth = (0.5 - Math.hypot(...centre)) / sphere.voxelSize;
      // Further off, coarse cells give no more than the order of the distance.
      if (Math.abs(depth) > 4.5) continue;
      seen.add(layer);
      // Half a voxel by rounding, the rest by the facets, which lie up to 0.02 voxels inside the sphere.
      expect(Math.abs(layer - depth), `${point}`).toBeLessThan(0.53);
    }
    for (let layer = -4; layer <= 4; layer += 1) expect(seen.has(layer)).toBe(true);
  });
});
