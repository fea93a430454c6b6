/**
 * The connection to a Haply service from a thread of the page. Every reply gives the pose to the loop, and every wrench
 * that the loop has written since becomes the next force: one message is under way at a time, at the pace of the loop, or
 * of the service where that is slower. Only a force that has to go down is sent unasked.
 */
import { createHaplySession, type HaplyReading, type HaplySession, type PortMemory } from '@palpable/engine/advanced';
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
  readonly tell: (news: FromHaply) => void;
}

const OPEN = 1;
const FIRST_READING_MS = 3000;
/**
 * A service that gives no reading for so long is lost. The loop takes the force away much sooner; a machine that draws and
 * starts threads at the same time may well be silent for a tenth of a second.
 */
const SILENT_MS = 250;
/** A stall of this very thread is no silence of the service: it must also have had so many turns to be heard. */
const SILENT_TICKS = 8;
/**
 * How long the exchange may stand: for a loop that writes no wrench, since poses are to come all the same, and for a
 * reply that is late, before a force that has to go down is sent unasked.
 */
const LONGEST_PAUSE_MS = 4;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;
const RATE_MS = 1000;
/** A grip may come and go with every message, and so may a status; it is reported once in this time. */
const NEWS_MS = 1000;

const NO_FORCE = new Float64Array(3);

export function createHaplyLink({ openSocket, now, tell }: HaplyLinkOptions) {
  const hand = createHaplyHand();
  const force = new Float64Array(3);
  let url = '';
  let socket: HaplySocket | undefined;
  let session: HaplySession = createHaplySession();
  let hasReading = false;
  let wasConnected = false;
  let heardMs = 0;
  let ticksSinceHeard = 0;
  let underWay = 0;
  let sentMs = 0;
  let sentSize = 0;
  /** Counts the exchanges, so that a wait for the loop knows whether it still matters. */
  let turn = 0;
  /** Why there are neither poses nor forces now. */
  let trouble: string | null = null;
  let reportedTrouble: string | null = null;
  let troubleReportedMs = Number.NEGATIVE_INFINITY;
  let gripId: string | null = null;
  let reportedGripId: string | null = null;
  let gripReportedMs = 0;
  let reportedReason = '';
  let retryMs = FIRST_RETRY_MS;
  let retryAtMs = Number.POSITIVE_INFINITY;
  let rateMs = 0;
  let poses = 0;
  let forces = 0;

  const send = (wanted: Float64Array, nowMs: number) => {
    const message = session.forceMessage(wanted);
    if (message === null || socket?.readyState !== OPEN) return;
    socket.send(message);
    underWay += 1;
    forces += 1;
    sentMs = nowMs;
    sentSize = Math.hypot(wanted[0]!, wanted[1]!, wanted[2]!);
  };
  /** A service that does not answer may still listen, so it gets the order to let go. */
  const hangUp = () => {
    if (!socket) return;
    send(NO_FORCE, now());
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
      tell({ kind: 'unreachable', reason });
      return;
    }
    retryAtMs = now() + retryMs;
    retryMs = Math.min(LAST_RETRY_MS, 2 * retryMs);
    // The same failure of one attempt after another is told once.
    if (reason !== reportedReason) tell({ kind: 'lost', reason, pose: hand.pose && [...hand.pose] });
    reportedReason = reason;
  };
  /** A defect of ours must not leave the motors with the last force. */
  const orLetGo = (run: () => void) => {
    try {
      run();
    } catch (error) {
      end(`this program failed (${messageOf(error)})`);
    }
  };
  const connect = () => {
    retryAtMs = Number.POSITIVE_INFINITY;
    session = createHaplySession();
    turn += 1;
    underWay = 0;
    heardMs = now();
    ticksSinceHeard = 0;
    try {
      socket = openSocket(url);
    } catch (error) {
      socket = undefined;
      end(`the browser does not let this page connect: ${messageOf(error)}`);
      return;
    }
    socket.onmessage = ({ data }) => orLetGo(() => take(String(data)));
    socket.onclose = ({ code }) =>
      end(hasReading ? `the service closed the connection (${code})` : 'nothing answers there');
  };
  const greet = (reading: HaplyReading) => {
    hasReading = true;
    wasConnected = true;
    retryMs = FIRST_RETRY_MS;
    reportedReason = '';
    reportedGripId = reading.gripId;
    reportedTrouble = reading.trouble;
    rateMs = now();
    poses = 0;
    forces = 0;
    const { deviceId, gripId, trouble } = reading;
    tell({ kind: 'connected', deviceId, gripId, trouble });
  };
  const take = (text: string) => {
    const nowMs = now();
    underWay = Math.max(0, underWay - 1);
    const answer = session.accept(text);
    if (answer.kind === 'reading') {
      heardMs = nowMs;
      ticksSinceHeard = 0;
      gripId = answer.gripId;
      trouble = answer.trouble;
      if (!hasReading) greet(answer);
      if (trouble === null) {
        poses += 1;
        hand.putReading(answer.pose, answer.buttons, nowMs);
      } else {
        // The loop hears nothing and lets go; later the hand takes the tool along from where that is.
        hand.forget();
        if (sentSize > 0) send(NO_FORCE, nowMs);
      }
    } else if (!hasReading) {
      // Without a device there is nothing to go on with; later nonsense is left to the limit on silence.
      end(answer.message);
      return;
    }
    awaitLoop(nowMs);
  };
  /** The loop sets the pace: the next force goes out when it has written one since the last. */
  const awaitLoop = (nowMs: number) => {
    if (underWay > 0) return;
    const wait = hand.awaitForce(LONGEST_PAUSE_MS);
    if (wait === null || nowMs - sentMs >= LONGEST_PAUSE_MS) {
      exchange(nowMs);
      return;
    }
    const awaited = turn;
    void wait.then(() => orLetGo(() => awaited === turn && exchange(now())));
  };
  const exchange = (nowMs: number) => {
    turn += 1;
    if (underWay > 0) return;
    takeForce(nowMs);
    send(force, nowMs);
  };
  const takeForce = (nowMs: number) => {
    hand.takeForce(force, nowMs);
    if (trouble !== null) force.fill(0);
  };
  const lowerForceUnasked = (nowMs: number) => {
    takeForce(nowMs);
    const size = Math.hypot(force[0]!, force[1]!, force[2]!);
    if (size === 0 || (!hand.isLoopAlive && size < sentSize)) send(force, nowMs);
  };
  const reportNews = (nowMs: number) => {
    if (gripId !== reportedGripId && nowMs - gripReportedMs > NEWS_MS) {
      reportedGripId = gripId;
      gripReportedMs = nowMs;
      tell({ kind: 'grip', gripId });
    }
    if (trouble !== reportedTrouble && nowMs - troubleReportedMs > NEWS_MS) {
      reportedTrouble = trouble;
      troubleReportedMs = nowMs;
      tell({ kind: 'trouble', trouble, pose: hand.pose && [...hand.pose] });
    }
    if (nowMs - rateMs < RATE_MS) return;
    const perSecond = 1000 / (nowMs - rateMs);
    tell({ kind: 'rate', poses: Math.round(poses * perSecond), forces: Math.round(forces * perSecond) });
    rateMs = nowMs;
    poses = 0;
    forces = 0;
  };

  const tick = () => {
    const nowMs = now();
    if (!socket) {
      if (nowMs >= retryAtMs) connect();
      return;
    }
    ticksSinceHeard += 1;
    const longestMs = hasReading ? SILENT_MS : FIRST_READING_MS;
    if (nowMs - heardMs > longestMs && ticksSinceHeard >= SILENT_TICKS) {
      end(`no reading for ${longestMs} ms`);
      return;
    }
    if (!hasReading) return;
    if (nowMs - sentMs >= LONGEST_PAUSE_MS) {
      if (underWay === 0) exchange(nowMs);
      else if (sentSize > 0) lowerForceUnasked(nowMs);
    }
    reportNews(nowMs);
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
      send(NO_FORCE, now());
    },
    /** Called every few milliseconds. */
    tick: () => orLetGo(tick),
    /** Zero is the last force that the service gets. */
    close() {
      hangUp();
      retryAtMs = Number.POSITIVE_INFINITY;
      tell({ kind: 'closed', pose: hand.pose && [...hand.pose] });
    },
  };
}
