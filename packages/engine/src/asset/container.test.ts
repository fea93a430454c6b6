import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { checksum } from './checksum.js';
import { packContainer, unpackContainer } from './container.js';
import type { NumberArray } from './pack-array.js';

const tiny = () =>
  packContainer(
    { name: 'Würfel ∅ 3 "x"\n😀', list: [1, 2.5, null] },
    new Map<string, NumberArray>([
      ['a', Float64Array.of(Math.PI, -0, Number.NaN, Number.NEGATIVE_INFINITY)],
      ['b.c', Float32Array.of(1.5, 2.5, 3.5)],
      ['none', new Uint32Array(0)],
      ['d', Int32Array.of(-1, 2 ** 31 - 1, -(2 ** 31))],
      ['e', Uint32Array.of(4294967295)],
    ]),
  );

/** The bytes, so that −0 and NaN count as well. */
function rawBytes(array: NumberArray): number[] {
  return [...new Uint8Array(array.buffer, array.byteOffset, array.byteLength)];
}

describe('a container', () => {
  it('gives back what was put in, to the bit', () => {
    const { content, arrays } = unpackContainer(tiny());
    expect(content).toEqual({ name: 'Würfel ∅ 3 "x"\n😀', list: [1, 2.5, null] });
    expect([...arrays.keys()]).toEqual(['a', 'b.c', 'none', 'd', 'e']);
    expect(arrays.get('a')).toBeInstanceOf(Float64Array);
    expect(rawBytes(arrays.get('a')!)).toEqual(
      rawBytes(Float64Array.of(Math.PI, -0, Number.NaN, Number.NEGATIVE_INFINITY)),
    );
    expect(arrays.get('b.c')).toEqual(Float32Array.of(1.5, 2.5, 3.5));
    expect(arrays.get('none')).toEqual(new Uint32Array(0));
    expect(arrays.get('d')).toEqual(Int32Array.of(-1, 2 ** 31 - 1, -(2 ** 31)));
    expect(arrays.get('e')).toEqual(Uint32Array.of(4294967295));
  });

  it('is the same for the same content', () => {
    expect(tiny()).toEqual(tiny());
  });

  it('takes arrays that are parts of others or shared between threads', () => {
    const whole = Float32Array.from({ length: 10 }, (_, n) => n);
    const shared = new Float64Array(new SharedArrayBuffer(16));
    shared.set([1, 2]);
    const packed = packContainer(
      0,
      new Map<string, NumberArray>([
        ['part', whole.subarray(3, 6)],
        ['shared', shared],
      ]),
    );
    const { arrays } = unpackContainer(packed);
    expect(arrays.get('part')).toEqual(Float32Array.of(3, 4, 5));
    expect([...arrays.get('shared')!]).toEqual([1, 2]);
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('can be read from the middle of a buffer, %d bytes in', (offset) => {
    const packed = tiny();
    const buffer = new Uint8Array(packed.length + 16).fill(255);
    buffer.set(packed, offset);
    const { arrays } = unpackContainer(buffer.subarray(offset, offset + packed.length));
    expect(arrays.get('a')![0]).toBe(Math.PI);
    expect(arrays.get('d')).toEqual(Int32Array.of(-1, 2 ** 31 - 1, -(2 ** 31)));
  });

  it('has its layout: name, version, length and checksum of the JSON text, arrays at multiples of 8', () => {
    const packed = tiny();
    const view = new DataView(packed.buffer);
    expect(String.fromCharCode(...packed.subarray(0, 8))).toBe('PALPABLE');
    expect(view.getUint32(8, true)).toBe(2);
    const text = packed.subarray(24, 24 + view.getUint32(12, true));
    expect(view.getUint32(16, true)).toBe(checksum(text));
    expect(text.every((byte) => byte >= 32 && byte < 127)).toBe(true);
    const { arrays, bytes } = JSON.parse(String.fromCharCode(...text)) as {
      arrays: { offset: number }[];
      bytes: number;
    };
    expect(bytes).toBe(packed.length);
    for (const { offset } of arrays) expect(offset % 8).toBe(0);
  });

  it('of version 1, whose arrays are not packed, is still read', () => {
    const values = Float64Array.of(1.5, -2);
    const room = 512;
    const entry = {
      name: 'a',
      type: 'f64',
      offset: room,
      length: 2,
      checksum: checksum(new Uint8Array(values.buffer)),
    };
    const text = new TextEncoder().encode(JSON.stringify({ content: 7, arrays: [entry], bytes: room + 16 }));
    const bytes = new Uint8Array(room + 16);
    const view = new DataView(bytes.buffer);
    bytes.set(new TextEncoder().encode('PALPABLE'));
    for (const [at, value] of [
      [8, 1],
      [12, text.length],
      [16, checksum(text)],
    ] as const) {
      view.setUint32(at, value, true);
    }
    bytes.set(text, 24);
    bytes.set(new Uint8Array(values.buffer), room);
    expect(unpackContainer(bytes).arrays.get('a')).toEqual(values);
    expect(unpackContainer(bytes).content).toBe(7);
  });

  it('claiming more than fits into memory is refused before any is taken', () => {
    const packed = tiny();
    const view = new DataView(packed.buffer);
    const length = view.getUint32(12, true);
    const text = String.fromCharCode(...packed.subarray(24, 24 + length));
    const claim = text.replace(/"name":"e","type":"u32","offset":(\d+),"length":1,/, (all) =>
      all.replace('"length":1,', '"length":1e9,'),
    );
    expect(claim).not.toBe(text);
    const longer = new Uint8Array(packed.length);
    longer.set(packed);
    longer.set(new TextEncoder().encode(claim), 24);
    const altered = new DataView(longer.buffer);
    altered.setUint32(12, claim.length, true);
    altered.setUint32(16, checksum(longer.subarray(24, 24 + claim.length)), true);
    expect(() => unpackContainer(longer)).toThrow('more than 2 GB');
  });

  it('is refused at every length but its own', () => {
    const packed = tiny();
    for (let length = 0; length < packed.length; length += 1) {
      expect(() => unpackContainer(packed.subarray(0, length)), `${length} bytes`).toThrow(
        expect.objectContaining({ name: 'PalpableError', code: 'asset-invalid' }),
      );
    }
    expect(() => unpackContainer(Uint8Array.of(...packed, 0))).toThrow(`${packed.length + 1} bytes instead of`);
  });

  it('is refused with any bit changed', () => {
    const packed = tiny();
    for (let bit = 0; bit < 8 * packed.length; bit += 1) {
      packed[bit >> 3] ^= 1 << (bit & 7);
      expect(() => unpackContainer(packed), `bit ${bit}`).toThrow(
        expect.objectContaining({ name: 'PalpableError', code: 'asset-invalid' }),
      );
      packed[bit >> 3] ^= 1 << (bit & 7);
    }
    expect(() => unpackContainer(packed)).not.toThrow();
  });

  it('says what is wrong', () => {
    const packed = tiny();
    const altered = (at: number, value: number) => {
      const copy = packed.slice();
      copy[at] = value;
      return copy;
    };
    expect(() => unpackContainer(new Uint8Array(100))).toThrow('it does not begin as one');
    expect(() => unpackContainer(altered(8, 3))).toThrow('its version is 3, and this program reads versions up to 2');
    expect(() => unpackContainer(altered(15, 255))).toThrow('its header is cut off');
    expect(() => unpackContainer(altered(30, 0))).toThrow('its header was altered');
    expect(() => unpackContainer(altered(packed.length - 8, 7))).toThrow('its part "e" was altered');
    expect(() => unpackContainer(altered(packed.length - 1, 7))).toThrow('altered between its parts');
    expect(() => unpackContainer(packed.subarray(0, packed.length - 1))).toThrow('Prepare it again');
  });

  it('refuses noise', () => {
    const random = createRandom(1);
    for (let n = 0; n < 300; n += 1) {
      const noise = Uint8Array.from({ length: Math.floor(200 * random()) }, () => 256 * random());
      // Half of them begin well.
      if (n % 2 === 0 && noise.length > 12) noise.set(tiny().subarray(0, 12));
      expect(() => unpackContainer(noise)).toThrow(expect.objectContaining({ code: 'asset-invalid' }));
    }
  });
});
