import { describe, expect, it } from 'vitest';
import { createRandom } from './random.js';
import { createTripleReader, createTripleWriter, resetTripleBuffer } from './triple-buffer.js';

function createPair() {
  const control = new Int32Array(new SharedArrayBuffer(8));
  const blocks = [{ value: 0 }, { value: 0 }, { value: 0 }];
  resetTripleBuffer(control, 1);
  return { writer: createTripleWriter(control, 1, blocks), reader: createTripleReader(control, 1, blocks) };
}

describe('triple buffer', () => {
  it('gives nothing before the first value', () => {
    expect(createPair().reader.take()).toBe(false);
  });

  it('gives each value once, and the newest of several', () => {
    const { writer, reader } = createPair();
    for (const value of [1, 2, 3]) {
      writer.block.value = value;
      writer.publish();
    }
    expect(reader.take()).toBe(true);
    expect(reader.block.value).toBe(3);
    expect(reader.take()).toBe(false);
    expect(reader.block.value).toBe(3);
  });

  it.each([1, 2, 3])('never lets both sides hold the same block (seed %i)', (seed) => {
    const random = createRandom(seed);
    const { writer, reader } = createPair();
    let written = 0;
    let newest = 0;
    for (let step = 0; step < 10_000; step++) {
      if (random() < 0.5) {
        writer.block.value = ++written;
        writer.publish();
        newest = written;
      } else if (reader.take()) {
        expect(reader.block.value).toBe(newest);
      }
      expect(writer.block).not.toBe(reader.block);
    }
    expect(written).toBeGreaterThan(4000);
  });
});
