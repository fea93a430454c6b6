import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { checksum } from './checksum.js';

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe('checksum', () => {
  // Of the reference implementation, seed 0.
  it.each([
    ['', 0x02cc5d05],
    ['a', 0x550d7456],
    ['ab', 0x4999fc53],
    ['abc', 0x32d153ff],
    ['abcd', 0xa3643705],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ])('is XXH32 of "%s"', (text, expected) => {
    expect(checksum(ascii(text)).toString(16)).toBe(expected.toString(16));
  });

  it('is a whole number of 32 bits, without a sign', () => {
    const random = createRandom(1);
    for (let length = 0; length < 200; length += 1) {
      const sum = checksum(Uint8Array.from({ length }, () => 256 * random()));
      expect(Number.isInteger(sum) && sum >= 0 && sum < 2 ** 32).toBe(true);
    }
  });

  it('changes with every single bit, at every length', () => {
    for (let length = 1; length < 40; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, n) => (37 * n) % 256);
      const before = checksum(bytes);
      for (let bit = 0; bit < 8 * length; bit += 1) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        expect(checksum(bytes), `length ${length}, bit ${bit}`).not.toBe(before);
        bytes[bit >> 3] ^= 1 << (bit & 7);
      }
    }
  });

  it('does not depend on where in a buffer the bytes stand', () => {
    const bytes = ascii('Nobody inspects the spammish repetition');
    for (let offset = 0; offset < 9; offset += 1) {
      const buffer = new Uint8Array(64).fill(255);
      buffer.set(bytes, offset);
      expect(checksum(buffer.subarray(offset, offset + bytes.length))).toBe(0xe2293b2f);
    }
  });
});
