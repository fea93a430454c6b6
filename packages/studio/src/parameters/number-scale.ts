/** Numbers as the panel shows them: in which unit, over which range of a slider, in which words. */
import type { NumberParameter, NumberRange, VectorParameter } from '@palpable/engine/advanced';

import { anyBody } from './material-parameters.js';

/** Positions of a slider are whole numbers from 0 to `steps`. */
export interface SliderScale {
  readonly steps: number;
  toPosition(value: number): number;
  toValue(position: number): number;
}

interface ShownUnit {
  readonly unit: string;
  /** Shown = value × factor. */
  readonly factor: number;
}

/**
 * Ends of the slider where the allowed range is much wider than what is of use. The number field takes all that is
 * allowed.
 */
const SLIDER_ENDS: Readonly<Record<string, readonly [number, number]>> = {
  'contact.stiffness': [10, 1e6],
  'contact.margin': [0, 0.02],
  'contact.maxContacts': [10, 1e5],
  'method.safetyMargin': [1e-5, 0.1],
  'method.absoluteTolerance': [1e-6, 0.01],
  'method.distanceTolerance': [1e-5, 0.1],
  'method.contactRatio': [1, 100],
  'method.mass': [1e-4, 10],
  'method.contactDamping': [0, 50],
  'method.fadeAfter': [0, 1],
  'method.fadeTime': [0, 1],
  'friction.coefficient': [0, 2],
  'friction.static': [0, 2],
  'friction.kinetic': [0, 2],
  'friction.viscous': [0, 1],
  'friction.rotational': [0, 2],
  'friction.springStiffness': [10, 1e6],
  'friction.maxIterations': [10, 1e5],
  'friction.tolerance': [1e-12, 0.1],
  'coupling.stiffness': [1, 1e5],
  'coupling.torsionalStiffness': [0.01, 1000],
  'coupling.damping': [0, 50],
  'coupling.torsionalDamping': [0, 0.5],
  'coupling.maxForce': [0.1, 1000],
  'coupling.maxTorque': [1e-3, 100],
  'method.alarmDistance': [1e-5, 0.1],
  'method.solverTolerance': [1e-9, 1e-3],
  'method.maxSweeps': [10, 1e4],
  'bodies.*.density': [10, 1e5],
  'bodies.*.deformable.young': [1e3, 1e12],
  'bodies.*.deformable.massDamping': [0.01, 1e4],
  'bodies.*.deformable.stiffnessDamping': [1e-6, 0.1],
};

/** From here on a straight scale would have all small values in its first step. */
const WIDEST_STRAIGHT = 1000;
/** The round numbers of a decade that divide it most evenly (Renard's series R20, rounded). */
const ROUND_NUMBERS = [1, 1.1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.5, 2.8, 3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9] as const;
const STEPS_PER_DECADE = ROUND_NUMBERS.length;
/** A straight scale has at least so many steps, unless it counts whole things. */
const LEAST_STEPS = 100;

/** Lengths are shown in millimetres, stiffness of materials in megapascals, everything else as it is. */
export function shownUnit({ unit }: NumberParameter | VectorParameter): ShownUnit {
  if (unit === 'm') return { unit: 'mm', factor: 1000 };
  return unit === 'Pa' ? { unit: 'MPa', factor: 1e-6 } : { unit, factor: 1 };
}

export function sliderScale(path: string, parameter: NumberParameter): SliderScale {
  const [low, high] = SLIDER_ENDS[anyBody(path)] ?? [parameter.min ?? parameter.above ?? 0, parameter.max ?? 1];
  return low > 0 && high / low >= WIDEST_STRAIGHT ? logScale(low, high) : straightScale(low, high, parameter.whole);
}

/** Between two powers of ten. */
function logScale(low: number, high: number): SliderScale {
  const first = Math.round(Math.log10(low));
  const steps = STEPS_PER_DECADE * (Math.round(Math.log10(high)) - first);
  return {
    steps,
    toPosition: (value) => (value <= 0 ? 0 : clamp(STEPS_PER_DECADE * (Math.log10(value) - first), steps)),
    toValue: (position) => {
      const decade = Math.floor(position / STEPS_PER_DECADE);
      // Read as it is written, for powers of ten are not exact.
      return Number(`${ROUND_NUMBERS[position - decade * STEPS_PER_DECADE]}e${first + decade}`);
    },
  };
}

function straightScale(low: number, high: number, whole = false): SliderScale {
  const step = whole ? 1 : 10 ** Math.floor(Math.log10((high - low) / LEAST_STEPS) + 1e-9);
  const steps = Math.round((high - low) / step);
  return {
    steps,
    toPosition: (value) => clamp((value - low) / step, steps),
    toValue: (position) => round(low + position * step, 6),
  };
}

function clamp(position: number, steps: number): number {
  return Math.round(Math.min(steps, Math.max(0, position)));
}

function round(value: number, digits: number): number {
  return Number(value.toPrecision(digits));
}

/** In the unit that is shown, as it stands in a number field. */
export function formatNumber(value: number, { factor }: ShownUnit): string {
  return String(round(value * factor, 7))
    .replace('-', '−')
    .replace('e−', 'e-')
    .replace('e+', 'e');
}

/** What was typed, in the unit of the scene file; or a sentence why it cannot be taken. */
export function parseNumber(text: string, parameter: NumberParameter | VectorParameter): number | string {
  const { factor, unit } = shownUnit(parameter);
  const typed = text.trim().replace('−', '-');
  const shown = typed === '' ? Number.NaN : Number(typed);
  const withUnit = unit && ` (${unit})`;
  if (!Number.isFinite(shown)) return `“${text.trim()}” is not a number. Write it like 0.5 or 1e4${withUnit}.`;
  const value = factor === 1 ? shown : round(shown / factor, 12);
  if (parameter.kind === 'number' && parameter.whole && !Number.isInteger(value)) {
    return `${text.trim()} is not a whole number. Allowed: ${describeRange(parameter)}.`;
  }
  if (!isWithin(value, parameter)) return `${text.trim()} is out of range. Allowed: ${describeRange(parameter)}.`;
  return value;
}

function isWithin(value: number, { min = Number.NEGATIVE_INFINITY, above, max = Infinity }: NumberRange): boolean {
  return value >= min && value <= max && (above === undefined || value > above);
}

/** `0 to 0.99`, `above 0, up to 1000 mm`. */
export function describeRange(parameter: NumberParameter | VectorParameter): string {
  const { min, above, max } = parameter;
  const shown = shownUnit(parameter);
  const say = (value: number) => formatNumber(value, shown);
  const unit = shown.unit && ` ${shown.unit}`;
  if (above !== undefined) return `above ${say(above)}${max === undefined ? '' : `, up to ${say(max)}`}${unit}`;
  if (min !== undefined && max !== undefined) return `${say(min)} to ${say(max)}${unit}`;
  if (min !== undefined) return `${say(min)}${unit} or more`;
  return max === undefined ? `any number${unit && ` (${shown.unit})`}` : `up to ${say(max)}${unit}`;
}
