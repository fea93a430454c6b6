import type { NumberParameter, NumberRange, VectorParameter } from './parameter.js';

/** `above 0`, `from 3 to 32`, `0 or more`, `1`; empty without any bound. */
export function describeRange({ min, above, max }: NumberRange): string {
  if (min !== undefined && min === max) return show(min);
  if (above !== undefined)
    return max === undefined ? `above ${show(above)}` : `above ${show(above)}, at most ${show(max)}`;
  if (min !== undefined) return max === undefined ? `${show(min)} or more` : `from ${show(min)} to ${show(max)}`;
  return max === undefined ? '' : `at most ${show(max)}`;
}

/** With an exponent where that spares counting zeros. */
function show(value: number): string {
  const [plain, exponent] = [String(value), value.toExponential().replace('e+', 'e')];
  return exponent.length + 2 < plain.length ? exponent : plain;
}

export function isWithin(value: number, { min, above, max }: NumberRange): boolean {
  if (!Number.isFinite(value)) return false;
  return !(
    (min !== undefined && value < min) ||
    (above !== undefined && value <= above) ||
    (max !== undefined && value > max)
  );
}

/** `a whole number from 3 to 32 (sides)`. */
export function expectedNumber(parameter: NumberParameter): string {
  const { min, max, whole, unit } = parameter;
  if (min !== undefined && min === max) return String(min);
  return words(whole ? 'a whole number' : 'a number', describeRange(parameter), unit && `(${unit})`);
}

/** `a list of 3 numbers above 0 (m)`. */
export function expectedVector(parameter: VectorParameter): string {
  if (parameter.rotation) return 'a quaternion [x, y, z, w] of four numbers, not all 0';
  const { length, unit } = parameter;
  return words(`a list of ${length} numbers`, describeRange(parameter), unit && `(${unit})`);
}

function words(...parts: string[]): string {
  return parts.filter(Boolean).join(' ');
}
