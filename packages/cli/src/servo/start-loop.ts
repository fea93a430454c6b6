import { Worker } from 'node:worker_threads';
import {
  type FromLoop,
  type KeptContactThread,
  type LiveCommand,
  type LiveEvent,
  type LoopSetup,
  PalpableError,
  postCommand,
} from '@palpable/engine';
import { startContactThread } from './start-contact-thread.js';

/** A loop that runs in a thread of its own. */
export interface RunningLoop {
  /** Taken between two cycles; resolves with what came of it. */
  command(command: LiveCommand): Promise<LiveEvent>;
  /** Leaves the scene for another one, without ending the thread. */
  load(setup: LoopSetup): Promise<void>;
  /** Takes the force to zero and ends the loop. */
  stop(): Promise<void>;
  /** Resolves when the loop ended, rejects when it failed. */
  readonly ended: Promise<void>;
}

/** So long the force takes to fall, and a little: then nobody feels the end. */
const FADE_MS = 30;
const RETRY_MS = 2;

/**
 * Resolves when the first cycle is about to begin. A setup with `contacts` gets a contact thread beside the loop, which
 * begins before it and ends after it; `onTrouble` hears when that one is lost and started again.
 */
export async function startLoop(
  setup: LoopSetup,
  onEvent: (event: LiveEvent) => void,
  onTrouble: (sentence: string) => void = () => {},
): Promise<RunningLoop> {
  const worker = new Worker(new URL('./loop-worker.js', import.meta.url));
  let { memory } = setup;
  let contactThread: KeptContactThread | null = null;
  const waiting: ((event: LiveEvent) => void)[] = [];
  let onReady: () => void;
  let onEnd: (end: 'stop' | 'listen') => void = () => {};
  let onFailed: (error: Error) => void;
  const ended = new Promise<void>((resolve, reject) => {
    onFailed = reject;
    worker.on('exit', () => resolve());
    worker.on('error', reject);
  });
  // Whoever waits for something else hears of a failure there.
  ended.catch(() => {});
  worker.on('message', (message: FromLoop) => {
    if (message.kind === 'ready') onReady();
    else if (message.kind === 'failed') onFailed(new PalpableError('option-invalid', message.message));
    else if (message.kind === 'ended') onEnd(message.end);
    else {
      waiting.shift()?.(message.event);
      onEvent(message.event);
    }
  });

  const begin = async (next: LoopSetup) => {
    const ready = new Promise<void>((resolve) => {
      onReady = resolve;
    });
    memory = next.memory;
    contactThread = startContactThread(next, onTrouble);
    try {
      await contactThread?.ready;
      worker.postMessage(next);
      await Promise.race([ready, ended]);
    } catch (error) {
      // Whoever waits for the loop must not wait forever.
      onFailed(error as Error);
      await Promise.all([worker.terminate(), contactThread?.end()]);
      throw error;
    }
  };
  const send = async (sent: LiveCommand): Promise<LiveEvent> => {
    while (!postCommand(memory.mailbox, sent)) await sleep(RETRY_MS);
    return new Promise((resolve, reject) => {
      waiting.push(resolve);
      ended.then(() => reject(new PalpableError('cancelled', 'The loop has ended.')), reject);
    });
  };
  // One after the other, in the order in which they were given.
  let last: Promise<unknown> = Promise.resolve();
  const command = (given: LiveCommand): Promise<LiveEvent> => {
    const answer = last.then(() => send(given));
    last = answer.catch(() => {});
    return answer;
  };
  const leave = async (kind: 'stop' | 'listen') => {
    const left = new Promise<void>((resolve) => {
      onEnd = () => resolve();
    });
    await command({ kind: 'pause' });
    await sleep(FADE_MS);
    await command({ kind });
    await left;
  };

  await begin(setup);
  return {
    command,
    ended,
    async load(next) {
      await leave('listen');
      await contactThread?.end();
      await begin(next);
    },
    async stop() {
      try {
        await leave('stop');
        await worker.terminate();
        await ended;
      } finally {
        await contactThread?.end();
      }
    },
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
