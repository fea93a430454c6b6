/** Ranges and ticks of axes: round numbers, few of them. */
export interface AxisRange {
  readonly low: number;
  readonly high: number;
}

/** Steps between ticks are one of these times a power of ten. */
const STEPS = [1, 2, 5, 10];
/** A range shrinks when less than this part of it is used: not at once, or the lines would never come to rest. */
const SHRINK_BELOW = 0.4;
/** Ranges end at a multiple of a step of which they hold about so many. */
const STEPS_IN_RANGE = 6;

/** The smallest round step of which no more than `most` fit into `span`. */
export function roundStep(span: number, most: number): number {
  const least = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  // A hair of room: 0.3 / 3 is a little less than 0.1.
  return power * (STEPS.find((step) => step * power >= least * (1 - 1e-9)) ?? 10);
}

/** Multiples of a round step within the range, no more than about `most`; 0 without a sign. */
export function ticksOf({ low, high }: AxisRange, most: number): number[] {
  const step = roundStep(high - low, most);
  const ticks: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) ticks.push(k * step + 0);
  return ticks;
}

/** Powers of ten within the range. */
export function powerTicks({ low, high }: AxisRange): number[] {
  const ticks: number[] = [];
  for (let power = Math.ceil(Math.log10(low) - 1e-9); 10 ** power <= high * (1 + 1e-9); power += 1) {
    ticks.push(10 ** power);
  }
  return ticks;
}

/**
 * A range round `low` to `high`, at least `least` wide. It widens at once and keeps its width until much less is
 * needed.
 */
export function fitRange(before: AxisRange | undefined, low: number, high: number, least: number): AxisRange {
  const needed = roundRange(low, high, least);
  if (!before || needed.low < before.low || needed.high > before.high) {
    return before ? widen(before, needed) : needed;
  }
  const isMuchLess = needed.high - needed.low < SHRINK_BELOW * (before.high - before.low);
  return isMuchLess ? needed : before;
}

function roundRange(low: number, high: number, least: number): AxisRange {
  const top = high - low < least ? low + least : high;
  const step = roundStep(top - low, STEPS_IN_RANGE);
  return { low: Math.floor(low / step + 1e-9) * step, high: Math.ceil(top / step - 1e-9) * step };
}

/** Only to the side that needs it, unless the other one is no longer of use. */
function widen(before: AxisRange, needed: AxisRange): AxisRange {
  const both = { low: Math.min(before.low, needed.low), high: Math.max(before.high, needed.high) };
  const isMuchMore = needed.high - needed.low < SHRINK_BELOW * (both.high - both.low);
  return isMuchMore ? needed : both;
}

/** Powers of ten: from the first number to at least the second, further where `high` lies above it. */
export function powerRange([low, least]: readonly [number, number], high: number): AxisRange {
  return { low, high: high > least ? 10 ** Math.ceil(Math.log10(high)) : least };
}

/** A tick in as few digits as distinguish it from the next. */
export function formatTick(value: number, step: number): string {
  return formatValue(value, Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))));
}

/** A value to be read beside a plot: always as many digits behind the point, a true minus. */
export function formatValue(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text.replace('-', '−');
}
