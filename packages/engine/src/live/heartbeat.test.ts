import { expect, test } from 'vitest';
import { createHeartbeat } from './heartbeat.js';

test('silence is noticed at 50 ms, and forgotten with the next beat', () => {
  const heartbeat = createHeartbeat();
  for (let now = 0; now <= 100; now += 10) expect(heartbeat.look(now, now)).toBe(0);
  expect([110, 120, 130, 140, 150].map((now) => heartbeat.look(100, now))).toEqual([10, 20, 30, 40, 50]);
  expect(heartbeat.look(101, 160)).toBe(0);
  expect(heartbeat.look(101, 170)).toBe(10);
  heartbeat.forgive();
  expect(heartbeat.look(101, 180)).toBe(10);
});

test('a watcher that slept itself takes nobody for dead', () => {
  const heartbeat = createHeartbeat();
  heartbeat.look(1, 0);
  expect(heartbeat.look(1, 5000)).toBe(15);
  expect(heartbeat.look(1, 10_000)).toBe(30);
  expect(heartbeat.look(2, 15_000)).toBe(0);
});
