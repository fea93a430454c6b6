import { createTripleReader, createTripleWriter, resetTripleBuffer, type TripleReader } from '../base/triple-buffer.js';
import type { DeformableWorld } from '../method/deformable/deformable.js';

/**
 * Pictures of the Delassus operator W (Duriez et al., fig. 9 and 11), from the loop to whoever draws them. As with
 * pictures of contacts, the loop makes one only when it was asked for.
 */
export interface DelassusMemory {
  readonly memory: SharedArrayBuffer;
  /** Contacts that are shown at most. */
  readonly capacity: number;
}

/** How strongly the contacts of a moment hang together. */
export interface DelassusPicture {
  /** How many are shown, and how many there are. */
  readonly counts: Int32Array;
  /**
   * |W_nn|, |W_tt| and |W_ss| of contacts α and β at 3 (α · shown + β), m/N: what a force along the normal, or along one
   * of the tangents, of β moves α along the same.
   */
  readonly couplings: Float32Array;
}

export const DELASSUS_SHOWN = 0;
export const DELASSUS_CONTACTS = 1;

const SLOT = 0;
const WANTED = 1;
const WRITER_SEAT = 2;
const READER_SEAT = 3;
const HEAD_BYTES = 16;
const COUNTS = 2;
const BLOCKS = [0, 1, 2];

export function createDelassusMemory(capacity: number): DelassusMemory {
  const memory = new SharedArrayBuffer(HEAD_BYTES + 3 * blockBytes(capacity));
  resetTripleBuffer(headOf(memory), SLOT);
  return { memory, capacity };
}

export interface DelassusReader extends TripleReader<DelassusPicture> {
  /** Asks for one; it comes with the next cycle. */
  want(): void;
}

export function openDelassusPictures(pictures: DelassusMemory): DelassusReader {
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

export interface DelassusWriter {
  /** Draws W of the last step, if somebody wants to see it; null for a method that has none. */
  draw(world: DeformableWorld | null): void;
}

export function openDelassusWriter(pictures: DelassusMemory): DelassusWriter {
  const head = headOf(pictures.memory);
  const writer = createTripleWriter(head, SLOT, blocksOf(pictures), WRITER_SEAT);
  return {
    draw(world) {
      if (Atomics.load(head, WANTED) === 0) return;
      Atomics.store(head, WANTED, 0);
      drawOperator(writer.block, pictures.capacity, world);
      writer.publish();
    },
  };
}

/** Of the group that was solved last: contacts that do not feel each other would be black squares anyway. */
function drawOperator({ counts, couplings }: DelassusPicture, capacity: number, world: DeformableWorld | null): void {
  counts[DELASSUS_SHOWN] = 0;
  counts[DELASSUS_CONTACTS] = 0;
  // What was solved before stays in the problem when nothing touches any more.
  if (world === null || world.dynamics.groups === 0) return;
  const { count, blocks } = world.dynamics.problem;
  const shown = Math.min(count, capacity);
  counts[DELASSUS_SHOWN] = shown;
  counts[DELASSUS_CONTACTS] = count;
  for (let row = 0; row < shown; row += 1) {
    for (let column = 0; column < shown; column += 1) {
      const from = 9 * (row * count + column);
      const to = 3 * (row * shown + column);
      // The diagonal of the 3×3 block.
      for (let k = 0; k < 3; k += 1) couplings[to + k] = Math.abs(blocks[from + 4 * k]);
    }
  }
}

function blockBytes(capacity: number): number {
  return 4 * (COUNTS + 3 * capacity * capacity);
}

function headOf(memory: SharedArrayBuffer): Int32Array {
  return new Int32Array(memory, 0, HEAD_BYTES / 4);
}

function blocksOf({ memory, capacity }: DelassusMemory): DelassusPicture[] {
  return BLOCKS.map((block) => {
    const at = HEAD_BYTES + block * blockBytes(capacity);
    return {
      counts: new Int32Array(memory, at, COUNTS),
      couplings: new Float32Array(memory, at + 4 * COUNTS, 3 * capacity * capacity),
    };
  });
}
