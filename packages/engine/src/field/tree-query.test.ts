import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { offsetFromTriangle } from '../math/closest-point.js';
import { readObj } from '../mesh/read-obj.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import { meshBounds, type TriangleMesh } from '../mesh/triangle-mesh.js';
import {
  collectCandidates,
  createCandidateList,
  createTreeWorkspace,
  isWoundAround,
  nearestDistanceSquared,
  planeBoundSquared,
  quickWinding,
  windingNumber,
} from './tree-query.js';
import { buildTriangleTree, type TriangleTree } from './triangle-tree.js';

type Point = readonly [number, number, number];

function randomTriangles(count: number, seed: number): TriangleMesh {
  const random = createRandom(seed);
  const positions = new Float64Array(9 * count);
  for (let t = 0; t < count; t += 1) {
    const size = 10 ** (-2 * random());
    const centre = [random(), random(), random()];
    for (let n = 0; n < 9; n += 1) positions[9 * t + n] = centre[n % 3] + size * (random() - 0.5);
  }
  return { positions, triangles: Uint32Array.from({ length: 3 * count }, (_, n) => n) };
}

/** Half of them needles, some with two or three equal corners. */
function badTriangles(count: number, seed: number): TriangleMesh {
  const random = createRandom(seed);
  const mesh = randomTriangles(count, seed);
  for (let t = 0; t < count; t += 1) {
    const p = mesh.positions.subarray(9 * t, 9 * t + 9);
    const kind = Math.floor(6 * random());
    const thickness = 10 ** (-2 - 12 * random());
    const part = random();
    if (kind <= 2) for (let axis = 0; axis < 3; axis += 1) p[6 + axis] = p[axis] + part * (p[3 + axis] - p[axis]);
    if (kind <= 1) p[6 + kind] += thickness;
    if (kind === 3) p.copyWithin(3, 0, 3);
    if (kind === 4) p.copyWithin(3, 0, 6).copyWithin(3, 0, 3);
  }
  return mesh;
}

function readBunny(): TriangleMesh {
  return readObj(readFileSync(new URL('../../../../scenes/meshes/bunny.obj', import.meta.url)));
}

/** Points in the box of the mesh, enlarged by half on each side, so that inside, near and far all occur. */
function randomPoints(mesh: TriangleMesh, count: number, random: RandomSource): Point[] {
  const { min, max } = meshBounds(mesh);
  const coordinate = (axis: number) => min[axis] + (max[axis] - min[axis]) * (2 * random() - 0.5);
  return Array.from({ length: count }, () => [coordinate(0), coordinate(1), coordinate(2)]);
}

function distanceSquared(tree: TriangleTree, triangle: number, [x, y, z]: Point): number {
  return offsetFromTriangle(new Float64Array(3), tree.corners, 9 * triangle, x, y, z);
}

function bruteForceSquared(tree: TriangleTree, [x, y, z]: Point): number {
  let best = Number.POSITIVE_INFINITY;
  for (let o = 0; o < tree.corners.length; o += 9) {
    best = Math.min(best, distanceSquared(tree, o / 9, [x, y, z]));
  }
  return best;
}

/** The exact sum of solid angles (Van Oosterom and Strackee), with vectors instead of the source's plain numbers. */
function exactWinding(tree: TriangleTree, point: Point): number {
  let total = 0;
  for (let o = 0; o < tree.corners.length; o += 9) {
    const [a, b, c] = [0, 3, 6].map((corner) => point.map((value, axis) => tree.corners[o + corner + axis] - value));
    const dot = (p: number[], q: number[]) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    const [la, lb, lc] = [a, b, c].map((p) => Math.hypot(...p));
    const volume =
      a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    total += Math.atan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return total / (2 * Math.PI);
}

let meshes: Record<string, TriangleMesh>;
let bunny: TriangleMesh;
beforeAll(() => {
  bunny = readBunny();
  meshes = {
    'one triangle': randomTriangles(1, 1),
    'triangles at random': randomTriangles(400, 2),
    'needles and flat triangles': badTriangles(400, 3),
    box: createBox(1, 2, 3),
    torus: createTorus(1, 0.3, 30, 15),
    bunny,
  };
});
const names = ['one triangle', 'triangles at random', 'needles and flat triangles', 'box', 'torus', 'bunny'];

describe('nearest distance', () => {
  it.each(names)('is that of brute force: %s, seed 1', (name) => {
    const tree = buildTriangleTree(meshes[name]);
    const workspace = createTreeWorkspace(tree);
    for (const point of randomPoints(meshes[name], 300, createRandom(1))) {
      const expected = Math.sqrt(bruteForceSquared(tree, point));
      const found = Math.sqrt(nearestDistanceSquared(tree, workspace, ...point, Number.POSITIVE_INFINITY));
      expect(Math.abs(found - expected), `${point}`).toBeLessThanOrEqual(1e-9 * expected);
    }
  });

  it('is 0 at the corners of the triangles', () => {
    const tree = buildTriangleTree(bunny);
    const workspace = createTreeWorkspace(tree);
    for (let o = 0; o < tree.corners.length; o += 297) {
      const [x, y, z] = tree.corners.subarray(o, o + 3);
      expect(nearestDistanceSquared(tree, workspace, x, y, z, Number.POSITIVE_INFINITY)).toBe(0);
    }
  });

  it('is the bound where nothing is nearer, and does not change with a bound that is larger', () => {
    const tree = buildTriangleTree(bunny);
    const workspace = createTreeWorkspace(tree);
    for (const point of randomPoints(bunny, 300, createRandom(2))) {
      const exact = nearestDistanceSquared(tree, workspace, ...point, Number.POSITIVE_INFINITY);
      expect(nearestDistanceSquared(tree, workspace, ...point, 0.5 * exact)).toBe(0.5 * exact);
      expect(nearestDistanceSquared(tree, workspace, ...point, 1.000001 * exact)).toBe(exact);
    }
  });
});

describe('the bound by planes', () => {
  it.each(names)('is never above the distance: %s, seed 4', (name) => {
    const tree = buildTriangleTree(meshes[name]);
    const triangles = tree.corners.length / 9;
    const random = createRandom(4);
    let tight = 0;
    for (const [x, y, z] of randomPoints(meshes[name], 4000, random)) {
      const t = Math.floor(triangles * random());
      const distance = Math.sqrt(distanceSquared(tree, t, [x, y, z]));
      const bound = Math.sqrt(planeBoundSquared(tree.planes, t, x, y, z));
      // The normal of a needle is known to about a ten-millionth of a radian.
      const longest = Math.max(...[0, 3, 6].map((o) => edgeLength(tree.corners, 9 * t, o)));
      expect(bound, `triangle ${t}`).toBeLessThanOrEqual(distance + 1e-7 * longest);
      if (bound >= distance * (1 - 1e-9)) tight += 1;
    }
    // A bound of 0 would be safe and useless.
    expect(tight).toBeGreaterThan(50);
  });
});

function edgeLength(corners: Float64Array, o: number, corner: number): number {
  const next = (corner + 3) % 9;
  return Math.hypot(...[0, 1, 2].map((axis) => corners[o + next + axis] - corners[o + corner + axis]));
}

describe('candidates', () => {
  it.each(names)('hold the nearest triangle of every point of the ball: %s, seed 5', (name) => {
    const tree = buildTriangleTree(meshes[name]);
    const workspace = createTreeWorkspace(tree);
    // So small that it has to grow.
    const list = createCandidateList(2);
    const random = createRandom(5);
    const { min, max } = meshBounds(meshes[name]);
    const size = Math.hypot(...min.map((low, axis) => max[axis] - low));
    for (const centre of randomPoints(meshes[name], 60, random)) {
      const radius = 10 ** (-1 - 2 * random()) * size;
      nearestDistanceSquared(tree, workspace, ...centre, Number.POSITIVE_INFINITY);
      collectCandidates(list, tree, workspace, ...centre, radius);
      const found = [...list.triangle.subarray(0, list.count)];
      expect(new Set(found).size).toBe(found.length);
      for (let n = 0; n < 10; n += 1) {
        const direction = [random() - 0.5, random() - 0.5, random() - 0.5];
        const way = (radius * Math.cbrt(random())) / Math.hypot(...direction);
        const step = direction.map((value) => value * way);
        const point = [centre[0] + step[0], centre[1] + step[1], centre[2] + step[2]] as const;
        const distances = found.map((triangle) => Math.sqrt(distanceSquared(tree, triangle, point)));
        const nearest = Math.sqrt(bruteForceSquared(tree, point));
        expect(Math.min(...distances), `${point} around ${centre}`).toBeLessThanOrEqual(nearest + 1e-9 * size);
        distances.forEach((distance, index) => {
          const [start, sx, sy, sz] = list.tangent.subarray(4 * index, 4 * index + 4);
          const tangent = start + sx * step[0] + sy * step[1] + sz * step[2];
          expect(tangent).toBeLessThanOrEqual(distance + 1e-7 * size);
        });
      }
    }
  });

  it('are few where the surface is smooth', () => {
    const tree = buildTriangleTree(bunny);
    const workspace = createTreeWorkspace(tree);
    const list = createCandidateList();
    for (const centre of randomPoints(bunny, 60, createRandom(9))) {
      nearestDistanceSquared(tree, workspace, ...centre, Number.POSITIVE_INFINITY);
      collectCandidates(list, tree, workspace, ...centre, 0.01);
      expect(list.count).toBeLessThan(tree.corners.length / 9 / 10);
    }
  });
});

describe('winding number', () => {
  const closed: readonly (readonly [string, () => TriangleMesh, (p: Point) => number])[] = [
    ['box', () => createBox(1, 2, 3), ([x, y, z]) => Math.max(Math.abs(x) - 0.5, Math.abs(y) - 1, Math.abs(z) - 1.5)],
    // A tessellated surface lies slightly inside; points within that layer are left out below.
    ['sphere', () => createSphere(1, 20), (p) => Math.hypot(...p) - 1],
    ['torus', () => createTorus(1, 0.3, 80, 40), ([x, y, z]) => Math.hypot(Math.hypot(x, y) - 1, z) - 0.3],
    [
      'thin box',
      () => createBox(1, 1, 0.001),
      ([x, y, z]) => Math.max(Math.abs(x), Math.abs(y), Math.abs(z) + 0.4995) - 0.5,
    ],
  ];

  it.each(closed)('is 1 inside and 0 outside a %s, seed 6', (_, make, signedDistance) => {
    const mesh = make();
    const tree = buildTriangleTree(mesh);
    const workspace = createTreeWorkspace(tree);
    let inside = 0;
    for (const point of randomPoints(mesh, 2000, createRandom(6))) {
      const distance = signedDistance(point);
      if (Math.abs(distance) < 0.01 && mesh.triangles.length > 36) continue;
      inside += distance < 0 ? 1 : 0;
      const winding = windingNumber(tree, workspace, ...point);
      expect(Math.abs(winding - (distance < 0 ? 1 : 0)), `${point}`).toBeLessThan(0.02);
    }
    expect(inside).toBeGreaterThan(20);
  });

  it('is negative inside a surface that faces inward, and 2 inside two', () => {
    const sphere = createSphere(1, 8);
    const inverted = { positions: sphere.positions, triangles: sphere.triangles.slice().reverse() };
    const double = { positions: sphere.positions, triangles: Uint32Array.of(...sphere.triangles, ...sphere.triangles) };
    const at = (mesh: TriangleMesh) => {
      const tree = buildTriangleTree(mesh);
      return windingNumber(tree, createTreeWorkspace(tree), 0.1, 0.2, -0.3);
    };
    expect(at(inverted)).toBeCloseTo(-1, 1.5);
    expect(at(double)).toBeCloseTo(2, 1.5);
  });

  it.each(names)('with far parts as dipoles is that of the exact sum within 0.02: %s, seed 7', (name) => {
    const tree = buildTriangleTree(meshes[name]);
    const workspace = createTreeWorkspace(tree);
    const scattered = randomPoints(meshes[name], 120, createRandom(7));
    let worst = 0;
    for (const point of scattered) {
      worst = Math.max(worst, Math.abs(windingNumber(tree, workspace, ...point) - exactWinding(tree, point)));
    }
    expect(worst).toBeLessThan(0.02);
  });

  it('with far parts as dipoles is right close to the surface as well, seed 8', () => {
    const tree = buildTriangleTree(bunny);
    const workspace = createTreeWorkspace(tree);
    const random = createRandom(8);
    let worst = 0;
    for (let n = 0; n < 120; n += 1) {
      const o = 9 * Math.floor((random() * tree.corners.length) / 9);
      const [u, v] = [random() / 2, random() / 2];
      const at = (axis: number) => {
        const [a, b, c] = [tree.corners[o + axis], tree.corners[o + 3 + axis], tree.corners[o + 6 + axis]];
        return a + u * (b - a) + v * (c - a) + 0.02 * (random() - 0.5);
      };
      const point = [at(0), at(1), at(2)] as const;
      worst = Math.max(worst, Math.abs(windingNumber(tree, workspace, ...point) - exactWinding(tree, point)));
    }
    expect(worst).toBeLessThan(0.02);
  });
});

/** Far from any dipole: all triangles are summed. */
const NO_DIPOLES = Number.POSITIVE_INFINITY;

describe('the quick winding number', () => {
  it.each([1e-7, 1, 1e5])(
    'is the sum of all solid angles, also of many layers of any direction, times %d m',
    (scale) => {
      const layers = Array.from({ length: 40 }, (_, n) => createSphere(scale * (1 + 0.01 * n), 4));
      const turned = layers.map(({ positions, triangles }, n) => ({
        positions,
        triangles: n % 8 < 3 ? triangles.slice().reverse() : triangles,
      }));
      const mesh = everyOther(joinMeshes(turned));
      const tree = buildTriangleTree(mesh);
      const workspace = createTreeWorkspace(tree);
      const found = new Set<number>();
      for (const point of randomPoints(mesh, 200, createRandom(14))) {
        const winding = quickWinding(tree, workspace, ...point, NO_DIPOLES);
        expect(Math.abs(winding - exactWinding(tree, point))).toBeLessThan(1e-10);
        found.add(Math.round(winding));
      }
      expect(found.size).toBeGreaterThan(4);
    },
  );

  it('is finite at corners and on edges', () => {
    const tree = buildTriangleTree(createBox(1, 1, 1));
    const workspace = createTreeWorkspace(tree);
    for (const [x, y, z] of [
      [0.5, 0.5, 0.5],
      [0.5, 0.5, 0],
      [0.5, 0, 0],
      [0.5, 0.2, -0.3],
    ]) {
      const winding = quickWinding(tree, workspace, x, y, z, NO_DIPOLES);
      expect(winding).toBeGreaterThan(-0.01);
      expect(winding).toBeLessThan(1.01);
    }
  });
});

function joinMeshes(parts: readonly TriangleMesh[]): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const part of parts) {
    for (const vertex of part.triangles) triangles.push(vertex + positions.length / 3);
    for (const value of part.positions) positions.push(value);
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

const WOUND_POINTS = process.env.PALPABLE_TEST_ALL ? 20_000 : 5000;

describe('whether a point is wound around', () => {
  it.each([
    ['a torus', () => createTorus(0.5, 0.2, 48, 24)],
    ['half a sphere', () => firstHalf(createSphere(0.5, 24))],
    ['loose triangles all over', () => randomTriangles(2000, 12)],
    ['loose pieces of a sphere', () => everyOther(createSphere(0.5, 24))],
  ])('is what the winding number says, near %s (seed 13)', (_, make) => {
    const tree = buildTriangleTree(make());
    const workspace = createTreeWorkspace(tree);
    const random = createRandom(13);
    const inside = [0, 0];
    for (let n = 0; n < WOUND_POINTS; n += 1) {
      const corner = 9 * Math.floor((random() * tree.corners.length) / 9);
      const [x, y, z] = [0, 1, 2].map((axis) => tree.corners[corner + axis] + 0.2 * (random() - 0.5));
      const expected = windingNumber(tree, workspace, x, y, z) > 0.5;
      expect(isWoundAround(tree, workspace, x, y, z)).toBe(expected);
      inside[Number(expected)] += 1;
    }
    expect(Math.min(...inside)).toBeGreaterThan(100);
  });
});

function firstHalf({ positions, triangles }: TriangleMesh): TriangleMesh {
  return { positions, triangles: triangles.slice(0, 3 * Math.floor(triangles.length / 6)) };
}

function everyOther({ positions, triangles }: TriangleMesh): TriangleMesh {
  return { positions, triangles: triangles.filter((_, n) => Math.floor(n / 3) % 3 !== 0) };
}
