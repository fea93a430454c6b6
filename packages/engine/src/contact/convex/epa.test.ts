import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.js';
import { createSphere } from '../../mesh/shapes.js';
import { type ConvexPair, type ConvexPieces, createConvexPair } from './convex-pair.js';
import { createPolytope, measurePenetration } from './epa.js';
import { measureDistance, OVERLAPPING } from './gjk.js';
import { boxPiece, differencePoints, pieceOf, randomPiece, randomPlacement } from './pieces.fixture.js';

const polytope = createPolytope();

function penetrate(pair: ConvexPair, tool: ConvexPieces, environment: ConvexPieces): boolean {
  if (measureDistance(pair, tool, 0, environment, 0) !== OVERLAPPING) return false;
  measurePenetration(pair, polytope, tool, 0, environment, 0);
  return true;
}

/** Least width of the difference over all planes through three of its points that have all others on one side. */
function leastFaceDistance(points: number[]): number {
  let least = Number.POSITIVE_INFINITY;
  const at = (n: number) => [points[n], points[n + 1], points[n + 2]];
  for (let i = 0; i < points.length; i += 3) {
    for (let j = i + 3; j < points.length; j += 3) {
      for (let k = j + 3; k < points.length; k += 3) {
        const [a, b, c] = [at(i), at(j), at(k)];
        const u = b.map((x, n) => x - a[n]);
        const v = c.map((x, n) => x - a[n]);
        const cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        const length = Math.hypot(...cross);
        if (length < 1e-9) continue;
        for (const side of [1, -1]) {
          const n = cross.map((x) => (side * x) / length);
          const offset = n[0] * a[0] + n[1] * a[1] + n[2] * a[2];
          let supports = true;
          for (let p = 0; p < points.length && supports; p += 3) {
            supports = n[0] * points[p] + n[1] * points[p + 1] + n[2] * points[p + 2] <= offset + 1e-9;
          }
          if (supports) least = Math.min(least, offset);
        }
      }
    }
  }
  return least;
}

describe('measurePenetration', () => {
  it('finds the shortest way out of boxes', () => {
    const pair = createConvexPair();
    pair.transform.set([0.2, 0.9, -0.3], 9);
    expect(penetrate(pair, boxPiece(1, 1, 1), boxPiece(1, 1, 1))).toBe(true);
    expect(pair.result[0]).toBeCloseTo(0.1, 12);
    expect([...pair.normal]).toEqual([0, 1, 0].map((n) => expect.closeTo(n, 12)));
    expect(pair.onTool[1]).toBeCloseTo(0.4, 12);
    expect(pair.onEnvironment[1]).toBeCloseTo(0.5, 12);
  });

  it('comes near to the analytic depth of spheres', () => {
    const ball = pieceOf(createSphere(1, 6).positions);
    const random = createRandom(4);
    for (let n = 0; n < 50; n += 1) {
      const pair = randomPlacement(random, 1);
      const away = Math.hypot(pair.transform[9], pair.transform[10], pair.transform[11]);
      expect(penetrate(pair, ball, ball)).toBe(true);
      expect(pair.result[0]).toBeLessThan(2 - away + 1e-9);
      expect(pair.result[0]).toBeGreaterThan(2 - away - 0.06);
    }
  });

  it('agrees with all faces of the difference of small polytopes, flat ones included', () => {
    const random = createRandom(5);
    let overlaps = 0;
    for (let n = 0; n < 500; n += 1) {
      const tool = randomPiece(random, 4, [1, 1, n % 3 === 0 ? 0 : 1]);
      const environment = randomPiece(random, n % 2 === 0 ? 3 : 5, [1, 1, 1]);
      const pair = randomPlacement(random, 0.5);
      if (!penetrate(pair, tool, environment)) continue;
      overlaps += 1;
      const points = differencePoints(pair, tool, environment);
      expect(pair.result[0]).toBeCloseTo(leastFaceDistance(points), 8);
      const gap = [0, 1, 2].map((axis) => pair.onEnvironment[axis] - pair.onTool[axis]);
      for (let axis = 0; axis < 3; axis += 1) expect(gap[axis]).toBeCloseTo(pair.result[0] * pair.normal[axis], 8);
    }
    expect(overlaps).toBeGreaterThan(100);
  });

  it('separates the pieces: backed out by the depth and a little they no longer overlap', () => {
    const random = createRandom(6);
    for (let n = 0; n < 500; n += 1) {
      const tool = randomPiece(random, 12, [1, 0.3, 1]);
      const environment = randomPiece(random, 20, [1, 1, n % 4 === 0 ? 0 : 0.5]);
      const pair = randomPlacement(random, 0.7);
      if (!penetrate(pair, tool, environment)) continue;
      for (let axis = 0; axis < 3; axis += 1) pair.shift[axis] = (pair.result[0] + 1e-6) * pair.normal[axis];
      pair.simplex.count = 0;
      expect(measureDistance(pair, tool, 0, environment, 0)).not.toBe(OVERLAPPING);
    }
  });

  it('gives depth 0 across coplanar pieces and for pieces that touch', () => {
    const pair = createConvexPair();
    const triangle = pieceOf([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    pair.transform.set([0.1, 0.1, 0], 9);
    expect(penetrate(pair, triangle, triangle)).toBe(true);
    expect(pair.result[0]).toBe(0);
    expect(Math.abs(pair.normal[2])).toBeCloseTo(1, 12);
    const boxes = createConvexPair();
    boxes.transform[9] = 1;
    expect(penetrate(boxes, boxPiece(1, 1, 1), boxPiece(1, 1, 1))).toBe(true);
    expect(boxes.result[0]).toBeCloseTo(0, 9);
    expect(boxes.normal[0]).toBeCloseTo(1, 9);
  });
});
