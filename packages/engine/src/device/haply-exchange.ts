import {
  createHaplySession,
  HAPLY_LEAST_FORCE,
  type HaplyReading,
  type HaplySession,
  type HaplySessionOptions,
} from './haply.js';

/**
 * The exchange with a Haply service over one connection, in a page or in Node. Every reading gives a pose, and every
 * wrench that the loop has written since becomes the next force: one message is under way at a time, at the pace of the
 * loop, or of the service where that is slower. Only a force that has to fall is sent unasked.
 */
export interface HaplyExchange {
  /** A message of the service. */
  accept(text: string): void;
  /** Call it every few milliseconds. */
  tick(): void;
  /** Sends zero; the exchange goes on. */
  letGo(): void;
  /** Zero is the last force that the service gets. */
  end(): void;
}

/** The connection and the hand, as the exchange uses them. */
export interface HaplyExchangeHost {
  /** Milliseconds. */
  readonly now: () => number;
  /** Sends a text; false if the socket is not open. */
  readonly send: (message: string) => boolean;
  /** As `PortHost.awaitWrench`. */
  readonly awaitForce: (timeoutMs: number) => Promise<unknown> | null;
  /** Writes the force that the device is to give now (N), in the device's own frame. */
  readonly takeForce: (out: Float64Array, nowMs: number) => void;
  readonly isLoopAlive: () => boolean;
  /** The first reading. It may have a trouble, which `onTrouble` does not repeat. */
  readonly onConnected: (reading: HaplyReading) => void;
  /** A reading without trouble. */
  readonly onReading: (reading: HaplyReading, nowMs: number) => void;
  /** A reading with trouble: the hand may be anywhere. */
  readonly onNoPose?: () => void;
  /** A message that is refused, after the first reading. */
  readonly onRefused?: (problem: string) => void;
  /** Another grip answers, or none. */
  readonly onGrip: (gripId: string | null, before: string | null) => void;
  /** A reason why there are neither poses nor forces has come or gone. */
  readonly onTrouble: (trouble: string | null) => void;
  /** The exchange has ended: the service is silent or has no device, or this program failed. */
  readonly onLost: (reason: string) => void;
}

export interface HaplyExchangeOptions extends HaplySessionOptions {
  /** A service without a reading for so long is lost, ms. */
  readonly silentMs: number;
  /** The same before the first reading, ms. */
  readonly firstReadingMs: number;
}

/** A stall of this very thread is no silence of the service: there must also have been so many chances to hear it. */
const SILENT_TICKS = 8;
/**
 * How long the exchange may stand: for a loop that writes no wrench, since poses are to come all the same, and for a
 * reply that is late, before a force that has to fall is sent unasked.
 */
const LONGEST_PAUSE_MS = 4;
/** A grip may come and go with every message, and so may a status; it is reported once in this time. */
const NEWS_MS = 1000;

const NO_FORCE = new Float64Array(3);

/** Begins the exchange over a connection that has just been opened. */
export function createHaplyExchange(host: HaplyExchangeHost, options: HaplyExchangeOptions): HaplyExchange {
  const session: HaplySession = createHaplySession(options);
  const force = new Float64Array(6);
  const grip = createNews<string | null>(null, host.onGrip);
  const trouble = createNews<string | null>(null, host.onTrouble);
  let hasReading = false;
  let hasEnded = false;
  let readingMs = host.now();
  let ticksSinceReading = 0;
  /** Messages without a reply so far. */
  let underWay = 0;
  let sentMs = 0;
  /** Of the last force sent, N. */
  let sentSize = 0;
  /** Counts the exchanges, so that a wait for the loop knows whether it still matters. */
  let exchanges = 0;

  const send = (wanted: Float64Array, nowMs: number) => {
    const message = session.forceMessage(wanted);
    if (message === null || !host.send(message)) return;
    underWay += 1;
    sentMs = nowMs;
    sentSize = sizeOf(wanted);
  };
  const takeForce = (nowMs: number): Float64Array => {
    host.takeForce(force, nowMs);
    return trouble.value === null ? force : NO_FORCE;
  };
  const exchange = (nowMs: number) => {
    exchanges += 1;
    if (!hasEnded && underWay === 0) send(takeForce(nowMs), nowMs);
  };
  /** A service that does not answer may still listen, so it gets the order to let go. */
  const end = () => {
    if (!hasEnded) send(NO_FORCE, host.now());
    hasEnded = true;
  };
  const lose = (reason: string) => {
    end();
    host.onLost(reason);
  };
  /** A defect of ours must not leave the motors with the last force. */
  const orLose = (run: () => void) => {
    try {
      if (!hasEnded) run();
    } catch (error) {
      lose(`this program failed (${error instanceof Error ? error.message : String(error)})`);
    }
  };
  /** The loop sets the pace: the next force goes out when it has written one since the last. */
  const awaitLoop = (nowMs: number) => {
    if (hasEnded || underWay > 0) return;
    const wait = host.awaitForce(LONGEST_PAUSE_MS);
    if (wait === null || nowMs - sentMs >= LONGEST_PAUSE_MS) {
      exchange(nowMs);
      return;
    }
    const awaited = exchanges;
    void wait.then(() => orLose(() => awaited === exchanges && exchange(host.now())));
  };
  const takeReading = (reading: HaplyReading, nowMs: number) => {
    readingMs = nowMs;
    ticksSinceReading = 0;
    grip.value = reading.gripId;
    // Poses count again when the loop has let go of the hand: the force then comes back by the loop's own ramp.
    if (reading.trouble !== null || sizeOf(force) === 0) trouble.value = reading.trouble;
    if (!hasReading) {
      hasReading = true;
      grip.known = reading.gripId;
      trouble.known = reading.trouble;
      host.onConnected(reading);
    }
    if (trouble.value === null) host.onReading(reading, nowMs);
    else {
      host.onNoPose?.();
      if (sentSize > 0) send(NO_FORCE, nowMs);
    }
  };
  const tick = () => {
    const nowMs = host.now();
    ticksSinceReading += 1;
    const longestMs = hasReading ? options.silentMs : options.firstReadingMs;
    if (nowMs - readingMs > longestMs && ticksSinceReading >= SILENT_TICKS) {
      lose(`no reading for ${longestMs} ms`);
      return;
    }
    if (!hasReading) return;
    if (nowMs - sentMs >= LONGEST_PAUSE_MS) {
      if (underWay === 0) exchange(nowMs);
      else if (sentSize > 0) lowerForceUnasked(nowMs);
    }
    grip.report(nowMs);
    trouble.report(nowMs);
  };
  /** The reply is late. If the force has to fall meanwhile, because the loop stands still or wants none, say so. */
  const lowerForceUnasked = (nowMs: number) => {
    const wanted = takeForce(nowMs);
    const size = sizeOf(wanted);
    if (size === 0 || (!host.isLoopAlive() && size < sentSize)) send(wanted, nowMs);
  };

  return {
    accept: (text) =>
      orLose(() => {
        const nowMs = host.now();
        underWay = Math.max(0, underWay - 1);
        const answer = session.accept(text);
        if (answer.kind === 'reading') takeReading(answer, nowMs);
        // Without a device there is nothing to go on with; later nonsense is left to the limit on silence.
        else if (hasReading) host.onRefused?.(answer.message);
        else lose(answer.message);
        awaitLoop(nowMs);
      }),
    tick: () => orLose(tick),
    letGo: () => send(NO_FORCE, host.now()),
    end,
  };
}

/** The longest part of a force, N; 0 if nobody can feel it, or if it is none. */
function sizeOf(force: Float64Array): number {
  const size = Math.max(Math.abs(force[0]), Math.abs(force[1]), Math.abs(force[2]));
  return size >= HAPLY_LEAST_FORCE ? size : 0;
}

/** A value whose changes are reported, not more often than every `NEWS_MS`. */
function createNews<T>(first: T, onChange: (value: T, before: T) => void) {
  let reportedMs = Number.NEGATIVE_INFINITY;
  const news = {
    value: first,
    /** What was reported last. */
    known: first,
    report(nowMs: number) {
      if (news.value === news.known || nowMs - reportedMs <= NEWS_MS) return;
      const before = news.known;
      news.known = news.value;
      reportedMs = nowMs;
      onChange(news.value, before);
    },
  };
  return news;
}
