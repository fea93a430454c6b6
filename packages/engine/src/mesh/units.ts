import { PalpableError } from '../base/errors.js';

/** Units of length that a file may be in; metres inside. */
export type LengthUnit = 'm' | 'mm' | 'cm' | 'um' | 'in' | 'ft';

const METRES: Readonly<Record<LengthUnit, number>> = { m: 1, mm: 1e-3, cm: 1e-2, um: 1e-6, in: 0.0254, ft: 0.3048 };

/** Metres per unit. Takes any string, since units come from files and command lines. */
export function metresPerUnit(unit: string): number {
  if (Object.hasOwn(METRES, unit)) return METRES[unit as LengthUnit];
  throw new PalpableError(
    'option-invalid',
    `The unit "${unit.slice(0, 20)}" is not known; use one of ${Object.keys(METRES).join(', ')}.`,
  );
}
