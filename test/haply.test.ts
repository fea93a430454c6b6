import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connectHaply, type DeviceLink, type HaplyLinkOptions, probeHaply } from '@palpable/cli/internal';
import { createPose } from '@palpable/engine';
import { createPortMemory, openPortDevice, openPortHost, type PortHost } from '@palpable/engine/advanced';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MockOptions, type MockService, startMockService } from './haply/mock-service.js';

const ENDING_CLIENT = fileURLToPath(new URL('haply/ending-client.mjs', import.meta.url));
const VERSIONS = ['3.1', '3.5'] as const;

/** A loop in the shape of a spring: the force is the position, times a stiffness. */
class SpringPort implements PortHost {
  isLoopAlive = true;
  stiffness = 20;
  poses = 0;
  buttons = 0;
  readonly pose = new Float64Array(7);

  putPose(pose: ArrayLike<number>, buttons: number): void {
    this.pose.set(Array.from(pose));
    this.buttons = buttons;
    this.poses += 1;
  }

  takeWrench(out: Float64Array): void {
    for (let k = 0; k < 3; k += 1) out[k] = this.stiffness * this.pose[k];
  }

  /** It has always just written. */
  awaitWrench(): null {
    return null;
  }
}

/** A real port with a loop that pushes upwards for every pose it reads, on a clock of a millisecond per exchange. */
class SteppedPort implements PortHost {
  runs = true;
  clockMs = 0;
  private readonly memory = createPortMemory();
  private readonly host = openPortHost(this.memory);
  private readonly loop = openPortDevice(this.memory, { force: 10, torque: 0 });

  get isLoopAlive(): boolean {
    return this.host.isLoopAlive;
  }

  putPose(pose: ArrayLike<number>, buttons: number): void {
    this.host.putPose(pose, buttons);
    if (this.runs && this.loop.read(createPose())) this.push();
  }

  takeWrench(out: Float64Array): void {
    this.clockMs += 1;
    this.host.takeWrench(out, this.clockMs);
  }

  awaitWrench(timeoutMs: number): Promise<unknown> | null {
    return this.host.awaitWrench(timeoutMs);
  }

  push(): void {
    this.loop.write(Float64Array.of(0, 0, 3, 0, 0, 0));
  }
}

const opened: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const { stop } of opened.splice(0)) await stop();
});

async function start(options: MockOptions): Promise<MockService> {
  const service = await startMockService(options);
  opened.push({ stop: () => service.stop() });
  return service;
}

function connect(options: Omit<HaplyLinkOptions, 'onLog'>): { link: DeviceLink; log: string[] } {
  const log: string[] = [];
  const link = connectHaply({ ...options, onLog: (line) => log.push(line) });
  opened.unshift({ stop: () => link.close() });
  return { link, log };
}

function until(condition: () => boolean): Promise<void> {
  return vi.waitFor(() => expect(condition()).toBe(true), { timeout: 30_000, interval: 2 });
}

function portOf(service: MockService): number {
  return Number(new URL(service.url).port);
}

describe.each(VERSIONS)('a Haply service of version %s', (version) => {
  it('moves the hand and gets the force of every position, 2,000 times', async () => {
    const service = await start({ version });
    const port = new SpringPort();
    const { link, log } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 2000);
    expect(service.violations).toEqual([]);
    const wanted = service.positions.map((position) =>
      position.map((part) => (Math.abs(port.stiffness * part) < 1e-9 ? 0 : port.stiffness * part)),
    );
    expect(service.forces.slice(0, 2000)).toEqual(wanted.slice(0, 2000));
    expect([...port.pose.slice(3)]).toEqual([0.6, 0, 0, 0.8]);
    expect(port.buttons).toBe(version === '3.5' ? 0b101 : 0b1);
    expect(link).toMatchObject({ state: 'connected', limits: { force: 10, torque: 0 } });
    const grip = version === '3.5' ? 'W1' : '61548';
    expect(log).toEqual([
      `haply ${service.url}: connected to Inverse3 049D with grip ${grip}; forces up to 10 N, no torques`,
    ]);
  });

  it('goes away in mid-run and comes back', async () => {
    const service = await start({ version });
    const port = new SpringPort();
    const { link, log } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 50);
    await service.stop();
    await until(() => link.state === 'lost');
    const { poses } = port;
    port.stiffness = 7;
    await until(() => log.length >= 3);
    expect(port.poses).toBe(poses);

    const again = await start({ version, port: portOf(service) });
    await until(() => link.state === 'connected' && again.forces.length >= 50);
    expect(again.forces[0]).toEqual(again.positions[0].map((part) => 7 * part));
    expect([...service.violations, ...again.violations]).toEqual([]);
    expect(log.map((line) => line.slice(link.name.length + 2))).toEqual([
      expect.stringMatching(/^connected to Inverse3/),
      'lost, reconnecting: the service closed the connection (1006)',
      'no connection, trying again: nothing answers there, is the Haply service running?',
      expect.stringMatching(/^connected to Inverse3/),
    ]);
  });

  it('gets zero as the last force when the link is closed', async () => {
    const service = await start({ version });
    const { link, log } = connect({ port: new SpringPort(), url: service.url });
    await until(() => service.forces.length >= 20);
    await link.close();
    const heard = service.forces.length;
    expect(service.forces.at(-1)).toEqual([0, 0, 0]);
    expect(link.state).toBe('closed');
    await link.close();
    expect(log.at(-1)).toBe(`${link.name}: closed`);
    expect(service.forces.length).toBe(heard);
    expect(service.violations).toEqual([]);
  });
});

describe('a Haply link', () => {
  it('takes the device that is named', async () => {
    const service = await start({ version: '3.5', deviceIds: ['049D', '04BA'] });
    const port = new SpringPort();
    const { link } = connect({ port, url: service.url, deviceId: '04BA', limits: { force: 4, torque: 0 } });
    await until(() => port.poses > 0);
    expect(port.pose[0]).toBeGreaterThan(0.5);
    expect(link).toMatchObject({ name: `haply ${service.url}#04BA`, limits: { force: 4 } });
  });

  it('fades the force of a loop that stands still to zero within 20 ms', async () => {
    const service = await start({ version: '3.5' });
    const port = new SteppedPort();
    connect({ port, url: service.url });
    await until(() => service.forces.length >= 100);
    port.runs = false;
    const stoppedMs = port.clockMs;
    const heard = service.forces.length;
    await until(() => service.forces.length >= heard + 100);
    const after = service.forces.slice(heard);
    expect(after[0][2]).toBeGreaterThan(0);
    expect(after.findIndex(([, , z]) => z === 0)).toBeLessThanOrEqual(20);
    expect(after.slice(20).every(([, , z]) => z === 0)).toBe(true);
    expect(port.clockMs).toBeGreaterThan(stoppedMs);
    expect(service.violations).toEqual([]);
  });

  it('sends one force for every wrench of the loop, and none in between but every 4 ms', async () => {
    const service = await start({ version: '3.5' });
    const memory = createPortMemory();
    const loop = openPortDevice(memory, { force: 10, torque: 0 });
    const startMs = performance.now();
    connect({ port: openPortHost(memory), url: service.url });
    // Nothing is written at first: poses come all the same.
    await until(() => service.positions.length >= 20);
    let writes = 0;
    for (let written = 1; written <= 50; written += 1) {
      const heard = service.forces.length;
      // Again and again: a link that finds a wrench late takes its loop for one that stands still.
      await until(() => {
        loop.write(Float64Array.of(0, 0, written / 10, 0, 0, 0));
        writes += 1;
        return service.forces.slice(heard).some((force) => force[2] === written / 10);
      });
    }
    const most = writes + (performance.now() - startMs) / 4 + 2;
    expect(service.forces.length).toBeLessThanOrEqual(most);
    expect(service.violations).toEqual([]);
  });

  it.each(['calibrated', 'ready'])('moves nothing and pushes nothing while its device is not %s', async (field) => {
    const service = await start({ version: '3.5' });
    const port = new SpringPort();
    const { link, log } = connect({ port, url: service.url });
    await until(() => port.poses >= 20);
    service.status[field] = false;
    await until(() => log.length === 2);
    expect(log[1]).toMatch(new RegExp(`^${link.name}: Inverse3 049D is not ${field}: .*Haply Hub`));
    const { poses } = port;
    const heard = service.forces.length;
    // The loop goes on pushing for all the link knows; were it believed, there would be a force and a step.
    delete service.status[field];
    await until(() => service.forces.length >= heard + 50);
    service.status[field] = true;
    await until(() => service.forces.length >= heard + 100);
    expect(port.poses).toBe(poses);
    expect(service.forces.slice(heard).every((force) => force.every((part) => part === 0))).toBe(true);
    // It has noticed that nobody is there.
    port.stiffness = 0;
    await until(() => port.poses > poses + 20);
    port.stiffness = 7;
    await until(() => Math.hypot(...service.forces.at(-1)!) > 0);
    await until(() => log.length === 3);
    expect(log[2]).toBe(`${link.name}: Inverse3 049D is calibrated and ready, the force returns`);
    expect(service.violations).toEqual([]);
    expect(service.connections).toBe(1);
  });

  it('waits for a device that is not calibrated yet', async () => {
    const service = await start({ version: '3.1' });
    service.status.calibrated = false;
    const port = new SpringPort();
    port.pose[2] = 0.1;
    const { log } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 50 && log.length === 2);
    expect(port.poses).toBe(0);
    expect(service.forces.every((force) => force.every((part) => part === 0))).toBe(true);
  });

  it('lets go when its own code fails, and goes on', async () => {
    const service = await start({ version: '3.5' });
    const port = new SpringPort();
    const { link, log } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 20);
    const { putPose } = port;
    port.putPose = () => {
      port.putPose = putPose;
      throw new Error('a defect');
    };
    await until(() => service.connections === 2);
    expect(log[1]).toBe(`${link.name}: lost, reconnecting: this program failed (a defect)`);
    const zeros = service.forces.filter((force) => force.every((part) => part === 0));
    expect(zeros).toHaveLength(1);
    await until(() => link.state === 'connected');
  });

  it('leaves zero behind when its process ends by an error that nobody catches', async () => {
    const service = await start({ version: '3.5' });
    const client = spawn(process.execPath, [ENDING_CLIENT, service.url], { stdio: 'ignore' });
    await once(client, 'exit');
    expect(Math.max(...service.forces.map(([, , z]) => z))).toBe(3);
    await until(() => service.forces.at(-1)![2] === 0);
    expect(service.violations).toEqual([]);
  });

  it('lets go unasked when the loop stands still and the service does not answer', async () => {
    const service = await start({ version: '3.5' });
    const port = new SpringPort();
    const { link } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 20);
    service.isMute = true;
    // What was under way has arrived when the loop stops.
    for (let turn = 0; turn < 4; turn += 1) await setImmediate();
    port.isLoopAlive = false;
    port.stiffness = 0;
    await until(() => link.state === 'lost');
    // One zero while the reply was awaited, one when the service was given up.
    await until(() => service.forces.slice(-2).every((force) => force.every((part) => part === 0)));
    expect(service.violations).toEqual([]);
  });

  it('gives up a service that falls silent, and finds it again', async () => {
    const service = await start({ version: '3.1' });
    const port = new SpringPort();
    const { link, log } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 20);
    service.isMute = true;
    await until(() => link.state === 'lost');
    expect(log.at(-1)).toContain('lost, reconnecting: no reading for 100 ms');
    service.isMute = false;
    const { poses } = port;
    await until(() => link.state === 'connected' && port.poses > poses + 20);
    expect(service.connections).toBeGreaterThan(1);
    expect(service.violations).toEqual([]);
  });

  it('does not bring back a force from before the service went away', async () => {
    const service = await start({ version: '3.5' });
    const port = new SteppedPort();
    const { link } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 20);
    port.runs = false;
    port.push();
    await service.stop();
    await until(() => link.state === 'lost');
    const stoppedMs = port.clockMs;
    await until(() => port.clockMs > stoppedMs + 20);
    const again = await start({ version: '3.5', port: portOf(service) });
    await until(() => again.forces.length >= 20);
    expect(again.forces.every(([, , z]) => z === 0)).toBe(true);
  });

  it('tells of nonsense in one line and goes on', async () => {
    const service = await start({ version: '3.5' });
    const port = new SpringPort();
    const { link, log } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 20);
    const texts = ['hello', '', '[]', '{"inverse3":7}', '['.repeat(100_000), '{"inverse3":[{"device_id":"049D"}]}'];
    // One at a time: on a busy machine six answers without a reading may take as long as a service that is gone.
    for (const text of texts) {
      const { poses } = port;
      service.nonsense.push(text);
      await until(() => service.nonsense.length === 0 && port.poses > poses + 20);
    }
    expect(log.slice(1)).toEqual([`${link.name}: a message is refused: a message is not JSON: “hello”`]);
    expect(service.connections).toBe(1);
    expect(service.violations).toEqual([]);
  });

  it('hangs up on a message that is too long, and connects again', async () => {
    const service = await start({ version: '3.5' });
    const port = new SpringPort();
    const { link, log } = connect({ port, url: service.url });
    await until(() => service.forces.length >= 20);
    service.nonsense.push(' '.repeat(2 ** 20 + 1));
    await until(() => service.connections === 2 && link.state === 'connected');
    expect(log[1]).toBe(`${link.name}: lost, reconnecting: Max payload size exceeded`);
  });

  it('waits for a service that has no device, and says so once', async () => {
    const service = await start({ version: '3.5' });
    service.nonsense.push(...Array.from({ length: 3 }, () => '{"session_id":1,"inverse3":[]}'));
    const { link, log } = connect({ port: new SpringPort(), url: service.url });
    await until(() => link.state === 'connected');
    expect(log[0]).toBe(
      `${link.name}: no connection, trying again: the service lists no Inverse3: connect one and switch it on`,
    );
    expect(log).toHaveLength(2);
  });

  it('tells when the grip goes to sleep', async () => {
    const service = await start({ version: '3.5' });
    const port = new SpringPort();
    const { link, log } = connect({ port, url: service.url });
    await until(() => port.poses >= 20);
    service.isGripAwake = false;
    await until(() => log.length === 2);
    expect(log[1]).toBe(`${link.name}: grip W1 is gone, its last orientation is kept`);
    expect([...port.pose.slice(3)]).toEqual([0.6, 0, 0, 0.8]);
    expect(port.buttons).toBe(0);
  });

  it('can be closed while nobody answers', async () => {
    const service = await start({ version: '3.5' });
    await service.stop();
    const { link, log } = connect({ port: new SpringPort(), url: service.url });
    expect(link.state).toBe('connecting');
    await until(() => log.length === 1);
    await link.close();
    expect(link.state).toBe('closed');
  });
});

describe('looking for a Haply service', () => {
  it('names its devices', async () => {
    const service = await start({ version: '3.5', deviceIds: ['049D', '04BA'] });
    expect(await probeHaply(service.url, 5000)).toEqual(['049D', '04BA']);
    expect(service.forces).toEqual([]);
  });

  it('finds none where nothing, nobody or something else answers', async () => {
    const service = await start({ version: '3.5' });
    service.nonsense.push('hello');
    expect(await probeHaply(service.url, 5000)).toBeNull();
    service.isMute = true;
    expect(await probeHaply(service.url, 50)).toBeNull();
    await service.stop();
    expect(await probeHaply(service.url, 5000)).toBeNull();
  });
});
