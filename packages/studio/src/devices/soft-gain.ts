/** How much of a force is given: it goes away quickly and comes back slowly. */

const FADE_OUT_MS = 100;
const FADE_IN_MS = 1000;

export function createSoftGain() {
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
    /** 0 to 1 at this moment. */
    at,
    /** Whether any is wanted from now on. */
    setOpen(isOpen: boolean, nowMs: number) {
      at(nowMs);
      isWanted = isOpen;
    },
    /** None at this very moment; from here it comes back, if it is wanted. */
    drop(nowMs: number) {
      gain = 0;
      lastMs = nowMs;
    },
  };
}
