import { type PlotSeries, percentile } from '@palpable/cli/internal';
import { STATE_SLIP, STATE_STICK } from '@palpable/engine';
import type { Column, Recording } from './recording.js';

/** Numbers and lines that several studies take from a recording. */

export function share(recording: Recording, state: number): number {
  return recording.column.state.filter((value) => value === state).length / Math.max(1, recording.cycles);
}

/** How often the tool goes over from holding to sliding. */
export function breakaways({ column, cycles }: Recording): number {
  let count = 0;
  for (let c = 1; c < cycles; c += 1) {
    if (column.state[c - 1] === STATE_STICK && column.state[c] === STATE_SLIP) count += 1;
  }
  return count;
}

/** Median of a column over the cycles from `from` on. */
export function median(recording: Recording, column: Column, from = 0): number {
  return percentile(recording.column[column].subarray(from), 50);
}

/** Times of the stages in µs, for a table. */
export function stageTimes(recording: Recording, from = 0): Record<string, number> {
  const of = (column: Column, p: number) => threeDigits(percentile(recording.column[column].subarray(from), p));
  return {
    'contact p50, µs': of('us_contact', 50),
    'friction p50, µs': of('us_friction', 50),
    'friction p99, µs': of('us_friction', 99),
    'rest p50, µs': of('us_method', 50),
    'cycle p50, µs': of('us_total', 50),
    'cycle p99, µs': of('us_total', 99),
  };
}

export function threeDigits(value: number): number {
  return Number(value.toPrecision(3));
}

/** Lines of plots have no more points than this; the CSV files have them all. */
const MAX_POINTS = 300;

/** A column over time, thinned out; `factor` for another unit, `only` for the cycles in one state. */
export function overTime(
  name: string,
  recording: Recording,
  column: Column,
  { factor = 1, only }: { readonly factor?: number; readonly only?: number } = {},
): PlotSeries {
  const stride = Math.max(1, Math.ceil(recording.cycles / MAX_POINTS));
  const points: (readonly [number, number])[] = [];
  for (let c = 0; c < recording.cycles; c += stride) {
    const shown = only === undefined || recording.column.state[c] === only;
    points.push([recording.column.time[c]!, shown ? factor * recording.column[column][c]! : Number.NaN]);
  }
  return { name, points };
}

/** The same column in two lines: while friction holds, and while it does not. */
export function stickAndSlip(recording: Recording, column: Column, factor = 1): PlotSeries[] {
  return [
    overTime('holds', recording, column, { factor, only: STATE_STICK }),
    overTime('slides', recording, column, { factor, only: STATE_SLIP }),
  ];
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
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / n;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / n;
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
    yy += (y - meanY) ** 2;
  }
  const slope = xy / xx;
  return { slope, intercept: meanY - slope * meanX, rSquared: (xy * xy) / (xx * yy) };
}
