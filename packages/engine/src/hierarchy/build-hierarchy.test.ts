import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InProcessWorkers } from '../base/in-process-workers.fixture.js';
import { createRandom } from '../base/random.js';
import { createTreeWorkspace, nearestDistanceSquared, windingNumber } from '../field/tree-query.js';
import { buildTriangleTree } from '../field/triangle-tree.js';
import { readObj } from '../mesh/read-obj.js';
import { createBox, createTorus } from '../mesh/shapes.js';
import { subdivideMesh } from '../mesh/subdivide.js';
import { createMesh, type TriangleMesh, triangleCount } from '../mesh/triangle-mesh.js';
import { buildConvexHierarchy, buildConvexHierarchyOnWorkers } from './build-hierarchy.js';
import type { ConvexHierarchy } from './convex-hierarchy.js';
import { convexHull } from './convex-hull.js';
import { joinJob } from './join-patches.js';
import { unpackHierarchy } from './pack-hierarchy.js';

/** A cup: an outer and an inner wall, joined at the rim. */
function createCup(segments: number): TriangleMesh {
  const profile = [
    [0, 0],
    [0.02, 0],
    [0.03, 0.02],
    [0.035, 0.06],
    [0.033, 0.06],
    [0.028, 0.02],
    [0.019, 0.002],
    [0, 0.002],
  ];
  const positions: number[] = [0, 0, 0];
  for (const [r, z] of profile.slice(1, -1)) {
    for (let i = 0; i < segments; i++) {
      const angle = (2 * Math.PI * i) / segments;
      positions.push(r * Math.cos(angle), r * Math.sin(angle), z);
    }
  }
  positions.push(0, 0, 0.002);
  const rings = profile.length - 2;
  const at = (ring: number, i: number) => 1 + ring * segments + (i % segments);
  const triangles: number[] = [];
  for (let i = 0; i < segments; i++) {
    triangles.push(0, at(0, i + 1), at(0, i));
    for (let ring = 0; ring + 1 < rings; ring++) {
      triangles.push(
        at(ring, i),
        at(ring, i + 1),
        at(ring + 1, i + 1),
        at(ring, i),
        at(ring + 1, i + 1),
        at(ring + 1, i),
      );
    }
    triangles.push(at(rings - 1, i), at(rings - 1, i + 1), 1 + rings * segments);
  }
  return createMesh(Float64Array.from(positions), Uint32Array.from(triangles));
}

const bunny = () => {
  const { positions, triangles } = readObj(
    readFileSync(new URL('../../../../scenes/meshes/bunny.obj', import.meta.url)),
  );
  return createMesh(positions, triangles);
};

const isLeaf = (h: ConvexHierarchy, node: number) => h.child[2 * node] < 0;
const verticesOf = (h: ConvexHierarchy, node: number) =>
  h.vertices.subarray(3 * h.vertexStart[node], 3 * h.vertexStart[node + 1]);

/** Corner indices of all finest triangles beneath a node, three each. */
function trianglesBeneath(h: ConvexHierarchy, node: number): number[] {
  if (isLeaf(h, node))
    return Array.from(h.triangles.subarray(3 * h.triangleStart[node], 3 * h.triangleStart[node + 1]));
  return [...trianglesBeneath(h, h.child[2 * node]), ...trianglesBeneath(h, h.child[2 * node + 1])];
}

function checkStructure(mesh: TriangleMesh, h: ConvexHierarchy): void {
  // Ranges, tree, monotone deviations: what reading a file checks.
  unpackHierarchy({ nodeCount: h.nodeCount, radius: h.radius }, (name) => h[name]);
  const key = (corners: ArrayLike<number>) => Array.from(corners).join();
  const found = new Map<string, number>();
  for (let t = 0; t < h.triangles.length; t += 3) {
    const name = key(h.triangles.subarray(t, t + 3));
    found.set(name, (found.get(name) ?? 0) + 1);
  }
  expect(h.triangles.length).toBe(mesh.triangles.length);
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    if (found.get(key(mesh.triangles.subarray(t, t + 3))) !== 1)
      throw new Error(`triangle ${t / 3} is not in one leaf`);
  }
  for (let node = 0; node < h.nodeCount; node++) checkNode(h, node);
}

function checkNode(h: ConvexHierarchy, node: number): void {
  const [x, y, z, radius] = h.sphere.subarray(4 * node);
  const hull = verticesOf(h, node);
  const within = (p: Float64Array, at: number) =>
    Math.hypot(p[at] - x, p[at + 1] - y, p[at + 2] - z) <= radius * (1 + 1e-12);
  for (let at = 0; at < hull.length; at += 3)
    if (!within(hull, at)) throw new Error(`hull of ${node} outside of its sphere`);
  for (const vertex of trianglesBeneath(h, node)) {
    if (!within(h.points, 3 * vertex)) throw new Error(`surface of ${node} outside of its sphere`);
  }
  if (Math.abs(Math.hypot(...h.normal.subarray(3 * node, 3 * node + 3)) - 1) > 1e-9) throw new Error('normal');
  if (isLeaf(h, node) && h.spread[node] > 1.31 && h.triangleStart[node + 1] - h.triangleStart[node] > 1) {
    throw new Error(`leaf ${node} faces too many ways`);
  }
}

/** The mesh of a node's hull. */
function hullMesh(h: ConvexHierarchy, node: number): TriangleMesh {
  const points = verticesOf(h, node);
  const hull = convexHull(points);
  return { positions: points, triangles: Uint32Array.from(hull.faces, (corner) => hull.vertices[corner]) };
}

function samplesOf(mesh: TriangleMesh, count: number, random: () => number): number[][] {
  return Array.from({ length: count }, () => {
    const t = Math.floor(random() * triangleCount(mesh));
    const u = Math.sqrt(random());
    const v = random();
    const weights = [1 - u, u * (1 - v), u * v];
    return [0, 1, 2].map((axis) =>
      weights.reduce((sum, w, corner) => sum + w * mesh.positions[3 * mesh.triangles[3 * t + corner] + axis], 0),
    );
  });
}

/** The deviation measured again, by samples: patch to hull, and hull out of the solid. */
function createJudge(mesh: TriangleMesh, h: ConvexHierarchy) {
  const solid = buildTriangleTree(mesh);
  const workspace = createTreeWorkspace(solid);
  const random = createRandom(5);
  return (node: number, count: number): number => {
    const hull = hullMesh(h, node);
    const hullTree = buildTriangleTree(hull);
    const hullWorkspace = createTreeWorkspace(hullTree);
    const patch = { positions: h.points, triangles: Uint32Array.from(trianglesBeneath(h, node)) };
    let deviation = 0;
    for (const [x, y, z] of samplesOf(patch, count, random)) {
      deviation = Math.max(deviation, Math.sqrt(nearestDistanceSquared(hullTree, hullWorkspace, x, y, z, Infinity)));
    }
    for (const [x, y, z] of samplesOf(hull, count, random)) {
      const distance = Math.sqrt(nearestDistanceSquared(solid, workspace, x, y, z, Infinity));
      if (distance > deviation && windingNumber(solid, workspace, x, y, z) < 0.5) deviation = distance;
    }
    return deviation;
  };
}

function checkDeviations(mesh: TriangleMesh, h: ConvexHierarchy, samples: number): void {
  const judge = createJudge(mesh, h);
  const tolerance = 1e-3 * h.radius;
  const every = Math.max(1, Math.floor(h.nodeCount / 200));
  for (let node = 0; node < h.nodeCount; node += every) {
    const measured = judge(node, samples);
    if (measured > 1.15 * h.deviation[node] + 0.5 * tolerance) {
      throw new Error(`node ${node}, level ${h.level[node]}: ${measured} m measured, ${h.deviation[node]} m stated`);
    }
    if (isLeaf(h, node)) expect(h.deviation[node]).toBeLessThanOrEqual(tolerance);
  }
}

describe('buildConvexHierarchy', () => {
  it('makes a leaf of each side of a cube, however fine, and bounds the whole exactly', () => {
    for (const triangles of [12, 1500]) {
      const mesh = subdivideMesh(createBox(0.1, 0.1, 0.1), triangles);
      const h = buildConvexHierarchy(mesh);
      checkStructure(mesh, h);
      checkDeviations(mesh, h, 200);
      expect(h.nodeCount).toBe(11);
      expect(h.vertexStart[1]).toBe(8);
      expect(h.deviation[0]).toBeLessThan(1e-6);
    }
  });

  it('is true to a torus at every level', () => {
    const mesh = createTorus(0.05, 0.02, 32, 16);
    const h = buildConvexHierarchy(mesh);
    checkStructure(mesh, h);
    checkDeviations(mesh, h, 300);
    // The hull of the whole covers the hole.
    expect(h.deviation[0]).toBeGreaterThan(0.02);
    for (let node = 0; node < h.nodeCount; node++) expect(verticesOf(h, node).length / 3).toBeLessThanOrEqual(64);
  });

  it('is true to the bunny, with far fewer leaves than triangles', () => {
    const mesh = bunny();
    const h = buildConvexHierarchy(mesh);
    checkStructure(mesh, h);
    checkDeviations(mesh, h, 100);
    expect(h.nodeCount).toBeLessThan(triangleCount(mesh) / 2);
  });

  it('does not fill a cup with the hull of its outer wall', () => {
    const mesh = createCup(24);
    const h = buildConvexHierarchy(mesh);
    checkStructure(mesh, h);
    checkDeviations(mesh, h, 300);
    // Nothing of a leaf is where the drink goes.
    const cavity = [
      [0, 0, 0.03],
      [0.015, 0, 0.04],
      [0, -0.02, 0.05],
    ];
    for (let node = 0; node < h.nodeCount; node++) {
      if (!isLeaf(h, node)) continue;
      const tree = buildTriangleTree(hullMesh(h, node));
      const workspace = createTreeWorkspace(tree);
      for (const [x, y, z] of cavity) expect(windingNumber(tree, workspace, x, y, z)).toBeLessThan(0.5);
    }
  });

  it('takes pieces apart from each other, open sheets and triangles without area', () => {
    const box = createBox(0.01, 0.01, 0.01);
    const pieces = [0, 1, 2, 3, 4].flatMap((i) =>
      Array.from(box.positions, (x, at) => x + (at % 3 === 0 ? 0.03 * i : 0)),
    );
    const five = createMesh(
      Float64Array.from(pieces),
      Uint32Array.from([0, 1, 2, 3, 4].flatMap((i) => Array.from(box.triangles, (vertex) => vertex + 8 * i))),
    );
    const h = buildConvexHierarchy(five);
    checkStructure(five, h);
    expect(h.nodeCount).toBe(2 * 30 - 1);
    const sheet = createMesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0), Uint32Array.of(0, 1, 2, 0, 1, 3));
    checkStructure(sheet, buildConvexHierarchy(sheet));
  });

  it('gives the same bits again', () => {
    const mesh = createTorus(0.05, 0.02, 16, 8);
    expect(buildConvexHierarchy(mesh)).toEqual(buildConvexHierarchy(mesh));
  });

  it.each([1, 3])('gives the same bits on %i workers, with progress, and stops when cancelled', async (size) => {
    const mesh = subdivideMesh(createCup(40), 2500);
    const workers = new InProcessWorkers(size, [joinJob], size);
    const fractions: number[] = [];
    const onProgress = (_: string, fraction: number) => fractions.push(fraction);
    expect(await buildConvexHierarchyOnWorkers(mesh, {}, { workers, onProgress })).toEqual(buildConvexHierarchy(mesh));
    expect([workers.spawned, workers.ended]).toEqual([size, size]);
    expect(fractions.at(-1)).toBe(1);
    expect(fractions.every((fraction, i) => i === 0 || fraction >= fractions[i - 1])).toBe(true);
    const signal = { aborted: false };
    const stopping = buildConvexHierarchyOnWorkers(
      mesh,
      {},
      {
        workers,
        signal,
        onProgress: (stage) => {
          signal.aborted = stage === 'levels of detail';
        },
      },
    );
    await expect(stopping).rejects.toMatchObject({ code: 'cancelled' });
    expect(workers.ended).toBe(workers.spawned);
  });

  it('tells its progress, stops when cancelled and refuses bad options', () => {
    const mesh = createTorus(0.05, 0.02, 16, 8);
    const fractions: number[] = [];
    buildConvexHierarchy(mesh, {}, { onProgress: (_, fraction) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    expect(fractions.every((fraction, i) => i === 0 || fraction >= fractions[i - 1])).toBe(true);
    expect(() => buildConvexHierarchy(mesh, {}, { signal: { aborted: true } })).toThrow('cancelled');
    expect(() => buildConvexHierarchy(mesh, { leafTolerance: 0 })).toThrow('leafTolerance');
    expect(() => buildConvexHierarchy(mesh, { maxVertices: 3 })).toThrow('maxVertices');
  });
});
