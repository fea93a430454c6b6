import { parentPort } from 'node:worker_threads';
import { type ErrorCode, isPalpableError } from '@palpable/engine';
import { preparationTasks, type TaskHooks, type TaskName } from './preparation-tasks.js';

/** What the thread is sent. One task at a time. */
export type ToPreparation =
  | { readonly kind: 'run'; readonly task: TaskName; readonly request: unknown }
  | { readonly kind: 'cancel' };

/** What it answers. */
export type FromPreparation =
  | { readonly kind: 'progress'; readonly stage: string; readonly fraction: number }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string; readonly path: string | undefined }
  | { readonly kind: 'failed'; readonly error: unknown };

const port = parentPort!;
const answer = (message: FromPreparation, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
const stop = new AbortController();

port.on('message', (message: ToPreparation) => {
  if (message.kind === 'cancel') stop.abort();
  else void run(message.task, message.request);
});

async function run(task: TaskName, request: unknown): Promise<void> {
  const hooks: TaskHooks = {
    signal: stop.signal,
    onProgress: (stage, fraction) => answer({ kind: 'progress', stage, fraction }),
  };
  try {
    const result = await preparationTasks[task](request as never, hooks);
    const assets = 'assets' in result ? result.assets : [];
    answer(
      { kind: 'done', result },
      assets.map(([, { buffer }]) => buffer as ArrayBuffer),
    );
  } catch (error) {
    // A clone would lose what makes it ours.
    if (!isPalpableError(error)) answer({ kind: 'failed', error });
    else answer({ kind: 'refused', code: error.code, message: error.message, path: error.path });
  }
}
