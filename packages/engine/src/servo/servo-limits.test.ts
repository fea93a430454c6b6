import { describe, expect, test } from 'vitest';
import { createRandom, type RandomSource } from '../base/random.js';
import { portFade } from '../device/device-port.js';
import { createPose, isFinitePose } from '../math/pose.js';
import { turnPose } from '../math/rotation.js';
import { PuppetDevice, PuppetMethod } from './rig.fixture.js';
import { FAULT_DEVICE_JUMPED, FAULT_DEVICE_SILENT, FAULT_SAMPLE_BAD } from './sample-guard.js';
import {
  changeMethod,
  createServo,
  FAULT_LOOP_STALLED,
  FAULT_METHOD_NOT_FINITE,
  pauseServo,
  resumeServo,
  stepServo,
} from './servo.js';

describe('whatever the method gives and the device says', () => {
  const WILD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300, -1e300, 1.7e308, 1e-300, 0, -0];

  function wildNumber(random: RandomSource, wild: number, size: number): number {
    return random() < wild ? WILD[Math.floor(WILD.length * random())] : size * (2 * random() - 1);
  }

  function spoil(values: Float64Array, random: RandomSource, wild: number, size: number): void {
    for (let k = 0; k < values.length; k += 1) values[k] = wildNumber(random, wild, size);
  }

  function randomLimits(random: RandomSource) {
    const force = 0.5 + 20 * random();
    const torque = random() < 0.25 ? 0 : random();
    return {
      force,
      torque,
      ...(random() < 0.5 && { forceRate: 10 + 5000 * random() }),
      ...(random() < 0.5 && { torqueRate: 1 + 100 * random() }),
    };
  }

  test.each(Array.from({ length: 24 }, (_, k) => k + 1))('limits of size and rate hold (seed %i)', (seed) => {
    const random = createRandom(seed);
    const limits = randomLimits(random);
    const device = new PuppetDevice(limits);
    const scene = random() < 0.5 ? { force: 3, forceRate: 400 } : {};
    const method = new PuppetMethod();
    const options = { limits: scene, rampIn: 0.02, weight: [0, 0, -2], ...(seed % 3 === 0 && { passivity: null }) };
    const servo = createServo(device, method, options);
    const force = Math.min(limits.force, scene.force ?? Number.POSITIVE_INFINITY);
    const rate = Math.min(limits.forceRate ?? limits.force / 0.005, scene.forceRate ?? Number.POSITIVE_INFINITY);
    const torqueStep = (limits.torqueRate ?? limits.torque / 0.005) * 0.001;
    // Some runs are wild all the time, in others the force has time to come up in between.
    const wild = [0, 0.002, 0.05][seed % 3];
    const rough = seed % 2 === 0 ? 0.003 : 0.03;
    const last = new Float64Array(6);
    let largest = 0;
    let broken = 0;
    const hand = createPose();
    for (let cycle = 0; cycle < 4000; cycle += 1) {
      spoil(method.wrench, random, wild, random() < 0.5 ? 5 : 100);
      method.tool = random() < rough ? createPose() : null;
      if (method.tool) spoil(method.tool, random, 0.2, 1);
      for (let k = 0; k < 3; k += 1) hand[k] += 1e-3 * (random() - 0.5);
      turnPose(
        hand,
        Float64Array.of(random() - 0.5, 0, random() - 0.5).map((part) => 0.01 * part),
        0,
      );
      device.pose.set(hand);
      if (random() < rough) spoil(device.pose, random, 0.2, 2);
      if (random() < rough) device.speaks = random() < 0.7;
      device.isReleased = random() < rough ? !device.isReleased : device.isReleased && random() < 0.95;
      if (random() < rough) changeMethod(servo, method, [0, 0, -random()]);
      if (random() < rough) (random() < 0.3 ? pauseServo : resumeServo)(servo);
      const missed = random() < rough ? Math.floor(30 * random()) : 0;
      stepServo(servo, missed);
      const { felt } = device;
      const held = (servo.faults & FAULT_LOOP_STALLED) === 0 ? 1 : portFade(missed + 1);
      const change = felt.map((value, k) => value - held * last[k]);
      const size = [Math.hypot(...felt.subarray(0, 3)), Math.hypot(...felt.subarray(3))];
      const isKept =
        size[0] <= force &&
        size[1] <= limits.torque &&
        Math.hypot(...change.subarray(0, 3)) <= rate * 0.001 * (1 + 1e-9) &&
        Math.hypot(...change.subarray(3)) <= torqueStep * (1 + 1e-9) + 1e-15;
      // All that a later cycle builds on stays finite.
      const isSound =
        [...felt, ...servo.passivity.ledger, ...servo.validWrench].every(Number.isFinite) &&
        isFinitePose(servo.devicePose) &&
        isFinitePose(servo.output.toolPose);
      if (!isKept || !isSound) broken += 1;
      largest = Math.max(largest, size[0]);
      last.set(felt);
    }
    expect(broken).toBe(0);
    expect(servo.faultsSeen).toBe(
      FAULT_SAMPLE_BAD | FAULT_DEVICE_SILENT | FAULT_DEVICE_JUMPED | FAULT_METHOD_NOT_FINITE | FAULT_LOOP_STALLED,
    );
    // Where the controller of energy is on, forces at random get little room.
    expect(largest).toBeGreaterThan((seed % 3 === 0 ? 0.02 : 0.001) * force);
  });

  test.each([Number.NaN, -1])('a limit of %d is refused', (limit) => {
    for (const limits of [
      { force: limit, torque: 1 },
      { force: 1, torque: limit },
      { force: 1, torque: 1, forceRate: limit },
      { force: 1, torque: 1, torqueRate: limit },
    ]) {
      expect(() => createServo(new PuppetDevice(limits), new PuppetMethod())).toThrow(
        /limits\.\w+ is (NaN|-\d+), but must be 0 or more/,
      );
    }
    expect(() => createServo(new PuppetDevice(), new PuppetMethod(), { limits: { force: limit } })).toThrow(
      /limits\.force/,
    );
  });

  test('a torque where the scene or the device allows none is none', () => {
    const bare = new PuppetDevice({ force: 10, torque: 0 });
    for (const [device, limits] of [[bare, {}] as const, [new PuppetDevice(), { torque: 0 }] as const]) {
      const servo = createServo(device, new PuppetMethod(0, 0, 2, 0.5), { limits });
      for (let cycle = 0; cycle < 300; cycle += 1) stepServo(servo);
      expect([...device.felt]).toEqual([0, 0, 2, 0, 0, 0]);
      expect(servo.passivity.options.length).toBe(0);
    }
  });
});
