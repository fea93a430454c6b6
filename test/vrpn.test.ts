import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { connectVrpn, type DeviceLink, probeVrpn, serveVrpn, type VrpnServer } from '@palpable/cli/internal';
import { createPortMemory, createRandom, openPortDevice, openPortHost, type PortHost } from '@palpable/engine/advanced';
import { afterEach, describe, expect, it } from 'vitest';

const HOST = '127.0.0.1';
const FUZZ_SEED = 5077;
const NOT_TURNED = [0, 0, 0, 1];

/** Bytes written out by hand from the description of the wire format; nothing here uses our encoder. */
const hex = (text: string) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const text = (bytes: string) => Buffer.from(bytes, 'latin1');

/** "vrpn: ver. 07.35  0" and five zeros. */
const COOKIE = hex('7672706e 3a207665 722e2030 372e3335 20203000 00000000');
/** Sender 4 is "Tool". */
const SENDER_TOOL = hex('00000021 00000000 00000000 00000004 ffffffff 00000000 00000005 546f6f6c 00 00000000000000');
/** Type 6 is "vrpn_Tracker Pos_Quat": 21 letters. */
const TYPE_POS_QUAT = hex(`
  00000032 00000000 00000000 00000006 fffffffe 00000000
  00000016 7672706e 5f547261 636b6572 20506f73 5f517561 7400 000000000000`);
/** Type 7 is "vrpn_ForceDevice Force_Field": 28 letters. */
const TYPE_FORCE_FIELD = hex(`
  00000039 00000000 00000000 00000007 fffffffe 00000000
  0000001d 7672706e 5f466f72 63654465 76696365 20466f72 63655f46 69656c64 00 00000000000000`);
/** Type 8 is "unheard-of". */
const TYPE_UNHEARD = hex(`
  00000027 00000000 00000000 00000008 fffffffe 00000000 0000000b 756e6865 6172642d 6f6600 00`);
const MESSAGE_UNHEARD = hex('0000001c 00000000 00000000 00000004 00000008 00000000 01020304 00000000');
/** Tool at (0.5, -2, 0.25), not turned. */
const POSE = hex(`
  00000058 00000000 00000000 00000004 00000006 00000000 00000000 00000000
  3fe00000 00000000 c0000000 00000000 3fd00000 00000000
  00000000 00000000 00000000 00000000 00000000 00000000 3ff00000 00000000`);
/** The same with a NaN in it. */
const POSE_NAN = Buffer.from(POSE);
POSE_NAN.set(hex('7ff80000 00000000'), 32);
/** (-1, 0.5, 0) N within 0.25 m of the origin. */
const FORCE_FIELD = hex(`
  00000058 00000000 00000000 00000004 00000007 00000000
  00000000 00000000 00000000 bf800000 3f000000 00000000
  ${'00000000'.repeat(9)} 3e800000`);
const FORCE_FIELD_NAN = Buffer.from(FORCE_FIELD);
FORCE_FIELD_NAN.set(hex('7fc00000'), 36);

/** What breaks the protocol after a right beginning, and what the log must say of it. */
const HOSTILE: [string, Buffer, string][] = [
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

const logs: string[] = [];
const onLog = (line: string) => void logs.push(line);
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.();
  logs.length = 0;
});

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isSo(); waitedMs += 5) {
    if (waitedMs > 30_000) throw new Error(`waited in vain: ${what}\n${logs.join('\n')}`);
    await sleep(5);
  }
}

const hasLog = (part: string) => () => logs.some((line) => line.includes(part));

async function serve(options: Partial<Parameters<typeof serveVrpn>[0]> = {}): Promise<VrpnServer> {
  const server = await serveVrpn({ name: 'Tool', port: 0, onLog, ...options });
  cleanups.push(() => server.close());
  return server;
}

interface FakePort extends PortHost {
  readonly poses: number[][];
  readonly buttons: number[];
  readonly wrench: number[];
}

function fakePort(): FakePort {
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

function link(tcpPort: number, port: PortHost): DeviceLink {
  const device = connectVrpn({ host: HOST, tcpPort, device: 'Tool', port, onLog });
  cleanups.push(() => device.close());
  return device;
}

async function rawClient(port: number, ...pieces: Buffer[]): Promise<Socket> {
  const socket = connect({ host: HOST, port });
  cleanups.push(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  for (const piece of pieces) socket.write(piece);
  return socket;
}

/** A server of our own making: what it says to its first, second … caller. */
async function rawServer(...answers: Buffer[]): Promise<{ port: number; heard: () => Buffer }> {
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

interface HeardMessage {
  readonly timeMs: number;
  readonly sender: number;
  readonly type: number;
  readonly payload: Buffer;
}

/** The whole messages of a stream that begins with a cookie. */
function messagesIn(stream: Buffer): HeardMessage[] {
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
function namesIn(stream: Buffer, kind: 'sender' | 'type'): string[] {
  const names: string[] = [];
  for (const { sender, type, payload } of messagesIn(stream)) {
    if (type === (kind === 'sender' ? -1 : -2)) names[sender] = payload.toString('latin1', 4, payload.length - 1);
  }
  return names;
}

/** The payloads of one type in a stream. */
function payloadsIn(stream: Buffer, typeName: string): Buffer[] {
  const id = namesIn(stream, 'type').indexOf(typeName);
  return messagesIn(stream).flatMap(({ type, payload }) => (type === id ? [payload] : []));
}

/** No force within no radius: VRPN's end of a field. */
const isFieldEnd = (field: Buffer | undefined) => field?.length === 64 && field.subarray(12).equals(Buffer.alloc(52));

/** Everything that a socket hears from now on. */
function listenTo(socket: Socket): () => Buffer {
  const heard: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => heard.push(chunk));
  return () => Buffer.concat(heard);
}

describe('VRPN client and server', () => {
  it('pass 3,000 poses at 1,000 a second, none lost, in order', async () => {
    const server = await serve();
    const port = fakePort();
    const device = link(server.port, port);
    expect(device.name).toBe(`vrpn Tool@127.0.0.1:${server.port}`);
    expect(device.state).toBe('connecting');
    await until('connection', () => device.state === 'connected' && server.clients.length === 1);

    const start = performance.now();
    for (let sent = 0; sent < 3000; ) {
      const due = Math.min(3000, Math.floor(performance.now() - start) + 1);
      for (; sent < due; sent += 1) server.setPose([sent * 1e-6, 0.1, -0.2, ...NOT_TURNED], 0);
      await sleep(1);
    }
    await until('the last pose', () => port.poses.length >= 3000);
    const wanted = Array.from({ length: 3000 }, (_, k) => [k * 1e-6, 0.1, -0.2, ...NOT_TURNED]);
    expect(port.poses).toEqual(wanted);
    expect(server.clients).toEqual([{ address: expect.stringContaining(HOST), dropped: 0 }]);
  });

  it('pass forces and torques the other way, and zero at the end', async () => {
    const felt: number[][] = [];
    const server = await serve({ onWrench: (wrench) => felt.push([...wrench]) });
    const port = fakePort();
    port.wrench.splice(0, 6, 1, -2, 0.5, 0.01, 0, -0.03);
    const device = link(server.port, port);
    await until('connection', () => server.clients.length === 1);
    expect(felt).toEqual([]);
    server.setPose([0.1, 0, 0, ...NOT_TURNED], 0);
    await until('the wrench', () => felt.length >= 3);
    expect(felt[0]).toEqual([1, -2, 0.5, 0.01, 0, -0.03]);

    // What is not a number never leaves.
    port.wrench[1] = Number.NaN;
    await until('zero', () => felt.at(-1)?.every((part) => part === 0) === true);
    port.wrench[1] = -2;
    await until('the wrench again', () => felt.at(-1)?.[1] === -2);
    await device.close();
    await until('zero after the end', () => felt.at(-1)?.every((part) => part === 0) === true);
    expect(device.state).toBe('closed');
    expect(logs.at(-1) ?? '').not.toContain('lost');
  });

  it('let go when the loop behind the port has stopped', async () => {
    let last: number[] = [];
    const server = await serve({ onWrench: (wrench) => (last = [...wrench]) });
    const memory = createPortMemory();
    const device = link(server.port, openPortHost(memory));
    const inLoop = openPortDevice(memory, device.limits);
    await until('connection', () => server.clients.length === 1);
    await until('the force', () => {
      server.setPose([0, 0, 0, ...NOT_TURNED], 0);
      inLoop.write(Float64Array.of(0, 0, 3, 0, 0, 0));
      return last[2] > 0;
    });
    await until('zero', () => last[2] === 0);
    expect(device.state).toBe('connected');
  });

  it('show buttons, also to a client that joins later', async () => {
    const server = await serve();
    server.setPose([0, 0, 0, ...NOT_TURNED], 0b101);
    const port = fakePort();
    link(server.port, port);
    await until('connection', () => server.clients.length === 1);
    server.setPose([0, 0, 0, ...NOT_TURNED], 0b101);
    server.setPose([0, 0, 0, ...NOT_TURNED], 0b110);
    server.setPose([0, 0, 0, ...NOT_TURNED], 2 ** 31);
    await until('three poses', () => port.buttons.length === 3);
    expect(port.buttons).toEqual([0b101, 0b110, 2 ** 31]);
  });

  it('reconnect after the server is killed and started again on the same port', async () => {
    const first = await startServerProcess(0);
    const port = fakePort();
    const device = link(first.port, port);
    await until('poses', () => port.poses.length > 10);
    first.process.kill('SIGKILL');
    await until('the loss', () => device.state === 'lost');
    const before = port.poses.length;
    await startServerProcess(first.port);
    await until('poses again', () => port.poses.length > before + 10);
    expect(device.state).toBe('connected');
    expect(logs.map((line) => line.slice(device.name.length + 2).replace(/ \(.*/, ''))).toEqual(
      expect.arrayContaining(['connected', 'lost', 'connected']),
    );
    // One line per change, however many attempts were in vain.
    expect(logs.length).toBeLessThanOrEqual(4);
  });

  it('find a server that starts late, and tell what it has', async () => {
    const server = await serve();
    const { port } = server;
    await server.close();
    const device = link(port, fakePort());
    await until('the refusal', hasLog('not reached (ECONNREFUSED); trying again until it answers'));
    expect(device.state).toBe('connecting');
    expect(await probeVrpn(HOST, port, 1000)).toBeNull();
    await serve({ port, name: 'Stylus' });
    await until('the hint', hasLog('no pose of sensor 0 of "Tool" has arrived; the server lists "Stylus"'));
    const answer = await probeVrpn(HOST, port, 5000);
    expect(answer?.senders).toEqual(['Stylus']);
    expect(answer?.types).toContain('palpable_ForceDevice Wrench');
  });

  it('refuse a port that is taken with words for the user', async () => {
    const { port } = await serve();
    await expect(serve({ port })).rejects.toMatchObject({
      name: 'PalpableError',
      message: `Cannot listen on port ${port} of 127.0.0.1: another program is using it. Choose another port.`,
    });
    await expect(serve({ name: '' })).rejects.toMatchObject({ code: 'option-invalid' });
    await expect(serve({ port: 65_536 })).rejects.toMatchObject({
      code: 'option-invalid',
      message: '65536 is not a port: choose one from 1 to 65535, or 0 for a free one.',
    });
  });

  it('say so once when poses come too seldom for a force', async () => {
    const server = await serve();
    link(server.port, fakePort());
    const poses = setInterval(() => server.setPose([0, 0, 0, ...NOT_TURNED], 0), 20);
    cleanups.push(() => clearInterval(poses));
    await until('the hint', hasLog('times a second, but the loop gives no force'));
    expect(logs.filter((line) => line.includes('"silentAfter": 0.'))).toHaveLength(1);
  });
});

describe('the server, with bytes made by hand', () => {
  it('names its sender and types, and sends poses as the format says', async () => {
    const server = await serve();
    const socket = await rawClient(server.port, COOKIE);
    let heard = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      heard = Buffer.concat([heard, chunk]);
    });
    await until('connection', () => server.clients.length === 1);
    server.setPose([0.5, -2, 0.25, ...NOT_TURNED], 0);
    await until('the pose', () => heard.includes(POSE.subarray(24)));
    expect(heard.subarray(0, 24)).toEqual(text('vrpn: ver. 07.38  0\0\0\0\0\0'));
    // Length 33, sender 0, type -1, the name with its zero; time and sequence number are not looked at.
    expect(heard.readUInt32BE(24)).toBe(33);
    expect(heard.subarray(36, 44)).toEqual(hex('00000000 ffffffff'));
    expect(heard.subarray(48, 64)).toEqual(hex('00000005 546f6f6c 00 00000000000000'));
    expect(heard.includes(TYPE_POS_QUAT.subarray(24, 50))).toBe(true);
  });

  it('answers a ping, feels a standard force field, and drops it when its client leaves', async () => {
    const felt: number[][] = [];
    const server = await serve({ onWrench: (wrench) => felt.push([...wrench]) });
    server.setPose([0, 0, 0.1, ...NOT_TURNED], 0);
    const ping = hex(`
      00000033 00000000 00000000 00000002 fffffffe 00000000
      00000017 7672706e 5f426173 65207069 6e675f6d 65737361 676500 0000000000
      00000018 00000000 00000000 00000004 00000002 00000000`);
    const socket = await rawClient(server.port, COOKIE, SENDER_TOOL, ping, TYPE_FORCE_FIELD, FORCE_FIELD);
    let heard = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      heard = Buffer.concat([heard, chunk]);
    });
    await until('the force', () => felt.length > 0);
    expect(felt[0]).toEqual([-1, 0.5, 0, 0, 0, 0]);
    // The pong is type 1 of ours, without a payload.
    await until('the pong', () => messagesIn(heard).some(({ type }) => type === 1));
    expect(messagesIn(heard).find(({ type }) => type === 1)).toMatchObject({ sender: 0, payload: Buffer.alloc(0) });

    server.setPose([0, 0, 0.3, ...NOT_TURNED], 0);
    expect(felt.at(-1)).toEqual([0, 0, 0, 0, 0, 0]);
    server.setPose([0, 0, 0.2, ...NOT_TURNED], 0);
    expect(felt.at(-1)).toEqual([-1, 0.5, 0, 0, 0, 0]);
    socket.destroy();
    await until('zero', () => felt.at(-1)?.[0] === 0);
  });

  it('lets one client at a time give a force', async () => {
    let last: number[] = [];
    const server = await serve({ onWrench: (wrench) => (last = [...wrench]) });
    const start = [COOKIE, SENDER_TOOL, TYPE_FORCE_FIELD];
    const stronger = Buffer.from(FORCE_FIELD);
    stronger.writeFloatBE(-2, 36);
    const first = await rawClient(server.port, ...start, FORCE_FIELD);
    await until('the first', () => last[0] === -1);
    await rawClient(server.port, ...start, stronger);
    await until('the refusal', hasLog('is ignored while'));
    expect(last[0]).toBe(-1);
    first.destroy();
    await until('the second', () => last[0] === -2);
  });

  it('sends nothing before the first pose, and then every call once, in order and with its stamp', async () => {
    const server = await serve();
    const socket = await rawClient(server.port, COOKIE);
    const heard = listenTo(socket);
    await until('connection', () => server.clients.length === 1);
    server.setWrench([1, 0, 0, 0, 0, 0], 1_000_000);
    server.setPose([0, 0, 0, 0, 0, 0, 0], 0, 1_000_000);
    server.setPose([0, Number.NaN, 0, ...NOT_TURNED], 0, 1_000_000);
    for (let k = 1; k <= 3; k += 1) {
      server.setPose([k, 0, 0, ...NOT_TURNED], 0, 1_700_000_000_000 + k + 0.5);
      server.setWrench([10 * k, 0, 0, 0, 0, 0], 1_700_000_000_000 + k + 0.5);
    }
    await until('the last', () => payloadsIn(heard(), 'palpable_ForceDevice Wrench').length >= 3);
    const types = namesIn(heard(), 'type');
    const told = messagesIn(heard()).filter(({ type }) => type >= 0 && !types[type].includes('ping'));
    const cycle = (k: number) =>
      [
        ['vrpn_Tracker Pos_Quat', k],
        ['vrpn_ForceDevice Force', 10 * k],
        ['palpable_ForceDevice Wrench', 10 * k],
      ].map(([name, x]) => [name, x, 1_700_000_000_000 + k + 0.5]);
    expect(types[told[0].type]).toBe('vrpn_Button States');
    expect(
      told.slice(1).map(({ type, payload, timeMs }) => {
        return [types[type], payload.readDoubleBE(types[type] === 'vrpn_Tracker Pos_Quat' ? 8 : 0), timeMs];
      }),
    ).toEqual([...cycle(1), ...cycle(2), ...cycle(3)]);
  });

  it('calls a client back that asks by datagram', async () => {
    const server = await serve();
    const heard: Buffer[] = [];
    const listener = createServer((socket) => {
      socket.on('data', (chunk) => heard.push(chunk));
      socket.write(COOKIE);
      cleanups.push(() => socket.destroy());
    });
    listener.listen(0, HOST);
    await once(listener, 'listening');
    const datagrams = createSocket('udp4');
    cleanups.push(
      () => listener.close(),
      () => datagrams.close(),
    );
    const request = `${HOST} ${(listener.address() as AddressInfo).port}\0`;
    datagrams.send('nonsense', server.port, HOST);
    datagrams.send(`${HOST} 99999`, server.port, HOST);
    datagrams.send(request, server.port, HOST);
    datagrams.send(request, server.port, HOST);
    await until('the call', () => server.clients.length === 1 && Buffer.concat(heard).length > 48);
    expect(Buffer.concat(heard).toString('latin1')).toMatch(/^vrpn: ver\. 07\.38 {2}0/);
  });

  it('leaves a client that does not read out of messages, and others in', async () => {
    const server = await serve();
    const port = fakePort();
    link(server.port, port);
    const slow = await rawClient(server.port, COOKIE);
    slow.pause();
    await until('both', () => server.clients.length === 2);
    const address = `127.0.0.1:${slow.localPort}`;
    const dropped = () => server.clients.find((client) => client.address === address)!.dropped;
    let sent = 0;
    while (dropped() === 0 && sent < 2_000_000) {
      for (let k = 0; k < 50; k += 1, sent += 1) server.setPose([sent, 0, 0, ...NOT_TURNED], 0);
      // However busy the machine is, only one of the two is slow.
      while (port.poses.length < sent) await nextTurn();
    }
    expect(dropped()).toBeGreaterThan(0);
    expect(port.poses.length).toBe(sent);
    expect(hasLog('reads too slowly')()).toBe(true);

    // When it reads again: first what was sent before, then how much is missing, then the newest.
    const heard = listenTo(slow);
    const total = dropped();
    const leftOut = () => payloadsIn(heard(), 'palpable_Base Left_Out').map((payload) => payload.readUInt32BE());
    for (let next = sent; leftOut().length === 0; next += 1, await sleep(20)) {
      server.setPose([next, 0, 0, ...NOT_TURNED], 0);
      slow.resume();
    }
    const [count] = leftOut();
    expect(count).toBeGreaterThanOrEqual(total);
    expect(dropped()).toBe(count);
    const seen = payloadsIn(heard(), 'vrpn_Tracker Pos_Quat').map((payload) => payload.readDoubleBE(8));
    const gap = seen.findIndex((x, k) => k > 0 && x !== seen[k - 1] + 1);
    expect(seen[gap] - seen[gap - 1] - 1).toBe(count);
  });

  it.each(HOSTILE)('closes on %s, says why, and goes on for others', async (_, bytes, words) => {
    const server = await serve();
    const port = fakePort();
    const device = link(server.port, port);
    await until('connection', () => server.clients.length === 1);
    const socket = await rawClient(server.port, bytes);
    await once(socket.resume(), 'close');
    await until('the log', hasLog(words));
    server.setPose([0, 0, 0, ...NOT_TURNED], 0);
    await until('a pose', () => port.poses.length > 0);
    expect(device.state).toBe('connected');
    expect(server.clients).toHaveLength(1);
  });

  it('closes on a force that is not a number', async () => {
    const felt: number[][] = [];
    const server = await serve({ onWrench: (wrench) => felt.push([...wrench]) });
    const start = [COOKIE, SENDER_TOOL, TYPE_FORCE_FIELD, FORCE_FIELD];
    const socket = await rawClient(server.port, ...start, FORCE_FIELD_NAN);
    await once(socket.resume(), 'close');
    await until('the log', hasLog('"vrpn_ForceDevice Force_Field" holds a number that is not finite'));
    expect(felt.flat().every(Number.isFinite)).toBe(true);
    await until('zero', () => felt.length === 0 || felt.at(-1)?.[0] === 0);
  });

  it('closes on half a cookie and silence', async () => {
    const server = await serve();
    const socket = await rawClient(server.port, COOKIE.subarray(0, 12));
    await once(socket.resume(), 'close');
    await until('the log', hasLog('no complete VRPN cookie arrived within 3 s'));
  });

  it('passes over types it does not know, with one line', async () => {
    const server = await serve();
    await rawClient(server.port, COOKIE, SENDER_TOOL, TYPE_UNHEARD, MESSAGE_UNHEARD, MESSAGE_UNHEARD);
    await until('the log', hasLog('messages of type "unheard-of" are not used and ignored'));
    expect(logs.filter((line) => line.includes('unheard-of'))).toHaveLength(1);
    expect(server.clients).toHaveLength(1);
  });

  it(`lives through 150 random streams (seed ${FUZZ_SEED})`, async () => {
    const felt: number[] = [];
    const server = await serve({ onWrench: (wrench) => felt.push(...wrench) });
    const port = fakePort();
    const device = link(server.port, port);
    await until('connection', () => device.state === 'connected');
    const random = createRandom(FUZZ_SEED);
    for (let round = 0; round < 150; round += 1) {
      const socket = await rawClient(server.port, randomStream(random));
      socket.resume().end();
      await once(socket, 'close');
    }
    server.setPose([0, 0, 0, ...NOT_TURNED], 0);
    await until('a pose', () => port.poses.length > 0);
    expect(felt.every(Number.isFinite)).toBe(true);
    await until('the last to be gone', () => server.clients.length === 1);
    expect(device.state).toBe('connected');
  });
});

describe('the client, with bytes made by hand', () => {
  const GOOD = Buffer.concat([COOKIE, SENDER_TOOL, TYPE_POS_QUAT, TYPE_FORCE_FIELD, POSE]);

  it('reads a pose and answers with force field and wrench', async () => {
    const server = await rawServer(GOOD);
    const port = fakePort();
    port.wrench.splice(0, 6, 1, -2, 0.5, 0.25, 0, 2);
    link(server.port, port);
    await until('the pose', () => port.poses.length > 0);
    expect(port.poses[0]).toEqual([0.5, -2, 0.25, ...NOT_TURNED]);
    const field = hex(`3f000000 c0000000 3e800000 3f800000 c0000000 3f000000 ${'00000000'.repeat(9)} 3dcccccd`);
    const wrench = hex(`3ff00000 00000000 c0000000 00000000 3fe00000 00000000
      3fd00000 00000000 00000000 00000000 40000000 00000000`);
    await until('the field', () => server.heard().includes(field));
    await until('the wrench', () => server.heard().includes(wrench));
  });

  it('passes over a pose that is not finite, with one line', async () => {
    const server = await rawServer(Buffer.concat([GOOD, POSE_NAN, POSE_NAN, POSE]));
    const port = fakePort();
    const device = link(server.port, port);
    await until('two poses', () => port.poses.length === 2);
    expect(device.state).toBe('connected');
    expect(logs.filter((line) => line.includes('not finite'))).toHaveLength(1);
  });

  it.each(HOSTILE)('hangs up on %s, says why, and calls again', async (_, bytes, words) => {
    const server = await rawServer(bytes, GOOD);
    const port = fakePort();
    const device = link(server.port, port);
    await until('a pose of the second call', () => port.poses.length > 0);
    expect(hasLog(words)()).toBe(true);
    expect(device.state).toBe('connected');
  });

  it('gives up on half a cookie and on silence, and calls again', async () => {
    const silentAfterCookie = COOKIE;
    const server = await rawServer(COOKIE.subarray(0, 12), silentAfterCookie, GOOD);
    const port = fakePort();
    link(server.port, port);
    await until('a pose of the third call', () => port.poses.length > 0);
    expect(hasLog('not reached (no complete VRPN cookie arrived within 3 s)')()).toBe(true);
    expect(hasLog('lost (it sent nothing for 3 s)')()).toBe(true);
  });

  it(`lives through random streams (seed ${FUZZ_SEED})`, async () => {
    const random = createRandom(FUZZ_SEED);
    const good = await rawServer(GOOD);
    for (let round = 0; round < 40; round += 1) {
      const server = await rawServer(randomStream(random), GOOD);
      const port = fakePort();
      link(server.port, port);
      await sleep(10);
      expect(port.poses.flat().every(Number.isFinite)).toBe(true);
    }
    const port = fakePort();
    link(good.port, port);
    await until('a pose', () => port.poses.length > 0);
  });
});

/** Bytes of a right stream with some changed, or noise after the cookie. */
function randomStream(random: () => number): Buffer {
  const noise = Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)));
  if (random() < 0.3) return Buffer.concat([COOKIE, noise]);
  const stream = Buffer.concat([COOKIE, SENDER_TOOL, TYPE_POS_QUAT, TYPE_FORCE_FIELD, FORCE_FIELD, POSE]);
  const changes = 1 + Math.floor(random() * 5);
  for (let k = 0; k < changes; k += 1) stream[Math.floor(random() * stream.length)] = Math.floor(random() * 256);
  return stream.subarray(0, Math.floor(random() * 1.3 * stream.length));
}

/** A server in a process of its own, which can be killed as a crash would. */
async function startServerProcess(port: number): Promise<{ process: ChildProcess; port: number }> {
  const module = '@palpable/cli/internal';
  const program = `
    import { serveVrpn } from ${JSON.stringify(module)};
    const server = await serveVrpn({ name: 'Tool', port: ${port}, onLog: () => {} });
    console.log(server.port);
    setInterval(() => server.setPose([0, 0, 0, 0, 0, 0, 1], 0), 1);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanups.push(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { process: child, port: Number(String(line)) };
}

describe('a client that stops without hanging up', () => {
  const start = [COOKIE, SENDER_TOOL, TYPE_FORCE_FIELD, FORCE_FIELD];

  /** A server with a hand at the origin, a thousand times a second, and what is asked of it. */
  async function serveHand(options: Partial<Parameters<typeof serveVrpn>[0]> = {}) {
    const felt = { last: [0, 0, 0, 0, 0, 0] };
    const server = await serve({ ...options, onWrench: (wrench) => (felt.last = [...wrench]) });
    const poses = setInterval(() => server.setPose([0, 0, 0, ...NOT_TURNED], 0), 1);
    cleanups.push(() => clearInterval(poses));
    return { felt, server };
  }

  async function runClient(program: string): Promise<ChildProcess> {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'inherit' });
    cleanups.push(() => child.kill('SIGKILL'));
    await once(child, 'spawn');
    return child;
  }

  it('is known by its unread bytes, and has its say again when it reads', async () => {
    const { felt, server } = await serveHand();
    const stream = Buffer.concat(start).toString('hex');
    // It sets its field once, and again whenever it was stopped; otherwise it only reads.
    const child = await runClient(`
      import { connect } from 'node:net';
      const socket = connect({ host: '${HOST}', port: ${server.port} });
      socket.resume().write(Buffer.from('${stream}', 'hex'));
      let last = performance.now();
      setInterval(() => {
        const now = performance.now();
        if (now - last > 300) socket.write(Buffer.from('${FORCE_FIELD.toString('hex')}', 'hex'));
        last = now;
      }, 20);`);
    await until('the force', () => felt.last[0] === -1);
    // Longer than the field of a client would hold of which nothing is known.
    await sleep(1300);
    expect(felt.last[0]).toBe(-1);
    child.kill('SIGSTOP');
    const stopped = performance.now();
    await until('zero', () => felt.last[0] === 0);
    expect(performance.now() - stopped).toBeLessThan(5000);
    await until('the log', hasLog('has read nothing for 0.5 s: its force ends until it reads again'));
    child.kill('SIGCONT');
    await until('the force again', () => felt.last[0] === -1);
    expect(hasLog('reads again')()).toBe(true);
    expect(server.clients).toHaveLength(1);
  });

  it('is dropped when it is one of ours, and comes back', async () => {
    const { felt, server } = await serveHand();
    const module = '@palpable/cli/internal';
    const child = await runClient(`
      import { connectVrpn } from ${JSON.stringify(module)};
      const port = { isLoopAlive: true, putPose: () => {}, takeWrench: (out) => out.set([1, 0, 0, 0, 0, 0]) };
      connectVrpn({ host: '${HOST}', tcpPort: ${server.port}, device: 'Tool', port, onLog: () => {} });`);
    await until('the force', () => felt.last[0] === 1);
    child.kill('SIGSTOP');
    await until('zero', () => felt.last[0] === 0);
    await until('the log', hasLog('disconnected (it has answered no ping for 0.5 s)'));
    expect(server.clients).toHaveLength(0);
    child.kill('SIGCONT');
    await until('the force again', () => felt.last[0] === 1);
  });

  it('must renew its field where the system reports nothing', async () => {
    const { felt, server } = await serveHand({ readSocketTable: async () => '' });
    const socket = await rawClient(server.port, ...start);
    socket.resume();
    await until('the force', () => felt.last[0] === -1);
    await until('zero', () => felt.last[0] === 0);
    expect(hasLog('has sent nothing for 1 s and answers no ping: its force fades')()).toBe(true);
    socket.write(FORCE_FIELD);
    await until('the force again', () => felt.last[0] === -1);
  });

  it('pushes no longer once the server is closing', async () => {
    const { felt, server } = await serveHand();
    await rawClient(server.port, ...start);
    await until('the force', () => felt.last[0] === -1);
    const closed = server.close();
    expect(felt.last[0]).toBe(0);
    await closed;
  });
});

describe('a device that was pushed lets go', () => {
  const GOOD = Buffer.concat([COOKIE, SENDER_TOOL, TYPE_POS_QUAT, TYPE_FORCE_FIELD, POSE]);
  const FIELD = 'vrpn_ForceDevice Force_Field';

  /** A standard server that can end its connection as it likes; what each of its callers has said. */
  async function pushedServer() {
    const calls: { socket: Socket; heard: () => Buffer }[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      calls.push({ socket, heard: listenTo(socket) });
      socket.write(GOOD);
      cleanups.push(() => socket.destroy());
    });
    server.listen(0, HOST);
    await once(server, 'listening');
    cleanups.push(() => server.close());
    const fields = (call: number) => (calls[call] ? payloadsIn(calls[call].heard(), FIELD) : []);
    return { port: (server.address() as AddressInfo).port, calls, fields };
  }

  function pushingLink(tcpPort: number): DeviceLink {
    const port = fakePort();
    port.wrench[0] = 1;
    return link(tcpPort, port);
  }

  it.each([
    ['closes the link and is killed in the same breath', 'link.close(); process.kill(process.pid, "SIGKILL");'],
    ['ends by an error', 'throw new Error("as nobody expected");'],
  ])('when the program %s', async (_, end) => {
    const server = await pushedServer();
    const module = '@palpable/cli/internal';
    const program = `
      import { connectVrpn } from ${JSON.stringify(module)};
      let poses = 0;
      const port = { isLoopAlive: true, putPose: () => { poses += 1; }, takeWrench: (out) => out.set([1, 0, 0, 0, 0, 0]) };
      const link = connectVrpn({ host: '${HOST}', tcpPort: ${server.port}, device: 'Tool', port, onLog: () => {} });
      while (poses === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      setTimeout(() => { ${end} }, 50);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: 'ignore' });
    cleanups.push(() => child.kill('SIGKILL'));
    await once(child, 'exit');
    await until('the end', () => server.calls[0].socket.destroyed);
    const fields = server.fields(0);
    expect(fields.filter((field) => field.readFloatBE(12) === 1).length).toBeGreaterThan(1);
    expect(isFieldEnd(fields.at(-1))).toBe(true);
  });

  it('when the link is closed after its connection was lost', async () => {
    const server = await pushedServer();
    const device = pushingLink(server.port);
    await until('the force', () => server.fields(0).length > 2);
    server.calls[0].socket.resetAndDestroy();
    await until('the loss', () => device.state === 'lost');
    await device.close();
    await until('the end', () => isFieldEnd(server.fields(1).at(-1)));
  });

  it('when the link comes back, before it hears of a pose', async () => {
    const server = await pushedServer();
    pushingLink(server.port);
    await until('the force', () => server.fields(0).length > 2);
    server.calls[0].socket.resetAndDestroy();
    await until('fields again', () => server.fields(1).length > 0);
    expect(isFieldEnd(server.fields(1)[0])).toBe(true);
  });

  it('when its server breaks the protocol', async () => {
    const server = await pushedServer();
    pushingLink(server.port);
    await until('the force', () => server.fields(0).length > 2);
    server.calls[0].socket.write(hex('00000001 00000000'));
    await until('the end', () => isFieldEnd(server.fields(0).at(-1)));
  });
});

describe('names', () => {
  const describeSender = (id: number, name: string) => {
    const length = 24 + 4 + name.length + 1;
    const message = Buffer.alloc(Math.ceil(length / 8) * 8);
    message.writeUInt32BE(length, 0);
    message.writeInt32BE(id, 12);
    message.writeInt32BE(-1, 16);
    message.writeUInt32BE(name.length + 1, 24);
    message.write(name, 28, 'latin1');
    return message;
  };
  /** Type 3 is the pong. */
  const TYPE_PONG = hex(`
    00000033 00000000 00000000 00000003 fffffffe 00000000
    00000017 7672706e 5f426173 6520706f 6e675f6d 65737361 676500 0000000000`);
  const PONG_OF_1 = hex('00000018 00000000 00000000 00000001 00000003 00000000');
  const NAMES = ['VRPN Control', 'Button0', 'mistyped', 'palpable devices'];

  /** As VRPN's own: it tells every name it knows, and its one device answers pings under its name. */
  async function namingServer() {
    const callers: (() => Buffer)[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => {});
      const heard = listenTo(socket);
      callers.push(heard);
      socket.write(Buffer.concat([COOKIE, ...NAMES.map((name, id) => describeSender(id, name)), TYPE_PONG]));
      let answered = 0;
      socket.on('data', () => {
        const asked = namesIn(heard(), 'sender').indexOf('Button0');
        const pings = messagesIn(heard()).filter(({ type, sender }) => type === 0 && sender === asked).length;
        for (; answered < pings; answered += 1) socket.write(PONG_OF_1);
      });
      cleanups.push(() => socket.destroy());
    });
    server.listen(0, HOST);
    await once(server, 'listening');
    cleanups.push(() => server.close());
    return { port: (server.address() as AddressInfo).port, callers };
  }

  it('with a device behind them are told from those that were only asked for', async () => {
    const server = await namingServer();
    const answer = await probeVrpn(HOST, server.port, 5000);
    expect(answer?.senders).toEqual(NAMES);
    expect(answer?.heard).toEqual(['Button0']);
    // Nothing that the server did not know already, and would remember.
    expect(namesIn(server.callers[0](), 'sender').filter((name) => !NAMES.includes(name))).toEqual([]);
  });

  it('that the server does not have are not described to it', async () => {
    const server = await namingServer();
    link(server.port, fakePort());
    // Of what is described, the types come last.
    await until('types', () => namesIn(server.callers[0]?.() ?? COOKIE, 'type').includes('palpable_Base Left_Out'));
    expect(namesIn(server.callers[0](), 'sender')).toEqual([]);
  });
});
