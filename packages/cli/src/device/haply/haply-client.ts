import type { DeviceLimits } from '@palpable/engine';
import {
  createHaplyExchange,
  HAPLY_MESSAGE_LIMIT,
  type HaplyExchange,
  type HaplyReading,
  listHaplyDevices,
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
 * The service reports no limit of its devices: an Inverse3 is commonly driven with 10 N. It has no motors for
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
    if (reading.trouble !== null) this.log(reading.trouble);
  }

  private retry(reason: string): void {
    this.connection = null;
    if (this.state === 'connected') {
      this.log(`lost, reconnecting: ${reason}`);
      this.state = 'lost';
      this.drainPort();
    } else if (reason !== this.lastFailure) {
      // The same failure of one attempt after another is reported once.
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
const HANG_UP_MS = 200;

/** One connection to a Haply service, from its first message to its end. */
class HaplyConnection {
  private readonly events: ConnectionEvents;
  private readonly socket: WebSocket;
  private readonly exchange: HaplyExchange;
  private readonly ticker: NodeJS.Timeout;
  private deviceId = '';
  private refused = 0;
  private hasEnded = false;

  constructor(url: string, options: HaplyLinkOptions, events: ConnectionEvents) {
    const { port, deviceId, gripId } = options;
    this.events = events;
    this.socket = openSocket(url, HANDSHAKE_MS);
    this.exchange = createHaplyExchange(
      {
        now: () => performance.now(),
        send: (message) => this.send(message),
        awaitForce: (timeoutMs) => port.awaitWrench(timeoutMs),
        takeForce: (out, nowMs) => port.takeWrench(out, nowMs),
        isLoopAlive: () => port.isLoopAlive,
        onConnected: (reading) => {
          this.deviceId = reading.deviceId;
          events.onConnected(reading);
        },
        onReading: ({ pose, buttons }) => port.putPose(pose, buttons),
        onRefused: (problem) => this.refuse(problem),
        onGrip: (grip, before) =>
          events.log(grip === null ? `grip ${before} is gone, its last orientation is kept` : `grip ${grip} answers`),
        onTrouble: (trouble) =>
          events.log(trouble ?? `Inverse3 ${this.deviceId} is calibrated and ready, the force returns`),
        onLost: (reason) => this.end(reason),
      },
      {
        ...(deviceId !== undefined && { deviceId }),
        ...(gripId !== undefined && { gripId }),
        silentMs: SILENT_MS,
        firstReadingMs: FIRST_READING_MS,
      },
    );
    this.socket.on('message', (data) => this.exchange.accept(data.toString()));
    this.socket.on('error', (error) => this.end(reasonOf(error)));
    this.socket.on('close', (code) => this.end(`the service closed the connection (${code})`));
    this.ticker = setInterval(this.exchange.tick, TICK_MS);
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
    this.socket.close();
    const timer = setTimeout(() => this.socket.terminate(), HANG_UP_MS);
    await isGone;
    clearTimeout(timer);
  }

  private send(message: string): boolean {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(message);
    return true;
  }

  /** One line for a connection, however much nonsense it brings. */
  private refuse(problem: string): void {
    if (this.refused === 0) this.events.log(`a message is refused: ${problem}`);
    this.refused += 1;
  }

  private end(reason: string): void {
    if (this.hasEnded) return;
    this.stop();
    const { socket } = this;
    socket.close();
    setTimeout(() => socket.terminate(), HANG_UP_MS).unref();
    this.events.onEnded(this.refused > 1 ? `${reason}, after ${this.refused} refused messages` : reason);
  }

  private stop(): void {
    this.hasEnded = true;
    clearInterval(this.ticker);
    this.exchange.end();
  }
}

function openSocket(url: string, handshakeTimeout: number): WebSocket {
  return new WebSocket(url, { handshakeTimeout, maxPayload: HAPLY_MESSAGE_LIMIT, perMessageDeflate: false });
}

/** A refusal of several addresses at once has a code and no message. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ECONNREFUSED') return 'nothing answers there, is the Haply service running?';
  return error.message === '' ? `${error.code ?? error.name}` : error.message;
}
