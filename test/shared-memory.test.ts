import { Worker } from 'node:worker_threads';
import {
  createMailbox,
  createPortMemory,
  createRing,
  createRingReader,
  createTripleReader,
  openPortDevice,
  postCommand,
  resetTripleBuffer,
} from '@palpable/engine/advanced';
import { describe, expect, it } from 'vitest';

/** Starts the other thread. `run` lets it go; `result` is what it says at the end. */
async function startOtherSide(side: string, data: Record<string, unknown>) {
  const worker = new Worker(new URL('./shared-memory/other-side.mjs', import.meta.url), {
    workerData: { side, ...data },
  });
  let onReady: () => void;
  let onDone: (result: unknown) => void;
  const ready = new Promise<void>((resolve) => {
    onReady = resolve;
  });
  const result = new Promise<unknown>((resolve, reject) => {
    onDone = resolve;
    worker.on('error', reject);
  });
  worker.on('message', (message: { kind: string; result: unknown }) => {
    if (message.kind === 'ready') onReady();
    else onDone(message.result);
  });
  await Promise.race([ready, result]);
  return { result, run: () => worker.postMessage('run') };
}

function isWhole(block: Float64Array): boolean {
  for (let k = 1; k < block.length; k += 1) if (block[k] !== block[0]) return false;
  return true;
}

/** So often a thread must have met the other at work. Counts, not times: a busy machine takes longer. */
const MEETINGS = 3000;

describe('two threads that never wait for each other', () => {
  it('triple buffer: every block is whole, none older than the last, the last one arrives', async () => {
    const control = new SharedArrayBuffer(4);
    resetTripleBuffer(new Int32Array(control), 0);
    const blocks = [0, 1, 2].map(() => new Float64Array(new SharedArrayBuffer(8 * 64)));
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const other = await startOtherSide('writeBlocks', { control, blocks, stop });
    const reader = createTripleReader(new Int32Array(control), 0, blocks);
    let [newest, torn, backwards] = [0, 0, 0];
    const look = (): boolean => {
      if (!reader.take()) return false;
      if (!isWhole(reader.block)) torn += 1;
      if (reader.block[0]! <= newest) backwards += 1;
      newest = reader.block[0]!;
      return true;
    };
    other.run();
    for (let taken = 0; taken < MEETINGS; ) if (look()) taken += 1;
    Atomics.store(stop, 0, 1);
    const last = await other.result;
    look();
    expect([torn, backwards, newest]).toEqual([0, 0, last]);
  });

  it.each([4, 256])(
    'ring with room for %i: in order, whole, and every row that is missing was counted',
    async (room) => {
      const ring = createRing(16, room);
      // The counters run over on the way.
      new Int32Array(ring.memory, 0, 2).fill(2 ** 31 - 1000);
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const other = await startOtherSide('writeRows', { ring, stop });
      const reader = createRingReader(ring);
      const row = new Float64Array(16);
      let [newest, read, torn, backwards] = [0, 0, 0, 0];
      const look = (): boolean => {
        if (!reader.read(row)) return false;
        read += 1;
        if (!isWhole(row)) torn += 1;
        if (row[0]! <= newest) backwards += 1;
        newest = row[0]!;
        return true;
      };
      other.run();
      while (read < 10 * MEETINGS) look();
      Atomics.store(stop, 0, 1);
      const { tried, written } = (await other.result) as { tried: number; written: number };
      while (look());
      expect([torn, backwards]).toEqual([0, 0]);
      expect(read).toBe(written);
      expect(read + reader.dropped).toBe(tried);
    },
  );

  it('mailbox: every command arrives whole and in order', async () => {
    const mailbox = createMailbox();
    const other = await startOtherSide('takeCommands', { mailbox });
    other.run();
    const lengths: number[] = [];
    for (let n = 0; n < MEETINGS; n += 1) {
      lengths.push((n * 7919) % 900);
      const command = { kind: 'set', path: `path.${n}`, value: 'µ'.repeat(lengths[n]!) } as const;
      while (!postCommand(mailbox, command));
    }
    while (!postCommand(mailbox, { kind: 'stop' }));
    const received = (await other.result) as [string, number][];
    expect(received.length).toBe(MEETINGS);
    const wrong = received.filter(([path, length], n) => path !== `path.${n}` || length !== lengths[n]);
    expect(wrong).toEqual([]);
  });

  it('port of a device: poses and wrenches are whole both ways, though the loop opens its end again and again', async () => {
    const port = createPortMemory();
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const other = await startOtherSide('connect', { port, stop });
    const limits = { force: 1, torque: 1 };
    let device = openPortDevice(port, limits);
    const pose = new Float64Array(7);
    const wrench = new Float64Array(6);
    let [newest, heard, torn, backwards] = [0, 0, 0, 0];
    other.run();
    for (let n = 1; heard < MEETINGS; n += 1) {
      device.write(wrench.fill(n));
      if (device.read(pose)) {
        heard += 1;
        if (!isWhole(pose) || device.buttons !== pose[0]) torn += 1;
        if (pose[0]! <= newest) backwards += 1;
        newest = pose[0]!;
      }
      if (n % 100 === 0) device = openPortDevice(port, limits);
    }
    Atomics.store(stop, 0, 1);
    expect(await other.result).toBe(0);
    expect([torn, backwards]).toEqual([0, 0]);
  });
});
