import { afterEach, describe, expect, test } from 'vitest';
import { createArena, useKernels } from './arena.js';

afterEach(() => useKernels(true));

describe.each([true, false])('an arena, kernels %s', (on) => {
  test('hands out arrays of zeros that do not overlap', () => {
    useKernels(on);
    const arena = createArena(30, 4);
    expect(arena.kernels !== null).toBe(on);
    const arrays = [7, 1, 22].map((count) => arena.floats(count));
    expect(arrays.map(({ length }) => length)).toEqual([7, 1, 22]);
    for (const array of arrays) expect(array.every((value) => value === 0)).toBe(true);
    arrays.forEach((array, n) => {
      array.fill(n + 1);
    });
    arrays.forEach((array, n) => {
      expect(array.every((value) => value === n + 1)).toBe(true);
    });
  });
});

test('arrays begin at whole vectors, and a table holds their addresses', () => {
  const arena = createArena(30, 4);
  const arrays = [7, 1, 22].map((count) => arena.floats(count));
  const { buffer } = arrays[0];
  const table = arena.table(arrays);
  const addresses = [...new Uint32Array(buffer, table, 3)];
  expect(addresses).toEqual(arrays.map(({ byteOffset }) => byteOffset));
  for (const address of [table, ...addresses]) expect(address % 16).toBe(0);
  expect(Math.min(...addresses)).toBeGreaterThan(0);
});

test('more than it was made for does not fit', () => {
  const arena = createArena(100, 1);
  expect(() => arena.floats(20_000)).toThrow(RangeError);
});

test('each arena has memory of its own, however many there are', () => {
  const arenas = Array.from({ length: 300 }, (_, n) => {
    const numbers = createArena(10, 1).floats(10);
    numbers.fill(n);
    return numbers;
  });
  arenas.forEach((numbers, n) => {
    expect(numbers[9]).toBe(n);
  });
});
