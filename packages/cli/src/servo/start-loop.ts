import { Worker } from 'node:worker_threads';
import { type LiveCommand, type LiveEvent, PalpableError } from '@palpable/engine';
import {
  type ContactThreadHands,
  type FromContactThread,
  type FromLoop,
  type KeptContactThread,
  keepLoopContacts,
  type LoopSetup,
  postCommand,
} from '@palpable/engine/advanced';
import { settledWithin } from '../parallel/within.js';

/** A loop that runs in a thread of its own. */
export interface RunningLoop {
  /** Taken between two cycles; resolves with what came of it. */
  command(command: LiveCommand): Promise<LiveEvent>;
  /** Leaves the scene for another one, without ending the thread. */
  load(setup: LoopSetup): Promise<void>;
  /** Takes the force to zero and ends the loop, one that no longer answers as well. */
  stop(): Promise<void>;
  /** Wall time of `time` 0 of the present scene, milliseconds since 1970. */
  readonly startMs: number;
  /** Rejects when the loop fails, or ends without being asked to. */
  readonly failed: Promise<never>;
}

/** So long the force takes to fall, and a little: then nobody feels the end. */
const FADE_MS = 30;
const RETRY_MS = 2;
/** A loop that does not answer for so long is ended from outside. */
const SILENT_MS = 500;

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
  let startMs = Number.NaN;
  let onReady: () => void;
  let onEnd: (end: 'stop' | 'listen') => void = () => {};
  let onFailed: (error: Error) => void;
  const failed = new Promise<never>((_, reject) => {
    onFailed = reject;
    worker.on('exit', () => reject(lost('its thread ended unexpectedly')));
    worker.on('error', (error) => reject(lost(error instanceof Error ? error.message : String(error))));
  });
  // Whoever waits for something else hears of a failure there.
  failed.catch(() => {});
  worker.on('message', (message: FromLoop) => {
    if (message.kind === 'ready') {
      startMs = message.startMs;
      onReady();
    } else if (message.kind === 'failed') {
      // Before the first cycle it is the scene that cannot be run.
      onFailed(Number.isNaN(startMs) ? new PalpableError('option-invalid', message.message) : lost(message.message));
    } else if (message.kind === 'ended') onEnd(message.end);
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
    startMs = Number.NaN;
    contactThread = startContactThread(next, onTrouble);
    try {
      await contactThread?.ready;
      worker.postMessage(next);
      await Promise.race([ready, failed]);
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
      failed.catch(reject);
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
    failed,
    get startMs() {
      return startMs;
    },
    async load(next) {
      await leave('listen');
      await contactThread?.end();
      await begin(next);
    },
    async stop() {
      await settledWithin(leave('stop'), SILENT_MS);
      await Promise.all([worker.terminate(), contactThread?.end()]);
    },
  };
}

function lost(why: string): PalpableError {
  return new PalpableError('worker-failed', `The loop was lost: ${why}. The force was removed.`);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The contact thread of a loop, if it is to have one, minded until it is ended with the loop. */
function startContactThread(loop: LoopSetup, onTrouble: (sentence: string) => void): KeptContactThread | null {
  return keepLoopContacts(loop, nodeHands, onTrouble);
}

const nodeHands: ContactThreadHands = {
  begin(setup, onMessage, onDeath) {
    const worker = new Worker(new URL('./contact-worker.js', import.meta.url));
    worker.on('message', (message: FromContactThread) => onMessage(message));
    worker.on('error', (error) => onDeath(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => onDeath(`ended with code ${code}`));
    worker.postMessage(setup);
    return { end: async () => void (await worker.terminate()) };
  },
  later(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
