import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { offsetFromTriangle } from './closest-point.js';

type Vector = readonly [number, number, number];
type Triangle = readonly [Vector, Vector, Vector];

const sub = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const along = (a: Vector, d: Vector, t: number): Vector => [a[0] + t * d[0], a[1] + t * d[1], a[2] + t * d[2]];
const length = (a: Vector): number => Math.hypot(...a);
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The vector from the nearest point, after a look at the length that came with it. */
function offset([a, b, c]: Triangle, [x, y, z]: Vector): Vector {
  const out = new Float64Array(3);
  // Not at the start of the array, so that a forgotten offset shows.
  const squared = offsetFromTriangle(out, Float64Array.of(7, 7, 7, ...a, ...b, ...c), 3, x, y, z);
  if (squared !== out[0] ** 2 + out[1] ** 2 + out[2] ** 2) throw new Error(`${squared} is not the length of ${out}`);
  return [out[0], out[1], out[2]];
}

function distance(triangle: Triangle, p: Vector): number {
  return length(offset(triangle, p));
}

function segmentDistance(p: Vector, a: Vector, b: Vector): number {
  const d = sub(b, a);
  const t = dot(d, d) > 0 ? Math.min(1, Math.max(0, dot(sub(p, a), d) / dot(d, d))) : 0;
  return length(sub(p, along(a, d, t)));
}

/** Another way to the same number: the edges, and the plane if the foot of the point lies on the inner side of each. */
function referenceDistance([a, b, c]: Triangle, p: Vector): number {
  const edges = Math.min(segmentDistance(p, a, b), segmentDistance(p, b, c), segmentDistance(p, c, a));
  const normal = cross(sub(b, a), sub(c, a));
  const size = length(normal);
  if (size <= 1e-9 * Math.max(dot(sub(b, a), sub(b, a)), dot(sub(c, a), sub(c, a)))) return edges;
  const isInner = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([from, to]) => dot(cross(sub(to, from), sub(p, from)), normal) >= 0);
  return isInner ? Math.abs(dot(sub(p, a), normal)) / size : edges;
}

function randomVector(random: RandomSource, size: number): Vector {
  return [size * (2 * random() - 1), size * (2 * random() - 1), size * (2 * random() - 1)];
}

describe('distance to a triangle', () => {
  it('agrees with another implementation (seed 1)', () => {
    const random = createRandom(1);
    for (let n = 0; n < 20_000; n += 1) {
      const triangle: Triangle = [randomVector(random, 1), randomVector(random, 1), randomVector(random, 1)];
      const p = randomVector(random, 10 ** (2 * random() - 1));
      const expected = referenceDistance(triangle, p);
      expect(Math.abs(distance(triangle, p) - expected), `${n}: ${triangle} from ${p}`).toBeLessThan(1e-12);
    }
  });

  it('starts on the triangle (seed 6)', () => {
    const random = createRandom(6);
    for (let n = 0; n < 5000; n += 1) {
      const triangle: Triangle = [randomVector(random, 1), randomVector(random, 1), randomVector(random, 1)];
      const p = randomVector(random, 2);
      expect(referenceDistance(triangle, sub(p, offset(triangle, p))), `${n}`).toBeLessThan(1e-12);
    }
  });

  it('is that of the nearest of many points spread over the triangle (seed 2)', () => {
    const random = createRandom(2);
    const steps = 60;
    for (let n = 0; n < 200; n += 1) {
      const triangle: Triangle = [randomVector(random, 1), randomVector(random, 1), randomVector(random, 1)];
      const [a, b, c] = triangle;
      const p = randomVector(random, 2);
      let nearest = Number.POSITIVE_INFINITY;
      for (let i = 0; i <= steps; i += 1) {
        for (let j = 0; i + j <= steps; j += 1) {
          const q = along(along(a, sub(b, a), i / steps), sub(c, a), j / steps);
          nearest = Math.min(nearest, length(sub(p, q)));
        }
      }
      const spacing = (length(sub(b, a)) + length(sub(c, a))) / steps;
      const found = distance(triangle, p);
      expect(found, `${n}`).toBeLessThanOrEqual(nearest + 1e-12);
      expect(found, `${n}`).toBeGreaterThanOrEqual(nearest - spacing);
    }
  });

  it('agrees with trimesh', () => {
    const file = new URL('../../../../test/data/oracles/trimesh_triangles.json', import.meta.url);
    const { points, triangles, closest } = JSON.parse(readFileSync(file, 'utf8')) as {
      points: Vector[];
      triangles: Triangle[];
      closest: Vector[];
    };
    expect(points.length).toBe(6);
    points.forEach((p, n) => {
      sub(p, offset(triangles[n], p)).forEach((value, axis) => {
        expect(value).toBeCloseTo(closest[n][axis], 14);
      });
    });
  });

  it('does not depend on the order of the corners (seed 3)', () => {
    const random = createRandom(3);
    for (let n = 0; n < 2000; n += 1) {
      const [a, b, c]: Triangle = [randomVector(random, 1), randomVector(random, 1), randomVector(random, 1)];
      const p = randomVector(random, 2);
      const expected = distance([a, b, c], p);
      for (const turned of [
        [b, c, a],
        [c, a, b],
        [a, c, b],
        [b, a, c],
        [c, b, a],
      ] as const) {
        expect(distance(turned, p)).toBeCloseTo(expected, 12);
      }
    }
  });

  it('to a triangle that is a point is that to the point', () => {
    const a: Vector = [1, 2, 3];
    expect(distance([a, a, a], [1, 2, 3])).toBe(0);
    expect(distance([a, a, a], [4, 6, 3])).toBe(5);
  });

  it('to a triangle that is a segment is that to the segment, whichever corners coincide (seed 4)', () => {
    const random = createRandom(4);
    for (let n = 0; n < 3000; n += 1) {
      const a = randomVector(random, 1);
      const b = randomVector(random, 1);
      const between = along(a, sub(b, a), random());
      const p = randomVector(random, 2);
      const expected = segmentDistance(p, a, b);
      // biome-ignore format: a table
      const flat: readonly Triangle[] = [
        [a, a, b], [a, b, a], [b, a, a], [a, b, b], [a, b, between], [a, between, b], [between, a, b], [between, b, a],
      ];
      flat.forEach((triangle, order) => {
        expect(Math.abs(distance(triangle, p) - expected), `${n}, order ${order}`).toBeLessThan(1e-12);
      });
    }
  });

  it('to a sliver is right within its thickness (seed 5)', () => {
    const random = createRandom(5);
    for (let n = 0; n < 20_000; n += 1) {
      const a = randomVector(random, 1);
      const d = randomVector(random, 1);
      const thickness = 10 ** (-3 - 12 * random());
      const between = along(along(a, d, random()), randomVector(random, 1), thickness);
      const b = along(a, d, 1);
      const triangle: Triangle = n % 2 === 0 ? [a, b, between] : [between, a, b];
      const p = along(along(a, d, 1.4 * random() - 0.2), randomVector(random, 1), 10 ** (-4 * random()));
      // The plain formulas of the reference are themselves unsure where the triangle has next to no plane.
      const tolerance = thickness < 1e-6 ? 4 * thickness + 1e-12 : 1e-9;
      const reference = thickness < 1e-6 ? segmentDistance(p, a, b) : referenceDistance(triangle, p);
      const found = distance(triangle, p);
      expect(Math.abs(found - reference), `${n}: thickness ${thickness}`).toBeLessThan(tolerance);
    }
  });

  it('is 0 on the triangle and its height above the inside', () => {
    const triangle: Triangle = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ];
    expect(distance(triangle, [0.25, 0.25, 0])).toBe(0);
    expect(distance(triangle, [0.25, 0.25, -3])).toBe(3);
    expect(distance(triangle, [0.5, 0.5, 0])).toBe(0);
    expect(distance(triangle, [1, 1, 0])).toBeCloseTo(Math.SQRT1_2, 15);
  });

  it('gives NaN for a point that is none', () => {
    const triangle: Triangle = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ];
    const corners = Float64Array.from(triangle.flat());
    expect(offsetFromTriangle(new Float64Array(3), corners, 0, Number.NaN, 0, 0)).toBeNaN();
  });
});
