/**
 * Hands the newest value from one thread to another without waiting and without a torn read.
 *
 * Three blocks: one the writer fills, one the reader reads, one in between that holds the newest finished value. Both
 * sides only ever swap their own block with the one in between. A value that was never taken is overwritten by the next;
 * the reader always gets the newest.
 *
 * Who has which block is in one cell, changed by one atomic operation. So a side may be opened again over the same memory
 * while the other continues, even if its thread was killed in the middle: it goes on with the block that it had.
 */

/** Bits of the cell: the blocks of writer and reader, the one in between, and whether nobody has taken that yet. */
const BLOCK_MASK = 3;
const READER_SHIFT = 2;
const BETWEEN_SHIFT = 4;
const FRESH = 64;

/** The writing end of a triple buffer: always a free block, never a wait. */
export interface TripleWriter<Block> {
  /** The block to fill now. Changes with every `publish`. */
  readonly block: Block;
  /** Makes the filled block the newest one and takes a free block to fill next. */
  publish(): void;
}

/** The reading end of a triple buffer: always the newest complete block, never a wait. */
export interface TripleReader<Block> {
  /** The newest block taken. */
  readonly block: Block;
  /** Takes the newest block. False, and nothing changed, when none came since the last time. */
  take(): boolean;
}

/** The cell `control[slot]` as it must be before either side starts. */
export function resetTripleBuffer(control: Int32Array, slot: number): void {
  Atomics.store(control, slot, cellOf(0, 2, 1));
}

/** Whether there is a block that the reader has not taken yet. */
export function hasNewBlock(control: Int32Array, slot: number): boolean {
  return (Atomics.load(control, slot) & FRESH) !== 0;
}

function cellOf(writer: number, reader: number, between: number): number {
  return writer | (reader << READER_SHIFT) | (between << BETWEEN_SHIFT);
}

/** Opens the writing end. `slot` is the index of the cell in `control`. */
export function createTripleWriter<Block>(
  control: Int32Array,
  slot: number,
  blocks: readonly Block[],
): TripleWriter<Block> {
  let own = Atomics.load(control, slot) & BLOCK_MASK;
  return {
    get block() {
      return blocks[own]!;
    },
    publish() {
      for (;;) {
        const cell = Atomics.load(control, slot);
        const between = (cell >> BETWEEN_SHIFT) & BLOCK_MASK;
        const next = cellOf(between, (cell >> READER_SHIFT) & BLOCK_MASK, cell & BLOCK_MASK) | FRESH;
        // Otherwise the reader came in between, which it does once.
        if (Atomics.compareExchange(control, slot, cell, next) !== cell) continue;
        own = between;
        return;
      }
    },
  };
}

/** Opens the reading end. `slot` is the index of the cell in `control`. */
export function createTripleReader<Block>(
  control: Int32Array,
  slot: number,
  blocks: readonly Block[],
): TripleReader<Block> {
  let own = (Atomics.load(control, slot) >> READER_SHIFT) & BLOCK_MASK;
  return {
    get block() {
      return blocks[own]!;
    },
    take() {
      for (;;) {
        const cell = Atomics.load(control, slot);
        if ((cell & FRESH) === 0) return false;
        const between = (cell >> BETWEEN_SHIFT) & BLOCK_MASK;
        const next = cellOf(cell & BLOCK_MASK, between, (cell >> READER_SHIFT) & BLOCK_MASK);
        if (Atomics.compareExchange(control, slot, cell, next) !== cell) continue;
        own = between;
        return true;
      }
    },
  };
}
