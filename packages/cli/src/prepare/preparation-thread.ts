import { Worker } from 'node:worker_threads';
import { PalpableError } from '@palpable/engine';
import type { PreparationTasks, TaskHooks, TaskName } from './preparation-tasks.js';
import type { FromPreparation, ToPreparation } from './preparation-worker.js';

type Request<T extends TaskName> = Parameters<PreparationTasks[T]>[0];
type Result<T extends TaskName> = Awaited<ReturnType<PreparationTasks[T]>>;

/** So long may a cancelled task take to end by itself, as it does while it waits for another process. */
const GRACE_MS = 100;

/**
 * A thread for the long steps of preparations, started by the first of them. They keep a thread busy for seconds
 * without a pause; on a thread of their own they can be ended at any moment, and Ctrl-C is heard meanwhile.
 */
export class PreparationThread {
  private worker: Worker | undefined;

  /** One task at a time. When the signal is aborted, the task fails with the code `cancelled` and the thread ends. */
  run<T extends TaskName>(task: T, request: Request<T>, { onProgress, signal }: TaskHooks = {}): Promise<Result<T>> {
    if (signal?.aborted) return Promise.reject(cancelled());
    this.worker ??= new Worker(new URL('./preparation-worker.js', import.meta.url));
    const worker = this.worker;
    const send = (message: ToPreparation) => worker.postMessage(message);
    return new Promise<Result<T>>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', cancel);
        // Without names this would also remove what Node itself needs to pass messages on.
        for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event);
      };
      const fail = (error: unknown) => {
        settle();
        this.close();
        reject(error);
      };
      const cancel = () => {
        send({ kind: 'cancel' });
        timer = setTimeout(() => fail(cancelled()), GRACE_MS);
      };
      signal?.addEventListener('abort', cancel, { once: true });
      worker.on('message', (message: FromPreparation) => {
        if (message.kind === 'progress') onProgress?.(message.stage, message.fraction);
        else if (message.kind === 'refused') fail(new PalpableError(message.code, message.message, message.path));
        else if (message.kind === 'failed') fail(message.error);
        else {
          settle();
          resolve(message.result as Result<T>);
        }
      });
      worker.on('error', fail);
      worker.on('exit', (code) => fail(new Error(`The preparation thread exited with code ${code}.`)));
      send({ kind: 'run', task, request });
    });
  }

  close(): void {
    void this.worker?.terminate();
    this.worker = undefined;
  }
}

export function cancelled(): PalpableError {
  return new PalpableError('cancelled', 'The work was cancelled before it was finished.');
}
