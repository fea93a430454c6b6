import { describe, expect, it } from 'vitest';
import { DEPTH_RAMP, parseHex, rampGradient, writeRampColour } from './colours.js';

function colourAt(valueMm: number): number[] {
  const out = new Float32Array(5);
  writeRampColour(out, 1, DEPTH_RAMP, valueMm);
  return [...out.subarray(1, 4)];
}

describe('colour ramp', () => {
  it('has its stops at the ends and in the middle', () => {
    DEPTH_RAMP.stops.forEach((stop, i) => {
      const colour = colourAt(DEPTH_RAMP.toMm * (i / 2));
      parseHex(stop).forEach((part, k) => {
        expect(colour[k]).toBeCloseTo(part, 6);
      });
    });
  });

  it('keeps the ends beyond them', () => {
    expect(colourAt(-5)).toEqual(colourAt(0));
    expect(colourAt(500)).toEqual(colourAt(DEPTH_RAMP.toMm));
  });

  it('is a gradient for the legend', () => {
    expect(rampGradient(['#000000', '#ffffff'])).toBe('linear-gradient(to right, #000000, #ffffff)');
  });
});
