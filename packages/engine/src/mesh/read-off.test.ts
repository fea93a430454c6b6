import { describe, expect, it } from 'vitest';
import { readOff } from './read-off.js';

const read = (text: string) => readOff(Buffer.from(text));
const body = '0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n';

describe('OFF', () => {
  it.each([
    ['the usual header', `OFF\n4 1 0\n${body}`],
    ['the header in one line', `OFF 4 1 4\n${body}`],
    ['no keyword', `4 1 0\n${body}`],
    ['no number of edges', `OFF\n4 1\n${body}`],
    ['comments and empty lines', `# a\n\nOFF # b\n# c\n4 1 0\n\n${body.replaceAll('\n', ' # d\n\n')}`],
    ['colours of vertices', `COFF\n4 1 0\n${body.replaceAll(' 0\n', ' 0 255 0 0 255\n')}`],
    ['normals of vertices', `NOFF\n4 1 0\n${body.replaceAll(' 0\n', ' 0 0 0 1\n')}`],
    ['colours of faces', `OFF\n4 1 0\n${body.replace('2 3', '2 3 0.5 0.5 0.5')}`],
  ])('reads %s', (_, text) => {
    const { positions, triangles } = read(text);
    expect(Array.from(positions)).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect(Array.from(triangles)).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it('ignores points and lines and says so', () => {
    expect(read(`OFF\n4 2 0\n${body}2 0 1\n`).warnings).toEqual([
      '1 faces with fewer than three corners were ignored.',
    ]);
  });

  it.each([
    ['counts beyond the file', `OFF\n2147483647 2147483647 0\n${body}`, 'needs 17179869175 bytes but only'],
    ['a polygon beyond the file', `OFF\n4 1 0\n${body.replace('4 0', '4294967295 0')}`, 'A face of 4294967295 corners'],
    ['a negative count', `OFF\n-4 1 0\n${body}`, 'Line 2 holds "-4" where a whole number of at least 0'],
    ['a fractional index', `OFF\n4 1 0\n${body.replace('2 3', '2.5 3')}`, 'Line 7 holds "2.5"'],
    ['an index out of range', `OFF\n4 1 0\n${body.replace('2 3', '2 4')}`, 'A face uses vertex 5 but there are only 4'],
    ['a file that ends early', `OFF\n4 1 0\n0 0 0\n1 0 0\n1.00000 1.00000\n`, 'ends where a number was expected'],
    ['binary', 'OFF BINARY\n\0\0\0', 'Binary OFF is not supported'],
    ['four coordinates', `4OFF\n4 1 0\n${body}`, 'four or n coordinates'],
    ['nothing', '# only words\n', 'nothing but comments'],
  ])('refuses %s', (_, text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
