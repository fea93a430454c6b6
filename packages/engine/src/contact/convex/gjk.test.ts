import { describe, expect, it } from 'vitest';
import { createRandom } from '../../base/random.js';
import { offsetFromTriangle } from '../../math/closest-point.js';
import { type ConvexPair, type ConvexPieces, createConvexPair } from './convex-pair.js';
import { BEYOND_REACH, measureDistance, OVERLAPPING, SEPARATE } from './gjk.js';
import { boxPiece, differencePoints, pieceOf, randomPiece, randomPlacement } from './pieces.fixture.js';

/**
 * No reference is needed: a separating plane at the found distance proves that it is not less, the two points that it
 * is not more, and weights that give the origin prove an overlap.
 */
function proof(pair: ConvexPair, tool: ConvexPieces, environment: ConvexPieces, answer: number, size: number): string {
  const { simplex, normal, onTool, onEnvironment, result } = pair;
  let total = 0;
  const sum = [0, 0, 0];
  for (let n = 0; n < simplex.count; n += 1) {
    if (simplex.weight[n] < 0) return 'a negative weight';
    total += simplex.weight[n];
    for (let axis = 0; axis < 3; axis += 1) sum[axis] += simplex.weight[n] * simplex.point[3 * n + axis];
  }
  if (Math.abs(total - 1) > 1e-9) return `weights sum to ${total}`;
  if (answer === OVERLAPPING) return Math.hypot(...sum) < 1e-9 * size ? '' : 'origin missed';
  const gap = [0, 1, 2].map((axis) => onTool[axis] - onEnvironment[axis]);
  if (Math.abs(Math.hypot(...gap) - result[0]) > 1e-12 * size) return 'points at another distance';
  const points = differencePoints(pair, tool, environment);
  for (let p = 0; p < points.length; p += 3) {
    const along = normal[0] * points[p] + normal[1] * points[p + 1] + normal[2] * points[p + 2];
    if (along < result[0] - 1e-8 * result[0] - 1e-9 * size) return `plane cut by ${result[0] - along}`;
  }
  return '';
}

describe('measureDistance', () => {
  it('proves its answer in 10,000 random cases: full, flat, needles, points, tiny and huge', () => {
    const random = createRandom(1);
    const failures: string[] = [];
    let overlaps = 0;
    for (let n = 0; n < 10_000; n += 1) {
      const size = 10 ** (-6 + 9 * random());
      const half = (): [number, number, number] => {
        const flat = Math.floor(4 * random());
        return [size, flat > 1 ? 0 : size, flat === 3 ? 0 : flat === 1 ? 1e-4 * size : size];
      };
      const tool = randomPiece(random, 1 + Math.floor(14 * random()), half());
      const environment = randomPiece(random, 1 + Math.floor(14 * random()), half());
      const pair = randomPlacement(random, size * 3 * random());
      const answer = measureDistance(pair, tool, 0, environment, 0);
      if (answer === OVERLAPPING) overlaps += 1;
      const failure = proof(pair, tool, environment, answer, size);
      if (failure !== '') failures.push(`case ${n}: ${failure}`);
    }
    expect(failures).toEqual([]);
    expect(overlaps).toBeGreaterThan(500);
  });

  it('agrees with the nearest of all triangles of the difference', () => {
    const random = createRandom(2);
    const offset = new Float64Array(3);
    for (let n = 0; n < 300; n += 1) {
      const tool = randomPiece(random, 4, [1, 1, n % 2]);
      const environment = randomPiece(random, 3, [1, 1, 1]);
      const pair = randomPlacement(random, 4);
      if (measureDistance(pair, tool, 0, environment, 0) !== SEPARATE) continue;
      const points = differencePoints(pair, tool, environment);
      const corners = new Float64Array(9);
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < points.length; i += 3) {
        for (let j = i + 3; j < points.length; j += 3) {
          for (let k = j + 3; k < points.length; k += 3) {
            corners.set([points[i], points[i + 1], points[i + 2]]);
            corners.set([points[j], points[j + 1], points[j + 2]], 3);
            corners.set([points[k], points[k + 1], points[k + 2]], 6);
            least = Math.min(least, offsetFromTriangle(offset, corners, 0, 0, 0, 0));
          }
        }
      }
      expect(pair.result[0]).toBeCloseTo(Math.sqrt(least), 9);
    }
  });

  it('says nothing more about pieces beyond the reach, but how far they are at least', () => {
    const pair = createConvexPair();
    pair.transform[9] = 5;
    pair.reach[0] = 3;
    expect(measureDistance(pair, boxPiece(1, 1, 1), 0, boxPiece(1, 1, 1), 0)).toBe(BEYOND_REACH);
    expect(pair.result[1]).toBeGreaterThan(3);
    expect(pair.result[1]).toBeLessThanOrEqual(4);
  });

  it('takes faces that touch, and coplanar triangles that overlap, as overlapping', () => {
    const pair = createConvexPair();
    pair.transform[9] = 1;
    expect(measureDistance(pair, boxPiece(1, 1, 1), 0, boxPiece(1, 1, 1), 0)).toBe(OVERLAPPING);
    const triangle = pieceOf([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    const other = createConvexPair();
    other.transform.set([0.1, 0.1, 0], 9);
    expect(measureDistance(other, triangle, 0, triangle, 0)).toBe(OVERLAPPING);
  });

  it('needs fewer iterations from the simplex of the last question', () => {
    const random = createRandom(3);
    let cold = 0;
    let warm = 0;
    for (let n = 0; n < 200; n += 1) {
      const tool = randomPiece(random, 30, [1, 1, 1]);
      const environment = randomPiece(random, 30, [1, 1, 1]);
      const pair = randomPlacement(random, 0);
      pair.transform[9] = 4;
      measureDistance(pair, tool, 0, environment, 0);
      cold += pair.iterations;
      const before = pair.result[0];
      pair.transform[9] += 1e-4;
      pair.iterations = 0;
      measureDistance(pair, tool, 0, environment, 0);
      warm += pair.iterations;
      expect(Math.abs(pair.result[0] - before)).toBeLessThan(1.01e-4);
    }
    expect(warm).toBeLessThan(cold / 2);
  });

  it('shifts the tool as asked, and tells its points without the shift', () => {
    const pair = createConvexPair();
    pair.shift[2] = 3;
    expect(measureDistance(pair, boxPiece(1, 1, 1), 0, boxPiece(1, 1, 1), 0)).toBe(SEPARATE);
    expect(pair.result[0]).toBeCloseTo(2, 12);
    expect(pair.onTool[2]).toBeCloseTo(-0.5, 12);
    expect(pair.onEnvironment[2]).toBeCloseTo(0.5, 12);
  });
});
