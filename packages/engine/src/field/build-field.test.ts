import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { offsetFromTriangle } from '../math/closest-point.js';
import { readObj } from '../mesh/read-obj.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { createBlocks } from '../model/blocks.js';
import { buildField, type FieldOptions, type FieldStatistics } from './build-field.js';
import {
  BRICK_CELLS,
  BRICK_NODES,
  BRICK_SIZE,
  cellIndex,
  type DistanceField,
  fieldDimensions,
  nodeCoordinate,
} from './distance-field.js';
import { QUANTA_PER_VOXEL } from './pack-values.js';
import { sampleDistance, sampleGradient } from './sample-field.js';
import { createTreeWorkspace, windingNumber } from './tree-query.js';
import { buildTriangleTree } from './triangle-tree.js';

type Point = [number, number, number];

function readBunny(): TriangleMesh {
  return readObj(readFileSync(new URL('../../../../scenes/meshes/bunny.obj', import.meta.url)));
}

function joined(...meshes: readonly TriangleMesh[]): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    positions.push(...mesh.positions);
    triangles.push(...[...mesh.triangles].map((vertex) => vertex + first));
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Calls `visit` for every node of every brick with its place, its value and its number (x fastest) in the brick. */
function forEachBrickNode(field: DistanceField, visit: (point: Point, value: number, node: number) => void): void {
  const [nx, ny] = field.cells;
  field.brickOf.forEach((brick, cell) => {
    if (brick < 0) return;
    const first = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    for (let node = 0; node < BRICK_SIZE; node += 1) {
      const place = [node, Math.floor(node / BRICK_NODES), Math.floor(node / BRICK_NODES ** 2)];
      const point = place.map((n, axis) => nodeCoordinate(field, axis, BRICK_CELLS * first[axis] + (n % BRICK_NODES)));
      visit(point as Point, field.bricks[brick * BRICK_SIZE + node], node);
    }
  });
}

/** Distance by a loop over all triangles. */
function bruteForce(mesh: TriangleMesh): (point: Point) => number {
  const corners = Float64Array.from([...mesh.triangles].flatMap((v) => [...mesh.positions.subarray(3 * v, 3 * v + 3)]));
  const out = new Float64Array(3);
  return ([x, y, z]) => {
    let nearest = Number.POSITIVE_INFINITY;
    for (let o = 0; o < corners.length; o += 9) {
      const squared = offsetFromTriangle(out, corners, o, x, y, z);
      if (squared < nearest) nearest = squared;
    }
    return Math.sqrt(nearest);
  };
}

/** How deep the middles of the triangles lie below the sphere of radius 1 that their corners are on. */
function sagitta({ positions, triangles }: TriangleMesh): number {
  let deepest = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const middle = [0, 1, 2].map((axis) =>
      [0, 1, 2].reduce((sum, corner) => sum + positions[3 * triangles[t + corner] + axis] / 3, 0),
    );
    deepest = Math.max(deepest, 1 - Math.hypot(...middle));
  }
  // The point of a flat triangle that is nearest to the origin need not be its middle.
  return 1.2 * deepest;
}

/** Of a stored value, voxels: half a quantum, and single precision. */
const ROUNDED = 0.5 / QUANTA_PER_VOXEL + 1e-6;

describe('a field', () => {
  it('of a sphere is interpolated within h² / (4ρ), up to three voxels from the surface (seed 1)', async () => {
    const mesh = createSphere(1, 32);
    const field = await buildField(mesh, { resolution: 32 });
    const h = field.voxelSize;
    const facets = sagitta(mesh);
    const random = createRandom(1);
    let lowest = 0;
    let highest = 0;
    for (let n = 0; n < 30_000; n += 1) {
      const radius = 1 + 3 * h * (2 * random() - 1);
      const [a, b, c] = [random() - 0.5, random() - 0.5, random() - 0.5];
      const scale = radius / Math.hypot(a, b, c);
      const error = sampleDistance(field, a * scale, b * scale, c * scale) - (radius - 1);
      // The nearest corner of the voxel may be √3 voxels nearer to the centre, where the curvature is larger.
      const bound = (h * h) / (4 * (radius - Math.sqrt(3) * h));
      lowest = Math.min(lowest, error / bound);
      highest = Math.max(highest, (error - facets) / bound);
    }
    // Both the facets, which lie inside, and chords of a convex function give too much and never too little.
    expect(lowest).toBeGreaterThan(-1e-4);
    expect(highest).toBeLessThan(1);
    // The bound is nearly reached, so that twice the error would be noticed.
    expect(highest).toBeGreaterThan(0.5);
  });

  it('has the exact distance at every node near the surface, with its sign: torus', async () => {
    const mesh = createTorus(0.4, 0.1, 24, 12);
    const field = await buildField(mesh, { resolution: 24 });
    const distance = bruteForce(mesh);
    let near = 0;
    let worst = 0;
    let wrong = 0;
    forEachBrickNode(field, (point, value) => {
      const exact = distance(point);
      if (exact > field.band) return;
      near += 1;
      worst = Math.max(worst, Math.abs(Math.abs(value) - exact) / field.voxelSize);
      const [x, y, z] = point;
      const smooth = Math.hypot(Math.hypot(x, y) - 0.4, z) - 0.1;
      if (Math.abs(smooth) > 0.01 && smooth < 0 !== value < 0) wrong += 1;
    });
    expect(near).toBeGreaterThan(5000);
    expect(worst).toBeLessThan(ROUNDED);
    expect(wrong).toBe(0);
  });

  it('has the exact distance at every node near the surface, with its sign: bunny', async () => {
    const mesh = readBunny();
    const field = await buildField(mesh, { resolution: 24 });
    const distance = bruteForce(mesh);
    const tree = buildTriangleTree(mesh);
    const workspace = createTreeWorkspace(tree);
    let near = 0;
    let worst = 0;
    let wrong = 0;
    // 7 is prime to the nodes of a brick, so that over the bricks all of them are looked at.
    let count = 0;
    forEachBrickNode(field, (point, value) => {
      count += 1;
      if (count % 7 !== 0 || Math.abs(value) > field.band) return;
      near += 1;
      const exact = distance(point);
      worst = Math.max(worst, Math.abs(Math.abs(value) - exact) / field.voxelSize);
      if (exact > 1e-6 && windingNumber(tree, workspace, ...point) > 0.5 !== value < 0) wrong += 1;
    });
    expect(near).toBeGreaterThan(1000);
    expect(worst).toBeLessThan(ROUNDED);
    expect(wrong).toBe(0);
  });

  // The walls of this block lie on nodes, so that centres of blocks of nodes lie in the planes of triangles.
  it('has the exact distance and sign at every node of a block whose hole lies along the grid', async () => {
    const across = [-0.072, -0.02475, 0.02475, 0.072];
    const mesh = createBlocks([across, across, [-0.099, 0]], (i, j) => i !== 1 || j !== 1);
    const field = await buildField(mesh, { resolution: 128 });
    const distance = bruteForce(mesh);
    let worst = 0;
    let wrong = 0;
    let count = 0;
    forEachBrickNode(field, (point, value) => {
      count += 1;
      if (count % 7 !== 0 || Math.abs(value) > field.band) return;
      worst = Math.max(worst, Math.abs(Math.abs(value) - distance(point)) / field.voxelSize);
      const [x, y, z] = point;
      const wide = Math.max(Math.abs(x), Math.abs(y));
      const inside = z > -0.099 && z < 0 && wide > 0.02475 && wide < 0.072;
      if (Math.abs(value) > 1e-6 && inside !== value < 0) wrong += 1;
    });
    expect(worst).toBeLessThan(ROUNDED);
    expect(wrong).toBe(0);
  });

  it('covers with exact nodes all that is within the band', async () => {
    const field = await buildField(createSphere(1, 12), { resolution: 32 });
    const random = createRandom(2);
    for (let n = 0; n < 5000; n += 1) {
      const [a, b, c] = [random() - 0.5, random() - 0.5, random() - 0.5];
      const scale = (1 + 0.999 * field.band * (2 * random() - 1)) / Math.hypot(a, b, c);
      const cell = [a, b, c].map((value, axis) =>
        Math.floor((value * scale - field.origin[axis]) / (BRICK_CELLS * field.voxelSize)),
      ) as Point;
      expect(field.brickOf[cellIndex(field, ...cell)]).toBeGreaterThanOrEqual(0);
    }
  });

  it('is right in sign at every node of boxes along the grid, wherever they are (seed 3)', async () => {
    const random = createRandom(3);
    for (let n = 0; n < 6; n += 1) {
      const size: Point = [0.3 + random(), 0.3 + random(), 0.3 + random()];
      const centre = [0, 1, 2].map(() => (random() - 0.5) * 10 ** (4 * random()));
      const box = createBox(...size);
      const mesh = { positions: box.positions.map((value, i) => value + centre[i % 3]), triangles: box.triangles };
      const field = await buildField(mesh, { resolution: 12 + Math.floor(12 * random()) });
      let wrong = 0;
      forEachBrickNode(field, (point, value) => {
        const outside = Math.max(...point.map((x, axis) => Math.abs(x - centre[axis]) - size[axis] / 2));
        if (Math.abs(outside) > 1e-5 * field.voxelSize && outside < 0 !== value < 0) wrong += 1;
      });
      expect(wrong, `box ${n}: ${size} at ${centre}`).toBe(0);
    }
  });

  it('has the right sign far from the surface and in a cavity', async () => {
    const inner = createSphere(0.3, 8);
    const cavity = { positions: inner.positions, triangles: inner.triangles.slice().reverse() };
    const field = await buildField(joined(createSphere(1, 12), cavity), { resolution: 64 });
    expect(sampleDistance(field, 0, 0, 0)).toBeGreaterThan(0.2);
    expect(sampleDistance(field, 0.65, 0, 0)).toBeLessThan(-0.3);
    expect(sampleDistance(field, 0.3, -0.4, 0.42)).toBeLessThan(-0.3);
    expect(sampleDistance(field, 1.3, 1.3, 1.3)).toBeGreaterThan(1.2);
  });

  it('of parts that overlap is inside where any of them is', async () => {
    const second = createSphere(0.5, 10);
    const moved = {
      positions: second.positions.map((v, i) => (i % 3 === 0 ? v + 0.5 : v)),
      triangles: second.triangles,
    };
    const field = await buildField(joined(createSphere(0.5, 10), moved), { resolution: 32 });
    for (const x of [-0.4, 0, 0.25, 0.5, 0.9]) expect(sampleDistance(field, x, 0, 0)).toBeLessThan(0);
    expect(field.closed).toBe(true);
  });

  it('is continuous across the borders of bricks and coarse cells (seed 4)', async () => {
    const field = await buildField(createTorus(0.35, 0.15, 24, 12), { resolution: 56 });
    const random = createRandom(4);
    const side = BRICK_CELLS * field.voxelSize;
    const kinds = { both: 0, mixed: 0, none: 0 };
    const worst = { both: 0, mixed: 0, none: 0 };
    for (let n = 0; n < 60_000; n += 1) {
      // On a face for one fixed coordinate, on an edge for two, at a corner for three.
      const fixed = 1 + (n % 3);
      const place = [0, 1, 2].map((axis) => {
        const cells = field.cells[axis];
        const onPlane = (axis + n) % 3 < fixed;
        return onPlane ? 1 + Math.floor(random() * (cells - 1)) : random() * cells;
      });
      const sign = [0, 1, 2].map(() => (random() < 0.5 ? -1 : 1));
      const at = (direction: number) => place.map((u, axis) => u + direction * sign[axis] * 1e-7);
      const values = [at(1), at(-1)].map((p) => {
        const [x, y, z] = p.map((u, axis) => field.origin[axis] + u * side);
        return sampleDistance(field, x, y, z);
      });
      const bricks = [at(1), at(-1)].filter((p) => {
        const [i, j, k] = p.map((u, axis) => Math.min(field.cells[axis] - 1, Math.max(0, Math.floor(u))));
        return field.brickOf[cellIndex(field, i, j, k)] >= 0;
      }).length;
      const kind = bricks === 2 ? 'both' : bricks === 1 ? 'mixed' : 'none';
      kinds[kind] += 1;
      worst[kind] = Math.max(worst[kind], Math.abs(values[0] - values[1]) / field.voxelSize);
    }
    // √3 · 2e-7 cells of way, and the rounding of stored numbers; of nodes between coarse ones as well.
    expect(worst.both).toBeLessThan(1e-5);
    expect(Math.max(worst.mixed, worst.none)).toBeLessThan(ROUNDED + 1e-5);
    expect(Math.min(...Object.values(kinds))).toBeGreaterThan(1000);
  });
});

/** The upper half of a unit sphere, open below. */
function hemisphere(rings: number, segments: number): TriangleMesh {
  const positions: number[] = [0, 0, 1];
  for (let ring = 1; ring <= rings; ring += 1) {
    const polar = (Math.PI / 2) * (ring / rings);
    for (let n = 0; n < segments; n += 1) {
      const around = (2 * Math.PI * n) / segments;
      const radius = Math.sin(polar);
      positions.push(radius * Math.cos(around), radius * Math.sin(around), ring === rings ? 0 : Math.cos(polar));
    }
  }
  const vertex = (ring: number, n: number) => (ring === 0 ? 0 : 1 + (ring - 1) * segments + (n % segments));
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring += 1) {
    for (let n = 0; n < segments; n += 1) {
      triangles.push(vertex(ring, n), vertex(ring + 1, n), vertex(ring + 1, n + 1));
      if (ring > 0) triangles.push(vertex(ring, n), vertex(ring + 1, n + 1), vertex(ring, n + 1));
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) };
}

/** Every triangle shrunk about its middle: nothing hangs together, and all edges are open. */
function loosePieces(mesh: TriangleMesh, shrink: number, keep = (_middle: Point) => true): TriangleMesh {
  const positions: number[] = [];
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    const corners = [0, 1, 2].map((n) => [
      ...mesh.positions.subarray(3 * mesh.triangles[t + n], 3 * mesh.triangles[t + n] + 3),
    ]);
    const middle = [0, 1, 2].map((axis) => (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3) as Point;
    if (!keep(middle)) continue;
    for (const corner of corners)
      positions.push(...corner.map((x, axis) => middle[axis] + shrink * (x - middle[axis])));
  }
  return {
    positions: Float64Array.from(positions),
    triangles: Uint32Array.from({ length: positions.length / 3 }, (_, n) => n),
  };
}

/** Largest difference between neighbouring nodes of bricks within four voxels of the surface, in voxels. */
function largestStep(field: DistanceField): number {
  let largest = 0;
  for (let first = 0; first < field.bricks.length; first += BRICK_SIZE) {
    for (let node = 0; node < BRICK_SIZE; node += 1) {
      const place = [node, Math.floor(node / BRICK_NODES), Math.floor(node / BRICK_NODES ** 2)];
      const value = field.bricks[first + node];
      [1, BRICK_NODES, BRICK_NODES ** 2].forEach((step, axis) => {
        if (place[axis] % BRICK_NODES === BRICK_CELLS) return;
        const next = field.bricks[first + node + step];
        if (Math.min(Math.abs(value), Math.abs(next)) > 4 * field.voxelSize) return;
        largest = Math.max(largest, Math.abs(value - next));
      });
    }
  }
  return largest / field.voxelSize;
}

async function buildWithStatistics(mesh: TriangleMesh, options: FieldOptions) {
  let statistics: FieldStatistics | undefined;
  const field = await buildField(mesh, options, {
    onStatistics: (numbers) => {
      statistics = numbers;
    },
  });
  return { field, statistics: statistics! };
}

describe('a field of an open mesh', () => {
  it('has a lid over a flat opening', async () => {
    const { field, statistics } = await buildWithStatistics(hemisphere(12, 48), { resolution: 48 });
    expect(field.closed).toBe(true);
    expect(statistics.capTriangles).toBe(48);
    expect(sampleDistance(field, 0, 0, 0.1)).toBeCloseTo(-0.1, 6);
    expect(sampleDistance(field, 0.3, 0.2, 0.1)).toBeCloseTo(-0.1, 6);
    expect(sampleDistance(field, 0.3, 0.2, -0.1)).toBeCloseTo(0.1, 6);
    expect(largestStep(field)).toBeLessThan(1 + 1e-5);
  });

  it('made of loose pieces has the sign of the winding number, and does not jump: sphere', async () => {
    const { field, statistics } = await buildWithStatistics(loosePieces(createSphere(1, 8), 0.98), { resolution: 32 });
    expect(field.closed).toBe(false);
    expect(statistics.capTriangles).toBe(0);
    let wrong = 0;
    let checked = 0;
    forEachBrickNode(field, (point, value) => {
      if (Math.abs(value) < 1.5 * field.voxelSize) return;
      checked += 1;
      if (Math.hypot(...point) < 1 !== value < 0) wrong += 1;
    });
    expect(checked).toBeGreaterThan(10_000);
    expect(wrong).toBe(0);
    expect(largestStep(field)).toBeLessThan(1.5);
  });

  it('made of loose pieces has the sign of the winding number, and does not jump: bunny', async () => {
    const bunny = readBunny();
    const field = await buildField(loosePieces(bunny, 0.98), { resolution: 24 });
    const tree = buildTriangleTree(bunny);
    const workspace = createTreeWorkspace(tree);
    let wrong = 0;
    let checked = 0;
    forEachBrickNode(field, (point, value) => {
      if (Math.abs(value) < 1.5 * field.voxelSize) return;
      checked += 1;
      if (windingNumber(tree, workspace, ...point) > 0.5 !== value < 0) wrong += 1;
    });
    expect(field.closed).toBe(false);
    expect(checked).toBeGreaterThan(5000);
    expect(wrong).toBe(0);
    expect(largestStep(field)).toBeLessThan(1.5);
  });

  it('made of loose pieces gets a surface across a large opening', async () => {
    const half = loosePieces(createSphere(1, 6), 0.95, ([x, y, z]) => x + 0.7 * y + 0.4 * z < 0);
    const { field, statistics } = await buildWithStatistics(half, { resolution: 20 });
    expect(field.closed).toBe(false);
    expect(statistics.capTriangles).toBeGreaterThan(100);
    const [a, b, c] = [1, 0.7, 0.4].map((value) => value / Math.hypot(1, 0.7, 0.4));
    const at = (t: number) => sampleDistance(field, t * a, t * b, t * c);
    expect(at(-0.5)).toBeLessThan(-0.3);
    expect(at(0.4)).toBeGreaterThan(0.2);
    // Without that surface the distance would jump by the width of the opening.
    expect(largestStep(field)).toBeLessThan(1.5);
  });

  const square: TriangleMesh = {
    positions: Float64Array.of(-0.5, -0.5, 0, 0.5, -0.5, 0, 0.5, 0.5, 0, -0.5, 0.5, 0),
    triangles: Uint32Array.of(0, 1, 2, 0, 2, 3),
  };

  it.each([
    ['a sheet', square],
    ['a box thinner than a voxel', createBox(1, 1, 0.004)],
  ])('pushes out on both sides when offset: %s (seed 5)', async (_, mesh) => {
    const h = 1 / 40;
    const offset = 1.5 * h;
    const field = await buildField(mesh, { resolution: 40, offset });
    expect(field.offset).toBe(offset);
    const random = createRandom(5);
    const gradient = new Float64Array(3);
    for (let n = 0; n < 2000; n += 1) {
      const [x, y] = [0.9 * (random() - 0.5), 0.9 * (random() - 0.5)];
      const side = n % 2 === 0 ? 1 : -1;
      // Below half a voxel the interpolation rounds off the crease between the two sides.
      const z = side * h * (1 + 2 * random());
      const value = sampleGradient(gradient, field, x, y, z);
      expect(Math.abs(value - (Math.abs(z) - offset))).toBeLessThan(0.1 * h + 0.002);
      expect(side * gradient[2]).toBeGreaterThan(0.9);
    }
    expect(sampleDistance(field, 0, 0, 0)).toBeLessThan(-0.9 * h);
  });
});

describe('building a field', () => {
  it.each([
    ['closed', createSphere(1, 8)],
    ['open', loosePieces(createSphere(1, 4), 0.9, ([x]) => x < 0.4)],
  ])('reports progress that never falls and ends at 1: %s mesh', async (_, mesh) => {
    const fractions: number[] = [];
    const stages = new Set<string>();
    await buildField(
      mesh,
      { resolution: 16 },
      {
        onProgress: (stage, fraction) => {
          stages.add(stage);
          fractions.push(fraction);
        },
      },
    );
    expect(fractions.length).toBeGreaterThan(5);
    expect(fractions[0]).toBeGreaterThanOrEqual(0);
    expect(fractions.at(-1)).toBe(1);
    expect(fractions.slice(1).every((fraction, n) => fraction >= fractions[n])).toBe(true);
    expect(stages.size).toBeGreaterThan(1);
  });

  it('stops when it is cancelled, before and on the way', async () => {
    const mesh = createSphere(1, 8);
    await expect(buildField(mesh, {}, { signal: { aborted: true } })).rejects.toMatchObject({ code: 'cancelled' });
    for (const moment of [0.05, 0.3]) {
      const signal = { aborted: false };
      let last = 0;
      const onProgress = (_: string, fraction: number) => {
        last = fraction;
        if (fraction > moment) signal.aborted = true;
      };
      await expect(buildField(mesh, { resolution: 32 }, { signal, onProgress })).rejects.toMatchObject({
        name: 'PalpableError',
        code: 'cancelled',
      });
      expect(last).toBeLessThan(0.95);
    }
  });

  it('states what it did', async () => {
    const { field, statistics } = await buildWithStatistics(createBox(1, 1, 1), { voxelSize: 1 / 16 });
    expect(field.voxelSize).toBe(1 / 16);
    expect(fieldDimensions(field)).toEqual([48, 48, 48]);
    expect(statistics).toMatchObject({
      nodesStored: 7 ** 3 + field.bricks.length,
      nodesOfFullGrid: 49 ** 3,
      bricks: field.bricks.length / BRICK_SIZE,
      capTriangles: 0,
    });
    // Every coarse node and every fourth node of a brick at least; the others once at most.
    expect(statistics.nodesComputed).toBeGreaterThan(7 ** 3 + 27 * statistics.bricks);
    expect(statistics.nodesComputed).toBeLessThanOrEqual(7 ** 3 + (BRICK_SIZE + 27) * statistics.bricks);
    expect([...field.bounds]).toEqual([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]);
  });

  const box = createBox(1, 1, 1);
  const withVertex = (n: number, value: number) => {
    const positions = box.positions.slice();
    positions[n] = value;
    return { positions, triangles: box.triangles };
  };
  const flat = { positions: new Float64Array(24).fill(3), triangles: box.triangles };

  it.each<[string, TriangleMesh, FieldOptions, string]>([
    ['resolution 0', box, { resolution: 0 }, 'option-invalid'],
    ['resolution NaN', box, { resolution: Number.NaN }, 'option-invalid'],
    ['resolution 5000', box, { resolution: 5000 }, 'option-invalid'],
    ['resolution −3', box, { resolution: -3 }, 'option-invalid'],
    ['voxel size 0', box, { voxelSize: 0 }, 'option-invalid'],
    ['voxel size −1', box, { voxelSize: -1 }, 'option-invalid'],
    ['voxel size larger than the mesh', box, { voxelSize: 2 }, 'option-invalid'],
    ['voxels of a nanometre', box, { voxelSize: 1e-9 }, 'option-invalid'],
    ['offset −1', box, { offset: -1 }, 'option-invalid'],
    ['offset NaN', box, { offset: Number.NaN }, 'option-invalid'],
    ['endless offset', box, { offset: Number.POSITIVE_INFINITY }, 'option-invalid'],
    ['offset in the wrong unit', box, { offset: 100 }, 'option-invalid'],
    ['no triangles', { positions: box.positions, triangles: new Uint32Array(0) }, {}, 'mesh-empty'],
    ['a vertex that is no number', withVertex(4, Number.NaN), {}, 'mesh-invalid'],
    ['a vertex at infinity', withVertex(4, Number.NEGATIVE_INFINITY), {}, 'mesh-invalid'],
    ['all vertices at one place', flat, {}, 'mesh-invalid'],
  ])('refuses %s', async (_, mesh, options, code) => {
    await expect(buildField(mesh, options)).rejects.toMatchObject({ name: 'PalpableError', code });
  });
});
