import { InvalidArgumentError } from 'commander';

/** A reader of an option's value that accepts whole numbers of a range. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

/** Reads numbers above zero: lengths, tolerances, spacings. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('Give a number above zero.');
}

/** Reads distances that may also be nothing at all: offsets, tolerances of welding. */
export function distance(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError('Give a number of metres, 0 or more.');
}
