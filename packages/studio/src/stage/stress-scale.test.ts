import { describe, expect, it } from 'vitest';
import {
  createFollowingScale,
  formatStress,
  roundUp,
  STRESS_STEPS,
  stepOfStress,
  stressAtStep,
} from './stress-scale.js';

describe('the scale of stress', () => {
  it('rises at once and falls only when it has been too coarse for a while', () => {
    const scale = createFollowingScale();
    scale.follow(3.3e6, 0);
    expect(scale.top).toBe(5e6);
    scale.follow(4e5, 100);
    scale.follow(4e5, 1000);
    expect(scale.top).toBe(5e6);
    scale.follow(4e5, 2200);
    expect(scale.top).toBe(5e5);
  });

  it('stays when nothing is loaded any more', () => {
    const scale = createFollowingScale();
    scale.follow(9e6, 0);
    for (let ms = 0; ms < 10_000; ms += 100) scale.follow(20, ms);
    expect(scale.top).toBe(1e7);
  });

  it('has round ends', () => {
    expect([0.3, 1, 1.01, 2e6, 2.1e6, 7e8].map(roundUp)).toEqual([0.5, 1, 2, 2e6, 5e6, 1e9]);
  });

  it.each([
    [0, '0 Pa'],
    [12.34, '12.3 Pa'],
    [999.7, '1 kPa'],
    [750_000, '750 kPa'],
    [1.254e6, '1.25 MPa'],
    [2e11, '200 GPa'],
  ])('says %d as %s', (pascals, words) => {
    expect(formatStress(pascals)).toBe(words);
  });

  it('goes through the slider and back', () => {
    for (let step = 0; step <= STRESS_STEPS; step += 1) expect(stepOfStress(stressAtStep(step))).toBe(step);
    expect(stressAtStep(STRESS_STEPS)).toBe(1e10);
    expect(stepOfStress(0)).toBe(0);
  });
});
