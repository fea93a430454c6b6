import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readObj } from './read-obj.js';

const read = (text: string) => readObj(Buffer.from(text));
const scene = (name: string) => readFileSync(new URL(`../../../../scenes/meshes/${name}`, import.meta.url));

const square = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

describe('OBJ', () => {
  it.each([
    ['plain indices', 'f 1 2 3'],
    ['texture', 'f 1/1 2/2 3/3'],
    ['normals', 'f 1//1 2//1 3//1'],
    ['texture and normals', 'f 1/1/1 2/2/1 3/3/1'],
    ['negative indices', 'f -4 -3 -2'],
    ['a line that goes on', 'f 1 \\\n2 \\\r\n 3'],
    ['a comment behind', 'f 1 2 3 # first'],
    ['the old keyword', 'fo 1 2 3'],
  ])('reads faces with %s', (_, face) => {
    expect(Array.from(read(`${square}${face}\n`).triangles)).toEqual([0, 1, 2]);
  });

  it('counts negative indices from where the face stands', () => {
    expect(Array.from(read(`${square}f -1 -2 -3\nv 9 9 9\n`).triangles)).toEqual([3, 2, 1]);
  });

  it('lets faces use vertices that come later', () => {
    expect(read(`f 1 2 3 4\n${square}`).triangles).toHaveLength(6);
  });

  it('ignores what cannot be touched and says what it left out', () => {
    const { triangles, warnings } = read(`mtllib a.mtl\ng x\n${square}vn 0 0 1\nl 1 2\np 1\nf 1 2\nf 1 2 3\nxyz 1\n`);
    expect(triangles).toHaveLength(3);
    expect(warnings).toEqual([
      '1 faces with fewer than three corners were ignored.',
      '2 lines, points, curves or free-form surfaces were ignored.',
    ]);
  });

  it('reads vertices with colours, a byte order mark and the endings of Windows', () => {
    const { positions } = read('\uFEFFv 1 2 3 0.5 0.5 0.5\r\nv 4 5 6\r\nv 7 8 9\r\nf 1 2 3\r\n');
    expect(Array.from(positions)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it.each([
    ['bunny.obj', 3674],
    ['teapot.obj', 992],
    ['gear.obj', 608],
    ['corner.obj', 12],
  ])('reads %s', (name, triangles) => {
    expect(readObj(scene(name)).triangles).toHaveLength(triangles * 3);
  });

  it.each([
    ['an index out of range', `${square}f 1 2 9`, 'A face uses vertex 9 but there are only 4 vertices'],
    ['an absurd index', `${square}f 1 2 99999999999999`, 'but there are only 4 vertices'],
    ['the index 0', `${square}f 0 1 2`, 'Line 5 has the face corner "0", but vertices are counted from 1'],
    ['a negative index too far back', `${square}f -1 -2 -5`, 'only 4 vertices come before it'],
    ['no index', `${square}f a b c`, 'Line 5 has the face corner "a", which is no index'],
    ['an empty corner', `${square}f / 1 2`, 'counted from 1'],
    ['a missing coordinate', 'v 1 2\n', 'Line 1 ends where a number was expected'],
    ['NaN', 'v 1 2 nan\n', 'Line 1 holds "nan" where a finite number was expected'],
    ['a number beyond doubles', 'v 1 2 1e999\n', 'Line 1 holds "1e999"'],
    ['something else', 'hello world\n', 'no OBJ lines'],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
