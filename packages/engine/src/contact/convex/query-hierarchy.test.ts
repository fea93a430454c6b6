import { describe, expect, it } from 'vitest';
import { createRandom, type RandomSource } from '../../base/random.js';
import { COARSE_DIPOLES, createTreeWorkspace, nearestDistanceSquared, windingNumber } from '../../field/tree-query.js';
import { buildTriangleTree, type TriangleTree } from '../../field/triangle-tree.js';
import { buildConvexHierarchy } from '../../hierarchy/build-hierarchy.js';
import { composePose, createPose, type Pose, relativePose, transformPoint } from '../../math/pose.js';
import { createBox, createTorus } from '../../mesh/shapes.js';
import { subdivideMesh } from '../../mesh/subdivide.js';
import type { TriangleMesh } from '../../mesh/triangle-mesh.js';
import { type ContactSet, createContactSet } from '../contact-set.js';
import { createHierarchyQuery } from './create-hierarchy-query.js';
import { triangleHierarchy } from './hierarchy.fixture.js';
import { CAPPED_HIERARCHY_CONTACTS, CAPPED_HIERARCHY_PAIRS, type HierarchyQueryOptions } from './hierarchy-query.js';
import { queryHierarchies } from './query-hierarchy.js';
import { moved, nearPairs } from './triangles.fixture.js';

/** Each is compared by brute force. */
const POSES = process.env.PALPABLE_TEST_ALL ? 300 : 120;
const HOME = createPose();

function randomPose(random: RandomSource, reach: number): Pose {
  const pose = createPose();
  let squared = 0;
  for (let n = 3; n < 7; n += 1) {
    pose[n] = random() + random() + random() - 1.5;
    squared += pose[n] * pose[n];
  }
  for (let n = 3; n < 7; n += 1) pose[n] /= Math.sqrt(squared);
  for (let n = 0; n < 3; n += 1) pose[n] = (2 * random() - 1) * reach;
  return pose;
}

/** Deepest of the given points within a closed surface, negative if all are outside. */
function deepest(points: Float64Array, tree: TriangleTree): number {
  const workspace = createTreeWorkspace(tree);
  let depth = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < points.length; n += 3) {
    const [x, y, z] = [points[n], points[n + 1], points[n + 2]];
    const distance = Math.sqrt(nearestDistanceSquared(tree, workspace, x, y, z, Number.POSITIVE_INFINITY));
    if (Math.max(distance, -distance) <= depth) continue;
    const side = windingNumber(tree, workspace, x, y, z, COARSE_DIPOLES) > 0.5 ? 1 : -1;
    depth = Math.max(depth, side * distance);
  }
  return depth;
}

function mostDepth(set: ContactSet): number {
  return Math.max(Number.NEGATIVE_INFINITY, ...set.depth.subarray(0, set.count));
}

function deepestOf(set: ContactSet): number {
  return set.depth.subarray(0, set.count).indexOf(mostDepth(set));
}

describe('queryHierarchies against each triangle with each', () => {
  const d = 0.06;
  const tool = createTorus(1, 0.4, 20, 12);
  const environment = createTorus(1.2, 0.3, 24, 10);
  const query = createHierarchyQuery(triangleHierarchy(tool), triangleHierarchy(environment), {
    distanceTolerance: d,
    tolerance: 0,
  });
  const set = createContactSet(256);
  const toolTree = buildTriangleTree(tool);
  const environmentTree = buildTriangleTree(environment);
  const toolSamples = subdivideMesh(tool, 1500).positions;
  const environmentSamples = subdivideMesh(environment, 1500).positions;
  const random = createRandom(21);
  const back = createPose();
  const tally = { far: 0, near: 0, crossing: 0, deep: 0 };

  it(`agrees in ${POSES} random poses`, () => {
    for (let n = 0; n < POSES; n += 1) comparePose(poseNearContact());
  });

  it('has seen enough of each kind of pose', () => {
    expect(tally.far).toBeGreaterThan(0.05 * POSES);
    expect(tally.near).toBeGreaterThan(0.15 * POSES);
    expect(tally.crossing).toBeGreaterThan(0.3 * POSES);
  });

  /** From outside towards the middle, until a corner of the tool is about as deep as wanted. */
  function poseNearContact(): Pose {
    const pose = randomPose(random, 1);
    const length = Math.hypot(pose[0], pose[1], pose[2]);
    const way = [pose[0] / length, pose[1] / length, pose[2] / length];
    const wanted = (3.5 * random() - 1.5) * d;
    let along = 2.9;
    for (let step = 0; step < 5; step += 1) {
      for (let axis = 0; axis < 3; axis += 1) pose[axis] = along * way[axis];
      along -= wanted - deepest(moved(tool.positions, pose), environmentTree);
    }
    return pose;
  }

  function comparePose(pose: Pose): void {
    const toolPoints = moved(tool.positions, pose);
    const reference = nearPairs(toolPoints, tool.triangles, environment.positions, environment.triangles, d);
    queryHierarchies(query, set, pose, HOME, pose);
    if (reference.crossing > 0) compareCrossing(pose);
    else if (reference.least < d) {
      tally.near += 1;
      expect(mostDepth(set)).toBeCloseTo(-reference.least, 9);
      expectEveryPlaceCovered(reference.pairs);
    } else {
      tally.far += 1;
      expect(set.count).toBe(0);
    }
  }

  /** The reference knows the depth at samples of the surfaces only, the query between them as well. */
  function compareCrossing(pose: Pose): void {
    relativePose(back, pose, HOME);
    const reference = Math.max(
      deepest(moved(toolSamples, pose), environmentTree),
      deepest(moved(environmentSamples, back), toolTree),
    );
    if (reference > 2.5 * d) {
      tally.deep += 1;
      return;
    }
    tally.crossing += 1;
    const depth = mostDepth(set);
    expect(depth).toBeGreaterThan(0);
    expect(depth).toBeGreaterThan(0.9 * reference - 0.001);
    expect(depth).toBeLessThan(1.1 * reference + 0.03);
  }

  /** Every pair of triangles within d has a contact nearer to it than half a triangle. */
  function expectEveryPlaceCovered(pairs: number[]): void {
    for (let p = 0; p < pairs.length; p += 7) {
      let nearest = Number.POSITIVE_INFINITY;
      for (let c = 0; c < set.count; c += 1) {
        const [x, y, z] = set.position.subarray(3 * c, 3 * c + 3);
        nearest = Math.min(nearest, Math.hypot(x - pairs[p + 1], y - pairs[p + 2], z - pairs[p + 3]));
      }
      expect(nearest).toBeLessThan(3 * d);
    }
  }
});

describe('queryHierarchies with built hierarchies', () => {
  it('finds the smallest distance within the leaf tolerance, and within the tolerance at coarser levels', () => {
    const d = 0.1;
    const leafTolerance = 1e-3;
    const toolMesh = createTorus(1, 0.4, 20, 12);
    const environmentMesh = createTorus(1.2, 0.3, 24, 10);
    const tool = buildConvexHierarchy(toolMesh, { leafTolerance });
    const environment = buildConvexHierarchy(environmentMesh, { leafTolerance });
    const set = createContactSet(256);
    const random = createRandom(31);
    const cases = [0, 0.02].map((tolerance) => ({
      query: createHierarchyQuery(tool, environment, { distanceTolerance: d, tolerance }),
      allowed: 2 * Math.max(tolerance, leafTolerance),
      near: 0,
    }));
    for (let n = 0; n < 300; n += 1) {
      const pose = randomPose(random, 2.4);
      const points = moved(toolMesh.positions, pose);
      const reference = nearPairs(points, toolMesh.triangles, environmentMesh.positions, environmentMesh.triangles, d);
      for (const each of cases) {
        queryHierarchies(each.query, set, pose, HOME, pose);
        if (reference.crossing > 0 || reference.least > d - each.allowed) continue;
        each.near += 1;
        expect(Math.abs(mostDepth(set) + reference.least)).toBeLessThan(each.allowed + 1e-9);
      }
    }
    for (const { near } of cases) expect(near).toBeGreaterThan(5);
  });
});

describe('queryHierarchies', () => {
  const centre = new Float64Array(3);
  const set = createContactSet(256);

  function queryOf(tool: TriangleMesh, environment: TriangleMesh, options: Partial<HierarchyQueryOptions> = {}) {
    return createHierarchyQuery(triangleHierarchy(tool), triangleHierarchy(environment), {
      distanceTolerance: 0.01,
      tolerance: 0,
      ...options,
    });
  }

  it('pushes a box out of a table, from near contact to deep inside, straight up and by the true depth', () => {
    const query = queryOf(createBox(0.2, 0.2, 0.2), createBox(2, 2, 0.5));
    const pose = createPose(0.3, 0.1, 0, 0, 0, 0, 1);
    for (const depth of [-0.009, -0.001, 0, 0.001, 0.01, 0.02, 0.035]) {
      pose[2] = 0.25 + 0.1 - depth;
      queryHierarchies(query, set, pose, HOME, centre);
      expect(set.count).toBeGreaterThan(0);
      for (let c = 0; c < set.count; c += 1) {
        expect(set.depth[c]).toBeCloseTo(depth, 6);
        expect(set.normal[3 * c + 2]).toBeCloseTo(1, 6);
        expect(set.position[3 * c + 2]).toBeCloseTo(0.25 - depth, 6);
      }
    }
    pose[2] = 0.25 + 0.1 + 0.011;
    queryHierarchies(query, set, pose, HOME, centre);
    expect(set.count).toBe(0);
  });

  it('finds the tip of a box that stands on its corner or its edge', () => {
    const query = queryOf(createBox(0.2, 0.2, 0.2), createBox(2, 2, 0.5));
    const tilt = Math.sqrt(0.5);
    const edgeDown = createPose(0.1, 0.2, 0, Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8));
    for (const depth of [-0.005, 0.002, 0.02]) {
      edgeDown[2] = 0.25 + 0.2 * tilt - depth;
      queryHierarchies(query, set, edgeDown, HOME, centre);
      expect(mostDepth(set)).toBeCloseTo(depth, 6);
      for (let c = 0; c < set.count; c += 1) expect(set.normal[3 * c + 2]).toBeCloseTo(1, 6);
    }
  });

  it('reports no contact with the back of a thin sheet, nor with the far side of a thin tool', () => {
    const query = queryOf(createBox(0.3, 0.3, 0.004), createBox(1, 1, 0.002));
    const pose = createPose();
    for (const gap of [-0.001, 0.0005, 0.003, 0.008]) {
      for (const side of [1, -1]) {
        pose[2] = side * (0.003 + gap);
        queryHierarchies(query, set, pose, HOME, centre);
        expect(set.count).toBeGreaterThan(0);
        for (let c = 0; c < set.count; c += 1) {
          expect(side * set.normal[3 * c + 2]).toBeGreaterThan(0.999);
          expect(set.depth[c]).toBeCloseTo(-gap, 4);
        }
      }
    }
  });

  it('feels the floor and the wall in a corner', () => {
    const floor = createBox(1, 1, 0.2);
    const wall = createBox(0.2, 1, 1);
    const room = {
      positions: Float64Array.of(...floor.positions, ...moved(wall.positions, createPose(-0.3, 0, 0.5))),
      triangles: Uint32Array.of(...floor.triangles, ...wall.triangles.map((n) => n + floor.positions.length / 3)),
    };
    const query = queryOf(createBox(0.1, 0.1, 0.1), room);
    for (const depth of [-0.004, 0.003]) {
      queryHierarchies(query, set, createPose(-0.15 - depth, 0.03, 0.15 - depth), HOME, centre);
      for (const axis of [0, 2]) {
        const pushing = Array.from({ length: set.count }, (_, c) => c).filter((c) => set.normal[3 * c + axis] > 0.99);
        expect(pushing.length).toBeGreaterThan(0);
        for (const c of pushing) expect(set.depth[c]).toBeCloseTo(depth, 6);
      }
    }
  });

  it('gives few contacts, all straight, on a flat surface of many triangles', () => {
    const flat = subdivideMesh(createBox(1, 1, 0.2), 3000);
    const query = queryOf(createBox(0.05, 0.05, 0.05), flat, { distanceTolerance: 0.03 });
    const corner = createPose(0.013, 0.007, 0, 0.325057583, 0.325057583, 0, 0.888073834);
    corner[2] = 0.1 + 0.05;
    queryHierarchies(query, set, corner, HOME, centre);
    expect(set.count).toBeGreaterThan(0);
    for (let c = 0; c < set.count; c += 1) expect(set.normal[3 * c + 2]).toBeGreaterThan(0.999);
    expect(set.count).toBeLessThan(8);
  });

  it('says all in the world frame: poses of both bodies moved together move the contacts', () => {
    const query = queryOf(createTorus(0.1, 0.03, 16, 8), createBox(0.5, 0.5, 0.1));
    const pose = randomPose(createRandom(3), 0.01);
    pose[2] = 0.12;
    queryHierarchies(query, set, pose, HOME, centre);
    const world = randomPose(createRandom(4), 1);
    const movedPose = composePose(createPose(), world, pose);
    const other = createContactSet(256);
    const again = queryOf(createTorus(0.1, 0.03, 16, 8), createBox(0.5, 0.5, 0.1));
    queryHierarchies(again, other, movedPose, world, movedPose);
    expect(set.count).toBeGreaterThan(0);
    const c = deepestOf(set);
    const o = deepestOf(other);
    const point = new Float64Array(3);
    transformPoint(point, world, set.position[3 * c], set.position[3 * c + 1], set.position[3 * c + 2]);
    for (let axis = 0; axis < 3; axis += 1) {
      expect(other.position[3 * o + axis]).toBeCloseTo(point[axis], 9);
      expect(other.arm[3 * o + axis]).toBeCloseTo(point[axis] - movedPose[axis], 9);
    }
    expect(other.depth[o]).toBeCloseTo(set.depth[c], 9);
  });

  it('gives the same bits for the same poses in the same order', () => {
    const runs = [0, 1].map(() => {
      const query = queryOf(createTorus(0.1, 0.03, 16, 8), createTorus(0.12, 0.04, 16, 8));
      const random = createRandom(8);
      const numbers: number[] = [];
      for (let n = 0; n < 30; n += 1) {
        queryHierarchies(query, set, randomPose(random, 0.1), HOME, centre);
        numbers.push(set.count, query.counters.iterations);
        numbers.push(...set.depth.subarray(0, set.count), ...set.normal.subarray(0, 3 * set.count));
      }
      return numbers;
    });
    expect(runs[1]).toEqual(runs[0]);
  });

  it('stays within its caps, and says so', () => {
    const tool = createTorus(0.1, 0.03, 16, 8);
    const pose = createPose(0.1, 0, 0.03);
    const few = queryOf(tool, tool, { maxContacts: 2 });
    queryHierarchies(few, set, pose, HOME, centre);
    expect(set.count).toBe(2);
    expect(few.counters.capped & CAPPED_HIERARCHY_CONTACTS).not.toBe(0);
    const hurried = queryOf(tool, tool, { maxPairs: 50 });
    queryHierarchies(hurried, set, pose, HOME, centre);
    expect(hurried.counters.capped & CAPPED_HIERARCHY_PAIRS).not.toBe(0);
    expect(hurried.counters.pairs).toBeLessThan(100);
    expect(set.count).toBeGreaterThan(0);
  });

  it('has no contacts at a pose that is not finite, and refuses options without meaning', () => {
    const query = queryOf(createBox(1, 1, 1), createBox(1, 1, 1));
    queryHierarchies(query, set, createPose(Number.NaN), HOME, centre);
    expect(set.count).toBe(0);
    expect(query.counters.badPose).toBe(1);
    const box = createBox(1, 1, 1);
    expect(() => queryOf(box, box, { distanceTolerance: 0 })).toThrow('distanceTolerance is 0');
    expect(() => queryOf(box, box, { tolerance: -1 })).toThrow('tolerance is -1');
    expect(() => queryOf(box, box, { maxPairs: 0.5 })).toThrow('maxPairs is 0.5');
  });
});
