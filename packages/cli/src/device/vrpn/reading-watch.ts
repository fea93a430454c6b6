import type { SocketQueues } from './socket-queues.js';

/** `unknown`: nothing can be said of a peer on another machine, as long as that machine takes what we send. */
export type Reading = 'reads' | 'unknown' | 'frozen';

/** ms. A peer that takes nothing of what waits for it for so long is frozen. */
export const FROZEN_AFTER_MS = 500;

/**
 * Finds out from the system's queues whether a peer reads. The bytes that it has read are those that we have handed to the
 * system, less those that still lie there. That unread bytes are there says nothing by itself: at 1 kHz there are
 * always some for a program that reads 60 times a second.
 */
export class ReadingWatch {
  /** It can have read no more than this at the last sign that it reads. */
  #mostRead = Number.NEGATIVE_INFINITY;
  #readMs = Number.NEGATIVE_INFINITY;
  #sampledMs = Number.NEGATIVE_INFINITY;

  /**
   * `handed`: bytes given to the system since the connection began, before and after the queues were read. Call it
   * regularly; after a pause it begins again.
   */
  judge(queues: SocketQueues | null, handed: readonly [number, number], nowMs: number): Reading {
    const isFirst = nowMs - this.#sampledMs > FROZEN_AFTER_MS;
    this.#sampledMs = nowMs;
    if (queues === null) return 'unknown';
    const { unconfirmed, unread } = queues;
    // What is received but not yet confirmed lies in both queues.
    const leastRead = handed[0] - unconfirmed - (unread ?? 0);
    const nothingWaits = unconfirmed === 0 && (unread ?? 0) === 0;
    if (isFirst || nothingWaits || leastRead > this.#mostRead) {
      this.#mostRead = handed[1] - Math.max(unconfirmed, unread ?? 0);
      this.#readMs = nowMs;
    }
    if (nowMs - this.#readMs >= FROZEN_AFTER_MS) return 'frozen';
    return unread === null ? 'unknown' : 'reads';
  }
}
