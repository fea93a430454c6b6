import type { NumberParameter, VectorParameter } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { describeRange, formatNumber, parseNumber, shownUnit, sliderScale } from './number-scale.js';
import { liveParameter, liveParameters } from './parameter-model.js';

const numbers = liveParameters.flatMap(({ path, parameter }) =>
  parameter.kind === 'number' ? [{ path, parameter }] : [],
);
const numberAt = (path: string) => liveParameter(path)!.parameter as NumberParameter;

describe('sliderScale', () => {
  it.each(numbers)('can reach every position of $path and stays within what is allowed', ({ path, parameter }) => {
    const scale = sliderScale(path, parameter);
    expect(scale.steps).toBeGreaterThan(10);
    expect(scale.steps).toBeLessThanOrEqual(1000);
    for (let position = 0; position <= scale.steps; position += 1) {
      const value = scale.toValue(position);
      expect(scale.toPosition(value)).toBe(position);
      expect(parseNumber(formatNumber(value, shownUnit(parameter)), parameter)).toBe(value);
    }
  });

  it.each(numbers)('has the default of $path on its way', ({ path, parameter }) => {
    if (parameter.default === null || parameter.default === undefined) return;
    const scale = sliderScale(path, parameter);
    expect(scale.toValue(scale.toPosition(parameter.default))).toBe(parameter.default);
  });

  it('goes by decades where the range is wide, and straight elsewhere', () => {
    const stiffness = sliderScale('contact.stiffness', numberAt('contact.stiffness'));
    expect(stiffness.toValue(0)).toBe(10);
    expect(stiffness.toValue(stiffness.steps)).toBe(1e6);
    expect(stiffness.toValue(stiffness.steps / 5)).toBe(100);
    const friction = sliderScale('friction.coefficient', numberAt('friction.coefficient'));
    expect(friction.toValue(friction.steps / 4)).toBe(0.5);
  });

  it('stays at its ends for values beyond them', () => {
    const scale = sliderScale('coupling.stiffness', numberAt('coupling.stiffness'));
    expect(scale.toPosition(1e7)).toBe(scale.steps);
    expect(scale.toPosition(0)).toBe(0);
  });
});

describe('numbers in words', () => {
  it('shows lengths in millimetres', () => {
    const margin = numberAt('method.safetyMargin');
    expect(formatNumber(0.003, shownUnit(margin))).toBe('3');
    expect(parseNumber('3.1', margin)).toBe(0.0031);
    expect(describeRange(margin)).toBe('above 0, up to 1000 mm');
  });

  it('writes small and negative numbers as they are read', () => {
    expect(formatNumber(1e-8, shownUnit(numberAt('friction.tolerance')))).toBe('1e-8');
    const gravity = liveParameter('gravity')!.parameter as VectorParameter;
    expect(formatNumber(-9.81, shownUnit(gravity))).toBe('−9.81');
    expect(parseNumber('−9.81', gravity)).toBe(-9.81);
    expect(describeRange(gravity)).toBe('−1000 to 1000 m/s²');
  });

  it('says why something cannot be taken', () => {
    expect(parseNumber('abc', numberAt('friction.coefficient'))).toMatch(/“abc” is not a number/);
    expect(parseNumber('', numberAt('friction.coefficient'))).toMatch(/not a number/);
    expect(parseNumber('-1', numberAt('friction.coefficient'))).toBe('-1 is out of range. Allowed: 0 to 10000.');
    expect(parseNumber('0', numberAt('contact.stiffness'))).toMatch(/above 0/);
    expect(parseNumber('4.5', numberAt('friction.sides'))).toBe('4.5 is not a whole number. Allowed: 3 to 32 sides.');
    expect(parseNumber('1e4', numberAt('contact.stiffness'))).toBe(10000);
  });
});
