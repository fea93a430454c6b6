import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selectSmallest } from './select-smallest.js';

test('moves the smallest keys to the front, ties by item, and keeps items and keys together', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 0, max: 80 }),
      (values, cut) => {
        const wanted = Math.min(cut, values.length);
        const items = Uint32Array.from(values.keys());
        const keys = Float64Array.from(values);
        selectSmallest(items, keys, values.length, wanted);
        const expected = [...values.keys()].sort((a, b) => values[a] - values[b] || a - b).slice(0, wanted);
        expect([...items.slice(0, wanted)].sort((a, b) => a - b)).toEqual(expected.sort((a, b) => a - b));
        expect([...items].map((item) => values[item])).toEqual([...keys]);
      },
    ),
  );
});
