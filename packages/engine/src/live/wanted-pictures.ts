import {
  createTripleReader,
  createTripleWriter,
  resetTripleBuffer,
  type TripleReader,
  type TripleWriter,
} from '../base/triple-buffer.js';

/**
 * Memory for snapshots of something in the loop, to be drawn elsewhere: a triple buffer, and a mark by which one is asked
 * for. The loop makes one only then, so that nobody pays for what nobody sees.
 */
export interface PictureLayout<Picture> {
  /** Of one snapshot, bytes: a multiple of eight. */
  readonly bytes: number;
  view(memory: SharedArrayBuffer, offset: number): Picture;
}

export interface WantedReader<Picture> extends TripleReader<Picture> {
  /** Asks for one; it comes with the next cycle. */
  want(): void;
}

export interface WantedWriter<Picture> extends TripleWriter<Picture> {
  /** Whether one was asked for since the last time that this was asked. */
  takeWish(): boolean;
}

const SLOT = 0;
const WANTED = 1;
const HEAD_BYTES = 16;

export function createWantedMemory({ bytes }: PictureLayout<unknown>): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(HEAD_BYTES + 3 * bytes);
  resetTripleBuffer(headOf(memory), SLOT);
  return memory;
}

export function openWantedReader<Picture>(
  memory: SharedArrayBuffer,
  layout: PictureLayout<Picture>,
): WantedReader<Picture> {
  const head = headOf(memory);
  const reader = createTripleReader(head, SLOT, blocksOf(memory, layout));
  return {
    get block() {
      return reader.block;
    },
    take: () => reader.take(),
    want: () => void Atomics.store(head, WANTED, 1),
  };
}

export function openWantedWriter<Picture>(
  memory: SharedArrayBuffer,
  layout: PictureLayout<Picture>,
): WantedWriter<Picture> {
  const head = headOf(memory);
  const writer = createTripleWriter(head, SLOT, blocksOf(memory, layout));
  return {
    get block() {
      return writer.block;
    },
    publish: () => writer.publish(),
    takeWish: () => Atomics.load(head, WANTED) === 1 && Atomics.exchange(head, WANTED, 0) === 1,
  };
}

function headOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, 0, HEAD_BYTES / 4);
}

function blocksOf<Picture>(memory: SharedArrayBuffer, { bytes, view }: PictureLayout<Picture>): Picture[] {
  return [0, 1, 2].map((block) => view(memory, HEAD_BYTES + block * bytes));
}
