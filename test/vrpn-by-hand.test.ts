import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import {
  COOKIE,
  cleanups,
  FORCE_FIELD,
  FORCE_FIELD_NAN,
  FUZZ_SEED,
  fakePort,
  HOST,
  HOSTILE,
  hasLog,
  hex,
  link,
  listenTo,
  logs,
  MESSAGE_UNHEARD,
  messagesIn,
  NOT_TURNED,
  namesIn,
  POSE,
  POSE_NAN,
  payloadsIn,
  rawClient,
  rawServer,
  SENDER_TOOL,
  serve,
  TYPE_FORCE_FIELD,
  TYPE_POS_QUAT,
  TYPE_UNHEARD,
  text,
  until,
} from './vrpn/parties.js';

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
