import { connect } from 'node:net';
import type { DeviceLimits } from '@palpable/engine';
import type { DeviceLink, LinkOptions, LinkState } from '../device-link.js';
import { VrpnConnection } from './connection.js';
import {
  decodeButtonChange,
  decodeButtonStates,
  decodePosQuat,
  EMPTY_PAYLOAD,
  encodeForceField,
  encodeWrench,
  isUsablePose,
  VRPN_TYPE,
  type VrpnTypeName,
} from './payloads.js';
import { describeSlowPoses, PoseRate } from './pose-rate.js';
import { DEFAULT_VRPN_PORT, printable } from './wire.js';

export interface VrpnClientOptions extends LinkOptions {
  readonly host: string;
  /** 3883 unless given. */
  readonly tcpPort?: number;
  /** The name of the device at its server. */
  readonly device: string;
  /** Which of the device's sensors is the tool; 0 unless given. */
  readonly sensor?: number;
  /** N and N m; VRPN does not report them. */
  readonly limits?: DeviceLimits;
  /** s. The loop gives no force to a device that says nothing for so long; 0.01 unless given. */
  readonly silentAfter?: number;
}

/** Of the weakest device that is common (Falcon); its torque is for those that can give one at all. */
const DEFAULT_LIMITS: DeviceLimits = { force: 8, torque: 0.1 };

/** The newest wrench goes out with every pose, and at least this often. */
const SEND_EVERY_MS = 2;
const PING_AFTER_MS = 1000;
const LOST_AFTER_MS = 3000;
const REPORT_NO_POSE_AFTER_MS = 2000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;
/** How long `close` tries to reach a server that was lost while its device may still push. */
const MAKE_GOOD_MS = 1000;
/**
 * m. Of the force field around the last position. No hand leaves it in the 2 ms until the next is sent, nor in the
 * 17 ms between two poses of a slow tracker (that would take 6 m/s); but should we die, the force ends as soon as the
 * hand has gone so far.
 */
const FIELD_RADIUS = 0.1;
/** s. As the loop has it. */
const SILENT_AFTER = 0.01;
/** Bits of the mask. */
const MAX_BUTTONS = 32;

const NO_JACOBIAN = new Float64Array(9);
const NOTHING = new Float64Array(6);

/** Poses and buttons from a VRPN server, wrenches to it. */
export function connectVrpn(options: VrpnClientOptions): DeviceLink {
  return new VrpnLink(options);
}

/** Those that must let go when the program ends without `close`, as by an error that nobody caught. */
const openLinks = new Set<VrpnLink>();

function letGoAtExit(link: VrpnLink): void {
  if (openLinks.size === 0) process.once('exit', letGoOfAll);
  openLinks.add(link);
}

function letGoOfAll(): void {
  for (const link of openLinks) link.letGo();
}

class VrpnLink implements DeviceLink {
  readonly name: string;
  readonly limits: DeviceLimits;
  state: LinkState = 'connecting';
  readonly #options: VrpnClientOptions;
  readonly #sensor: number;
  readonly #wrench = new Float64Array(6);
  #connection: VrpnConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #reportedReason = '';
  #onGone: (() => void) | undefined;
  /** A force was sent on a connection that broke: the device may still give it. */
  #owesZero = false;
  readonly #rate: PoseRate;
  /** Of the connection at hand. */
  #pose: Float64Array | undefined;
  #hasNewPose = false;
  #buttons = 0;
  #hasReportedBadPose = false;
  #hasReportedNoPose = false;
  #readyMs = 0;
  #heardMs = 0;
  #pingedMs = 0;
  #sentMs = 0;

  constructor(options: VrpnClientOptions) {
    const { device, host, tcpPort = DEFAULT_VRPN_PORT, sensor = 0, limits = DEFAULT_LIMITS } = options;
    this.name = `vrpn ${device}@${host}:${tcpPort}`;
    this.limits = limits;
    this.#options = options;
    this.#sensor = sensor;
    this.#rate = new PoseRate(options.silentAfter ?? SILENT_AFTER);
    letGoAtExit(this);
    this.#call();
  }

  close(): Promise<void> {
    if (this.state === 'closed') return Promise.resolve();
    const wasConnected = this.state === 'connected';
    this.state = 'closed';
    openLinks.delete(this);
    if (openLinks.size === 0) process.off('exit', letGoOfAll);
    clearTimeout(this.#retry);
    clearInterval(this.#timer);
    if (wasConnected) this.#connection?.end('closed');
    else if (this.#owesZero) this.#makeGood();
    else this.#connection?.abort('closed');
    if (this.#connection === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onGone = resolve;
    });
  }

  /** At once, and without waiting for anything. */
  letGo(): void {
    if (this.#connection) this.#sendZero(this.#connection);
  }

  /** One last call, only to let go of what the lost connection may have left. */
  #makeGood(): void {
    const connection = this.#connection ?? this.#call();
    setTimeout(() => connection.abort('closed'), MAKE_GOOD_MS).unref();
  }

  #call(): VrpnConnection {
    const { host, tcpPort = DEFAULT_VRPN_PORT } = this.#options;
    this.#pose = undefined;
    this.#buttons = 0;
    this.#hasReportedBadPose = false;
    this.#hasReportedNoPose = false;
    const connection = new VrpnConnection(connect({ host, port: tcpPort }), null, {
      onReady: () => this.#onReady(connection),
      onMessage: (sender, type, payload) => this.#onMessage(sender, type, payload),
      onRead: () => this.#onRead(),
      onNote: (line) => this.#log(line),
      onEnding: () => this.#sendZero(connection),
      onClosed: (reason) => this.#onClosed(reason),
    });
    this.#connection = connection;
    return connection;
  }

  #onReady(connection: VrpnConnection): void {
    if (this.#owesZero) this.#sendZero(connection);
    if (this.state === 'closed') {
      connection.end('closed');
      return;
    }
    const now = performance.now();
    this.state = 'connected';
    this.#reportedReason = '';
    this.#readyMs = now;
    this.#heardMs = now;
    this.#pingedMs = now;
    this.#timer = setInterval(() => this.#tick(), SEND_EVERY_MS);
    this.#log('connected');
  }

  #onMessage(sender: string, type: VrpnTypeName, payload: DataView): void {
    if (sender !== this.#options.device) return;
    if (type === VRPN_TYPE.posQuat) this.#takePose(payload);
    else if (type === VRPN_TYPE.buttonChange) {
      const { button, isDown } = decodeButtonChange(payload);
      this.#setButton(button, isDown);
    } else if (type === VRPN_TYPE.buttonStates) {
      this.#buttons = 0;
      for (const [button, isDown] of decodeButtonStates(payload).entries()) this.#setButton(button, isDown);
    }
  }

  #setButton(button: number, isDown: boolean): void {
    if (button >= MAX_BUTTONS) return;
    const bit = 1 << button;
    this.#buttons = (isDown ? this.#buttons | bit : this.#buttons & ~bit) >>> 0;
  }

  #takePose(payload: DataView): void {
    const { sensor, pose } = decodePosQuat(payload);
    if (sensor !== this.#sensor) return;
    // Trackers say so when they have lost their target. The loop hears nothing, and lets go.
    if (!isUsablePose(pose)) {
      this.#reportBadPose();
      return;
    }
    this.#pose = pose;
    this.#hasNewPose = true;
    this.#retryMs = FIRST_RETRY_MS;
    this.#options.port.putPose(pose, this.#buttons);
  }

  #onRead(): void {
    this.#heardMs = performance.now();
    if (!this.#hasNewPose) return;
    this.#hasNewPose = false;
    this.#sendNewest(this.#heardMs);
    const slow = this.#rate.count(this.#heardMs);
    if (slow !== null) this.#log(describeSlowPoses(slow));
  }

  #tick(): void {
    const now = performance.now();
    const silentMs = now - this.#heardMs;
    if (silentMs > LOST_AFTER_MS) {
      this.#connection?.end(`it sent nothing for ${LOST_AFTER_MS / 1000} s`);
      return;
    }
    if (silentMs > PING_AFTER_MS && now - this.#pingedMs > PING_AFTER_MS) {
      this.#pingedMs = now;
      this.#ping();
    }
    if (now - this.#sentMs >= SEND_EVERY_MS) this.#sendNewest(now);
    if (this.#pose === undefined && now - this.#readyMs > REPORT_NO_POSE_AFTER_MS) this.#reportNoPose();
  }

  /** Not under a name that the server does not have: it would remember it, and show it to everybody. */
  #ping(): void {
    const { device } = this.#options;
    if (this.#connection?.senders.includes(device)) this.#connection.send(device, [[VRPN_TYPE.ping, EMPTY_PAYLOAD]]);
  }

  #sendNewest(nowMs: number): void {
    this.#options.port.takeWrench(this.#wrench, nowMs);
    if (this.#connection === undefined || this.#pose === undefined) return;
    // A server that does not read gets no queue of old wrenches, behind which the zero of the end would have to wait.
    if (this.#connection.waitingBytes > 0) return;
    this.#sentMs = nowMs;
    // The last place before the hand.
    if (!this.#wrench.every(Number.isFinite)) this.#wrench.fill(0);
    this.#sendWrench(this.#connection, this.#wrench, FIELD_RADIUS);
  }

  /** A radius of zero switches a field off in VRPN. Only for a device that may have a force of ours. */
  #sendZero(connection: VrpnConnection): void {
    if (this.#owesZero && connection.isReady) this.#sendWrench(connection, NOTHING, 0);
  }

  #sendWrench(connection: VrpnConnection, wrench: Float64Array, radius: number): void {
    const field = { origin: this.#pose ?? NOTHING, force: wrench, jacobian: NO_JACOBIAN, radius };
    // The wrench first: a server that knows it then never feels the field, which has no torque.
    const parts = [
      [VRPN_TYPE.wrench, encodeWrench(wrench)],
      [VRPN_TYPE.forceField, encodeForceField(field)],
    ] as const;
    // Zero is owed until all of it has left.
    if (connection.send(this.#options.device, parts)) this.#owesZero = radius > 0 || connection.waitingBytes > 0;
  }

  #onClosed(reason: string): void {
    clearInterval(this.#timer);
    this.#connection = undefined;
    if (this.state === 'closed') {
      this.#log('closed');
      this.#onGone?.();
      return;
    }
    const isLoss = this.state === 'connected';
    if (isLoss) this.state = 'lost';
    // One line per change: not one for every vain attempt.
    if (isLoss || reason !== this.#reportedReason) {
      this.#log(`${isLoss ? 'lost' : 'not reached'} (${reason}); trying again until it answers`);
      this.#reportedReason = reason;
    }
    this.#retry = setTimeout(() => this.#call(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }

  #reportNoPose(): void {
    if (this.#hasReportedNoPose) return;
    this.#hasReportedNoPose = true;
    const { device } = this.#options;
    const { senders = [], heard } = this.#connection ?? {};
    // A server of VRPN also names what its clients once asked for.
    const there = senders.filter((name) => name !== device || heard?.includes(name));
    const names = there.map((name) => `"${printable(name)}"`);
    const known = names.length > 0 ? names.join(', ') : 'nothing';
    this.#log(`no pose of sensor ${this.#sensor} of "${device}" has arrived; the server lists ${known}`);
  }

  #reportBadPose(): void {
    if (this.#hasReportedBadPose) return;
    this.#hasReportedBadPose = true;
    this.#log('poses that are not finite or have no rotation are ignored');
  }

  #log(line: string): void {
    this.#options.onLog(`${this.name}: ${line}`);
  }
}
