import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPalpableError } from '../base/errors.js';
import { auditMesh } from './audit.js';
import { type ReadMeshOptions, readMesh } from './read-mesh.js';
import type { LengthUnit } from './units.js';

const project = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url));
const triangle = (size: number | string) => `v 0 0 0\nv ${size} 0 0\nv 0 ${size} 0\nf 1 2 3\n`;
const read = (content: string | Uint8Array, options?: ReadMeshOptions) =>
  readMesh(typeof content === 'string' ? Buffer.from(content) : content, options);

describe('telling formats apart', () => {
  it.each([
    ['scenes/meshes/bunny.obj', 'obj'],
    ['test/data/meshes/featuretype.STL', 'stl'],
    ['test/data/meshes/cycloidal_piece.ply', 'ply'],
  ])('knows %s by its content, whatever its name', async (path, format) => {
    expect((await read(project(path), { fileName: 'misnamed.glb' })).format).toBe(format);
  });

  it('goes by the name when the content leaves it open', async () => {
    expect((await read('3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n', { fileName: 'A.OFF' })).format).toBe('off');
  });

  it.each([
    ['PK\u0003\u0004', 'This is a ZIP archive (perhaps 3MF), which is not supported; export STL'],
    ['<?xml version="1.0"?>', 'an XML file'],
    ['\u0001\u0002', 'The format of the file is not recognised; give an STL, OBJ'],
  ])('says what %j is', async (content, message) => {
    await expect(read(content, { fileName: 'part.xyz' })).rejects.toThrow(message);
  });

  it('asks for a CAD kernel for STEP', async () => {
    await expect(read('ISO-10303-21;\nHEADER;')).rejects.toMatchObject({ code: 'format-unsupported' });
  });
});

describe('units', () => {
  it.each<[LengthUnit, number]>([
    ['m', 1],
    ['mm', 0.001],
    ['cm', 0.01],
    ['um', 0.000001],
    ['in', 0.0254],
    ['ft', 0.3048],
  ])('turns %s into metres', async (unit, metres) => {
    const { mesh, unitScale } = await read(triangle(2), { unit, scale: 3 });
    expect(unitScale).toBeCloseTo(3 * metres, 15);
    expect(mesh.positions[3]).toBeCloseTo(6 * metres, 14);
  });

  it('refuses an unknown unit and a scale that is none', async () => {
    await expect(read(triangle(1), { unit: 'yard' as LengthUnit })).rejects.toThrow(
      'The unit "yard" is not known; use one of m, mm',
    );
    await expect(read(triangle(1), { unit: 'constructor' as LengthUnit })).rejects.toThrow('not known');
    await expect(read(triangle(1), { scale: 0 })).rejects.toThrow('The scale of the mesh is 0');
    await expect(read(triangle(1), { scale: Number.NaN })).rejects.toThrow('The scale of the mesh is NaN');
  });
});

describe('bad files', () => {
  const nanStl = Buffer.alloc(134);
  nanStl.writeUInt32LE(1, 80);
  nanStl.writeFloatLE(Number.NaN, 96);

  it.each<[string, string | Uint8Array, string, string]>([
    ['an empty file', '', 'mesh-empty', 'The file is empty'],
    ['a text file named .stl', 'Hello.', 'format-invalid', 'This is a text file but not an STL'],
    ['points only', 'v 0 0 0\nv 1 1 1\n', 'mesh-empty', 'The mesh has no triangles'],
    ['zero size', triangle(0), 'mesh-invalid', 'zero size (all its points coincide)'],
    ['a size below atoms', triangle('1e-12'), 'mesh-invalid', 'a size of only 1.00e-12 m'],
    ['huge coordinates', triangle('1e9'), 'mesh-invalid', 'Vertex 2 has the coordinate 1.00e+9 m, beyond the limit'],
    ['NaN in binary', nanStl, 'mesh-invalid', 'Vertex 1 has a coordinate that is not a finite number'],
    ['an index out of range', `${triangle(1)}f 1 2 4\n`, 'mesh-invalid', 'uses vertex 4 but there are only 3'],
  ])('refuses %s in one sentence that names the file', async (_, content, code, message) => {
    const error: unknown = await read(content, { fileName: 'part.stl' }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, path: 'part.stl' });
    expect(isPalpableError(error) && error.message).toMatch(/^part\.stl: [^\n]+\.$/);
    expect(isPalpableError(error) && error.message).toContain(message);
  });
});

describe('real files', () => {
  it.each([
    ['scenes/meshes/bunny.obj', { triangles: 3674, vertices: 1839, components: 1, closed: true }],
    ['scenes/meshes/teapot.obj', { triangles: 992, components: 4, closed: false, openEdges: 64 }],
    ['scenes/meshes/cube.obj', { triangles: 12, vertices: 8, closed: true, volume: 1 }],
    ['scenes/meshes/corner.obj', { triangles: 12, closed: true }],
    ['scenes/meshes/gear.obj', { triangles: 608, closed: true, misorientedTriangles: 0 }],
    ['test/data/meshes/soup.stl', { triangles: 100, vertices: 300, components: 100, closed: false }],
    ['test/data/meshes/busted.STL', { triangles: 3878, closed: true, nonManifoldEdges: 0 }],
  ])('audits %s', async (path, expected) => {
    expect(auditMesh((await read(project(path))).mesh)).toMatchObject(expected);
  });
});
