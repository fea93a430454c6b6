import type { DeviceLimits } from '@palpable/engine';
import {
  createHaplySession,
  HAPLY_LEAST_FORCE,
  HAPLY_MESSAGE_LIMIT,
  type HaplyReading,
  type HaplySession,
  type HaplySessionOptions,
  listHaplyDevices,
  type PortHost,
} from '@palpable/engine/advanced';
import { WebSocket } from 'ws';
import type { DeviceLink, LinkOptions, LinkState } from '../device-link.js';
import { HAPLY_URL } from './haply-address.js';

export interface HaplyLinkOptions extends LinkOptions {
  /** `ws://localhost:10001` unless given. */
  readonly url?: string;
  /** The first Inverse3 of the service unless given. */
  readonly deviceId?: string;
  /** The first VerseGrip that knows its orientation unless given. */
  readonly gripId?: string;
  readonly limits?: DeviceLimits;
}

/**
 * The service tells no limit of its devices: 10 N is what an Inverse3 is commonly driven with. It has no motors for
 * torque.
 */
const INVERSE3_LIMITS: DeviceLimits = { force: 10, torque: 0 };

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;
const DRAIN_MS = 4;

/**
 * Connects to a Haply service. Each of its replies gives the pose to the port, and each wrench that the loop has written
 * since becomes the next force: one message is under way at a time, and the exchange runs at the pace of the loop, or of
 * the service where that is slower.
 */
export function connectHaply(options: HaplyLinkOptions): DeviceLink {
  return new HaplyLink(options);
}

/** The ids of the Inverse3 that a service has; null if no such service answers within the time. */
export function probeHaply(url: string, timeoutMs: number): Promise<readonly string[] | null> {
  return new Promise((resolve) => {
    const socket = openSocket(url, timeoutMs);
    const finish = (devices: readonly string[] | null) => {
      clearTimeout(timer);
      resolve(devices);
      socket.terminate();
    };
    const timer = setTimeout(finish, timeoutMs, null);
    socket.on('error', () => finish(null));
    socket.on('close', () => finish(null));
    socket.on('message', (data) => {
      const devices = listHaplyDevices(data.toString());
      finish('kind' in devices ? null : devices);
    });
  });
}

class HaplyLink implements DeviceLink {
  readonly name: string;
  readonly limits: DeviceLimits;
  state: LinkState = 'connecting';

  private readonly options: HaplyLinkOptions;
  private readonly url: string;
  private readonly unwanted = new Float64Array(6);
  private connection: HaplyConnection | null = null;
  private retryMs = FIRST_RETRY_MS;
  private retryTimer: NodeJS.Timeout | undefined;
  private drainTimer: NodeJS.Timeout | undefined;
  private lastFailure = '';
  /** For a process that ends without closing the link: zero is written before this returns. */
  private readonly letGo = () => void this.connection?.hangUp();

  constructor(options: HaplyLinkOptions) {
    this.options = options;
    this.url = options.url ?? HAPLY_URL;
    this.limits = options.limits ?? INVERSE3_LIMITS;
    this.name = `haply ${this.url}${options.deviceId === undefined ? '' : `#${options.deviceId}`}`;
    process.once('exit', this.letGo);
    this.drainPort();
    this.connect();
  }

  async close(): Promise<void> {
    if (this.state === 'closed') return;
    this.state = 'closed';
    process.off('exit', this.letGo);
    clearTimeout(this.retryTimer);
    clearInterval(this.drainTimer);
    await this.connection?.hangUp();
    this.log('closed');
  }

  private connect(): void {
    this.connection = new HaplyConnection(this.url, this.options, {
      log: (line) => this.log(line),
      onConnected: (reading) => this.greet(reading),
      onEnded: (reason) => this.retry(reason),
    });
  }

  private greet(reading: HaplyReading): void {
    clearInterval(this.drainTimer);
    this.state = 'connected';
    this.retryMs = FIRST_RETRY_MS;
    this.lastFailure = '';
    const grip = reading.gripId === null ? 'no grip' : `grip ${reading.gripId}`;
    this.log(`connected to Inverse3 ${reading.deviceId} with ${grip}; forces up to ${this.limits.force} N, no torques`);
  }

  private retry(reason: string): void {
    this.connection = null;
    if (this.state === 'connected') {
      this.log(`lost, reconnecting: ${reason}`);
      this.state = 'lost';
      this.drainPort();
    } else if (reason !== this.lastFailure) {
      // The same failure of one attempt after another is told once.
      this.log(`no connection, trying again: ${reason}`);
      this.lastFailure = reason;
    }
    this.retryTimer = setTimeout(() => this.connect(), this.retryMs);
    this.retryMs = Math.min(LAST_RETRY_MS, 2 * this.retryMs);
  }

  /** While nobody is there to feel them, wrenches must not lie in the port and count as news later. */
  private drainPort(): void {
    this.drainTimer = setInterval(() => this.options.port.takeWrench(this.unwanted, performance.now()), DRAIN_MS);
  }

  private log(line: string): void {
    this.options.onLog(`${this.name}: ${line}`);
  }
}

export interface ConnectionEvents {
  log(line: string): void;
  /** At the first reading. */
  onConnected(reading: HaplyReading): void;
  /** Once, and never after `hangUp`. */
  onEnded(reason: string): void;
}

const HANDSHAKE_MS = 1000;
/** A service that gives no reading for so long is lost; for the first one it has longer. */
const SILENT_MS = 100;
const FIRST_READING_MS = 2000;
const TICK_MS = 2;
/** A stall of this very thread is no silence of the service: it must also have had so many turns to be heard. */
const SILENT_TICKS = 8;
/**
 * How long the exchange may stand: for a loop that writes no wrench, since poses are to come all the same, and for a
 * reply that is late, before a force that has to go down is sent unasked.
 */
const LONGEST_PAUSE_MS = 4;
/** A grip may come and go with every message, and so may a status; it is reported once in this time. */
const NEWS_MS = 1000;
const HANG_UP_MS = 200;

const NO_FORCE = new Float64Array(3);

/** One connection to a Haply service, from its first message to its end. */
class HaplyConnection {
  private readonly port: PortHost;
  private readonly events: ConnectionEvents;
  private readonly socket: WebSocket;
  private readonly session: HaplySession;
  private readonly wrench = new Float64Array(6);
  private readonly ticker: NodeJS.Timeout;
  private hasReading = false;
  private readingMs = performance.now();
  private ticksSinceReading = 0;
  /** Messages without a reply so far. */
  private underWay = 0;
  private sentMs = 0;
  private holdsForce = false;
  /** Counts the exchanges, so that a wait for the loop knows whether it still matters. */
  private turn = 0;
  private gripId: string | null = null;
  private reportedGripId: string | null = null;
  private gripReportedMs = 0;
  private deviceId = '';
  /** Why there are neither poses nor forces now. */
  private trouble: string | null = null;
  private reportedTrouble: string | null = null;
  private troubleReportedMs = Number.NEGATIVE_INFINITY;
  private refused = 0;
  private hasEnded = false;

  constructor(url: string, options: HaplySessionOptions & { readonly port: PortHost }, events: ConnectionEvents) {
    this.port = options.port;
    this.events = events;
    this.session = createHaplySession(options);
    this.socket = openSocket(url, HANDSHAKE_MS);
    this.socket.on('message', (data) => this.orLetGo(() => this.take(data.toString())));
    this.socket.on('error', (error) => this.end(reasonOf(error)));
    this.socket.on('close', (code) => this.end(`the service closed the connection (${code})`));
    this.ticker = setInterval(() => this.orLetGo(() => this.tick()), TICK_MS);
  }

  /** Zero is the last force that the service gets; resolves when the connection is gone. */
  async hangUp(): Promise<void> {
    if (this.hasEnded) return;
    this.stop();
    if (this.socket.readyState !== WebSocket.OPEN) {
      this.socket.terminate();
      return;
    }
    const isGone = new Promise((resolve) => this.socket.once('close', resolve));
    this.send(NO_FORCE);
    this.socket.close();
    const timer = setTimeout(() => this.socket.terminate(), HANG_UP_MS);
    await isGone;
    clearTimeout(timer);
  }

  /** A defect of ours must not leave the motors with the last force. */
  private orLetGo(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.end(`this program failed (${error instanceof Error ? error.message : String(error)})`);
    }
  }

  private take(text: string): void {
    if (this.hasEnded) return;
    this.underWay = Math.max(0, this.underWay - 1);
    const answer = this.session.accept(text);
    if (answer.kind === 'reading') this.takeReading(answer);
    else this.refuse(answer.message);
    this.awaitLoop();
  }

  /** The loop sets the pace: the next force goes out when it has written one since the last. */
  private awaitLoop(): void {
    if (this.hasEnded || this.underWay > 0) return;
    const wait = this.port.awaitWrench(LONGEST_PAUSE_MS);
    if (wait === null || performance.now() - this.sentMs >= LONGEST_PAUSE_MS) {
      this.exchange();
      return;
    }
    const { turn } = this;
    void wait.then(() => this.orLetGo(() => turn === this.turn && this.exchange()));
  }

  private exchange(): void {
    this.turn += 1;
    if (this.hasEnded || this.underWay > 0) return;
    this.port.takeWrench(this.wrench, performance.now());
    this.send(this.trouble === null ? this.wrench : NO_FORCE);
  }

  private takeReading(reading: HaplyReading): void {
    this.readingMs = performance.now();
    this.ticksSinceReading = 0;
    this.gripId = reading.gripId;
    this.deviceId = reading.deviceId;
    if (reading.trouble !== null) this.trouble = reading.trouble;
    // The loop hears poses again when it has let go of the hand: the force then comes back by the loop's own ramp.
    else if (!hasForce(this.wrench)) this.trouble = null;
    if (this.trouble === null) this.port.putPose(reading.pose, reading.buttons);
    else if (this.holdsForce) this.send(NO_FORCE);
    if (this.hasReading) return;
    this.hasReading = true;
    this.reportedGripId = reading.gripId;
    this.events.onConnected(reading);
  }

  /** One line for a connection, however much nonsense it brings; without a device there is nothing to go on with. */
  private refuse(problem: string): void {
    if (!this.hasReading) {
      this.end(problem);
      return;
    }
    if (this.refused === 0) this.events.log(`a message is refused: ${problem}`);
    this.refused += 1;
  }

  private tick(): void {
    const nowMs = performance.now();
    this.ticksSinceReading += 1;
    const silentMs = this.hasReading ? SILENT_MS : FIRST_READING_MS;
    if (nowMs - this.readingMs > silentMs && this.ticksSinceReading >= SILENT_TICKS) {
      this.end(`no reading for ${silentMs} ms`);
      return;
    }
    if (!this.hasReading) return;
    if (nowMs - this.sentMs >= LONGEST_PAUSE_MS) {
      if (this.underWay === 0) this.exchange();
      else if (this.holdsForce) this.lowerForceUnasked(nowMs);
    }
    if (this.gripId !== this.reportedGripId && nowMs - this.gripReportedMs > NEWS_MS) this.reportGrip(nowMs);
    if (this.trouble !== this.reportedTrouble && nowMs - this.troubleReportedMs > NEWS_MS) this.reportTrouble(nowMs);
  }

  /** The reply is late. If the force has to go down meanwhile, because the loop stands still or wants none, say so. */
  private lowerForceUnasked(nowMs: number): void {
    this.port.takeWrench(this.wrench, nowMs);
    if (!this.port.isLoopAlive || !hasForce(this.wrench)) this.send(this.wrench);
  }

  private reportGrip(nowMs: number): void {
    const { gripId, reportedGripId } = this;
    this.events.log(
      gripId === null ? `grip ${reportedGripId} is gone, its last orientation is kept` : `grip ${gripId} answers`,
    );
    this.reportedGripId = gripId;
    this.gripReportedMs = nowMs;
  }

  private reportTrouble(nowMs: number): void {
    this.events.log(this.trouble ?? `Inverse3 ${this.deviceId} is calibrated and ready, the force returns`);
    this.reportedTrouble = this.trouble;
    this.troubleReportedMs = nowMs;
  }

  private send(force: Float64Array): void {
    const message = this.session.forceMessage(force);
    if (message === null || this.socket.readyState !== WebSocket.OPEN) return;
    this.socket.send(message);
    this.underWay += 1;
    this.sentMs = performance.now();
    this.holdsForce = hasForce(force);
  }

  /** A service that does not answer may still listen, so it gets the order to let go. */
  private end(reason: string): void {
    if (this.hasEnded) return;
    this.send(NO_FORCE);
    this.stop();
    const { socket } = this;
    socket.close();
    setTimeout(() => socket.terminate(), HANG_UP_MS).unref();
    this.events.onEnded(this.refused > 1 ? `${reason}, after ${this.refused} refused messages` : reason);
  }

  private stop(): void {
    this.hasEnded = true;
    clearInterval(this.ticker);
  }
}

function openSocket(url: string, handshakeTimeout: number): WebSocket {
  return new WebSocket(url, { handshakeTimeout, maxPayload: HAPLY_MESSAGE_LIMIT, perMessageDeflate: false });
}

function hasForce(force: Float64Array): boolean {
  return Math.max(Math.abs(force[0]), Math.abs(force[1]), Math.abs(force[2])) >= HAPLY_LEAST_FORCE;
}

/** A refusal of several addresses at once has a code and no message. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ECONNREFUSED') return 'nothing answers there, is the Haply service running?';
  return error.message === '' ? `${error.code ?? error.name}` : error.message;
}
