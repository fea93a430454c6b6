/**
 * Haply Inverse3: the one device of the page that pushes back. Its connection lives in a thread of its own, which speaks
 * with the loop through shared memory; here is what people see of it, and who moves the tool.
 *
 * As long as it moves the tool, the other devices do not. When it is gone for a while they take over, from where it left
 * the tool; when it comes back, the hand takes the tool along from where that is.
 */
import type { Grip } from './grip.js';
import { type FromHaply, HAPLY_LIMITS, type ToHaply } from './haply-messages.js';
import { createViewAxes, type DeviceStatus, type MotorLoop, type ViewAxes } from './page-device.js';

/** What is used of a worker. */
export interface HaplyThread {
  post(message: ToHaply): void;
  terminate(): void;
}

export interface HaplyOptions {
  readonly url: string;
  /** Undefined where no loop can run. */
  readonly motor: MotorLoop | undefined;
  readonly grip: Grip;
  readonly readView: (out: ViewAxes) => void;
  /** Starts the thread; `onFailure` if it ends by itself. */
  readonly startThread: (onNews: (news: FromHaply) => void, onFailure: (message: string) => void) => HaplyThread;
  /** `isSought`: there is a connection, or one is sought. */
  readonly onStatus: (status: DeviceStatus, isSought: boolean) => void;
  readonly later: (run: () => void, ms: number) => void;
  /** Whether the page itself came over https, where browsers are strict. */
  readonly isFromWeb: boolean;
}

/** So long a service may be gone before the mouse takes over, milliseconds. */
const GRACE_MS = 2000;
/** A thread that has ended its work, or was asked to, has so long to get a force of zero out. */
const CLOSING_MS = 500;

const UNSUPPORTED: DeviceStatus = {
  state: 'unsupported',
  text: 'Force needs the loop, and the loop needs shared memory, which this page does not have. Open the studio with npm start, or from a host that isolates it.',
};
const ABSENT: DeviceStatus = {
  state: 'absent',
  text: 'Not connected. Start Haply Hub, switch the Inverse3 on, let it calibrate, then press Connect.',
};
const FROM_WEB =
  ' A page from the web needs your permission to reach this computer, and some browsers never grant it: open the studio with npm start instead.';

export function createHaply(options: HaplyOptions) {
  const { url, motor, grip } = options;
  const view = createViewAxes();
  let thread: HaplyThread | undefined;
  let isConnected = false;
  let hasTool = false;
  /** Of a loop that is started again later the thread knows better where the tool is. */
  let isFirstPort = true;
  let isHeld = false;
  let isClosed = false;
  let deviceId = '';
  /** With its grip. */
  let device = '';
  /** Why the device may not move the tool yet. */
  let trouble: string | null = null;
  /** Counts losses and returns, so that a grace period knows whether it still matters. */
  let turn = 0;

  const report = (status: DeviceStatus) => options.onStatus(status, thread !== undefined);
  const reportConnected = (detail?: string) => {
    if (trouble !== null) {
      report({ state: 'connecting', text: `${trouble}. Until then it has no force and does not move the tool.` });
      return;
    }
    report({
      state: 'connected',
      text: `${device} moves the tool, with up to ${HAPLY_LIMITS.force} N and no torque. Hold its first button to move your hand without the tool.`,
      ...(detail && { detail }),
    });
  };
  const takeTool = () => {
    turn += 1;
    if (hasTool) return;
    hasTool = true;
    isFirstPort = true;
    motor!.setMotor(HAPLY_LIMITS);
  };
  /** The others go on from where it left the tool. */
  const leaveTool = (pose: readonly number[] | undefined) => {
    if (!hasTool) return;
    hasTool = false;
    thread?.post({ kind: 'no-port' });
    motor!.setMotor(undefined);
    if (pose) grip.set(pose);
  };
  const leaveLater = (pose: readonly number[] | undefined) => {
    turn += 1;
    const lost = turn;
    options.later(() => {
      if (lost === turn && !isClosed) leaveTool(pose);
    }, GRACE_MS);
  };
  const lose = (reason: string, pose: readonly number[] | undefined) => {
    isConnected = false;
    report({
      state: 'failed',
      text: `The Inverse3 is gone (${reason}). There is no force, and the mouse takes over. The page keeps trying to reconnect.`,
    });
    leaveLater(pose);
  };
  const end = (status: DeviceStatus, pose?: readonly number[]) => {
    isConnected = false;
    turn += 1;
    leaveTool(pose);
    const ending = thread;
    options.later(() => ending?.terminate(), CLOSING_MS);
    thread = undefined;
    if (!isClosed) report(status);
  };
  const hear = (news: FromHaply) => {
    if (news.kind === 'connected') {
      isConnected = true;
      deviceId = news.deviceId;
      device = describeDevice(deviceId, news.gripId);
      trouble = news.trouble;
      reportConnected();
      if (trouble === null) takeTool();
    } else if (news.kind === 'trouble') {
      trouble = news.trouble;
      reportConnected();
      if (trouble === null) takeTool();
      else leaveLater(news.pose);
    } else if (news.kind === 'rate') {
      if (isConnected) reportConnected(`${news.poses} poses and ${news.forces} forces per second`);
    } else if (news.kind === 'grip') {
      device = describeDevice(deviceId, news.gripId);
      reportConnected();
    } else if (news.kind === 'lost') lose(news.reason, news.pose);
    else if (news.kind === 'unreachable') end(describeFailure(url, news.reason, options.isFromWeb));
    else end(ABSENT, news.pose);
  };

  report(motor ? ABSENT : UNSUPPORTED);
  motor?.onPort((port) => {
    if (!port) thread?.post({ kind: 'no-port' });
    if (!port || !hasTool) return;
    const yaw = readYaw(options.readView, view);
    thread?.post({ kind: 'port', port, pose: isFirstPort ? [...grip.pose] : undefined, yaw });
    isFirstPort = false;
  });

  return {
    /** Whether it moves the tool now, and nobody else may. */
    get hasTool() {
      return hasTool;
    },
    connect() {
      if (!motor || thread) return;
      const started: HaplyThread = options.startThread(
        (news) => thread === started && hear(news),
        (message) => {
          if (thread !== started) return;
          // An error does not end a thread by itself: its connection may still hold a force.
          started.post({ kind: 'close' });
          end({ state: 'failed', text: `The connection's thread failed (${message}). Press Connect again.` });
        },
      );
      thread = started;
      thread.post({ kind: 'hold', isHeld });
      thread.post({ kind: 'open', url });
      report({ state: 'connecting', text: `Connecting to the Haply service at ${url}.` });
    },
    disconnect() {
      thread?.post({ kind: 'close' });
    },
    /** The page is hidden, or shown again. */
    hold(wished: boolean) {
      isHeld = wished;
      thread?.post({ kind: 'hold', isHeld });
    },
    /** Somebody put the tool elsewhere. */
    place(pose: ArrayLike<number>) {
      if (hasTool) thread?.post({ kind: 'place', pose: Array.from(pose) });
    },
    close() {
      isClosed = true;
      hasTool = false;
      const closing = thread;
      closing?.post({ kind: 'close' });
      options.later(() => closing?.terminate(), CLOSING_MS);
    },
  };
}

function describeDevice(deviceId: string, gripId: string | null): string {
  return gripId === null
    ? `Inverse3 ${deviceId}, whose grip does not answer,`
    : `Inverse3 ${deviceId} with grip ${gripId}`;
}

function describeFailure(url: string, reason: string, isFromWeb: boolean): DeviceStatus {
  return {
    state: 'failed',
    text: `No Inverse3 at ${url}: ${reason}. Start Haply Hub and switch the device on, then press Connect.${isFromWeb ? FROM_WEB : ''}`,
  };
}

/** How far the world must be rotated for the device's forward to point level into the view, rad. */
function readYaw(readView: (out: ViewAxes) => void, view: ViewAxes): number {
  readView(view);
  // From straight above "away" is down; then the view's up is ahead.
  const ahead = Math.hypot(view.away[0]!, view.away[1]!) > 0.1 ? view.away : view.up;
  return Math.atan2(-ahead[0]!, ahead[1]!);
}
