/** Notices that the wall clock of the machine was set. */
export interface ClockWatch {
  /** By how many seconds it was set since the last query; 0 for not at all. */
  look(): number;
}

/** Less than this is a clock that is being corrected bit by bit, ms. */
const JUMP_MS = 50;
/** Two readings that lie further apart than this say nothing about each other, ms. */
const APART_MS = 5;

/** Both clocks count milliseconds: one that never jumps, and wall time since 1970. */
export function createClockWatch(clock: () => number, wallClock: () => number): ClockWatch {
  let aheadMs = Number.NaN;
  return {
    look() {
      const beforeMs = clock();
      const wallMs = wallClock();
      if (clock() - beforeMs > APART_MS) return 0;
      const jumpMs = wallMs - beforeMs - aheadMs;
      aheadMs = wallMs - beforeMs;
      return Math.abs(jumpMs) >= JUMP_MS ? jumpMs / 1000 : 0;
    },
  };
}
