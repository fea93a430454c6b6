import { beforeAll, describe, expect, test } from 'vitest';
import type { PreparedBody } from '../asset/prepared-body.js';
import { createSimulatedHand } from '../device/simulated-hand.js';
import { createPose, type Pose } from '../math/pose.js';
import type { DeformableMethod } from '../method/deformable/deformable.js';
import { methodSettings } from '../method/methods.js';
import { TOOL_STATE_SIZE } from '../method/modular/tool-state.js';
import { CONTACT_AGE, CONTACT_RATE } from '../record/live-row.js';
import { checkSceneValue } from '../scene/check-scene.js';
import { PuppetDevice } from '../servo/rig.fixture.js';
import { type ContactThreadMemory, watchContactThread } from './contact-thread-memory.js';
import { commandLive, createLiveSession, type LiveSession, stepLive } from './live-session.js';
import { createSceneContactMemory } from './scene-contact-memory.js';
import { BLOCK_AND_BAR, BLOCK_ON_PLATE, prepareScene } from './scenes.fixture.js';
import { type ContactServer, createContactServer } from './serve-contact-side.js';

let one: Map<string, PreparedBody>;
let two: Map<string, PreparedBody>;
beforeAll(async () => {
  one = await prepareScene(BLOCK_ON_PLATE);
  two = await prepareScene(BLOCK_AND_BAR);
});

const START = 0.03;
const PRESSED = 0.005;

interface Opened {
  readonly session: LiveSession;
  readonly device: PuppetDevice;
  readonly memory: ContactThreadMemory | null;
  server: ContactServer | null;
}

/** With `threads` the contact side is apart, and served here after every cycle. */
function open(threads: boolean, method: Record<string, unknown> = {}): Opened {
  const scene = { ...BLOCK_ON_PLATE, method: { ...BLOCK_ON_PLATE.method, ...method } };
  const device = new PuppetDevice({ force: 10, torque: 1 });
  device.pose[2] = START;
  const memory = threads ? createSceneContactMemory(checkSceneValue(scene).scene!, one, ['block']) : null;
  const session = createLiveSession(scene, one, [{ tool: 'block', device }], {
    rampIn: 0.05,
    ...(memory && { contacts: memory }),
  });
  return { session, device, memory, server: memory && openServer(memory) };
}

function openServer(memory: ContactThreadMemory): ContactServer {
  return createContactServer({ scene: BLOCK_ON_PLATE, bodies: one, tools: ['block'], memory }, () => 0);
}

function run({ session, server }: Opened, cycles: number): void {
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    stepLive(session, 0);
    server?.pass();
  }
}

/** Down onto the plate, to the side, and still; what is felt then. */
function press(opened: Opened): number {
  const { device } = opened;
  run(opened, 60);
  for (let cycle = 1; cycle <= 100; cycle += 1) {
    device.pose[2] = START + (PRESSED - START) * (cycle / 100);
    device.pose[0] = 1e-3 * (cycle / 100);
    run(opened, 1);
  }
  run(opened, 200);
  return device.felt[2];
}

/** The largest change of the force between two cycles. */
function largestStep(opened: Opened, cycles: number): number {
  let before = opened.device.felt[2];
  let largest = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    run(opened, 1);
    expect(opened.device.felt.every(Number.isFinite)).toBe(true);
    largest = Math.max(largest, Math.abs(opened.device.felt[2] - before));
    before = opened.device.felt[2];
  }
  return largest;
}

describe('a deformable scene in the loop', () => {
  test.each([1, 8])('tells the age of its contacts and how often they are found (every %i cycles)', (ratio) => {
    const opened = open(false, { contactRatio: ratio });
    const { pace } = opened.session.hands[0];
    let oldest = 0;
    for (let cycle = 0; cycle < 600; cycle += 1) {
      run(opened, 1);
      oldest = Math.max(oldest, pace.numbers[CONTACT_AGE]);
    }
    expect(oldest).toBeCloseTo((ratio - 1) / 1000, 9);
    expect(Math.abs(pace.numbers[CONTACT_RATE] - 1000 / ratio)).toBeLessThanOrEqual(8);
    commandLive(opened.session, { kind: 'set', path: 'method.kind', value: 'god-object' });
    run(opened, 1);
    expect([...pace.numbers]).toEqual([0, 0]);
  });

  test('gives no more than 1 mJ beyond what it got, however it is rubbed', () => {
    const intent = (out: Pose, time: number) => {
      out.fill(0);
      out[6] = 1;
      out[0] = 0.02 * Math.sin(2.1 * time);
      out[1] = 0.01 * Math.sin(3.3 * time);
      out[2] = 0.014 + 0.012 * Math.cos(2.7 * time);
    };
    const hand = createSimulatedHand({
      intent,
      start: createPose(0, 0, 0.026),
      tremor: { translation: 2e-4, rotation: 2e-3 },
    });
    const session = createLiveSession(BLOCK_ON_PLATE, one, [{ tool: 'block', device: hand }]);
    let touched = 0;
    for (let cycle = 0; cycle < 6000; cycle += 1) {
      stepLive(session, 0);
      if (session.hands[0].servo.output.contacts > 0) touched += 1;
    }
    expect(touched).toBeGreaterThan(2000);
    expect(hand.energy.mostGiven).toBeLessThanOrEqual(1e-3);
    expect(hand.energy.given).toBeLessThan(-1e-4);
    expect(session.hands[0].servo.faultsSeen).toBe(0);
  });
});

describe.each([
  ['in the loop', false],
  ['with a contact thread', true],
])('commands to a deformable scene, %s', (_, threads) => {
  /** Of the force, in a cycle: a change is blended in over 50 ms. */
  const JUMP = 0.06;

  test('materials, friction and limits change without a jump', () => {
    const opened = open(threads);
    const { session, device } = opened;
    const pressed = press(opened);
    expect(pressed).toBeGreaterThan(0.5);
    for (const [path, value, changes] of [
      ['bodies.block.deformable.young', 2e4, 'softer'],
      ['bodies.block.deformable.young', 2e5, 'as before'],
      ['bodies.block.density', 500, 'as before'],
      ['bodies.block.deformable.massDamping', 20, 'as before'],
      ['bodies.block.deformable.stiffnessDamping', 1e-3, 'as before'],
      ['friction.coefficient', 0.1, 'as before'],
      ['method.solvedContacts', 80, 'as before'],
      ['method.alarmDistance', 0.003, 'as before'],
      ['coupling.stiffness', 250, 'softer'],
    ] as const) {
      expect(commandLive(session, { kind: 'set', path, value }).problem).toBeUndefined();
      expect(largestStep(opened, 150)).toBeLessThan(JUMP * pressed);
      if (changes === 'softer') expect(device.felt[2]).toBeLessThan(0.9 * pressed);
      else expect(Math.abs(device.felt[2] - pressed)).toBeLessThan(0.05 * pressed);
    }
    expect(session.hands[0].servo.faultsSeen).toBe(0);
  });

  test('goes over to methods that the bodies were prepared for, and back', () => {
    const opened = open(threads);
    const { session, device } = opened;
    const pressed = press(opened);
    for (const kind of ['static-friction', 'deformable', 'modular', 'deformable', 'god-object', 'deformable']) {
      expect(commandLive(session, { kind: 'set', path: 'method.kind', value: kind }).problem).toBeUndefined();
      expect(largestStep(opened, 300)).toBeLessThan(2 * JUMP * pressed);
      expect(session.hands[0].method.method.delassus !== undefined).toBe(kind === 'deformable');
      expect(device.felt[2]).toBeGreaterThan(0.5 * pressed);
    }
    expect(Math.abs(device.felt[2] - pressed)).toBeLessThan(0.05 * pressed);
  });

  test('says what cannot change while it is felt', () => {
    const { session } = open(threads);
    const refuse = (path: string, value: unknown) => commandLive(session, { kind: 'set', path, value }).problem;
    expect(refuse('bodies.block.deformable.poisson', 0.4)).toMatch(/poisson" cannot change while the scene is felt/);
    expect(refuse('bodies.block.deformable.young', -1)).toMatch(/young/);
    expect(refuse('method.detection', 'hierarchy')).toBeUndefined();
    expect(refuse('method.kind', 'modular')).toMatch(/"block" was prepared without its hierarchy/);
  });
});

describe('a deformable loop with a contact thread', () => {
  test('feels what a loop without one feels', () => {
    const apart = open(true);
    expect(press(apart)).toBeCloseTo(press(open(false)), 2);
    const [age, rate] = apart.session.hands[0].pace.numbers;
    expect(age).toBeLessThanOrEqual(0.001);
    expect(Math.abs(rate - 1000)).toBeLessThanOrEqual(10);
  });

  test('a thread that stops: the force fades without a jump, and comes back with another one', () => {
    const opened = open(true);
    const pressed = press(opened);
    opened.server = null;
    expect(largestStep(opened, 90)).toBeLessThan(1e-3 * pressed);
    // A time constant of fading of 100 ms: no more than a hundredth in each millisecond.
    expect(largestStep(opened, 900)).toBeLessThan(0.012 * pressed);
    expect(Math.abs(opened.device.felt[2])).toBeLessThan(0.001 * pressed);
    // The tool has not sunk into what it pressed on.
    expect(opened.session.hands[0].servo.output.toolPose[2]).toBeGreaterThan(0.009);
    expect(opened.session.hands[0].pace.numbers[CONTACT_AGE]).toBeGreaterThan(0.9);
    opened.server = openServer(opened.memory!);
    expect(largestStep(opened, 600)).toBeLessThan(0.03 * pressed);
    expect(opened.device.felt[2]).toBeCloseTo(pressed, 3);
    expect(opened.session.hands[0].servo.faultsSeen).toBe(0);
  });

  test('has room for the world of a scene that begins with another method', () => {
    const value = { ...BLOCK_AND_BAR, method: { kind: 'modular' } };
    const { scene } = checkSceneValue(value);
    const { stateSize } = createSceneContactMemory(scene!, two, ['block', 'bar'])!;
    expect(stateSize).toBeGreaterThan(TOOL_STATE_SIZE);
    expect(createSceneContactMemory({ ...scene!, method: methodSettings('penalty') }, two, ['block'])).toBe(null);
  });
});

describe('two hands in a deformable scene', () => {
  function openBoth(threads: boolean) {
    const devices = [START, 0].map((z) => {
      const device = new PuppetDevice({ force: 10, torque: 1 });
      device.pose[2] = z;
      return device;
    });
    const tools = ['block', 'bar'];
    const { scene } = checkSceneValue(BLOCK_AND_BAR);
    const memory = threads ? createSceneContactMemory(scene!, two, tools) : null;
    const session = createLiveSession(
      BLOCK_AND_BAR,
      two,
      devices.map((device, hand) => ({ tool: tools[hand], device })),
      { rampIn: 0.05, ...(memory && { contacts: memory }) },
    );
    const server = memory && createContactServer({ scene: BLOCK_AND_BAR, bodies: two, tools, memory }, () => 0);
    return { session, devices, server, memory };
  }

  test.each([
    ['in the loop', false],
    ['with a contact thread', true],
  ])('each feels the other, %s', (_, threads) => {
    const { session, devices, server, memory } = openBoth(threads);
    for (let cycle = 0; cycle < 600; cycle += 1) {
      const part = Math.min(1, Math.max(0, (cycle - 50) / 200));
      devices[0].pose[2] = START - part * 0.011;
      devices[1].pose[2] = part * 0.006;
      devices[1].pose[0] = part * 0.001;
      stepLive(session, 0);
      server?.pass();
    }
    const [block, bar] = devices.map(({ felt }) => felt);
    expect(block[2]).toBeGreaterThan(0.2);
    for (let axis = 0; axis < 3; axis += 1) expect(Math.abs(block[axis] + bar[axis])).toBeLessThan(0.01 * block[2]);
    expect(session.hands.map(({ servo }) => servo.faultsSeen)).toEqual([0, 0]);
    for (const { pace } of session.hands) expect(pace.numbers[CONTACT_RATE]).toBeGreaterThan(900);
    if (memory) expect(watchContactThread(memory).updates).toBeGreaterThan(500);
    // One change of the scene is one for both.
    commandLive(session, { kind: 'set', path: 'bodies.block.deformable.young', value: 1e5 });
    for (let cycle = 0; cycle < 200; cycle += 1) {
      stepLive(session, 0);
      server?.pass();
    }
    const worlds = session.hands.map(({ method }) => (method.method as DeformableMethod).world);
    expect(worlds[0]).toBe(worlds[1]);
    for (let axis = 0; axis < 3; axis += 1) expect(Math.abs(block[axis] + bar[axis])).toBeLessThan(0.01 * block[2]);
  });

  test('a tool that the second hand puts elsewhere makes the contacts of before void', () => {
    const { session, devices, server } = openBoth(true);
    const run = (cycles: number) => {
      for (let cycle = 0; cycle < cycles; cycle += 1) {
        stepLive(session, 0);
        server!.pass();
      }
    };
    // The second device has not said where it is: its tool stands where the scene puts it, and the first presses on it.
    devices[1].speaks = false;
    run(60);
    for (let cycle = 1; cycle <= 100; cycle += 1) {
      devices[0].pose[2] = START - 0.017 * (cycle / 100);
      run(1);
    }
    run(100);
    expect(devices[0].felt[2]).toBeGreaterThan(0.2);
    devices[1].speaks = true;
    devices[1].pose[0] = 0.5;
    // In the first of the two it is put there, after the first hand was stepped.
    run(2);
    expect(session.hands[0].servo.output.contacts).toBe(0);
    run(300);
    expect(Math.abs(devices[0].felt[2])).toBeLessThan(1e-3);
    expect([...devices[1].felt].every((value) => Math.abs(value) < 1e-3)).toBe(true);
  });
});
