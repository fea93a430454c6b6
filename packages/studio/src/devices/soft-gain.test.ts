import { expect, it } from 'vitest';
import { createSoftGain } from './soft-gain.js';

it('comes slowly, goes quickly', () => {
  const gain = createSoftGain();
  gain.drop(1000);
  expect(gain.at(1000)).toBe(0);
  expect(gain.at(1500)).toBeCloseTo(0.5, 12);
  expect(gain.at(9000)).toBe(1);
  gain.setOpen(false, 9000);
  expect(gain.at(9050)).toBeCloseTo(0.5, 12);
  expect(gain.at(9100)).toBe(0);
  expect(gain.at(20_000)).toBe(0);
  gain.setOpen(true, 20_000);
  expect(gain.at(20_100)).toBeCloseTo(0.1, 12);
  gain.drop(20_100);
  expect(gain.at(20_100)).toBe(0);
});
