/**
 * Seeded pseudo-random numbers (the 32-bit generator "mulberry32"): the same seed gives the same shell, the same
 * simulated hand and the same test cases on every machine.
 */
export type RandomSource = () => number;

/** A generator of numbers in [0, 1). */
export function createRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
