import { describe, expect, it } from 'vitest';
import { createGrip } from './grip.js';
import type { ViewAxes } from './page-device.js';
import { createRateControl, shapeDeflection } from './rate-control.js';

/** Places in a deflection. */
const [RIGHT, FORWARD, UP, ABOUT_RIGHT, ABOUT_FORWARD, ABOUT_UP] = [0, 1, 2, 3, 4, 5];

/** The view's right, turned by an angle about z from the world's x. */
function openControl(angle = 0) {
  const grip = createGrip({ home: [0, 0, 0, 0, 0, 0, 1], sink: { putPose: () => {} } });
  const readView = ({ right }: ViewAxes) => right.set([Math.cos(angle), Math.sin(angle), 0]);
  return { grip, rate: createRateControl(grip, readView, 0.1) };
}

describe('shapeDeflection', () => {
  it.each([
    [0, 0],
    [0.1, 0],
    [-0.1, 0],
    [0.55, 0.25],
    [-0.55, -0.25],
    [1, 1],
    [-7, -1],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
  ])('takes %d to %d', (deflection, speed) => {
    expect(shapeDeflection(deflection, 0.1)).toBeCloseTo(speed, 12);
  });

  it('grows steadily', () => {
    let last = -1;
    for (let deflection = -1; deflection <= 1; deflection += 0.01) {
      const speed = shapeDeflection(deflection, 0.1);
      expect(speed).toBeGreaterThanOrEqual(last);
      last = speed;
    }
  });
});

describe('createRateControl', () => {
  it.each([
    [RIGHT, [1, 0, 0]],
    [FORWARD, [0, 1, 0]],
    [UP, [0, 0, 1]],
  ])('moves along direction %d', (direction, expected) => {
    const { grip, rate } = openControl();
    rate.deflection[direction] = 1;
    rate.step(0.04);
    expect([...grip.pose.subarray(0, 3)]).toEqual(expected.map((part) => expect.closeTo(0.01 * part, 12)));
  });

  it.each([
    [ABOUT_RIGHT, 3],
    [ABOUT_FORWARD, 4],
    [ABOUT_UP, 5],
  ])('turns about direction %d, right-handed', (direction, component) => {
    const { grip, rate } = openControl();
    rate.deflection[direction] = 1;
    rate.step(0.04);
    expect(grip.pose[component]).toBeCloseTo(Math.sin(0.03), 12);
  });

  it('follows the heading of the view and stays upright', () => {
    const { grip, rate } = openControl(Math.PI / 2);
    rate.deflection[RIGHT] = 1;
    rate.deflection[UP] = 1;
    rate.step(0.04);
    expect([...grip.pose.subarray(0, 3)]).toEqual([
      expect.closeTo(0, 12),
      expect.closeTo(0.01, 12),
      expect.closeTo(0.01, 12),
    ]);
  });

  it('moves the same in one step as in many, but never for a page that slept', () => {
    const one = openControl();
    const many = openControl();
    one.rate.deflection[FORWARD] = 0.7;
    many.rate.deflection[FORWARD] = 0.7;
    one.rate.step(0.1);
    for (let k = 0; k < 100; k += 1) many.rate.step(0.001);
    expect(many.grip.pose[1]).toBeCloseTo(one.grip.pose[1]!, 12);
    const slept = openControl();
    slept.rate.deflection[FORWARD] = 0.7;
    slept.rate.step(3600);
    expect(slept.grip.pose[1]).toBe(one.grip.pose[1]);
  });

  it('rests in the dead zone and after release', () => {
    const { grip, rate } = openControl();
    rate.deflection.fill(0.1);
    expect(rate.isDeflected).toBe(false);
    rate.step(0.1);
    rate.deflection.fill(1);
    expect(rate.isDeflected).toBe(true);
    rate.release();
    rate.step(0.1);
    expect([...grip.pose]).toEqual([0, 0, 0, 0, 0, 0, 1]);
  });
});
