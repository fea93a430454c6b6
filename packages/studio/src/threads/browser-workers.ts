/** The browser's workers as the engine wants to see them. */
import type { WorkerHost, WorkerPort } from '@palpable/engine/advanced';

/** The part of a dedicated worker's global scope that is used here. */
interface WorkerScope {
  postMessage(message: unknown, transfer: Transferable[]): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  close(): void;
}

export const workerScope = globalThis as unknown as WorkerScope;

/** As many threads as there are cores, within reason: each holds its own copy of what cannot be shared. */
export function createBrowserWorkers(): WorkerHost {
  return { size: Math.max(1, Math.min(navigator.hardwareConcurrency || 2, 8)), spawn: spawnJobWorker };
}

function spawnJobWorker(): WorkerPort {
  const worker = new Worker(new URL('./job-worker.ts', import.meta.url), { type: 'module', name: 'palpable job' });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (listener) => (worker.onmessage = (event) => listener(event.data)),
    onError: (listener) => {
      worker.onerror = (event) => listener(new Error(event.message || 'its script could not be loaded'));
    },
    terminate: () => worker.terminate(),
  };
}

/** Inside a worker: the port to whoever started it. */
export function portOfThisWorker(): WorkerPort {
  return {
    post: (message, transfer) => workerScope.postMessage(message, transfer),
    onMessage: (listener) => workerScope.addEventListener('message', (event) => listener(event.data)),
    onError: () => {},
    terminate: () => workerScope.close(),
  };
}
