/** How much of a force is given: it goes away quickly and comes back slowly. */
export interface SoftGain {
  /** 0 to 1 at this moment. */
  at(nowMs: number): number;
  /** Whether any is wanted from now on. */
  setOpen(isOpen: boolean, nowMs: number): void;
  /** None at this very moment; from here it comes back, if it is wanted. */
  drop(nowMs: number): void;
}

const FADE_OUT_MS = 100;
const FADE_IN_MS = 1000;

export function createSoftGain(): SoftGain {
  let gain = 0;
  let lastMs = 0;
  let isWanted = true;
  const at = (nowMs: number) => {
    const passedMs = Math.max(0, nowMs - lastMs);
    gain = isWanted ? Math.min(1, gain + passedMs / FADE_IN_MS) : Math.max(0, gain - passedMs / FADE_OUT_MS);
    lastMs = nowMs;
    return gain;
  };
  return {
    at,
    setOpen(isOpen, nowMs) {
      at(nowMs);
      isWanted = isOpen;
    },
    drop(nowMs) {
      gain = 0;
      lastMs = nowMs;
    },
  };
}
