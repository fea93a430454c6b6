import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectVrpn, type DeviceLink, serveVrpn, type VrpnServer } from '@palpable/cli/internal';
import type { PortHost } from '@palpable/engine/advanced';
import { afterEach } from 'vitest';

export const HOST = '127.0.0.1';
export const FUZZ_SEED = 5077;
export const NOT_TURNED = [0, 0, 0, 1];

/** Bytes written out by hand from the description of the wire format; nothing here uses our encoder. */
export const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
export const text = (bytes: string) => Buffer.from(bytes, 'latin1');

/** "vrpn: ver. 07.35  0" and five zeros. */
export const COOKIE = hex('7672706e 3a207665 722e2030 372e3335 20203000 00000000');
/** Sender 4 is "Tool". */
export const SENDER_TOOL = hex(
  '00000021 00000000 00000000 00000004 ffffffff 00000000 00000005 546f6f6c 00 00000000000000',
);
/** Type 6 is "vrpn_Tracker Pos_Quat": 21 letters. */
export const TYPE_POS_QUAT = hex(`
  00000032 00000000 00000000 00000006 fffffffe 00000000
  00000016 7672706e 5f547261 636b6572 20506f73 5f517561 7400 000000000000`);
/** Type 7 is "vrpn_ForceDevice Force_Field": 28 letters. */
export const TYPE_FORCE_FIELD = hex(`
  00000039 00000000 00000000 00000007 fffffffe 00000000
  0000001d 7672706e 5f466f72 63654465 76696365 20466f72 63655f46 69656c64 00 00000000000000`);
/** Type 8 is "unheard-of". */
export const TYPE_UNHEARD = hex(`
  00000027 00000000 00000000 00000008 fffffffe 00000000 0000000b 756e6865 6172642d 6f6600 00`);
export const MESSAGE_UNHEARD = hex('0000001c 00000000 00000000 00000004 00000008 00000000 01020304 00000000');
/** Tool at (0.5, -2, 0.25), not turned. */
export const POSE = hex(`
  00000058 00000000 00000000 00000004 00000006 00000000 00000000 00000000
  3fe00000 00000000 c0000000 00000000 3fd00000 00000000
  00000000 00000000 00000000 00000000 00000000 00000000 3ff00000 00000000`);
/** The same with a NaN in it. */
export const POSE_NAN = Buffer.from(POSE);
POSE_NAN.set(hex('7ff80000 00000000'), 32);
/** (-1, 0.5, 0) N within 0.25 m of the origin. */
export const FORCE_FIELD = hex(`
  00000058 00000000 00000000 00000004 00000007 00000000
  00000000 00000000 00000000 bf800000 3f000000 00000000
  ${'00000000'.repeat(9)} 3e800000`);
export const FORCE_FIELD_NAN = Buffer.from(FORCE_FIELD);
FORCE_FIELD_NAN.set(hex('7fc00000'), 36);

/** What breaks the protocol after a right beginning, and what the log must say of it. */
export const HOSTILE: [string, Buffer, string][] = [
  ['another protocol', text('GET / HTTP/1.1\r\n\r\n'), 'it began with "GET / HTTP/1.1...."'],
  ['a wrong version', text('vrpn: ver. 08.00  0\0\0\0\0\0'), 'it does not speak VRPN 07'],
  ['a length of 0', Buffer.concat([COOKIE, Buffer.alloc(24)]), 'a message claims 0 bytes'],
  ['a length of 4 GB', Buffer.concat([COOKIE, hex('ffffffff')]), 'a message claims 4294967295 bytes'],
  ['a type without a name', Buffer.concat([COOKIE, SENDER_TOOL, POSE]), 'the type 6, which was never described'],
  ['a sender without a name', Buffer.concat([COOKIE, TYPE_POS_QUAT, POSE]), 'the sender 4, which was never described'],
  [
    'a name longer than its message',
    Buffer.concat([
      COOKIE,
      hex('00000021 00000000 00000000 00000004 ffffffff 00000000 00000fff 546f6f6c 00 00000000000000'),
    ]),
    'claims a name of 4095 bytes',
  ],
  [
    'an id out of range',
    Buffer.concat([
      COOKIE,
      hex('00000021 00000000 00000000 7fffffff ffffffff 00000000 00000005 546f6f6c'),
      Buffer.alloc(8),
    ]),
    'with the id 2147483647',
  ],
];

export const logs: string[] = [];
const onLog = (line: string) => void logs.push(line);
export const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.();
  logs.length = 0;
});

export async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isSo(); waitedMs += 5) {
    if (waitedMs > 30_000) throw new Error(`waited in vain: ${what}\n${logs.join('\n')}`);
    await sleep(5);
  }
}

export const hasLog = (part: string) => () => logs.some((line) => line.includes(part));

export async function serve(options: Partial<Parameters<typeof serveVrpn>[0]> = {}): Promise<VrpnServer> {
  const server = await serveVrpn({ name: 'Tool', port: 0, onLog, ...options });
  cleanups.push(() => server.close());
  return server;
}

export interface FakePort extends PortHost {
  readonly poses: number[][];
  readonly buttons: number[];
  readonly wrench: number[];
}

export function fakePort(): FakePort {
  const port: FakePort = {
    isLoopAlive: true,
    poses: [],
    buttons: [],
    wrench: [0, 0, 0, 0, 0, 0],
    putPose: (pose, buttons) => {
      port.poses.push(Array.from(pose));
      port.buttons.push(buttons);
    },
    takeWrench: (out) => out.set(port.wrench),
    awaitWrench: () => null,
  };
  return port;
}

export function link(tcpPort: number, port: PortHost): DeviceLink {
  const device = connectVrpn({ host: HOST, tcpPort, device: 'Tool', port, onLog });
  cleanups.push(() => device.close());
  return device;
}

export async function rawClient(port: number, ...pieces: Buffer[]): Promise<Socket> {
  const socket = connect({ host: HOST, port });
  cleanups.push(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece);
  return socket;
}

/** A server of our own making: what it says to its first, second … caller. */
export async function rawServer(...answers: Buffer[]): Promise<{ port: number; heard: () => Buffer }> {
  const heard: Buffer[] = [];
  const sockets = new Set<Socket>();
  let calls = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => heard.push(chunk));
    socket.write(answers[Math.min(calls, answers.length - 1)]);
    calls += 1;
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heard: () => Buffer.concat(heard) };
}

export interface HeardMessage {
  readonly timeMs: number;
  readonly sender: number;
  readonly type: number;
  readonly payload: Buffer;
}

/** The whole messages of a stream that begins with a cookie. */
export function messagesIn(stream: Buffer): HeardMessage[] {
  const messages: HeardMessage[] = [];
  for (let at = 24; at + 24 <= stream.length; ) {
    const length = stream.readUInt32BE(at);
    if (at + length > stream.length) break;
    messages.push({
      timeMs: 1000 * stream.readUInt32BE(at + 4) + stream.readUInt32BE(at + 8) / 1000,
      sender: stream.readInt32BE(at + 12),
      type: stream.readInt32BE(at + 16),
      payload: stream.subarray(at + 24, at + length),
    });
    at += Math.ceil(length / 8) * 8;
  }
  return messages;
}

/** The names of types or senders that a stream describes, by id. */
export function namesIn(stream: Buffer, kind: 'sender' | 'type'): string[] {
  const names: string[] = [];
  for (const { sender, type, payload } of messagesIn(stream)) {
    if (type === (kind === 'sender' ? -1 : -2)) names[sender] = payload.toString('latin1', 4, payload.length - 1);
  }
  return names;
}

/** The payloads of one type in a stream. */
export function payloadsIn(stream: Buffer, typeName: string): Buffer[] {
  const id = namesIn(stream, 'type').indexOf(typeName);
  return messagesIn(stream).flatMap(({ type, payload }) => (type === id ? [payload] : []));
}

/** No force within no radius: VRPN's end of a field. */
export const isFieldEnd = (field: Buffer | undefined) =>
  field?.length === 64 && field.subarray(12).equals(Buffer.alloc(52));

/** Everything that a socket hears from now on. */
export function listenTo(socket: Socket): () => Buffer {
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  return () => Buffer.concat(heard);
}
