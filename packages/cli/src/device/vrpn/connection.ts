import type { Socket } from 'node:net';
import { VrpnDecoder } from './decoder.js';
import { EMPTY_PAYLOAD, VRPN_TYPE, VRPN_TYPE_NAMES, type VrpnTypeName } from './payloads.js';
import {
  decodeName,
  encodeCookie,
  encodeMessage,
  encodeName,
  MAX_IDS,
  printable,
  SYSTEM_TYPE,
  type VrpnMessage,
  VrpnProtocolError,
} from './wire.js';

/** A message but for its sender: the name of its type, and its payload. */
export type VrpnPart = readonly [VrpnTypeName, Uint8Array];

export interface ConnectionEvents {
  /** The cookie of the other end is right; our own names have been sent. */
  onReady?(): void;
  onDescription?(kind: 'sender' | 'type', name: string): void;
  onMessage?(senderName: string, typeName: VrpnTypeName, payload: DataView): void;
  /** Everything that came in one piece has been handed out. */
  onRead?(): void;
  /** Something that people should know but that does not end the connection. */
  onNote?(line: string): void;
  /** We are about to close the connection: the last chance to send something. */
  onEnding?(): void;
  /** Once, whoever ended it. The reason is a phrase for people. */
  onClosed(reason: string): void;
}

/** From the call to the cookie; half a cookie counts as none. */
const HANDSHAKE_MS = 3000;
/** An orderly end that the other side does not answer is cut off. */
const FAREWELL_MS = 500;
/** What may wait here for a slow peer: at 1 kHz, about a third of a second of poses. */
export const MAX_WAITING_BYTES = 65_536;
/** Types that are not known are reported by name up to here, so that nobody can fill the log. */
const MAX_TOLD_TYPES = 8;
const KNOWN_TYPES: ReadonlySet<string> = new Set(VRPN_TYPE_NAMES);

/** One VRPN connection over TCP, the same for both ends: cookie, names, ping, and an end for whoever breaks the rules. */
export class VrpnConnection {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #decoder: VrpnDecoder;
  /** Names of our end, by the ids that it gives them. */
  readonly #ownSenders: string[] = [];
  readonly #senders: string[] = [];
  readonly #types: string[] = [];
  readonly #heardIds = new Set<number>();
  readonly #reportedTypes = new Set<string>();
  readonly #handshake: NodeJS.Timeout;
  #isReady = false;
  #sequence = 0;
  #reason: string | undefined;

  /**
   * A device gives `ownName`, which is described at once. A client gives null, and a name is described when something
   * is first sent under it: a server remembers every name that was ever described to it, mistyped ones too.
   */
  constructor(socket: Socket, ownName: string | null, events: ConnectionEvents) {
    this.#socket = socket;
    this.#events = events;
    this.#decoder = new VrpnDecoder({
      onCookie: () => this.#beginTalk(ownName),
      onMessage: (message) => this.#take(message),
    });
    this.#handshake = setTimeout(
      () => this.abort(`no complete VRPN cookie arrived within ${HANDSHAKE_MS / 1000} s`),
      HANDSHAKE_MS,
    );
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 1000);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => this.#note(error.code ?? error.message));
    // Not left to the system, which would first wait until the peer has read everything.
    socket.on('end', () => this.abort('the other side disconnected'));
    socket.on('close', () => this.#finish());
    socket.write(encodeCookie());
  }

  get isOpen(): boolean {
    return this.#reason === undefined && !this.#socket.destroyed;
  }

  /** The cookie of the other end has come. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** The names that the other end has given to its senders. */
  get senders(): readonly string[] {
    return this.#senders.filter((name) => name !== undefined);
  }

  /** The senders from which messages have come: a server also names those that a client once asked for. */
  get heard(): readonly string[] {
    return this.#senders.filter((_, id) => this.#heardIds.has(id));
  }

  /** What the system has not taken from us yet, because the peer reads too slowly. */
  get waitingBytes(): number {
    return this.#socket.writableLength;
  }

  /** What the system has taken from us since the connection began. */
  get handedBytes(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength;
  }

  /**
   * All in one piece, under the name `sender`; false when that cannot be, as on a closed connection. The stamp is in ms since 1970. If
   * nothing waits before it, the system has it when this returns.
   */
  send(sender: string, parts: readonly VrpnPart[], timeMs = wallClockMs()): boolean {
    if (!this.isOpen || !this.#canDescribe(sender)) return false;
    const described = this.#ownSenders.length;
    const id = this.#ownIdOf(sender);
    // Encoded in the order in which they are written: each takes the next sequence number.
    const description = id < described ? [] : [this.#describeSender(id, timeMs)];
    const messages = parts.map(([name, payload]) => this.#encode(VRPN_TYPE_NAMES.indexOf(name), id, payload, timeMs));
    this.#write([...description, ...messages]);
    return true;
  }

  /** After what has been sent; for `reason` see `onClosed`. */
  end(reason: string): void {
    if (!this.isOpen) return;
    this.#leave(reason);
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), FAREWELL_MS).unref();
  }

  /** At once. */
  abort(reason: string): void {
    this.#leave(reason);
    this.#socket.destroy();
  }

  #leave(reason: string): void {
    if (this.isOpen) this.#events.onEnding?.();
    this.#note(reason);
    this.#decoder.stop();
  }

  #read(chunk: Uint8Array): void {
    try {
      this.#decoder.push(chunk);
    } catch (error) {
      if (!(error instanceof VrpnProtocolError)) throw error;
      this.end(`it broke the protocol: ${error.message}`);
      return;
    }
    if (this.isOpen) this.#events.onRead?.();
  }

  #beginTalk(ownName: string | null): void {
    clearTimeout(this.#handshake);
    this.#isReady = true;
    const description = ownName === null ? [] : [this.#describeSender(this.#ownIdOf(ownName))];
    const types = VRPN_TYPE_NAMES.map((name, id) => this.#encode(SYSTEM_TYPE.type, id, encodeName(name)));
    this.#write([...description, ...types]);
    this.#events.onReady?.();
  }

  /** A peer that pings under ever new names must not fill our memory. */
  #canDescribe(sender: string): boolean {
    return this.#ownSenders.length < MAX_IDS || this.#ownSenders.includes(sender);
  }

  #ownIdOf(sender: string): number {
    const id = this.#ownSenders.indexOf(sender);
    return id >= 0 ? id : this.#ownSenders.push(sender) - 1;
  }

  #describeSender(id: number, timeMs?: number): Uint8Array {
    return this.#encode(SYSTEM_TYPE.sender, id, encodeName(this.#ownSenders[id]), timeMs);
  }

  #take(message: VrpnMessage): void {
    const { type, sender } = message;
    if (type === SYSTEM_TYPE.sender) this.#learn('sender', this.#senders, message);
    else if (type === SYSTEM_TYPE.type) this.#learn('type', this.#types, message);
    else if (type >= 0) this.#dispatch(nameOf('type', this.#types, type), sender, message.payload);
  }

  #learn(kind: 'sender' | 'type', names: string[], message: VrpnMessage): void {
    const name = decodeName(message);
    names[message.sender] = name;
    if (kind === 'sender') this.#heardIds.delete(message.sender);
    this.#events.onDescription?.(kind, name);
  }

  #dispatch(typeName: string, sender: number, payload: DataView): void {
    const senderName = nameOf('sender', this.#senders, sender);
    this.#heardIds.add(sender);
    if (typeName === VRPN_TYPE.ping) this.#answer(senderName);
    else if (isKnown(typeName)) this.#events.onMessage?.(senderName, typeName, payload);
    else this.#reportUnknown(typeName);
  }

  /** Under the name that was asked for, as VRPN's own devices do. */
  #answer(senderName: string): void {
    if (this.waitingBytes <= MAX_WAITING_BYTES) this.send(senderName, [[VRPN_TYPE.pong, EMPTY_PAYLOAD]]);
  }

  #reportUnknown(typeName: string): void {
    if (this.#reportedTypes.has(typeName) || this.#reportedTypes.size >= MAX_TOLD_TYPES) return;
    this.#reportedTypes.add(typeName);
    this.#events.onNote?.(`messages of type "${printable(typeName)}" are not used and ignored`);
  }

  #encode(type: number, sender: number, payload: Uint8Array, timeMs = wallClockMs()): Uint8Array {
    this.#sequence = (this.#sequence + 1) >>> 0;
    return encodeMessage({ sender, type, sequence: this.#sequence, timeMs, payload });
  }

  #write(parts: readonly Uint8Array[]): void {
    this.#socket.write(parts.length === 1 ? parts[0] : Buffer.concat(parts));
  }

  /** The first reason is the true one; what follows are its consequences. */
  #note(reason: string): void {
    this.#reason ??= reason;
  }

  #finish(): void {
    clearTimeout(this.#handshake);
    this.#decoder.stop();
    this.#events.onClosed(this.#reason ?? 'the other side disconnected');
  }
}

function wallClockMs(): number {
  return performance.timeOrigin + performance.now();
}

function isKnown(typeName: string): typeName is VrpnTypeName {
  return KNOWN_TYPES.has(typeName);
}

/** Numbers without a name are refused: whoever sends them has lost its place in the stream, or wants to do harm. */
function nameOf(kind: 'sender' | 'type', names: readonly string[], id: number): string {
  const name = names[id];
  if (name !== undefined) return name;
  throw new VrpnProtocolError(`a message has the ${kind} ${id}, which was never described`);
}
