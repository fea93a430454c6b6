import { percentile } from '@palpable/engine';
import { sum } from '../play/statistics.js';
import type { TraceEvent } from './servo-trace.js';

/** What the main thread of the page did, task by task. Times in milliseconds. */
export type TaskReport = ReturnType<typeof readTasks>;

export type TaskTimes = ReturnType<typeof timesOf>;

export type LongTask = ReturnType<typeof measureTask>;

export const TASK_CATEGORIES = [
  'disabled-by-default-devtools.timeline',
  'devtools.timeline',
  'gpu',
  'blink.user_timing',
];

/** Marks that the page sets around what is to be counted. */
export const BEGIN_MARK = 'studio bench begins';
export const END_MARK = 'studio bench ends';

/** `ph`: kind of event; `cat`: its categories; `tdur`: processor time on its own thread, microseconds. */
type TimelineEvent = TraceEvent & { readonly ph: string; readonly cat: string; readonly tdur?: number };

const LONG_MS = 50;
const SHOWN_TASKS = 5;
const SHOWN_PARTS = 4;
/** Tells of a task as a whole, or of what holds all of its parts. */
const WHOLE = new Set(['RunTask', 'FireAnimationFrame', 'FunctionCall', 'RunMicrotasks']);

/** Tasks of the thread that set the marks, between them. */
export function readTasks(trace: readonly TraceEvent[]) {
  const events = trace as readonly TimelineEvent[];
  const begin = events.find(({ name }) => name === BEGIN_MARK);
  const end = events.find(({ name }) => name === END_MARK);
  if (!begin || !end) throw new Error('The trace holds no marks of the page.');
  const thread = events
    .filter(({ ph, pid, tid }) => ph === 'X' && pid === begin.pid && tid === begin.tid)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const tasks = splitIntoTasks(thread)
    .filter(([{ ts }]) => ts >= begin.ts && ts <= end.ts)
    .map(measureTask);
  return {
    tasks: tasks.length,
    /** By the clock, all in all. */
    wall: timesOf(tasks.map(({ wall }) => wall)),
    /** The same without the calls that wait for the process that rasterises. */
    own: timesOf(tasks.map(({ own }) => own)),
    /** What of that the processor spent on this thread: without the time in which others had the core. */
    ownCpu: timesOf(tasks.map(({ ownCpu }) => ownCpu)),
    /** In calls that hand drawing over to the other process or wait for it. */
    graphics: timesOf(tasks.map(({ graphics }) => graphics)),
    /** The longest ones of our own. */
    longest: tasks.sort((a, b) => b.own - a.own).slice(0, SHOWN_TASKS),
  };
}

type Task = readonly [whole: TimelineEvent, ...parts: TimelineEvent[]];

/** Each task with all events within it; events and tasks in the order in which they began. */
function splitIntoTasks(thread: readonly TimelineEvent[]): Task[] {
  const tasks: [TimelineEvent, ...TimelineEvent[]][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const event of thread) {
    if (event.ts < end) tasks.at(-1)!.push(event);
    else if (event.name === 'RunTask') {
      tasks.push([event]);
      end = endOf(event);
    }
  }
  return tasks;
}

function measureTask([whole, ...parts]: Task) {
  const graphics = outermost(parts.filter(({ cat }) => cat.split(',').includes('gpu')));
  const graphicsMs = sum(graphics.map(({ dur = 0 }) => dur)) / 1000;
  const graphicsCpuMs = sum(graphics.map(({ tdur = 0 }) => tdur)) / 1000;
  const wall = (whole.dur ?? 0) / 1000;
  return {
    wall,
    own: Math.max(0, wall - graphicsMs),
    ownCpu: Math.max(0, (whole.tdur ?? 0) / 1000 - graphicsCpuMs),
    graphics: graphicsMs,
    /** What the browser calls the longest parts of it, each with its time by the clock. */
    parts: longestParts(parts),
  };
}

/** Those that lie within no other one. */
function outermost(events: readonly TimelineEvent[]): TimelineEvent[] {
  let end = Number.NEGATIVE_INFINITY;
  return events.filter((event) => {
    if (event.ts < end) return false;
    end = endOf(event);
    return true;
  });
}

function longestParts(parts: readonly TimelineEvent[]) {
  const named = new Map<string, number>();
  for (const event of outermost(parts.filter(({ name }) => !WHOLE.has(name)))) {
    named.set(event.name, (named.get(event.name) ?? 0) + (event.dur ?? 0) / 1000);
  }
  return [...named].sort(([, a], [, b]) => b - a).slice(0, SHOWN_PARTS);
}

function timesOf(ms: readonly number[]) {
  return {
    total: sum(ms),
    p50: ms.length === 0 ? 0 : percentile(ms, 50),
    p99: ms.length === 0 ? 0 : percentile(ms, 99),
    longest: Math.max(0, ...ms),
    above50: ms.filter((each) => each > LONG_MS).length,
  };
}

function endOf({ ts, dur = 0 }: TimelineEvent): number {
  return ts + dur;
}
