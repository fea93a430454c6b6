import { PalpableError } from '@palpable/engine';
import { placeOf } from '@palpable/engine/advanced';
import type { RecordedEvent, RecordingTotals } from './recording-info.js';

/** Where rows go. Nothing is promised to be in the file before `flush`; after it, all is, even if the process dies. */
export interface Recorder {
  /** Size of the file so far. */
  readonly bytes: number;
  /** Rows so far, and those of them that are in the file for certain. */
  readonly rows: number;
  readonly written: number;
  /** One row of `LIVE_WIDTH` numbers; it is copied. */
  append(row: Float64Array): void;
  event(event: RecordedEvent): void;
  flush(): void;
  /** Writes what is left and ends the file; its reader learns of `dropped`. */
  end(dropped: number | null): void;
  /** After `end`: waits until the file is on the disk. */
  close(): void;
}

/** One format of recordings. */
interface RecordingWriter {
  readonly bytes: number;
  /** `time` in seconds, as in the row. */
  append(row: Float64Array, time: number): void;
  event(event: RecordedEvent & { readonly time: number }): void;
  flush(): void;
  /** After a `flush`. */
  end(totals: RecordingTotals): void;
  close(): void;
}

const TIME = placeOf('time');
const HAND = placeOf('hand');

/** Counts what goes to a file of so many hands. */
export function createCountingRecorder(writer: RecordingWriter, hands: number): Recorder {
  let rows = 0;
  let written = 0;
  let newest = 0;
  const flush = () => {
    writer.flush();
    written = rows;
  };
  return {
    get bytes() {
      return writer.bytes;
    },
    get rows() {
      return rows;
    },
    get written() {
      return written;
    },
    append(row) {
      if (!(row[HAND]! < hands)) throw strangeHand(row[HAND]!, hands);
      newest = row[TIME]!;
      writer.append(row, newest);
      rows += 1;
    },
    event: (event) => writer.event({ time: newest, ...event }),
    flush,
    end(dropped) {
      flush();
      writer.end({ rows, dropped });
    },
    close: () => writer.close(),
  };
}

function strangeHand(hand: number, count: number): PalpableError {
  return new PalpableError('worker-failed', `A row of hand ${hand} came to a recording of ${count} hands.`);
}
