import { Worker } from 'node:worker_threads';
import { PalpableError, type Ring } from '@palpable/engine';
import type { MessageFromRecorder, MessageToRecorder, RecorderJob, RecordingResult } from './recorder-messages.js';
import type { RecordedEvent, RecordingFormat, RecordingInfo } from './recording-info.js';

export interface RecordingRequest {
  /** Rows of `LIVE_WIDTH` numbers, filled by the loop. A few seconds of room are plenty. */
  readonly ring: Ring;
  readonly path: string;
  readonly format: RecordingFormat;
  readonly info: RecordingInfo;
  /** Replace a file that is there already. */
  readonly overwrite?: boolean;
  /** Told once when nothing more can be written (a full disk); the loop goes on, its rows are dropped and counted. */
  readonly onError?: (error: PalpableError) => void;
}

export interface RunningRecorder {
  event(event: RecordedEvent): void;
  /** Writes what is in the ring and ends the file; to be called when the loop has stopped. Throws what went wrong. */
  stop(): Promise<RecordingResult>;
}

/** Starts a thread that writes what comes through the ring. Resolves when the file is there; throws when it cannot be. */
export async function startRecorder(request: RecordingRequest): Promise<RunningRecorder> {
  const { ring, path, format, info, overwrite = false, onError } = request;
  const job: RecorderJob = { ring, path, format, info, overwrite };
  const worker = new Worker(new URL('./recorder-worker.js', import.meta.url), { workerData: job });
  const ready = createAnswer<void>();
  const done = createAnswer<RecordingResult>();
  // Whoever never asks for the result is told by `onError`.
  done.promise.catch(() => {});
  let started = false;
  let over = false;
  const fail = (error: PalpableError) => {
    if (over) return;
    over = true;
    ready.reject(error);
    done.reject(error);
    if (started) onError?.(error);
  };
  worker.on('message', (message: MessageFromRecorder) => {
    if (message.kind === 'ready') {
      started = true;
      ready.resolve();
    } else if (message.kind === 'done') {
      over = true;
      done.resolve(message.result);
    } else fail(new PalpableError(message.error.code, message.error.message, message.error.path));
  });
  worker.on('error', (error) => fail(workerFailed(path, String(error))));
  worker.on('exit', (code) => fail(workerFailed(path, `its thread left with code ${code}`)));
  await ready.promise;
  // A program that ends without a word to the recorder must not hang on it.
  worker.unref();
  const post = (message: MessageToRecorder) => worker.postMessage(message);
  let stopping = false;
  return {
    event: (event) => post({ kind: 'event', event }),
    stop() {
      if (!stopping) {
        stopping = true;
        worker.ref();
        post({ kind: 'stop' });
      }
      return done.promise;
    },
  };
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
