/** Poses that come regularly, but too seldom for the loop. */
export interface SlowPoses {
  /** Poses a second. */
  readonly rate: number;
  /** s. */
  readonly silentAfter: number;
}

const WINDOW_MS = 1000;
const FEWEST_GAPS = 8;
/** One long gap among many is a hiccup. Of a tracker that is just too slow, jitter makes some gaps short. */
const LONG_SHARE = 0.25;

/** Notices a device that can never get a force, because the loop counts it as silent between any two of its poses. */
export class PoseRate {
  readonly #silentAfter: number;
  #lastMs = Number.NaN;
  #startMs = Number.NaN;
  #gaps = 0;
  #longGaps = 0;
  #hasReported = false;

  constructor(silentAfter: number) {
    this.#silentAfter = silentAfter;
  }

  /** Call it whenever poses have come; once only it returns more than null. */
  count(nowMs: number): SlowPoses | null {
    const gapMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    // The first, or the first after a loss.
    if (this.#hasReported || !(gapMs < WINDOW_MS)) return this.#begin(nowMs);
    this.#gaps += 1;
    if (gapMs > 1000 * this.#silentAfter) this.#longGaps += 1;
    const spanMs = nowMs - this.#startMs;
    if (spanMs < WINDOW_MS || this.#gaps < FEWEST_GAPS) return null;
    const [gaps, longGaps] = [this.#gaps, this.#longGaps];
    this.#begin(nowMs);
    if (longGaps < LONG_SHARE * gaps) return null;
    this.#hasReported = true;
    return { rate: (1000 * gaps) / spanMs, silentAfter: this.#silentAfter };
  }

  #begin(nowMs: number): null {
    this.#startMs = nowMs;
    this.#gaps = 0;
    this.#longGaps = 0;
    return null;
  }
}

/** With what to write in the scene: smoothing over a little more than the time between poses, silence after four. */
export function describeSlowPoses({ rate, silentAfter }: SlowPoses): string {
  const enough = Math.ceil(400 / rate) / 100;
  const smoothing = Math.ceil(1200 / rate) / 1000;
  return (
    `poses arrive ${Math.round(rate)} times a second, but the loop gives no force to a device that is silent for ` +
    `${silentAfter} s: write "silentAfter": ${enough} and "workspace": { "smoothing": ${smoothing} } ` +
    'in the "device" of the scene'
  );
}
