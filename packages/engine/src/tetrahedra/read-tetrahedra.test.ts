import { describe, expect, it } from 'vitest';
import { isPalpableError } from '../base/errors.js';
import { createRandom } from '../base/random.js';
import { auditTetrahedra } from './audit-tetrahedra.js';
import { type TestFile, TWO, testFiles, text } from './files.fixture.js';
import { isTetrahedraName, type ReadTetrahedraOptions, readTetrahedra } from './read-tetrahedra.js';

/** The message of the proper error that reading must end with. */
async function refusal(name: string, content: string | Uint8Array, options: ReadTetrahedraOptions = {}) {
  const bytes = typeof content === 'string' ? text(content) : content;
  const error: unknown = await readTetrahedra(name, bytes, options).catch((reason: unknown) => reason);
  if (!isPalpableError(error)) throw new Error(`expected a PalpableError, got ${String(error)}`);
  return error.message;
}

function optionsOf({ other }: TestFile): ReadTetrahedraOptions {
  return other === undefined ? {} : { resolve: () => other };
}

function fileNamed(name: string): string {
  const { bytes } = testFiles().find((file) => file.name === name)!;
  return String.fromCharCode(...bytes);
}

describe('reading tetrahedra', () => {
  it.each(testFiles())('reads $name', async (file) => {
    const read = await readTetrahedra(file.name, file.bytes, optionsOf(file));
    expect(read.mesh).toEqual(TWO);
    expect(read.turned).toBe(0);
    expect(isTetrahedraName(file.name)).toBe(true);
    const others = /msh|a\.vtk|binary\.vtk|mesh/.test(file.name);
    expect(read.warnings).toEqual(others ? ['1 elements that are no tetrahedra were left out.'] : []);
  });

  it.each(testFiles().filter(({ other }) => other === undefined))('tells $name by its content', async ({ bytes }) => {
    expect((await readTetrahedra('part', bytes)).mesh).toEqual(TWO);
  });

  it('gives the numbers of the file and the material', async () => {
    const gaps = await readTetrahedra('text-4.msh', text(fileNamed('text-4.msh')));
    expect(gaps.nodeLabels).toEqual(Float64Array.of(10, 20, 30, 40, 50));
    const { material, format } = await readTetrahedra('a.veg', text(fileNamed('a.veg')));
    expect(format).toBe('veg');
    expect(material).toEqual({ density: 1000, young: 1e7, poisson: 0.45 });
  });

  it('converts the unit', async () => {
    const { mesh } = await readTetrahedra('a.mesh', text(fileNamed('a.mesh')), { unit: 'mm', scale: 2 });
    expect(mesh.positions[3]).toBeCloseTo(0.002, 15);
    expect(await refusal('a.mesh', fileNamed('a.mesh'), { scale: 0 })).toContain('The scale of the mesh is 0');
  });

  it('takes the corners of curved elements and leaves their other nodes', async () => {
    const nodes = Array.from({ length: 10 }, (_, i) => `${i} ${i % 2} ${i === 2 ? 1 : 0} ${i === 3 ? 1 : 0}\n`).join(
      '',
    );
    const element = '1 10 0\n0 0 1 2 3 4 5 6 7 8 9\n';
    const resolve = () => text(element);
    const { mesh, warnings } = await readTetrahedra('b.node', text(`10 3 0 0\n${nodes}`), { resolve });
    expect(mesh.positions).toHaveLength(12);
    expect(warnings.join(' ')).toMatch(/only their corners are used.* 6 nodes that no tetrahedron uses were left out/);
  });

  it('turns elements round when all are inverted, or when told to', async () => {
    const inverted = { positions: TWO.positions, tetrahedra: Uint32Array.of(0, 2, 1, 3, 2, 1, 3, 4) };
    for (const file of testFiles(inverted)) {
      const read = await readTetrahedra(file.name, file.bytes, optionsOf(file));
      expect(read.turned).toBe(2);
      expect(read.warnings.join(' ')).toContain('2 inverted tetrahedra were turned round.');
      expect(auditTetrahedra(read.mesh).inverted.count).toBe(0);
    }
    const mixed = { positions: TWO.positions, tetrahedra: Uint32Array.of(0, 1, 2, 3, 2, 1, 3, 4) };
    const [{ name, bytes }] = testFiles(mixed);
    const left = await readTetrahedra(name, bytes);
    expect([left.turned, auditTetrahedra(left.mesh).inverted.count]).toEqual([0, 1]);
    expect((await readTetrahedra(name, bytes, { turnInverted: true })).turned).toBe(1);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['empty.msh', '', /The file is empty/],
    [
      'letter.txt',
      'Dear reader.',
      /not in a supported format.*Gmsh \.msh, Vega \.veg, VTK legacy \.vtk, Medit \.mesh or TetGen/,
    ],
    ['letter.msh', 'Dear reader.', /Line 1 holds "Dear" where a section such as \$Nodes/],
    ['old.msh', '$MeshFormat\n4 0 8\n$EndMeshFormat\n', /version 4 .* 2\.2 and 4\.1/],
    ['cut.msh', '$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n9999999\n1 0 0 0\n', /9999999 .* only \d+ are there/],
    ['nan.msh', fileNamed('a.msh').replace('2 1 0 0', '2 nan 0 0'), /Line 11 holds "nan" where a finite number/],
    [
      'range.msh',
      fileNamed('a.msh').replace('2 4 2 1 1 1', '2 4 2 1 1 6'),
      /Line 19 uses node 6, which is not among the 5/,
    ],
    ['twice.msh', fileNamed('a.msh').replace('5 1 1 1', '4 1 1 1'), /Line 14 gives node 4 a second time/],
    ['range-4.msh', fileNamed('text-4.msh').replace('7 10 20', '7 11 20'), /Line \d+ uses node 11/],
    ['blocks.msh', fileNamed('text-4.msh').replace('3 1 0 5', '3 1 0 99999999'), /A block of 99999999 nodes needs/],
    ['include.veg', '*INCLUDE other.veg\n', /Line 1 includes another file \("other\.veg"\), which is not supported/],
    ['cubes.veg', fileNamed('a.veg').replace('TET', 'CUBIC'), /Line 12 gives elements of the kind "CUBIC"; only TET/],
    ['none.veg', '*VERTICES\n0 3 0 0\n', /holds no tetrahedra/],
    [
      'surface.vtk',
      '# vtk DataFile Version 3.0\n\nASCII\nDATASET POLYDATA\n',
      /holds a POLYDATA; only UNSTRUCTURED_GRID/,
    ],
    ['types.vtk', fileNamed('a.vtk').replace('CELL_TYPES 3\n5\n', 'CELL_TYPES 2\n'), /3 cells but 2 cell types/],
    ['range.vtk', fileNamed('a.vtk').replace('4 0 1 2 3', '4 0 1 2 9'), /Cell 2 uses node 9/],
    ['flat.mesh', fileNamed('a.mesh').replace('\n3\n', '\n2\n'), /2 dimensions where 3/],
    ['zero.mesh', fileNamed('a.mesh').replace('1 2 3 4 1', '0 2 3 4 1'), /Line 17 uses node 0/],
    ['more.mesh', fileNamed('a.mesh').replace('Tetrahedra\n2', 'Tetrahedra\n99'), /99 tetrahedra needs \d+ bytes/],
    ['a.meshb', '\u0001\u0000', /Binary Medit files are not supported/],
  ])('refuses %s', async (name, content, message) => {
    const told = await refusal(name, content);
    expect(told).toMatch(message);
    expect(told.startsWith(`${name}: `)).toBe(true);
  });

  it('needs both files of TetGen', async () => {
    const { bytes, other } = testFiles().find(({ name }) => name === 'a.ele')!;
    expect(await refusal('a.ele', bytes)).toMatch(/two files, and "a\.node" is missing/);
    const asked: string[] = [];
    await readTetrahedra('folder/a.ele', bytes, {
      resolve: (name) => {
        asked.push(name);
        return other!;
      },
    });
    expect(asked).toEqual(['folder/a.node']);
    expect(await refusal('a.ele', bytes, { resolve: () => text('5 3 0 0\n1 0 0\n2 0 0 0\n') })).toMatch(/\.node: /);
  });

  it.each(testFiles())('ends properly on every truncation of $name', async (file) => {
    for (let length = 0; length < file.bytes.length; length++) await readOrRefuse(file, file.bytes.slice(0, length));
  });

  it.each([11, 12, 13])('ends properly on damaged bytes (seed %i)', async (seed) => {
    const random = createRandom(seed);
    for (const file of testFiles()) {
      for (let i = 0; i < 150; i++) {
        const bytes = file.bytes.slice();
        const changes = 1 + Math.floor(random() * 4);
        for (let change = 0; change < changes; change++) {
          // Digits more often than other bytes: they make wrong counts and indices.
          const value = random() < 0.5 ? 48 + random() * 10 : random() * 256;
          bytes[Math.floor(random() * bytes.length)] = value;
        }
        await readOrRefuse(file, bytes);
      }
    }
  });
});

async function readOrRefuse(file: TestFile, bytes: Uint8Array): Promise<void> {
  try {
    const { mesh } = await readTetrahedra(file.name, bytes, optionsOf(file));
    const nodes = mesh.positions.length / 3;
    if (!mesh.tetrahedra.every((node) => node < nodes)) throw new Error('an index is out of range');
    auditTetrahedra(mesh);
  } catch (error) {
    if (!isPalpableError(error)) throw error;
  }
}
