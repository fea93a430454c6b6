/**
 * When figures are shown again: a few times a second, since faster cannot be read, and all of them at the same moments,
 * since every change of the page has its price.
 */
const REFRESH_MS = 400;

/** Counts the moments; figures are due whenever the count differs from the one that they were shown at. */
export function refreshCount(nowMs: number): number {
  return Math.floor(nowMs / REFRESH_MS);
}

/** Milliseconds to the next moment. */
export function untilRefresh(nowMs: number): number {
  return REFRESH_MS * (refreshCount(nowMs) + 1) - nowMs;
}

/** Over which a rate is measured, ms. */
export const RATE_WINDOW_MS = 1000;

/** Cycles per second of a loop, reported whenever figures are due. */
export class CycleRate {
  private marks: { readonly timeMs: number; readonly cycles: number }[] = [];

  /** Takes how many cycles there were so far; false while the last figures still stand. */
  take(cycles: number, timeMs: number): boolean {
    const last = this.marks.at(-1);
    if (last && refreshCount(timeMs) === refreshCount(last.timeMs)) return false;
    if (last && cycles < last.cycles) this.clear();
    this.marks.push({ timeMs, cycles });
    // One mark as old as the window stays, or older: the rate is that of at least the window.
    while (this.marks.length > 2 && this.marks[1]!.timeMs <= timeMs - RATE_WINDOW_MS) this.marks.shift();
    return true;
  }

  /** Undefined until it is known. */
  get perSecond(): number | undefined {
    const [first, last] = [this.marks[0]!, this.marks.at(-1)!];
    return first === last ? undefined : (1000 * (last.cycles - first.cycles)) / (last.timeMs - first.timeMs);
  }

  clear(): void {
    this.marks = [];
  }
}
