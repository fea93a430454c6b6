/**
 * Tells whether a thread still works, from a number that it counts up: its cycles. Only time in which the watcher was
 * awake counts, so that a process that was stopped, a tab whose timers are throttled or a busy watcher takes nobody for
 * dead.
 */
export interface Heartbeat {
  /** Milliseconds without a beat so far, to be asked about every 10 ms; `nowMs` is a clock that never jumps. */
  look(beats: number, nowMs: number): number;
  /** From now on as if a beat had just come: after a pause that is not the thread's fault. */
  forgive(): void;
}

/** No look counts for more than this, milliseconds: 50 ms of silence take four looks. */
const MOST_PER_LOOK_MS = 15;

export function createHeartbeat(): Heartbeat {
  let before = Number.NaN;
  let lookedMs = Number.NaN;
  let silentMs = 0;
  return {
    look(beats, nowMs) {
      const isAlive = beats !== before || Number.isNaN(lookedMs);
      silentMs = isAlive ? 0 : silentMs + Math.min(MOST_PER_LOOK_MS, nowMs - lookedMs);
      before = beats;
      lookedMs = nowMs;
      return silentMs;
    },
    forgive() {
      silentMs = 0;
    },
  };
}
