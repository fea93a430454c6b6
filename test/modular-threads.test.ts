import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { openAssetCache, openLive, startLoop } from '@palpable/cli/internal';
import {
  buildSceneMesh,
  checkSceneValue,
  createLiveSession,
  type Device,
  type LiveSession,
  type Pose,
  type PreparedBody,
  planPreparation,
  prepareBody,
  stepLive,
} from '@palpable/engine';
import {
  type ContactThreadMemory,
  cellOf,
  createContactThreadMemory,
  createRandom,
  openLoopExchange,
  openTelemetry,
  postCommand,
  TOOL_STATE_SIZE,
  watchContactThread,
} from '@palpable/engine/advanced';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { palpable, workIn } from './lib/palpable.js';
import { readFelt } from './lib/read-felt.js';

// Real threads, on a machine that may be busy: whatever is waited for is waited for long, and nothing asks for a pace.

/** What a loop says of itself on a machine that is too busy for it. */
const LATE = 'palpable: the loop stands still; the force is removed until it continues\n';
const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));

const SCENE = {
  palpable: 1,
  bodies: {
    plate: { mesh: { box: [0.2, 0.2, 0.02] }, position: [0, 0, -0.01], field: { resolution: 48 } },
    block: { mesh: { box: [0.02, 0.02, 0.02] }, position: [0, 0, 0.03], shell: { spacing: 0.004 } },
  },
  tool: 'block',
  method: { kind: 'modular', mass: 0.01 },
  contact: { stiffness: 5000 },
  coupling: { stiffness: 500, torsionalStiffness: 0.6 },
  friction: { coefficient: 0.4 },
};

const playsAll = process.env.PALPABLE_TEST_ALL !== undefined;

let folder: string;
let bodies: Map<string, PreparedBody>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-threads-'));
  writeFileSync(join(folder, 'modular.json'), JSON.stringify(SCENE));
  bodies = new Map();
  const { scene } = checkSceneValue(SCENE);
  for (const [name, options] of planPreparation(scene!)) {
    bodies.set(name, await prepareBody(buildSceneMesh(scene!.bodies[name]!)!, options));
  }
  return workIn(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function startThread(data: Record<string, unknown>): Worker {
  return new Worker(new URL('./modular-threads/contact-thread.mjs', import.meta.url), { workerData: data });
}

/** What comes of waiting for up to a minute. */
async function waitFor(isThere: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 6000; tries += 1) {
    if (isThere()) return true;
    await pause(10);
  }
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

describe('the memory between a loop and its contact thread', () => {
  it('gives whole blocks both ways, though either side opens its end again, and one is killed in the middle', async () => {
    const memory = createContactThreadMemory(1, TOOL_STATE_SIZE);
    const results = new SharedArrayBuffer(12);
    const [heard, torn] = [0, 1];
    const cells = new Int32Array(results);
    let own = openLoopExchange(memory, 0);
    let [newest, told, tornHere, backwards] = [0, 0, 0, 0];
    for (let life = 0; life < 5; life += 1) {
      const worker = startThread({ side: 'hammer', memory, results });
      await once(worker, 'online');
      const heardBefore = Atomics.load(cells, heard);
      for (let taken = 0; taken < 300 || Atomics.load(cells, heard) - heardBefore < 300; ) {
        told += 1;
        const { state, notes } = own.states.block;
        state.fill(told);
        notes.fill(told);
        own.states.publish();
        if (told % 97 === 0) own = openLoopExchange(memory, 0);
        if (!own.models.take()) continue;
        taken += 1;
        const { model, notes: modelNotes } = own.models.block;
        if (model.some((value) => value !== model[0]) || modelNotes[0] !== model[0]) tornHere += 1;
        if (model[0]! <= newest) backwards += 1;
        newest = model[0]!;
      }
      await worker.terminate();
    }
    expect([tornHere, backwards, Atomics.load(cells, torn)]).toEqual([0, 0, 0]);
  });
});

/** A hand that stands still. */
class StillDevice implements Device {
  readonly limits = { force: 10, torque: 1 };
  readonly pose = Float64Array.of(0, 0, 0.03, 0, 0, 0, 1);
  readonly felt = new Float64Array(6);

  read(out: Pose): boolean {
    out.set(this.pose);
    return true;
  }

  write(wrench: Float64Array): void {
    this.felt.set(wrench);
  }
}

/** A loop that is stepped here, pressed onto the plate; its contact thread is a real one. */
class PressedLoop {
  readonly memory: ContactThreadMemory = createContactThreadMemory(1, TOOL_STATE_SIZE);
  readonly watch = watchContactThread(this.memory);
  readonly gate = new Int32Array(new SharedArrayBuffer(4));
  readonly device = new StillDevice();
  readonly session: LiveSession;
  private last = 0;
  largestStep = 0;

  constructor() {
    const hand = { tool: 'block', device: this.device };
    this.session = createLiveSession(SCENE, bodies, [hand], { contacts: this.memory, rampIn: 0.05 });
  }

  async startThread(): Promise<Worker> {
    const setup = { scene: SCENE, bodies, tools: ['block'], memory: this.memory };
    const worker = startThread({ side: 'serve', setup, gate: this.gate.buffer });
    await once(worker, 'message');
    return worker;
  }

  step(): void {
    stepLive(this.session, 0);
    const force = this.device.felt[2]!;
    expect(this.device.felt.every(Number.isFinite)).toBe(true);
    this.largestStep = Math.max(this.largestStep, Math.abs(force - this.last));
    this.last = force;
  }

  /** Cycles that have a new model each, or as good as. */
  async stepTogether(cycles: number): Promise<void> {
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const before = this.watch.updates;
      this.step();
      for (let looks = 0; looks < 1000 && this.watch.updates === before; looks += 1) {
        Atomics.wait(this.gate, 0, this.gate[0]!, 0.1);
      }
      if (cycle % 20 === 0) await pause(0);
    }
  }

  async press(): Promise<number> {
    await this.stepTogether(100);
    for (let k = 0; k < 200; k += 1) {
      this.device.pose[2]! -= 0.03 / 200;
      await this.stepTogether(1);
    }
    await this.stepTogether(300);
    return this.device.felt[2]!;
  }
}

describe('a loop whose contact thread fails', { timeout: 120_000 }, () => {
  /** The force fades with a time constant of 100 ms: by a hundredth in a cycle, and by a little more where models came. */
  const FADE_STEP = 0.015;
  /** Contact comes back over 50 ms, by less than a fifth of itself in a cycle, and the coupling gives way to it meanwhile. */
  const RETURN_STEP = 0.2;

  async function expectFadeAndReturn(loop: PressedLoop, pressed: number, bringBack: () => Promise<unknown>) {
    loop.largestStep = 0;
    for (let cycle = 0; cycle < 1000; cycle += 1) loop.step();
    expect(Math.abs(loop.device.felt[2]!)).toBeLessThan(0.02 * pressed);
    expect(loop.largestStep).toBeLessThan(FADE_STEP * pressed);
    expect(loop.session.hands[0]!.pace.numbers[0]).toBeGreaterThan(0.8);
    await bringBack();
    await loop.stepTogether(500);
    expect(loop.device.felt[2]!).toBeCloseTo(pressed, 1);
    expect(loop.largestStep).toBeLessThan(RETURN_STEP * pressed);
    expect(loop.session.hands[0]!.servo.faultsSeen).toBe(0);
  }

  it('goes on while it is stopped for a second: contact fades, and comes back', async () => {
    const loop = new PressedLoop();
    const worker = await loop.startThread();
    const pressed = await loop.press();
    expect(pressed).toBeGreaterThan(1);
    Atomics.store(loop.gate, 0, 1);
    // It stops within the next update, so there has to be one.
    const isStopped = await waitFor(() => {
      loop.step();
      return Atomics.load(loop.gate, 0) === 2;
    });
    expect(isStopped).toBe(true);
    await expectFadeAndReturn(loop, pressed, async () => {
      Atomics.store(loop.gate, 0, 0);
      Atomics.notify(loop.gate, 0);
    });
    await worker.terminate();
  });

  it.each(playsAll ? [1, 2, 3] : [1])(
    'goes on when it is killed at any moment, and with the next one (seed %i)',
    async (seed) => {
      const random = createRandom(seed);
      const loop = new PressedLoop();
      let worker = await loop.startThread();
      const pressed = await loop.press();
      for (let life = 0; life < 3; life += 1) {
        for (let cycle = 0; cycle < 100 * random(); cycle += 1) loop.step();
        const killed = worker.terminate();
        for (let cycle = 0; cycle < 20 * random(); cycle += 1) loop.step();
        await killed;
        await expectFadeAndReturn(loop, pressed, async () => {
          worker = await loop.startThread();
        });
      }
      await worker.terminate();
    },
  );
});

describe('startLoop with a modular scene', { timeout: 120_000 }, () => {
  it('tells of a contact thread that is lost, starts it again, and ends it with the loop', async () => {
    const opened = await openLive({
      scenePath: join(folder, 'modular.json'),
      devices: [],
      cache: openAssetCache(),
      record: false,
      onLog: () => {},
    });
    const { contacts, memory } = opened.setup;
    const said: string[] = [];
    const loop = await startLoop(
      opened.setup,
      () => {},
      (sentence: string) => said.push(sentence),
    );
    const watch = watchContactThread(contacts!);
    const telemetry = openTelemetry(memory, 0);
    const rate = () => {
      telemetry.take();
      return cellOf(telemetry.block, 'contact_rate');
    };
    expect(await waitFor(() => rate() > 0)).toBe(true);
    expect((await loop.command({ kind: 'set', path: 'method.clusters', value: 2 })).problem).toBeUndefined();
    expect(await waitFor(() => watch.readyEpoch === 1)).toBe(true);
    // Settings that no loop would send: the thread fails over them.
    const poison = { epoch: 77, groups: { method: { kind: 'none' } } } as never;
    expect(await waitFor(() => postCommand(contacts!.settings, poison))).toBe(true);
    expect(await waitFor(() => said.length > 0)).toBe(true);
    expect(said[0]).toMatch(/^The contact thread was lost \(method\.kind.*\); it is started again/);
    // The new one is told what has changed meanwhile, and answers.
    expect(await waitFor(() => watch.readyEpoch === 1)).toBe(true);
    const { updates } = watch;
    expect(await waitFor(() => watch.updates - updates > 10 && rate() > 0)).toBe(true);
    await loop.stop();
    await opened.devices?.close();
    const { heartbeat } = watch;
    await pause(100);
    expect(watch.heartbeat).toBe(heartbeat);
    expect(said).toHaveLength(1);
  });
});

describe('palpable servo with a modular scene', { timeout: 120_000 }, () => {
  const settings = () => ({ cwd: folder });
  const servo = (...args: string[]) =>
    spawnSync(process.execPath, [program, 'servo', ...args], { ...settings(), encoding: 'utf8', timeout: 100_000 });

  it('lets a simulated hand touch, records it, and says why it cannot be replayed', async () => {
    const done = servo('modular.json', '--seconds', '4', '--record', 'felt.mcap', '--overwrite', '--json');
    expect(done.stderr.replaceAll(LATE, '')).toBe('');
    expect(done.status).toBe(0);
    expect(JSON.parse(done.stdout).hands[0]).toMatchObject({ tool: 'block', device: 'simulated' });
    const { column } = (await readFelt(join(folder, 'felt.mcap'))).hands[0]!;
    expect(Math.max(...column('contacts'))).toBeGreaterThan(0);
    expect(Math.max(...column('fz'))).toBeGreaterThan(0.1);
    expect(Math.max(...column('contact_rate'))).toBeGreaterThan(1);
    expect(Math.max(...column('energy'))).toBeLessThan(1e-3);
    const replayed = await palpable('replay', 'felt.mcap');
    expect(replayed.status).toBe(1);
    expect(replayed.stderr).toContain('Contacts were found in a separate thread');
    expect(replayed.stderr).toContain('--one-thread');
    expect(replayed.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('finds contacts in the loop with --one-thread, and replays what it recorded', async () => {
    const record = ['--record', 'alone.mcap', '--overwrite', '--one-thread'];
    const done = servo('modular.json', '--seconds', '2', ...record);
    expect(done.stderr.replaceAll(LATE, '')).toBe('');
    expect(done.status).toBe(0);
    const replayed = await palpable('replay', 'alone.mcap');
    expect(replayed.stderr).toBe('');
    expect(replayed.status).toBe(0);
  });

  it('obeys commands, goes over to other methods and scenes, and ends', async () => {
    writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...SCENE, gravity: [0, 0, -9.81] }));
    const child: ChildProcessWithoutNullStreams = spawn(
      process.execPath,
      [program, 'servo', 'modular.json', '--stdin'],
      settings(),
    );
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    for (const [line, answer] of [
      ['set method.clusters 3', 'done: set method.clusters 3'],
      ['set method.kind god-object', 'done: set method.kind god-object'],
      ['set method.kind modular', 'done: set method.kind modular'],
      ['set method.detection hierarchy', 'was prepared without its hierarchy'],
      ['scene other.json', 'now rendering other.json'],
      ['set contact.stiffness 2000', 'done: set contact.stiffness 2000'],
    ] as const) {
      child.stdin.write(`${line}\n`);
      expect(await waitFor(() => said.includes(answer))).toBe(true);
      await pause(150);
    }
    child.stdin.write('stop\n');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(said).not.toContain('lost');
  });
});
