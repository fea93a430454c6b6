import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { solveLinear } from '../math/linear-algebra.js';
import { multiplyBlocks } from './assemble.js';
import { boxMesh, buildSystem, clipMesh, denseMatrix, jittered, nodesWhere, relativeError } from './meshes.fixture.js';
import { createSolveWorkspace, solveFactor } from './solve.js';

describe('the sparse factor', () => {
  it('solves as a dense one does', () => {
    const mesh = jittered(boxMesh([5, 3, 2], [0.5, 0.3, 0.2]), 0.015, 3);
    const { graph, stiffness, factor } = buildSystem(mesh, Uint32Array.of(0, 6, 12, 30), 0.4);
    const random = createRandom(4);
    const size = 3 * graph.count;
    const expected = Float64Array.from({ length: size }, () => random() - 0.5);
    const found = expected.slice();
    expect(solveLinear(expected, denseMatrix(graph, stiffness), size)).toBe(true);
    solveFactor(found, factor, createSolveWorkspace(factor));
    expect(relativeError(found, expected)).toBeLessThan(1e-11);
  });

  it.each([1, 2, 3, 4, 7])('solves for %i right-hand sides at once as for each alone', (count) => {
    const mesh = clipMesh([20, 2, 3], 0.01, 0.002, 0.01);
    const { graph, stiffness, factor } = buildSystem(
      mesh,
      nodesWhere(mesh, ([x]) => x < -0.011),
      0.35,
    );
    const workspace = createSolveWorkspace(factor);
    const random = createRandom(count);
    const size = 3 * graph.count;
    const loads = Float64Array.from({ length: size * count }, () => random() - 0.5);
    const together = loads.slice();
    solveFactor(together, factor, workspace, count);
    const residual = new Float64Array(size);
    for (let side = 0; side < count; side += 1) {
      const alone = loads.slice(side * size, (side + 1) * size);
      solveFactor(alone, factor, workspace);
      expect(together.subarray(side * size, (side + 1) * size)).toEqual(alone);
      multiplyBlocks(residual, graph, stiffness, alone);
      expect(relativeError(residual, loads.subarray(side * size, (side + 1) * size))).toBeLessThan(1e-10);
    }
  });

  it('reaches the whole lower half at most, and far less of a large body', () => {
    const mesh = boxMesh([40, 4, 4], [4, 0.4, 0.4]);
    const { graph, factor } = buildSystem(
      mesh,
      nodesWhere(mesh, ([x]) => x === 0),
      0.3,
    );
    expect(factor.plan.valueCount).toBe(factor.values.length);
    expect(factor.values.length).toBeLessThan(0.1 * (3 * graph.count) ** 2);
  });
});
