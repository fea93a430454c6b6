import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { type ConvexHull, convexHull } from './convex-hull.js';

const random = createRandom(11);

function cloud(count: number, point: () => readonly number[]): Float64Array {
  return Float64Array.from(Array.from({ length: count }, point).flat());
}

const inBall = () => {
  for (;;) {
    const p = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
    if (p[0] ** 2 + p[1] ** 2 + p[2] ** 2 <= 1) return p;
  }
};

/** Largest height of a point over a face, and whether every edge has its twin. */
function examine(points: Float64Array, hull: ConvexHull) {
  const corner = (i: number) => Array.from(points.subarray(3 * hull.vertices[i], 3 * hull.vertices[i] + 3));
  let above = 0;
  let doubled = false;
  const edges = new Set<string>();
  for (let f = 0; f < hull.faces.length; f += 3) {
    const [a, b, c] = [0, 1, 2].map((i) => hull.faces[f + i]);
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      if (edges.has(`${from}>${to}`)) doubled = true;
      edges.add(`${from}>${to}`);
    }
    const [p, q, r] = [corner(a), corner(b), corner(c)];
    const [u, v] = [q.map((x, i) => x - p[i]), r.map((x, i) => x - p[i])];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n);
    for (let i = 0; i < points.length; i += 3) {
      const height = n.reduce((sum, x, axis) => sum + x * (points[i + axis] - p[axis]), 0) / length;
      above = Math.max(above, height);
    }
  }
  const closed = !doubled && [...edges].every((edge) => edges.has(edge.split('>').reverse().join('>')));
  return { above, closed };
}

function support(points: Float64Array, chosen: ArrayLike<number>, d: readonly number[]): number {
  let best = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < chosen.length; i++) {
    const at = 3 * chosen[i];
    best = Math.max(best, points[at] * d[0] + points[at + 1] * d[1] + points[at + 2] * d[2]);
  }
  return best;
}

/** The hull reaches as far as all points do in every direction: the definition, by brute force. */
function supportError(points: Float64Array, hull: ConvexHull): number {
  const all = Array.from({ length: points.length / 3 }, (_, i) => i);
  let error = 0;
  for (let i = 0; i < 200; i++) {
    const d = inBall();
    const length = Math.hypot(...d);
    const unit = d.map((x) => x / length);
    error = Math.max(error, support(points, all, unit) - support(points, hull.vertices, unit));
  }
  return error;
}

describe('convexHull', () => {
  it('holds all points, is closed and reaches as far as they do', () => {
    for (let round = 0; round < 60; round++) {
      const points = cloud(4 + Math.floor(random() * 150), inBall);
      const hull = convexHull(points);
      const { above, closed } = examine(points, hull);
      expect(closed).toBe(true);
      expect(above).toBeLessThan(3e-7);
      expect(supportError(points, hull)).toBeLessThan(3e-7);
      expect(hull.faces.length / 3).toBe(2 * hull.vertices.length - 4);
    }
  });

  it('takes exactly the extreme points of a general set', () => {
    const points = cloud(40, inBall);
    const hull = convexHull(points);
    // Brute force: a face is a triple with all others on one side.
    const extreme = new Set<number>();
    const at = (i: number) => Array.from(points.subarray(3 * i, 3 * i + 3));
    for (let a = 0; a < 40; a++)
      for (let b = a + 1; b < 40; b++)
        for (let c = b + 1; c < 40; c++) {
          const [p, q, r] = [at(a), at(b), at(c)];
          const [u, v] = [q.map((x, i) => x - p[i]), r.map((x, i) => x - p[i])];
          const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
          let [low, high] = [0, 0];
          for (let i = 0; i < 40; i++) {
            if (i === a || i === b || i === c) continue;
            const side = n.reduce((sum, x, axis) => sum + x * (points[3 * i + axis] - p[axis]), 0);
            if (side < 0) low++;
            else high++;
          }
          if (low === 0 || high === 0) for (const i of [a, b, c]) extreme.add(i);
        }
    expect(Array.from(hull.vertices)).toEqual([...extreme].sort((i, j) => i - j));
  });

  it('keeps the eight corners of lattices, with points on edges, faces and inside, doubled', () => {
    for (const size of [1, 2, 4]) {
      const lattice: number[] = [];
      for (let i = 0; i <= size; i++)
        for (let j = 0; j <= size; j++) for (let k = 0; k <= size; k++) lattice.push(i / size, j / size, k / size);
      const points = Float64Array.from([...lattice, ...lattice]);
      const hull = convexHull(points);
      expect(hull.rank).toBe(3);
      expect(hull.vertices.length).toBe(8);
      expect(examine(points, hull).closed).toBe(true);
      expect(supportError(points, hull)).toBeLessThan(1e-7);
    }
  });

  it('survives turned lattices, spheres of rings and thin plates, whose coplanar points are only nearly so', () => {
    for (let round = 0; round < 100; round++) {
      const [s, c] = [Math.sin(round), Math.cos(round)];
      const thin = 10 ** (-8 * random());
      const points = cloud(120, () => {
        const [x, y, z] = [
          Math.floor(random() * 4) / 3,
          Math.floor(random() * 4) / 3,
          (Math.floor(random() * 4) / 3) * thin,
        ];
        return [c * x - s * y, s * x * c + c * y * c - s * z, s * s * x + c * s * y + c * z];
      });
      const hull = convexHull(points);
      expect(supportError(points, hull)).toBeLessThan(1e-6);
      const rings = cloud(144, () => [0, 0, 0]);
      for (let i = 0; i < 144; i++) {
        const [a, b] = [((i % 12) * Math.PI) / 6 + round, (Math.floor(i / 12) * Math.PI) / 11];
        rings.set([Math.cos(a) * Math.sin(b), Math.sin(a) * Math.sin(b), Math.cos(b)], 3 * i);
      }
      const ball = convexHull(rings);
      expect(examine(rings, ball)).toMatchObject({ closed: true });
      expect(examine(rings, ball).above).toBeLessThan(1e-6);
    }
  });

  it('gives points, segments and polygons their own rank', () => {
    expect(convexHull(Float64Array.of(1, 2, 3, 1, 2, 3))).toMatchObject({ rank: 0, vertices: Int32Array.of(0) });
    const line = convexHull(Float64Array.from({ length: 30 }, (_, i) => [2, -1, 0.5][i % 3] * Math.floor(i / 3)));
    expect(line.rank).toBe(1);
    expect(Array.from(line.vertices).sort()).toEqual([0, 9]);
    const square = Float64Array.from([0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0.5, 0.5, 1, 0.5, 0, 1, 0, 0, 1]);
    const flat = convexHull(square);
    expect(flat.rank).toBe(2);
    expect(flat.vertices.length).toBe(4);
    expect(flat.faces.length).toBe(12);
    for (let i = 0; i < 4; i++) expect(flat.neighbourStart[i + 1] - flat.neighbourStart[i]).toBe(2);
  });

  it('stops at the vertices and the tolerance it was given', () => {
    const points = cloud(2000, () => {
      const p = inBall();
      const length = Math.hypot(...p);
      return p.map((x) => x / length);
    });
    const few = convexHull(points, { maxVertices: 64 });
    expect(few.vertices.length).toBeLessThanOrEqual(64);
    expect(supportError(points, few)).toBeLessThan(0.12);
    const rough = convexHull(points, { tolerance: 0.05 });
    expect(rough.vertices.length).toBeLessThan(400);
    expect(supportError(points, rough)).toBeLessThan(0.05);
  });

  it('lists as neighbours what edges join, so that climbing finds the support', () => {
    const points = cloud(300, inBall);
    const hull = convexHull(points);
    for (let round = 0; round < 100; round++) {
      const d = inBall();
      const value = (i: number) => support(points, [hull.vertices[i]], d);
      let here = 0;
      for (let moved = true; moved; ) {
        moved = false;
        for (let e = hull.neighbourStart[here]; e < hull.neighbourStart[here + 1]; e++) {
          if (value(hull.neighbours[e]) > value(here) + 1e-15) {
            here = hull.neighbours[e];
            moved = true;
          }
        }
      }
      expect(value(here)).toBeCloseTo(support(points, hull.vertices, d), 9);
    }
  });
});
