import { describe, expect, it } from 'vitest';
import { tetrahedraVolume } from '../tetrahedra/tetrahedral-mesh.js';
import { assembleMass, assembleStiffness, multiplyBlocks, multiplyScalars, nodalVolumes } from './assemble.js';
import { boxMesh, buildSystem, jittered, nodesWhere } from './meshes.fixture.js';
import { createNodeGraph } from './node-graph.js';
import { createSolveWorkspace, solveFactor } from './solve.js';
import { tetrahedronStress } from './stress.js';

const mesh = jittered(boxMesh([4, 3, 3], [0.4, 0.3, 0.3]), 0.02, 11);
const none = new Uint32Array(0);

describe('the stiffness', () => {
  it('does not resist moves and small turns of the whole body', () => {
    const graph = createNodeGraph(mesh, none);
    const stiffness = assembleStiffness(graph, mesh, 0.3);
    const scale = stiffness.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const force = new Float64Array(3 * graph.count);
    for (let axis = 0; axis < 3; axis += 1) {
      const move = force.map((_, i) => (i % 3 === axis ? 1 : 0));
      const turn = force.map((_, i) => {
        const at = mesh.positions.subarray(3 * Math.floor(i / 3));
        if (i % 3 === (axis + 1) % 3) return -at[(axis + 2) % 3];
        return i % 3 === (axis + 2) % 3 ? at[(axis + 1) % 3] : 0;
      });
      for (const motion of [move, turn]) {
        multiplyBlocks(force, graph, stiffness, motion);
        for (const value of force) expect(Math.abs(value)).toBeLessThan(1e-14 * scale);
      }
    }
  });

  it('is symmetric in its diagonal blocks as well', () => {
    const graph = createNodeGraph(mesh, none);
    const stiffness = assembleStiffness(graph, mesh, 0.3);
    for (const entry of graph.start.subarray(0, graph.count)) {
      const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = stiffness.subarray(9 * entry, 9 * entry + 9);
      expect([xy, xz, yz]).toEqual([yx, zx, zy]);
      expect(Math.min(xx, yy, zz)).toBeGreaterThan(0);
    }
  });

  it('passes the patch test: a linear displacement of the surface is continued inside, with constant stress', () => {
    const slope = [0.3, -0.1, 0.2, 0.05, -0.4, 0.15, -0.25, 0.35, 0.1].map((value) => 1e-3 * value);
    const plain = boxMesh([4, 3, 3], [0.4, 0.3, 0.3]);
    const onSurface = nodesWhere(plain, ([x, y, z]) =>
      [x / 0.4, y / 0.3, z / 0.3].some((share) => share < 1e-9 || share > 1 - 1e-9),
    );
    const expected = mesh.positions.map((_, i) => {
      const at = mesh.positions.subarray(3 * Math.floor(i / 3));
      return slope[3 * (i % 3)] * at[0] + slope[3 * (i % 3) + 1] * at[1] + slope[3 * (i % 3) + 2] * at[2];
    });
    const { graph, factor } = buildSystem(mesh, onSurface, 0.3);
    expect(graph.count).toBe(12);
    // The forces that the moved surface exerts on the inner nodes, from the matrix of all nodes.
    const all = createNodeGraph(mesh, none);
    const surfaceOnly = expected.map((value, i) => (graph.freeOf[Math.floor(i / 3)] < 0 ? value : 0));
    const force = new Float64Array(surfaceOnly.length);
    multiplyBlocks(force, all, assembleStiffness(all, mesh, 0.3), surfaceOnly);
    const inner = Float64Array.from(
      { length: 3 * graph.count },
      (_, i) => -force[3 * graph.nodeOf[Math.floor(i / 3)] + (i % 3)],
    );
    solveFactor(inner, factor, createSolveWorkspace(factor));
    const found = surfaceOnly.slice();
    graph.nodeOf.forEach((node, free) => {
      found.set(inner.subarray(3 * free, 3 * free + 3), 3 * node);
    });
    const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    found.forEach((value, i) => {
      expect(Math.abs(value - expected[i])).toBeLessThan(1e-12 * largest);
    });
    const stress = new Float64Array(6);
    const [lambda, mu] = [0.3 / (1.3 * 0.4), 0.5 / 1.3];
    const exact = [0, 4, 8].map((k) => 2e6 * mu * slope[k] + 2e6 * 0.5 * lambda * (slope[0] + slope[4] + slope[8]));
    exact.push(
      ...[
        [1, 3],
        [5, 7],
        [2, 6],
      ].map(([a, b]) => 1e6 * mu * (slope[a] + slope[b])),
    );
    for (let tetrahedron = 0; tetrahedron < mesh.tetrahedra.length / 4; tetrahedron += 1) {
      tetrahedronStress(stress, mesh, tetrahedron, found, 1e6, 0.3);
      exact.forEach((value, k) => {
        expect(Math.abs(stress[k] - value)).toBeLessThan(1e-8);
      });
    }
  });
});

describe('the mass', () => {
  it('adds up to the volume, consistent or lumped', () => {
    const graph = createNodeGraph(mesh, none);
    const volume = tetrahedraVolume(mesh);
    const ones = new Float64Array(3 * graph.count).fill(1);
    const sums = new Float64Array(3 * graph.count);
    for (const kind of ['consistent', 'lumped'] as const) {
      multiplyScalars(sums, graph, assembleMass(graph, mesh, kind), ones);
      expect(sums.reduce((sum, value) => sum + value, 0) / (3 * volume)).toBeCloseTo(1, 12);
    }
    expect(nodalVolumes(graph, mesh).reduce((sum, value) => sum + value, 0) / volume).toBeCloseTo(1, 12);
  });

  it('gives a linear velocity its exact kinetic energy', () => {
    const box = boxMesh([2, 3, 4], [2, 3, 4]);
    const graph = createNodeGraph(box, none);
    const velocity = box.positions.map((_, i) => (i % 3 === 0 ? box.positions[i] : 0));
    const momentum = new Float64Array(velocity.length);
    multiplyScalars(momentum, graph, assembleMass(graph, box), velocity);
    const energy = momentum.reduce((sum, value, i) => sum + value * velocity[i], 0) / 2;
    expect(energy).toBeCloseTo((0.5 * 2 ** 3 * 3 * 4) / 3, 10);
  });
});
