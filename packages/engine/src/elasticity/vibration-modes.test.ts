import { describe, expect, it } from 'vitest';
import { choleskyFactor, symmetricEigen } from '../math/linear-algebra.js';
import { multiplyBlocks, multiplyScalars } from './assemble.js';
import { boxMesh, buildSystem, clipMesh, denseMatrix, jittered, nodesWhere, relativeError } from './meshes.fixture.js';
import { vibrationModes } from './vibration-modes.js';

/** Eigenvalues of K φ = λ M φ, ascending, by M = L Lᵀ and the dense matrix L⁻¹ K L⁻ᵀ. */
function denseEigenvalues(stiffness: Float64Array, mass: Float64Array, size: number): number[] {
  choleskyFactor(mass, size, 0);
  const divideRows = (matrix: Float64Array) => {
    for (let column = 0; column < size; column += 1) {
      for (let i = 0; i < size; i += 1) {
        let sum = matrix[i * size + column];
        for (let k = 0; k < i; k += 1) sum -= mass[i * size + k] * matrix[k * size + column];
        matrix[i * size + column] = sum / mass[i * size + i];
      }
    }
  };
  const transposed = (matrix: Float64Array) => matrix.map((_, i) => matrix[(i % size) * size + Math.floor(i / size)]);
  divideRows(stiffness);
  const both = transposed(stiffness);
  divideRows(both);
  symmetricEigen(new Float64Array(size * size), both, size);
  return Array.from({ length: size }, (_, i) => both[i * size + i]).sort((a, b) => a - b);
}

function systemOf(mesh: ReturnType<typeof boxMesh>) {
  return buildSystem(
    mesh,
    nodesWhere(mesh, ([x]) => x < 1e-9),
    0.3,
  );
}

describe('vibration modes', () => {
  it('have the eigenvalues of the dense problem, all of them if asked for', () => {
    const mesh = boxMesh([4, 2, 2], [0.4, 0.15, 0.2]);
    const { graph, stiffness, mass, factor } = systemOf(mesh);
    const size = 3 * graph.count;
    const expected = denseEigenvalues(denseMatrix(graph, stiffness), denseMatrix(graph, mass), size);
    for (const count of [1, 12, size, size + 5]) {
      const modes = vibrationModes(graph, stiffness, mass, factor, count);
      expect(modes.stiffness.length).toBe(Math.min(count, size));
      modes.stiffness.forEach((value, k) => {
        expect(Math.abs(value / expected[k] - 1)).toBeLessThan(1e-10);
      });
    }
  });

  it.each([
    ['a slender beam', boxMesh([40, 2, 2], [0.4, 0.02, 0.02])],
    ['an irregular block', jittered(boxMesh([8, 4, 4], [0.4, 0.2, 0.2]), 0.01, 8)],
    ['a clip', clipMesh([30, 2, 2], 0.01, 0.002, 0.01)],
  ])('of %s satisfy K φ = λ M φ and are orthonormal', (name, mesh) => {
    const { graph, stiffness, mass, factor } =
      name === 'a clip'
        ? buildSystem(
            mesh,
            nodesWhere(mesh, ([x]) => x < -0.011),
            0.3,
          )
        : buildSystem(
            mesh,
            nodesWhere(mesh, ([x]) => x < 0.011),
            0.3,
          );
    const modes = vibrationModes(graph, stiffness, mass, factor, 20);
    const size = 3 * graph.count;
    const forces = new Float64Array(size);
    const momenta = new Float64Array(size);
    for (let k = 0; k < 20; k += 1) {
      const shape = modes.shapes.subarray(k * size, (k + 1) * size);
      multiplyBlocks(forces, graph, stiffness, shape);
      multiplyScalars(momenta, graph, mass, shape);
      for (let l = 0; l < 20; l += 1) {
        const other = modes.shapes.subarray(l * size, (l + 1) * size);
        const product = other.reduce((sum, value, i) => sum + value * momenta[i], 0);
        expect(Math.abs(product - (k === l ? 1 : 0))).toBeLessThan(1e-9);
      }
      expect(
        relativeError(
          forces,
          momenta.map((value) => value * modes.stiffness[k]),
        ),
      ).toBeLessThan(1e-8);
    }
  });

  it('come near Euler and Bernoulli for a slender beam, from above, the nearer the finer the mesh', () => {
    const [length, side] = [1, 0.05];
    // λ = (βL)⁴ I / (A L⁴) at E = ρ = 1, and I/A = side²/12 about both axes.
    const exact = (1.875104068711961 ** 4 * side ** 2) / 12 / length ** 4;
    const ratios = [1, 2, 3].map((across) => {
      const mesh = boxMesh([20 * across, across, across], [length, side, side]);
      const { graph, stiffness, mass, factor } = buildSystem(
        mesh,
        nodesWhere(mesh, ([x]) => x === 0),
        0,
      );
      const modes = vibrationModes(graph, stiffness, mass, factor, 2);
      return modes.stiffness[0] / exact;
    });
    expect(ratios[0]).toBeGreaterThan(ratios[1]);
    expect(ratios[1]).toBeGreaterThan(ratios[2]);
    expect(ratios[2]).toBeGreaterThan(1);
    expect(ratios[2]).toBeLessThan(1.35);
  });
});
