import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { probeVrpn } from '@palpable/cli/internal';
import { createPortMemory, openPortDevice, openPortHost } from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';
import {
  COOKIE,
  cleanups,
  fakePort,
  HOST,
  hasLog,
  hex,
  link,
  listenTo,
  logs,
  messagesIn,
  NOT_TURNED,
  namesIn,
  serve,
  until,
} from './vrpn/parties.js';

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
