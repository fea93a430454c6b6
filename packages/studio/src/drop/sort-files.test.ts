import { describe, expect, it } from 'vitest';
import { sortFiles } from './sort-files.js';

const file = (name: string, size = 1000) => ({ name, size });
const files = (...names: string[]) => names.map((name) => file(name));

describe('sortFiles', () => {
  it('keeps what belongs together and leaves out what cannot be felt', () => {
    const sorted = sortFiles(files('part.obj', 'part.mtl', 'wood.PNG', 'car.gltf', 'car.bin', '.DS_Store'));
    expect(sorted.scene).toBeUndefined();
    expect(sorted.meshes.map(({ name }) => name)).toEqual(['part.obj', 'car.gltf']);
    expect(sorted.data.map(({ name }) => name)).toEqual(['car.bin']);
    expect(sorted.leftOut.map(({ name }) => name)).toEqual(['part.mtl', 'wood.PNG']);
  });

  it('takes the two files of a TetGen mesh as one', () => {
    const sorted = sortFiles(files('beam.1.ele', 'beam.1.node', 'lone.ele', 'ball.msh'));
    expect(sorted.meshes.map(({ name }) => name)).toEqual(['beam.1.node', 'lone.ele', 'ball.msh']);
    expect(sorted.data.map(({ name }) => name)).toEqual(['beam.1.ele']);
  });

  it('takes a scene with as many meshes as it likes', () => {
    const meshes = Array.from({ length: 20 }, (_, index) => `part-${index}.stl`);
    const { scene, meshes: found } = sortFiles(files('scene.json', ...meshes));
    expect(scene?.name).toBe('scene.json');
    expect(found).toHaveLength(20);
    expect(() => sortFiles(files(...meshes))).toThrow(/20 parts; bring at most 8/);
  });

  it.each<[string, readonly { name: string; size: number }[], readonly string[], RegExp]>([
    ['a folder', files('parts'), ['parts'], /parts is a folder; open it/],
    ['an archive', files('parts.zip'), [], /parts\.zip is an archive; unpack it/],
    ['two scenes', files('a.json', 'b.json'), [], /2 scene files/],
    ['pictures alone', files('a.mtl', 'b.png'), [], /a\.mtl, b\.png: This holds colours or data, but no shape/],
    ['litter alone', files('Thumbs.db'), [], /nothing to touch/],
    ['twins', files('a.stl', 'a.stl'), [], /Two of the files are called a\.stl/],
    ['a scan', [file('scan.stl', 3.0001e8)], [], /scan\.stl has 301 MB, more than the 300 MB/],
    ['an assembly', [file('plant.STP', 1.2e8)], [], /plant\.STP has 120 MB, more than the 100 MB that the CAD kernel/],
    ['a scene of everything', [file('all.json', 2e7)], [], /all\.json has 20 MB/],
    ['too much together', [1, 2, 3].map((k) => file(`${k}.ply`, 2.5e8)), [], /750 MB together/],
  ])('refuses %s', (_what, brought, folders, words) => {
    expect(() => sortFiles(brought, folders)).toThrow(words);
  });
});
