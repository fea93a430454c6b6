import { describe, expect, it } from 'vitest';
import { angleBetween, gestureOf } from './touch-gesture.js';

describe('gestureOf', () => {
  it('measures from the first finger to the middle of the others', () => {
    const gesture = gestureOf({ x: 10, y: 10 }, [
      { x: 10, y: 20 },
      { x: 10, y: 40 },
    ]);
    expect(gesture).toEqual({ x: 10, y: 30, spread: 20, angle: Math.PI / 2 });
  });
});

describe('angleBetween', () => {
  it.each([
    [0.1, 0.3, 0.2],
    [3.1, -3.1, 2 * Math.PI - 6.2],
    [-3.1, 3.1, 6.2 - 2 * Math.PI],
    [0, 7, 7 - 2 * Math.PI],
  ])('from %d to %d is %d', (from, to, turn) => {
    expect(angleBetween(from, to)).toBeCloseTo(turn, 12);
  });
});
