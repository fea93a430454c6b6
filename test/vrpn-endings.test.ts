import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceLink, serveVrpn } from '@palpable/cli/internal';
import { describe, expect, it } from 'vitest';
import {
  COOKIE,
  cleanups,
  FORCE_FIELD,
  fakePort,
  HOST,
  hasLog,
  hex,
  isFieldEnd,
  link,
  listenTo,
  NOT_TURNED,
  POSE,
  payloadsIn,
  rawClient,
  SENDER_TOOL,
  serve,
  TYPE_FORCE_FIELD,
  TYPE_POS_QUAT,
  until,
} from './vrpn/parties.js';

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
