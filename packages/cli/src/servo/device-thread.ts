import { Worker } from 'node:worker_threads';
import { PalpableError } from '@palpable/engine';
import { haltPort } from '@palpable/engine/advanced';
import type { LinkState } from '../device/device-link.js';
import type { DeviceJob, FromDevices, LinkNews, LinkRequest, ServeRequest, ToDevices } from './device-messages.js';
import { fadeMsOf } from './fade.js';

/** The thread of the devices, seen from the process that owns it. */
export interface DeviceThread {
  /** In the order in which they were asked for. */
  readonly links: readonly LinkNews[];
  readonly states: readonly LinkState[];
  /** Wall time of the loop's `time` 0, milliseconds since 1970; null while there is no loop. */
  begin(startMs: number | null): void;
  /** Rejects when a device fails; by then all of them have let go. */
  readonly failed: Promise<never>;
  /** All forces fade at once; resolves when every device has let go, and rejects with what one of them failed of. */
  close(): Promise<void>;
}

/** Waited for when the process leaves without a word: fading, and what a busy machine adds. */
const LEAVING_MS = 250;
/** A thread that does not answer for so long has nothing left to say. */
const SILENT_MS = 1000;

/**
 * Starts the thread and connects. From here on no path out of this process leaves a force on the wire: whoever calls
 * `process.exit`, whatever is thrown, the exit waits until the devices have let go. Null when there is nothing to open.
 */
export async function startDeviceThread(
  requests: readonly LinkRequest[],
  serve: ServeRequest | null,
  onLog: (line: string) => void,
): Promise<DeviceThread | null> {
  if (requests.length === 0 && serve === null) return null;
  const released = new SharedArrayBuffer(4);
  const job: DeviceJob = { links: requests, serve, released };
  const worker = new Worker(new URL('./device-worker.js', import.meta.url), { workerData: job });
  const states: LinkState[] = requests.map(() => 'connecting');
  let links: readonly LinkNews[] = [];
  let problem: PalpableError | null = null;
  let onReady: (links: readonly LinkNews[]) => void;
  let onFailed: (error: Error) => void;
  const ready = new Promise<readonly LinkNews[]>((resolve) => {
    onReady = resolve;
  });
  const failed = new Promise<never>((_, reject) => {
    onFailed = reject;
  });
  // Whoever waits for something else hears of it there.
  failed.catch(() => {});
  const halt = () => {
    requests.forEach(({ port }, index) => {
      haltPort(port, fadeMsOf(links[index]?.limits ?? { force: 0, torque: 0 }));
    });
  };
  const leave = () => {
    halt();
    if (requests.length > 0) Atomics.wait(new Int32Array(released), 0, 0, LEAVING_MS);
  };
  process.on('exit', leave);
  const closed = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      process.off('exit', leave);
      resolve();
      onFailed(new PalpableError('worker-failed', 'The device thread ended unexpectedly.'));
    });
  });
  worker.on('error', (error) => onFailed(new PalpableError('worker-failed', `The devices failed: ${String(error)}`)));
  worker.on('message', (message: FromDevices) => {
    if (message.kind === 'ready') onReady(message.links);
    else if (message.kind === 'log') onLog(message.line);
    else if (message.kind === 'state') states[message.link] = message.state;
    else {
      if (message.error) problem = new PalpableError(message.error.code, message.error.message, message.error.path);
      if (problem) onFailed(problem);
      void worker.terminate();
    }
  });
  const post = (message: ToDevices) => worker.postMessage(message);
  const close = async () => {
    halt();
    post({ kind: 'close' });
    const late = setTimeout(() => void worker.terminate(), SILENT_MS);
    await closed;
    clearTimeout(late);
    if (problem) throw problem;
  };
  try {
    links = await Promise.race([ready, failed]);
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return {
    links,
    states,
    failed,
    begin: (startMs) => post({ kind: 'begin', startMs }),
    close,
  };
}
