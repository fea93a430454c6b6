import { describe, expect, it } from 'vitest';
import { createGrip } from './grip.js';
import { createMouseKeyboard } from './mouse-keyboard.js';
import type { ViewAxes } from './page-device.js';

/** Looks along the world's x, with z up. */
function readView({ right, up, away }: ViewAxes) {
  right.set([0, -1, 0]);
  up.set([0, 0, 1]);
  away.set([1, 0, 0]);
}

function openMouse() {
  const grip = createGrip({ home: [0, 0, 0, 0, 0, 0, 1], sink: { putPose: () => {} } });
  return { grip, mouse: createMouseKeyboard({ grip, readView }) };
}

describe('createMouseKeyboard', () => {
  it('moves along the directions of the view', () => {
    const { grip, mouse } = openMouse();
    mouse.move(0.01, 0.02, 0.03);
    expect([...grip.pose.subarray(0, 3)]).toEqual([0.03, -0.01, 0.02]);
    mouse.shift(0.01, 0, 0);
    expect(grip.pose[0]).toBeCloseTo(0.04);
  });

  it.each([
    [0.2, 0, 0, [0, -1, 0]],
    [0, 0.2, 0, [0, 0, 1]],
    [0, 0, 0.2, [-1, 0, 0]],
  ])('turns by %d, %d, %d about %j', (aboutRight, aboutUp, aboutEye, axis) => {
    const { grip, mouse } = openMouse();
    mouse.turn(aboutRight, aboutUp, aboutEye);
    expect([...grip.pose.subarray(3, 6)]).toEqual(axis.map((part) => expect.closeTo(part * Math.sin(0.1), 12)));
  });
});
