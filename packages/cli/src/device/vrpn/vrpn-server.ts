import { connect, createServer, type Server, type Socket } from 'node:net';
import { PalpableError } from '@palpable/engine';
import { type CallRequests, hearCallRequests } from './call-requests.js';
import { ClientForce, WRENCH_VALID_MS } from './client-force.js';
import { VrpnConnection } from './connection.js';
import {
  decodeForceField,
  decodeWrench,
  encodeButtonChange,
  encodeButtonStates,
  encodeForce,
  encodePosQuat,
  encodeWrench,
  VRPN_TYPE,
  type VrpnTypeName,
} from './payloads.js';
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
   * Force (N) and torque (N m) that a client wants, device frame; zero when it lets go, hangs up or falls silent. The
   * array is used again: copy it.
   */
  readonly onWrench?: (wrench: Float64Array) => void;
}

export interface VrpnServerClient {
  readonly address: string;
  /** Messages it was not sent because it read too slowly. */
  readonly dropped: number;
}

export interface VrpnServer {
  readonly port: number;
  readonly clients: readonly VrpnServerClient[];
  /** Position (m), quaternion (x, y, z, w); one bit per button that is held down. */
  setPose(pose: ArrayLike<number>, buttons: number): void;
  /** What the hand feels now: force (N), torque (N m). */
  setWrench(wrench: ArrayLike<number>): void;
  close(): Promise<void>;
}

const MAX_CLIENTS = 32;
/** Bits of the mask. */
const BUTTONS = 32;
const CHECK_FORCE_EVERY_MS = WRENCH_VALID_MS / 4;

/** Shows one device to any number of VRPN clients, as a tracker, its buttons and a force device of the same name. */
export async function serveVrpn(options: VrpnServerOptions): Promise<VrpnServer> {
  const { name, host = '127.0.0.1', port = DEFAULT_VRPN_PORT } = options;
  if (!isVrpnName(name)) {
    throw new PalpableError('option-invalid', `"${name}" cannot be a VRPN device's name: use 1 to 99 bytes of text`);
  }
  const listener = createServer();
  await listen(listener, host, port);
  return new ServedDevice(listener, host, options);
}

interface Client {
  readonly address: string;
  readonly connection: VrpnConnection;
  readonly force: ClientForce;
  isReady: boolean;
  /** It joined, or was left out of a message: what it knows of the buttons may be old. */
  needsButtons: boolean;
  hasToldSlow: boolean;
  hasToldRefused: boolean;
}

class ServedDevice implements VrpnServer {
  readonly port: number;
  readonly #options: VrpnServerOptions;
  readonly #listener: Server;
  readonly #requests: CallRequests;
  readonly #forceTimer: NodeJS.Timeout;
  readonly #clients = new Set<Client>();
  readonly #position = new Float64Array(3);
  readonly #wanted = new Float64Array(6);
  readonly #refused = new Float64Array(6);
  #buttons = 0;
  /** The client whose force is felt, from its first force until it lets go: two would shake the hand. */
  #giver: Client | undefined;

  constructor(listener: Server, host: string, options: VrpnServerOptions) {
    this.#options = options;
    this.#listener = listener;
    this.port = portOf(listener);
    listener.on('connection', (socket) => this.#admit(socket, addressOf(socket)));
    listener.on('error', (error) => this.#log(error.message));
    this.#requests = hearCallRequests(host, this.port, {
      onRequest: (clientHost, clientPort) => this.#callBack(clientHost, clientPort),
      onFailure: (reason) => this.#log(`UDP is not to be had (${reason}); clients must ask with tcp:// in the address`),
    });
    this.#forceTimer = setInterval(() => this.#updateForce(), CHECK_FORCE_EVERY_MS);
    this.#log(`listening on ${host}:${this.port}`);
  }

  get clients(): readonly VrpnServerClient[] {
    return this.#readyClients().map(({ address, connection }) => ({ address, dropped: connection.dropped }));
  }

  setPose(pose: ArrayLike<number>, buttons: number): void {
    for (let k = 0; k < 3; k += 1) this.#position[k] = pose[k];
    const changes = this.#takeButtons(buttons);
    const message = [VRPN_TYPE.posQuat, encodePosQuat(0, pose)] as const;
    for (const client of this.#readyClients()) this.#send(client, ...changes, message);
    this.#updateForce();
  }

  setWrench(wrench: ArrayLike<number>): void {
    const force = [VRPN_TYPE.force, encodeForce(wrench)] as const;
    const whole = [VRPN_TYPE.wrench, encodeWrench(wrench)] as const;
    for (const client of this.#readyClients()) this.#send(client, force, whole);
  }

  close(): Promise<void> {
    clearInterval(this.#forceTimer);
    this.#requests.close();
    for (const { connection } of this.#clients) connection.end('the server closes');
    return new Promise((resolve) => {
      this.#listener.close(() => resolve());
    });
  }

  #readyClients(): Client[] {
    return [...this.#clients].filter((client) => client.isReady);
  }

  #takeButtons(buttons: number): (readonly [VrpnTypeName, Uint8Array])[] {
    const changed = this.#buttons ^ buttons;
    this.#buttons = buttons;
    const changes: (readonly [VrpnTypeName, Uint8Array])[] = [];
    for (let button = 0; changed !== 0 && button < BUTTONS; button += 1) {
      if (((changed >>> button) & 1) === 0) continue;
      const isDown = ((buttons >>> button) & 1) !== 0;
      changes.push([VRPN_TYPE.buttonChange, encodeButtonChange({ button, isDown })]);
    }
    return changes;
  }

  #send(client: Client, ...messages: readonly (readonly [VrpnTypeName, Uint8Array])[]): void {
    const all = client.needsButtons ? [this.#buttonStates(), ...messages] : messages;
    client.needsButtons = !client.connection.send(...all);
    if (!client.needsButtons || !client.connection.isOpen) return;
    // Whoever does not know where the hand is must not push it; it may have crashed with its connection still up.
    client.force.clear();
    if (client.hasToldSlow) return;
    client.hasToldSlow = true;
    this.#log(`${client.address} reads too slowly; it is left out of messages until it catches up`);
  }

  #buttonStates(): readonly [VrpnTypeName, Uint8Array] {
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
      this.#log(`${address} was turned away: ${MAX_CLIENTS} clients are connected already`);
      return;
    }
    const client: Client = {
      address,
      force: new ClientForce(),
      isReady: false,
      needsButtons: true,
      hasToldSlow: false,
      hasToldRefused: false,
      connection: new VrpnConnection(socket, this.#options.name, {
        onReady: () => {
          client.isReady = true;
          this.#log(`${address} connected`);
        },
        onMessage: (sender, type, payload) => this.#onMessage(client, sender, type, payload),
        onNote: (line) => this.#log(`${address}: ${line}`),
        onClosed: (reason) => this.#dismiss(client, reason),
      }),
    };
    this.#clients.add(client);
  }

  #dismiss(client: Client, reason: string): void {
    this.#clients.delete(client);
    this.#log(`${client.address} disconnected (${reason})`);
    client.force.clear();
    this.#updateForce();
  }

  #onMessage(client: Client, sender: string, type: VrpnTypeName, payload: DataView): void {
    if (sender !== this.#options.name) return;
    if (type === VRPN_TYPE.forceField) client.force.setField(decodeForceField(payload));
    else if (type === VRPN_TYPE.wrench) client.force.setWrench(decodeWrench(payload), performance.now());
    else return;
    this.#updateForce();
    if (this.#giver !== client) this.#tellRefused(client);
  }

  #tellRefused(client: Client): void {
    if (this.#giver === undefined || client.hasToldRefused) return;
    if (!client.force.evaluate(this.#refused, this.#position, performance.now())) return;
    client.hasToldRefused = true;
    this.#log(`the force of ${client.address} is not felt while ${this.#giver.address} gives one`);
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
      const reason = error.code === 'EADDRINUSE' ? 'another program has it' : (error.code ?? error.message);
      reject(
        new PalpableError(
          'option-invalid',
          `Port ${port} of ${host} cannot be listened on: ${reason}. Choose another.`,
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
