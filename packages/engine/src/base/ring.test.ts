import { describe, expect, it } from 'vitest';
import { createRandom } from './random.js';
import { createRing, createRingReader, createRingWriter, type Ring } from './ring.js';

const WIDTH = 3;

function openRing(capacity: number, startedAt = 0) {
  const ring = createRing(WIDTH, capacity);
  // As if so many rows had gone through already.
  new Int32Array(ring.memory, 0, 2).fill(startedAt);
  return { ring, writer: createRingWriter(ring), reader: createRingReader(ring) };
}

function rowOf(number: number): Float64Array {
  return Float64Array.of(number, 2 * number, -number);
}

describe('ring', () => {
  it('is empty at first', () => {
    const { reader } = openRing(4);
    const row = rowOf(7);
    expect(reader.read(row)).toBe(false);
    expect([...row]).toEqual([...rowOf(7)]);
    expect(reader.dropped).toBe(0);
  });

  it('holds as many rows as it says; the next is dropped, counted, and leaves the others alone', () => {
    const { writer, reader } = openRing(4);
    expect([0, 1, 2, 3, 4, 5].map((n) => writer.write(rowOf(n)))).toEqual([true, true, true, true, false, false]);
    expect(reader.dropped).toBe(2);
    const row = new Float64Array(WIDTH);
    const read: number[] = [];
    while (reader.read(row)) read.push(row[0]);
    expect(read).toEqual([0, 1, 2, 3]);
    expect(writer.write(rowOf(6))).toBe(true);
    expect(reader.read(row)).toBe(true);
    expect([...row]).toEqual([...rowOf(6)]);
  });

  it('takes the first numbers of a row that is longer', () => {
    const { writer, reader } = openRing(2);
    writer.write(Float64Array.of(1, 2, 3, 99, 99));
    writer.write(Float64Array.of(4, 5, 6, 99, 99));
    const row = new Float64Array(WIDTH + 1).fill(-1);
    reader.read(row);
    reader.read(row);
    expect([...row]).toEqual([4, 5, 6, -1]);
  });

  // The counters of rows start shortly before they run over: past 2³¹ they turn negative, past 2³² they begin again.
  const starts = [0, 2 ** 31 - 50, 2 ** 32 - 50];
  const cases = starts.flatMap((start) => [1, 2, 8, 64].map((capacity) => [start, capacity] as const));
  it.each(cases)('keeps the order and counts what it drops, from row %i on, room for %i', (start, capacity) => {
    const random = createRandom(start + capacity);
    const { writer, reader } = openRing(capacity, start | 0);
    const waiting: number[] = [];
    const row = new Float64Array(WIDTH);
    let written = 0;
    let dropped = 0;
    for (let step = 0; step < 2000; step += 1) {
      // Long stretches in which one side is faster fill and empty the ring.
      if (random() < (step % 600 < 300 ? 0.65 : 0.35)) {
        const hasRoom = writer.write(rowOf(written));
        expect(hasRoom).toBe(waiting.length < capacity);
        if (hasRoom) waiting.push(written);
        else dropped += 1;
        written += 1;
      } else {
        const next = waiting.shift();
        expect(reader.read(row)).toBe(next !== undefined);
        if (next !== undefined) expect([...row]).toEqual([...rowOf(next)]);
      }
    }
    expect(reader.dropped).toBe(dropped);
    expect(dropped).toBeGreaterThan(0);
    expect(written - dropped).toBeGreaterThan(300);
  });

  it('goes on where it was when a side is opened again', () => {
    const { ring, writer, reader } = openRing(4, -2);
    for (const n of [0, 1, 2]) writer.write(rowOf(n));
    const row = new Float64Array(WIDTH);
    reader.read(row);
    createRingWriter(ring).write(rowOf(3));
    const later = createRingReader(ring);
    const read: number[] = [];
    while (later.read(row)) read.push(row[0]);
    expect(read).toEqual([1, 2, 3]);
  });

  it.each([0, -4, 3, 6, 1.5, 2 ** 31, Number.NaN])('refuses a capacity of %d', (capacity) => {
    expect(() => createRing(WIDTH, capacity)).toThrow(/capacity is .* rows, but must be a power of two/);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a width of %d', (width) => {
    expect(() => createRing(width, 4) as Ring).toThrow(/width is .* but must be a whole number above 0/);
  });
});
