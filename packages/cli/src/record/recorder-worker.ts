import { parentPort, workerData } from 'node:worker_threads';
import { createRingReader, isPalpableError } from '@palpable/engine';
import { createRecorder } from './create-recorder.js';
import type { MessageFromRecorder, MessageToRecorder, RecorderJob, ToldError } from './recorder-messages.js';
import type { Recorder } from './recording-info.js';

/**
 * The recorder's thread: empties the ring and writes, so that neither the loop nor the thread of the devices ever waits
 * for a disk. After each round everything that came is in the file.
 */
const ROUND_MS = 20;

const port = parentPort!;
const { ring, path, format, info, overwrite } = workerData as RecorderJob;
const post = (message: MessageFromRecorder) => port.postMessage(message);

guarded(() => {
  const recorder = createRecorder(format, path, info, { overwrite });
  const reader = createRingReader(ring);
  const row = new Float64Array(ring.width);
  const drain = () => {
    while (reader.read(row)) recorder.append(row);
    recorder.flush();
  };
  const rounds = setInterval(() => guarded(drain), ROUND_MS);
  port.on('message', (message: MessageToRecorder) =>
    guarded(() => {
      // Rows first: an event belongs behind the cycles that came before it.
      drain();
      if (message.kind === 'event') recorder.event(message.event);
      else finish(recorder, rounds, reader.dropped);
    }),
  );
  post({ kind: 'ready' });
});

function finish(recorder: Recorder, rounds: NodeJS.Timeout, dropped: number): void {
  clearInterval(rounds);
  recorder.close(dropped);
  post({ kind: 'done', result: { rows: recorder.rows, dropped, bytes: recorder.bytes } });
  port.close();
}

/** After the first error there is nothing left to do here: the ring fills up, and the loop counts what it drops. */
function guarded(action: () => void): void {
  try {
    action();
  } catch (error) {
    post({ kind: 'failed', error: tellable(error) });
    process.exit();
  }
}

function tellable(error: unknown): ToldError {
  if (isPalpableError(error)) return { code: error.code, message: error.message, path: error.path };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'worker-failed', message: `The recorder failed: ${message}`, path };
}
