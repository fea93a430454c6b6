import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { openTurns, PalpableError, percentile } from '@palpable/engine';
import {
  type CornerSetup,
  createMeasuredLoop,
  type GarbageReport,
  LOOP_NAMES,
  type LoopName,
  type MeasuredLoops,
} from './servo-loops.js';
import type { FromServoWorker, TurnGarbage } from './servo-worker.js';

/** The two loops in threads of Node. */
export async function openNodeLoops(corner: CornerSetup): Promise<MeasuredLoops> {
  // Threads that begin after this have a function that collects garbage.
  setFlagsFromString('--expose-gc');
  const [empty, palpable] = await Promise.all(LOOP_NAMES.map((name) => startLoop(corner, name)));
  const loops: Record<LoopName, NodeLoop> = { empty: empty!, palpable: palpable! };
  return {
    take: (loop, seconds) => loops[loop].turns.take(seconds),
    async end() {
      for (const name of LOOP_NAMES) await loops[name].turns.end();
      return { empty: await loops.empty.garbage, palpable: await loops.palpable.garbage };
    },
    async abandon() {
      for (const name of LOOP_NAMES) await loops[name].worker.terminate();
    },
  };
}

type NodeLoop = Awaited<ReturnType<typeof startLoop>>;

async function startLoop(corner: CornerSetup, name: LoopName) {
  const measured = createMeasuredLoop(corner, name);
  const worker = new Worker(new URL('./servo-worker.js', import.meta.url));
  const hear = <Kind extends FromServoWorker['kind']>(kind: Kind) =>
    new Promise<Extract<FromServoWorker, { kind: Kind }>>((resolve) => {
      worker.on('message', (message: FromServoWorker) => {
        if (message.kind === kind) resolve(message as Extract<FromServoWorker, { kind: Kind }>);
      });
    });
  let failure: Error | undefined;
  const failed = new Promise<never>((_, reject) => {
    worker.on('error', reject);
    void hear('failed').then(({ message }) => reject(new PalpableError('worker-failed', message)));
  });
  failed.catch((error) => {
    failure = error;
  });
  const garbage = Promise.race([hear('garbage').then(({ turns }) => summariseGarbage(turns)), failed]);
  // Whoever waits for something else hears of a failure there.
  garbage.catch(() => {});
  const ready = hear('ready');
  worker.postMessage(measured);
  await Promise.race([ready, failed]);
  const sleep = async (ms: number) => {
    await setTimeout(ms);
    if (failure) throw failure;
  };
  return { worker, garbage, turns: openTurns(measured, { now: () => performance.now(), sleep }) };
}

/** The first turn is only there to warm up. */
function summariseGarbage([, ...turns]: readonly TurnGarbage[]): GarbageReport {
  const quiet = turns.filter(({ collectionsMs }) => collectionsMs.length === 0);
  return {
    collectionsMs: turns.flatMap(({ collectionsMs }) => collectionsMs),
    bytesPerTurn:
      quiet.length === 0
        ? null
        : percentile(
            quiet.map(({ heapGrowth }) => heapGrowth),
            50,
          ),
  };
}
