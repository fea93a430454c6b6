import type { PlotSeries } from '@palpable/cli/internal';
import { type PlayedScene, STATE_SLIP, STATE_STICK } from '@palpable/engine';
import { percentile } from '@palpable/engine/advanced';
import type { CycleColumn, Recording } from './play.js';
import { largest, rounded } from './statistics.js';

/** Numbers and lines that several studies take from a recording. */

export function share({ column, cycles }: Recording, state: number): number {
  return column.state.filter((value) => value === state).length / Math.max(1, cycles);
}

/** How often the tool goes over from holding to sliding. */
export function breakaways({ column, cycles }: Recording): number {
  let count = 0;
  for (let c = 1; c < cycles; c += 1) {
    if (column.state[c - 1] === STATE_STICK && column.state[c] === STATE_SLIP) count += 1;
  }
  return count;
}

/** Median of a column over the cycles. */
export function median(recording: Recording, column: CycleColumn): number {
  return percentile(recording.column[column], 50);
}

/** Percentile over the cycles with contacts; NaN without any. */
export function whileTouching({ column }: Recording, name: CycleColumn, p: number): number {
  const touching = column[name].filter((_, cycle) => column.contacts[cycle]! > 0);
  return percentile(touching, p);
}

/** The cycles from `from` to before `to`. */
export function part<Name extends string>(recording: PlayedScene<Name>, from: number, to: number): PlayedScene<Name> {
  const columns = Object.entries<Float64Array>(recording.column).map(([name, values]) => [
    name,
    values.subarray(from, to),
  ]);
  return { ...recording, cycles: to - from, column: Object.fromEntries(columns) };
}

/** Times of the stages in µs, for a table. */
export function stageTimes({ column }: Recording): Record<string, number> {
  const of = (name: CycleColumn, p: number) => rounded(percentile(column[name], p));
  return {
    'contact p50, µs': of('us_contact', 50),
    'friction p50, µs': of('us_friction', 50),
    'friction p99, µs': of('us_friction', 99),
    'rest p50, µs': of('us_method', 50),
    'cycle p50, µs': of('us_total', 50),
    'cycle p99, µs': of('us_total', 99),
  };
}

/** A point for about so many of the cycles, evenly; `next` is the first cycle of the next one. */
export function thinned(
  cycles: number,
  most: number,
  pointAt: (cycle: number, next: number) => readonly [x: number, y: number],
): (readonly [x: number, y: number])[] {
  const stride = Math.max(1, Math.ceil(cycles / most));
  return Array.from({ length: Math.ceil(cycles / stride) }, (_, n) => pointAt(n * stride, (n + 1) * stride));
}

/** By cycle: how far the tool is from a place, m. */
export function distancesFrom({ column: { tool_x, tool_y, tool_z } }: Recording, place: ArrayLike<number>) {
  return tool_x.map((x, c) => Math.hypot(x - place[0]!, tool_y[c]! - place[1]!, tool_z[c]! - place[2]!));
}

interface LineOptions {
  /** For another unit. */
  readonly factor?: number;
  /** Only the cycles in this state. */
  readonly only?: number;
  /** The line has no more than so many; the CSV files have them all. */
  readonly points?: number;
}

/** A column over time, thinned out. */
export function overTime<Name extends string>(
  name: string,
  { column, cycles }: PlayedScene<Name | 'time' | 'state'>,
  shown: NoInfer<Name | 'time' | 'state'>,
  { factor = 1, only, points: most = 300 }: LineOptions = {},
): PlotSeries {
  const points = thinned(cycles, most, (c) => {
    const isShown = only === undefined || column.state[c] === only;
    return [column.time[c]!, isShown ? factor * column[shown][c]! : Number.NaN];
  });
  return { name, points };
}

/** A column over time. Of the cycles that share a point the largest value counts, so that no peak is lost. */
export function peaksOverTime<Name extends string>(
  name: string,
  { column, cycles }: PlayedScene<Name | 'time'>,
  shown: NoInfer<Name | 'time'>,
  factor = 1,
): PlotSeries {
  const points = thinned(cycles, 400, (c, next) => {
    return [column.time[c]!, factor * largest(column[shown].subarray(c, next))];
  });
  return { name, points };
}

/** The same column in two lines: while friction holds, and while it does not. */
export function stickAndSlip(recording: Recording, column: CycleColumn, factor = 1): PlotSeries[] {
  return [
    overTime('holds', recording, column, { factor, only: STATE_STICK }),
    overTime('slides', recording, column, { factor, only: STATE_SLIP }),
  ];
}
