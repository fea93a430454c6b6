import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

/**
 * A Haply service for tests. It moves the cursors of its devices, answers every message with one state, and checks
 * every message against what the real one accepts; whatever is wrong is listed in `violations`.
 */
export interface MockService {
  readonly url: string;
  /** Forces that were set, in order, of whichever device. */
  readonly forces: readonly (readonly [number, number, number])[];
  /** Positions of the first device that were told, in order. */
  readonly positions: readonly (readonly [number, number, number])[];
  readonly violations: readonly string[];
  readonly connections: number;
  /** Connections that stand. */
  readonly clients: number;
  /** Texts that go out instead of the next states. */
  readonly nonsense: string[];
  /** Heard, but not answered. */
  isMute: boolean;
  /** The cursors stay where they are. */
  isStill: boolean;
  /** A grip that sleeps gives no orientation. */
  isGripAwake: boolean;
  /** Of every Inverse3; what is deleted is not told. */
  readonly status: Record<string, boolean>;
  /** Ends without a word. */
  stop(): Promise<void>;
}

export interface MockOptions {
  readonly version: '3.1' | '3.5';
  /** As the system likes unless given. */
  readonly port?: number;
  readonly deviceIds?: readonly string[];
}

export async function startMockService(options: MockOptions): Promise<MockService> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: options.port ?? 0 });
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  return new RunningService(server, options);
}

class RunningService implements MockService {
  readonly url: string;
  readonly forces: [number, number, number][] = [];
  readonly positions: [number, number, number][] = [];
  readonly violations: string[] = [];
  readonly nonsense: string[] = [];
  connections = 0;
  isMute = false;
  isStill = false;
  isGripAwake = true;
  readonly status: Record<string, boolean> = {
    calibrated: true,
    in_use: true,
    power_supply: true,
    ready: true,
    started: true,
  };
  private degrees = -1;
  private readonly server: WebSocketServer;
  private readonly isNew: boolean;
  private readonly deviceIds: readonly string[];

  constructor(server: WebSocketServer, { version, deviceIds = ['049D'] }: MockOptions) {
    this.server = server;
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.isNew = version === '3.5';
    this.deviceIds = deviceIds;
    server.on('connection', (socket) => this.serve(socket));
  }

  get clients(): number {
    return this.server.clients.size;
  }

  async stop(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(socket: WebSocket): void {
    this.connections += 1;
    let unanswered = 0;
    const answer = (withConfig: boolean) => socket.send(this.nonsense.shift() ?? this.stateText(withConfig));
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.violations.push('a binary message');
      this.check(data.toString());
      if (this.isMute) return;
      unanswered += 1;
      if (unanswered > 1 && !this.isLowered()) this.violations.push(`${unanswered} messages under way`);
      // Answered in a later turn: a client that does not wait for the reply is found out.
      setImmediate(() => {
        unanswered -= 1;
        if (socket.readyState === socket.OPEN && !this.isMute) answer(false);
      });
    });
    if (!this.isMute) answer(true);
  }

  /** The cursor goes round, a degree for every state, unless it is held still. */
  private stateText(withConfig: boolean): string {
    if (!this.isStill) this.degrees += 1;
    const angle = (this.degrees * Math.PI) / 180;
    const [x, y, z] = [0.05 * Math.cos(angle), -0.12 + 0.05 * Math.sin(angle), 0.15];
    this.positions.push([x, y, z]);
    const inverse3 = this.deviceIds.map((device_id, k) => ({
      device_id,
      ...(withConfig && { config: { type: 'inverse3', handedness: 'right' } }),
      state: this.deviceState({ x: x + k, y, z }),
      status: this.status,
    }));
    const orientation = this.isGripAwake ? { w: 0.8, x: 0.6, y: 0, z: 0 } : { w: 0, x: 0, y: 0, z: 0 };
    const grips = this.isNew
      ? { wireless_verse_grip: [{ device_id: 'W1', state: { orientation, buttons: { a: true, b: false, c: true } } }] }
      : { verse_grip: [{ device_id: '61548', state: { orientation, button: true, hall: 0 } }] };
    return JSON.stringify({ ...(this.isNew && { session_id: 7 }), inverse3, ...grips });
  }

  private deviceState(cursor_position: object): object {
    const zero = { x: 0, y: 0, z: 0 };
    const common = { cursor_position, cursor_velocity: zero, body_orientation: { w: 1, ...zero } };
    if (!this.isNew) return { ...common, mode: 'force' };
    return { ...common, current_cursor_force: zero, control_domain: 'cartesian', control_mode: 'force' };
  }

  /** A force may go down at any time, without waiting for a reply. */
  private isLowered(): boolean {
    const [before, now] = this.forces.slice(-2).map((force) => Math.hypot(...force));
    return now === 0 || now < before;
  }

  private check(text: string): void {
    try {
      this.forces.push(this.readForce(JSON.parse(text)));
    } catch (error) {
      this.violations.push(`${text}: ${error}`);
    }
  }

  private readForce(message: unknown): [number, number, number] {
    const [device, ...others] = fieldsOf(message, ['inverse3'])[0] as unknown[];
    if (others.length > 0) throw new Error('more than one device');
    const [id, commands] = fieldsOf(device, ['device_id', 'commands']);
    if (!this.deviceIds.includes(id as string)) throw new Error('a device that is not there');
    const [command] = fieldsOf(commands, ['set_cursor_force']);
    const [vector] = fieldsOf(command, [this.isNew ? 'vector' : 'values']);
    const [x, y, z] = fieldsOf(vector, ['x', 'y', 'z']);
    if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') throw new Error('no numbers');
    return [x, y, z];
  }
}

/** The values of an object with these fields and no others. */
function fieldsOf(value: unknown, names: readonly string[]): unknown[] {
  const found = Object.keys(value as object);
  if (found.join() !== names.join()) throw new Error(`fields ${found} instead of ${names}`);
  return Object.values(value as object);
}
