/**
 * Colours that carry a meaning, one place for the stage and for the legends. Contact is warm, the field is purple and
 * green (told apart by people who do not tell red from green), the bodies are neither.
 */

/** A colour as red, green, blue from 0 to 1, as the screen shows it (sRGB). */
export type Rgb = readonly [number, number, number];

export interface Ramp {
  /** From the low end to the high end, evenly spaced. */
  readonly stops: readonly string[];
  /** Value at the low and at the high end, millimetres. */
  readonly fromMm: number;
  readonly toMm: number;
}

/** Depth of a contact. */
export const DEPTH_RAMP: Ramp = { stops: ['#ffd23f', '#f3722c', '#b5179e'], fromMm: 0, toMm: 20 };

/** Distance in the slice, below zero inside. The two colours in the middle meet at the surface. */
export const DISTANCE_RAMP = {
  inside: { deep: '#54278f', near: '#cdbfe3' },
  outside: { near: '#c9e7dd', far: '#0b6e62' },
  rangeMm: 120,
  /** From one line of equal distance to the next. */
  stepMm: 10,
} as const;

export function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

/** Writes the ramp's colour at `valueMm` into three numbers of `out`; beyond the ends the ends' colours stay. */
export function writeRampColour(out: Float32Array, offset: number, ramp: Ramp, valueMm: number): void {
  const spans = ramp.stops.length - 1;
  const place = clamp01((valueMm - ramp.fromMm) / (ramp.toMm - ramp.fromMm)) * spans;
  const span = Math.min(spans - 1, Math.floor(place));
  const low = stopColours(ramp)[span]!;
  const high = stopColours(ramp)[span + 1]!;
  const share = place - span;
  for (let k = 0; k < 3; k++) out[offset + k] = low[k]! + (high[k]! - low[k]!) * share;
}

const parsedStops = new WeakMap<Ramp, Rgb[]>();

function stopColours(ramp: Ramp): Rgb[] {
  let stops = parsedStops.get(ramp);
  if (!stops) {
    stops = ramp.stops.map(parseHex);
    parsedStops.set(ramp, stops);
  }
  return stops;
}

function clamp01(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** The ramp as a CSS gradient, for legends. */
export function rampGradient(stops: readonly string[]): string {
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** A contact by what friction does there. Told apart by lightness and by shape too. */
export const STATE_COLOURS = { none: '#c3ccd6', stick: '#ffd23f', slip: '#e8590c' } as const;

/** Levels of detail: light where they are finest, strong where the whole body is one piece. */
export const LEVEL_RAMP = ['#7ff5dd', '#006b5e'] as const;

/** Stress, from none to the most: lightness alone tells it, and it is cool, so that contacts stand out of it. */
export const STRESS_RAMP = ['#dde7ef', '#a8d5d2', '#56b0c4', '#2c76b6', '#23358c'] as const;

/** Steps of a ramp that was worked out beforehand. */
export const TABLE_STEPS = 256;

export function rampTable(stops: readonly string[]): Rgb[] {
  const colours = stops.map(parseHex);
  const spans = stops.length - 1;
  return Array.from({ length: TABLE_STEPS }, (_, step): Rgb => {
    const place = (spans * step) / (TABLE_STEPS - 1);
    const span = Math.min(spans - 1, Math.floor(place));
    const mix = (k: 0 | 1 | 2) => colours[span]![k] + (colours[span + 1]![k] - colours[span]![k]) * (place - span);
    return [mix(0), mix(1), mix(2)];
  });
}

/** Couplings of contacts along the normal and the two tangents (Duriez et al., fig. 9): lights that make white together. */
export const COUPLING_COLOURS = ['#ff5a52', '#3fd06a', '#4f8dff'] as const;
export const COUPLING_GROUND = '#0d1115';
