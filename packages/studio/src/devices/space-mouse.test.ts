import { describe, expect, it } from 'vitest';
import { createGrip } from './grip.js';
import type { DeviceStatus, ViewAxes } from './page-device.js';
import { createSpaceMouse } from './space-mouse.js';
import type { Hid, HidCollection, HidConnection, HidDevice, HidInputReport } from './web-hid.js';

const MANY_AXES: HidCollection = { usagePage: 1, usage: 8 };
const PLAIN_MOUSE: HidCollection = { usagePage: 1, usage: 2 };

class FakeDevice implements HidDevice {
  opened = false;
  openError: Error | undefined;
  readonly vendorId: number;
  readonly productName = 'SpaceMouse Wireless';
  readonly collections: readonly HidCollection[];
  readonly listeners = new Set<(report: HidInputReport) => void>();
  constructor(vendorId = 0x256f, collections = [MANY_AXES]) {
    this.vendorId = vendorId;
    this.collections = collections;
  }
  async open() {
    if (this.openError) throw this.openError;
    this.opened = true;
  }
  async close() {
    this.opened = false;
  }
  addEventListener(_type: string, listener: (report: HidInputReport) => void) {
    this.listeners.add(listener);
  }
  removeEventListener(_type: string, listener: (report: HidInputReport) => void) {
    this.listeners.delete(listener);
  }
  send(reportId: number, ...bytes: number[]) {
    const data = new DataView(Uint8Array.from(bytes).buffer);
    for (const listener of this.listeners) listener({ reportId, data });
  }
}

class FakeHid implements Hid {
  known: HidDevice[] = [];
  choose: () => HidDevice[] = () => [];
  readonly listeners = new Map<string, (event: HidConnection) => void>();
  async getDevices() {
    return this.known;
  }
  async requestDevice() {
    return this.choose();
  }
  addEventListener(type: string, listener: (event: HidConnection) => void) {
    this.listeners.set(type, listener);
  }
  removeEventListener(type: string) {
    this.listeners.delete(type);
  }
}

function openSpaceMouse(hid: FakeHid | undefined) {
  const told: DeviceStatus[] = [];
  let busy = 0;
  let buttons = 0;
  const grip = createGrip({
    home: [0, 0, 0, 0, 0, 0, 1],
    sink: {
      putPose: (_pose, held) => {
        buttons = held;
      },
    },
  });
  const mouse = createSpaceMouse({
    hid,
    grip,
    readView: ({ right }: ViewAxes) => right.set([1, 0, 0]),
    onStatus: (status) => told.push(status),
    onBusy: () => {
      busy += 1;
    },
  });
  return { mouse, grip, told, busy: () => busy, buttons: () => buttons, status: () => told.at(-1)! };
}

/** Lets the promises of the fakes settle. */
const settle = () => new Promise((resolve) => setTimeout(resolve));
const domError = (name: string, message: string) => Object.assign(new Error(message), { name });

describe('createSpaceMouse', () => {
  it('says what to do where the browser has no WebHID', async () => {
    const { mouse, status } = openSpaceMouse(undefined);
    expect(status()).toMatchObject({ state: 'unsupported', text: expect.stringContaining('Chrome or Edge') });
    await mouse.connect();
    expect(status().state).toBe('unsupported');
    mouse.close();
  });

  it('opens what was allowed before, but no other device of the same maker', async () => {
    const hid = new FakeHid();
    const plain = new FakeDevice(0x046d, [PLAIN_MOUSE]);
    const old = new FakeDevice(0x046d);
    hid.known = [plain, new FakeDevice(0x1234), old];
    const { status } = openSpaceMouse(hid);
    await settle();
    expect(status()).toEqual({ state: 'connected', text: 'SpaceMouse Wireless moves the tool.' });
    expect([plain.opened, old.opened]).toEqual([false, true]);
  });

  it('moves the tool as the knob is pushed: right, away, up', async () => {
    const hid = new FakeHid();
    const device = new FakeDevice();
    hid.choose = () => [device];
    const { mouse, grip, busy, buttons } = openSpaceMouse(hid);
    await mouse.connect();
    expect(mouse.isBusy).toBe(false);
    // Full right, full away from the person (−y), half up (−z).
    device.send(1, 0x5e, 0x01, 0xa2, 0xfe, 0x51, 0xff);
    expect(mouse.isBusy).toBe(true);
    expect(busy()).toBe(1);
    mouse.step(0.04);
    expect([...grip.pose.subarray(0, 3)]).toEqual([
      expect.closeTo(0.01),
      expect.closeTo(0.01),
      expect.closeTo(0.01 * (0.45 / 0.95) ** 2),
    ]);
    device.send(1, 0, 0, 0, 0, 0, 0);
    expect(mouse.isBusy).toBe(false);
    device.send(3, 0b10);
    expect(buttons()).toBe(0b10);
  });

  it('turns the tool as the knob is turned: screwed to the left seen from above', async () => {
    const hid = new FakeHid();
    const device = new FakeDevice();
    hid.choose = () => [device];
    const { mouse, grip } = openSpaceMouse(hid);
    await mouse.connect();
    // The knob's z points down: a turn to the left is negative about it.
    device.send(2, 0, 0, 0, 0, 0xa2, 0xfe);
    mouse.step(0.04);
    expect(grip.pose[5]).toBeCloseTo(Math.sin(0.03));
  });

  it('stops when it falls silent while pushed', async () => {
    const hid = new FakeHid();
    const device = new FakeDevice();
    hid.choose = () => [device];
    const { mouse, grip } = openSpaceMouse(hid);
    await mouse.connect();
    device.send(1, 0x5e, 0x01, 0, 0, 0, 0);
    for (let k = 0; k < 200; k += 1) mouse.step(0.016);
    expect(mouse.isBusy).toBe(false);
    expect(grip.pose[0]).toBeLessThan(0.13);
  });

  it('lets go when unplugged, and comes back when plugged in', async () => {
    const hid = new FakeHid();
    const device = new FakeDevice();
    hid.known = [device];
    const { mouse, status, buttons } = openSpaceMouse(hid);
    await settle();
    device.send(1, 0x5e, 0x01, 0, 0, 0, 0);
    device.send(3, 1);
    hid.listeners.get('disconnect')!({ device: new FakeDevice() });
    expect(mouse.isBusy).toBe(true);
    hid.listeners.get('disconnect')!({ device });
    expect(mouse.isBusy).toBe(false);
    expect(buttons()).toBe(0);
    expect(status()).toMatchObject({ state: 'absent', text: expect.stringContaining('Unplugged') });
    hid.listeners.get('connect')!({ device });
    await settle();
    expect(status().state).toBe('connected');
    mouse.close();
    expect(device.listeners.size).toBe(0);
    expect(device.opened).toBe(false);
    expect(hid.listeners.size).toBe(0);
  });

  it.each([
    ['absent', 'None was chosen', () => []],
    [
      'refused',
      'Allow HID devices',
      () => {
        throw domError('SecurityError', 'Access denied.');
      },
    ],
    [
      'failed',
      'boom',
      () => {
        throw new Error('boom.');
      },
    ],
    [
      'refused',
      'could not be opened (Failed to open the device)',
      () => {
        const device = new FakeDevice();
        device.openError = domError('NotAllowedError', 'Failed to open the device.');
        return [device];
      },
    ],
  ] as const)('is %s, and says "%s"', async (state, words, choose) => {
    const hid = new FakeHid();
    hid.choose = choose as () => HidDevice[];
    const { mouse, told, status } = openSpaceMouse(hid);
    await mouse.connect();
    expect(told.map((one) => one.state)).toContain('connecting');
    expect(status()).toMatchObject({ state, text: expect.stringContaining(words) });
    expect(status().text).not.toContain('.)');
  });
});
