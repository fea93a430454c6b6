import { PalpableError } from './errors.js';

/**
 * Rows of numbers from one thread to another, in order, none twice. One side only writes, the other only reads; neither
 * ever waits. When the reader falls behind by more than the ring holds, new rows are dropped and counted.
 */
export interface Ring {
  readonly memory: SharedArrayBuffer;
  /** Numbers in a row. */
  readonly width: number;
  /** Rows, a power of two. */
  readonly capacity: number;
}

/** Places in the head of the memory. Written and read are counted round the whole range of 32 bits. */
const WRITTEN = 0;
const READ = 1;
const DROPPED = 2;
const HEAD_BYTES = 16;
const MAX_CAPACITY = 2 ** 30;

/** `capacity` must be a power of two, so that counting may run over. */
export function createRing(width: number, capacity: number): Ring {
  if (!(Number.isInteger(width) && width > 0)) {
    throw new PalpableError(
      'option-invalid',
      `The ring's width is ${width}, but must be a whole number above 0.`,
      'width',
    );
  }
  if (!(Number.isInteger(capacity) && capacity > 0 && capacity <= MAX_CAPACITY && (capacity & (capacity - 1)) === 0)) {
    throw new PalpableError(
      'option-invalid',
      `The ring's capacity is ${capacity} rows, but must be a power of two up to ${MAX_CAPACITY}.`,
      'capacity',
    );
  }
  return { memory: new SharedArrayBuffer(HEAD_BYTES + 8 * width * capacity), width, capacity };
}

/** The writing end of a ring. */
export interface RingWriter {
  /** Copies `row` into the ring. False when there is no room; the row is then counted as dropped. */
  write(row: Float64Array): boolean;
}

/** The reading end of a ring. */
export interface RingReader {
  /** Copies the oldest row into `row`. False when there is none. */
  read(row: Float64Array): boolean;
  /** Rows that found no room so far. */
  readonly dropped: number;
}

/** Opens the writing end of a ring. One thread writes. */
export function createRingWriter({ memory, width, capacity }: Ring): RingWriter {
  const head = new Int32Array(memory, 0, HEAD_BYTES / 4);
  const rows = new Float64Array(memory, HEAD_BYTES);
  let written = Atomics.load(head, WRITTEN);
  return {
    write(row) {
      if (((written - Atomics.load(head, READ)) | 0) >= capacity) {
        Atomics.add(head, DROPPED, 1);
        return false;
      }
      const at = (written & (capacity - 1)) * width;
      for (let k = 0; k < width; k += 1) rows[at + k] = row[k];
      written = (written + 1) | 0;
      Atomics.store(head, WRITTEN, written);
      return true;
    },
  };
}

/** Opens the reading end of a ring. One thread reads. */
export function createRingReader({ memory, width, capacity }: Ring): RingReader {
  const head = new Int32Array(memory, 0, HEAD_BYTES / 4);
  const rows = new Float64Array(memory, HEAD_BYTES);
  let read = Atomics.load(head, READ);
  return {
    get dropped() {
      return Atomics.load(head, DROPPED) >>> 0;
    },
    read(row) {
      if (Atomics.load(head, WRITTEN) === read) return false;
      const at = (read & (capacity - 1)) * width;
      for (let k = 0; k < width; k += 1) row[k] = rows[at + k];
      read = (read + 1) | 0;
      Atomics.store(head, READ, read);
      return true;
    },
  };
}
