import type { PlayedScene } from '@palpable/engine';

/*
 * How a time is measured: the same cycles are played several times, each cycle counts with its least, and percentiles are
 * taken over the cycles. What the machine does beside us only ever adds. Calls of a few microseconds are too short for the
 * clock and are timed in batches.
 */

/** Columns with times, µs, begin so. */
const TIMES = 'us_';

/** Plays the same cycles so often, and keeps each cycle's least times. */
export function leastTimes<Name extends string>(plays: number, play: () => PlayedScene<Name>): PlayedScene<Name> {
  const first = play();
  for (let n = 1; n < plays; n += 1) {
    const again = play();
    for (const name of Object.keys(first.column) as Name[]) {
      if (name.startsWith(TIMES)) keepLeast(first.column[name], again.column[name]);
    }
  }
  return first;
}

function keepLeast(least: Float64Array, values: Float64Array): void {
  for (let n = 0; n < least.length; n += 1) least[n] = Math.min(least[n]!, values[n]!);
}

/** Microseconds of one call, this time. */
export function timeCall(call: () => void): number {
  const started = performance.now();
  call();
  return (performance.now() - started) * 1000;
}

/** Times items one after the other, all of them so often over, and keeps the least of each, µs. */
export function leastOfEach<T>(
  items: readonly T[],
  repeats: number,
  time: (item: T, n: number) => number,
): Float64Array {
  const least = new Float64Array(items.length).fill(Number.POSITIVE_INFINITY);
  for (let repeat = 0; repeat < repeats; repeat += 1) keepLeast(least, Float64Array.from(items, time));
  return least;
}

/** Microseconds of one call, as the least of several batches. */
export function microsecondsPerCall(call: () => void, callsPerBatch: number, batches = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < batches; batch += 1) {
    const all = timeCall(() => {
      for (let n = 0; n < callsPerBatch; n += 1) call();
    });
    least = Math.min(least, all / callsPerBatch);
  }
  return least;
}

/** To so many significant digits. */
export function rounded(value: number, digits = 3): number {
  return Number(value.toPrecision(digits));
}

export function sum(values: ArrayLike<number>): number {
  let all = 0;
  for (let n = 0; n < values.length; n += 1) all += values[n]!;
  return all;
}

/** 0 without any. */
export function mean(values: ArrayLike<number>): number {
  return sum(values) / Math.max(1, values.length);
}

/** −∞ without any. */
export function largest(values: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < values.length; n += 1) most = Math.max(most, values[n]!);
  return most;
}

/** Halves the gap between a value that holds and one that does not, so many times; gives both in the end. */
export function bisect(
  test: (value: number) => boolean,
  holds: number,
  fails: number,
  steps: number,
  middleOf = (a: number, b: number) => (a + b) / 2,
): [holds: number, fails: number] {
  for (let step = 0; step < steps; step += 1) {
    const middle = middleOf(holds, fails);
    if (test(middle)) holds = middle;
    else fails = middle;
  }
  return [holds, fails];
}

export function geometricMean(a: number, b: number): number {
  return Math.sqrt(a * b);
}

export interface Line {
  readonly slope: number;
  readonly intercept: number;
  /** Part of the variance that the line explains. */
  readonly rSquared: number;
}

/** The straight line of least squares. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): Line {
  const n = points.length;
  const meanX = points.reduce((all, [x]) => all + x, 0) / n;
  const meanY = points.reduce((all, [, y]) => all + y, 0) / n;
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
    yy += (y - meanY) ** 2;
  }
  const slope = xy / xx;
  return { slope, intercept: meanY - slope * meanX, rSquared: (xy * xy) / (xx * yy) };
}
