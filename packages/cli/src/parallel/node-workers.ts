import { availableParallelism } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';
import type { WorkerHost, WorkerPort } from '@palpable/engine/advanced';

/** Node's worker threads as the engine wants to see them. */
export function createNodeWorkers(size = availableParallelism()): WorkerHost {
  return { size, spawn: spawnJobWorker };
}

function spawnJobWorker(): WorkerPort {
  const worker = new Worker(new URL('./job-worker.js', import.meta.url));
  // A build that was given up must not keep the program alive.
  worker.unref();
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    onMessage: (listener) => {
      // One listener at a time: a pool hands the port from one run to the next.
      worker.removeAllListeners('message');
      worker.on('message', listener);
      worker.ref();
    },
    onError: (listener) => {
      worker.removeAllListeners('error');
      worker.on('error', listener);
      // Ended by itself, without an error that could be reported: out of memory, or `process.exit` in a job.
      worker.removeAllListeners('exit');
      worker.on('exit', (code) => listener(new Error(`it exited with code ${code}`)));
    },
    terminate: () => {
      worker.removeAllListeners();
      void worker.terminate();
    },
  };
}

/** Inside a worker: the port to whoever started it. */
export function portOfThisWorker(): WorkerPort {
  const port = parentPort!;
  return {
    post: (message, transfer) => port.postMessage(message, transfer),
    onMessage: (listener) => void port.on('message', listener),
    onError: () => {},
    terminate: () => port.close(),
  };
}
