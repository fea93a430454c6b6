import { PalpableError } from '@palpable/engine';
import { type RecordingStart, type RecordingSubject, UNKNOWN_START } from '@palpable/engine/advanced';

/** What a recording says of itself that is known before the loop runs. Its tools are the hands of its rows, in order. */
export interface RecordingAbout extends RecordingSubject {
  /** Of Palpable, as `--version` prints it. */
  readonly version: string;
  readonly sceneSha256: string;
  /** The scene file as it was. */
  readonly sceneText: string;
  /** What the loop was started with, as plain JSON. */
  readonly options: unknown;
}

/** What a recording says of itself before its first row. */
export interface RecordingInfo extends RecordingAbout, RecordingStart {}

/** Of rows that came without a word about them. */
export function unknownInfo(tools: readonly string[]): RecordingInfo {
  return {
    version: 'unknown',
    sceneSha256: '',
    sceneText: '',
    options: null,
    timeStep: Number.NaN,
    tools,
    method: 'unknown',
    ...UNKNOWN_START,
  };
}

/** Something that came between two cycles: a pause, a parameter, another method. Plain JSON. */
export interface RecordedEvent {
  /** The cycle it came before. */
  readonly cycle: number;
  /** Null when it concerns all hands. */
  readonly hand: number | null;
  readonly kind: string;
  /** Seconds, as in the rows; the time of the newest row unless given. */
  readonly time?: number;
  readonly [detail: string]: unknown;
}

export function isEvent(value: unknown): value is RecordedEvent {
  const event = value as RecordedEvent | null;
  return typeof event === 'object' && typeof event?.cycle === 'number' && typeof event.kind === 'string';
}

/** What is known only at the end. */
export interface RecordingTotals {
  readonly rows: number;
  /** Rows that the loop had to leave out because the recorder was too far behind; null when nobody knows any more. */
  readonly dropped: number | null;
}

export type RecordingFormat = 'mcap' | 'csv';

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
  /** Writes what is left and ends the file; `dropped` is told to its reader. */
  end(dropped: number | null): void;
  /** After `end`: waits until the file is on the disk. */
  close(): void;
}

export function strangeHand(hand: number, count: number): PalpableError {
  return new PalpableError('worker-failed', `A row of hand ${hand} came to a recording of ${count} hands.`);
}
