import {
  createTripleReader,
  createTripleWriter,
  resetTripleBuffer,
  type TripleReader,
  type TripleWriter,
} from './triple-buffer.js';

/** How a block lies in the memory of a triple buffer. */
export interface BlockLayout<Block> {
  /** Of one block, a multiple of eight. */
  readonly bytes: number;
  view(memory: SharedArrayBuffer, offset: number): Block;
}

/** The triple buffer's cell is the first of the head. */
const SLOT = 0;
const HEAD_BYTES = 16;

/** Allocates a triple buffer of its own; it can be sent to a worker. */
export function createTripleMemory({ bytes }: BlockLayout<unknown>): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(HEAD_BYTES + 3 * bytes);
  resetTripleBuffer(tripleHead(memory), SLOT);
  return memory;
}

/** Whole numbers before the blocks; all but the first are free. */
export function tripleHead(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, 0, HEAD_BYTES / 4);
}

export function openTripleReader<Block>(memory: SharedArrayBuffer, layout: BlockLayout<Block>): TripleReader<Block> {
  return createTripleReader(tripleHead(memory), SLOT, blocksOf(memory, layout));
}

export function openTripleWriter<Block>(memory: SharedArrayBuffer, layout: BlockLayout<Block>): TripleWriter<Block> {
  return createTripleWriter(tripleHead(memory), SLOT, blocksOf(memory, layout));
}

function blocksOf<Block>(memory: SharedArrayBuffer, { bytes, view }: BlockLayout<Block>): Block[] {
  return [0, 1, 2].map((block) => view(memory, HEAD_BYTES + block * bytes));
}
