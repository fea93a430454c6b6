import type { ErrorCode } from '@palpable/engine';
import type { Ring } from '@palpable/engine/advanced';
import type { RecordedEvent, RecordingAbout, RecordingFormat } from './recording-info.js';

/** What the recorder's thread is started with. */
export interface RecorderJob {
  readonly ring: Ring;
  readonly path: string;
  readonly format: RecordingFormat;
  readonly info: RecordingAbout;
  readonly overwrite: boolean;
}

export type MessageToRecorder =
  /** Wall time at `time` 0, milliseconds since 1970 with a fraction. */
  | { readonly kind: 'begin'; readonly startMs: number }
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /** Nothing will be put into the ring any more. */
  | { readonly kind: 'stop' };

/** An error as plain data: its class does not survive the transfer between threads. */
export interface ReportedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: string | undefined;
}

/** What a recorder left. */
export interface RecordingResult {
  /** In the file. */
  readonly rows: number;
  /** Rows of the loop that are not in the file. */
  readonly dropped: number;
  readonly bytes: number;
  /** Why nothing more could be written at some point, as a sentence; null when all went well. */
  readonly problem: string | null;
}

export type MessageFromRecorder =
  /** The file can be written. */
  | { readonly kind: 'ready' }
  /** All is written, though not yet on the disk for certain; the thread ends when it is. */
  | { readonly kind: 'done'; readonly result: RecordingResult }
  /** Nothing more will be written; `result` counts as dropped only what had left the ring. */
  | { readonly kind: 'failed'; readonly error: ReportedError; readonly result: RecordingResult };
