/**
 * Colours that carry a meaning, one place for the stage and for the legends. Contact is warm, the field is purple and
 * green (which people who confuse red and green can distinguish), the bodies are neither.
 */

/** A colour as red, green, blue from 0 to 1, as the screen shows it (sRGB). */
export type Rgb = readonly [number, number, number];

/** Depth of a contact: evenly spaced colours from a depth to another. */
export const DEPTH_RAMP = { stops: ['#ffd23f', '#f3722c', '#b5179e'], fromMm: 0, toMm: 20 } as const;

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

/** Steps of a ramp that is worked out beforehand. */
export const TABLE_STEPS = 256;

/** The colours from the first stop to the last, evenly spaced. */
export function rampTable(stops: readonly string[]): Rgb[] {
  const colours = stops.map(parseHex);
  return Array.from({ length: TABLE_STEPS }, (_, step) => blendStops(colours, step / (TABLE_STEPS - 1)));
}

function blendStops(colours: readonly Rgb[], share: number): Rgb {
  const place = (colours.length - 1) * share;
  const span = Math.min(colours.length - 2, Math.floor(place));
  const [low, high] = [colours[span]!, colours[span + 1]!];
  const mix = (k: 0 | 1 | 2) => low[k] + (high[k] - low[k]) * (place - span);
  return [mix(0), mix(1), mix(2)];
}

const depthColours = DEPTH_RAMP.stops.map(parseHex);

/** Colour of a contact by its depth; beyond the ends of the ramp the ends' colours stay. */
export function depthColour(depthMm: number): Rgb {
  const { fromMm, toMm } = DEPTH_RAMP;
  return blendStops(depthColours, Math.min(1, Math.max(0, (depthMm - fromMm) / (toMm - fromMm))));
}

/** The ramp as a CSS gradient, for legends. */
export function rampGradient(stops: readonly string[]): string {
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

/** A contact by what friction does there. Distinguished by lightness and by shape too. */
export const STATE_COLOURS = { none: '#c3ccd6', stick: '#ffd23f', slip: '#e8590c' } as const;

/** Levels of detail: light where they are finest, strong where the whole body is one piece. */
export const LEVEL_RAMP = ['#7ff5dd', '#006b5e'] as const;

/** Stress, from none to the most: lightness alone shows it, and it is cool, so that contacts stand out of it. */
export const STRESS_RAMP = ['#dde7ef', '#a8d5d2', '#56b0c4', '#2c76b6', '#23358c'] as const;

/** Couplings of contacts along the normal and the two tangents (Duriez et al., fig. 9): lights that make white together. */
export const COUPLING_COLOURS = ['#ff5a52', '#3fd06a', '#4f8dff'] as const;
export const COUPLING_GROUND = '#0d1115';
