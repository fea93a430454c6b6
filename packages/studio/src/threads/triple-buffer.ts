/**
 * Hands the newest value from one thread to another without waiting and without a torn read.
 *
 * Three blocks: one the writer fills, one the reader looks at, one in between that holds the newest finished value. Both
 * sides only ever swap their own block with the one in between, in a single atomic exchange. A value that was never
 * taken is overwritten by the next; the reader always gets the newest.
 */

/** Set beside the number of the block in between while nobody has taken it. */
const FRESH = 4;
const BLOCK_MASK = 3;

export interface TripleWriter<Block> {
  /** The block to fill now. Changes with every `publish`. */
  readonly block: Block;
  publish(): void;
}

export interface TripleReader<Block> {
  /** The newest block taken. */
  readonly block: Block;
  /** Takes the newest block. False, and nothing changed, when none came since the last time. */
  take(): boolean;
}

/** The cell `control[slot]` as it must be before either side starts. */
export function resetTripleBuffer(control: Int32Array, slot: number): void {
  Atomics.store(control, slot, 1);
}

export function createTripleWriter<Block>(
  control: Int32Array,
  slot: number,
  blocks: readonly Block[],
): TripleWriter<Block> {
  let own = 0;
  return {
    get block() {
      return blocks[own]!;
    },
    publish() {
      own = Atomics.exchange(control, slot, own | FRESH) & BLOCK_MASK;
    },
  };
}

export function createTripleReader<Block>(
  control: Int32Array,
  slot: number,
  blocks: readonly Block[],
): TripleReader<Block> {
  let own = 2;
  return {
    get block() {
      return blocks[own]!;
    },
    take() {
      if ((Atomics.load(control, slot) & FRESH) === 0) return false;
      own = Atomics.exchange(control, slot, own) & BLOCK_MASK;
      return true;
    },
  };
}
