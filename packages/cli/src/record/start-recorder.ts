import { Worker } from 'node:worker_threads';
import { PalpableError } from '@palpable/engine';
import { createRingReader, type Ring } from '@palpable/engine/advanced';
import type { MessageFromRecorder, MessageToRecorder, RecorderJob, RecordingResult } from './recorder-messages.js';
import type { RecordedEvent, RecordingAbout, RecordingFormat } from './recording-info.js';

export interface RecordingRequest {
  /** Rows of `LIVE_WIDTH` numbers, filled by the loop. A few seconds of room are plenty. */
  readonly ring: Ring;
  readonly path: string;
  readonly format: RecordingFormat;
  readonly info: RecordingAbout;
  /** Replace a file that is there already. */
  readonly overwrite?: boolean;
  /** Called once when nothing more can be written (a full disk); the loop goes on, its rows are dropped and counted. */
  readonly onError?: (error: PalpableError) => void;
}

export interface RunningRecorder {
  /**
   * The loop has begun: only now the file is written, and a file that was there already replaced.
   *
   * @param startMs Wall time of the loop's `time` 0, milliseconds since 1970 with a fraction.
   */
  begin(startMs: number): void;
  event(event: RecordedEvent): void;
  /**
   * Writes what is in the ring and ends the file; to be called when the loop has stopped. Without `begin` no file is left
   * that was not there before. Says what was written, also after an error reported to `onError`; throws when the
   * recorder is gone without a word, or does not answer within 1.5 s.
   */
  stop(): Promise<RecordingResult>;
}

const STOP_MS = 1500;

/**
 * Starts a thread that writes what comes through the ring. Resolves when the file can be written, and throws when it
 * cannot; until `begin` a file that was there already stays as it was.
 */
export async function startRecorder(request: RecordingRequest): Promise<RunningRecorder> {
  const { ring, path, format, info, overwrite = false, onError } = request;
  const job: RecorderJob = { ring, path, format, info, overwrite };
  const worker = new Worker(new URL('./recorder-worker.js', import.meta.url), { workerData: job });
  const ready = createAnswer<void>();
  const done = createAnswer<RecordingResult>();
  // Whoever never asks for the result learns of it by `onError`.
  done.promise.catch(() => {});
  let started = false;
  let over = false;
  /** Known before the disk has all of it. */
  let written: RecordingResult | null = null;
  const finish = (result: RecordingResult) => {
    over = true;
    done.resolve(result);
  };
  const fail = (error: PalpableError, result: RecordingResult | null = null) => {
    if (over) return;
    over = true;
    ready.reject(error);
    if (result) done.resolve(result);
    else done.reject(error);
    if (started) onError?.(error);
  };
  worker.on('message', (message: MessageFromRecorder) => {
    if (message.kind === 'ready') {
      started = true;
      ready.resolve();
    } else if (message.kind === 'done') written = message.result;
    else fail(new PalpableError(message.error.code, message.error.message, message.error.path), message.result);
  });
  worker.on('error', (error) => fail(workerFailed(path, String(error))));
  worker.on('exit', (code) => {
    if (written) finish(written);
    else fail(workerFailed(path, `its thread exited with code ${code}`));
  });
  await ready.promise;
  // A program that ends without a word to the recorder must not wait for it.
  worker.unref();
  const post = (message: MessageToRecorder) => worker.postMessage(message);
  const giveUp = () => {
    void worker.terminate();
    worker.unref();
    over = true;
    if (written) done.resolve(written);
    else done.reject(silent(path));
  };
  const stop = async () => {
    worker.ref();
    post({ kind: 'stop' });
    const timer = setTimeout(giveUp, STOP_MS);
    try {
      const result = await done.promise;
      return result.problem === null ? result : { ...result, dropped: result.dropped + lostIn(ring) };
    } finally {
      clearTimeout(timer);
    }
  };
  let stopped: Promise<RecordingResult> | undefined;
  return {
    begin: (startMs) => post({ kind: 'begin', startMs }),
    event: (event) => post({ kind: 'event', event }),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Rows that a recorder which failed left in the ring, and those that found no room. */
function lostIn(ring: Ring): number {
  const reader = createRingReader(ring);
  const row = new Float64Array(ring.width);
  let rows = reader.dropped;
  while (reader.read(row)) rows += 1;
  return rows;
}

interface Answer<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: PalpableError): void;
}

/** A promise that is settled from outside. */
function createAnswer<T>(): Answer<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: PalpableError) => void;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

function workerFailed(path: string, reason: string): PalpableError {
  return new PalpableError('worker-failed', `The recorder of ${path} failed: ${reason}.`, path);
}

function silent(path: string): PalpableError {
  const message =
    `The recorder of ${path} did not answer within ${STOP_MS / 1000} s and was ended; the end of the recording may be ` +
    'missing. Check the disk, and run palpable recording to see what is there.';
  return new PalpableError('worker-failed', message, path);
}
