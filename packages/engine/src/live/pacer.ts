import type { Clock } from '../method/method.js';

/**
 * Keeps a loop to its time step: sleep for the most of it, then spin. A cycle that begins late is counted, and those
 * that should have begun meanwhile are left out: a burst of cycles can be felt, a gap cannot.
 */
export interface Pacer {
  readonly stepMs: number;
  readonly now: Clock;
  /** Where the loop sleeps; nobody ever wakes it. */
  readonly bed: Int32Array;
  /** When the next cycle should begin. */
  dueMs: number;
  /** When the present one did, and how much later than it should. */
  beganMs: number;
  lateMs: number;
}

/** The last part of the wait is spun: a sleeping thread is woken up to so much later than it asked. */
const SPIN_MS = 0.15;
/** Reading the clock makes garbage, so it is read about every 5 µs. */
const SPINS_PER_LOOK = 1000;

/** `now` counts milliseconds; the thread must be one that may sleep (`Atomics.wait`): not the main thread of a page. */
export function createPacer(timeStep: number, now: Clock): Pacer {
  const beganMs = now();
  const stepMs = 1000 * timeStep;
  const bed = new Int32Array(new SharedArrayBuffer(4));
  return { stepMs, now, bed, dueMs: beganMs + stepMs, beganMs, lateMs: 0 };
}

/** Begins again after a pause, so that the pause is not counted as cycles missed. */
export function restartPacer(pacer: Pacer): void {
  pacer.dueMs = pacer.now() + pacer.stepMs;
}

/** Returns when the next cycle is due, with the number of cycles that were missed since the last. */
export function awaitCycle(pacer: Pacer): number {
  const { now, bed, stepMs, dueMs } = pacer;
  const sleepMs = dueMs - SPIN_MS - now();
  if (sleepMs > 0) Atomics.wait(bed, 0, 0, sleepMs);
  let time = now();
  while (time < dueMs) {
    for (let k = 0; k < SPINS_PER_LOOK; k += 1) Atomics.load(bed, 0);
    time = now();
  }
  const missed = Math.floor((time - dueMs) / stepMs);
  pacer.beganMs = time;
  pacer.lateMs = time - dueMs;
  pacer.dueMs = dueMs + (missed + 1) * stepMs;
  return missed;
}
