import { parentPort, workerData } from 'node:worker_threads';
import { isPalpableError } from '@palpable/engine';
import { createRingReader, nanosecondsOfMs, recordingStart } from '@palpable/engine/advanced';
import { createRecorder } from './create-recorder.js';
import { OutputFile } from './output-file.js';
import type { Recorder } from './recorder.js';
import type { MessageFromRecorder, MessageToRecorder, RecorderJob, ReportedError } from './recorder-messages.js';
import type { RecordedEvent } from './recording-info.js';

/**
 * The recorder's thread: empties the ring and writes, so that neither the loop nor the thread of the devices ever waits
 * for a disk. After each round everything that came is in the file.
 */
const ROUND_MS = 20;

const port = parentPort!;
const { ring, path, format, info, overwrite } = workerData as RecorderJob;
const post = (message: MessageFromRecorder) => port.postMessage(message);
const reader = createRingReader(ring);
const row = new Float64Array(ring.width);
/** Null until the loop has begun. Until then rows wait in the ring, and events here. */
let recorder: Recorder | null = null;
const early: RecordedEvent[] = [];
const rounds = setInterval(() => guarded(drain), ROUND_MS);

guarded(() => {
  const file = new OutputFile(path, overwrite);
  port.on('message', (message: MessageToRecorder) => guarded(() => obey(file, message)));
  post({ kind: 'ready' });
});

function obey(file: OutputFile, message: MessageToRecorder): void {
  if (message.kind === 'begin') {
    recorder ??= begin(file, message.startMs);
    for (const event of early.splice(0)) recorder.event(event);
  } else if (message.kind === 'event') {
    // Rows first: an event belongs behind the cycles that came before it.
    drain();
    if (recorder) recorder.event(message.event);
    else early.push(message.event);
  } else finish(file);
}

function begin(file: OutputFile, startMs: number): Recorder {
  try {
    return createRecorder(format, file, { ...info, ...recordingStart(nanosecondsOfMs(startMs)) });
  } catch (error) {
    file.discard();
    throw error;
  }
}

function drain(): void {
  if (!recorder) return;
  while (reader.read(row)) recorder.append(row);
  recorder.flush();
}

function finish(file: OutputFile): void {
  clearInterval(rounds);
  drain();
  const { dropped } = reader;
  recorder?.end(dropped);
  const { rows = 0, bytes = 0 } = recorder ?? {};
  post({ kind: 'done', result: { rows, dropped: recorder ? dropped : 0, bytes, problem: null } });
  if (recorder) recorder.close();
  else file.discard();
  port.close();
}

/** After the first error there is nothing left to do here: the ring fills up, and the loop counts what it drops. */
function guarded(action: () => void): void {
  try {
    action();
  } catch (error) {
    const reported = reportable(error);
    const { rows = 0, written = 0, bytes = 0 } = recorder ?? {};
    post({
      kind: 'failed',
      error: reported,
      result: { rows: written, dropped: rows - written, bytes, problem: reported.message },
    });
    process.exit();
  }
}

function reportable(error: unknown): ReportedError {
  if (isPalpableError(error)) return { code: error.code, message: error.message, path: error.path };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: 'worker-failed', message: `The recorder failed: ${message}`, path };
}
