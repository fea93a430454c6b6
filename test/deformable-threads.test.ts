import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import {
  buildSceneMesh,
  checkSceneValue,
  createLiveSession,
  type Device,
  type Pose,
  type PreparedBody,
  planPreparation,
  prepareBody,
  stepLive,
} from '@palpable/engine';
import { createRandom, createSceneContactMemory, watchContactThread } from '@palpable/engine/advanced';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { palpable, workIn } from './lib/palpable.js';
import { readFelt } from './lib/read-felt.js';

// Real threads, on a machine that may be busy: whatever is waited for is waited for long, and nothing asks for a pace.

/** What a loop says of itself on a machine that is too busy for it. */
const LATE = 'palpable: the loop stands still; the force is removed until it continues\n';
const program = fileURLToPath(new URL('../packages/cli/bin/palpable.js', import.meta.url));

/** A soft block that is held at its upper side, above a plate. */
const SCENE = {
  palpable: 1,
  bodies: {
    plate: { mesh: { box: [0.1, 0.1, 0.02] }, position: [0, 0, -0.01] },
    block: {
      mesh: { box: [0.02, 0.02, 0.02] },
      position: [0, 0, 0.03],
      deformable: {
        young: 2e5,
        elementSize: 0.01,
        modes: 4,
        fixed: [{ min: [-0.02, -0.02, 0.007], max: [0.02, 0.02, 0.02] }],
      },
    },
  },
  tool: 'block',
  method: { kind: 'deformable', solvedContacts: 60 },
  coupling: { stiffness: 500, torsionalStiffness: 0.6 },
  friction: { coefficient: 0.4 },
};
const TWO_HANDS = {
  ...SCENE,
  bodies: { ...SCENE.bodies, plate: { mesh: { box: [0.06, 0.06, 0.01] }, position: [0, 0, -0.005] } },
  tool: ['block', 'plate'],
};

let folder: string;
let bodies: Map<string, PreparedBody>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'palpable-soft-'));
  writeFileSync(join(folder, 'soft.json'), JSON.stringify(SCENE));
  writeFileSync(join(folder, 'two.json'), JSON.stringify(TWO_HANDS));
  bodies = new Map();
  const { scene } = checkSceneValue(SCENE);
  for (const [name, options] of planPreparation(scene!)) {
    bodies.set(name, await prepareBody(buildSceneMesh(scene!.bodies[name]!)!, options));
  }
  return workIn(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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

/** A hand that goes where it is put. */
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
  readonly memory = createSceneContactMemory(checkSceneValue(SCENE).scene!, bodies, ['block'])!;
  readonly watch = watchContactThread(this.memory);
  readonly gate = new Int32Array(new SharedArrayBuffer(4));
  readonly device = new StillDevice();
  readonly session = createLiveSession(SCENE, bodies, [{ tool: 'block', device: this.device }], {
    contacts: this.memory,
    rampIn: 0.05,
  });
  private last = 0;
  largestStep = 0;

  async startThread(): Promise<Worker> {
    const setup = { scene: SCENE, bodies, tools: ['block'], memory: this.memory };
    const worker = new Worker(new URL('./modular-threads/contact-thread.mjs', import.meta.url), {
      workerData: { side: 'serve', setup, gate: this.gate.buffer },
    });
    await once(worker, 'message');
    return worker;
  }

  step(): void {
    stepLive(this.session, 0);
    expect(this.device.felt.every(Number.isFinite)).toBe(true);
    this.largestStep = Math.max(this.largestStep, Math.abs(this.device.felt[2]! - this.last));
    this.last = this.device.felt[2]!;
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
    await this.stepTogether(60);
    for (let k = 0; k < 100; k += 1) {
      this.device.pose[2]! -= 0.025 / 100;
      await this.stepTogether(1);
    }
    await this.stepTogether(200);
    return this.device.felt[2]!;
  }

  /** The force fades within half a second, and comes back with the thread in a tenth. */
  async expectFadeAndReturn(pressed: number, bringBack: () => Promise<unknown>): Promise<void> {
    this.largestStep = 0;
    for (let cycle = 0; cycle < 1000; cycle += 1) this.step();
    expect(Math.abs(this.device.felt[2]!)).toBeLessThan(0.02 * pressed);
    expect(this.largestStep).toBeLessThan(0.01 * pressed);
    expect(this.session.hands[0]!.pace.numbers[0]).toBeGreaterThan(0.8);
    await bringBack();
    await this.stepTogether(300);
    expect(this.device.felt[2]!).toBeCloseTo(pressed, 2);
    expect(this.largestStep).toBeLessThan(0.05 * pressed);
    expect(this.session.hands[0]!.servo.faultsSeen).toBe(0);
  }
}

describe('a deformable loop whose contact thread fails', { timeout: 120_000 }, () => {
  it('goes on while it is stopped: contact fades, and comes back', async () => {
    const loop = new PressedLoop();
    const worker = await loop.startThread();
    const pressed = await loop.press();
    expect(pressed).toBeGreaterThan(0.5);
    Atomics.store(loop.gate, 0, 1);
    // It stops within the next update, so there has to be one.
    const isStopped = await waitFor(() => {
      loop.step();
      return Atomics.load(loop.gate, 0) === 2;
    });
    expect(isStopped).toBe(true);
    await loop.expectFadeAndReturn(pressed, async () => {
      Atomics.store(loop.gate, 0, 0);
      Atomics.notify(loop.gate, 0);
    });
    await worker.terminate();
  });

  it('goes on when it is killed at any moment, and with the next one (seed 1)', async () => {
    const random = createRandom(1);
    const loop = new PressedLoop();
    let worker = await loop.startThread();
    const pressed = await loop.press();
    for (let life = 0; life < 2; life += 1) {
      for (let cycle = 0; cycle < 100 * random(); cycle += 1) loop.step();
      await worker.terminate();
      await loop.expectFadeAndReturn(pressed, async () => {
        worker = await loop.startThread();
      });
    }
    await worker.terminate();
  });
});

describe('palpable servo with a deformable scene', { timeout: 120_000 }, () => {
  const settings = () => ({ cwd: folder });
  const servo = (...args: string[]) =>
    spawnSync(process.execPath, [program, 'servo', ...args], { ...settings(), encoding: 'utf8', timeout: 100_000 });
  async function columnsOf(name: string) {
    return (await readFelt(join(folder, name))).hands.map(({ column }) => column);
  }

  it('lets a simulated hand touch, records it, and says why it cannot be replayed', async () => {
    const done = servo('soft.json', '--seconds', '3', '--record', 'felt.mcap', '--json');
    expect(done.stderr.replaceAll(LATE, '')).toBe('');
    expect(done.status).toBe(0);
    const [column] = await columnsOf('felt.mcap');
    expect(Math.max(...column!('contacts'))).toBeGreaterThan(0);
    expect(Math.max(...column!('fz'))).toBeGreaterThan(0.1);
    expect(Math.max(...column!('contact_rate'))).toBeGreaterThan(1);
    expect(Math.max(...column!('energy'))).toBeLessThan(1e-3);
    const replayed = await palpable('replay', 'felt.mcap');
    expect(replayed.status).toBe(1);
    expect(replayed.stderr).toContain('--one-thread');
  });

  it('gives each of two hands what the other does, and replays it from one thread', async () => {
    const devices = ['--device', 'block=simulated', '--device', 'plate=simulated'];
    const record = ['--record', 'two.mcap', '--one-thread'];
    const done = servo('two.json', '--seconds', '3', ...devices, ...record, '--json');
    expect(done.stderr.replaceAll(LATE, '')).toBe('');
    expect(JSON.parse(done.stdout).hands).toMatchObject([{ tool: 'block' }, { tool: 'plate' }]);
    const [block, plate] = await columnsOf('two.mcap');
    expect(Math.max(...block!('fz'))).toBeGreaterThan(0.1);
    expect(Math.min(...plate!('fz'))).toBeLessThan(-0.1);
    const replayed = await palpable('replay', 'two.mcap');
    expect(replayed.stderr).toBe('');
    expect(replayed.stdout).toContain('bit-identical');
    expect(replayed.status).toBe(0);
  });

  it('obeys commands about materials, says what they cannot change, and ends', async () => {
    const child: ChildProcessWithoutNullStreams = spawn(
      process.execPath,
      [program, 'servo', 'soft.json', '--stdin'],
      settings(),
    );
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    for (const [line, answer] of [
      ['set bodies.block.deformable.young 1e8', 'done: set bodies.block.deformable.young 1e8'],
      ['set bodies.block.density 500', 'done: set bodies.block.density 500'],
      ['set method.solvedContacts 30', 'done: set method.solvedContacts 30'],
      ['set friction.coefficient 0.1', 'done: set friction.coefficient 0.1'],
      ['set bodies.block.deformable.poisson 0.4', 'cannot change while the scene is felt'],
      ['set method.kind god-object', 'was prepared without its'],
      ['scene two.json', 'now rendering two.json'],
    ] as const) {
      child.stdin.write(`${line}\n`);
      expect(await waitFor(() => said.includes(answer))).toBe(true);
    }
    child.stdin.write('stop\n');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(said).not.toContain('lost');
  });
});
