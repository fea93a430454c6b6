/**
 * Whether the loop still goes on, by the number of its newest cycle: a thread that is stuck or gone says nothing itself.
 * Time is only counted as far as looks were taken, so that neither a process that was stopped or busy itself nor a
 * hidden page, whose timers are slowed, takes its own silence for that of the loop.
 */
export type Heartbeat = 'beats' | 'silent' | 'stuck';

/** How often to look, milliseconds. */
export const HEARTBEAT_LOOK_MS = 10;
/** At most this much of the time since the last look counts, milliseconds. */
const LONGEST_LOOK_MS = 25;
/** Four looks without a new cycle are a silence, noticed within 50 ms; a little less than their time, which wavers. */
const SILENT_LOOKS = 4;
const SILENT_MS = 35;
/** So long a change of the method may take to be built, milliseconds. */
const STUCK_AFTER_CHANGE_MS = 5000;

export interface LoopHeartbeat {
  /** `cycles`: done so far; at least one. `isChanging`: the loop may be building a method. */
  look(cycles: number, nowMs: number, isChanging: boolean): Heartbeat;
}

/** A silence of `stuckMs` milliseconds is not a stall any more. */
export function createLoopHeartbeat(stuckMs: number): LoopHeartbeat {
  let counted = 0;
  let lastMs = 0;
  let looks = 0;
  let silentMs = 0;
  let mayBuild = false;
  return {
    look(cycles, nowMs, isChanging) {
      const isNew = cycles !== counted;
      looks = isNew ? 0 : looks + 1;
      silentMs = isNew ? 0 : silentMs + Math.min(LONGEST_LOOK_MS, nowMs - lastMs);
      // What is asked of a loop that is silent already does not excuse it.
      if (looks <= 1) mayBuild = isChanging;
      counted = cycles;
      lastMs = nowMs;
      if (looks < SILENT_LOOKS || silentMs < SILENT_MS) return 'beats';
      return silentMs < (mayBuild ? STUCK_AFTER_CHANGE_MS : stuckMs) ? 'silent' : 'stuck';
    },
  };
}
