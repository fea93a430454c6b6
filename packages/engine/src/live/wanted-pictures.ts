import type { TripleReader, TripleWriter } from '../base/triple-buffer.js';
import { type BlockLayout, openTripleReader, openTripleWriter, tripleHead } from '../base/triple-memory.js';

/*
 * Snapshots of something in the loop, to be drawn elsewhere: a triple buffer, and a mark by which one is asked for. The
 * loop makes one only then, so that nobody pays for what nobody sees.
 */

export interface WantedReader<Picture> extends TripleReader<Picture> {
  /** Asks for one; it comes with the next cycle. */
  want(): void;
}

export interface WantedWriter<Picture> extends TripleWriter<Picture> {
  /** Whether one was asked for since the last time that this was asked. */
  takeWish(): boolean;
}

/** Cell of the head. */
const WANTED = 1;

export function openWantedReader<Picture>(
  memory: SharedArrayBuffer,
  layout: BlockLayout<Picture>,
): WantedReader<Picture> {
  const head = tripleHead(memory);
  const reader = openTripleReader(memory, layout);
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
  layout: BlockLayout<Picture>,
): WantedWriter<Picture> {
  const head = tripleHead(memory);
  const writer = openTripleWriter(memory, layout);
  return {
    get block() {
      return writer.block;
    },
    publish: () => writer.publish(),
    takeWish: () => Atomics.load(head, WANTED) === 1 && Atomics.exchange(head, WANTED, 0) === 1,
  };
}
