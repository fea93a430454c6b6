import { PalpableError } from '../base/errors.js';
import { stopContactThread, watchContactThread } from './contact-thread-memory.js';
import type { ContactThreadSetup, FromContactThread } from './serve-contact-side.js';
import type { LoopSetup } from './serve-loop.js';

/** What a host has to provide: threads and timers. Node and the page differ in nothing else. */
export interface ContactThreadHands {
  /** Starts a thread that runs `serveContactSide` with the setup. `onDeath` may come at any time, and more than once. */
  begin(
    setup: ContactThreadSetup,
    onMessage: (message: FromContactThread) => void,
    onDeath: (why: string) => void,
  ): BegunThread;
  /** Calls once after so many milliseconds; what it returns calls that off. */
  later(ms: number, act: () => void): () => void;
}

export interface BegunThread {
  /** Ends the thread at once, whatever it does; resolves when it no longer writes. */
  end(): Promise<void>;
}

/** A contact thread that is started again when it dies. */
export interface KeptContactThread {
  /** The first thread is ready; rejects with what it said when it cannot be. */
  readonly ready: Promise<void>;
  /** Ends it for good. */
  end(): Promise<void>;
}

/** The heartbeat is checked so often, milliseconds, and so many checks without one are a death. */
const CHECK_MS = 250;
const SILENT_CHECKS = 12;
/** Before a thread is started again, and how often in a row. One that then lived for a while is forgiven. */
const RESTART_MS = 100;
const MOST_RESTARTS = 5;
const FORGIVEN_CHECKS = 40;

interface Keeper {
  readonly setup: ContactThreadSetup;
  readonly hands: ContactThreadHands;
  readonly onTrouble: (sentence: string) => void;
  readonly onReady: () => void;
  readonly onFailed: (error: Error) => void;
  thread: BegunThread | null;
  /** Which start messages belong to: those of a thread that was given up are late. */
  start: number;
  wasReady: boolean;
  restarts: number;
  silentChecks: number;
  livedChecks: number;
  heartbeat: number;
  cancel: () => void;
  isEnded: boolean;
}

/** The contact thread of a loop, if it is to have one, minded until it is ended with the loop. */
export function keepLoopContacts(
  { contacts, scene, bodies, hands: loopHands }: LoopSetup,
  hands: ContactThreadHands,
  onTrouble: (sentence: string) => void,
): KeptContactThread | null {
  if (!contacts) return null;
  const tools = loopHands.map(({ tool }) => tool);
  return keepContactThread({ scene, bodies, tools, memory: contacts }, hands, onTrouble);
}

/**
 * Starts a contact thread and minds it: one that dies, fails or falls silent is reported in a sentence and started again
 * over the same memory. The loop goes on meanwhile; its contacts fade, and come back with the new thread.
 */
export function keepContactThread(
  setup: ContactThreadSetup,
  hands: ContactThreadHands,
  onTrouble: (sentence: string) => void,
): KeptContactThread {
  let onReady = () => {};
  let onFailed: (error: Error) => void = () => {};
  const ready = new Promise<void>((resolve, reject) => {
    onReady = resolve;
    onFailed = reject;
  });
  // Whoever waits for something else hears of it there.
  ready.catch(() => {});
  const keeper: Keeper = {
    setup,
    hands,
    onTrouble,
    onReady,
    onFailed,
    thread: null,
    start: 0,
    wasReady: false,
    restarts: 0,
    silentChecks: 0,
    livedChecks: 0,
    heartbeat: 0,
    cancel: () => {},
    isEnded: false,
  };
  beginThread(keeper);
  check(keeper);
  return {
    ready,
    async end() {
      keeper.isEnded = true;
      keeper.cancel();
      stopContactThread(setup.memory);
      await keeper.thread?.end();
      onFailed(new PalpableError('cancelled', 'The contact thread was ended before it was ready.'));
    },
  };
}

function beginThread(keeper: Keeper): void {
  const { setup, hands } = keeper;
  keeper.start += 1;
  const { start } = keeper;
  const isCurrent = () => start === keeper.start && !keeper.isEnded;
  keeper.silentChecks = 0;
  keeper.livedChecks = 0;
  keeper.thread = hands.begin(
    setup,
    (message) => {
      if (!isCurrent()) return;
      if (message.kind === 'ready') {
        keeper.wasReady = true;
        keeper.onReady();
      } else loseThread(keeper, message.kind === 'failed' ? message.message : 'it ended by itself');
    },
    (why) => {
      if (isCurrent()) loseThread(keeper, why);
    },
  );
}

function loseThread(keeper: Keeper, why: string): void {
  const { thread, onTrouble, onFailed } = keeper;
  keeper.thread = null;
  keeper.start += 1;
  const ended = thread?.end() ?? Promise.resolve();
  if (!keeper.wasReady) {
    keeper.isEnded = true;
    keeper.cancel();
    onFailed(new PalpableError('option-invalid', why));
    return;
  }
  if (keeper.restarts >= MOST_RESTARTS) {
    keeper.isEnded = true;
    keeper.cancel();
    onTrouble(
      `The contact thread was lost ${keeper.restarts + 1} times in a row (${why}), and is not started again: ` +
        'nothing can be touched any more. Load the scene again.',
    );
    return;
  }
  keeper.restarts += 1;
  onTrouble(`The contact thread was lost (${why}); it is started again, and contact comes back when it is there.`);
  ended.then(() => {
    if (keeper.isEnded) return;
    keeper.hands.later(RESTART_MS, () => {
      if (!keeper.isEnded) beginThread(keeper);
    });
  });
}

/** A thread that is being built has no heartbeat, and no limit of time. */
function check(keeper: Keeper): void {
  const { setup, hands } = keeper;
  const { heartbeat, readyEpoch } = watchContactThread(setup.memory);
  const isSilent = keeper.thread !== null && readyEpoch >= 0 && heartbeat === keeper.heartbeat;
  keeper.heartbeat = heartbeat;
  keeper.silentChecks = isSilent ? keeper.silentChecks + 1 : 0;
  keeper.livedChecks += 1;
  if (keeper.livedChecks >= FORGIVEN_CHECKS) keeper.restarts = 0;
  if (keeper.silentChecks >= SILENT_CHECKS) loseThread(keeper, `silent for ${(CHECK_MS * SILENT_CHECKS) / 1000} s`);
  if (!keeper.isEnded) keeper.cancel = hands.later(CHECK_MS, () => check(keeper));
}
