/** VRPN on the wire, from the description of its format; nothing here is ours. */

export const VRPN_COOKIE = Buffer.from('vrpn: ver. 07.35  0\0\0\0\0\0', 'latin1');

/** Types of messages that describe a sender or a type. */
const DESCRIBES_SENDER = -1;
const DESCRIBES_TYPE = -2;
const HEADER = 24;

export interface VrpnMessage {
  /** Name of the type, or empty where that was never described. */
  readonly type: string;
  /** ms since 1970, as the sender says. */
  readonly timeMs: number;
  readonly payload: Buffer;
}

/** The whole messages of a stream that begins with a cookie, but those that only describe names. */
export const readVrpn = (stream: Buffer) => createVrpnReader()(stream);

/** Takes a stream as it comes, and gives the messages that are whole by then. */
export function createVrpnReader(): (chunk: Buffer) => VrpnMessage[] {
  const types = new Map<number, string>();
  let rest: Buffer = Buffer.alloc(0);
  let start = VRPN_COOKIE.length;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: VrpnMessage[] = [];
    let at = start;
    while (at + HEADER <= rest.length) {
      const length = rest.readUInt32BE(at);
      const next = at + Math.ceil(length / 8) * 8;
      if (next > rest.length) break;
      const [sender, type] = [rest.readInt32BE(at + 12), rest.readInt32BE(at + 16)];
      const payload = rest.subarray(at + HEADER, at + length);
      if (type === DESCRIBES_TYPE) types.set(sender, nameIn(payload));
      else if (type >= 0) {
        const timeMs = 1000 * rest.readUInt32BE(at + 4) + rest.readUInt32BE(at + 8) / 1000;
        messages.push({ type: types.get(type) ?? '', timeMs, payload });
      }
      at = next;
    }
    if (at > start) {
      rest = rest.subarray(at);
      start = 0;
    }
    return messages;
  };
}

/** A length, then the name with a zero at its end. */
function nameIn(payload: Buffer): string {
  return payload.toString('latin1', 4, 4 + payload.readUInt32BE(0) - 1);
}

export function writeVrpn(sender: number, type: number, payload: Buffer): Buffer {
  const length = HEADER + payload.length;
  const message = Buffer.alloc(Math.ceil(length / 8) * 8);
  const now = Date.now();
  message.writeUInt32BE(length, 0);
  message.writeUInt32BE(Math.floor(now / 1000), 4);
  message.writeUInt32BE(1000 * (now % 1000), 8);
  message.writeInt32BE(sender, 12);
  message.writeInt32BE(type, 16);
  payload.copy(message, HEADER);
  return message;
}

const describe = (kind: number, id: number, name: string) => {
  const payload = Buffer.alloc(4 + name.length + 1);
  payload.writeUInt32BE(name.length + 1, 0);
  payload.write(name, 4, 'latin1');
  return writeVrpn(id, kind, payload);
};
export const describeSender = (id: number, name: string) => describe(DESCRIBES_SENDER, id, name);
export const describeType = (id: number, name: string) => describe(DESCRIBES_TYPE, id, name);
