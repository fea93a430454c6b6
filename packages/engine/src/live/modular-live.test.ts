import { beforeAll, describe, expect, test } from 'vitest';
import type { PreparedBody } from '../asset/prepared-body.js';
import { createSimulatedHand, type SimulatedHand } from '../device/simulated-hand.js';
import { createPose, type Pose } from '../math/pose.js';
import { turnPose } from '../math/rotation.js';
import { CONTACT_AGE, CONTACT_RATE } from '../record/live-row.js';
import { PuppetDevice } from '../servo/rig.fixture.js';
import { commandLive, createLiveSession, stepLive } from './live-session.js';
import { BALL_ON_PLATE, MODULAR_PARTS, prepareScene, TWO_BALLS } from './scenes.fixture.js';

let one: Map<string, PreparedBody>;
let two: Map<string, PreparedBody>;
beforeAll(async () => {
  one = await prepareScene({ ...BALL_ON_PLATE, ...MODULAR_PARTS });
  two = await prepareScene({ ...TWO_BALLS, ...MODULAR_PARTS });
});

function withMethod(scene: object, parts: Record<string, unknown>) {
  return { ...scene, ...MODULAR_PARTS, method: { ...MODULAR_PARTS.method, ...parts } };
}

/** Presses, rubs and lifts, over and over. */
function writeIntent(out: Pose, time: number): void {
  out.fill(0);
  out[6] = 1;
  out[0] = 0.02 * Math.sin(2.1 * time);
  out[1] = 0.01 * Math.sin(3.3 * time);
  out[2] = 0.028 + 0.022 * Math.cos(1.7 * time);
  turnPose(out, Float64Array.of(0.3 * Math.sin(1.3 * time), 0.2 * Math.sin(0.9 * time), 0.4 * Math.sin(2.3 * time)), 0);
}

/** The simulated hand after so many seconds of contact, in simulated time. */
function feelFor(seconds: number, parts: Record<string, unknown>, passivity: null | undefined): SimulatedHand {
  const hand = createSimulatedHand({ intent: writeIntent, tremor: { translation: 2e-4, rotation: 2e-3 } });
  const session = createLiveSession(withMethod(BALL_ON_PLATE, parts), one, [{ tool: 'ball', device: hand }], {
    ...(passivity === null && { passivity }),
  });
  let touched = 0;
  for (let cycle = 0; cycle < 1000 * seconds; cycle += 1) {
    stepLive(session, 0);
    if (session.hands[0].servo.output.contacts > 0) touched += 1;
  }
  expect(touched).toBeGreaterThan(160 * seconds);
  return hand;
}

describe('a modular scene in the closed loop', () => {
  // What leaks with every touch shows in ten seconds; what only adds up slowly, in a minute.
  test.each([
    [10, 1, undefined],
    [60, 10, undefined],
    [10, 1, null],
    [10, 10, null],
  ])(
    'gives no more than 1 mJ beyond what it got in %i s (contacts every %i cycles, passivity %s)',
    (seconds, ratio, how) => {
      const { energy } = feelFor(seconds, { contactRatio: ratio }, how);
      expect(energy.mostGiven).toBeLessThanOrEqual(1e-3);
      // There was work to be done: friction takes it.
      expect(energy.given).toBeLessThan(-1e-4 * seconds);
    },
  );

  test.each([1, 8])('tells the age of its contacts and how often they are found (every %i cycles)', (ratio) => {
    const device = new PuppetDevice({ force: 10, torque: 1 });
    device.pose[2] = 0.025;
    const session = createLiveSession(withMethod(BALL_ON_PLATE, { contactRatio: ratio }), one, [
      { tool: 'ball', device },
    ]);
    const { pace } = session.hands[0];
    let oldest = 0;
    for (let cycle = 0; cycle < 1000; cycle += 1) {
      stepLive(session, 0);
      oldest = Math.max(oldest, pace.numbers[CONTACT_AGE]);
    }
    expect(oldest).toBeCloseTo((ratio - 1) / 1000, 9);
    expect(Math.abs(pace.numbers[CONTACT_RATE] - 1000 / ratio)).toBeLessThanOrEqual(8);
    commandLive(session, { kind: 'set', path: 'method.kind', value: 'god-object' });
    stepLive(session, 0);
    expect([...pace.numbers]).toEqual([0, 0]);
  });

  test('a detection that nothing was prepared for is refused', () => {
    const device = new PuppetDevice({ force: 10, torque: 1 });
    const session = createLiveSession(withMethod(BALL_ON_PLATE, {}), one, [{ tool: 'ball', device }]);
    const { method } = session.hands[0];
    const { problem } = commandLive(session, { kind: 'set', path: 'method.detection', value: 'hierarchy' });
    expect(problem).toMatch(/"ball" was prepared without its hierarchy/);
    for (let cycle = 0; cycle < 100; cycle += 1) stepLive(session, 0);
    expect(session.hands[0].method).toBe(method);
  });
});

describe('two hands whose tools touch each other', () => {
  test('both feel it, and nothing blows up in ten seconds', () => {
    const hands = [-1, 1].map((side) => {
      const path = (out: Pose, time: number) => {
        out.fill(0);
        out[6] = 1;
        // Together, into each other by two centimetres, and rubbing.
        out[0] = side * (0.035 + 0.015 * Math.cos(1.9 * time));
        out[1] = 0.005 * side * Math.sin(2.7 * time);
        out[2] = 0.004 * Math.sin(1.1 * time);
      };
      return createSimulatedHand({ intent: path, start: createPose(0.05 * side, 0, 0) });
    });
    const session = createLiveSession(withMethod(TWO_BALLS, {}), two, [
      { tool: 'left', device: hands[0] },
      { tool: 'right', device: hands[1] },
    ]);
    const most = [0, 0];
    let worstSum = 0;
    for (let cycle = 0; cycle < 10_000; cycle += 1) {
      stepLive(session, 0);
      const forces = session.hands.map(({ servo }) => servo.output.wrench);
      session.hands.forEach(({ servo }, h) => {
        expect(servo.output.wrench.every(Number.isFinite)).toBe(true);
        expect(Math.abs(servo.output.toolPose[0])).toBeLessThan(0.1);
        most[h] = Math.max(most[h], Math.abs(servo.output.wrench[0]));
      });
      worstSum = Math.max(worstSum, Math.abs(forces[0][0] + forces[1][0]));
    }
    const [left, right] = most;
    expect(left).toBeGreaterThan(0.5);
    expect(right).toBeGreaterThan(0.5);
    // Action and reaction: each hand feels about what the other does.
    expect(worstSum).toBeLessThan(0.5 * Math.max(left, right));
    for (const { servo } of session.hands) expect(servo.faultsSeen).toBe(0);
    for (const { energy } of hands) expect(energy.mostGiven).toBeLessThanOrEqual(1e-3);
  });
});
