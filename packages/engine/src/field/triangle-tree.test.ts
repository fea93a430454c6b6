import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { createBox, createSphere, createTorus } from '../mesh/shapes.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { buildTriangleTree, DIPOLE_SIZE, PLANES_SIZE, type TriangleTree } from './triangle-tree.js';

/** Triangles anywhere, large and small. */
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

/** All triangles at the same place: nothing to split by. */
function stackedTriangles(count: number): TriangleMesh {
  return {
    positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
    triangles: Uint32Array.from({ length: 3 * count }, (_, n) => n % 3),
  };
}

/** Each ten times the size of the one before: the split always takes off a few, so the tree is deep. */
function growingTriangles(count: number): TriangleMesh {
  const positions = Float64Array.from({ length: 9 * count }, (_, n) => 1.5 ** Math.floor(n / 9) * ((n % 4) + 1));
  return { positions, triangles: Uint32Array.from({ length: 3 * count }, (_, n) => n) };
}

function cornersOf(mesh: TriangleMesh, triangle: number): number[] {
  return [0, 1, 2].flatMap((corner) => {
    const vertex = 3 * mesh.triangles[3 * triangle + corner];
    return [...mesh.positions.subarray(vertex, vertex + 3)];
  });
}

/** Walks the whole tree and gives what is wrong with it; the number of each leaf's triangles goes to `onLeaf`. */
function faultsOf(tree: TriangleTree, onLeaf: (triangle: number) => void): string[] {
  const faults: string[] = [];
  const visit = (node: number, depth: number): { box: number[]; area: number[] } => {
    if (depth > tree.depth) faults.push(`node ${node} is at depth ${depth}, beyond ${tree.depth}`);
    const own = [...tree.boxes.subarray(6 * node, 6 * node + 6)];
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    const area = [0, 0, 0];
    const include = (other: readonly number[], vector: readonly number[]) => {
      for (let axis = 0; axis < 3; axis += 1) {
        box[axis] = Math.min(box[axis], other[axis]);
        box[3 + axis] = Math.max(box[3 + axis], other[3 + axis]);
        area[axis] += vector[axis];
      }
    };
    if (tree.right[node] === 0) {
      for (let t = tree.first[node]; t < tree.first[node] + tree.count[node]; t += 1) {
        onLeaf(t);
        const c = tree.corners.subarray(9 * t, 9 * t + 9);
        for (let corner = 0; corner < 9; corner += 3) {
          const point = [...c.subarray(corner, corner + 3)];
          include([...point, ...point], [0, 0, 0]);
        }
        const [ux, uy, uz] = [c[3] - c[0], c[4] - c[1], c[5] - c[2]];
        const [vx, vy, vz] = [c[6] - c[0], c[7] - c[1], c[8] - c[2]];
        include(box, [(uy * vz - uz * vy) / 2, (uz * vx - ux * vz) / 2, (ux * vy - uy * vx) / 2]);
      }
    } else {
      for (const child of [node + 1, tree.right[node]]) {
        const inner = visit(child, depth + 1);
        include(inner.box, inner.area);
      }
    }
    if (own.some((value, n) => value !== box[n])) faults.push(`node ${node} has the box ${own} instead of ${box}`);
    const dipole = tree.dipoles.subarray(DIPOLE_SIZE * node, DIPOLE_SIZE * (node + 1));
    const size = Math.hypot(...box);
    for (let axis = 0; axis < 3; axis += 1) {
      if (!(Math.abs(dipole[3 + axis] - area[axis]) <= 1e-9 * size * size)) faults.push(`area vector of node ${node}`);
      if (!(dipole[axis] >= box[axis] - 1e-9 * size && dipole[axis] <= box[3 + axis] + 1e-9 * size))
        faults.push(`centre of node ${node} is outside its box`);
    }
    for (let corner = 0; corner < 8; corner += 1) {
      const far = Math.hypot(...[0, 1, 2].map((axis) => box[axis + (corner & (1 << axis) ? 3 : 0)] - dipole[axis]));
      if (far > dipole[6] * (1 + 1e-12)) faults.push(`ball of node ${node} does not hold its box`);
    }
    return { box, area };
  };
  visit(0, 1);
  return faults;
}

const meshes: readonly (readonly [string, TriangleMesh])[] = [
  ['one triangle', randomTriangles(1, 1)],
  ['five triangles', randomTriangles(5, 2)],
  ['a box', createBox(1, 2, 3)],
  ['a sphere', createSphere(0.5, 12)],
  ['a torus', createTorus(1, 0.3, 40, 20)],
  ['3,000 triangles at random, seed 3', randomTriangles(3000, 3)],
  ['100 triangles at one place', stackedTriangles(100)],
  ['150 triangles that grow', growingTriangles(150)],
];

describe('a triangle tree', () => {
  it.each(meshes)('of %s holds every triangle once, in boxes that fit', (_, mesh) => {
    const tree = buildTriangleTree(mesh);
    const found: number[] = [];
    expect(faultsOf(tree, (triangle) => found.push(triangle))).toEqual([]);
    const count = mesh.triangles.length / 3;
    expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n));
    const sorted = (lists: number[][]) => lists.map((list) => list.join()).sort();
    const before = Array.from({ length: count }, (_, n) => cornersOf(mesh, n));
    const after = Array.from({ length: count }, (_, n) => [...tree.corners.subarray(9 * n, 9 * n + 9)]);
    expect(sorted(after)).toEqual(sorted(before));
  });

  it('has the planes of its triangles: zero on them, outward of their edges', () => {
    const tree = buildTriangleTree(randomTriangles(300, 4));
    for (let t = 0; t < 300; t += 1) {
      const corners = tree.corners.subarray(9 * t, 9 * t + 9);
      const height = (plane: number, corner: number) => {
        const p = PLANES_SIZE * t + 4 * plane;
        const [x, y, z] = corners.subarray(3 * corner, 3 * corner + 3);
        return tree.planes[p] * x + tree.planes[p + 1] * y + tree.planes[p + 2] * z - tree.planes[p + 3];
      };
      for (let corner = 0; corner < 3; corner += 1) {
        expect(Math.abs(height(0, corner))).toBeLessThan(1e-12);
        expect(Math.abs(height(1 + corner, corner))).toBeLessThan(1e-12);
        expect(Math.abs(height(1 + corner, (corner + 1) % 3))).toBeLessThan(1e-12);
        expect(height(1 + corner, (corner + 2) % 3)).toBeLessThan(0);
      }
    }
  });

  it('does without planes where a triangle has none', () => {
    const tree = buildTriangleTree(stackedTriangles(1));
    expect(tree.planes.some((value) => value !== 0)).toBe(true);
    const flat = { positions: Float64Array.of(0, 0, 0, 1, 0, 0), triangles: Uint32Array.of(0, 1, 1) };
    expect([...buildTriangleTree(flat).planes]).toEqual(new Array(PLANES_SIZE).fill(0));
  });

  it('is the same for the same mesh', () => {
    const mesh = randomTriangles(500, 5);
    expect(buildTriangleTree(mesh)).toEqual(buildTriangleTree(mesh));
  });
});
