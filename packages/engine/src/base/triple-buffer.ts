/**
 * Hands the newest value from one thread to another without waiting and without a torn read.
 *
 * Three blocks: one the writer fills, one the reader reads, one in between that holds the newest finished value. Both
 * sides only ever swap their own block with the one in between, in a single atomic exchange. A value that was never
 * taken is overwritten by the next; the reader always gets the newest.
 *
 * A side that may be opened again over the same memory while the other continues (a loop that leaves one scene for the
 * next) has its own cell in `control`, its seat, which remembers the block it holds. Starting over with the first
 * block, it would sooner or later share one with the other side.
 */

/** Set beside the number of the block in between while nobody has taken it. */
const FRESH = 4;
const BLOCK_MASK = 3;
const NO_SEAT = -1;

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
  Atomics.store(control, slot, 1);
}

/** Whether there is a block that the reader has not taken yet. */
export function hasNewBlock(control: Int32Array, slot: number): boolean {
  return (Atomics.load(control, slot) & FRESH) !== 0;
}

/**
 * Opens the writing end. `slot` is the index of the exchange cell in `control`; `seat`, if given, keeps the block
 * across a restart.
 */
export function createTripleWriter<Block>(
  control: Int32Array,
  slot: number,
  blocks: readonly Block[],
  seat = NO_SEAT,
): TripleWriter<Block> {
  let own = takeSeat(control, seat, 0);
  return {
    get block() {
      return blocks[own]!;
    },
    publish() {
      own = Atomics.exchange(control, slot, own | FRESH) & BLOCK_MASK;
      if (seat !== NO_SEAT) Atomics.store(control, seat, own + 1);
    },
  };
}

/**
 * Opens the reading end. `slot` is the index of the exchange cell in `control`; `seat`, if given, keeps the block
 * across a restart.
 */
export function createTripleReader<Block>(
  control: Int32Array,
  slot: number,
  blocks: readonly Block[],
  seat = NO_SEAT,
): TripleReader<Block> {
  let own = takeSeat(control, seat, 2);
  return {
    get block() {
      return blocks[own]!;
    },
    take() {
      if (!hasNewBlock(control, slot)) return false;
      own = Atomics.exchange(control, slot, own) & BLOCK_MASK;
      if (seat !== NO_SEAT) Atomics.store(control, seat, own + 1);
      return true;
    },
  };
}

/** The block that was held when this side was last open; 0 in its seat means never. */
function takeSeat(control: Int32Array, seat: number, first: number): number {
  const held = seat === NO_SEAT ? 0 : Atomics.load(control, seat);
  return held === 0 ? first : held - 1;
}
