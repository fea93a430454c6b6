/*
 * How late timers are in this process. On a busy machine everything is late; what is judged by the clock is judged beside
 * a timer that has nothing to do.
 */

/** ms since 1970, the same in every process of this machine and never set back. */
export function wallMs(): number {
  return performance.timeOrigin + performance.now();
}

/** A timer that fired late: when, and by how much, ms. */
export type LateTick = readonly [at: number, lateMs: number];

const EVERY_MS = 5;
/** A timer is rarely more punctual than this, however idle the machine. */
const USUAL_MS = 1.5;
const KEPT_MS = 60_000;

/** Shortly before and after, ms: threads are not held up at the very same moment. */
const AROUND_MS = 500;

/**
 * The machine's share of a delay between two times, ms: what the timer was late meanwhile in all, or as late as it was
 * once at about that time.
 */
export function lateBetween(ticks: readonly LateTick[], from: number, to: number): number {
  let sum = 0;
  let worst = 0;
  for (const [at, lateMs] of ticks) {
    if (at >= from && at - lateMs <= to) sum += lateMs;
    if (at >= from - AROUND_MS && at - lateMs <= to + AROUND_MS) worst = Math.max(worst, lateMs);
  }
  return Math.max(sum, worst);
}

export interface LatenessControl {
  between(from: number, to: number): number;
}

/** `onLate` hears of every tick that was late, for whoever keeps them elsewhere. */
export function watchLateness(
  onTick: () => void = () => {},
  onLate: (tick: LateTick) => void = () => {},
): LatenessControl {
  const ticks: LateTick[] = [];
  let dueAt = wallMs() + EVERY_MS;
  const timer = setInterval(() => {
    const now = wallMs();
    if (now - dueAt > USUAL_MS) {
      ticks.push([now, now - dueAt]);
      onLate([now, now - dueAt]);
    }
    while (ticks.length > 0 && ticks[0]![0] < now - KEPT_MS) ticks.shift();
    dueAt = now + EVERY_MS;
    onTick();
  }, EVERY_MS);
  timer.unref();
  return {
    /** What is late at this moment has not ticked yet, and counts too. */
    between(from, to) {
      const pending = Math.max(0, Math.min(to, wallMs()) - dueAt - USUAL_MS);
      return lateBetween(ticks, from, to) + pending;
    },
  };
}
