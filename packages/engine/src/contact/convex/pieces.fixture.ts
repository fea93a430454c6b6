import type { RandomSource } from '../../base/random.js';
import { type ConvexPair, type ConvexPieces, createConvexPair } from './convex-pair.js';

/** Small convex pieces for tests: point sets without edges, so that support queries look at every vertex. */
export function pieceOf(points: ArrayLike<number>): ConvexPieces {
  const count = points.length / 3;
  return {
    vertexStart: Int32Array.of(0, count),
    vertices: Float64Array.from(points),
    neighbourStart: new Int32Array(count + 1),
    neighbours: new Int32Array(0),
  };
}

export function boxPiece(x: number, y: number, z: number): ConvexPieces {
  const points: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    points.push((n & 1 ? x : -x) / 2, (n & 2 ? y : -y) / 2, (n & 4 ? z : -z) / 2);
  }
  return pieceOf(points);
}

/** Points in a box of the given half sides, one of which may be 0. */
export function randomPiece(
  random: RandomSource,
  count: number,
  half: readonly [number, number, number],
): ConvexPieces {
  const points: number[] = [];
  for (let n = 0; n < 3 * count; n += 1) points.push((2 * random() - 1) * half[n % 3]);
  return pieceOf(points);
}

/** A random rotation, and a translation with coordinates up to `reach`. */
export function randomPlacement(random: RandomSource, reach: number): ConvexPair {
  const pair = createConvexPair();
  const q = [0, 0, 0, 0].map(() => random() + random() + random() - 1.5);
  const length = Math.sqrt(q.reduce((sum, n) => sum + n * n, 0));
  const [x, y, z, w] = q.map((n) => n / length);
  pair.transform.set([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], 0);
  pair.transform.set([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], 3);
  pair.transform.set([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 6);
  pair.transform.set(
    [0, 0, 0].map(() => (2 * random() - 1) * reach),
    9,
  );
  return pair;
}

/** All points of the difference tool − environment, three numbers each. */
export function differencePoints({ transform: m }: ConvexPair, tool: ConvexPieces, environment: ConvexPieces) {
  const points: number[] = [];
  for (let t = 0; t < tool.vertices.length; t += 3) {
    for (let e = 0; e < environment.vertices.length; e += 3) {
      for (let axis = 0; axis < 3; axis += 1) {
        let at = m[9 + axis];
        for (let n = 0; n < 3; n += 1) at += m[3 * axis + n] * tool.vertices[t + n];
        points.push(at - environment.vertices[e + axis]);
      }
    }
  }
  return points;
}
