import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditMesh, buildField, cleanMesh, readMesh } from '@palpable/engine';
import {
  auditTetrahedra,
  massProperties,
  meshTetrahedra,
  readTetrahedra,
  surfaceOf,
  tetrahedraProblems,
} from '@palpable/engine/advanced';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { palpable } from './lib/palpable.js';

const dataPath = (name: string) => fileURLToPath(new URL(`data/tetrahedra/${name}`, import.meta.url));
const DEGREE = Math.PI / 180;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-tetrahedra-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(name: string) {
  return readTetrahedra(name, readFileSync(dataPath(name)));
}

/** The triangles that a file of IPC lists as its boundary, by its own node numbers, turned to start at the lowest. */
function listedSurface(name: string): Set<string> {
  const section = /\$Surface\n\d+\n([\s\S]*?)\$EndSurface/.exec(readFileSync(dataPath(name), 'utf8'))![1];
  return new Set(
    section
      .trim()
      .split('\n')
      .map((line) => fromLowest(line.trim().split(/\s+/).map(Number))),
  );
}

function fromLowest([a, b, c]: number[]): string {
  if (a < b && a < c) return `${a} ${b} ${c}`;
  return b < c ? `${b} ${c} ${a}` : `${c} ${a} ${b}`;
}

describe('files of tetrahedra', () => {
  it.each([
    ['bar-186.msh', 86, 186, 5],
    ['torus.msh', 200, 491, undefined],
  ])('reads %s with the boundary that it lists', async (name, nodes, tetrahedra, volume) => {
    const { mesh, nodeLabels, format, turned } = await read(name);
    expect([format, turned]).toEqual(['gmsh', 0]);
    const audit = auditTetrahedra(mesh);
    expect(audit).toMatchObject({ nodes, tetrahedra, components: 1, surfaceClosed: true, nonManifoldEdges: 0 });
    if (volume !== undefined) expect(audit.volume).toBeCloseTo(volume, 9);
    expect(tetrahedraProblems(mesh)).toEqual([]);
    const surface = surfaceOf(mesh);
    const found = new Set<string>();
    for (let i = 0; i < surface.mesh.triangles.length; i += 3) {
      const corners = [...surface.mesh.triangles.subarray(i, i + 3)];
      found.add(fromLowest(corners.map((vertex) => nodeLabels[surface.nodes[vertex]])));
    }
    expect(found).toEqual(listedSurface(name));
    expect(auditMesh(surface.mesh).volume).toBeCloseTo(audit.volume, 9);
  });

  it("reads Vega's beam with its material", async () => {
    const { mesh, material, warnings, nodeLabels } = await read('beam3_tet.veg');
    expect(warnings).toEqual([]);
    expect(material).toEqual({ density: 1000, young: 1e7, poisson: 0.45 });
    expect([nodeLabels[0], nodeLabels.at(-1)]).toEqual([1, 208]);
    const audit = auditTetrahedra(mesh);
    expect(audit).toMatchObject({ nodes: 208, tetrahedra: 450, components: 1, inverted: { count: 0 } });
    // 0.12 × 1.0 × 0.04 m, as its nodes stand.
    expect(audit.volume).toBeCloseTo(audit.size[0] * audit.size[1] * audit.size[2], 12);
  });
});

describe('meshing models', () => {
  it.each([
    ['bunny', '../scenes/meshes/bunny.obj', 'm', 0.5],
    ['angle block', 'data/meshes/angle_block.STL', 'in', 0.004],
  ] as const)('fills the %s with good elements', async (_, path, unit, elementSize) => {
    const file = await readMesh(readFileSync(new URL(path, import.meta.url)), { unit, fileName: path });
    const { mesh } = cleanMesh(file.mesh);
    const field = await buildField(mesh, { voxelSize: elementSize / 3 });
    const solid = meshTetrahedra(field, { elementSize });
    const audit = auditTetrahedra(solid);
    expect(tetrahedraProblems(solid)).toEqual([]);
    expect(audit.surfaceClosed).toBe(true);
    expect(audit.smallestDihedral).toBeGreaterThan(10.7 * DEGREE);
    expect(audit.largestDihedral).toBeLessThan(164.8 * DEGREE);
    expect(Math.abs(audit.volume / massProperties(mesh, 1).volume - 1)).toBeLessThan(0.04);
  });
});

describe('palpable inspect on tetrahedra', () => {
  it('shows the audit, in words and as JSON', async () => {
    const told = await palpable('inspect', dataPath('beam3_tet.veg'));
    expect(told.status).toBe(0);
    expect(told.stdout).toMatch(/450 tetrahedra on 208 nodes, in one piece/);
    expect(told.stdout).toMatch(/Dihedral angles from [\d.]+° to [\d.]+°/);
    expect(told.stdout).toMatch(/density 1.000 kg.m³, Young's modulus 10.000.000 Pa, Poisson's ratio 0.45/);
    expect(told.stdout).toMatch(/It can be an elastic body\.\n$/);
    const report = JSON.parse((await palpable('inspect', dataPath('beam3_tet.veg'), '--unit', 'mm', '--json')).stdout);
    expect(report).toMatchObject({ format: 'veg', problems: [], audit: { tetrahedra: 450, components: 1 } });
    expect(report.audit.volume).toBeLessThan(1e-11);
  });

  it('says what is wrong and what to change', async () => {
    const veg = readFileSync(dataPath('beam3_tet.veg'), 'utf8');
    const inverted = join(folder, 'inverted.veg');
    writeFileSync(inverted, veg.replace('450 207 155', '450 155 207'));
    expect((await palpable('inspect', inverted)).stdout).toMatch(
      /1 element is inverted \(450\).* repair the mesh[\s\S]*cannot be an elastic body/,
    );
    const cut = join(folder, 'cut.veg');
    writeFileSync(cut, veg.slice(0, 4000));
    const { status, stderr } = await palpable('inspect', cut);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^palpable: .*cut\.veg: .*\n$/);
  });

  it("finds TetGen's other file beside the one that is named", async () => {
    writeFileSync(join(folder, 'a.node'), '4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n');
    writeFileSync(join(folder, 'a.ele'), '1 4 0\n0 0 1 2 3\n');
    for (const name of ['a.node', 'a.ele']) {
      expect((await palpable('inspect', join(folder, name))).stdout).toMatch(/1 tetrahedra on 4 nodes/);
    }
    writeFileSync(join(folder, 'alone.ele'), '1 4 0\n0 0 1 2 3\n');
    const { status, stderr } = await palpable('inspect', join(folder, 'alone.ele'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/alone\.node: The file does not exist/);
  });

  it('meshes a closed mesh with --element-size', async () => {
    const bunny = fileURLToPath(new URL('../scenes/meshes/bunny.obj', import.meta.url));
    const args = ['inspect', bunny, '--json', '--element-size'];
    const report = JSON.parse((await palpable(...args, '0.6')).stdout);
    expect(report).toMatchObject({ format: 'meshed', problems: [], audit: { components: 1 } });
    const { status, stderr } = await palpable(...args, '0.001');
    expect(status).toBe(1);
    expect(stderr).toMatch(/An element size of 0\.001 m makes about [\d,]+ (lattice )?nodes, .* m fits\.\n$/);
  });
});
