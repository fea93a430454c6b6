import { describe, expect, it } from 'vitest';
import { PAGE_DEVICE_LIMITS } from './page-device.js';
import { createRumble } from './rumble.js';

const FREE = new Float64Array(6);
const push = (force: number) => Float64Array.of(0, 0, -force, 0, 0, 0);

describe('createRumble', () => {
  it('is as strong as the force is near its limit', () => {
    expect(createRumble().next(push(PAGE_DEVICE_LIMITS.force / 4), 0)).toBeCloseTo(0.25);
    expect(createRumble().next(push(100 * PAGE_DEVICE_LIMITS.force), 0)).toBe(1);
  });

  it('commands at most every 50 ms', () => {
    const rumble = createRumble();
    const commandedAt: number[] = [];
    for (let timeMs = 0; timeMs < 300; timeMs += 16) {
      if (rumble.next(push(3), timeMs) !== undefined) commandedAt.push(timeMs);
    }
    expect(commandedAt).toEqual([0, 64, 128, 192, 256]);
  });

  it('stops once and at once when the hand is free', () => {
    const rumble = createRumble();
    expect(rumble.next(FREE, 0)).toBeUndefined();
    rumble.next(push(3), 10);
    expect(rumble.next(FREE, 20)).toBe(0);
    expect(rumble.next(FREE, 30)).toBeUndefined();
    // Chattering contact cannot flood the driver either.
    expect(rumble.next(push(3), 40)).toBeUndefined();
    expect(rumble.next(push(3), 60)).toBeCloseTo(0.3);
  });

  it('takes what is no number for no force', () => {
    expect(createRumble().next(push(Number.NaN), 0)).toBeUndefined();
  });
});
