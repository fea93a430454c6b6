/**
 * Whether the loop still goes on, by the number of its newest cycle: a thread that is stuck or gone says nothing itself.
 * It is given up only for time in which checks came as they should: neither a process that was stopped, busy or starved
 * itself, as the loop may be with it, nor a hidden page, whose timers are slowed, takes its own silence for the loop's.
 */
export type Heartbeat = 'beats' | 'silent' | 'stuck';

/** How often a host checks the heartbeat of its loop, milliseconds. */
export const HEARTBEAT_LOOK_MS = 10;
/** A check that comes later after the one before says nothing of the time between them, milliseconds. */
const LATE_MS = 25;
/** Four checks without a new cycle are a silence, noticed within 50 ms; a little less than their time, which wavers. */
const SILENT_LOOKS = 4;
const SILENT_MS = 35;
/** So long a change of the method may take to be built, milliseconds. */
const STUCK_AFTER_CHANGE_MS = 5000;

export interface LoopHeartbeat {
  /** `cycles`: done so far; at least one. `isChanging`: the loop may be building a method. */
  look(cycles: number, nowMs: number, isChanging: boolean): Heartbeat;
}

/** Watches whether a loop still cycles. A silence of `stuckMs` milliseconds is not a stall any more: the loop hangs. */
export function createLoopHeartbeat(stuckMs: number): LoopHeartbeat {
  let counted = 0;
  let lastMs = 0;
  let heardMs = 0;
  let looks = 0;
  let awakeMs = 0;
  let mayBuild = false;
  return {
    look(cycles, nowMs, isChanging) {
      const passedMs = nowMs - lastMs;
      looks += 1;
      if (passedMs <= LATE_MS) awakeMs += passedMs;
      if (cycles !== counted) {
        looks = 0;
        awakeMs = 0;
        heardMs = nowMs;
      }
      // What is asked of a loop that is silent already does not excuse it.
      if (looks <= 1) mayBuild = isChanging;
      counted = cycles;
      lastMs = nowMs;
      if (looks < SILENT_LOOKS || nowMs - heardMs < SILENT_MS) return 'beats';
      return awakeMs < (mayBuild ? STUCK_AFTER_CHANGE_MS : stuckMs) ? 'silent' : 'stuck';
    },
  };
}
