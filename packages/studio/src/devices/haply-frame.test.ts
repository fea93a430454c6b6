import { describe, expect, it } from 'vitest';
import { blendPose, createHaplyFrame } from './haply-frame.js';

const HALF = Math.SQRT1_2;
const RAW = [0.01, -0.12, 0.15, 0.6, 0, 0, 0.8];
const HOME = [0.2, 0.1, 0.3, 0, HALF, 0, HALF];
const close = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 12));

describe('createHaplyFrame', () => {
  it('means the tool where it is, wherever the hand is', () => {
    const frame = createHaplyFrame();
    const pose = new Float64Array(7);
    frame.anchor(RAW, HOME, 1.1);
    frame.toWorld(pose, RAW);
    expect([...pose]).toEqual(close(HOME));
  });

  it.each([
    ['as it is', 0, [1, 2, 3]],
    ['turned to the left by a quarter', Math.PI / 2, [-2, 1, 3]],
  ])('moves the tool with the device’s frame %s', (_how, yaw, moved) => {
    const frame = createHaplyFrame();
    const pose = new Float64Array(7);
    frame.anchor(RAW, HOME, yaw);
    frame.toWorld(pose, [RAW[0]! + 0.01, RAW[1]! + 0.02, RAW[2]! + 0.03, ...RAW.slice(3)]);
    expect([...pose]).toEqual(close([...moved.map((part, k) => HOME[k]! + 0.01 * part), ...HOME.slice(3)]));
  });

  it('turns the tool about the axis that the hand turns about, in the turned frame', () => {
    const frame = createHaplyFrame();
    const pose = new Float64Array(7);
    // The hand turns about its x, which is the world's y.
    frame.anchor([0, 0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 0, 1], Math.PI / 2);
    frame.toWorld(pose, [0, 0, 0, HALF, 0, 0, HALF]);
    expect([...pose]).toEqual(close([0, 0, 0, 0, HALF, 0, HALF]));
  });

  it('gives a force back along the way that the hand came', () => {
    const frame = createHaplyFrame();
    frame.anchor(RAW, HOME, Math.PI / 2);
    const force = Float64Array.of(-2, 1, 3);
    frame.turnBack(force);
    expect([...force]).toEqual(close([1, 2, 3]));
  });
});

describe('blendPose', () => {
  it('goes the short way, with a rotation of length 1', () => {
    const pose = new Float64Array(7);
    blendPose(pose, [0, 0, 0, 0, 0, 0, 1], [1, 2, 3, 0, 0, -1, 0], 0.5);
    expect([...pose.subarray(0, 3)]).toEqual([0.5, 1, 1.5]);
    expect(Math.hypot(...pose.subarray(3))).toBeCloseTo(1, 12);
  });
});
