/**
 * All devices of the page together: opens them, asks them once per frame while one of them has something to say, lets
 * them feel what the port says, and keeps a list of what answers for the panel.
 *
 * Everything they do goes through the ports, one per tool: this is the place where a servo loop takes over.
 */
import { signal } from '@preact/signals';
import { createGamepad } from './gamepad.js';
import { createGrip } from './grip.js';
import { createHaply, type HaplyOptions } from './haply.js';
import { HAPLY_URL } from './haply-messages.js';
import { startHaplyThread } from './haply-thread.js';
import { createMouseKeyboard, MOUSE_KEYBOARD_STATUS } from './mouse-keyboard.js';
import type { DeviceStatus, MotorLoop, PageDevice, PageDevicePort, ViewAxes } from './page-device.js';
import { createPageWatch, type PageVisibility } from './page-watch.js';
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
  /** Without it the page counts as always shown. */
  readonly visibility?: PageVisibility;
  /** Of the Haply service, and the thread that speaks with it. */
  readonly haply?: Pick<HaplyOptions, 'url' | 'startThread' | 'isFromWeb'>;
}

export interface PageTool {
  readonly port: PageDevicePort;
  /** World pose that the tool starts with, m and quaternion. */
  readonly home: ArrayLike<number>;
  /** Undefined where no loop can run. */
  readonly motor?: MotorLoop;
}

export interface PageDevicesOptions {
  readonly tools: readonly PageTool[];
  readonly readView: (out: ViewAxes) => void;
  readonly xrStage: XrStage;
  /** The page is hidden, or shown again: the loop is to take its force away, and to bring it back. */
  readonly onAway?: (isAway: boolean) => void;
  readonly host?: DeviceHost;
}

export type PageDevices = Readonly<ReturnType<typeof createPageDevices>>;

/** How long the panel says that the page was hidden, milliseconds. */
const TOLD_MS = 6000;
const WAS_HIDDEN: DeviceStatus = {
  state: 'connected',
  text: 'The page was hidden: the force was removed and returns within a second.',
};

/** Whoever has connected the Inverse3 keeps it when another scene is opened. */
let isHaplyWanted = false;

export function createPageDevices(options: PageDevicesOptions) {
  const { tools, readView, xrStage, host = browserHost() } = options;
  const { navigator, events } = host;
  /** In their order, whichever device speaks first. */
  const entries = new Map<string, DeviceEntry>();
  const report = (key: (typeof ORDER)[number], name: string, status: DeviceStatus, action?: DeviceEntry['action']) => {
    entries.set(key, { name, status, ...(action && { action }) });
    deviceEntries.value = ORDER.flatMap((known) => entries.get(known) ?? []);
  };
  const ports = tools.map(({ port }, index) => (index === 0 ? yieldTo(() => haply.hasTool, port) : port));
  const grips = tools.map(({ home }, index) =>
    createGrip({ sink: ports[index]!, home, isLocked: () => index === 0 && haply.hasTool }),
  );
  const first = grips[0]!;
  const later = (run: () => void, ms: number) => void setTimeout(run, ms);
  const haply = createHaply({
    ...(host.haply ?? browserHaply()),
    motor: tools[0]!.motor,
    grip: first,
    readView,
    later,
    onStatus: (status, isSought) => report('haply', 'Haply Inverse3', status, haplyAction(status, isSought)),
  });
  let isClosed = false;
  let isHeld = false;
  let isAway = false;
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
    ports.forEach((port, index) => {
      if (isHeld) wrench.fill(0);
      else port.takeWrench(wrench, timeMs);
      for (const { device, grip } of seats) if (grip === index) device.feel(wrench, timeMs);
    });
  };

  const xr = createXr({
    xr: navigator.xr,
    stage: xrStage,
    grips,
    onStatus: (status) => report('headset', 'Headset', status, xrAction(status)),
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
    onStatus: (status) => report('space-mouse', 'SpaceMouse', status, spaceMouseAction(status)),
    onBusy: () => start(),
  });
  const gamepad = createGamepad({
    getGamepads: navigator.getGamepads && (() => navigator.getGamepads!()),
    events,
    grip: first,
    readView,
    onStatus: (status) => report('gamepad', 'Gamepad', status),
    onBusy: () => start(),
  });
  const seats: readonly { readonly device: PageDevice; readonly grip: number }[] = [
    { device: spaceMouse, grip: 0 },
    { device: gamepad, grip: 0 },
    ...xr.controllers,
  ];
  function haplyAction({ state }: DeviceStatus, isSought: boolean): DeviceEntry['action'] {
    if (state === 'unsupported') return undefined;
    if (isSought) return { label: 'Disconnect', run: leaveHaply };
    return { label: 'Connect', run: takeHaply };
  }
  function setFirst(pose: ArrayLike<number>): void {
    first.set(pose);
    haply.place(pose);
  }
  function takeHaply(): void {
    isHaplyWanted = true;
    haply.connect();
  }
  function leaveHaply(): void {
    isHaplyWanted = false;
    haply.disconnect();
  }
  function xrAction({ state }: DeviceStatus): DeviceEntry['action'] {
    if (state === 'unsupported' || state === 'connecting') return undefined;
    if (state === 'connected') return { label: 'Leave VR', run: () => void xr.leave() };
    return { label: 'Enter VR', run: () => void xr.enter() };
  }
  function spaceMouseAction({ state }: DeviceStatus): DeviceEntry['action'] {
    if (state === 'unsupported' || state === 'connecting' || state === 'connected') return undefined;
    return { label: 'Connect', run: () => void spaceMouse.connect() };
  }
  const reportMouse = (status: DeviceStatus) => report('mouse', 'Mouse and keyboard', status);
  const watch =
    host.visibility &&
    createPageWatch(host.visibility, (isNowAway) => {
      isAway = isNowAway;
      haply.hold(isAway || isHeld);
      options.onAway?.(isAway);
      if (isAway) return;
      reportMouse(WAS_HIDDEN);
      later(() => !isClosed && reportMouse(MOUSE_KEYBOARD_STATUS), TOLD_MS);
    });
  reportMouse(MOUSE_KEYBOARD_STATUS);
  if (isHaplyWanted) haply.connect();
  start();

  return {
    // Whoever puts the tool somewhere means it, also while the Inverse3 has it.
    /** One per tool. */
    grips: grips.map((grip) => (grip === first ? { ...grip, set: setFirst } : grip)),
    /** Moves the first tool. */
    mouseKeyboard: createMouseKeyboard({ grip: first, readView }),
    /** Takes the force away from all of them at once, and keeps it away until it may return. */
    hold(wished: boolean) {
      isHeld = wished;
      haply.hold(isAway || isHeld);
      // Those that shake do not wait for the next frame.
      wrench.fill(0);
      if (isHeld) for (const { device } of seats) device.feel(wrench, lastMs ?? 0);
    },
    close() {
      isClosed = true;
      for (const { device } of seats) device.close();
      xr.close();
      haply.close();
      watch?.close();
    },
  };
}

const ORDER = ['mouse', 'haply', 'space-mouse', 'gamepad', 'headset'] as const;

/** The port as the other devices see it: while one with motors has the tool, nobody else says or hears anything there. */
function yieldTo(isTaken: () => boolean, port: PageDevicePort): PageDevicePort {
  return {
    putPose(pose, buttons) {
      if (!isTaken()) port.putPose(pose, buttons);
    },
    takeWrench(out, nowMs) {
      if (isTaken()) out.fill(0);
      else port.takeWrench(out, nowMs);
    },
  };
}

/** `?haply=ws://lab:10001` in the address of the page means a service elsewhere. */
function browserHaply(): NonNullable<DeviceHost['haply']> {
  const place = globalThis.location as Location | undefined;
  const asked = new URLSearchParams(place?.search).get('haply');
  return {
    url: asked && /^wss?:\/\/\S+$/.test(asked) ? asked : HAPLY_URL,
    isFromWeb: place?.protocol === 'https:',
    startThread: startHaplyThread,
  };
}

function browserHost(): DeviceHost {
  return {
    navigator: globalThis.navigator as DeviceHost['navigator'],
    events: globalThis.window,
    requestFrame: (callback) => void requestAnimationFrame(callback),
    visibility: { events: globalThis.window, isHidden: () => document.visibilityState === 'hidden' },
  };
}
