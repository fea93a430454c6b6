import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { edgesAsMesh, findOpenEdges } from './open-edges.js';
import { createBox, createSphere, createTorus } from './shapes.js';
import type { TriangleMesh } from './triangle-mesh.js';

function mesh(positions: readonly (readonly number[])[], triangles: readonly (readonly number[])[]): TriangleMesh {
  return { positions: Float64Array.from(positions.flat()), triangles: Uint32Array.from(triangles.flat()) };
}

function pairs(edges: Uint32Array): number[][] {
  return Array.from({ length: edges.length / 2 }, (_, n) => [edges[2 * n], edges[2 * n + 1]]).sort(
    ([a, b], [c, d]) => a - c || b - d,
  );
}

/** A tetrahedron whose edge from 0 to 1 is cut at the given parts, but only in one of the two faces that meet there. */
function tetrahedronWithJunctions(parts: readonly number[], away: readonly number[] = [0, 0, 0]): TriangleMesh {
  const inner = parts.map((part) => [part + away[0], away[1], away[2]]);
  const chain = [0, ...parts.map((_, n) => 4 + n), 1];
  return mesh(
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], ...inner],
    [
      [0, 2, 1],
      [0, 3, 2],
      [1, 2, 3],
      // The face (0, 1, 3) as a fan about 3.
      ...chain.slice(1).map((vertex, n) => [chain[n], vertex, 3]),
    ],
  );
}

describe('open edges', () => {
  it.each([
    ['box', createBox(1, 2, 3)],
    ['sphere', createSphere(1, 5)],
    ['torus', createTorus(1, 0.3, 12, 6)],
  ])('are none on a %s', (_, shape) => {
    expect(findOpenEdges(shape)).toEqual(new Uint32Array(0));
  });

  it('are those around a missing triangle, in the direction of their own triangles', () => {
    const box = createBox(1, 1, 1);
    const [a, b, c] = box.triangles.subarray(0, 3);
    const open = { positions: box.positions, triangles: box.triangles.slice(3) };
    // The missing triangle ran a → b → c, so its neighbours run the other way.
    expect(pairs(findOpenEdges(open))).toEqual(pairs(Uint32Array.of(b, a, c, b, a, c)));
  });

  it('are all three of a lone triangle', () => {
    const lone = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [[0, 1, 2]],
    );
    expect(pairs(findOpenEdges(lone))).toEqual([
      [0, 1],
      [1, 2],
      [2, 0],
    ]);
  });

  it('are none where vertices of one side lie on the long edge of the other', () => {
    expect(pairs(findOpenEdges(tetrahedronWithJunctions([0.5])))).toEqual([]);
    expect(pairs(findOpenEdges(tetrahedronWithJunctions([0.1, 0.35, 0.8])))).toEqual([]);
    // In an order along the edge that is not that of their numbers.
    const random = createRandom(1);
    const many = Array.from({ length: 50 }, () => random()).sort((a, b) => a - b);
    expect(pairs(findOpenEdges(tetrahedronWithJunctions(many)))).toEqual([]);
  });

  it('are there when such a vertex lies beside the edge', () => {
    const gap = tetrahedronWithJunctions([0.5], [0, 1e-3, 0]);
    expect(pairs(findOpenEdges(gap))).toEqual([
      [0, 4],
      [1, 0],
      [4, 1],
    ]);
  });

  it('count an edge of three triangles once', () => {
    const fin = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [0, -1, 0],
      ],
      [
        [0, 1, 2],
        [1, 0, 3],
        [0, 1, 4],
      ],
    );
    // Two run from 0 to 1, one back: one is left over.
    expect(pairs(findOpenEdges(fin)).filter(([a, b]) => a + b === 1)).toEqual([[0, 1]]);
  });

  it('do not come from edges without length', () => {
    const flat = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [
        [0, 1, 2],
        [0, 2, 1],
        [1, 1, 2],
        [1, 1, 1],
      ],
    );
    expect(pairs(findOpenEdges(flat))).toEqual([]);
  });

  it('become flat triangles for distance queries', () => {
    const lone = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ],
      [[0, 1, 2]],
    );
    const edges = edgesAsMesh(lone, Uint32Array.of(0, 1, 2, 0));
    expect([...edges.triangles]).toEqual([0, 1, 1, 2, 0, 0]);
    expect(edges.positions).toBe(lone.positions);
  });
});
