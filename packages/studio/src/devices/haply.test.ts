import type { DeviceLimits } from '@palpable/engine';
import { createPortMemory, type PortMemory } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import { createGrip } from './grip.js';
import { createHaply } from './haply.js';
import { type FromHaply, HAPLY_LIMITS, type ToHaply } from './haply-messages.js';
import type { DeviceStatus, MotorLoop, ViewAxes } from './page-device.js';

function openHaply(hasLoop = true, isFromWeb = false) {
  const posted: ToHaply[] = [];
  const told: { status: DeviceStatus; isSought: boolean }[] = [];
  const motors: (DeviceLimits | undefined)[] = [];
  const waiting: (() => void)[] = [];
  let hear: (news: FromHaply) => void = () => {};
  let fail: (message: string) => void = () => {};
  let givePort: (port: PortMemory | undefined) => void = () => {};
  let ended = 0;
  const motor: MotorLoop = {
    setMotor: (limits) => motors.push(limits),
    onPort: (listener) => {
      givePort = listener;
    },
  };
  const grip = createGrip({ home: [0.1, 0.2, 0.3, 0, 0, 0, 1], sink: { putPose: () => {} } });
  const haply = createHaply({
    url: 'ws://here',
    motor: hasLoop ? motor : undefined,
    grip,
    isFromWeb,
    // Looks along the world's x.
    readView: ({ away }: ViewAxes) => away.set([0.8, 0, -0.6]),
    startThread: (onNews, onFailure) => {
      hear = onNews;
      fail = onFailure;
      return { post: (message) => posted.push(message), terminate: () => (ended += 1) };
    },
    onStatus: (status, isSought) => told.push({ status, isSought }),
    later: (run) => waiting.push(run),
  });
  const expire = () => {
    for (const run of waiting.splice(0)) run();
  };
  return {
    haply,
    grip,
    posted,
    motors,
    expire,
    hear: (news: FromHaply) => hear(news),
    fail: (message: string) => fail(message),
    givePort: (port: PortMemory | undefined) => givePort(port),
    ended: () => ended,
    told: () => told.at(-1)!,
    text: () => told.at(-1)!.status.text,
  };
}

const CONNECTED: FromHaply = { kind: 'connected', deviceId: '049D', gripId: 'G1', trouble: null };
const TROUBLE = 'Inverse3 049D is not calibrated: do something';

describe('createHaply', () => {
  it('says why there can be no force', () => {
    const { told, haply, posted } = openHaply(false);
    expect(told()).toMatchObject({ status: { state: 'unsupported' }, isSought: false });
    haply.connect();
    expect(posted).toEqual([]);
  });

  it('asks for a loop with its limits, and gives the hand its port at the place of the tool', () => {
    const { haply, told, posted, motors, hear, givePort, text } = openHaply();
    haply.connect();
    expect(told()).toMatchObject({ status: { state: 'connecting' }, isSought: true });
    expect(posted).toEqual([
      { kind: 'hold', isHeld: false },
      { kind: 'open', url: 'ws://here' },
    ]);
    expect(haply.hasTool).toBe(false);
    hear(CONNECTED);
    expect(haply.hasTool).toBe(true);
    expect(text()).toContain('Inverse3 049D with grip G1 moves the tool, with up to 10 N');
    expect(motors).toEqual([HAPLY_LIMITS]);
    const port = createPortMemory();
    givePort(port);
    // Ahead of the hand is the world's x: a quarter to the right.
    const yaw = expect.closeTo(-Math.PI / 2, 12);
    expect(posted.at(-1)).toEqual({ kind: 'port', port, pose: [0.1, 0.2, 0.3, 0, 0, 0, 1], yaw });
    // A loop that is started again finds the tool where the hand has it.
    givePort(undefined);
    expect(posted.at(-1)).toEqual({ kind: 'no-port' });
    givePort(port);
    expect(posted.at(-1)).toMatchObject({ kind: 'port', pose: undefined });
  });

  it('tells its rate apart from its words', () => {
    const { haply, told, hear } = openHaply();
    haply.connect();
    hear(CONNECTED);
    const { text } = told().status;
    hear({ kind: 'rate', poses: 997, forces: 996 });
    expect(told().status).toEqual({ state: 'connected', text, detail: '997 poses and 996 forces per second' });
    hear({ kind: 'grip', gripId: null });
    expect(told().status.text).toContain('whose grip does not answer');
  });

  it('leaves the tool to the mouse when it is gone for a while, and takes it back', () => {
    const { haply, grip, told, motors, hear, expire, posted, givePort } = openHaply();
    haply.connect();
    hear(CONNECTED);
    givePort(createPortMemory());
    hear({ kind: 'lost', reason: 'no reading for 100 ms', pose: [0.5, 0.2, 0.3, 0, 0, 0, 1] });
    expect(told()).toMatchObject({ status: { state: 'failed' }, isSought: true });
    expect(told().status.text).toContain('gone (no reading for 100 ms)');
    expect(haply.hasTool).toBe(true);
    expire();
    expect(haply.hasTool).toBe(false);
    expect(motors).toEqual([HAPLY_LIMITS, undefined]);
    expect(grip.pose[0]).toBe(0.5);
    grip.move(0.1, 0, 0);
    hear(CONNECTED);
    expect(motors.at(-1)).toEqual(HAPLY_LIMITS);
    givePort(createPortMemory());
    expect(posted.at(-1)).toMatchObject({ kind: 'port', pose: [expect.closeTo(0.6), 0.2, 0.3, 0, 0, 0, 1] });
  });

  it('keeps the tool when it is soon back', () => {
    const { haply, motors, hear, expire } = openHaply();
    haply.connect();
    hear(CONNECTED);
    hear({ kind: 'lost', reason: 'closed', pose: undefined });
    hear(CONNECTED);
    expire();
    expect(haply.hasTool).toBe(true);
    expect(motors).toEqual([HAPLY_LIMITS]);
  });

  it('says what was wrong, and what a page from the web may need', () => {
    const { haply, told, hear, ended, expire } = openHaply(true, true);
    haply.connect();
    hear({ kind: 'unreachable', reason: 'nothing answers there' });
    expect(told()).toMatchObject({ status: { state: 'failed' }, isSought: false });
    expect(told().status.text).toMatch(/ws:\/\/here: nothing answers there\. Start Haply Hub.*npm start/);
    expire();
    expect(ended()).toBe(1);
  });

  it('survives the end of its thread', () => {
    const { haply, told, hear, fail, motors, posted, ended, expire } = openHaply();
    haply.connect();
    hear(CONNECTED);
    fail('out of memory');
    expect(told()).toMatchObject({ status: { state: 'failed' }, isSought: false });
    // An error does not end a thread: it is told to let go, and has time for it.
    expect(posted).toContainEqual({ kind: 'close' });
    expect(ended()).toBe(0);
    hear({ kind: 'closed', pose: undefined });
    expect(told().status.text).toContain('out of memory');
    expire();
    expect(ended()).toBe(1);
    expect(haply.hasTool).toBe(false);
    expect(motors.at(-1)).toBeUndefined();
  });

  it('leaves the tool to the mouse as long as the device is not calibrated, and says so', () => {
    const { haply, hear, told, text, motors, expire } = openHaply();
    haply.connect();
    hear({ ...CONNECTED, trouble: TROUBLE });
    expect(told()).toMatchObject({ status: { state: 'connecting' }, isSought: true });
    expect(text()).toContain(TROUBLE);
    hear({ kind: 'rate', poses: 0, forces: 997 });
    expect(text()).toContain(TROUBLE);
    expect(haply.hasTool).toBe(false);
    hear({ kind: 'trouble', trouble: null, pose: undefined });
    expect(text()).toContain('moves the tool');
    expect(motors).toEqual([HAPLY_LIMITS]);
    hear({ kind: 'trouble', trouble: TROUBLE, pose: undefined });
    expect(text()).toContain(TROUBLE);
    expect(haply.hasTool).toBe(true);
    expire();
    expect(haply.hasTool).toBe(false);
  });

  it('is held, placed, disconnected and closed', () => {
    const { haply, posted, hear, grip, told, ended, expire } = openHaply();
    haply.hold(true);
    haply.place([0, 0, 0, 0, 0, 0, 1]);
    haply.connect();
    expect(posted[0]).toEqual({ kind: 'hold', isHeld: true });
    hear(CONNECTED);
    haply.hold(false);
    haply.place([0, 0, 0, 0, 0, 0, 1]);
    expect(posted.slice(-2)).toEqual([
      { kind: 'hold', isHeld: false },
      { kind: 'place', pose: [0, 0, 0, 0, 0, 0, 1] },
    ]);
    haply.disconnect();
    expect(posted.at(-1)).toEqual({ kind: 'close' });
    hear({ kind: 'closed', pose: [0.7, 0, 0, 0, 0, 0, 1] });
    expect(grip.pose[0]).toBe(0.7);
    expect(told()).toMatchObject({ status: { state: 'absent' }, isSought: false });
    haply.connect();
    haply.close();
    expect(posted.at(-1)).toEqual({ kind: 'close' });
    expire();
    expect(ended()).toBe(2);
  });
});
