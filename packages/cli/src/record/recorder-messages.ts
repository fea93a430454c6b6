import type { ErrorCode, Ring } from '@palpable/engine';
import type { RecordedEvent, RecordingFormat, RecordingInfo, RecordingTotals } from './recording-info.js';

/** What the recorder's thread is started with. */
export interface RecorderJob {
  readonly ring: Ring;
  readonly path: string;
  readonly format: RecordingFormat;
  readonly info: RecordingInfo;
  readonly overwrite: boolean;
}

export type MessageToRecorder =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  /** Nothing will be put into the ring any more. */
  | { readonly kind: 'stop' };

/** An error as plain data: its class does not survive the way between threads. */
export interface ToldError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly path: string | undefined;
}

export interface RecordingResult extends RecordingTotals {
  readonly dropped: number;
  readonly bytes: number;
}

export type MessageFromRecorder =
  /** The file is there and says what it is about. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly result: RecordingResult }
  /** Nothing more will be written. */
  | { readonly kind: 'failed'; readonly error: ToldError };
