import { connect, createServer, type Server, type Socket } from 'node:net';
import { PalpableError } from '@palpable/engine';
import { type CallRequests, hearCallRequests } from './call-requests.js';
import { ClientForce, WRENCH_VALID_MS } from './client-force.js';
import { MAX_WAITING_BYTES, VrpnConnection, type VrpnPart } from './connection.js';
import {
  decodeForceField,
  decodeWrench,
  EMPTY_PAYLOAD,
  encodeButtonChange,
  encodeButtonStates,
  encodeForce,
  encodeLeftOut,
  encodePosQuat,
  encodeWrench,
  isUsablePose,
  VRPN_TYPE,
  type VrpnTypeName,
} from './payloads.js';
import { FROZEN_AFTER_MS, ReadingWatch } from './reading-watch.js';
import { findQueues, type ReadSocketTable, readSocketTable, type TcpEnds } from './socket-queues.js';
import { DEFAULT_VRPN_PORT, isVrpnName } from './wire.js';

export interface VrpnServerOptions {
  /** The device's name, as clients ask for it. */
  readonly name: string;
  /** 3883 unless given; 0 takes a free one. */
  readonly port?: number;
  /** 127.0.0.1 unless given: nobody on the network is to move a hand by accident. */
  readonly host?: string;
  readonly onLog: (line: string) => void;
  /**
   * Force (N) and torque (N m) that a client wants, device frame; zero when it lets go, disconnects or falls silent. The
   * array is used again: copy it.
   */
  readonly onWrench?: (wrench: Float64Array) => void;
  /** Where the system reports which clients read; Linux' own table unless given, for tests. */
  readonly readSocketTable?: ReadSocketTable;
}

export interface VrpnServerClient {
  readonly address: string;
  /** Cycles it was not sent because it read too slowly. */
  readonly dropped: number;
}

export interface VrpnServer {
  readonly port: number;
  readonly clients: readonly VrpnServerClient[];
  /**
   * Begins a cycle: position (m), quaternion (x, y, z, w); one bit per button that is held down. Every call is sent
   * once, in order, with `timeMs` (ms since 1970; now unless given) as its stamp. A pose that is not finite, or has no
   * rotation, is not sent.
   */
  setPose(pose: ArrayLike<number>, buttons: number, timeMs?: number): void;
  /** What the hand feels in this cycle: force (N), torque (N m). Nothing is sent before the first pose. */
  setWrench(wrench: ArrayLike<number>, timeMs?: number): void;
  close(): Promise<void>;
}

const MAX_CLIENTS = 32;
/** Bits of the mask. */
const BUTTONS = 32;
const CHECK_EVERY_MS = WRENCH_VALID_MS / 4;
/** How much one check may count of the time since the last: while we were held up ourselves, nobody else was late. */
const MOST_PER_CHECK_MS = 50;
const PING_EVERY_MS = 100;
/** Whoever has once answered a ping, or sent our wrench, must do so again within this time. */
const ANSWER_WITHIN_MS = 500;
/** The field of a client that answers no ping, and of which the system does not know whether it reads: hold, then fade. */
const HOLD_MS = 1000;
const HOLD_FADE_MS = 100;

/** Shows one device to any number of VRPN clients, as a tracker, its buttons and a force device of the same name. */
export async function serveVrpn(options: VrpnServerOptions): Promise<VrpnServer> {
  const { name, host = '127.0.0.1', port = DEFAULT_VRPN_PORT } = options;
  if (!isVrpnName(name)) {
    throw new PalpableError('option-invalid', `"${name}" cannot be a VRPN device's name: use 1 to 99 bytes of text`);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    const message = `${port} is not a port: choose one from 1 to 65535, or 0 for a free one.`;
    throw new PalpableError('option-invalid', message);
  }
  const listener = createServer();
  await listen(listener, host, port);
  return new ServedDevice(listener, host, options);
}

interface Client {
  readonly address: string;
  readonly connection: VrpnConnection;
  readonly force: ClientForce;
  readonly watch: ReadingWatch;
  readonly ends: () => TcpEnds | null;
  isReady: boolean;
  /** It joined, or was left out of a cycle: what it knows of the buttons may be old. */
  needsButtons: boolean;
  /** Too much waits for it: it is not sent the cycle at hand. */
  isLeftOut: boolean;
  /** Cycles since it was last reported. */
  leftOut: number;
  dropped: number;
  /** It has answered a ping or sent our wrench, and must go on. */
  answers: boolean;
  answeredMs: number;
  /** When it last spoke, or was seen to read. */
  trustedMs: number;
  isFrozen: boolean;
  hasReportedSlow: boolean;
  hasReportedHold: boolean;
  hasReportedRefused: boolean;
}

class ServedDevice implements VrpnServer {
  readonly port: number;
  readonly #options: VrpnServerOptions;
  readonly #listener: Server;
  readonly #requests: CallRequests;
  readonly #checks: NodeJS.Timeout;
  readonly #clients = new Set<Client>();
  readonly #position = new Float64Array(3);
  readonly #wanted = new Float64Array(6);
  readonly #refused = new Float64Array(6);
  #buttons = 0;
  #hasPose = false;
  #checkedMs = performance.now();
  /** Runs as time does, but not while we were held up ourselves. */
  #livedMs = 0;
  #pingedMs = 0;
  #isReadingQueues = false;
  /** The client whose force is rendered, from its first force until it lets go: two would shake the hand. */
  #giver: Client | undefined;

  constructor(listener: Server, host: string, options: VrpnServerOptions) {
    this.#options = options;
    this.#listener = listener;
    this.port = portOf(listener);
    listener.on('connection', (socket) => this.#admit(socket, addressOf(socket)));
    listener.on('error', (error) => this.#log(error.message));
    this.#requests = hearCallRequests(host, this.port, {
      onRequest: (clientHost, clientPort) => this.#callBack(clientHost, clientPort),
      onFailure: (reason) => this.#log(`UDP is not available (${reason}); clients must use tcp:// in the address`),
    });
    this.#checks = setInterval(() => this.#check(), CHECK_EVERY_MS);
    this.#log(`listening on ${host}:${this.port}`);
  }

  get clients(): readonly VrpnServerClient[] {
    return this.#readyClients().map(({ address, dropped }) => ({ address, dropped }));
  }

  setPose(pose: ArrayLike<number>, buttons: number, timeMs?: number): void {
    if (!isUsablePose(pose)) return;
    this.#hasPose = true;
    for (let k = 0; k < 3; k += 1) this.#position[k] = pose[k];
    const changes = this.#takeButtons(buttons);
    const message = [VRPN_TYPE.posQuat, encodePosQuat(0, pose)] as const;
    for (const client of this.#readyClients()) this.#beginCycle(client, changes, message, timeMs);
    this.#updateForce();
  }

  setWrench(wrench: ArrayLike<number>, timeMs?: number): void {
    if (!this.#hasPose) return;
    const force = [VRPN_TYPE.force, encodeForce(wrench)] as const;
    const whole = [VRPN_TYPE.wrench, encodeWrench(wrench)] as const;
    // A cycle is sent whole or not at all.
    for (const client of this.#readyClients()) {
      if (!client.isLeftOut && !client.needsButtons) this.#send(client, [force, whole], timeMs);
    }
  }

  close(): Promise<void> {
    clearInterval(this.#checks);
    this.#requests.close();
    // All first: nobody is to take over from a client that leaves.
    for (const { force } of this.#clients) force.clear();
    for (const { connection } of this.#clients) connection.end('the server is closing');
    return new Promise((resolve) => {
      this.#listener.close(() => resolve());
    });
  }

  #readyClients(): Client[] {
    return [...this.#clients].filter((client) => client.isReady);
  }

  #takeButtons(buttons: number): VrpnPart[] {
    const changed = this.#buttons ^ buttons;
    this.#buttons = buttons;
    const changes: VrpnPart[] = [];
    for (let button = 0; changed !== 0 && button < BUTTONS; button += 1) {
      if (((changed >>> button) & 1) === 0) continue;
      const isDown = ((buttons >>> button) & 1) !== 0;
      changes.push([VRPN_TYPE.buttonChange, encodeButtonChange({ button, isDown })]);
    }
    return changes;
  }

  /** After a gap the first it gets is the newest, with how much was left out before. */
  #beginCycle(client: Client, changes: readonly VrpnPart[], pose: VrpnPart, timeMs: number | undefined): void {
    const most = client.isLeftOut ? 0 : MAX_WAITING_BYTES;
    client.isLeftOut = client.connection.waitingBytes > most;
    this.#judgeSight(client);
    if (client.isLeftOut) {
      client.needsButtons = true;
      client.leftOut += 1;
      client.dropped += 1;
      this.#reportSlow(client);
      return;
    }
    const before: VrpnPart[] = client.leftOut > 0 ? [[VRPN_TYPE.leftOut, encodeLeftOut(client.leftOut)]] : [];
    const buttons = client.needsButtons ? [this.#buttonStates()] : changes;
    if (!this.#send(client, [...before, ...buttons, pose], timeMs)) return;
    client.needsButtons = false;
    client.leftOut = 0;
  }

  #send({ connection }: Client, parts: readonly VrpnPart[], timeMs?: number): boolean {
    return connection.send(this.#options.name, parts, timeMs);
  }

  /** Whoever does not know where the hand is must not push it; it may have crashed with its connection still up. */
  #judgeSight(client: Client): void {
    client.force.setBlind(client.isLeftOut || client.isFrozen, performance.now());
  }

  #reportSlow(client: Client): void {
    if (client.hasReportedSlow) return;
    client.hasReportedSlow = true;
    this.#log(`${client.address} reads too slowly; it gets no messages until it catches up`);
  }

  #buttonStates(): VrpnPart {
    const states = Array.from({ length: BUTTONS }, (_, button) => ((this.#buttons >>> button) & 1) !== 0);
    return [VRPN_TYPE.buttonStates, encodeButtonStates(states)];
  }

  #callBack(host: string, port: number): void {
    const address = `${host}:${port}`;
    // A client asks again until it is called.
    for (const client of this.#clients) if (client.address === address) return;
    this.#admit(connect({ host, port }), address);
  }

  #admit(socket: Socket, address: string): void {
    if (this.#clients.size >= MAX_CLIENTS) {
      socket.on('error', () => {});
      socket.destroy();
      this.#log(`${address} was refused: ${MAX_CLIENTS} clients are already connected`);
      return;
    }
    const client: Client = {
      address,
      force: new ClientForce(),
      watch: new ReadingWatch(),
      ends: () => endsOf(socket),
      isReady: false,
      needsButtons: true,
      isLeftOut: false,
      leftOut: 0,
      dropped: 0,
      answers: false,
      answeredMs: 0,
      trustedMs: this.#livedMs,
      isFrozen: false,
      hasReportedSlow: false,
      hasReportedHold: false,
      hasReportedRefused: false,
      connection: new VrpnConnection(socket, this.#options.name, {
        onReady: () => {
          client.isReady = true;
          this.#log(`${address} connected`);
        },
        onMessage: (sender, type, payload) => this.#onMessage(client, sender, type, payload),
        onRead: () => {
          client.trustedMs = this.#livedMs;
        },
        onNote: (line) => this.#log(`${address}: ${line}`),
        onEnding: () => this.#silence(client),
        onClosed: (reason) => this.#dismiss(client, reason),
      }),
    };
    this.#clients.add(client);
  }

  #dismiss(client: Client, reason: string): void {
    this.#clients.delete(client);
    this.#log(`${client.address} disconnected (${reason})`);
    this.#silence(client);
  }

  #silence(client: Client): void {
    client.isReady = false;
    client.force.clear();
    this.#updateForce();
  }

  #onMessage(client: Client, sender: string, type: VrpnTypeName, payload: DataView): void {
    if (sender !== this.#options.name) return;
    if (type === VRPN_TYPE.pong || type === VRPN_TYPE.wrench) {
      client.answers = true;
      client.answeredMs = this.#livedMs;
      // From now on this is how it is judged.
      client.isFrozen = false;
      this.#judgeSight(client);
    }
    if (type === VRPN_TYPE.forceField) client.force.setField(decodeForceField(payload));
    else if (type === VRPN_TYPE.wrench) client.force.setWrench(decodeWrench(payload), performance.now());
    else return;
    this.#updateForce();
    if (this.#giver !== client) this.#reportRefused(client);
  }

  #reportRefused(client: Client): void {
    if (this.#giver === undefined || client.hasReportedRefused) return;
    if (!client.force.evaluate(this.#refused, this.#position, performance.now())) return;
    client.hasReportedRefused = true;
    this.#log(`the force of ${client.address} is ignored while ${this.#giver.address} gives one`);
  }

  #check(): void {
    const now = performance.now();
    this.#livedMs += Math.min(now - this.#checkedMs, MOST_PER_CHECK_MS);
    this.#checkedMs = now;
    for (const client of this.#readyClients()) {
      if (client.answers) this.#checkAnswers(client);
      else this.#checkHold(client, now);
    }
    if (this.#livedMs - this.#pingedMs >= PING_EVERY_MS) {
      this.#pingedMs = this.#livedMs;
      for (const client of this.#readyClients()) {
        if (client.connection.waitingBytes <= MAX_WAITING_BYTES) this.#send(client, [[VRPN_TYPE.ping, EMPTY_PAYLOAD]]);
      }
      void this.#lookAtQueues();
    }
    this.#updateForce();
  }

  #checkAnswers(client: Client): void {
    if (this.#livedMs - client.answeredMs <= ANSWER_WITHIN_MS) return;
    client.connection.abort(`it has answered no ping for ${ANSWER_WITHIN_MS / 1000} s`);
  }

  #checkHold(client: Client, nowMs: number): void {
    if (this.#options.onWrench === undefined || !client.force.holdsField) return;
    if (this.#livedMs - client.trustedMs <= HOLD_MS) return;
    client.force.fade(nowMs, HOLD_FADE_MS);
    if (client.hasReportedHold) return;
    client.hasReportedHold = true;
    this.#log(
      `${client.address} has sent nothing for ${HOLD_MS / 1000} s and answers no ping: its force fades; ` +
        'it must renew its field more often',
    );
  }

  /** VRPN's own clients answer no ping; whether they read can be seen only from outside. */
  async #lookAtQueues(): Promise<void> {
    if (this.#options.onWrench === undefined || this.#isReadingQueues) return;
    const suspects = this.#readyClients().filter(({ answers, force, isFrozen }) => {
      return !answers && (force.holdsField || isFrozen);
    });
    if (suspects.length === 0) return;
    this.#isReadingQueues = true;
    const handed = suspects.map(({ connection }) => connection.handedBytes);
    const table = await (this.#options.readSocketTable ?? readSocketTable)();
    this.#isReadingQueues = false;
    for (const [k, client] of suspects.entries()) this.#judgeReading(client, table, handed[k]);
    this.#updateForce();
  }

  #judgeReading(client: Client, table: string, handedBefore: number): void {
    const ends = client.ends();
    if (ends === null || !this.#clients.has(client)) return;
    const handed = [handedBefore, client.connection.handedBytes] as const;
    const reading = client.watch.judge(findQueues(table, ends), handed, this.#livedMs);
    if (reading === 'reads') client.trustedMs = this.#livedMs;
    const wasFrozen = client.isFrozen;
    client.isFrozen = reading === 'frozen';
    this.#judgeSight(client);
    if (client.isFrozen && !wasFrozen) {
      this.#log(
        `${client.address} has read nothing for ${FROZEN_AFTER_MS / 1000} s: its force ends until it reads again`,
      );
    } else if (wasFrozen && !client.isFrozen) this.#log(`${client.address} reads again`);
  }

  /** A field changes with the position, a wrench ends with time. Whoever lets go makes room for the next. */
  #updateForce(): void {
    const now = performance.now();
    const before = this.#giver;
    const gives = (client: Client) => client.force.evaluate(this.#wanted, this.#position, now);
    if (before === undefined || !gives(before)) this.#giver = [...this.#clients].find(gives);
    if (this.#giver !== undefined || before !== undefined) this.#options.onWrench?.(this.#wanted);
  }

  #log(line: string): void {
    this.#options.onLog(`vrpn server ${this.#options.name}: ${line}`);
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'another program is using it' : (error.code ?? error.message);
      reject(
        new PalpableError(
          'option-invalid',
          `Cannot listen on port ${port} of ${host}: ${reason}. Choose another port.`,
        ),
      );
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? 'a client that has left'}:${remotePort ?? 0}`;
}

function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): TcpEnds | null {
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return null;
  return { localAddress, localPort, remoteAddress, remotePort };
}
