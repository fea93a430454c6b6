import { type BlockLayout, createTripleMemory } from '../base/triple-memory.js';
import type { DelassusOperator, Method } from '../method/method.js';
import { openWantedReader, openWantedWriter, type WantedReader } from './wanted-pictures.js';

/** Snapshots of the Delassus operator W (Duriez et al., fig. 9 and 11), from the loop to whoever draws them. */
export interface DelassusMemory {
  readonly memory: SharedArrayBuffer;
  /** Contacts that are shown at most. */
  readonly capacity: number;
}

/** How strongly the contacts of a moment are coupled. */
export interface DelassusPicture {
  /** How many are shown, and how many there are. */
  readonly counts: Int32Array;
  /**
   * |W_nn|, |W_tt| and |W_ss| of contacts α and β at 3 (α · shown + β), m/N: what a force along the normal, or along one
   * of the tangents, of β moves α along the same.
   */
  readonly couplings: Float32Array;
}

/** Place in `DelassusPicture.counts`: contacts that the snapshot shows. */
export const DELASSUS_SHOWN = 0;
/** Place in `DelassusPicture.counts`: contacts that there are. */
export const DELASSUS_CONTACTS = 1;

const COUNTS = 2;

export type DelassusReader = WantedReader<DelassusPicture>;

export function createDelassusMemory(capacity: number): DelassusMemory {
  return { memory: createTripleMemory(layoutOf(capacity)), capacity };
}

/** The drawing end of the snapshots that the loop makes of the Delassus operator. */
export function openDelassusPictures({ memory, capacity }: DelassusMemory): DelassusReader {
  return openWantedReader(memory, layoutOf(capacity));
}

export interface DelassusWriter {
  /** Draws W of a method's last step, if it has one and somebody wants to see it: only then is it asked for. */
  draw(method: Pick<Method, 'delassus'>): void;
}

export function openDelassusWriter({ memory, capacity }: DelassusMemory): DelassusWriter {
  const writer = openWantedWriter(memory, layoutOf(capacity));
  return {
    draw(method) {
      if (!writer.takeWish()) return;
      drawOperator(writer.block, capacity, method.delassus ?? null);
      writer.publish();
    },
  };
}

/** Of the group that was solved last: contacts that do not feel each other would be black squares anyway. */
function drawOperator(
  { counts, couplings }: DelassusPicture,
  capacity: number,
  operator: DelassusOperator | null,
): void {
  counts[DELASSUS_SHOWN] = 0;
  counts[DELASSUS_CONTACTS] = 0;
  if (operator === null) return;
  const { count, blocks } = operator;
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

function layoutOf(capacity: number): BlockLayout<DelassusPicture> {
  const couplings = 3 * capacity * capacity;
  return {
    bytes: 8 * Math.ceil((COUNTS + couplings) / 2),
    view: (memory, offset) => ({
      counts: new Int32Array(memory, offset, COUNTS),
      couplings: new Float32Array(memory, offset + 4 * COUNTS, couplings),
    }),
  };
}
