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
