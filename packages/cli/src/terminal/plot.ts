import { formatNumber } from './table.js';

/** What a plot shows; the same description serves the terminal and the SVG file. */
export interface Plot {
  readonly title?: string;
  readonly x: PlotAxis;
  readonly y: PlotAxis;
  readonly series: readonly PlotSeries[];
}

export interface PlotAxis {
  /** With its unit: "contacts", "time, µs". */
  readonly label: string;
  readonly log?: boolean;
  /** Shown at least from here to there; the data widens it. */
  readonly min?: number;
  readonly max?: number;
}

export interface PlotSeries {
  readonly name: string;
  /** In the order in which the line goes through them. Points that an axis cannot show break the line. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** An axis made ready for drawing: where values lie on it and which of them carry a label. */
export interface Scale {
  /** Where a value lies, 0 at the start and 1 at the end of the axis; NaN for what cannot be shown. */
  readonly place: (value: number) => number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** Lays an axis out around the values of all series, with round numbers at both ends. */
export function createScale(axis: PlotAxis, values: readonly number[]): Scale {
  const shown = [...values, axis.min ?? Number.NaN, axis.max ?? Number.NaN].filter(
    (value) => Number.isFinite(value) && (!axis.log || value > 0),
  );
  const low = shown.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = shown.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (shown.length === 0) return axis.log ? createLogScale(1, 10) : createLinearScale(0, 1);
  return axis.log ? createLogScale(low, high) : createLinearScale(low, high);
}

function createLinearScale(low: number, high: number): Scale {
  // A single value gets some room on both sides.
  const room = high > low ? 0 : Math.abs(low) / 2 || 1;
  const step = roundStep((high - low + 2 * room) / 5);
  const first = Math.floor((low - room) / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil((high + room) / step - 1e-9));
  const ticks: Tick[] = [];
  for (let i = first; i <= last; i++) {
    const value = Number((i * step).toPrecision(12));
    ticks.push({ value, label: formatNumber(value) });
  }
  return { place: (value) => (value / step - first) / (last - first), ticks };
}

/** The next step of 1, 2 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const digit = [1, 2, 5].find((candidate) => candidate * power >= step * (1 - 1e-9)) ?? 10;
  return digit * power;
}

function createLogScale(low: number, high: number): Scale {
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.log10(high) - 1e-9));
  // Many decades: label only some, so that the labels do not run into each other.
  const stride = Math.ceil((last - first) / 8);
  const ticks: Tick[] = [];
  for (let power = first; power <= last; power += stride) {
    ticks.push({ value: 10 ** power, label: formatPowerOfTen(power) });
  }
  return { place: (value) => (value > 0 ? (Math.log10(value) - first) / (last - first) : Number.NaN), ticks };
}

function formatPowerOfTen(power: number): string {
  return Math.abs(power) <= 4 ? formatNumber(10 ** power) : `1e${power}`;
}

/** Both axes of a plot, laid out around its data. */
export function createScales(plot: Plot): { x: Scale; y: Scale } {
  const points = plot.series.flatMap((series) => series.points);
  return {
    x: createScale(
      plot.x,
      points.map(([x]) => x),
    ),
    y: createScale(
      plot.y,
      points.map(([, y]) => y),
    ),
  };
}
