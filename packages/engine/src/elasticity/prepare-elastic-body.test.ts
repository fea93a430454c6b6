import { describe, expect, it } from 'vitest';
import { isPalpableError } from '../base/errors.js';
import { createMesh } from '../mesh/triangle-mesh.js';
import { createTetrahedralMesh, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';
import type { ElasticOptions } from './elastic-body.js';
import { createElasticDynamics } from './elastic-dynamics.js';
import { boxMesh, nodesWhere, relativeError } from './meshes.fixture.js';
import { estimateElasticBytes } from './plan-elastic.js';
import { prepareElasticBody } from './prepare-elastic-body.js';

const mesh = boxMesh([6, 2, 2], [0.06, 0.02, 0.02]);
const fixed = nodesWhere(mesh, ([x]) => x === 0);
const options: ElasticOptions = { poisson: 0.35, fixed, modes: 6 };

function errorOf(body: TetrahedralMesh, change: Partial<ElasticOptions>): { code: string; message: string } {
  try {
    prepareElasticBody(body, { ...options, ...change });
  } catch (error) {
    if (isPalpableError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  return { code: 'none', message: '' };
}

/** Two meshes in one list, the second shifted; nodes that coincide stay apart. */
function together(a: TetrahedralMesh, b: TetrahedralMesh, shift: readonly number[]): TetrahedralMesh {
  const offset = a.positions.length / 3;
  return createTetrahedralMesh(
    Float64Array.from([...a.positions, ...b.positions.map((value, i) => value + shift[i % 3])]),
    Uint32Array.from([...a.tetrahedra, ...b.tetrahedra.map((node) => node + offset)]),
  );
}

describe('a prepared elastic body', () => {
  const body = prepareElasticBody(mesh, options);

  it('has a closed surface, with fixed vertices that do not move', () => {
    createMesh(body.surface.positions, body.surface.triangles);
    expect(body.fixedVertices.reduce((sum, value) => sum + value, 0)).toBe(fixed.length);
    expect(body.columnCount).toBe(body.surfaceNodes.length - fixed.length);
    body.fixedVertices.forEach((isFixed, vertex) => {
      expect(body.columnOf[vertex] < 0).toBe(isFixed === 1);
      if (isFixed === 0) return;
      const block = body.compliance.subarray(9 * vertex * body.columnCount, 9 * (vertex + 1) * body.columnCount);
      expect(block.every((value) => value === 0)).toBe(true);
      expect(body.modeShapes.subarray(18 * vertex, 18 * (vertex + 1)).every((value) => value === 0)).toBe(true);
      expect(body.weightResponse.subarray(9 * vertex, 9 * (vertex + 1)).every((value) => value === 0)).toBe(true);
    });
    expect(body.volume).toBeCloseTo(0.06 * 0.02 * 0.02, 15);
  });

  it('sags under its weight as the full system does', () => {
    const [young, density] = [7e8, 950];
    const dynamics = createElasticDynamics(mesh, { young, density, poisson: 0.35, fixed, timeStep: 1e6 });
    const forces = new Float64Array(mesh.positions.length);
    const corner = new Float64Array(forces.length);
    for (let element = 0; element < mesh.tetrahedra.length / 4; element += 1) {
      // All elements of this mesh have the same volume; a quarter of each hangs on each of its nodes.
      const quarter = body.volume / (mesh.tetrahedra.length / 4) / 4;
      for (const node of mesh.tetrahedra.subarray(4 * element, 4 * element + 4)) corner[3 * node + 2] += quarter;
    }
    corner.forEach((volume, i) => {
      forces[i] = -9.81 * density * volume;
    });
    dynamics.step(forces);
    const sag = Float64Array.from(body.surfaceNodes, (node) => dynamics.displacements[3 * node + 2]);
    const found = sag.map((_, vertex) => (body.weightResponse[9 * vertex + 8] * -9.81 * density) / young);
    expect(relativeError(found, sag)).toBeLessThan(1e-9);
  });

  it('knows how its weight loads each mode: the shares of all modes add up to the sag', () => {
    const all = prepareElasticBody(mesh, { ...options, modes: 1000 });
    const count = all.modeStiffness.length;
    expect(count).toBe(3 * (mesh.positions.length / 3 - fixed.length));
    const sums = all.weightResponse.map((_, at) => {
      let sum = 0;
      for (let mode = 0; mode < count; mode += 1) {
        sum +=
          (all.modeShapes[Math.floor(at / 3) * count + mode] * all.modeWeight[3 * mode + (at % 3)]) /
          all.modeStiffness[mode];
      }
      return sum;
    });
    expect(relativeError(sums, all.weightResponse)).toBeLessThan(1e-9);
  });

  it('is the same on every run', () => {
    const again = prepareElasticBody(mesh, options);
    expect(again.compliance).toEqual(body.compliance);
    expect(again.modeShapes).toEqual(body.modeShapes);
  });

  it('has columns only for touchable nodes, with the same numbers', () => {
    const touchable = nodesWhere(mesh, ([x, , z]) => x > 0.025 && z > 0.019);
    const some = prepareElasticBody(mesh, { ...options, touchable });
    expect(some.columnCount).toBe(touchable.length);
    expect(some.compliance.length).toBe(9 * some.surfaceNodes.length * touchable.length);
    const expected = new Float32Array(some.compliance.length);
    some.columnOf.forEach((column, vertex) => {
      if (column < 0) return;
      for (let row = 0; row < some.surfaceNodes.length; row += 1) {
        const from = 9 * (row * body.columnCount + body.columnOf[vertex]);
        expected.set(body.compliance.subarray(from, from + 9), 9 * (row * some.columnCount + column));
      }
    });
    expect(relativeError(some.compliance, expected)).toBeLessThan(1e-7);
  });

  it('tells how far it is, and stops when asked to', () => {
    const fractions: number[] = [];
    prepareElasticBody(mesh, options, { onProgress: (_, fraction) => fractions.push(fraction) });
    expect(fractions.length).toBeGreaterThan(5);
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
    for (const stage of ['factoring the stiffness', 'compliance of the surface', 'vibration modes']) {
      const signal = { aborted: false };
      const onProgress = (now: string) => {
        if (now === stage) signal.aborted = true;
      };
      const larger = boxMesh([12, 2, 2], [0.12, 0.02, 0.02]);
      expect(() => prepareElasticBody(larger, options, { signal, onProgress }), stage).toThrow('cancelled');
    }
  });
});

describe('bad input', () => {
  it.each([0.5, 0.7, -1, Number.NaN, Number.POSITIVE_INFINITY])("refuses Poisson's ratio %d", (poisson) => {
    const { code, message } = errorOf(mesh, { poisson });
    expect(code).toBe('option-invalid');
    expect(message).toContain('0 to 0.49');
  });

  it('refuses a body that nothing holds', () => {
    expect(errorOf(mesh, { fixed: new Uint32Array(0) }).message).toContain('No Dirichlet nodes');
  });

  it('refuses nodes on a line, or too few', () => {
    const line = nodesWhere(mesh, ([, y, z]) => y === 0 && z === 0);
    expect(errorOf(mesh, { fixed: line }).message).toContain('only 7 Dirichlet nodes on a line');
    expect(errorOf(mesh, { fixed: line.subarray(0, 1) }).message).toContain('only 1 Dirichlet node ');
  });

  it('refuses a part that no Dirichlet node holds', () => {
    const { message } = errorOf(together(mesh, mesh, [0, 0, 1]), {});
    expect(message).toContain('no Dirichlet nodes');
    expect(message).toContain('one of the 2 unconnected parts');
  });

  it('prepares two parts that are both held', () => {
    const both = together(mesh, mesh, [0, 0, 1]);
    const body = prepareElasticBody(both, { ...options, fixed: nodesWhere(both, ([x]) => x === 0) });
    const [a, b] = [body.columnOf.findIndex((c) => c >= 0), body.columnOf.findLastIndex((c) => c >= 0)];
    const block = 9 * (a * body.columnCount + body.columnOf[b]);
    expect([...body.compliance.subarray(block, block + 9)]).toEqual(Array(9).fill(0));
  });

  it('refuses a part that hangs on a hinge', () => {
    const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 1, 2, 1];
    const hinged = createTetrahedralMesh(Float64Array.from(corners), Uint32Array.of(0, 1, 2, 3, 2, 3, 4, 5));
    const { code, message } = errorOf(hinged, { fixed: Uint32Array.of(0, 1, 2) });
    expect(code).toBe('mesh-invalid');
    expect(message).toContain('like a hinge');
  });

  it('refuses flat and inverted tetrahedra', () => {
    const tetrahedra = mesh.tetrahedra.slice();
    [tetrahedra[0], tetrahedra[1]] = [tetrahedra[1], tetrahedra[0]];
    expect(errorOf(createTetrahedralMesh(mesh.positions, tetrahedra), {}).message).toContain(
      '1 are inverted and 0 are flat',
    );
    const flat = createTetrahedralMesh(
      mesh.positions.map((value, i) => (i % 3 === 2 ? 0 : value)),
      mesh.tetrahedra,
    );
    expect(errorOf(flat, {}).message).toContain('144 are flat');
  });

  it('refuses nodes that are not there, numbers of modes that are none, and a body that cannot be touched', () => {
    expect(errorOf(mesh, { fixed: Uint32Array.of(0, 1, 999) }).message).toContain('node 999');
    expect(errorOf(mesh, { touchable: Uint32Array.of(999) }).message).toContain('touchable nodes names node 999');
    expect(errorOf(mesh, { touchable: fixed }).message).toContain('No node can be touched');
    expect(errorOf(mesh, { modes: 1.5 }).message).toContain('number of modes is 1.5');
  });

  it('says before the work that the memory will not do, and takes nodes that no tetrahedron uses', () => {
    const estimate = estimateElasticBytes(mesh, options);
    expect(estimate.complianceBytes).toBe(36 * estimate.surfaceNodes * estimate.touchableNodes);
    expect(estimate.bytes).toBeGreaterThan(estimate.complianceBytes + estimate.factorBytes);
    for (const maxBytes of [1e4, estimate.bytes - 1]) {
      const { code, message } = errorOf(mesh, { maxBytes });
      expect(code).toBe('too-large');
      expect(message).toContain('63 nodes, 58 of them on the surface and 49 of these touchable');
      expect(message).toContain('larger elements');
    }
    expect(errorOf(mesh, { maxBytes: estimate.bytes }).code).toBe('none');
    const loose = createTetrahedralMesh(Float64Array.from([...mesh.positions, 9, 9, 9]), mesh.tetrahedra);
    expect(errorOf(loose, {}).code).toBe('none');
  });
});
