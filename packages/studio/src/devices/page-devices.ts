/**
 * All devices of the page together: opens them, asks them once per picture while one of them has something to say, lets
 * them feel what the port says, and keeps a list of what answers for the panel.
 *
 * Everything they do goes through the ports, one per tool: this is the place where a servo loop takes over.
 */
import { signal } from '@preact/signals';
import { createGamepad } from './gamepad.js';
import { createGrip, type Grip } from './grip.js';
import { createMouseKeyboard, MOUSE_KEYBOARD_STATUS, type MouseKeyboard } from './mouse-keyboard.js';
import type { DeviceStatus, PageDevice, PageDevicePort, ViewAxes } from './page-device.js';
import { createSpaceMouse } from './space-mouse.js';
import type { Hid } from './web-hid.js';
import { createXr, type XrStage } from './xr.js';

export interface DeviceEntry {
  readonly name: string;
  readonly status: DeviceStatus;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** What the panel shows, in this order. */
export const deviceEntries = signal<readonly DeviceEntry[]>([]);

/** Where the browser keeps its devices; tests bring their own. */
export interface DeviceHost {
  readonly navigator: Pick<Partial<Navigator>, 'getGamepads' | 'xr'> & { readonly hid?: Hid };
  readonly events: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  requestFrame(callback: (timeMs: number) => void): void;
}

export interface PageTool {
  readonly port: PageDevicePort;
  /** World pose that the tool starts with. */
  readonly home: ArrayLike<number>;
}

export interface PageDevicesOptions {
  readonly tools: readonly PageTool[];
  readonly readView: (out: ViewAxes) => void;
  readonly xrStage: XrStage;
  readonly host?: DeviceHost;
}

export interface PageDevices {
  /** One per tool. */
  readonly grips: readonly Grip[];
  /** Moves the first tool. */
  readonly mouseKeyboard: MouseKeyboard;
  close(): void;
}

export function createPageDevices(options: PageDevicesOptions): PageDevices {
  const { tools, readView, xrStage, host = browserHost() } = options;
  const { navigator, events } = host;
  const grips = tools.map(({ port, home }) => createGrip({ sink: port, home }));
  const first = grips[0]!;
  const list = createList();
  let isClosed = false;
  let isAsked = false;
  let lastMs: number | undefined;

  const start = () => {
    if (isAsked || isClosed || xr.isPresenting) return;
    isAsked = true;
    host.requestFrame((timeMs) => {
      isAsked = false;
      if (isClosed || xr.isPresenting) return;
      tick(timeMs);
      if (seats.some(({ device }) => device.isBusy)) start();
      else lastMs = undefined;
    });
  };
  const wrench = new Float64Array(6);
  const tick = (timeMs: number) => {
    const dt = lastMs === undefined ? 0 : Math.max(0, timeMs - lastMs) / 1000;
    lastMs = timeMs;
    for (const { device } of seats) device.step(dt);
    tools.forEach(({ port }, index) => {
      port.takeWrench(wrench, timeMs);
      for (const { device, grip } of seats) if (grip === index) device.feel(wrench, timeMs);
    });
  };

  const xr = createXr({
    xr: navigator.xr,
    stage: xrStage,
    grips,
    onStatus: (status) => list.set('headset', 'Headset', status, xrAction(status)),
    onFrame: tick,
    onEnd: () => {
      lastMs = undefined;
      start();
    },
  });
  const spaceMouse = createSpaceMouse({
    hid: navigator.hid,
    grip: first,
    readView,
    onStatus: (status) => list.set('space-mouse', 'SpaceMouse', status, spaceMouseAction(status)),
    onBusy: () => start(),
  });
  const gamepad = createGamepad({
    getGamepads: navigator.getGamepads && (() => navigator.getGamepads!()),
    events,
    grip: first,
    readView,
    onStatus: (status) => list.set('gamepad', 'Gamepad', status),
    onBusy: () => start(),
  });
  const seats: readonly { readonly device: PageDevice; readonly grip: number }[] = [
    { device: spaceMouse, grip: 0 },
    { device: gamepad, grip: 0 },
    ...xr.controllers,
  ];
  function xrAction({ state }: DeviceStatus): DeviceEntry['action'] {
    if (state === 'unsupported' || state === 'connecting') return undefined;
    if (state === 'connected') return { label: 'Leave VR', run: () => void xr.leave() };
    return { label: 'Enter VR', run: () => void xr.enter() };
  }
  function spaceMouseAction({ state }: DeviceStatus): DeviceEntry['action'] {
    if (state === 'unsupported' || state === 'connecting' || state === 'connected') return undefined;
    return { label: 'Connect', run: () => void spaceMouse.connect() };
  }
  list.set('mouse', 'Mouse and keyboard', MOUSE_KEYBOARD_STATUS);
  start();

  return {
    grips,
    mouseKeyboard: createMouseKeyboard({ grip: first, readView }),
    close() {
      isClosed = true;
      for (const { device } of seats) device.close();
      xr.close();
    },
  };
}

const ORDER = ['mouse', 'space-mouse', 'gamepad', 'headset'] as const;

/** Keeps the entries in their order, whichever device speaks first. */
function createList() {
  const entries = new Map<string, DeviceEntry>();
  return {
    set(key: (typeof ORDER)[number], name: string, status: DeviceStatus, action?: DeviceEntry['action']): void {
      entries.set(key, { name, status, ...(action && { action }) });
      deviceEntries.value = ORDER.flatMap((known) => entries.get(known) ?? []);
    },
  };
}

function browserHost(): DeviceHost {
  return {
    navigator: globalThis.navigator as DeviceHost['navigator'],
    events: globalThis.window,
    requestFrame: (callback) => void requestAnimationFrame(callback),
  };
}
