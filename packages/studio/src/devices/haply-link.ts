/** The connection to a Haply service from a thread of the page: opens it again when it is lost, reports on it. */
import { createHaplyExchange, type HaplyExchange, type HaplyReading, type PortMemory } from '@palpable/engine/advanced';
import { messageOf } from '../controls/words.js';
import { createHaplyHand } from './haply-hand.js';
import type { FromHaply } from './haply-messages.js';

/** What is used of a WebSocket. */
export interface HaplySocket {
  readonly readyState: number;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface HaplyLinkOptions {
  /** Throws where the browser does not let the page connect. */
  readonly openSocket: (url: string) => HaplySocket;
  /** Milliseconds. */
  readonly now: () => number;
  readonly report: (news: FromHaply) => void;
}

const OPEN = 1;
const FIRST_READING_MS = 3000;
/**
 * A service that gives no reading for so long is lost. The loop takes the force away much sooner; a machine that draws and
 * starts threads at the same time may well be silent for a tenth of a second.
 */
const SILENT_MS = 250;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;
const RATE_MS = 1000;

export function createHaplyLink({ openSocket, now, report }: HaplyLinkOptions) {
  const hand = createHaplyHand();
  let url = '';
  let socket: HaplySocket | undefined;
  let exchange: HaplyExchange | undefined;
  let hasReading = false;
  let wasConnected = false;
  let reportedReason = '';
  let retryMs = FIRST_RETRY_MS;
  let retryAtMs = Number.POSITIVE_INFINITY;
  let rateMs = 0;
  let poses = 0;
  let forces = 0;

  const poseNow = () => hand.pose && [...hand.pose];
  const hangUp = () => {
    exchange?.end();
    exchange = undefined;
    if (!socket) return;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
    socket = undefined;
  };
  const end = (reason: string) => {
    hangUp();
    hasReading = false;
    hand.forget();
    if (!wasConnected) {
      report({ kind: 'unreachable', reason });
      return;
    }
    retryAtMs = now() + retryMs;
    retryMs = Math.min(LAST_RETRY_MS, 2 * retryMs);
    // The same failure of one attempt after another is reported once.
    if (reason !== reportedReason) report({ kind: 'lost', reason, pose: poseNow() });
    reportedReason = reason;
  };
  const greet = ({ deviceId, gripId, trouble }: HaplyReading) => {
    hasReading = true;
    wasConnected = true;
    retryMs = FIRST_RETRY_MS;
    reportedReason = '';
    countFrom(now());
    report({ kind: 'connected', deviceId, gripId, trouble });
  };
  const countFrom = (nowMs: number) => {
    rateMs = nowMs;
    poses = 0;
    forces = 0;
  };
  const connect = () => {
    retryAtMs = Number.POSITIVE_INFINITY;
    try {
      socket = openSocket(url);
    } catch (error) {
      socket = undefined;
      end(`the browser does not let this page connect: ${messageOf(error)}`);
      return;
    }
    const opened = createHaplyExchange(
      {
        now,
        send: (message) => {
          if (socket?.readyState !== OPEN) return false;
          socket.send(message);
          forces += 1;
          return true;
        },
        awaitForce: hand.awaitForce,
        takeForce: hand.takeForce,
        isLoopAlive: () => hand.isLoopAlive,
        onConnected: greet,
        onReading: ({ pose, buttons }, nowMs) => {
          poses += 1;
          hand.putReading(pose, buttons, nowMs);
        },
        // The loop hears nothing and lets go; later the hand takes the tool along from where that is.
        onNoPose: hand.forget,
        onGrip: (gripId) => report({ kind: 'grip', gripId }),
        onTrouble: (trouble) => report({ kind: 'trouble', trouble, pose: poseNow() }),
        onLost: end,
      },
      { silentMs: SILENT_MS, firstReadingMs: FIRST_READING_MS },
    );
    exchange = opened;
    socket.onmessage = ({ data }) => opened.accept(String(data));
    socket.onclose = ({ code }) =>
      end(hasReading ? `the service closed the connection (${code})` : 'nothing answers there');
  };
  const reportRate = (nowMs: number) => {
    if (!hasReading || nowMs - rateMs < RATE_MS) return;
    const perSecond = 1000 / (nowMs - rateMs);
    report({ kind: 'rate', poses: Math.round(poses * perSecond), forces: Math.round(forces * perSecond) });
    countFrom(nowMs);
  };

  return {
    open(wished: string) {
      url = wished;
      connect();
    },
    usePort: (port: PortMemory, pose: ArrayLike<number> | undefined, yaw: number) => hand.usePort(port, pose, yaw),
    leavePort: () => hand.leavePort(),
    hold: (isHeld: boolean) => hand.hold(isHeld, now()),
    place: (pose: ArrayLike<number>) => hand.place(pose, now()),
    /** Zero goes out before this returns. */
    letGo() {
      hand.drop(now());
      exchange?.letGo();
    },
    /** Called every few milliseconds. */
    tick() {
      if (exchange) {
        exchange.tick();
        reportRate(now());
      } else if (now() >= retryAtMs) connect();
    },
    /** Zero is the last force that the service gets. */
    close() {
      hangUp();
      retryAtMs = Number.POSITIVE_INFINITY;
      report({ kind: 'closed', pose: poseNow() });
    },
  };
}
