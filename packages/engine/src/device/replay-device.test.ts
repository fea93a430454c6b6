import { expect, test } from 'vitest';
import { createPose } from '../math/pose.js';
import { createReplayDevice } from './replay-device.js';

const LIMITS = { force: 3, torque: 0.1 };
const POSES = Float64Array.from({ length: 7 * 4 }, (_, k) => k);

test('says every sample once, in order, and then nothing', () => {
  const device = createReplayDevice({ count: 4, poses: POSES }, LIMITS);
  const pose = createPose();
  for (let cycle = 0; cycle < 4; cycle += 1) {
    expect(device.read(pose)).toBe(true);
    expect([...pose]).toEqual([...POSES.subarray(7 * cycle, 7 * cycle + 7)]);
    device.write(new Float64Array(6));
  }
  expect([device.read(pose), device.read(pose)]).toEqual([false, false]);
  expect([...pose]).toEqual([...POSES.subarray(21)]);
  expect(device.limits).toBe(LIMITS);
});

test('tells silence, bad samples, buttons and an open hand cycle by cycle', () => {
  const device = createReplayDevice(
    { count: 4, poses: POSES, fresh: [1, 0, 2, 1], buttons: [0, 5, 1, 0], released: [0, 0, 1, 1] },
    LIMITS,
    { silentAfter: 0.5 },
  );
  const pose = createPose();
  const told = [0, 1, 2, 3].map(() => {
    pose.fill(-1);
    return [device.read(pose), pose[0], device.buttons, device.isReleased];
  });
  expect(told).toEqual([
    [true, 0, 0, false],
    [false, -1, 5, false],
    [true, Number.NaN, 1, true],
    [true, 21, 0, true],
  ]);
  expect(device.silentAfter).toBe(0.5);
});

test('begins again if asked to', () => {
  const device = createReplayDevice({ count: 4, poses: POSES }, LIMITS, { repeat: true });
  const pose = createPose();
  const firsts = Array.from({ length: 10 }, () => (device.read(pose) ? pose[0] : null));
  expect(firsts).toEqual([0, 7, 14, 21, 0, 7, 14, 21, 0, 7]);
  expect(createReplayDevice({ count: 0, poses: POSES }, LIMITS, { repeat: true }).read(pose)).toBe(false);
});
