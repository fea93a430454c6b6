import { createTripleReader, createTripleWriter, resetTripleBuffer, type TripleReader } from '../base/triple-buffer.js';
import { type ContactPicture, contactPictureBytes, viewContactPicture } from '../method/contact-picture.js';
import type { Method } from '../method/method.js';

/**
 * Pictures of a hand's contacts, from the loop to whoever draws them. The loop makes one only when it was asked for, so
 * that nobody pays for what nobody sees.
 */
export interface PictureMemory {
  readonly memory: SharedArrayBuffer;
  readonly capacity: number;
}

const SLOT = 0;
const WANTED = 1;
const WRITER_SEAT = 2;
const READER_SEAT = 3;
const HEAD_BYTES = 16;
const BLOCKS = [0, 1, 2];

export function createPictureMemory(capacity: number): PictureMemory {
  const memory = new SharedArrayBuffer(HEAD_BYTES + 3 * contactPictureBytes(capacity));
  resetTripleBuffer(headOf(memory), SLOT);
  return { memory, capacity };
}

export interface PictureReader extends TripleReader<ContactPicture> {
  /** Asks for one; it comes with the next cycle. */
  want(): void;
}

export function openPictures(pictures: PictureMemory): PictureReader {
  const head = headOf(pictures.memory);
  const reader = createTripleReader(head, SLOT, blocksOf(pictures), READER_SEAT);
  return {
    get block() {
      return reader.block;
    },
    take: () => reader.take(),
    want: () => void Atomics.store(head, WANTED, 1),
  };
}

export interface PictureWriter {
  /** Draws what `method` shows of its last cycle, if somebody wants to see it. */
  draw(method: Method): void;
}

export function openPictureWriter(pictures: PictureMemory): PictureWriter {
  const head = headOf(pictures.memory);
  const writer = createTripleWriter(head, SLOT, blocksOf(pictures), WRITER_SEAT);
  return {
    draw(method) {
      if (Atomics.load(head, WANTED) === 0 || method.draw === undefined) return;
      Atomics.store(head, WANTED, 0);
      method.draw(writer.block);
      writer.publish();
    },
  };
}

function headOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, 0, HEAD_BYTES / 4);
}

function blocksOf({ memory, capacity }: PictureMemory): ContactPicture[] {
  return BLOCKS.map((block) =>
    viewContactPicture(memory, HEAD_BYTES + block * contactPictureBytes(capacity), capacity),
  );
}
