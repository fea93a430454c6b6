import { beforeAll, describe, expect, test } from 'vitest';
import type { PreparedBody } from '../asset/prepared-body.js';
import { TOOL_STATE_SIZE } from '../method/modular/tool-state.js';
import { CONTACT_AGE, CONTACT_RATE } from '../record/live-row.js';
import { PuppetDevice } from '../servo/rig.fixture.js';
import {
  type ContactThreadMemory,
  createContactThreadMemory,
  openContactThreadControl,
  watchContactThread,
} from './contact-thread-memory.js';
import { keepContactThread } from './keep-contact-thread.js';
import { commandLive, createLiveSession, type LiveSession, stepLive } from './live-session.js';
import { BALL_ON_PLATE, MODULAR_PARTS, prepareScene } from './scenes.fixture.js';
import { type ContactServer, createContactServer, type FromContactThread } from './serve-contact-side.js';

const SCENE = { ...BALL_ON_PLATE, ...MODULAR_PARTS };
let bodies: Map<string, PreparedBody>;
beforeAll(async () => {
  bodies = await prepareScene(SCENE);
});

/** A clock that stands: what is tested here must not depend on it. */
const clock = () => 0;

function openServer(memory: ContactThreadMemory): ContactServer {
  return createContactServer({ scene: SCENE, bodies, tools: ['ball'], memory }, clock);
}

function open() {
  const memory = createContactThreadMemory(1, TOOL_STATE_SIZE);
  const device = new PuppetDevice({ force: 10, torque: 1 });
  device.pose[2] = 0.06;
  const session = createLiveSession(SCENE, bodies, [{ tool: 'ball', device }], { contacts: memory, rampIn: 0.05 });
  return { memory, device, session, hand: session.hands[0], watch: watchContactThread(memory) };
}

/** Both sides in turn, the contact side in every so many-th cycle; 0 for a thread that does not run. */
function run(session: LiveSession, server: ContactServer | null, cycles: number, every = 1): void {
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    stepLive(session, 0);
    if (server && cycle % every === 0) server.pass();
  }
}

function press(session: LiveSession, server: ContactServer | null, device: PuppetDevice, to: number): void {
  const cycles = 300;
  const way = (to - device.pose[2]) / cycles;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    device.pose[2] += way;
    run(session, server, 1);
  }
}

describe('a loop with a contact thread', () => {
  test.each([1, 10])('feels what a loop without one feels (a model in every %i cycles)', (every) => {
    const { session, device, memory, hand } = open();
    const server = openServer(memory);
    run(session, server, 100, every);
    press(session, server, device, 0.02);
    run(session, server, 1000, every);
    const own = new PuppetDevice({ force: 10, torque: 1 });
    own.pose[2] = 0.06;
    const alone = createLiveSession(SCENE, bodies, [{ tool: 'ball', device: own }], { rampIn: 0.05 });
    run(alone, null, 100);
    press(alone, null, own, 0.02);
    run(alone, null, 1000);
    expect(own.felt[2]).toBeGreaterThan(1);
    expect(device.felt[2]).toBeCloseTo(own.felt[2], 2);
    expect(Math.abs(hand.pace.numbers[CONTACT_RATE] - 1000 / every)).toBeLessThanOrEqual(10);
    expect(hand.pace.numbers[CONTACT_AGE]).toBeLessThanOrEqual(every / 1000);
  });

  test('without the thread nothing can be touched, and contact comes when it is there', () => {
    const { session, device, memory, hand } = open();
    run(session, null, 100);
    press(session, null, device, 0.028);
    run(session, null, 200);
    expect(Math.abs(device.felt[2])).toBeLessThan(1e-3);
    expect(hand.pace.numbers[CONTACT_AGE]).toBeGreaterThan(0.4);
    run(session, openServer(memory), 500);
    expect(device.felt[2]).toBeGreaterThan(0.3);
  });

  test('a thread that stops: the force fades without a jump, and comes back with another thread', () => {
    const { session, device, memory, watch } = open();
    const server = openServer(memory);
    run(session, server, 100);
    press(session, server, device, 0.02);
    run(session, server, 300);
    const pressed = device.felt[2];
    expect(pressed).toBeGreaterThan(1);
    let before = pressed;
    let largest = 0;
    const follow = (next: ContactServer | null, cycles: number) => {
      for (let cycle = 0; cycle < cycles; cycle += 1) {
        run(session, next, 1);
        expect(Number.isFinite(device.felt[2])).toBe(true);
        largest = Math.max(largest, Math.abs(device.felt[2] - before));
        before = device.felt[2];
      }
    };
    follow(null, 100);
    expect(device.felt[2]).toBeCloseTo(pressed, 2);
    follow(null, 900);
    expect(Math.abs(device.felt[2])).toBeLessThan(0.01 * pressed);
    // A time constant of fading of 100 ms: no more than a hundredth in each millisecond, and the tool lags behind that.
    expect(largest).toBeLessThan(0.012 * pressed);
    expect(watch.readyEpoch).toBe(0);
    largest = 0;
    follow(openServer(memory), 500);
    expect(device.felt[2]).toBeCloseTo(pressed, 1);
    // What sank in meanwhile is pushed out again in a few cycles, never faster than the device's force may rise.
    const { force, forceStep } = session.hands[0].servo.limiter;
    expect(forceStep).toBeCloseTo(force / 5, 9);
    expect(largest).toBeLessThanOrEqual(forceStep);
  });

  test('follows changes of the scene, and counts no model that was made under another', () => {
    const { session, device, memory, hand, watch } = open();
    const server = openServer(memory);
    run(session, server, 100);
    press(session, server, device, 0.02);
    run(session, server, 300);
    const { felt } = device;
    let before = felt[2];
    for (const [path, value] of [
      ['method.clusters', 1],
      ['method.clusters', 12],
      ['contact.stiffness', 2000],
      ['method.distanceTolerance', 0.002],
      ['friction.coefficient', 0.1],
      ['method.kind', 'god-object'],
      ['method.kind', 'modular'],
    ] as const) {
      const { method } = hand;
      expect(commandLive(session, { kind: 'set', path, value }).problem).toBeUndefined();
      for (let cycle = 0; cycle < 300; cycle += 1) {
        run(session, server, 1);
        expect(Math.abs(felt[2] - before)).toBeLessThan(0.5);
        before = felt[2];
      }
      expect(hand.method).not.toBe(method);
      expect(watch.readyEpoch).toBe(session.contacts!.epoch);
      expect(felt[2]).toBeGreaterThan(1);
    }
  });

  test('a change waits for the thread; of several only the newest counts, also for a thread that comes later', () => {
    const { session, device, memory, hand, watch } = open();
    const first = openServer(memory);
    run(session, first, 100);
    press(session, first, device, 0.02);
    run(session, first, 300);
    const { method } = hand;
    for (const clusters of [2, 3, 4]) {
      commandLive(session, { kind: 'set', path: 'method.clusters', value: clusters });
      run(session, null, 20);
    }
    expect(hand.method).toBe(method);
    const second = openServer(memory);
    expect(watch.readyEpoch).toBe(0);
    run(session, second, 300);
    expect(hand.method).not.toBe(method);
    expect(session.pending).toBe(false);
    expect([watch.takenEpoch, watch.readyEpoch]).toEqual([3, 3]);
    expect(device.felt[2]).toBeGreaterThan(1);
  });

  test('settings that are too long for the thread are refused', () => {
    const { session } = open();
    const regions = Array.from({ length: 2000 }, (_, k) => ({ min: [k / 1000, 0, 0], max: [1 + k / 1000, 1, 1] }));
    const value = [{ bodies: ['ball', 'plate'], dynamicRegions: regions }];
    const { problem } = commandLive(session, { kind: 'set', path: 'friction.pairs', value });
    expect(problem).toMatch(/characters, but with a contact thread must have at most 65536/);
    expect(session.contacts!.epoch).toBe(0);
  });

  test('a tool that is put somewhere else is not pushed by contacts from where it was', () => {
    const { session, device, memory, hand } = open();
    const server = openServer(memory);
    run(session, server, 100);
    press(session, server, device, 0.02);
    run(session, server, 300);
    hand.servo.method.reset(Float64Array.of(0, 0, 0.1, 0, 0, 0, 1));
    device.pose[2] = 0.1;
    run(session, null, 1);
    expect(hand.servo.output.contacts).toBe(0);
  });

  test('can be throttled', () => {
    const { session, memory, watch } = open();
    const times = { now: 0 };
    const server = createContactServer({ scene: SCENE, bodies, tools: ['ball'], memory, rate: 100 }, () => times.now);
    for (let cycle = 0; cycle < 1000; cycle += 1) {
      stepLive(session, 0);
      server.pass();
      times.now += 1;
    }
    expect(watch.updates).toBeGreaterThanOrEqual(99);
    expect(watch.updates).toBeLessThanOrEqual(101);
    expect(watch.rate).toBeGreaterThan(95);
    expect(watch.rate).toBeLessThan(105);
  });
});

/** Threads that are none, and a clock of their own. */
function createPuppetHands() {
  const threads: { onMessage: (message: FromContactThread) => void; onDeath: (why: string) => void; ended: boolean }[] =
    [];
  const timers: { at: number; act: () => void; off: boolean }[] = [];
  let now = 0;
  return {
    threads,
    hands: {
      begin(_: unknown, onMessage: (message: FromContactThread) => void, onDeath: (why: string) => void) {
        const thread = { onMessage, onDeath, ended: false };
        threads.push(thread);
        return {
          async end() {
            thread.ended = true;
          },
        };
      },
      later(ms: number, act: () => void) {
        const timer = { at: now + ms, act, off: false };
        timers.push(timer);
        return () => {
          timer.off = true;
        };
      },
    },
    async pass(ms: number, eachMs: () => void = () => {}) {
      for (const end = now + ms; now < end; ) {
        now += 1;
        eachMs();
        for (const timer of timers.filter(({ at, off }) => at === now && !off)) timer.act();
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

describe('minding a contact thread', () => {
  function keep() {
    const memory = createContactThreadMemory(1, TOOL_STATE_SIZE);
    const puppets = createPuppetHands();
    const said: string[] = [];
    const kept = keepContactThread({ scene: SCENE, bodies, tools: ['ball'], memory }, puppets.hands, (sentence) =>
      said.push(sentence),
    );
    return { memory, kept, said, ...puppets };
  }

  test('one that dies is told of and started again', async () => {
    const { kept, threads, said, pass, memory } = keep();
    threads[0].onMessage({ kind: 'ready' });
    await kept.ready;
    threads[0].onDeath('out of memory');
    threads[0].onDeath('ended with code 1');
    await pass(150);
    expect(threads).toHaveLength(2);
    expect(threads[0].ended).toBe(true);
    expect(said).toEqual([
      'The contact thread was lost (out of memory); it is started again, and contact comes back when it is there.',
    ]);
    const control = openContactThreadControl(memory);
    control.ready(0);
    await pass(3000, () => control.beat());
    await kept.end();
    expect(control.isStopped()).toBe(true);
    await pass(5000);
    expect(threads).toHaveLength(2);
    expect(said).toHaveLength(1);
  });

  test('one that falls silent is ended and started again; one that is being built is not', async () => {
    const { kept, threads, said, pass, memory } = keep();
    await pass(20_000);
    expect(threads).toHaveLength(1);
    threads[0].onMessage({ kind: 'ready' });
    const control = openContactThreadControl(memory);
    control.ready(0);
    await pass(2000, () => control.beat());
    await pass(4000);
    expect(threads).toHaveLength(2);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/silent for 3 s/);
    await kept.end();
  });

  test('one that dies again and again is given up', async () => {
    const { threads, said, pass } = keep();
    threads[0].onMessage({ kind: 'ready' });
    for (let k = 0; k < 10; k += 1) {
      threads.at(-1)!.onMessage({ kind: 'failed', message: 'no luck' });
      await pass(200);
    }
    expect(threads).toHaveLength(6);
    expect(said.at(-1)).toMatch(/lost 6 times in a row \(no luck\), and is not started again/);
    expect(said).toHaveLength(6);
  });

  test('one that cannot even begin says why', async () => {
    const { threads, kept, said } = keep();
    threads[0].onMessage({ kind: 'failed', message: 'no such body' });
    await expect(kept.ready).rejects.toThrow('no such body');
    expect(said).toEqual([]);
  });
});
