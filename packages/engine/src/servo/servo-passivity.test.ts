import { describe, expect, test } from 'vitest';
import { createRandom } from '../base/random.js';
import { LEDGER_ENERGY, LEDGER_WITHHELD } from '../coupling/passivity.js';
import type { Device } from '../device/device.js';
import { createPose, type Pose } from '../math/pose.js';
import { rotationBetween, turnPose } from '../math/rotation.js';
import type { Method, MethodOutput } from '../method/method.js';
import { createServo, pauseServo, resumeServo, type ServoOptions, stepServo } from './servo.js';

const T = 0.001;
const CYCLES = 3000;
const IDENTITY = createPose();

/** A rigid mass that the wrench alone drives, with a motion that is exact under a wrench that is held for a cycle. */
class MassDevice implements Device {
  readonly limits: { readonly force: number; readonly torque: number };
  readonly mass = 0.3;
  readonly inertia = 2e-3;
  readonly pose = createPose();
  readonly speed = new Float64Array(6);
  /** What the loop has given so far and the most so far, J, from force times way and torque times turn. */
  given = 0;
  mostGiven = 0;

  constructor(force: number, torque: number) {
    this.limits = { force, torque };
  }

  read(out: Pose): boolean {
    out.set(this.pose);
    return true;
  }

  write(wrench: Float64Array): void {
    const turn = new Float64Array(3);
    for (let k = 0; k < 3; k += 1) {
      const way = this.speed[k] * T + (0.5 * wrench[k] * T * T) / this.mass;
      turn[k] = this.speed[3 + k] * T + (0.5 * wrench[3 + k] * T * T) / this.inertia;
      this.speed[k] += (wrench[k] * T) / this.mass;
      this.speed[3 + k] += (wrench[3 + k] * T) / this.inertia;
      this.pose[k] += way;
      this.given += wrench[k] * way + wrench[3 + k] * turn[k];
    }
    turnPose(this.pose, turn, 0);
    this.mostGiven = Math.max(this.mostGiven, this.given);
  }
}

/** The wrench of a place (m, rad) and a speed, axis by axis. The tool is where the device is. */
class FieldMethod implements Method {
  readonly field: (place: number, speed: number, axis: number) => number;
  private readonly last = createPose();
  private readonly turn = new Float64Array(3);

  constructor(field: (place: number, speed: number, axis: number) => number) {
    this.field = field;
  }

  step(output: MethodOutput, pose: Pose): void {
    const [place, speed] = [new Float64Array(6), new Float64Array(6)];
    rotationBetween(this.turn, IDENTITY, pose);
    place.set(pose.subarray(0, 3));
    place.set(this.turn, 3);
    rotationBetween(this.turn, this.last, pose);
    for (let k = 0; k < 3; k += 1) {
      speed[k] = (pose[k] - this.last[k]) / T;
      speed[3 + k] = this.turn[k] / T;
    }
    for (let k = 0; k < 6; k += 1) output.wrench[k] = this.field(place[k], speed[k], k);
    output.toolPose.set(pose);
    this.last.set(pose);
  }

  reset(pose: Pose): void {
    this.last.set(pose);
  }
}

/** Of a translation, and of a rotation about a tool of 5 cm. */
const scaleOf = (axis: number) => (axis < 3 ? 1 : 0.05 ** 2);

const ACTIVE: [string, (place: number, speed: number, axis: number) => number][] = [
  ['stiffer on release', (x, v, axis) => -(x * v > 0 ? 0.4 : 1) * 1500 * scaleOf(axis) * x],
  ['far too stiff for the rate', (x, _, axis) => -2e6 * scaleOf(axis) * x],
  ['a negative damper', (_, v, axis) => 5 * scaleOf(axis) * v],
  ['a push without end', (_, v, axis) => 100 * scaleOf(axis) * Math.sign(v)],
];

function play(
  field: FieldMethod['field'],
  options: Partial<ServoOptions>,
  { torque = 0.2, pauses = 0.002 }: { torque?: number; pauses?: number } = {},
) {
  const device = new MassDevice(6, torque);
  device.speed.set([0.08, -0.05, 0.03, 1, -0.6, 0.8]);
  const servo = createServo(device, new FieldMethod(field), { rampIn: 0.05, ...options });
  const random = createRandom(7);
  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    // The gain comes and goes as well: that, too, may give the hand nothing.
    if (random() < pauses) pauseServo(servo);
    if (random() < 0.02) resumeServo(servo);
    stepServo(servo);
  }
  return { device, servo };
}

describe.each(ACTIVE)('an active method, %s', (_, field) => {
  test.each([0.2, 0])('gives a mass no more than the bound; the ledger says what it gave (torque %d)', (torque) => {
    const free = play(field, { passivity: null }, { torque });
    const kept = play(field, {}, { torque });
    expect(free.device.mostGiven).toBeGreaterThan(0.02);
    expect(kept.device.mostGiven).toBeLessThan(1e-3);
    // Without control the mass may get faster than any hand, which is then taken for a jump and not booked.
    for (const { servo, device } of free.servo.faultsSeen === 0 ? [free, kept] : [kept]) {
      // The last cycle is not booked yet when it has just been written.
      stepServo(servo);
      const { given } = device;
      stepServo(servo);
      const booked = servo.passivity.ledger[LEDGER_ENERGY];
      expect(Math.abs(booked - given)).toBeLessThan(1e-9 * (1 + Math.abs(given)));
    }
    expect(free.servo.passivity.ledger[LEDGER_WITHHELD]).toBe(0);
  });
});

test('a passive method is given through, to the bit', () => {
  const field = (x: number, v: number, axis: number) => -(400 * x + 1.5 * v) * scaleOf(axis);
  const free = play(field, { passivity: null }, { pauses: 0 });
  const kept = play(field, {}, { pauses: 0 });
  expect(kept.servo.passivity.ledger[LEDGER_WITHHELD]).toBe(0);
  expect(kept.device.pose).toEqual(free.device.pose);
  expect(kept.device.speed).toEqual(free.device.speed);
});

test('in a workspace of another scale the energy is that of the hand', () => {
  // A device in the world: its places are four times those of the hand.
  const scale = 4;
  const device = new MassDevice(6, 0);
  device.speed.set([0.1, 0, 0]);
  const inWorld: Device = {
    limits: device.limits,
    read(out) {
      device.read(out);
      for (let k = 0; k < 3; k += 1) out[k] *= scale;
      return true;
    },
    write: (wrench) => device.write(wrench),
  };
  const servo = createServo(inWorld, new FieldMethod((_, v) => 5 * v), { workspaceScale: scale, rampIn: 0.05 });
  for (let cycle = 0; cycle < 2000; cycle += 1) stepServo(servo);
  const { given } = device;
  stepServo(servo);
  expect(servo.passivity.ledger[LEDGER_ENERGY]).toBeCloseTo(given, 12);
  expect(device.mostGiven).toBeLessThan(1e-3);
  expect(device.mostGiven).toBeGreaterThan(1e-4);
});

test('torques are about the centre of mass: a tool that turns about it does no work with its force', () => {
  const centre = [0.1, 0, 0];
  const pose = createPose();
  const device: Device = {
    limits: { force: 6, torque: 0.2 },
    read(out) {
      // About the centre, which stays where it is.
      turnPose(pose, Float64Array.of(0, 0, 1e-3), 0);
      const [sine, cosine] = [2 * pose[5] * pose[6], 1 - 2 * pose[5] * pose[5]];
      pose[0] = 0.1 - 0.1 * cosine;
      pose[1] = -0.1 * sine;
      out.set(pose);
      return true;
    },
    write() {},
  };
  const servo = createServo(device, new FieldMethod((_, __, axis) => (axis === 1 ? 5 : axis === 5 ? -0.1 : 0)), {
    toolCentre: centre,
    rampIn: 0.01,
    passivity: null,
  });
  for (let cycle = 0; cycle < 20; cycle += 1) stepServo(servo);
  const before = servo.passivity.ledger[LEDGER_ENERGY];
  for (let cycle = 0; cycle < 1000; cycle += 1) stepServo(servo);
  expect(servo.passivity.ledger[LEDGER_ENERGY] - before).toBeCloseTo(-0.1, 9);
});
