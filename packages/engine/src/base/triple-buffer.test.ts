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

  it('goes on with the blocks that both sides had when either is opened again, wherever it was killed', () => {
    const control = new Int32Array(new SharedArrayBuffer(8));
    const blocks = [0, 1, 2];
    resetTripleBuffer(control, 1);
    const random = createRandom(1);
    let [writer, reader] = [createTripleWriter(control, 1, blocks), createTripleReader(control, 1, blocks)];
    for (let step = 0; step < 10_000; step++) {
      if (random() < 0.5) writer.publish();
      else reader.take();
      // One that was killed after its swap knows nothing of it; the next one reads it from the cell.
      if (random() < 0.2) writer = createTripleWriter(control, 1, blocks);
      if (random() < 0.2) reader = createTripleReader(control, 1, blocks);
      expect(writer.block).not.toBe(reader.block);
    }
  });
});
