import { createPortMemory, openPortDevice, type PortMemory } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { createHaplyLink, type HaplySocket } from './haply-link.js';
import { type FromHaply, HAPLY_LIMITS } from './haply-messages.js';

const HOME = [0.3, 0.2, 0.1, 0, 0, 0, 1];

class FakeSocket implements HaplySocket {
  readyState = 1;
  onmessage: HaplySocket['onmessage'] = null;
  onclose: HaplySocket['onclose'] = null;
  readonly sent: string[] = [];
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.readyState = 3;
  }
  /** x, y and z of the newest force. */
  get force(): number[] {
    const { inverse3 } = JSON.parse(this.sent.at(-1)!);
    return Object.values(inverse3[0].commands.set_cursor_force.values);
  }
}

/** A link with a clock that is turned by hand, and a loop that can push. */
function openLink() {
  const told: FromHaply[] = [];
  const sockets: FakeSocket[] = [];
  let nowMs = 1000;
  let isBlocked = false;
  const status: Record<string, boolean> = {};
  const link = createHaplyLink({
    now: () => nowMs,
    report: (news) => told.push(news),
    openSocket: () => {
      if (isBlocked) throw new Error('insecure');
      sockets.push(new FakeSocket());
      return sockets.at(-1)!;
    },
  });
  const socket = () => sockets.at(-1)!;
  const reply = (x = 0, button = false, text = stateOf(x, button, status)) => socket().onmessage?.({ data: text });
  const wait = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 4) {
      nowMs += 4;
      link.tick();
    }
  };
  const port = createPortMemory();
  const loop = openLoop(port);
  /** The loop writes and the service answers, every 4 ms. */
  const exchange = (ms: number, push: readonly number[], x = 0, button = false) => {
    for (let passed = 0; passed < ms; passed += 4) {
      nowMs += 4;
      loop.write(push);
      reply(x, button);
      link.tick();
    }
  };
  return { link, told, sockets, socket, reply, wait, exchange, port, loop, status, block: () => (isBlocked = true) };
}

function openLoop(port: PortMemory) {
  const device = openPortDevice(port, HAPLY_LIMITS);
  const pose = new Float64Array(7);
  return {
    read: () => (device.read(pose) ? [...pose] : undefined),
    write: (force: readonly number[]) => device.write(Float64Array.of(...(force as [number, number, number]), 9, 9, 9)),
  };
}

function stateOf(x: number, button: boolean, status: object): string {
  const state = { cursor_position: { x, y: 0, z: 0 }, body_orientation: { x: 0, y: 0, z: 0, w: 1 }, mode: 'force' };
  const orientation = { x: 0, y: 0, z: 0, w: 1 };
  return JSON.stringify({
    inverse3: [{ device_id: '049D', state, status }],
    verse_grip: [{ device_id: 'G', state: { orientation, button } }],
  });
}

describe('createHaplyLink', () => {
  it('greets, takes the tool along from where it is, and brings the force in slowly', () => {
    const { link, told, reply, socket, port, loop, exchange } = openLink();
    link.open('ws://here');
    reply(0.05);
    expect(told).toEqual([{ kind: 'connected', deviceId: '049D', gripId: 'G', trouble: null }]);
    // Without a loop the exchange runs, at zero.
    expect(socket().force).toEqual([0, 0, 0]);
    link.usePort(port, HOME, 0);
    exchange(4, [0, 0, 8], 0.05);
    expect(loop.read()).toEqual(HOME.map((part) => expect.closeTo(part, 12)));
    expect(socket().force[2]).toBeLessThan(0.1);
    exchange(500, [0, 0, 8], 0.06);
    expect(loop.read()![0]).toBeCloseTo(0.31, 12);
    expect(socket().force[2]).toBeGreaterThan(3);
    expect(socket().force[2]).toBeLessThan(5);
    exchange(700, [0, 0, 8], 0.06);
    expect(socket().force).toEqual([0, 0, 8]);
  });

  it('never gives more than the limit, nor a force that is none', () => {
    const { link, reply, socket, port, exchange } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1200, [30, 0, 40]);
    expect(socket().force.map((part) => Math.round(part * 1e9) / 1e9)).toEqual([6, 0, 8]);
    exchange(4, [Number.NaN, 0, 0]);
    expect(socket().force).toEqual([0, 0, 0]);
  });

  it('leaves tool and force alone while the button is held, and goes on without a jump', () => {
    const { link, reply, socket, port, loop, exchange } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1200, [0, 0, 5], 0);
    exchange(40, [0, 0, 5], 0.1, true);
    expect(loop.read()![0]).toBeCloseTo(0.3, 12);
    expect(socket().force).toEqual([0, 0, 0]);
    exchange(8, [0, 0, 5], 0.1);
    expect(loop.read()![0]).toBeCloseTo(0.3, 12);
    expect(socket().force[2]).toBeLessThan(0.2);
    exchange(8, [0, 0, 5], 0.12);
    expect(loop.read()![0]).toBeCloseTo(0.32, 12);
  });

  it('lets the force fade when nobody looks, and brings it back slowly', () => {
    const { link, reply, socket, port, loop, exchange } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1200, [0, 0, 5]);
    link.hold(true);
    exchange(52, [0, 0, 5], 0.05);
    expect(socket().force[2]).toBeLessThan(2.6);
    expect(socket().force[2]).toBeGreaterThan(2);
    exchange(80, [0, 0, 5], 0.05);
    expect(socket().force).toEqual([0, 0, 0]);
    expect(loop.read()![0]).toBeCloseTo(0.3, 12);
    link.hold(false);
    exchange(100, [0, 0, 5], 0.05);
    expect(loop.read()![0]).toBeCloseTo(0.3, 12);
    expect(socket().force[2]).toBeLessThan(0.6);
    exchange(1000, [0, 0, 5], 0.05);
    expect(socket().force[2]).toBeCloseTo(5, 9);
  });

  it('brings the tool to another place in small steps and without force', () => {
    const { link, reply, socket, port, loop, exchange } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1200, [0, 0, 5]);
    link.place([0, 0.2, 0.1, 0, 0, 0, 1]);
    exchange(300, [0, 0, 5]);
    expect(loop.read()![0]).toBeCloseTo(0.15, 2);
    expect(socket().force).toEqual([0, 0, 0]);
    exchange(400, [0, 0, 5], 0.01);
    expect(loop.read()![0]).toBeCloseTo(0, 9);
  });

  it.each(['calibrated', 'ready'])('has neither pose nor force while the device is not %s', (field) => {
    const { link, reply, socket, port, loop, exchange, status, told } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1200, [0, 0, 5]);
    loop.read();
    expect(socket().force[2]).toBeGreaterThan(4);
    status[field] = false;
    exchange(4, [0, 0, 5], 0.4);
    expect(socket().force).toEqual([0, 0, 0]);
    exchange(1000, [0, 0, 5], 0.4);
    expect(socket().force).toEqual([0, 0, 0]);
    expect(loop.read()).toBeUndefined();
    const trouble = expect.stringContaining(`Inverse3 049D is not ${field}`);
    expect(told.filter(({ kind }) => kind === 'trouble')).toEqual([
      { kind: 'trouble', trouble, pose: expect.any(Array) },
    ]);
    // No step: the tool goes on from where it was, and the force comes in slowly.
    status[field] = true;
    exchange(100, [0, 0, 5], 0.4);
    expect(loop.read()![0]).toBeCloseTo(0.3, 12);
    expect(socket().force[2]).toBeLessThan(0.6);
    exchange(1000, [0, 0, 5], 0.4);
    expect(socket().force[2]).toBeCloseTo(5, 9);
    expect(told.filter(({ kind }) => kind === 'trouble').at(-1)).toMatchObject({ trouble: null });
  });

  it('has no force for a device that was never calibrated, also while the page is hidden', () => {
    const { link, reply, socket, port, exchange, status, told } = openLink();
    status.calibrated = false;
    link.open('ws://here');
    reply();
    expect(told).toEqual([
      { kind: 'connected', deviceId: '049D', gripId: 'G', trouble: expect.stringContaining('not calibrated') },
    ]);
    link.usePort(port, HOME, 0);
    link.hold(true);
    exchange(40, [0, 0, 5]);
    expect(socket().sent.every((text) => !text.includes('"z":5'))).toBe(true);
    expect(socket().force).toEqual([0, 0, 0]);
  });

  it('goes at the pace of the loop: a force for every wrench, and one every 4 ms without', async () => {
    const { link, reply, socket, port, loop, wait } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    for (let n = 0; n < 5; n += 1) reply();
    // Answered at once, it waits for the loop.
    expect(socket().sent).toHaveLength(1);
    loop.write([0, 0, 1]);
    await expect.poll(() => socket().sent.length).toBe(2);
    reply();
    loop.write([0, 0, 1]);
    loop.write([0, 0, 1]);
    await expect.poll(() => socket().sent.length).toBe(3);
    reply();
    expect(socket().sent).toHaveLength(3);
    wait(4);
    expect(socket().sent).toHaveLength(4);
  });

  it('takes the force away at once when the page is left, asked or not', () => {
    const { link, reply, socket, port, exchange } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1200, [0, 0, 5]);
    link.letGo();
    expect(socket().force).toEqual([0, 0, 0]);
    link.hold(true);
    exchange(200, [0, 0, 5]);
    expect(socket().force).toEqual([0, 0, 0]);
  });

  it('lets go when its own code fails, says so, and looks for the service again', () => {
    const { link, told, reply, socket, sockets, port, exchange, wait } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1200, [0, 0, 5]);
    const { send } = FakeSocket.prototype;
    let isBroken = true;
    socket().send = function (text) {
      if (isBroken) {
        isBroken = false;
        throw new Error('a defect');
      }
      send.call(this, text);
    };
    exchange(4, [0, 0, 5]);
    expect(sockets[0]!.force).toEqual([0, 0, 0]);
    expect(sockets[0]!.readyState).toBe(3);
    expect(told.at(-1)).toMatchObject({ kind: 'lost', reason: 'this program failed (a defect)' });
    wait(200);
    expect(sockets).toHaveLength(2);
  });

  it('takes the force away unasked when the loop stands still and the service is slow', () => {
    const { link, reply, socket, port, exchange, wait } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1200, [0, 0, 5]);
    const before = socket().sent.length;
    wait(40);
    expect(socket().force).toEqual([0, 0, 0]);
    expect(socket().sent.length).toBeGreaterThan(before);
  });

  it('looks for a service that has gone, and takes the tool up from where it is', () => {
    const { link, told, reply, socket, sockets, port, loop, exchange, wait } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(100, [0, 0, 5], 0.02);
    wait(300);
    expect(sockets[0]!.force).toEqual([0, 0, 0]);
    expect(told.at(-1)).toMatchObject({ kind: 'lost', reason: 'no reading for 250 ms' });
    wait(200);
    expect(sockets.length).toBe(2);
    socket().onclose!({ code: 1006 });
    expect(told.at(-1)).toMatchObject({ kind: 'lost', reason: 'nothing answers there' });
    const news = told.length;
    wait(1000);
    socket().onclose!({ code: 1006 });
    // The same failure again is no news.
    expect(told.length).toBe(news);
    wait(2100);
    reply(0.3);
    expect(told.at(-1)).toMatchObject({ kind: 'connected' });
    exchange(8, [0, 0, 5], 0.3);
    expect(loop.read()![0]).toBeCloseTo(0.3, 9);
  });

  it.each([
    ['{"inverse3": {}}', 'format 3.0'],
    ['{"inverse3": []}', 'connect one and switch it on'],
    ['hello', 'not JSON'],
  ])('gives up at once on a service that says %s', (text, reason) => {
    const { link, told, reply, sockets, wait } = openLink();
    link.open('ws://here');
    reply(0, false, text);
    expect(told).toEqual([{ kind: 'unreachable', reason: expect.stringContaining(reason) }]);
    wait(3000);
    expect(sockets.length).toBe(1);
  });

  it('says so where nothing answers, or where the browser forbids it', () => {
    const refused = openLink();
    refused.link.open('ws://here');
    refused.socket().onclose!({ code: 1006 });
    expect(refused.told).toEqual([{ kind: 'unreachable', reason: 'nothing answers there' }]);
    const mute = openLink();
    mute.link.open('ws://here');
    mute.wait(3100);
    expect(mute.told).toEqual([{ kind: 'unreachable', reason: 'no reading for 3000 ms' }]);
    const forbidden = openLink();
    forbidden.block();
    forbidden.link.open('ws://here');
    expect(forbidden.told).toEqual([{ kind: 'unreachable', reason: expect.stringContaining('insecure') }]);
  });

  it('counts what went to and fro, and ends with zero', () => {
    const { link, told, reply, socket, port, exchange } = openLink();
    link.open('ws://here');
    reply();
    link.usePort(port, HOME, 0);
    exchange(1100, [0, 0, 5]);
    expect(told.at(-1)).toEqual({ kind: 'rate', poses: expect.closeTo(250, -1), forces: expect.closeTo(250, -1) });
    link.close();
    expect(socket().force).toEqual([0, 0, 0]);
    expect(socket().readyState).toBe(3);
    expect(told.at(-1)).toMatchObject({ kind: 'closed', pose: HOME.map((part) => expect.closeTo(part, 12)) });
  });
});
