import { expect, test } from 'vitest';
import { createContactQuery } from '../contact/create-contact-query.js';
import type { Device } from '../device/device.js';
import { buildField } from '../field/build-field.js';
import type { Pose } from '../math/pose.js';
import { massProperties } from '../mesh/mass-properties.js';
import { createBox, createSphere } from '../mesh/shapes.js';
import { createPenaltyMethod } from '../method/penalty/penalty.js';
import { createContactPair, createToolBody } from '../method/tool-contacts.js';
import { buildShell } from '../shell/build-shell.js';
import { createServo, stepServo } from './servo.js';

const BALL = createSphere(0.05);
const TOOL = createToolBody({ mesh: BALL, unitMass: massProperties(BALL, 1) });

class DescendingDevice implements Device {
  readonly limits = { force: 5, torque: 0.1 };
  height = 0.12;
  readonly felt: number[][] = [];

  read(out: Pose): boolean {
    this.height -= 0.0005;
    out.fill(0);
    out[2] = this.height;
    // Not of length 1, as devices deliver it.
    out[6] = 0.5;
    return true;
  }

  write(wrench: Float64Array): void {
    this.felt.push([...wrench]);
  }
}

test('a ball lowered onto a plate: nothing, then a growing force upwards, never above the limit', async () => {
  const plate = await buildField(createBox(0.2, 0.2, 0.1), { resolution: 48 });
  const ball = buildShell(createSphere(0.05), { count: 1000 });
  const query = createContactQuery(ball, plate, { shellOn: 'tool' });
  const device = new DescendingDevice();
  const servo = createServo(device, createPenaltyMethod(TOOL, [createContactPair(query)], { stiffness: 2000 }));
  for (let cycle = 0; cycle < 80; cycle += 1) stepServo(servo);
  const upward = device.felt.map((wrench) => wrench[2]);
  expect(upward.slice(0, 35).every((force) => force === 0)).toBe(true);
  const firstTouch = upward.findIndex((force) => force > 0);
  expect(firstTouch).toBeGreaterThan(38);
  expect(firstTouch).toBeLessThan(46);
  for (let cycle = firstTouch + 1; cycle < 80; cycle += 1) {
    expect(upward[cycle]).toBeGreaterThanOrEqual(upward[cycle - 1] - 0.01);
    expect(Math.hypot(...device.felt[cycle].slice(0, 3))).toBeLessThanOrEqual(5 + 1e-9);
  }
  expect(servo.limited).toBeGreaterThan(0);
  expect(servo.cycles).toBe(80);
});

test('the wrench is the same whether the tool carries the shell or the field', async () => {
  const box = createBox(0.1, 0.1, 0.1);
  const ball = createSphere(0.05);
  const pose = Float64Array.of(0.02, 0.01, 0.097, 0, 0, 0, 1);
  const wrenches = await Promise.all([
    (async () => {
      const query = createContactQuery(buildShell(ball, { count: 20000 }), await buildField(box, { resolution: 64 }), {
        shellOn: 'tool',
      });
      return { query, perArea: query.shell.count / (4 * Math.PI * 0.05 ** 2) };
    })(),
    (async () => {
      const query = createContactQuery(buildShell(box, { count: 20000 }), await buildField(ball, { resolution: 64 }), {
        shellOn: 'environment',
      });
      return { query, perArea: query.shell.count / (6 * 0.1 ** 2) };
    })(),
  ]);
  const forces = wrenches.map(({ query, perArea }) => {
    const device: Device = {
      limits: { force: 1e9, torque: 1e9 },
      read: (out) => {
        out.set(pose);
        return true;
      },
      write: () => {},
    };
    const servo = createServo(
      device,
      createPenaltyMethod(TOOL, [createContactPair(query)], { stiffness: 1000, adaptive: false }),
    );
    stepServo(servo);
    return servo.output.wrench[2] / perArea;
  });
  // The same overlap, sampled on either of its two faces: equal up to the slope of the ball and the spacing of points.
  expect(forces[0]).toBeGreaterThan(0);
  expect(Math.abs(forces[0] / forces[1] - 1)).toBeLessThan(0.15);
});

test('refuses a stiffness that is none', async () => {
  const query = createContactQuery(
    buildShell(createSphere(0.05), { count: 100 }),
    await buildField(createBox(1, 1, 1), { resolution: 16 }),
    { shellOn: 'tool' },
  );
  for (const stiffness of [0, -1, Number.NaN]) {
    expect(() => createPenaltyMethod(TOOL, [createContactPair(query)], { stiffness })).toThrow(/stiffness/);
  }
});
