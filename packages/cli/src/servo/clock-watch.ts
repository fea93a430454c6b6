/** Notices that the wall clock of the machine was set. */
export interface ClockWatch {
  /** By how many seconds it was set since the last look; 0 for not at all. `nowMs` is a clock that never jumps. */
  look(nowMs: number): number;
}

/** Less than this is a clock that is being corrected bit by bit, or a look that came between two readings, ms. */
const JUMP_MS = 50;

/** `wallClock` counts milliseconds since 1970. */
export function createClockWatch(wallClock: () => number): ClockWatch {
  let aheadMs = Number.NaN;
  return {
    look(nowMs) {
      const before = aheadMs;
      aheadMs = wallClock() - nowMs;
      const jumpMs = aheadMs - before;
      return Math.abs(jumpMs) >= JUMP_MS ? jumpMs / 1000 : 0;
    },
  };
}
