import { type ProgressListener, percentile } from '@palpable/engine/advanced';
import type { Page } from 'playwright-core';
import { sum } from '../play/statistics.js';
import { createCornerMotion } from './friction-motion.js';
import { readTrace, type TraceEvent } from './servo-trace.js';
import { openScene, type ProcessSeconds, type StudioBrowser, type StudioGlobal } from './studio-browser.js';

/**
 * The corner scene with the hand's motion and then at rest in contact. `traced`: The same motion once more while
 * Chromium is traced, which costs a little. `rest`: The device stays where it presses the cube into the corner:
 * nothing moves, nothing is drawn.
 */
export type MotionReport = Awaited<ReturnType<typeof measureMotion>>;

interface Sample {
  readonly timeMs: number;
  readonly cycles: number;
  readonly missed: number;
  readonly pictures: number;
  /** N */
  readonly force: number;
  readonly contacts: number;
}

const SCENE = 'corner-cube';
/** The motion of `bench servo`, thinned out to what devices of the page give. */
const MOTION_CYCLES = 2000;
const MOTION_SEED = 1;
const POSE_EVERY_MS = 16;
/** Code is compiled, and the resolution of frames settles. */
const WARM_UP_SECONDS = 2;
const WINDOW_MS = 500;

export async function measureMotion(studio: StudioBrowser, seconds: number, onProgress: ProgressListener) {
  const poses = createCornerMotion(MOTION_CYCLES, MOTION_SEED)
    .filter((_, cycle) => cycle % POSE_EVERY_MS === 0)
    .map((pose) => [...pose]);
  const page = await openScene(studio, SCENE);
  try {
    onProgress('corner in motion', 0);
    await startMotion(page, poses);
    await page.waitForTimeout(1000 * WARM_UP_SECONDS);
    const motion = await measurePace(studio, page, seconds);
    onProgress('corner in motion, traced', 1 / 3);
    await studio.browser.startTracing(page, { categories: TASK_CATEGORIES });
    const traced = await measurePace(studio, page, seconds);
    const tasks = readTasks(readTrace(await studio.browser.stopTracing()));
    onProgress('corner at rest', 2 / 3);
    await startMotion(page, [pressedPose(poses)]);
    await page.waitForTimeout(1000 * WARM_UP_SECONDS);
    const rest = await measurePace(studio, page, seconds);
    return { scene: SCENE, motion, traced, tasks, rest };
  } finally {
    await page.context().close();
  }
}

/** The deepest one in all three faces. */
function pressedPose(poses: readonly number[][]): number[] {
  const depth = ([x = 0, y = 0, z = 0]: readonly number[]) => Math.max(x, y, z);
  return poses.reduce((deepest, pose) => (depth(pose) < depth(deepest) ? pose : deepest));
}

/** Puts the device along the poses again and again, by a timer of the page; one pose alone is put once. */
async function startMotion(page: Page, poses: readonly number[][]): Promise<void> {
  await page.evaluate(
    ([path, everyMs]) => {
      const host = globalThis as unknown as StudioGlobal & { benchTimer?: ReturnType<typeof setInterval> };
      let step = 0;
      clearInterval(host.benchTimer);
      const put = () => {
        host.palpable!.setToolPose(path[step % path.length]!);
        step += 1;
      };
      put();
      if (path.length > 1) host.benchTimer = setInterval(put, everyMs);
    },
    [poses, POSE_EVERY_MS] as const,
  );
}

async function measurePace(studio: StudioBrowser, page: Page, seconds: number) {
  const before = await studio.readProcessSeconds();
  const samples = await sampleState(page, seconds);
  const after = await studio.readProcessSeconds();
  return { ...reportPace(samples), ...coresInUse(before, after) };
}

/** Reads the page at both ends and every half second between. */
function sampleState(page: Page, seconds: number): Promise<Sample[]> {
  return page.evaluate(
    async ([totalMs, windowMs, beginMark, endMark]) => {
      const host = globalThis as unknown as StudioGlobal;
      // In a frame, after the studio's own: what it then knows of the loop is as fresh as it gets.
      const look = () =>
        new Promise<Sample>((resolve) => {
          host.requestAnimationFrame(() => {
            const { loop, picturesDrawn: pictures, contacts } = host.palpable!.state();
            const { cycles, missed, force } = loop ?? { cycles: Number.NaN, missed: Number.NaN, force: 0 };
            resolve({ timeMs: performance.now(), cycles, missed, pictures, force, contacts });
          });
        });
      performance.mark(beginMark);
      const samples = [await look()];
      // Counted from the last reading: a late frame would else be followed by a window too short for a rate.
      while (samples.at(-1)!.timeMs - samples[0]!.timeMs < totalMs) {
        await new Promise((resolve) => setTimeout(resolve, windowMs));
        samples.push(await look());
      }
      performance.mark(endMark);
      return samples;
    },
    [1000 * seconds, WINDOW_MS, BEGIN_MARK, END_MARK] as const,
  );
}

function reportPace(samples: readonly Sample[]) {
  const first = samples[0]!;
  const last = samples.at(-1)!;
  const rates = (name: 'cycles' | 'pictures') =>
    samples.slice(1).map((sample, k) => perSecond(samples[k]!, sample, name));
  return {
    seconds: (last.timeMs - first.timeMs) / 1000,
    cyclesPerSecond: perSecond(first, last, 'cycles'),
    missed: last.missed - first.missed,
    picturesPerSecond: perSecond(first, last, 'pictures'),
    /** Of windows of half a second: the median, and the slowest. */
    cyclesP50: percentile(rates('cycles'), 50),
    cyclesLeast: Math.min(...rates('cycles')),
    picturesP50: percentile(rates('pictures'), 50),
    picturesLeast: Math.min(...rates('pictures')),
    /** Share of the samples in which a force was rendered, and contacts in the median. */
    feltShare: samples.filter(({ force }) => force > 0).length / samples.length,
    contacts: percentile(
      samples.map(({ contacts }) => contacts),
      50,
    ),
  };
}

function perSecond(from: Sample, to: Sample, name: 'cycles' | 'pictures'): number {
  return (1000 * (to[name] - from[name])) / (to.timeMs - from.timeMs);
}

function coresInUse(before: ProcessSeconds, after: ProcessSeconds) {
  const seconds = after.at - before.at;
  return {
    /** Cores in use, on average: by the process that rasterises, by pages and their threads (the loop's, too). */
    gpuCores: (after.gpu - before.gpu) / seconds,
    rendererCores: (after.renderer - before.renderer) / seconds,
    /** By other programs: where they leave too little, the numbers are not the studio's. */
    otherCores: Math.max(0, (after.others - before.others) / seconds),
  };
}

const TASK_CATEGORIES = ['disabled-by-default-devtools.timeline', 'devtools.timeline', 'gpu', 'blink.user_timing'];

/** Marks that the page sets around what is to be counted. */
export const BEGIN_MARK = 'studio bench begins';
export const END_MARK = 'studio bench ends';

/** `ph`: kind of event; `cat`: its categories; `tdur`: processor time on its own thread, microseconds. */
type TimelineEvent = TraceEvent & { readonly ph: string; readonly cat: string; readonly tdur?: number };

const LONG_MS = 50;
const SHOWN_TASKS = 5;
const SHOWN_PARTS = 4;
/** Describes a task as a whole, or of what holds all of its parts. */
const WHOLE = new Set(['RunTask', 'FireAnimationFrame', 'FunctionCall', 'RunMicrotasks']);

/** Tasks of the thread that set the marks, between them. Times in milliseconds. */
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
