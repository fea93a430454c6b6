import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { parentPort } from 'node:worker_threads';
import { type FromLoop, type MeasuredLoop, serveMeasuredLoop } from '@palpable/engine/advanced';

/** The thread of a measured loop: as that of a live one, but it reports its garbage in the end. */
export type FromServoWorker = FromLoop | { readonly kind: 'garbage'; readonly turns: readonly TurnGarbage[] };

/** `collectionsMs`: Milliseconds that each collection took. */
export type TurnGarbage = ReturnType<typeof garbageOf>;

/** The moments of one turn, and the heap at them. */
interface Turn {
  readonly beganMs: number;
  /** Bytes. */
  readonly heapAtStart: number;
  endedMs: number;
  heapAtEnd: number;
}

/** The observer hears of collections only when the loop has been left. */
const HEARING_MS = 50;

const collections: PerformanceEntry[] = [];
new PerformanceObserver((list) => {
  collections.push(...list.getEntries());
}).observe({ entryTypes: ['gc'] });

const turns: Turn[] = [];
const tell = (message: FromServoWorker) => parentPort!.postMessage(message);

parentPort!.on('message', (loop: MeasuredLoop) => {
  serveMeasuredLoop(loop, { clock: () => performance.now(), wallClock: () => Date.now(), tell, onTurn });
  setTimeout(() => {
    // The last one is that of the command to stop.
    tell({ kind: 'garbage', turns: turns.slice(0, -1).map(garbageOf) });
    parentPort!.close();
  }, HEARING_MS);
});

function onTurn(isRunning: boolean): void {
  if (isRunning) {
    // What loading left behind would otherwise be collected at some time during the cycles.
    if (turns.length === 0) (globalThis as { gc?: () => void }).gc?.();
    const { heapUsed } = process.memoryUsage();
    turns.push({ beganMs: performance.now(), heapAtStart: heapUsed, endedMs: Number.POSITIVE_INFINITY, heapAtEnd: 0 });
    return;
  }
  const turn = turns.at(-1)!;
  turn.endedMs = performance.now();
  turn.heapAtEnd = process.memoryUsage().heapUsed;
}

function garbageOf({ beganMs, endedMs, heapAtStart, heapAtEnd }: Turn) {
  const own = collections.filter(({ startTime }) => startTime >= beganMs && startTime <= endedMs);
  return { collectionsMs: own.map(({ duration }) => duration), heapGrowth: heapAtEnd - heapAtStart };
}
