import { beforeAll, describe, expect, test } from 'vitest';
import type { PreparedBody } from '../asset/prepared-body.js';
import { createRandom } from '../base/random.js';
import { LEDGER_ENERGY, LEDGER_PEAK } from '../coupling/passivity.js';
import { PuppetDevice } from '../servo/rig.fixture.js';
import type { LiveCommand } from './command-mailbox.js';
import { commandLive, createLiveSession, type LiveOptions, type LiveSession, stepLive } from './live-session.js';
import { BALL_ON_PLATE, prepareScene, TWO_BALLS } from './scenes.fixture.js';

let one: Map<string, PreparedBody>;
let two: Map<string, PreparedBody>;
beforeAll(async () => {
  one = await prepareScene(BALL_ON_PLATE);
  two = await prepareScene(TWO_BALLS);
});

function openOne(parts: Record<string, unknown> = {}, options: LiveOptions = {}) {
  const device = new PuppetDevice({ force: 10, torque: 1 });
  device.pose[2] = 0.06;
  const session = createLiveSession({ ...BALL_ON_PLATE, ...parts }, one, [{ tool: 'ball', device }], {
    rampIn: 0.05,
    ...options,
  });
  return { device, session, hand: session.hands[0], servo: session.hands[0].servo };
}

function run(session: LiveSession, cycles: number): void {
  for (let cycle = 0; cycle < cycles; cycle += 1) stepLive(session, 0);
}

/** Moves the hand at so many metres in a second. */
function lower(session: LiveSession, device: PuppetDevice, to: number, speed = 0.1): void {
  const cycles = Math.max(1, Math.round((1000 * Math.abs(to - device.pose[2])) / speed));
  const way = (to - device.pose[2]) / cycles;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    device.pose[2] += way;
    stepLive(session, 0);
  }
}

function set(path: string, value: unknown): LiveCommand {
  return { kind: 'set', path, value };
}

describe('a scene that is felt', () => {
  test('a ball that is pressed onto the plate is pressed back', () => {
    const { session, device } = openOne();
    run(session, 100);
    expect([...device.felt].map(Math.abs)).toEqual([0, 0, 0, 0, 0, 0]);
    lower(session, device, 0.027);
    run(session, 300);
    expect(device.felt[2]).toBeGreaterThan(1);
    expect(device.felt[2]).toBeLessThan(10);
    expect(session.cycles).toBe(100 + 330 + 300);
    expect(session.hands[0].servo.cycles).toBe(session.cycles);
  });

  test('a scene with problems is refused with all of them', () => {
    const device = new PuppetDevice();
    expect(() => createLiveSession({ ...BALL_ON_PLATE, gravity: 3 }, one, [{ tool: 'ball', device }])).toThrow(
      /gravity/,
    );
    expect(() => createLiveSession(BALL_ON_PLATE, one, [{ tool: 'plate', device }])).toThrow(/no tool "plate"/);
  });

  test('limits of the scene hold beside those of the device', () => {
    const { session, device } = openOne({ limits: { force: 0.5 } }, { passivity: null });
    run(session, 100);
    lower(session, device, 0.02);
    run(session, 100);
    expect(Math.hypot(...device.felt.subarray(0, 3))).toBeCloseTo(0.5, 9);
    // The coupling saturates there: nothing has to be cut off.
    expect(session.hands[0].servo.isLimited).toBe(false);
  });
});

describe('pause and resume', () => {
  test('the force goes and comes back; missed cycles are counted', () => {
    const { session, device } = openOne();
    run(session, 100);
    lower(session, device, 0.027);
    run(session, 200);
    const held = device.felt[2];
    expect(commandLive(session, { kind: 'pause' })).toEqual({ cycle: session.cycles, command: { kind: 'pause' } });
    run(session, 20);
    expect([...device.felt].map(Math.abs)).toEqual([0, 0, 0, 0, 0, 0]);
    commandLive(session, { kind: 'resume' });
    run(session, 400);
    expect(device.felt[2]).toBeCloseTo(held, 1);
    stepLive(session, 3);
    stepLive(session, 2);
    expect(session.missed).toBe(5);
  });

  test('stop and listen are for the loop, and change nothing here', () => {
    const { session, servo } = openOne();
    const { value, scene } = session;
    for (const kind of ['stop', 'listen'] as const) {
      expect(commandLive(session, { kind })).toEqual({ cycle: 0, command: { kind } });
    }
    expect([session.value, session.scene, session.pending, servo.gain.engaged]).toEqual([value, scene, false, true]);
  });
});

describe('the emergency stop', () => {
  test('of one hand takes the force from all, and stays through a change of method', () => {
    const devices = ['left', 'right'].map((tool) => ({ tool, device: new PuppetDevice(), stopButton: 1 }));
    const session = createLiveSession(TWO_BALLS, two, devices);
    const isStopped = () => session.hands.map(({ servo }) => servo.isStopped);
    run(session, 10);
    expect(isStopped()).toEqual([false, false]);
    devices[1].device.buttons = 2;
    run(session, 1);
    expect(isStopped()).toEqual([true, true]);
    devices[1].device.buttons = 0;
    commandLive(session, { kind: 'set', path: 'method.kind', value: 'penalty' });
    commandLive(session, { kind: 'resume' });
    run(session, 200);
    expect(session.hands.map(({ servo }) => servo.gain.value)).toEqual([0, 0]);
    commandLive(session, { kind: 'release' });
    run(session, 400);
    expect(session.hands.map(({ servo }) => servo.gain.value)).toEqual([1, 1]);
    commandLive(session, { kind: 'halt' });
    run(session, 1);
    expect(isStopped()).toEqual([true, true]);
  });
});

describe('changes while it is felt', () => {
  test('a stiffer coupling is felt as such, without a jump', () => {
    const { session, device } = openOne({ coupling: { stiffness: 300 } }, { passivity: null });
    run(session, 100);
    lower(session, device, 0.027);
    run(session, 300);
    const soft = device.felt[2];
    expect(commandLive(session, set('coupling.stiffness', 900)).problem).toBeUndefined();
    let [last, largest] = [soft, 0];
    for (let cycle = 0; cycle < 300; cycle += 1) {
      stepLive(session, 0);
      largest = Math.max(largest, Math.abs(device.felt[2] - last));
      last = device.felt[2];
    }
    expect(last / soft).toBeGreaterThan(2);
    expect(largest).toBeLessThan(0.05 * last);
    expect(session.scene.coupling.stiffness).toBe(900);
    expect(session.value).toEqual({ ...BALL_ON_PLATE, coupling: { stiffness: 900 } });
  });

  test.each(['penalty', 'god-object', 'static-friction'])('to the method %s, without a jump', (kind) => {
    const from = kind === 'static-friction' ? 'penalty' : 'static-friction';
    const { session, device } = openOne({ method: { kind: from } }, { passivity: null });
    run(session, 100);
    lower(session, device, 0.0275);
    run(session, 300);
    let [last, largest] = [device.felt.slice(), 0];
    commandLive(session, set('method.kind', kind));
    for (let cycle = 0; cycle < 300; cycle += 1) {
      stepLive(session, 0);
      largest = Math.max(largest, Math.hypot(...[0, 1, 2].map((k) => device.felt[k] - last[k])));
      last = device.felt.slice();
    }
    expect(session.scene.method.kind).toBe(kind);
    expect(session.hands[0].servo.leaving).toBeNull();
    // The step of the rate limit would be 2 N.
    expect(largest).toBeLessThan(0.3);
    expect(last[2]).toBeGreaterThan(0.5);
  });

  test.each([
    [set('timeStep', 0.002), /"timeStep" cannot change while the scene is felt; method, .*gravity can\. Start again/],
    [set('bodies.ball.density', 1), /"bodies\.ball\.density" cannot change/],
    [set('limits.force', 100), /"limits\.force" cannot change/],
    [set('', 1), /"" cannot change/],
    [set('coupling.stiffness', -1), /coupling\.stiffness/],
    [set('coupling.stiffness', null), /coupling\.stiffness/],
    [set('coupling.stifness', 100), /stifness.*stiffness/],
    [set('coupling', 'hard'), /coupling/],
    [set('gravity.2', -9), /gravity/],
    [set('friction.__proto__.polluted', 1), /friction/],
    [
      set('method.kind', 'deformable'),
      /None of the bodies was prepared to bend; start the scene with the method "deformable"/,
    ],
    [set('method.kind', 'nonsense'), /method\.kind/],
    [set('friction.pairs', [{ bodies: ['ball', 'nobody'] }]), /nobody/],
  ])('%j is refused, says why, and changes nothing', (command, message) => {
    const { session, device, hand } = openOne();
    const twin = openOne();
    for (const each of [session, twin.session]) run(each, 50);
    const { value, scene } = session;
    const { method } = hand;
    const event = commandLive(session, command);
    expect(event.problem).toMatch(message);
    expect([event.cycle, event.command]).toEqual([50, command]);
    expect(session.value).toBe(value);
    expect(session.scene).toBe(scene);
    expect([session.pending, hand.method, hand.servo.leaving]).toEqual([false, method, null]);
    for (const [each, puppet] of [[session, device] as const, [twin.session, twin.device] as const]) {
      lower(each, puppet, 0.028);
    }
    expect(device.felt).toEqual(twin.device.felt);
    expect('polluted' in {}).toBe(false);
  });

  test('while one is blended in, further ones wait; only the newest counts, and none is lost', () => {
    const { session, hand, servo } = openOne();
    run(session, 100);
    commandLive(session, set('coupling.stiffness', 500));
    const first = hand.method;
    run(session, 10);
    commandLive(session, set('coupling.stiffness', 600));
    commandLive(session, set('friction.coefficient', 0.25));
    run(session, 10);
    expect(commandLive(session, set('coupling.stiffness', -5)).problem).toContain('coupling.stiffness');
    commandLive(session, set('coupling.stiffness', 700));
    expect([session.pending, hand.method]).toEqual([true, first]);
    run(session, 35);
    const second = hand.method;
    expect([session.pending, second === first, servo.leaving]).toEqual([false, false, first.method]);
    expect(second.pairs[0].staticCoefficient).toBe(0.25);
    run(session, 60);
    expect([servo.leaving, hand.method]).toEqual([null, second]);
    expect(session.scene.coupling.stiffness).toBe(700);
    expect(session.scene.friction.coefficient).toBe(0.25);
  });

  test.each([1, 2, 3])(
    'whatever is asked for: refused, or carried out and felt within the limits (seed %i)',
    (seed) => {
      const random = createRandom(seed);
      const { session, device, servo } = openOne();
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
      const wild = () =>
        pick<unknown>([
          0,
          1,
          -1,
          0.5,
          1e-9,
          1e9,
          1e300,
          '1',
          null,
          true,
          [],
          {},
          [1, 2, 3],
          [0, 0, -9.81],
          7,
          2 * random(),
        ]);
      const keys: readonly (readonly [string, () => unknown])[] = [
        ['method.kind', () => pick(['penalty', 'static-friction', 'god-object', 'modular', 'deformable', 'what'])],
        ['method.constraint', () => pick(['heuristic', 'manifold', 'none'])],
        [
          'friction.model',
          () => pick(['none', 'cone', 'pyramid', 'quadratic', 'springs', 'staggered', 'gauss-seidel']),
        ],
        ...[
          'contact.margin',
          'contact.stiffness',
          'contact.maxContacts',
          'contact.adaptive',
          'friction.coefficient',
        ].map((path) => [path, wild] as const),
        ...['coupling.stiffness', 'coupling.torsionalStiffness', 'method.staticDamping', 'method.safetyMargin'].map(
          (path) => [path, wild] as const,
        ),
        ...['friction.sides', 'friction.static', 'gravity', 'coupling', 'friction.viscous', 'method.filter'].map(
          (path) => [path, wild] as const,
        ),
      ];
      let [carriedOut, refused, largest] = [0, 0, 0];
      for (let times = 0; times < 150; times += 1) {
        const [path, value] = pick(keys);
        if (commandLive(session, set(path, value())).problem) refused += 1;
        else carriedOut += 1;
        for (let cycle = 0; cycle < 20; cycle += 1) {
          device.pose[2] = 0.029 + 0.003 * Math.sin((20 * times + cycle) / 300);
          stepLive(session, 0);
          largest = Math.max(largest, Math.hypot(...device.felt.subarray(0, 3)));
        }
      }
      expect(carriedOut).toBeGreaterThan(20);
      expect(refused).toBeGreaterThan(20);
      expect(largest).toBeLessThanOrEqual(10 * (1 + 1e-12));
      expect(largest).toBeGreaterThan(0.01);
      expect([...servo.passivity.ledger].every(Number.isFinite)).toBe(true);
    },
  );
});

describe('the weight of the tool', () => {
  const GRAVITY = [0, 0, -9.81];

  test.each(['static-friction', 'god-object', 'penalty'])('%s: lowered and lifted, the ledger stays even', (kind) => {
    const { session, device, servo } = openOne({ gravity: GRAVITY, method: { kind } });
    device.pose[2] = 0.5;
    // Even while the force is only coming up.
    run(session, 5);
    for (const [height, speed] of [
      [0.51, 0.3],
      [0.2, 0.2],
      [0.5, 1],
      [0.2, 1.5],
    ]) {
      lower(session, device, height, speed);
      run(session, 100);
    }
    expect(device.felt[2]).toBeCloseTo(kind === 'penalty' ? 0 : -9.81 * session.hands[0].method.toolBody.mass, 6);
    // What the tool takes to follow the hand is paid by the hand.
    const { ledger } = servo.passivity;
    expect(ledger[LEDGER_PEAK]).toBeLessThan(2e-4);
    expect(ledger[LEDGER_ENERGY]).toBeLessThanOrEqual(ledger[LEDGER_PEAK]);
  });

  test('gravity and method may change in mid-air: the account of energy goes along', () => {
    const { session, device, servo } = openOne();
    device.pose[2] = 0.5;
    run(session, 100);
    const { mass } = session.hands[0].method.toolBody;
    commandLive(session, set('gravity', GRAVITY));
    run(session, 400);
    expect(device.felt[2]).toBeCloseTo(-9.81 * mass, 6);
    expect(servo.motion.weight[2]).toBeCloseTo(-9.81 * mass, 12);
    lower(session, device, 0.2, 0.15);
    commandLive(session, set('method.kind', 'penalty'));
    run(session, 60);
    expect(Math.abs(servo.motion.weight[2])).toBe(0);
    lower(session, device, 0.5, 0.15);
    expect(servo.passivity.ledger[LEDGER_PEAK]).toBeLessThan(2e-4);
  });

  test('put down on the plate and lifted off again: no more than the bound, and the weight is there', () => {
    const { session, device, servo } = openOne({ gravity: GRAVITY });
    const { mass } = session.hands[0].method.toolBody;
    device.pose[2] = 0.06;
    run(session, 100);
    for (let times = 0; times < 5; times += 1) {
      lower(session, device, 0.0285, 0.1);
      run(session, 200);
      expect(device.felt[2]).toBeGreaterThan(0);
      lower(session, device, 0.06, 0.1);
      run(session, 200);
      expect(device.felt[2]).toBeCloseTo(-9.81 * mass, 6);
    }
    expect(servo.passivity.ledger[LEDGER_PEAK]).toBeLessThan(1e-3);
  });

  test('after a pause in which the hand went elsewhere it owes nothing', () => {
    const { session, device, servo } = openOne({ gravity: GRAVITY });
    device.pose[2] = 0.3;
    run(session, 100);
    commandLive(session, { kind: 'pause' });
    run(session, 20);
    lower(session, device, 0.6, 0.5);
    commandLive(session, { kind: 'resume' });
    run(session, 500);
    expect(servo.passivity.ledger[LEDGER_PEAK]).toBeLessThan(2e-4);
    expect(device.felt[2]).toBeCloseTo(-9.81 * session.hands[0].method.toolBody.mass, 6);
  });
});

describe('two hands', () => {
  function openTwo(options: LiveOptions = {}) {
    const devices = [-0.05, 0.05].map((x) => {
      const device = new PuppetDevice({ force: 10, torque: 1 });
      device.pose[0] = x;
      return device;
    });
    const session = createLiveSession(
      TWO_BALLS,
      two,
      [
        { tool: 'left', device: devices[0] },
        { tool: 'right', device: devices[1] },
      ],
      { rampIn: 0.05, ...options },
    );
    return { session, left: devices[0], right: devices[1] };
  }

  test('feel each other: where one is now, equal and opposite', () => {
    const { session, left, right } = openTwo();
    run(session, 100);
    for (let cycle = 0; cycle < 230; cycle += 1) {
      left.pose[0] += 1e-4;
      right.pose[0] -= 1e-4;
      stepLive(session, 0);
      for (const [h, other] of [
        [0, 1],
        [1, 0],
      ]) {
        const { pairs } = session.hands[h].method;
        // Points of both, each in the field of the other.
        expect(pairs.map(({ query }) => query.shellOn).sort()).toEqual(['environment', 'tool']);
        for (const { environmentPose } of pairs) {
          expect(environmentPose).toEqual(session.hands[other].servo.output.toolPose);
        }
      }
    }
    run(session, 500);
    expect(left.felt[0]).toBeLessThan(-0.5);
    expect(right.felt[0]).toBeGreaterThan(0.5);
    expect(Math.abs(left.felt[0] + right.felt[0])).toBeLessThan(0.15 * right.felt[0]);
  });

  test('one gives way and the other feels it', () => {
    const { session, left, right } = openTwo();
    run(session, 100);
    for (let cycle = 0; cycle < 230; cycle += 1) {
      left.pose[0] += 1e-4;
      right.pose[0] -= 1e-4;
      stepLive(session, 0);
    }
    run(session, 300);
    expect(left.felt[0]).toBeLessThan(-0.5);
    for (let cycle = 0; cycle < 300; cycle += 1) {
      right.pose[0] += 1e-4;
      stepLive(session, 0);
    }
    expect(left.felt[0]).toBeCloseTo(0, 9);
  });

  test('one that never speaks stays where the scene puts it, and does not hold up changes for the other', () => {
    const { session, left, right } = openTwo();
    right.speaks = false;
    run(session, 100);
    expect([...session.hands[0].method.pairs[0].environmentPose]).toEqual([0.05, 0, 0, 0, 0, 0, 1]);
    for (const stiffness of [500, 700, 900]) {
      commandLive(session, set('coupling.stiffness', stiffness));
      run(session, 60);
      expect([session.pending, session.hands[0].servo.leaving]).toEqual([false, null]);
    }
    for (let cycle = 0; cycle < 500; cycle += 1) {
      left.pose[0] += 1e-4;
      stepLive(session, 0);
    }
    run(session, 100);
    expect(left.felt[0]).toBeLessThan(-0.5);
    expect([...right.felt].map(Math.abs)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('a change goes to both at once', () => {
    const { session } = openTwo();
    run(session, 100);
    const before = session.hands.map(({ method }) => method);
    commandLive(session, set('contact.stiffness', 1500));
    expect(session.hands.map(({ method }, h) => method === before[h])).toEqual([false, false]);
    expect(session.hands.map(({ servo }, h) => servo.leaving === before[h].method)).toEqual([true, true]);
    // The new methods know where the other tool is from their first cycle on.
    expect(session.hands[0].method.pairs[0].environmentPose).toEqual(session.hands[1].servo.output.toolPose);
  });
});
