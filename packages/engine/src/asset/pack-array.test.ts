import { expect, it } from 'vitest';
import { createRandom } from '../base/random.js';
import { type NumberArray, packArray, unpackArray } from './pack-array.js';

const random = createRandom(6);
const whole = () => Math.floor(2 ** 32 * random());

const ARRAYS: [string, NumberArray][] = [
  ['no numbers', new Float64Array(0)],
  ['special ones', Float64Array.of(Math.PI, -0, Number.NaN, Number.NEGATIVE_INFINITY, Number.MIN_VALUE)],
  ['single ones', Float32Array.from({ length: 1000 }, () => random() - 0.5)],
  ['whole ones of all sizes', Int32Array.from({ length: 1000 }, whole)],
  ['whole ones at the limits', Int32Array.of(2 ** 31 - 1, -(2 ** 31), 0, -(2 ** 31), 2 ** 31 - 1)],
  ['unsigned ones', Uint32Array.from({ length: 1000 }, whole)],
  ['unsigned ones at the limits', Uint32Array.of(0, 2 ** 32 - 1, 0, 2 ** 31, 2 ** 32 - 1)],
];

it.each(ARRAYS)('gives back, to the bit: %s', (_, array) => {
  const packed = packArray(array);
  const unpacked = new (array.constructor as Float64ArrayConstructor)(array.length);
  expect(unpackArray(unpacked, packed)).toBe(true);
  expect(new Uint8Array(unpacked.buffer)).toEqual(new Uint8Array(array.buffer));
  expect(unpackArray(unpacked, packed.subarray(0, packed.length - 1))).toBe(false);
  expect(unpackArray(unpacked, Uint8Array.of(...packed, 0))).toBe(false);
});

it('makes little of numbers that go up step by step, or have few bits', () => {
  const size = 30_000;
  expect(packArray(Int32Array.from({ length: size }, (_, n) => 5 * n)).length).toBeLessThan(100);
  expect(packArray(Float64Array.from({ length: size }, (_, n) => (n % 7) / 4)).length).toBeLessThan(size);
});
