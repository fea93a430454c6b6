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
  VRPN_TYPE,
  type VrpnTypeName,
} from './payloads.js';
import { DEFAULT_VRPN_PORT, printable } from './wire.js';

export interface VrpnClientOptions extends LinkOptions {
  readonly host: string;
  /** 3883 unless given. */
  readonly tcpPort?: number;
  /** The name of the device at its server. */
  readonly device: string;
  /** Which of the device's sensors is the tool; 0 unless given. */
  readonly sensor?: number;
  /** VRPN does not tell them. */
  readonly limits?: DeviceLimits;
}

/** Of the weakest device that is common (Falcon); its torque is for those that can give one at all. */
const DEFAULT_LIMITS: DeviceLimits = { force: 8, torque: 0.1 };

/** The newest wrench goes out with every pose, and at least this often. */
const SEND_EVERY_MS = 2;
const PING_AFTER_MS = 1000;
const LOST_AFTER_MS = 3000;
const TELL_NO_POSE_AFTER_MS = 2000;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;
/** m. Of the force field around the last position: no hand leaves it before the next one is sent. */
const FIELD_RADIUS = 1;
/** Bits of the mask. */
const MAX_BUTTONS = 32;

const NO_JACOBIAN = new Float64Array(9);
const NOTHING = new Float64Array(6);

/** Poses and buttons from a VRPN server, wrenches to it. */
export function connectVrpn(options: VrpnClientOptions): DeviceLink {
  return new VrpnLink(options);
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
  #toldReason = '';
  #onGone: (() => void) | undefined;
  /** Of the connection at hand. */
  #pose: Float64Array | undefined;
  #hasNewPose = false;
  #buttons = 0;
  #hasToldBadPose = false;
  #hasToldNoPose = false;
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
    this.#call();
  }

  close(): Promise<void> {
    if (this.state === 'closed') return Promise.resolve();
    const wasConnected = this.state === 'connected';
    this.state = 'closed';
    clearTimeout(this.#retry);
    clearInterval(this.#timer);
    const connection = this.#connection;
    if (connection === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#onGone = resolve;
      if (!wasConnected) return connection.abort('closed');
      this.#sendWrench(connection, NOTHING, 0);
      connection.end('closed');
    });
  }

  #call(): void {
    const { host, tcpPort = DEFAULT_VRPN_PORT, device } = this.#options;
    this.#pose = undefined;
    this.#buttons = 0;
    this.#hasToldBadPose = false;
    this.#hasToldNoPose = false;
    this.#connection = new VrpnConnection(connect({ host, port: tcpPort }), device, {
      onReady: () => this.#onReady(),
      onMessage: (sender, type, payload) => this.#onMessage(sender, type, payload),
      onRead: () => this.#onRead(),
      onNote: (line) => this.#log(line),
      onClosed: (reason) => this.#onClosed(reason),
    });
  }

  #onReady(): void {
    const now = performance.now();
    this.state = 'connected';
    this.#toldReason = '';
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
    if (!isUsable(pose)) {
      this.#tellBadPose();
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
  }

  #tick(): void {
    const now = performance.now();
    const silentMs = now - this.#heardMs;
    if (silentMs > LOST_AFTER_MS) {
      this.#connection?.abort(`it said nothing for ${LOST_AFTER_MS / 1000} s`);
      return;
    }
    if (silentMs > PING_AFTER_MS && now - this.#pingedMs > PING_AFTER_MS) {
      this.#pingedMs = now;
      this.#connection?.send([VRPN_TYPE.ping, EMPTY_PAYLOAD]);
    }
    if (now - this.#sentMs >= SEND_EVERY_MS) this.#sendNewest(now);
    if (this.#pose === undefined && now - this.#readyMs > TELL_NO_POSE_AFTER_MS) this.#tellNoPose();
  }

  #sendNewest(nowMs: number): void {
    this.#options.port.takeWrench(this.#wrench, nowMs);
    if (this.#connection === undefined || this.#pose === undefined) return;
    this.#sentMs = nowMs;
    // The last place before the hand.
    if (!this.#wrench.every(Number.isFinite)) this.#wrench.fill(0);
    this.#sendWrench(this.#connection, this.#wrench, FIELD_RADIUS);
  }

  /** A radius of zero is VRPN's way to switch a field off. */
  #sendWrench(connection: VrpnConnection, wrench: Float64Array, radius: number): void {
    const field = { origin: this.#pose ?? NOTHING, force: wrench, jacobian: NO_JACOBIAN, radius };
    // The wrench first: a server that knows it then never feels the field, which has no torque.
    connection.send([VRPN_TYPE.wrench, encodeWrench(wrench)], [VRPN_TYPE.forceField, encodeForceField(field)]);
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
    if (isLoss || reason !== this.#toldReason) {
      this.#log(`${isLoss ? 'lost' : 'not reached'} (${reason}); trying again until it answers`);
      this.#toldReason = reason;
    }
    this.#retry = setTimeout(() => this.#call(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, LAST_RETRY_MS);
  }

  #tellNoPose(): void {
    if (this.#hasToldNoPose) return;
    this.#hasToldNoPose = true;
    const { device } = this.#options;
    const names = (this.#connection?.senders ?? []).map((name) => `"${printable(name)}"`);
    const known = names.length > 0 ? names.join(', ') : 'nothing';
    this.#log(`no pose of sensor ${this.#sensor} of "${device}" has come; the server names ${known}`);
  }

  #tellBadPose(): void {
    if (this.#hasToldBadPose) return;
    this.#hasToldBadPose = true;
    this.#log('poses with numbers that are not finite, or without a rotation, are passed over');
  }

  #log(line: string): void {
    this.#options.onLog(`${this.name}: ${line}`);
  }
}

function isUsable(pose: Float64Array): boolean {
  return pose.every(Number.isFinite) && pose.subarray(3).some((part) => part !== 0);
}
