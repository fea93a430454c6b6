/** How much of the method's wrench the hand gets: from 0 to 1, rising slowly, falling fast, never in a step. */
export interface SafeGain {
  /** Whether the tool is held: false while paused. */
  engaged: boolean;
  /** From 0 to 1, linear in time. */
  value: number;
  /** Seconds without a fault that are still to pass before the force may come back. */
  quiet: number;
  readonly rampIn: number;
}

/** Seconds from all force to none. With the 10 ms that a device may be silent this stays below 20 ms. */
const FALL = 0.008;
/** A fault that comes and goes must not make the force come and go. */
const QUIET_AFTER_FAULT = 0.1;

export function createSafeGain(rampIn: number): SafeGain {
  return { engaged: true, value: 0, quiet: 0, rampIn };
}

export function updateGain(gain: SafeGain, faults: number, isReleased: boolean, elapsed: Float64Array): void {
  gain.quiet = faults === 0 ? Math.max(0, gain.quiet - elapsed[0]) : QUIET_AFTER_FAULT;
  const rises = gain.engaged && !isReleased && gain.quiet === 0;
  gain.value = rises ? Math.min(1, gain.value + elapsed[0] / gain.rampIn) : Math.max(0, gain.value - elapsed[0] / FALL);
}

/** The factor of the wrench: no kink at either end of a ramp. */
export function safeFactor({ value }: SafeGain): number {
  return value * value * (3 - 2 * value);
}
