/** Which stress has the strongest colour, and stresses in words. */

/** Stress below this part of the scale is what is left of a load that is gone. */
const UNLOADED = 0.02;
/** Below this part the scale is too coarse. */
const COARSE = 0.2;
/** For so long, before the scale changes, ms. */
const PATIENCE_MS = 2000;
/** Weaker ones are the noise of single precision, Pa. */
const LEAST = 10;

/** Rises at once, falls late, and stays where it was when nothing is loaded: colours must not flicker. */
export function createFollowingScale() {
  let top = LEAST;
  let coarseSince: number | undefined;
  return {
    /** Pa */
    get top() {
      return top;
    },
    /** Gets the largest stress at present, Pa. */
    follow(stress: number, nowMs: number) {
      const isCoarse = stress > UNLOADED * top && stress < COARSE * top;
      if (!isCoarse) coarseSince = undefined;
      else coarseSince ??= nowMs;
      const isLate = coarseSince !== undefined && nowMs - coarseSince > PATIENCE_MS;
      if (stress > top || isLate) top = Math.max(LEAST, roundUp(stress));
    },
  };
}

/** The next of 1, 2, 5, 10, … */
export function roundUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5].find((mantissa) => mantissa * decade >= 0.999_999 * value) ?? 10;
  return Number((step * decade).toPrecision(1));
}

const UNITS = [
  [1e9, 'GPa'],
  [1e6, 'MPa'],
  [1e3, 'kPa'],
] as const;

/** `0 Pa`, `750 kPa`, `1.25 MPa`. */
export function formatStress(pascals: number): string {
  const [size, unit] = UNITS.find(([least]) => pascals >= 0.9995 * least) ?? [1, 'Pa'];
  const value = pascals / size;
  const digits = value >= 99.95 || value === 0 ? 0 : value >= 9.995 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${unit}`;
}

/** Positions of the slider of a fixed scale: three steps to a decade, from 100 Pa. */
const FIRST_DECADE = 2;
export const STRESS_STEPS = 24;

export function stressAtStep(step: number): number {
  return Number(`${[1, 2, 5][step % 3]}e${FIRST_DECADE + Math.floor(step / 3)}`);
}

export function stepOfStress(pascals: number): number {
  let nearest = 0;
  for (let step = 1; step <= STRESS_STEPS; step += 1) {
    const distance = (of: number) => Math.abs(Math.log(stressAtStep(of) / Math.max(pascals, LEAST)));
    if (distance(step) < distance(nearest)) nearest = step;
  }
  return nearest;
}
