import { readFileSync } from 'node:fs';
import {
  createElasticDynamics,
  type ElasticBody,
  prepareElasticBody,
  readTetrahedra,
  type TetrahedralMesh,
} from '@palpable/engine/advanced';
import { beforeAll, describe, expect, it } from 'vitest';

/** What CalculiX computed on the same linear tetrahedra; nodes and axes count from 1. */
interface Oracle {
  readonly E: number;
  readonly nu: number;
  readonly fix: readonly number[];
  readonly probe: readonly number[];
  readonly cases: readonly {
    readonly name: string;
    readonly loads: readonly (readonly [node: number, axis: number, newton: number])[];
    readonly u: readonly (readonly [number, number, number])[];
  }[];
  readonly compliance9x9: readonly (readonly number[])[];
}

const read = (path: string) => readFileSync(new URL(`data/${path}`, import.meta.url));
const oracle = JSON.parse(read('oracles/calculix_beam3_tet_nu0.3.json').toString()) as Oracle;
const fixed = Uint32Array.from(oracle.fix, (node) => node - 1);

function relativeError(found: readonly number[], expected: readonly number[]): number {
  const size = (values: readonly number[]) => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
  return size(found.map((value, i) => value - expected[i])) / size(expected);
}

describe('the beam of CalculiX', () => {
  let mesh: TetrahedralMesh;
  let body: ElasticBody;
  beforeAll(async () => {
    // The file numbers its nodes from 1 without gaps, as CalculiX was given them.
    ({ mesh } = await readTetrahedra('beam3_tet.veg', read('meshes/beam3_tet.veg')));
    body = prepareElasticBody(mesh, { poisson: oracle.nu, fixed });
  });

  it('has all its nodes on the surface', () => {
    expect(body.surfaceNodes.length).toBe(208);
    expect(body.columnCount).toBe(200);
  });

  it.each(oracle.cases)('bends as there under $name', ({ loads, u }) => {
    // The condensed compliance, which the cycle runs on, rounded to 24 bits.
    const found = [...body.surfaceNodes].flatMap((_, vertex) =>
      [0, 1, 2].map((i) =>
        loads.reduce((sum, [node, axis, force]) => {
          const column = body.columnOf[body.surfaceNodes.indexOf(node - 1)];
          const block = 9 * (vertex * body.columnCount + column);
          return sum + (body.compliance[block + 3 * i + axis - 1] * force) / oracle.E;
        }, 0),
      ),
    );
    expect(relativeError(found, u.flat())).toBeLessThan(1e-6);
    // The full system, with steps so long that nothing but statics is left of them.
    const dynamics = createElasticDynamics(mesh, {
      young: oracle.E,
      poisson: oracle.nu,
      density: 1000,
      fixed,
      timeStep: 1e9,
    });
    const forces = new Float64Array(mesh.positions.length);
    for (const [node, axis, force] of loads) forces[3 * (node - 1) + axis - 1] += force;
    dynamics.step(forces);
    expect(relativeError([...dynamics.displacements], u.flat())).toBeLessThan(1e-6);
  });

  it('has the compliance of there between the three probes', () => {
    const vertices = oracle.probe.map((node) => body.surfaceNodes.indexOf(node - 1));
    const found = vertices.flatMap((vertex) =>
      [0, 1, 2].map((i) =>
        vertices.flatMap((loaded) => {
          const block = 9 * (vertex * body.columnCount + body.columnOf[loaded]) + 3 * i;
          return [...body.compliance.subarray(block, block + 3)].map((value) => value / oracle.E);
        }),
      ),
    );
    found.forEach((row, i) => {
      row.forEach((value, j) => {
        expect(Math.abs(value / oracle.compliance9x9[i][j] - 1), `entry ${i}, ${j}`).toBeLessThan(1e-5);
      });
    });
  });
});
