import { describe, expect, test } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { createPose, normalizePose, type Pose, rotationMatrix } from '../math/pose.js';
import { rotationBetween, turnPose } from '../math/rotation.js';
import type { Device } from './device.js';
import { BASES, mapDevice, type WorkspaceOptions } from './workspace.js';

const TIME_STEP = 0.001;

/** A device that says what it is told to. */
class PuppetDevice implements Device {
  readonly limits = { force: 4, torque: 0.2 };
  readonly pose = createPose();
  readonly written = new Float64Array(6);
  buttons = 0;
  isReleased = false;
  speaks = true;

  read(out: Pose): boolean {
    if (this.speaks) out.set(this.pose);
    return this.speaks;
  }

  write(wrench: Float64Array): void {
    this.written.set(wrench);
  }
}

function mapped(options: Partial<WorkspaceOptions>) {
  const puppet = new PuppetDevice();
  return { puppet, device: mapDevice(puppet, options, TIME_STEP), pose: createPose() };
}

function randomPose(random: RandomSource, reach = 1): Pose {
  const pose = createPose();
  for (let k = 0; k < 7; k += 1) pose[k] = (2 * random() - 1) * (k < 3 ? reach : 1);
  normalizePose(pose);
  return pose;
}

function quaternion(pose: Pose): [number, number, number, number] {
  return [pose[3], pose[4], pose[5], pose[6]];
}

function turned(q: ArrayLike<number>, v: readonly number[]): number[] {
  const matrix = rotationMatrix(new Float64Array(9), createPose(0, 0, 0, q[0], q[1], q[2], q[3]));
  return [0, 1, 2].map((i) => matrix[3 * i] * v[0] + matrix[3 * i + 1] * v[1] + matrix[3 * i + 2] * v[2]);
}

function expectClose(found: ArrayLike<number>, expected: ArrayLike<number>, within = 1e-12): void {
  expect(found.length).toBe(expected.length);
  for (let k = 0; k < found.length; k += 1) expect(Math.abs(found[k] - expected[k])).toBeLessThan(within);
}

/** Largest of way and angle between two poses. */
function distance(a: Pose, b: Pose): number {
  const turn = new Float64Array(3);
  rotationBetween(turn, a, b);
  return Math.max(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), Math.hypot(...turn));
}

describe('bases', () => {
  const [x, y, z] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const [right, away, up] = [x, y, z];
  const towards = [0, -1, 0];
  test.each([
    ['world', [right, away, up]],
    ['y-up', [right, up, towards]],
    ['chai3d', [towards, right, up]],
  ])('%s: its axes point where its maker says', (name, axes) => {
    [x, y, z].forEach((axis, k) => {
      expectClose(turned(BASES[name], axis), axes[k]);
      const { puppet, device, pose } = mapped({ basis: BASES[name] });
      puppet.pose.set(axis);
      expect(device.read(pose)).toBe(true);
      expectClose(pose.subarray(0, 3), axes[k]);
    });
  });

  test('a turn of the device about its own up is a turn of the tool about the world’s', () => {
    const { puppet, device, pose } = mapped({ basis: BASES['y-up'] });
    const before = createPose();
    device.read(before);
    turnPose(puppet.pose, Float64Array.of(0, 0.3, 0), 0);
    device.read(pose);
    const turn = new Float64Array(3);
    rotationBetween(turn, before, pose);
    expectClose(turn, [0, 0, 0.3]);
  });

  test('limits and buttons are the device’s own', () => {
    const { puppet, device } = mapped({});
    puppet.buttons = 5;
    expect([device.limits, device.buttons, device.isReleased]).toEqual([puppet.limits, 5, false]);
    puppet.isReleased = true;
    expect(device.isReleased).toBe(true);
  });
});

describe('there and back', () => {
  test.each([1, 2, 3, 4, 5])(
    'place and rotation are where basis, scale, origin and grip put them (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      const [frame, inHand] = [randomPose(random), randomPose(random)];
      const scale = 0.1 + 5 * random();
      const options = {
        // Neither has to be of length 1.
        basis: quaternion(frame).map((part) => 3 * part) as [number, number, number, number],
        grip: quaternion(inHand).map((part) => part / 7) as [number, number, number, number],
        scale,
        origin: [frame[0], frame[1], frame[2]] as const,
      };
      const { puppet, device, pose } = mapped(options);
      for (let sample = 0; sample < 50; sample += 1) {
        puppet.pose.set(randomPose(random));
        expect(device.read(pose)).toBe(true);
        const place = turned(
          quaternion(frame),
          [...puppet.pose.subarray(0, 3)].map((part) => scale * part),
        );
        expectClose(
          pose.subarray(0, 3),
          place.map((part, k) => part + frame[k]),
          1e-9,
        );
        // An arrow of the body, taken through grip, device and basis one after the other.
        const arrow = [random(), random(), random()];
        const inWorld = turned(quaternion(frame), turned(quaternion(puppet.pose), turned(quaternion(inHand), arrow)));
        expectClose(turned(quaternion(pose), arrow), inWorld, 1e-9);
      }
    },
  );

  test.each([1, 2, 3])('the power that the hand feels is that of the world over the scale (seed %i)', (seed) => {
    const random = createRandom(seed);
    const [frame, inHand] = [randomPose(random), randomPose(random)];
    const scale = 0.2 + 4 * random();
    const { puppet, device } = mapped({
      basis: quaternion(frame),
      grip: quaternion(inHand),
      scale,
      origin: [1, 2, 3],
    });
    const [before, after, start] = [createPose(), createPose(), createPose()];
    const [turnHand, turnWorld] = [new Float64Array(3), new Float64Array(3)];
    for (let sample = 0; sample < 50; sample += 1) {
      start.set(puppet.pose);
      device.read(before);
      for (let k = 0; k < 3; k += 1) puppet.pose[k] += 0.01 * (random() - 0.5);
      turnPose(puppet.pose, Float64Array.of(random() - 0.5, random() - 0.5, random() - 0.5), 0);
      device.read(after);
      rotationBetween(turnHand, start, puppet.pose);
      rotationBetween(turnWorld, before, after);
      const wrench = Float64Array.from({ length: 6 }, () => 2 * random() - 1);
      device.write(wrench);
      let [hand, world] = [0, 0];
      for (let k = 0; k < 3; k += 1) {
        hand += puppet.written[k] * (puppet.pose[k] - start[k]) + puppet.written[3 + k] * turnHand[k];
        world += (wrench[k] * (after[k] - before[k])) / scale + wrench[3 + k] * turnWorld[k];
      }
      expect(Math.abs(hand - world)).toBeLessThan(1e-12);
      expect(Math.abs(Math.hypot(...puppet.written) - Math.hypot(...wrench))).toBeLessThan(1e-12);
    }
  });
});

describe('clutch', () => {
  const CLUTCH = 2;
  const PRESSED = 1 << CLUTCH;

  /** Moves the hand a little. */
  function stir(pose: Pose, random: RandomSource): void {
    for (let k = 0; k < 3; k += 1) pose[k] += 0.002 * (random() - 0.5);
    turnPose(
      pose,
      Float64Array.of(random() - 0.5, random() - 0.5, random() - 0.5).map((part) => 0.02 * part),
      0,
    );
  }

  test.each([
    [1, 1],
    [2, 0.5],
    [3, 20],
  ])('pressed and let go many times, the tool never jumps (seed %i, rotations of length %d)', (seed, length) => {
    const random = createRandom(seed);
    const { puppet, device, pose } = mapped({
      basis: BASES.chai3d,
      scale: 3,
      origin: [0.1, 0.2, 0.3],
      grip: quaternion(randomPose(random)),
      clutch: CLUTCH,
    });
    const hand = randomPose(random, 0.1);
    const last = createPose();
    const farthest = { freely: 0 };
    const say = () => {
      puppet.pose.set(hand);
      for (let k = 3; k < 7; k += 1) puppet.pose[k] *= length;
      expect(device.read(pose)).toBe(true);
      normalizePose(pose);
    };
    say();
    for (let times = 0; times < 40; times += 1) {
      puppet.buttons = PRESSED | 1;
      last.set(pose);
      const pressedAt = Float64Array.from(hand);
      for (let cycle = 0; cycle < 50; cycle += 1) {
        stir(hand, random);
        turnPose(hand, Float64Array.of(0.02, -0.01, 0.03), 0);
        for (let k = 0; k < 3; k += 1) hand[k] += 0.001;
        say();
        expect([...pose]).toEqual([...last]);
        expect(device.isReleased).toBe(true);
      }
      farthest.freely = Math.max(farthest.freely, distance(pressedAt, hand));
      puppet.buttons = 1;
      say();
      expect(distance(pose, last)).toBeLessThan(1e-9);
      expect(device.isReleased).toBe(false);
      for (let cycle = 0; cycle < 20; cycle += 1) {
        last.set(pose);
        const before = Float64Array.from(hand);
        stir(hand, random);
        say();
        expect(distance(pose, last)).toBeLessThan(0.05);
        // The tool goes the way of the hand, three times as far, and turns by the same angle.
        const way = turned(
          BASES.chai3d,
          [0, 1, 2].map((k) => 3 * (hand[k] - before[k])),
        );
        expectClose(
          [0, 1, 2].map((k) => pose[k] - last[k]),
          way,
          1e-9,
        );
        const [handTurn, toolTurn] = [new Float64Array(3), new Float64Array(3)];
        rotationBetween(handTurn, before, hand);
        rotationBetween(toolTurn, last, pose);
        expectClose(toolTurn, turned(BASES.chai3d, [...handTurn]), 1e-9);
      }
    }
    expect(farthest.freely).toBeGreaterThan(1);
  });

  test('pressed at the first sample, the tool is put there and stays', () => {
    const { puppet, device, pose } = mapped({ clutch: 0, scale: 2 });
    puppet.buttons = 1;
    puppet.pose[0] = 0.5;
    expect(device.read(pose)).toBe(true);
    expect(pose[0]).toBe(1);
    puppet.pose[0] = 0.7;
    device.read(pose);
    expect(pose[0]).toBe(1);
    puppet.buttons = 0;
    device.read(pose);
    expect(pose[0]).toBeCloseTo(1, 12);
    puppet.pose[0] = 0.8;
    device.read(pose);
    expect(pose[0]).toBeCloseTo(1.2, 12);
  });

  test('without a clutch every button is only a button', () => {
    const { puppet, device, pose } = mapped({});
    puppet.buttons = 0x7fffffff;
    puppet.pose[0] = 0.1;
    device.read(pose);
    expect([device.isReleased, pose[0]]).toEqual([false, 0.1]);
  });

  test('a bad sample at the very moment of letting go spoils nothing', () => {
    const { puppet, device, pose } = mapped({ clutch: 0 });
    device.read(pose);
    puppet.buttons = 1;
    puppet.pose[0] = 0.3;
    device.read(pose);
    puppet.buttons = 0;
    puppet.pose[1] = Number.NaN;
    expect(device.read(pose)).toBe(true);
    expect(pose.some(Number.isNaN)).toBe(true);
    puppet.pose[1] = 0;
    expect(device.read(pose)).toBe(true);
    expectClose(pose, createPose());
  });
});

describe('smoothing', () => {
  test('the tool comes to where the device is, a part of the way in every cycle', () => {
    const { puppet, device, pose } = mapped({ smoothing: 0.01 });
    device.read(pose);
    puppet.pose[0] = 1;
    turnPose(puppet.pose, Float64Array.of(0, 0, 1), 0);
    const goal = puppet.pose.slice();
    let last = 1;
    for (let cycle = 0; cycle < 400; cycle += 1) {
      expect(device.read(pose)).toBe(true);
      expect(Math.hypot(pose[3], pose[4], pose[5], pose[6])).toBeCloseTo(1, 12);
      expect(1 - pose[0]).toBeCloseTo(0.9 ** (cycle + 1), 9);
      const left = distance(pose, goal);
      expect(left).toBeLessThanOrEqual(last);
      last = left;
    }
    expect(distance(pose, goal)).toBeLessThan(1e-12);
  });

  test('the quaternion’s sign does not send it the long way round', () => {
    const { puppet, device, pose } = mapped({ smoothing: 0.02 });
    turnPose(puppet.pose, Float64Array.of(0, 0, 0.1), 0);
    device.read(pose);
    const start = pose.slice();
    turnPose(puppet.pose, Float64Array.of(0, 0, 0.1), 0);
    for (let k = 3; k < 7; k += 1) puppet.pose[k] *= -1;
    for (let cycle = 0; cycle < 500; cycle += 1) {
      device.read(pose);
      expect(distance(pose, start)).toBeLessThan(0.1 + 1e-9);
    }
    expect(distance(pose, puppet.pose)).toBeLessThan(1e-9);
  });

  test('between the samples of a slow device it goes on, and a silent one is found out as early as any', () => {
    const { puppet, device, pose } = mapped({ smoothing: 0.005 });
    expect(device.silentAfter).toBeCloseTo(0.005, 12);
    device.read(pose);
    puppet.pose[0] = 1;
    device.read(pose);
    puppet.speaks = false;
    let spoken = 0;
    while (device.read(pose)) spoken += 1;
    // Half of the 10 ms it keeps speaking; the loop counts the other half.
    expect(Math.abs(spoken - 5)).toBeLessThanOrEqual(1);
    expect(pose[0]).toBeGreaterThan(0.5);
    expect(device.read(pose)).toBe(false);
    puppet.speaks = true;
    expect(device.read(pose)).toBe(true);
  });

  test('a device that may be silent for ever may be so when smoothed', () => {
    const puppet = Object.assign(new PuppetDevice(), { silentAfter: Number.POSITIVE_INFINITY });
    const device = mapDevice(puppet, { smoothing: 0.05 }, TIME_STEP);
    const pose = createPose();
    device.read(pose);
    puppet.speaks = false;
    for (let cycle = 0; cycle < 1000; cycle += 1) expect(device.read(pose)).toBe(true);
    expect(device.silentAfter).toBe(Number.POSITIVE_INFINITY);
  });

  test('without it, silence is handed on', () => {
    const { puppet, device, pose } = mapped({});
    puppet.speaks = false;
    expect(device.read(pose)).toBe(false);
    expect(device.silentAfter).toBe(0.01);
  });
});

describe.each([0, 0.02])('bad samples, smoothed over %d s', (smoothing) => {
  const BAD: [string, (pose: Pose) => void][] = [
    ['a place that is no number', (pose) => pose.fill(Number.NaN, 1, 2)],
    ['an infinite place', (pose) => pose.fill(Number.NEGATIVE_INFINITY, 0, 1)],
    ['a place out of all reach', (pose) => pose.fill(1e300, 2, 3)],
    ['no rotation', (pose) => pose.fill(0, 3)],
    ['a rotation that is no number', (pose) => pose.fill(Number.NaN, 6)],
    ['an endless rotation', (pose) => pose.fill(1e200, 3)],
  ];
  test.each(BAD)('%s is handed on as no pose, and forgotten', (_, spoil) => {
    const { puppet, device, pose } = mapped({ smoothing, scale: 2 });
    spoil(puppet.pose);
    // Even as the first one.
    expect(device.read(pose)).toBe(true);
    expect(pose.every(Number.isNaN)).toBe(true);
    puppet.pose.set(createPose(0.1));
    expect(device.read(pose)).toBe(true);
    expectClose(pose, createPose(0.2));
    spoil(puppet.pose);
    expect(device.read(pose)).toBe(true);
    expect(pose.every(Number.isNaN)).toBe(true);
    puppet.pose.set(createPose(0.1));
    expect(device.read(pose)).toBe(true);
    expectClose(pose, createPose(0.2));
  });
});

test.each([
  [{ scale: 0 }, /workspace\.scale is 0, but must be above 0/],
  [{ scale: -1 }, /workspace\.scale is -1/],
  [{ scale: Number.NaN }, /workspace\.scale is NaN/],
  [{ scale: Number.POSITIVE_INFINITY }, /workspace\.scale is Infinity/],
  [{ basis: [0, 0, 0, 0] }, /workspace\.basis is \[0,0,0,0\], but must be a quaternion x, y, z, w/],
  [{ basis: [0, 0, 1] }, /workspace\.basis/],
  [{ grip: [0, Number.NaN, 0, 1] }, /workspace\.grip/],
  [{ origin: [0, 0] }, /workspace\.origin is \[0,0\], but must be three numbers \(m\)/],
  [{ origin: [0, 0, Number.POSITIVE_INFINITY] }, /workspace\.origin/],
  [{ clutch: -1 }, /workspace\.clutch is -1, but must be the number of a button from 0 to 30, or null/],
  [{ clutch: 31 }, /workspace\.clutch/],
  [{ clutch: 0.5 }, /workspace\.clutch/],
  [{ smoothing: -0.1 }, /workspace\.smoothing is -0.1, but must be from 0 to 1 s/],
  [{ smoothing: Number.NaN }, /workspace\.smoothing/],
])('%j is refused', (options, message) => {
  expect(() => mapped(options as unknown as Partial<WorkspaceOptions>)).toThrow(message);
});
