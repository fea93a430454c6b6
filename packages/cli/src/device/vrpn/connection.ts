import type { Socket } from 'node:net';
import { VrpnDecoder } from './decoder.js';
import { EMPTY_PAYLOAD, VRPN_TYPE, VRPN_TYPE_NAMES, type VrpnTypeName } from './payloads.js';
import {
  decodeName,
  encodeCookie,
  encodeMessage,
  encodeName,
  printable,
  SYSTEM_TYPE,
  type VrpnMessage,
  VrpnProtocolError,
} from './wire.js';

export interface ConnectionEvents {
  /** The cookie of the other end is right; our own names have been sent. */
  onReady?(): void;
  onDescription?(kind: 'sender' | 'type', name: string): void;
  onMessage?(senderName: string, typeName: VrpnTypeName, payload: DataView): void;
  /** Everything that came in one piece has been handed out. */
  onRead?(): void;
  /** Something that people should know but that does not end the connection. */
  onNote?(line: string): void;
  /** Once, whoever ended it. The reason is a phrase for people. */
  onClosed(reason: string): void;
}

/** From the call to the cookie; half a cookie counts as none. */
const HANDSHAKE_MS = 3000;
/** An orderly end that the other side does not answer is cut off. */
const FAREWELL_MS = 500;
/** What may wait for a slow peer: at 1 kHz, about a third of a second of poses. */
const MAX_WAITING_BYTES = 65_536;
/** Types that are not known are told by name up to here, so that nobody can fill the log. */
const MAX_TOLD_TYPES = 8;
/** Our end has one sender. */
const OWN_SENDER = 0;

const KNOWN_TYPES: ReadonlySet<string> = new Set(VRPN_TYPE_NAMES);

/** One VRPN connection over TCP, the same for both ends: cookie, names, ping, and an end for whoever breaks the rules. */
export class VrpnConnection {
  /** Messages not sent because the peer reads too slowly. */
  dropped = 0;
  readonly #socket: Socket;
  readonly #ownName: string;
  readonly #events: ConnectionEvents;
  readonly #decoder: VrpnDecoder;
  readonly #senders: string[] = [];
  readonly #types: string[] = [];
  readonly #toldTypes = new Set<string>();
  readonly #handshake: NodeJS.Timeout;
  #sequence = 0;
  #reason: string | undefined;

  constructor(socket: Socket, ownName: string, events: ConnectionEvents) {
    this.#socket = socket;
    this.#ownName = ownName;
    this.#events = events;
    this.#decoder = new VrpnDecoder({
      onCookie: () => this.#beginTalk(),
      onMessage: (message) => this.#take(message),
    });
    this.#handshake = setTimeout(
      () => this.abort(`no whole VRPN cookie came within ${HANDSHAKE_MS / 1000} s`),
      HANDSHAKE_MS,
    );
    socket.setNoDelay(true);
    socket.setKeepAlive(true, 1000);
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => this.#note(error.code ?? error.message));
    socket.on('close', () => this.#finish());
    socket.write(encodeCookie());
  }

  get isOpen(): boolean {
    return this.#reason === undefined && !this.#socket.destroyed;
  }

  /** The names that the other end has given to its senders. */
  get senders(): readonly string[] {
    return this.#senders.filter((name) => name !== undefined);
  }

  /** All or nothing, in one piece; false when the peer is so far behind that it was left out. */
  send(...messages: readonly (readonly [VrpnTypeName, Uint8Array])[]): boolean {
    if (!this.isOpen) return false;
    if (this.#socket.writableLength > MAX_WAITING_BYTES) {
      this.dropped += messages.length;
      return false;
    }
    this.#write(messages.map(([name, payload]) => this.#encode(VRPN_TYPE_NAMES.indexOf(name), OWN_SENDER, payload)));
    return true;
  }

  /** After what has been sent; for `reason` see `onClosed`. */
  end(reason: string): void {
    this.#note(reason);
    this.#decoder.stop();
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), FAREWELL_MS).unref();
  }

  /** At once. */
  abort(reason: string): void {
    this.#note(reason);
    this.#decoder.stop();
    this.#socket.destroy();
  }

  #read(chunk: Uint8Array): void {
    try {
      this.#decoder.push(chunk);
    } catch (error) {
      if (!(error instanceof VrpnProtocolError)) throw error;
      this.abort(`it broke the protocol: ${error.message}`);
      return;
    }
    if (this.isOpen) this.#events.onRead?.();
  }

  #beginTalk(): void {
    clearTimeout(this.#handshake);
    this.#write([
      this.#encode(SYSTEM_TYPE.sender, OWN_SENDER, encodeName(this.#ownName)),
      ...VRPN_TYPE_NAMES.map((name, id) => this.#encode(SYSTEM_TYPE.type, id, encodeName(name))),
    ]);
    this.#events.onReady?.();
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
    this.#events.onDescription?.(kind, name);
  }

  #dispatch(typeName: string, sender: number, payload: DataView): void {
    const senderName = nameOf('sender', this.#senders, sender);
    if (typeName === VRPN_TYPE.ping) this.send([VRPN_TYPE.pong, EMPTY_PAYLOAD]);
    else if (isKnown(typeName)) this.#events.onMessage?.(senderName, typeName, payload);
    else this.#tellUnknown(typeName);
  }

  #tellUnknown(typeName: string): void {
    if (this.#toldTypes.has(typeName) || this.#toldTypes.size >= MAX_TOLD_TYPES) return;
    this.#toldTypes.add(typeName);
    this.#events.onNote?.(`messages of type "${printable(typeName)}" are not used and passed over`);
  }

  #encode(type: number, sender: number, payload: Uint8Array): Uint8Array {
    this.#sequence = (this.#sequence + 1) >>> 0;
    const timeMs = performance.timeOrigin + performance.now();
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
    this.#events.onClosed(this.#reason ?? 'the other side hung up');
  }
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
