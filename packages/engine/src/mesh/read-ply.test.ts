import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPly } from './read-ply.js';

const positions = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0.5];

const asciiHeader = `ply
format ascii 1.0
comment made for a test
element vertex 4
property float x
property float y
property float z
element face 1
property list uchar int vertex_indices
end_header
`;
const ascii = `${asciiHeader}0 0 0\n1 0 0\n1 1 0\n0 1 0.5\n4 0 1 2 3\n`;

/** Properties in an unusual order and of all kinds, an unknown element with a list in between. */
function binary(littleEndian: boolean): Buffer {
  const header = Buffer.from(`ply
format binary_${littleEndian ? 'little' : 'big'}_endian 1.0
obj_info odd
element vertex 4
property uchar red
property double z
property list ushort short weights
property float64 x
property int32 y
element material 2
property list uint8 float colour
property short id
element face 1
property float quality
property list uint uint vertex_index
end_header
`);
  const body = Buffer.alloc(400);
  let at = 0;
  const advance = (end: number) => {
    at = end;
  };
  const put = {
    u8: (value: number) => advance(body.writeUInt8(value, at)),
    i16: (value: number) => advance(littleEndian ? body.writeInt16LE(value, at) : body.writeInt16BE(value, at)),
    i32: (value: number) => advance(littleEndian ? body.writeInt32LE(value, at) : body.writeInt32BE(value, at)),
    f32: (value: number) => advance(littleEndian ? body.writeFloatLE(value, at) : body.writeFloatBE(value, at)),
    f64: (value: number) => advance(littleEndian ? body.writeDoubleLE(value, at) : body.writeDoubleBE(value, at)),
  };
  for (let i = 0; i < 4; i++) {
    put.u8(200);
    put.f64(positions[i * 3 + 2]);
    put.i16(i);
    for (let k = 0; k < i; k++) put.i16(-7);
    put.f64(positions[i * 3]);
    put.i32(positions[i * 3 + 1]);
  }
  for (let i = 0; i < 2; i++) {
    put.u8(i + 1);
    for (let k = 0; k <= i; k++) put.f32(0.5);
    put.i16(3);
  }
  put.f32(1);
  for (const value of [4, 0, 1, 2, 3]) put.i32(value);
  return Buffer.concat([header, body.subarray(0, at)]);
}

describe('PLY', () => {
  it.each([
    ['ASCII', Buffer.from(ascii)],
    ['ASCII with the endings of Windows', Buffer.from(ascii.replaceAll('\n', '\r\n'))],
    ['little endian', binary(true)],
    ['big endian', binary(false)],
  ])('reads %s', (_, bytes) => {
    const mesh = readPly(bytes);
    expect(Array.from(mesh.positions)).toEqual(positions);
    expect(Array.from(mesh.triangles)).toEqual([0, 1, 2, 0, 2, 3]);
  });

  it('reads a piece of a scan tool’s file with colours', () => {
    const bytes = readFileSync(new URL('../../../../test/data/meshes/cycloidal_piece.ply', import.meta.url));
    const mesh = readPly(bytes);
    expect([mesh.positions.length, mesh.triangles.length]).toEqual([1293 * 3, 1500 * 3]);
    expect(Math.max(...mesh.triangles)).toBe(1292);
  });

  it('reads strips, which turn round at every second triangle and end at −1', () => {
    const text = ascii.replace('element face 1', 'element tristrips 1').replace('4 0 1 2 3', '8 0 1 3 2 -1 0 1 2');
    expect(Array.from(readPly(Buffer.from(text)).triangles)).toEqual([0, 1, 3, 3, 1, 2, 0, 1, 2]);
  });

  it('skips an empty element that claims four billion entries', () => {
    const text = ascii.replace('element face', 'element nothing 4294967295\nelement face');
    expect(readPly(Buffer.from(text)).triangles).toHaveLength(6);
  });

  it.each([
    ['vertices beyond the file', ascii.replace('vertex 4', 'vertex 2147483648'), '2147483648 elements "vertex" needs'],
    ['faces beyond the file', ascii.replace('face 1', 'face 99999999'), '99999999 elements "face" needs'],
    ['a list beyond the file', ascii.replace('4 0 1', '2000000000 0 1'), 'A list of 2000000000 values needs'],
    ['a negative list', ascii.replace('4 0 1', '-4 0 1'), 'A list has the length -4'],
    ['an index out of range', ascii.replace('2 3\n', '2 4\n'), 'outside the 4 vertices'],
    ['a negative index', ascii.replace('2 3\n', '2 -3\n'), 'outside the 4 vertices'],
    ['NaN', ascii.replace('0.5', 'nan'), 'Line 14 holds "nan"'],
    ['no vertices', ascii.replace('element vertex', 'element vertices'), 'no element "vertex"'],
    ['no z', ascii.replace('float z', 'float height'), 'no property "z"'],
    ['no indices', ascii.replace('vertex_indices', 'corners'), 'no list "vertex_indices"'],
    ['an unknown type', ascii.replace('float z', 'quad z'), 'unknown type "quad"'],
    ['a type from the prototype', ascii.replace('float z', 'constructor z'), 'unknown type "constructor"'],
    ['an unknown encoding', ascii.replace('ascii', 'zip'), 'The PLY format "zip" is not known'],
    ['no end of the header', ascii.replace('end_header', 'comment'), 'holds "0"'],
    ['a header alone', asciiHeader.replace('end_header\n', ''), 'no "end_header"'],
    ['a property without an element', 'ply\nformat ascii 1.0\nproperty float x\nend_header\n', 'before any element'],
    ['an end in the middle', ascii.slice(0, -8), 'A list of 4 values needs 7 bytes but only 1'],
    ['an end between vertices', ascii.slice(0, asciiHeader.length + 25), '1 elements "face" needs 1 bytes but only 0'],
  ])('refuses %s', (_, text, message) => {
    expect(() => readPly(Buffer.from(text))).toThrow(message);
  });

  it('refuses a binary file that ends early', () => {
    const bytes = binary(true);
    for (let length = bytes.length - 1; length > bytes.length - 150; length--) {
      expect(() => readPly(bytes.subarray(0, length)), `${length} bytes`).toThrow(/cut short|PLY/);
    }
  });
});
