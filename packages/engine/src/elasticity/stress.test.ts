import { describe, expect, it } from 'vitest';
import { surfaceOf } from '../tetrahedra/surface-of.js';
import { createElasticDynamics } from './elastic-dynamics.js';
import { boxMesh, jittered, nodesWhere } from './meshes.fixture.js';
import { createSurfaceStress, surfaceStress, tetrahedronStress, vonMises } from './stress.js';

describe('von Mises stress', () => {
  it('of a pull along one axis is the pull, of shear √3 times it, of pressure nothing', () => {
    expect(vonMises(Float64Array.of(0, 5, 0, 0, 0, 0))).toBeCloseTo(5, 12);
    expect(vonMises(Float64Array.of(0, 0, 0, 0, 2, 0))).toBeCloseTo(2 * Math.sqrt(3), 12);
    expect(vonMises(Float64Array.of(3, 3, 3, 0, 0, 0))).toBe(0);
  });
});

describe('the stress at the surface', () => {
  it.each([-0.5, 0, 0.35, 0.49])('is exact where nothing pulls at the surface: a stretched bar, ν = %d', (poisson) => {
    // The sides of the bar stay flat, for the ends only their interior is judged by the stretch along x.
    const mesh = boxMesh([5, 2, 2], [0.5, 0.2, 0.2]);
    const surface = surfaceOf(mesh).mesh;
    const [young, strain] = [2e9, 1e-4];
    const displacements = surface.positions.map((value, i) => (i % 3 === 0 ? strain : -poisson * strain) * value);
    const stress = new Float64Array(surface.positions.length / 3);
    surfaceStress(stress, createSurfaceStress({ surface, poisson }), displacements, young);
    stress.forEach((value, vertex) => {
      const x = surface.positions[3 * vertex];
      if (x > 0.01 && x < 0.49) expect(Math.abs(value / (young * strain) - 1)).toBeLessThan(1e-9);
    });
  });

  it('does not see moves and turns of the whole body', () => {
    const mesh = jittered(boxMesh([3, 3, 3], [0.3, 0.3, 0.3]), 0.02, 21);
    const surface = surfaceOf(mesh).mesh;
    const turned = surface.positions.map((_, i) => {
      const [x, y, z] = surface.positions.subarray(3 * Math.floor(i / 3));
      return [2e-3 * z - 1e-3 * y, 1e-3 * x - 3e-3 * z, 3e-3 * y - 2e-3 * x][i % 3] + 0.01;
    });
    const stress = new Float64Array(surface.positions.length / 3);
    surfaceStress(stress, createSurfaceStress({ surface, poisson: 0.3 }), turned, 1e9);
    expect(Math.max(...stress)).toBeLessThan(1e-3);
  });

  it('follows the tetrahedra under the surface of a bent beam', () => {
    const mesh = boxMesh([24, 4, 4], [0.24, 0.04, 0.04]);
    const fixed = nodesWhere(mesh, ([x]) => x === 0);
    const [young, poisson] = [7e8, 0.3];
    const beam = createElasticDynamics(mesh, { young, poisson, density: 1000, fixed, timeStep: 1e6 });
    const forces = new Float64Array(mesh.positions.length);
    const end = nodesWhere(mesh, ([x]) => x > 0.2399);
    for (const node of end) forces[3 * node + 2] = 10 / end.length;
    beam.step(forces);
    const { mesh: surface, nodes } = surfaceOf(mesh);
    const onSurface = Float64Array.from(
      { length: 3 * nodes.length },
      (_, i) => beam.displacements[3 * nodes[Math.floor(i / 3)] + (i % 3)],
    );
    const found = new Float64Array(nodes.length);
    surfaceStress(found, createSurfaceStress({ surface, poisson }), onSurface, young);
    const around = meanOfTetrahedra();
    const where = nodesWhere(mesh, ([x, y, z]) => x > 0.05 && x < 0.19 && y > 0.005 && y < 0.035 && z > 0.0399);
    expect(where.length).toBe(42);
    for (const node of where) {
      const vertex = nodes.indexOf(node);
      const x = mesh.positions[3 * node];
      // Bending stress M y / I at the surface, which locking tetrahedra come to within a fifth of.
      const beamTheory = (10 * (0.24 - x) * 0.02) / (0.04 ** 4 / 12);
      expect(found[vertex] / beamTheory).toBeGreaterThan(0.75);
      expect(found[vertex] / beamTheory).toBeLessThan(1.1);
      // Tetrahedra reach inward, where bending stress is less.
      expect(found[vertex] / around[node]).toBeGreaterThan(0.95);
      expect(found[vertex] / around[node]).toBeLessThan(1.45);
    }

    /** Von Mises stress by node, as the mean of the tetrahedra that have a face in the upper side at it. */
    function meanOfTetrahedra(): Float64Array {
      const sums = new Float64Array(mesh.positions.length / 3);
      const counts = new Float64Array(sums.length);
      const stress = new Float64Array(6);
      for (let tetrahedron = 0; tetrahedron < mesh.tetrahedra.length / 4; tetrahedron += 1) {
        const corners = mesh.tetrahedra.subarray(4 * tetrahedron, 4 * tetrahedron + 4);
        if (corners.filter((node) => mesh.positions[3 * node + 2] > 0.0399).length < 3) continue;
        tetrahedronStress(stress, mesh, tetrahedron, beam.displacements, young, poisson);
        for (const node of corners) {
          sums[node] += vonMises(stress);
          counts[node] += 1;
        }
      }
      return sums.map((sum, node) => sum / counts[node]);
    }
  });
});
