import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readStl } from './read-stl.js';

const file = (name: string) => readFileSync(new URL(`../../../../test/data/meshes/${name}`, import.meta.url));

/** A binary STL of the triangle (0 0 0) (1 0 0) (0 1 0), repeated. */
function binaryStl(count: number, header = 'made for a test'): Buffer {
  const bytes = Buffer.alloc(84 + 50 * count);
  bytes.write(header, 'latin1');
  bytes.writeUInt32LE(count, 80);
  for (let i = 0; i < count; i++) {
    bytes.writeFloatLE(1, 84 + 50 * i + 24);
    bytes.writeFloatLE(1, 84 + 50 * i + 40);
  }
  return bytes;
}

const facet = 'facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n';

describe('binary STL', () => {
  it('reads corners in order', () => {
    const { positions, triangles } = readStl(binaryStl(2));
    expect(Array.from(positions.subarray(9))).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
    expect(Array.from(triangles)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('is told by its size, also when it begins with "solid"', () => {
    expect(readStl(binaryStl(3, 'solid facet')).triangles).toHaveLength(9);
  });

  it('reads a part of a CAD program', () => {
    expect(readStl(file('featuretype.STL')).triangles).toHaveLength(3476 * 3);
  });

  it('ignores bytes at the end and says so', () => {
    const { triangles, warnings } = readStl(Buffer.concat([binaryStl(1), Buffer.alloc(7)]));
    expect(triangles).toHaveLength(3);
    expect(warnings).toEqual(['7 bytes after the last triangle were ignored.']);
  });

  it('refuses a header that claims more than there is, without allocating it', () => {
    const bytes = binaryStl(1);
    bytes.writeUInt32LE(0xffffffff, 80);
    expect(() => readStl(bytes)).toThrow('A binary STL of 4294967295 triangles needs 214748364834 bytes but only 134');
    expect(() => readStl(binaryStl(3).subarray(0, 200))).toThrow('cut short');
    expect(() => readStl(Buffer.from([1, 2, 3]))).toThrow('The header of a binary STL needs 84 bytes but only 3');
  });
});

describe('ASCII STL', () => {
  it('reads facets of several solids in any case and layout', () => {
    const text = `solid one\n${facet}endsolid one\nSOLID two words\n${facet.toUpperCase().replaceAll('\n', '\r\n\t')}ENDSOLID`;
    const { positions, triangles } = readStl(Buffer.from(text));
    expect(triangles).toHaveLength(6);
    expect(Array.from(positions.subarray(9))).toEqual([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  });

  it('cuts loops of more than three corners', () => {
    const quad = facet.replace('endloop', 'vertex -1 1 0\nendloop');
    expect(readStl(Buffer.from(`solid\n${quad}endsolid`)).triangles).toHaveLength(6);
  });

  it.each([
    ['a text file', 'Dear reader, this is no mesh.', 'This is a text file but not an STL'],
    ['a letter about a solid', 'solid arguments, nothing else', 'This is a text file but not an STL'],
    ['a missing end', `solid a\n${facet}`, 'ends before "endsolid"'],
    ['a broken number', `solid a\n${facet.replace('1 0 0', '1 zero 0')}endsolid`, 'Line 5 holds "zero"'],
    ['NaN', `solid a\n${facet.replace('1 0 0', 'nan 0 0')}endsolid`, 'Line 5 holds "nan"'],
    ['an unknown word', `solid a\n${facet}banana\nendsolid`, 'Line 9 holds "banana", which is no keyword of STL'],
    ['a vertex before any loop', `solid a\nfacet normal 0 0 1\nvertex 1 2 3\nendsolid`, 'outside of a facet'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readStl(Buffer.from(text))).toThrow(message);
  });
});
