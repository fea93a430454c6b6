import { describe, expect, test } from 'vitest';
import { PuppetDevice, PuppetMethod } from './rig.fixture.js';
import { changeMethod, createServo, pauseServo, resumeServo, type ServoOptions, stepServo } from './servo.js';

function createHeldRig(options: Partial<ServoOptions> = {}) {
  const device = new PuppetDevice({ force: 100, torque: 10 });
  const method = new PuppetMethod(0, 0, 50, -3, 0, 0);
  const servo = createServo(device, method, { passivity: null, ...options });
  const run = (cycles: number) =>
    Array.from({ length: cycles }, () => {
      stepServo(servo);
      return device.felt.slice();
    });
  run(300);
  return { device, method, servo, run };
}

describe('a change of the method', () => {
  test('the wrench goes over within 50 ms, in no larger steps than the blend makes', () => {
    const { method, servo, run } = createHeldRig();
    const other = new PuppetMethod(-30, 5, -40, 2, 1, 0);
    const way = [0, 1, 2].map((k) => other.wrench[k] - method.wrench[k]);
    expect(changeMethod(servo, other)).toBe(true);
    let last = method.wrench.slice();
    let largest = 0;
    const felt = run(60);
    for (const [cycle, wrench] of felt.entries()) {
      largest = Math.max(largest, Math.hypot(...[0, 1, 2].map((k) => wrench[k] - last[k])));
      const part = Math.min(1, (cycle + 1) / 50);
      const smooth = part * part * (3 - 2 * part);
      for (let k = 0; k < 6; k += 1) {
        expect(wrench[k]).toBeCloseTo(smooth * other.wrench[k] + (1 - smooth) * method.wrench[k], 9);
      }
      last = wrench;
    }
    // The steepest part of the blend is half as steep again as a line over the whole.
    expect(largest).toBeLessThan((1.5 / 50) * Math.hypot(...way) * (1 + 1e-9));
    expect(largest).toBeGreaterThan((1.4 / 50) * Math.hypot(...way));
    expect(felt.slice(50).every((wrench) => wrench.every((value, k) => value === other.wrench[k]))).toBe(true);
    expect(servo.leaving).toBeNull();
  });

  test('the first method is asked no more when it is over; both are while it lasts', () => {
    const { method, servo, run } = createHeldRig();
    const other = new PuppetMethod();
    const { steps } = method;
    changeMethod(servo, other);
    run(200);
    expect(other.steps).toBe(200);
    expect(Math.abs(method.steps - steps - 50)).toBeLessThanOrEqual(1);
  });

  test('the new one starts with the tool where it is', () => {
    const { method, servo, device, run } = createHeldRig();
    method.tool = Float64Array.of(0.1, 0.2, 0.3, 0, 0, 0, 1);
    device.pose[0] = 0.001;
    run(1);
    const other = new PuppetMethod();
    changeMethod(servo, other);
    expect(other.resets).toEqual([[0.1, 0.2, 0.3, 0, 0, 0, 1]]);
    expect(method.resets.length).toBe(1);
  });

  test('the new one starts where the tool was last free, if it is deep in something', () => {
    const { method, servo, device, run } = createHeldRig({ freeDepth: 0.001 });
    for (const [z, depth] of [
      [0.01, 0],
      [0.005, 0.0009],
      [-0.02, 0.015],
    ]) {
      method.tool = Float64Array.of(0, 0, z, 0, 0, 0, 1);
      method.depth = depth;
      device.pose[2] = z;
      run(1);
    }
    const other = new PuppetMethod();
    changeMethod(servo, other);
    expect(other.resets).toEqual([[0, 0, 0.005, 0, 0, 0, 1]]);
  });

  test('another is refused as long as one is not over', () => {
    const { servo, run } = createHeldRig();
    const [second, third] = [new PuppetMethod(1), new PuppetMethod(2)];
    expect(changeMethod(servo, second)).toBe(true);
    for (let cycle = 0; cycle < 49; cycle += 1) {
      expect(changeMethod(servo, third)).toBe(false);
      run(1);
    }
    expect(third.resets).toEqual([]);
    run(2);
    expect(changeMethod(servo, third)).toBe(true);
    run(60);
    expect(servo.output.wrench[0]).toBe(2);
  });

  test('at once for a blend of no time', () => {
    const { servo, run } = createHeldRig({ blend: 0 });
    changeMethod(servo, new PuppetMethod(4, 5, 6));
    const [first] = run(1);
    // The limit of the rate still holds: 20 N in a cycle.
    expect(Math.hypot(first[0], first[1], first[2] - 50)).toBeCloseTo(20, 9);
    expect(servo.leaving).toBeNull();
    expect([...run(5)[4]]).toEqual([4, 5, 6, 0, 0, 0]);
  });

  test('while the tool rests there is nothing to blend, and any number of changes', () => {
    const { method, servo, run } = createHeldRig();
    pauseServo(servo);
    run(20);
    const { steps } = method;
    const methods = [1, 2, 3].map((force) => new PuppetMethod(force));
    for (const next of methods) {
      expect(changeMethod(servo, next)).toBe(true);
      run(1);
    }
    resumeServo(servo);
    const felt = run(250);
    expect(felt[0][0]).toBeLessThan(1e-3);
    expect(felt[249][0]).toBe(3);
    expect(methods.map((each) => each.steps)).toEqual([0, 0, 250]);
    expect(method.steps).toBe(steps);
  });

  test('a pause in the middle: the force goes, and comes back with the new method alone', () => {
    const { servo, run } = createHeldRig();
    const other = new PuppetMethod(0, 0, -20);
    changeMethod(servo, other);
    run(10);
    pauseServo(servo);
    run(20);
    expect(servo.leaving).toBeNull();
    resumeServo(servo);
    expect(run(250)[249][2]).toBe(-20);
  });
});

describe('the weight that the hand feels', () => {
  test('is that of the method, as much of it as the gain lets through', () => {
    const { servo, run } = createHeldRig({ weight: [0, 0, -4] });
    expect([...servo.motion.weight]).toEqual([0, 0, -4]);
    changeMethod(servo, new PuppetMethod(0, 0, 0), [1, 0, 0]);
    run(25);
    expect(servo.motion.weight[0]).toBeCloseTo(0.5, 9);
    expect(servo.motion.weight[2]).toBeCloseTo(-2, 9);
    run(30);
    expect([...servo.motion.weight]).toEqual([1, 0, 0]);
    changeMethod(servo, new PuppetMethod(0, 0, 0));
    run(60);
    expect([...servo.motion.weight]).toEqual([1, 0, 0]);
    pauseServo(servo);
    run(4);
    expect(servo.motion.weight[0]).toBeCloseTo(0.5, 9);
    run(10);
    expect([...servo.motion.weight].map(Math.abs)).toEqual([0, 0, 0]);
  });
});
