import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { createPortMemory, openPortDevice, openPortHost, portFade } from '../device/device-port.js';
import { createPose } from '../math/pose.js';
import { turnPose } from '../math/rotation.js';
import { PuppetDevice, PuppetMethod } from './rig.fixture.js';
import { FAULT_DEVICE_JUMPED, FAULT_DEVICE_SILENT, FAULT_SAMPLE_BAD } from './sample-guard.js';
import {
  changeMethod,
  createServo,
  FAULT_EMERGENCY_STOP,
  FAULT_LOOP_STALLED,
  FAULT_METHOD_NOT_FINITE,
  hitStop,
  pauseServo,
  releaseStop,
  resumeServo,
  type Servo,
  type ServoOptions,
  stepServo,
} from './servo.js';

/** Force 10 N within 5 ms. */
const FORCE_STEP = 2;

function createRig(options: Partial<ServoOptions> = {}, device = new PuppetDevice()) {
  const method = new PuppetMethod(0, 0, 8, 0.5);
  return { device, method, servo: createServo(device, method, { passivity: null, ...options }) };
}

/** Held and felt in full. */
function createHeldRig(options: Partial<ServoOptions> = {}, device = new PuppetDevice()) {
  const rig = createRig(options, device);
  run(rig.servo, 300);
  expect([...device.felt]).toEqual([0, 0, 8, 0.5, 0, 0]);
  return rig;
}

function run(servo: Servo, cycles: number): void {
  for (let cycle = 0; cycle < cycles; cycle += 1) stepServo(servo);
}

/** The forces of so many cycles. */
function forces({ servo, device }: { servo: Servo; device: PuppetDevice }, cycles: number): number[] {
  return Array.from({ length: cycles }, () => {
    stepServo(servo);
    return device.felt[2];
  });
}

function largestStep(values: readonly number[]): number {
  return values.slice(1).reduce((most, value, k) => Math.max(most, Math.abs(value - values[k])), 0);
}

/** Cycles of 1 ms after which force and torque are exactly zero. */
function cyclesToZero({ servo, device }: { servo: Servo; device: PuppetDevice }): number {
  for (let cycle = 1; cycle < 1000; cycle += 1) {
    stepServo(servo);
    if (device.felt.every((value) => value === 0)) return cycle;
  }
  return Number.POSITIVE_INFINITY;
}

describe('the ramp at the start', () => {
  test('from nothing to all of it in the given time, smoothly, never back', () => {
    const rig = createRig({ rampIn: 0.2 });
    const felt = forces(rig, 250);
    expect(felt[0]).toBeLessThan(1e-3);
    for (let cycle = 1; cycle < 200; cycle += 1) {
      const part = (cycle + 1) / 200;
      expect(felt[cycle]).toBeCloseTo(8 * part * part * (3 - 2 * part), 9);
    }
    expect(felt.slice(201).every((value) => value === 8)).toBe(true);
    expect(largestStep([0, ...felt])).toBeLessThan((8 * 1.5) / 200 + 1e-9);
  });

  test('it begins when the device first speaks, however long that takes', () => {
    for (const silentAfter of [0.01, 5, Number.POSITIVE_INFINITY]) {
      const rig = createRig({ rampIn: 0.2 }, new PuppetDevice(undefined, silentAfter));
      rig.device.speaks = false;
      expect(forces(rig, 1000).every((value) => value === 0)).toBe(true);
      expect(rig.method.steps).toBe(0);
      rig.device.speaks = true;
      rig.device.pose[0] = 0.4;
      const felt = forces(rig, 350);
      expect(felt[0]).toBeLessThan(1e-3);
      expect(largestStep([0, ...felt])).toBeLessThan((8 * 1.5) / 200 + 1e-9);
      expect(felt[349]).toBe(8);
      // The tool was put where the device is.
      expect(rig.method.resets).toEqual([[0.4, 0, 0, 0, 0, 0, 1]]);
    }
  });

  test('a method that is changed before the device spoke is placed as well, with nothing to blend', () => {
    const rig = createRig();
    rig.device.speaks = false;
    run(rig.servo, 5);
    const other = new PuppetMethod(0, 0, 3);
    expect(changeMethod(rig.servo, other)).toBe(true);
    run(rig.servo, 5);
    expect(changeMethod(rig.servo, other)).toBe(true);
    rig.device.speaks = true;
    rig.device.pose[1] = 0.2;
    run(rig.servo, 400);
    expect(other.resets.at(-1)).toEqual([0, 0.2, 0, 0, 0, 0, 1]);
    expect(rig.method.steps).toBe(0);
    expect(rig.device.felt[2]).toBe(3);
  });
});

describe('a device that falls silent', () => {
  test('no force 20 ms after its last word, told in bits; it comes back as at the start', () => {
    const rig = createHeldRig();
    rig.device.speaks = false;
    const falling = forces(rig, 30);
    expect(falling.slice(0, 9).every((value) => value === 8)).toBe(true);
    expect(falling.slice(19).every((value) => value === 0)).toBe(true);
    expect(largestStep(falling)).toBeLessThanOrEqual(FORCE_STEP);
    expect(rig.servo.faults).toBe(FAULT_DEVICE_SILENT);
    rig.device.speaks = true;
    const rising = forces(rig, 400);
    expect(rig.servo.faults).toBe(0);
    expect(rig.servo.faultsSeen).toBe(FAULT_DEVICE_SILENT);
    expect(rising.slice(0, 98).every((value) => value === 0)).toBe(true);
    expect(largestStep(rising)).toBeLessThan((8 * 1.5) / 200 + 1e-9);
    expect(rising[399]).toBe(8);
  });

  test('as long as its own patience, if it has one', () => {
    const patient = createHeldRig({}, new PuppetDevice(undefined, 0.2));
    patient.device.speaks = false;
    expect(forces(patient, 195).every((value) => value === 8)).toBe(true);
    expect(cyclesToZero(patient)).toBeLessThan(20);
    const mouse = createHeldRig({}, new PuppetDevice(undefined, Number.POSITIVE_INFINITY));
    mouse.device.speaks = false;
    expect(forces(mouse, 2000).every((value) => value === 8)).toBe(true);
  });

  test('one word in eight cycles is enough, one in a hundred is not', () => {
    const rig = createHeldRig();
    for (let cycle = 0; cycle < 400; cycle += 1) {
      rig.device.speaks = cycle % 8 === 0;
      stepServo(rig.servo);
      expect(rig.device.felt[2]).toBe(8);
    }
    let felt = 0;
    for (let cycle = 0; cycle < 2000; cycle += 1) {
      rig.device.speaks = cycle % 100 === 0;
      stepServo(rig.servo);
      // The first silence comes after 10 ms; from then on no force between two words.
      if (cycle > 30) felt += Math.abs(rig.device.felt[2]);
    }
    expect(felt).toBe(0);
  });
});

describe('samples that are no pose', () => {
  test.each([
    ['NaN', [Number.NaN, 0, 0, 0, 0, 0, 1]],
    ['infinity', [0, Number.POSITIVE_INFINITY, 0, 0, 0, 0, 1]],
    ['out of all reach', [0, 0, 1e300, 0, 0, 0, 1]],
    ['no rotation', [0.1, 0.2, 0.3, 0, 0, 0, 0]],
    ['hardly a rotation', [0, 0, 0, 0, 0, 0, 1e-4]],
    ['far too much of a rotation', [0, 0, 0, 0, 0, 0, 1e4]],
    ['a rotation that is NaN', [0, 0, 0, Number.NaN, 0, 0, 1]],
  ])('%s: the pose is kept, the force goes smoothly to zero and comes back', (_, sample) => {
    const rig = createHeldRig();
    rig.device.pose[0] = 0.001;
    stepServo(rig.servo);
    const kept = rig.servo.devicePose.slice();
    rig.device.pose.set(sample);
    const falling = [8, ...forces(rig, 12)];
    expect(rig.servo.devicePose).toEqual(kept);
    expect(rig.servo.faults & FAULT_SAMPLE_BAD).toBe(FAULT_SAMPLE_BAD);
    expect(largestStep(falling)).toBeLessThanOrEqual(FORCE_STEP);
    expect(falling.slice(-3)).toEqual([0, 0, 0]);
    rig.device.pose.set(kept);
    const rising = forces(rig, 400);
    expect(largestStep(rising)).toBeLessThan((8 * 1.5) / 200 + 1e-9);
    expect(rising[399]).toBe(8);
    expect(rig.servo.faultsSeen & FAULT_METHOD_NOT_FINITE).toBe(0);
  });

  test('one alone: the force dips, without a step, and is told', () => {
    const rig = createHeldRig();
    rig.device.pose[3] = Number.NaN;
    stepServo(rig.servo);
    rig.device.pose[3] = 0;
    expect(rig.servo.faults).toBe(FAULT_SAMPLE_BAD);
    const felt = [8, rig.device.felt[2], ...forces(rig, 400)];
    expect(largestStep(felt)).toBeLessThanOrEqual(FORCE_STEP);
    expect(felt.at(-1)).toBe(8);
  });

  test('any number of them is silence as well', () => {
    const rig = createHeldRig();
    rig.device.pose.fill(Number.NaN);
    run(rig.servo, 15);
    expect(rig.servo.faults).toBe(FAULT_SAMPLE_BAD | FAULT_DEVICE_SILENT);
  });

  test('a rotation of another length is taken and brought to 1; one of length 1 is left alone to the bit', () => {
    const { servo, device } = createRig();
    device.pose.set([0, 0, 0, 0, 0, 0.3, 0.4]);
    stepServo(servo);
    expect([...servo.devicePose.subarray(3)].map((part) => +part.toFixed(15))).toEqual([0, 0, 0.6, 0.8]);
    const random = createRandom(5);
    for (let sample = 0; sample < 2000; sample += 1) {
      for (let k = 3; k < 7; k += 1) device.pose[k] = random() - 0.5;
      stepServo(servo);
      const first = servo.devicePose.slice();
      device.pose.set(first);
      stepServo(servo);
      if (first.some((value, k) => !Object.is(value, servo.devicePose[k]))) expect(servo.devicePose).toEqual(first);
    }
  });
});

describe('a device that jumps', () => {
  test('further than a hand can go: told, no step of the force beyond the rate', () => {
    const rig = createHeldRig();
    rig.device.pose[0] += 0.03;
    rig.method.wrench[2] = -8;
    const felt = [8, ...forces(rig, 1)];
    expect(rig.servo.faults).toBe(FAULT_DEVICE_JUMPED);
    expect(rig.servo.devicePose[0]).toBe(rig.device.pose[0]);
    felt.push(...forces(rig, 500));
    expect(rig.servo.faultsSeen).toBe(FAULT_DEVICE_JUMPED);
    expect(largestStep(felt)).toBeLessThanOrEqual(FORCE_STEP + 1e-9);
    expect(felt.slice(12, 90).every((value) => value === 0)).toBe(true);
    expect(felt.at(-1)).toBe(-8);
  });

  test('so does one that turns', () => {
    const rig = createHeldRig();
    turnPose(rig.device.pose, Float64Array.of(0, 0.25, 0), 0);
    stepServo(rig.servo);
    expect(rig.servo.faults).toBe(FAULT_DEVICE_JUMPED);
  });

  test('the fastest hand does not jump, nor one that was not heard for a while, nor a changed sign', () => {
    const rig = createHeldRig();
    for (let cycle = 0; cycle < 100; cycle += 1) {
      rig.device.pose[0] += 0.0199;
      turnPose(rig.device.pose, Float64Array.of(0, 0, 0.19), 0);
      if (cycle % 2 === 0) for (let k = 3; k < 7; k += 1) rig.device.pose[k] *= -1;
      stepServo(rig.servo);
    }
    rig.device.speaks = false;
    run(rig.servo, 7);
    rig.device.speaks = true;
    rig.device.pose[0] += 0.15;
    stepServo(rig.servo);
    stepServo(rig.servo, 4);
    rig.device.pose[0] += 0.09;
    stepServo(rig.servo, 4);
    expect(rig.servo.faultsSeen).toBe(0);
  });

  test('in a large workspace the hand may be as fast as in a small one', () => {
    const rig = createHeldRig({ workspaceScale: 10 });
    rig.device.pose[0] += 0.15;
    stepServo(rig.servo);
    expect(rig.servo.faults).toBe(0);
    rig.device.pose[0] += 0.25;
    stepServo(rig.servo);
    expect(rig.servo.faults).toBe(FAULT_DEVICE_JUMPED);
  });

  test('no energy is booked for the jump', () => {
    const rig = createHeldRig();
    const before = rig.servo.passivity.ledger.slice();
    rig.device.pose[2] += 10;
    run(rig.servo, 1);
    expect(rig.servo.passivity.ledger).toEqual(before);
    // From there on it is.
    rig.device.pose[2] -= 1e-4;
    run(rig.servo, 1);
    expect(rig.servo.passivity.ledger[0]).toBeLessThan(before[0]);
  });
});

describe('a method that gives what is no number', () => {
  test.each([
    ['a wrench', (method: PuppetMethod) => method.wrench.fill(Number.NaN, 4, 5)],
    ['an infinite wrench', (method: PuppetMethod) => method.wrench.fill(Number.NEGATIVE_INFINITY, 0, 1)],
    [
      'a tool pose',
      (method: PuppetMethod) => {
        method.tool = createPose(Number.NaN);
      },
    ],
  ])('%s: the last sound wrench fades, the tool stays, the method starts again there', (_, spoil) => {
    const rig = createHeldRig();
    rig.device.pose[0] = 0.01;
    stepServo(rig.servo);
    const resets = rig.method.resets.length;
    spoil(rig.method);
    const steps = rig.method.steps;
    const falling = [8, ...forces(rig, 10)];
    expect(rig.servo.faults).toBe(FAULT_METHOD_NOT_FINITE);
    expect(largestStep(falling)).toBeLessThanOrEqual(FORCE_STEP);
    expect(falling[1]).toBeGreaterThan(7);
    expect(falling.slice(9)).toEqual([0, 0]);
    // Faded along its own direction: force and torque in the same measure.
    expect(rig.method.resets.slice(resets)).toEqual(new Array(10).fill([0.01, 0, 0, 0, 0, 0, 1]));
    expect(rig.method.steps).toBe(steps + 10);
    expect([...rig.servo.output.toolPose]).toEqual([0.01, 0, 0, 0, 0, 0, 1]);
    rig.method.wrench.set([0, 0, 8, 0.5, 0, 0]);
    rig.method.tool = null;
    const rising = forces(rig, 400);
    expect(largestStep(rising)).toBeLessThan((8 * 1.5) / 200 + 1e-9);
    expect([...rig.device.felt]).toEqual([0, 0, 8, 0.5, 0, 0]);
    expect(rig.servo.faultsSeen).toBe(FAULT_METHOD_NOT_FINITE);
  });

  test('force and torque fade together', () => {
    const rig = createHeldRig();
    rig.method.wrench[1] = Number.NaN;
    for (let cycle = 0; cycle < 7; cycle += 1) {
      stepServo(rig.servo);
      expect(rig.device.felt[3] / rig.device.felt[2]).toBeCloseTo(0.5 / 8, 12);
    }
  });

  test('in the middle of a change, too', () => {
    const rig = createHeldRig();
    const other = new PuppetMethod(0, 0, 2);
    changeMethod(rig.servo, other);
    const felt = [8, ...forces(rig, 20)];
    rig.method.wrench[0] = Number.NaN;
    felt.push(...forces(rig, 30));
    expect(rig.servo.faultsSeen).toBe(FAULT_METHOD_NOT_FINITE);
    expect(rig.servo.leaving).toBeNull();
    felt.push(...forces(rig, 400));
    expect(largestStep(felt)).toBeLessThanOrEqual(FORCE_STEP);
    expect(felt.at(-1)).toBe(2);
  });
});

describe('cycles that were missed', () => {
  test('a few do nothing', () => {
    const rig = createHeldRig();
    for (let missed = 0; missed < 8; missed += 1) {
      stepServo(rig.servo, missed);
      expect([rig.device.felt[2], rig.servo.faults, rig.servo.gain.value]).toEqual([8, 0, 1]);
    }
  });

  test.each([8, 9, 12, 15, 20, 1000, 1e6])('%i are a stall: the force comes again from nothing', (missed) => {
    const rig = createHeldRig();
    stepServo(rig.servo, missed);
    expect(rig.servo.faults).toBe(FAULT_LOOP_STALLED);
    expect(rig.servo.gain.value).toBe(0);
    // What the port still gave, and down from there.
    expect(rig.device.felt[2]).toBeCloseTo(Math.max(0, 8 * portFade(missed + 1) - FORCE_STEP), 9);
    const after = forces(rig, 400);
    expect(after.slice(5, 98).every((value) => value === 0)).toBe(true);
    expect(after[399]).toBe(8);
  });

  test.each([7, 8, 10, 13, 16, 30, 200])('%i: the hand at the other end of a port feels no step', (missed) => {
    const port = createPortMemory();
    const host = openPortHost(port);
    const method = new PuppetMethod(0, 0, 8);
    const servo = createServo(openPortDevice(port, { force: 10, torque: 1 }), method, { passivity: null });
    const wrench = new Float64Array(6);
    const felt: number[] = [];
    // A link asks every millisecond, whether the loop runs or not.
    const ask = (ms: number) => {
      host.putPose([0, 0, 0, 0, 0, 0, 1], 0);
      host.takeWrench(wrench, ms);
      felt.push(wrench[2]);
    };
    for (let ms = 0; ms < 400; ms += 1) {
      ask(ms);
      stepServo(servo);
    }
    for (let ms = 400; ms < 400 + missed; ms += 1) ask(ms);
    for (let ms = 400 + missed; ms < 1000 + missed; ms += 1) {
      ask(ms);
      stepServo(servo, ms === 400 + missed ? missed : 0);
    }
    expect(Math.max(...felt)).toBe(8);
    expect(felt.at(-1)).toBe(8);
    // No more than the rate of the loop and that of the port, 8 N in 8 ms, where one takes over from the other.
    expect(largestStep(felt)).toBeLessThanOrEqual(FORCE_STEP + 1 + 1e-9);
    if (missed >= 16) expect(felt.slice(418, 480).every((value) => value === 0)).toBe(true);
  });

  test('the time of a silent device and of a ramp runs on in them', () => {
    const rig = createRig({ rampIn: 0.2 });
    for (let cycle = 0; cycle < 40; cycle += 1) stepServo(rig.servo, 4);
    expect(rig.device.felt[2]).toBe(8);
    rig.device.speaks = false;
    stepServo(rig.servo, 4);
    stepServo(rig.servo, 4);
    stepServo(rig.servo, 4);
    expect(rig.servo.faults).toBe(FAULT_DEVICE_SILENT);
  });
});

describe('pause, and a hand that lets go', () => {
  test('the force goes, smoothly and fast; the tool rests; it comes back as at the start', () => {
    const rig = createHeldRig();
    pauseServo(rig.servo);
    const falling = [8, ...forces(rig, 20)];
    expect(largestStep(falling)).toBeLessThanOrEqual(FORCE_STEP);
    expect(falling.slice(9).every((value) => value === 0)).toBe(true);
    const { steps } = rig.method;
    const tool = rig.servo.output.toolPose.slice();
    for (let cycle = 0; cycle < 100; cycle += 1) {
      rig.device.pose[0] += 0.001;
      stepServo(rig.servo);
      expect(rig.device.felt.every((value) => value === 0)).toBe(true);
    }
    expect(rig.method.steps).toBe(steps);
    expect(rig.servo.output.toolPose).toEqual(tool);
    expect(rig.servo.devicePose[0]).toBe(rig.device.pose[0]);
    resumeServo(rig.servo);
    const rising = forces(rig, 220);
    expect(rising[0]).toBeLessThan(1e-3);
    expect(largestStep(rising)).toBeLessThan((8 * 1.5) / 200 + 1e-9);
    expect(rising[219]).toBe(8);
    expect(rig.servo.faultsSeen).toBe(0);
    expect(rig.method.resets.length).toBe(1);
  });

  test('resumed before it was gone, it turns round without a step', () => {
    const rig = createHeldRig();
    pauseServo(rig.servo);
    const felt = [8, ...forces(rig, 4)];
    resumeServo(rig.servo);
    felt.push(...forces(rig, 220));
    expect(Math.min(...felt)).toBeGreaterThan(0.5);
    expect(largestStep(felt)).toBeLessThanOrEqual(FORCE_STEP);
    expect(felt.at(-1)).toBe(8);
  });

  test('a hand that lets go gets nothing; the tool goes on', () => {
    const rig = createHeldRig();
    rig.device.isReleased = true;
    const falling = [8, ...forces(rig, 30)];
    expect(largestStep(falling)).toBeLessThanOrEqual(FORCE_STEP);
    expect(falling.slice(9).every((value) => value === 0)).toBe(true);
    rig.device.isReleased = false;
    const rising = forces(rig, 220);
    expect(largestStep(rising)).toBeLessThan((8 * 1.5) / 200 + 1e-9);
    expect(rising[219]).toBe(8);
    expect(rig.method.steps).toBe(550);
  });
});

describe('the emergency stop', () => {
  test('takes the force away within 8 ms, whatever is commanded, until it is released; then as at the start', () => {
    const rig = createHeldRig();
    hitStop(rig.servo);
    const falling = forces(rig, 10);
    expect(largestStep([8, ...falling])).toBeLessThanOrEqual(FORCE_STEP);
    expect(falling[8]).toBe(0);
    resumeServo(rig.servo);
    expect(forces(rig, 500).every((value) => value === 0)).toBe(true);
    expect(rig.servo.faults).toBe(FAULT_EMERGENCY_STOP);
    releaseStop(rig.servo);
    const rising = forces(rig, 400);
    expect(rising[50]).toBe(0);
    expect(rising.at(-1)).toBe(8);
    expect(largestStep(rising)).toBeLessThan(0.1);
  });

  test('is hit by its button of the device and no other, and again while that is held', () => {
    const rig = createHeldRig({ stopButton: 3 });
    rig.device.buttons = 0b0111;
    expect(forces(rig, 20).every((value) => value === 8)).toBe(true);
    rig.device.buttons = 0b1000;
    expect(cyclesToZero(rig)).toBeLessThanOrEqual(9);
    rig.device.buttons = 0;
    run(rig.servo, 300);
    expect(rig.device.felt[2]).toBe(0);
    rig.device.buttons = 0b1000;
    releaseStop(rig.servo);
    run(rig.servo, 400);
    expect(rig.device.felt[2]).toBe(0);
    rig.device.buttons = 0;
    releaseStop(rig.servo);
    run(rig.servo, 400);
    expect(rig.device.felt[2]).toBe(8);
  });
});
