import { expect, test } from 'vitest';
import { createClockWatch } from './clock-watch.js';

function openWatch() {
  const time = { now: 0, offset: 1e12, delay: 0 };
  const watch = createClockWatch(
    () => time.now,
    () => {
      time.now += time.delay;
      return Math.floor(time.now + time.offset);
    },
  );
  const looks = (count: number) =>
    Array.from({ length: count }, () => {
      time.now += 10;
      time.offset += 0.005;
      return watch.look();
    });
  return { time, looks };
}

test('a clock that is set is noticed once, with its sign; one that is corrected slowly is not', () => {
  const { time, looks } = openWatch();
  expect(looks(1000).every((jump) => jump === 0)).toBe(true);
  time.offset -= 3_600_000;
  const [jump, ...rest] = looks(100);
  expect(jump).toBeCloseTo(-3600, 2);
  expect(rest.every((later) => later === 0)).toBe(true);
});

test('a thread that was held up between two readings sees no jump', () => {
  const { time, looks } = openWatch();
  time.delay = 200;
  expect(looks(2)).toEqual([0, 0]);
  time.delay = 0;
  expect(looks(2)).toEqual([0, 0]);
  time.delay = 200;
  expect(looks(2)).toEqual([0, 0]);
  time.offset += 5000;
  time.delay = 0;
  expect(looks(2).map(Math.round)).toEqual([5, 0]);
});
