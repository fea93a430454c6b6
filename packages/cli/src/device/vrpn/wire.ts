/**
 * The frame of the VRPN protocol, version 07.xx: cookie, message header, and the two messages that give names to the
 * numbers of senders and types. Everything is big-endian.
 *
 * A message is a header of 24 bytes (u32 length, u32 seconds, u32 microseconds, i32 sender, i32 type, u32 sequence
 * number) and a payload. The length counts header and payload; the payload is then filled up with zeros to a multiple
 * of 8, and the filling is not counted. (The protocol's description counts it. The programs in use do not.)
 */

export const DEFAULT_VRPN_PORT = 3883;

export const COOKIE_BYTES = 24;
export const HEADER_BYTES = 24;
/** No message of ours comes near; what claims more is refused before it is stored. */
export const MAX_MESSAGE_BYTES = 65_536;

/** What VRPN's own programs can hold: ids of senders and types, and bytes of a name with its final zero. */
export const MAX_IDS = 2000;
const MAX_NAME_BYTES = 100;

const COOKIE = 'vrpn: ver. 07.38  0';
/** Later digits and the logging mode may differ between the two ends. */
const COOKIE_MUST_MATCH = COOKIE.slice(0, COOKIE.lastIndexOf('.') + 1);

/** Types below zero belong to the protocol itself; those that are not listed here may be ignored. */
export const SYSTEM_TYPE = { sender: -1, type: -2 } as const;

/** The other end broke the protocol. Its connection is closed, and the message says why. */
export class VrpnProtocolError extends Error {
  override readonly name = 'VrpnProtocolError';
}

export interface VrpnMessage {
  readonly sender: number;
  readonly type: number;
  readonly sequence: number;
  /** When it was sent, milliseconds since 1970. */
  readonly timeMs: number;
  /** A view into the decoder's memory: valid only during the call that hands it over. */
  readonly payload: DataView;
}

export interface OutgoingMessage {
  readonly sender: number;
  readonly type: number;
  readonly sequence: number;
  readonly timeMs: number;
  readonly payload: Uint8Array;
}

export function encodeCookie(): Uint8Array {
  const bytes = new Uint8Array(COOKIE_BYTES);
  bytes.set(new TextEncoder().encode(COOKIE));
  return bytes;
}

/** Throws as soon as a byte differs, so that a stranger who sends little is found out too. */
export function checkCookie(start: Uint8Array): void {
  const known = Math.min(start.length, COOKIE_MUST_MATCH.length);
  for (let k = 0; k < known; k += 1) {
    if (start[k] === COOKIE_MUST_MATCH.charCodeAt(k)) continue;
    const found = printable(start.subarray(0, COOKIE_BYTES));
    throw new VrpnProtocolError(`it began with "${found}", not with "${COOKIE_MUST_MATCH}": it does not speak VRPN 07`);
  }
}

/** Bytes that a message occupies in the stream, with the filling. */
export function paddedLength(length: number): number {
  return (length + 7) & ~7;
}

export function encodeMessage({ sender, type, sequence, timeMs, payload }: OutgoingMessage): Uint8Array {
  const length = HEADER_BYTES + payload.length;
  const bytes = new Uint8Array(paddedLength(length));
  const view = new DataView(bytes.buffer);
  const seconds = Math.floor(timeMs / 1000);
  view.setUint32(0, length);
  view.setUint32(4, seconds);
  view.setUint32(8, Math.floor((timeMs - seconds * 1000) * 1000));
  view.setInt32(12, sender);
  view.setInt32(16, type);
  view.setUint32(20, sequence);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}

/** The payload of a description: u32 length with the final zero, the text, a zero. */
export function encodeName(name: string): Uint8Array {
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(4 + text.length + 1);
  new DataView(bytes.buffer).setUint32(0, text.length + 1);
  bytes.set(text, 4);
  return bytes;
}

/** True for a name that fits into a description. */
export function isVrpnName(name: string): boolean {
  const bytes = new TextEncoder().encode(name).length;
  return bytes > 0 && bytes < MAX_NAME_BYTES && !name.includes('\0');
}

/** The name that a description gives to its id (the sender field of the message). */
export function decodeName({ sender: id, type, payload }: VrpnMessage): string {
  const what = type === SYSTEM_TYPE.sender ? 'sender' : 'type';
  if (id < 0 || id >= MAX_IDS) {
    throw new VrpnProtocolError(`it described a ${what} with the id ${id}; ids go from 0 to ${MAX_IDS - 1}`);
  }
  const room = payload.byteLength - 4;
  const length = room < 0 ? 0 : payload.getUint32(0);
  if (length < 1 || length > room || length > MAX_NAME_BYTES) {
    throw new VrpnProtocolError(
      `the description of ${what} ${id} claims a name of ${length} bytes in a payload of ${payload.byteLength}; ` +
        `expected 1 to ${MAX_NAME_BYTES}, and 4 less than the payload`,
    );
  }
  const text = new TextDecoder().decode(new Uint8Array(payload.buffer, payload.byteOffset + 4, length));
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** For log lines: whatever a stranger sends must not write to the terminal's controls. */
export function printable(text: Uint8Array | string): string {
  const latin = typeof text === 'string' ? text : String.fromCharCode(...text);
  return latin.replace(/[^\x20-\x7e]/g, '.').slice(0, MAX_NAME_BYTES);
}
