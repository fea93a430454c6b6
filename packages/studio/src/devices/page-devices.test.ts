import { describe, expect, it } from 'vitest';
import type { ToHaply } from './haply-messages.js';
import type { MotorLoop, ViewAxes } from './page-device.js';
import { createPageDevices, type DeviceHost, deviceEntries } from './page-devices.js';

interface FakePad {
  readonly index: number;
  readonly id: string;
  readonly connected: boolean;
  readonly mapping: string;
  readonly axes: number[];
  readonly buttons: { value: number; pressed: boolean }[];
}

function openDevices(navigator: DeviceHost['navigator'] = {}, more: Partial<DeviceHost> = {}, motor?: MotorLoop) {
  const frames: ((timeMs: number) => void)[] = [];
  const poses: number[][] = [];
  const asked: number[] = [];
  const force = { pushes: 0 };
  const devices = createPageDevices({
    tools: [
      {
        home: [0, 0, 0, 0, 0, 0, 1],
        port: {
          putPose: (pose) => void poses.push([...pose]),
          takeWrench: (out, nowMs) => {
            asked.push(nowMs);
            out.fill(0);
            out[2] = force.pushes;
          },
        },
        ...(motor && { motor }),
      },
    ],
    readView: ({ right }: ViewAxes) => right.set([1, 0, 0]),
    xrStage: { present: async () => {} },
    host: { navigator, events: new EventTarget(), requestFrame: (callback) => void frames.push(callback), ...more },
  });
  const draw = (timeMs: number) => {
    for (const callback of frames.splice(0)) callback(timeMs);
  };
  return { devices, draw, poses, asked, frames, force };
}

function createPad(): FakePad {
  return { index: 0, id: 'Pad', connected: true, mapping: 'standard', axes: [1, 0, 0, 0], buttons: [] };
}

describe('createPageDevices', () => {
  it('lists every device with words for the browser it runs in', () => {
    openDevices();
    expect(deviceEntries.value.map(({ name, status }) => `${name}: ${status.state}`)).toEqual([
      'Mouse and keyboard: connected',
      'Haply Inverse3: unsupported',
      'SpaceMouse: unsupported',
      'Gamepad: unsupported',
      'Headset: unsupported',
    ]);
    expect(deviceEntries.value.every(({ action }) => action === undefined)).toBe(true);
  });

  it('offers to connect where that can be done', async () => {
    const hid = {
      getDevices: async () => [],
      requestDevice: async () => [],
      addEventListener: () => {},
      removeEventListener: () => {},
    };
    const { frames, draw } = openDevices({ hid });
    const entry = () => deviceEntries.value.find(({ name }) => name === 'SpaceMouse')!;
    expect(entry().action?.label).toBe('Connect');
    entry().action!.run();
    expect(entry().action).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve));
    expect(entry()).toMatchObject({ status: { text: expect.stringContaining('None was chosen') }, action: {} });
    // With nobody to ask, no further picture is waited for.
    draw(0);
    expect(frames).toEqual([]);
  });

  it('asks a gamepad at every picture and moves by the time between them', () => {
    const getGamepads = () => [createPad()] as unknown as (Gamepad | null)[];
    const { draw, poses, asked } = openDevices({ getGamepads });
    draw(1000);
    expect(poses).toEqual([]);
    draw(1020);
    draw(1040);
    expect(poses.map(([x]) => x)).toEqual([expect.closeTo(0.005), expect.closeTo(0.01)]);
    expect(asked).toEqual([1000, 1020, 1040]);
  });

  it('changes from one device to another without a jump, and rests when closed', () => {
    const getGamepads = () => [createPad()] as unknown as (Gamepad | null)[];
    const { devices, draw, poses, frames } = openDevices({ getGamepads });
    devices.mouseKeyboard.move(0.1, 0, 0);
    draw(0);
    draw(20);
    expect(poses.at(-1)![0]).toBeCloseTo(0.105);
    devices.close();
    draw(40);
    expect(poses.at(-1)![0]).toBeCloseTo(0.105);
    expect(frames).toEqual([]);
  });

  it('takes the force from those that shake without waiting for a picture, until told otherwise', () => {
    const effects: string[] = [];
    const note = (effect: string) => async () => void effects.push(effect);
    const pad = { ...createPad(), vibrationActuator: { playEffect: note('shakes'), reset: note('rests') } };
    const getGamepads = () => [pad] as unknown as (Gamepad | null)[];
    const { devices, draw, force } = openDevices({ getGamepads });
    force.pushes = 5;
    draw(0);
    expect(effects).toEqual(['shakes']);
    devices.hold(true);
    expect(effects).toEqual(['shakes', 'rests']);
    for (let timeMs = 20; timeMs < 500; timeMs += 20) draw(timeMs);
    expect(effects).toEqual(['shakes', 'rests']);
    devices.hold(false);
    draw(500);
    expect(effects).toEqual(['shakes', 'rests', 'shakes']);
  });

  it('keeps the force from the Inverse3 also when a hidden page is shown again', () => {
    const holds: boolean[] = [];
    const post = (message: ToHaply) => void (message.kind === 'hold' && holds.push(message.isHeld));
    const thread = { post, terminate: () => {} };
    const events = new EventTarget();
    let isHidden = false;
    const show = (isShown: boolean) => {
      isHidden = !isShown;
      events.dispatchEvent(new Event('visibilitychange'));
    };
    const { devices } = openDevices(
      {},
      {
        visibility: { events, isHidden: () => isHidden },
        haply: { url: 'ws://x', isFromWeb: false, startThread: () => thread },
      },
      { setMotor: () => {}, onPort: () => {} },
    );
    deviceEntries.value.find(({ name }) => name === 'Haply Inverse3')!.action!.run();
    devices.hold(true);
    show(false);
    show(true);
    expect(holds).toEqual([false, true, true, true]);
    devices.hold(false);
    expect(holds.at(-1)).toBe(false);
    show(false);
    devices.hold(true);
    devices.hold(false);
    expect(holds.at(-1)).toBe(true);
    devices.close();
  });
});
