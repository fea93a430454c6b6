import { describe, expect, it } from 'vitest';
import { DEPTH_RAMP, depthColour, parseHex, rampGradient } from './colours.js';

describe('colour ramp', () => {
  it('has its stops at the ends and in the middle', () => {
    DEPTH_RAMP.stops.forEach((stop, i) => {
      const colour = depthColour(DEPTH_RAMP.toMm * (i / 2));
      parseHex(stop).forEach((part, k) => {
        expect(colour[k]).toBeCloseTo(part, 6);
      });
    });
  });

  it('keeps the ends beyond them', () => {
    expect(depthColour(-5)).toEqual(depthColour(0));
    expect(depthColour(500)).toEqual(depthColour(DEPTH_RAMP.toMm));
  });

  it('is a gradient for the legend', () => {
    expect(rampGradient(['#000000', '#ffffff'])).toBe('linear-gradient(to right, #000000, #ffffff)');
  });
});
