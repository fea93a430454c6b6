/**
 * SpaceMouse through WebHID. The browser asks the user once, on a click; from then on the page finds the device by
 * itself, also after it was unplugged.
 */
import { messageOf } from '../controls/words.js';
import type { DeviceStatus } from './page-device.js';
import { createRateControl, type RateDeviceOptions } from './rate-control.js';
import { createSpaceMouseState, parseSpaceMouseReport } from './space-mouse-report.js';
import type { Hid, HidConnection, HidDevice, HidInputReport } from './web-hid.js';

/** 3Dconnexion, and Logitech, under whose number it sold until 2013. */
const VENDORS = [0x256f, 0x046d];
/** A controller of many axes: distinguishes a SpaceMouse from Logitech's mice and keyboards. */
const GENERIC_DESKTOP = 0x01;
const MULTI_AXIS_CONTROLLER = 0x08;
const DEAD_ZONE = 0.05;
/**
 * The knob repeats itself many times a second while it is pushed. Silent for this long while pushed, its radio link is
 * gone, and the tool must not run on, seconds.
 */
const LONGEST_SILENCE = 0.5;

export interface SpaceMouseOptions extends RateDeviceOptions {
  /** `navigator.hid`; undefined where the browser has none. */
  readonly hid: Hid | undefined;
}

const UNSUPPORTED: DeviceStatus = {
  state: 'unsupported',
  text: 'This browser has no WebHID. Open the page in Chrome or Edge on a computer, from localhost or over https.',
};
const ABSENT: DeviceStatus = { state: 'absent', text: 'Not connected. Plug it in, press Connect and choose it.' };
const NONE_CHOSEN: DeviceStatus = {
  state: 'absent',
  text: 'None was chosen. If the list was empty, plug the device or its receiver in and press Connect again.',
};
const UNPLUGGED: DeviceStatus = { state: 'absent', text: 'Unplugged. Plug it in again to use it.' };
const CONNECTING: DeviceStatus = { state: 'connecting', text: 'Waiting for your choice in the browser’s list.' };

export function createSpaceMouse({ hid, grip, readView, onStatus, onBusy }: SpaceMouseOptions) {
  const rate = createRateControl(grip, readView, DEAD_ZONE);
  let state = createSpaceMouseState();
  let device: HidDevice | undefined;
  let silence = 0;
  let isClosed = false;

  const onReport = ({ reportId, data }: HidInputReport) => {
    if (!parseSpaceMouseReport(state, reportId, data)) return;
    silence = 0;
    // From the knob's frame (x right, y to the person, z down) to the directions of the view.
    rate.deflection.set(state.axes.map((part, k) => (k % 3 === 0 ? part : -part)));
    grip.press('space-mouse', state.buttons);
    if (rate.isDeflected) onBusy();
  };
  const letGo = () => {
    device?.removeEventListener('inputreport', onReport);
    device = undefined;
    state = createSpaceMouseState();
    rate.release();
    grip.press('space-mouse', 0);
  };
  const open = async (candidate: HidDevice) => {
    letGo();
    // Before the wait, so that a second call for the same device finds it taken.
    device = candidate;
    try {
      if (!candidate.opened) await candidate.open();
      if (isClosed || device !== candidate) return;
      candidate.addEventListener('inputreport', onReport);
      onStatus({ state: 'connected', text: `${candidate.productName || 'SpaceMouse'} moves the tool.` });
    } catch (error) {
      if (device === candidate) letGo();
      onStatus(describeOpenError(candidate, error));
    }
  };
  const openKnown = async () => {
    try {
      const known = (await hid!.getDevices()).find(isSpaceMouse);
      if (known && !device && !isClosed) await open(known);
    } catch {
      // The browser does not say which devices are known; the button still asks.
    }
  };
  const onPlugged = ({ device: plugged }: HidConnection) => {
    if (!device && isSpaceMouse(plugged)) void open(plugged);
  };
  const onUnplugged = ({ device: gone }: HidConnection) => {
    if (gone !== device) return;
    letGo();
    onStatus(UNPLUGGED);
  };

  onStatus(hid ? ABSENT : UNSUPPORTED);
  hid?.addEventListener('connect', onPlugged);
  hid?.addEventListener('disconnect', onUnplugged);
  if (hid) void openKnown();

  return {
    get isBusy() {
      return rate.isDeflected;
    },
    step(dt: number) {
      silence += dt;
      if (silence > LONGEST_SILENCE) rate.release();
      rate.step(dt);
    },
    // It has no motor.
    feel() {},
    /** Lets the user choose a device. Only a click may call it: the browser insists. */
    async connect() {
      if (!hid) return onStatus(UNSUPPORTED);
      onStatus(CONNECTING);
      try {
        const filters = VENDORS.map((vendorId) => ({
          vendorId,
          usagePage: GENERIC_DESKTOP,
          usage: MULTI_AXIS_CONTROLLER,
        }));
        const chosen = (await hid.requestDevice({ filters }))[0];
        if (chosen) await open(chosen);
        else onStatus(NONE_CHOSEN);
      } catch (error) {
        onStatus(describeRequestError(error));
      }
    },
    close() {
      isClosed = true;
      hid?.removeEventListener('connect', onPlugged);
      hid?.removeEventListener('disconnect', onUnplugged);
      const open = device;
      letGo();
      // It may be unplugged at this very moment; then there is nothing left to close.
      void open?.close().catch(() => {});
    },
  };
}

function isSpaceMouse({ vendorId, collections }: HidDevice): boolean {
  const hasManyAxes = collections.some(
    ({ usagePage, usage }) => usagePage === GENERIC_DESKTOP && usage === MULTI_AXIS_CONTROLLER,
  );
  return VENDORS.includes(vendorId) && hasManyAxes;
}

function describeRequestError(error: unknown): DeviceStatus {
  const name = error instanceof Error ? error.name : '';
  if (name === 'SecurityError' || name === 'NotAllowedError') {
    return {
      state: 'refused',
      text: 'The browser blocked the request. Allow HID devices for this page in the site settings and press Connect again.',
    };
  }
  return { state: 'failed', text: `The browser could not list devices (${reasonOf(error)}). Reload the page.` };
}

function describeOpenError({ productName }: HidDevice, error: unknown): DeviceStatus {
  return {
    state: 'refused',
    text: `${productName || 'The SpaceMouse'} could not be opened (${reasonOf(error)}). Close the program that uses it; on Linux, let your user read its hidraw device. Then press Connect again.`,
  };
}

function reasonOf(error: unknown): string {
  return messageOf(error).replace(/\.$/, '');
}
