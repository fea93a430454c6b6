import type { GarbageReport, LoopName } from './servo-loops.js';

/** What is used here of an event in a trace of Chromium. Times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
}

const COLLECTIONS = ['MinorGC', 'MajorGC'];

export function readTrace(bytes: Uint8Array): TraceEvent[] {
  return JSON.parse(Buffer.from(bytes).toString('utf8')).traceEvents;
}

/**
 * Collections of garbage in the thread of a loop, during its turns: the thread itself has marked where they begin and
 * end. The first one is only there to warm up.
 */
export function garbageOfThread(trace: readonly TraceEvent[], loop: LoopName): GarbageReport {
  const times = (name: string) => trace.filter((event) => event.name === name).map(({ ts }) => ts);
  const rests = times(`${loop} rests`);
  const turns = times(`${loop} runs`)
    .sort((a, b) => a - b)
    .slice(1)
    .map((begin) => [begin, Math.min(...rests.filter((end) => end > begin))] as const)
    // The last one is that of the command to stop.
    .filter(([, end]) => Number.isFinite(end));
  const thread = trace.find(({ name }) => name === `${loop} runs`);
  const collectionsMs = trace
    .filter(({ name, pid, tid }) => COLLECTIONS.includes(name) && pid === thread?.pid && tid === thread.tid)
    .filter(({ ts }) => turns.some(([begin, end]) => ts >= begin && ts <= end))
    .map(({ dur = 0 }) => dur / 1000);
  return { collectionsMs, bytesPerTurn: null };
}
