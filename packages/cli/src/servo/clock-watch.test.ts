import { expect, test } from 'vitest';
import { createClockWatch } from './clock-watch.js';

test('a clock that is set is noticed once, with its sign; one that is corrected slowly is not', () => {
  let offset = 1e12;
  let now = 0;
  const watch = createClockWatch(() => Math.floor(now + offset));
  const looks = (count: number) =>
    Array.from({ length: count }, () => {
      now += 10;
      offset += 0.005;
      return watch.look(now);
    });
  expect(looks(1000).every((jump) => jump === 0)).toBe(true);
  offset -= 3_600_000;
  const [jump, ...rest] = looks(100);
  expect(jump).toBeCloseTo(-3600, 2);
  expect(rest.every((later) => later === 0)).toBe(true);
});
