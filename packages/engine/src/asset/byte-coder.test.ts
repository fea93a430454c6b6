import { describe, expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { decodeBytes, encodeBytes } from './byte-coder.js';

const random = createRandom(5);
/** A share of the bytes at random. */
const mostlyZero = (length: number, share: number) =>
  Uint8Array.from({ length }, () => (random() < share ? 256 * random() : 0));

const CASES: [string, Uint8Array][] = [
  ['none', new Uint8Array(0)],
  ['one', Uint8Array.of(7)],
  ['all the same, over several blocks', new Uint8Array(100_000).fill(3)],
  ['random', mostlyZero(50_001, 1)],
  ['mostly zero', mostlyZero(70_000, 0.1)],
  ['of two kinds', Uint8Array.from({ length: 33_333 }, (_, n) => (n % 977 === 0 ? 1 : 255))],
  ['every byte once', Uint8Array.from({ length: 256 }, (_, n) => n)],
  ['all, one of them very often', Uint8Array.from({ length: 40_000 }, (_, n) => (n < 39_000 ? 9 : n))],
];

describe('a code of bytes', () => {
  it.each(CASES)('gives back: %s', (_, bytes) => {
    const code = encodeBytes(bytes);
    const decoded = new Uint8Array(bytes.length);
    expect(decodeBytes(decoded, code, 0)).toBe(code.length);
    expect(decoded.every((byte, n) => byte === bytes[n])).toBe(true);
  });

  it('takes about as many bits as the frequencies need, and hardly more than the bytes if that is no gain', () => {
    const bytes = mostlyZero(200_000, 0.1);
    const counts = new Array<number>(256).fill(0);
    for (const byte of bytes) counts[byte]! += 1;
    const entropy = counts.reduce((sum, n) => (n === 0 ? sum : sum - n * Math.log2(n / bytes.length)), 0) / 8;
    // A table of 256 symbols for each of seven blocks.
    expect(encodeBytes(bytes).length).toBeLessThan(1.02 * entropy + 7 * 800);
    const noise = mostlyZero(100_000, 1);
    expect(encodeBytes(noise).length).toBeLessThan(noise.length + 10);
    expect(encodeBytes(new Uint8Array(1e6)).length).toBeLessThan(100);
  });

  it('is refused when it is cut off, or is something else', () => {
    for (const [, bytes] of CASES) {
      const code = encodeBytes(bytes);
      const decoded = new Uint8Array(bytes.length);
      for (let length = 0; length < code.length; length += 1 + (length >> 3)) {
        expect(decodeBytes(decoded, code.subarray(0, length), 0)).not.toBe(code.length);
      }
    }
    const decoded = new Uint8Array(1000);
    for (let n = 0; n < 2000; n += 1) {
      const garbage = Uint8Array.from({ length: 1 + 600 * random() }, () => 256 * random());
      garbage[0] = 3 * random();
      expect(decodeBytes(decoded, garbage, 0)).toBeLessThanOrEqual(garbage.length);
    }
  });
});
