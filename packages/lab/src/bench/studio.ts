import { loadavg } from 'node:os';
import { formatNumber, formatTable, wholeNumber } from '@palpable/cli/internal';
import type { LoopSamples, ProgressListener } from '@palpable/engine/advanced';
import { Option } from 'commander';
import { rounded } from '../play/statistics.js';
import { benchCommand } from './bench-command.js';
import { type ChromiumBench, openChromium } from './servo-browser.js';
import { LOOP_NAMES, type LoopName, loadCornerSetup, type MeasuredLoops } from './servo-loops.js';
import { openStudioBrowser, VIEWPORT } from './studio-browser.js';
import { type BundleFile, measureBundle } from './studio-bundle.js';
import { type DropReport, measureDrop } from './studio-drop.js';
import { type MotionReport, measureMotion } from './studio-motion.js';
import { measureStart, type StartReport } from './studio-start.js';

const PARTS: readonly StudioPart[] = ['start', 'motion', 'drop', 'bundle'];

export const benchStudioCommand = benchCommand({
  usage: 'studio',
  summary: 'the studio in Chromium with software rendering: first frame, cycles and frames per second, tasks, sizes',
  examples: ['palpable bench studio', 'palpable bench studio --only motion --seconds 20'],
  options: (command) =>
    command
      .addOption(new Option('--only <part>', 'measure one part only').choices(PARTS))
      .option('--seconds <number>', 'duration of each measurement in motion and at rest', wholeNumber(2, 3600), 10),
  measure: benchStudio,
  lines: sentences,
});

function sentences({ loadBefore, chromium, viewport, ...report }: StudioBenchReport): string[] {
  const { start, motion, peer, drop, bundle, bars } = report;
  return [
    `Chromium ${chromium}, software rendering, ${viewport.width} × ${viewport.height}; load average before: ${rounded(loadBefore)}`,
    ...(start ? startLines(start) : []),
    ...(motion ? motionLines(motion) : []),
    ...(peer ? peerLines(peer) : []),
    ...(drop ? dropLines(drop) : []),
    ...(bundle ? bundleLines(bundle) : []),
    ...(bars.length > 0 ? ['', formatTable(bars.map(barRow))] : []),
  ];
}

function barRow({ what, bound, limit, value, isMet }: StudioBenchReport['bars'][number]) {
  return { bar: what, measured: String(rounded(value, 4)), wanted: `${bound} ${limit}`, '': isMet ? 'met' : 'NOT MET' };
}

function startLines(reports: readonly StartReport[]): string[] {
  return [
    '',
    'Opening the page with an empty cache, ms since the navigation began; the median of three runs, then each of them.',
    formatTable(
      reports.map(({ scene, median, runs }) => ({
        scene,
        page: Math.round(median.page),
        'picture of the bodies': Math.round(median.picture),
        'can be touched': Math.round(median.touchable),
        'picture, all runs': runs.map(({ picture }) => Math.round(picture)).join(', '),
      })),
    ),
  ];
}

function motionLines({ scene, motion, traced, rest, tasks }: MotionReport): string[] {
  const paces = { 'in motion': motion, 'in motion, traced': traced, 'at rest in contact': rest };
  const kinds = {
    'all, by the clock': tasks.wall,
    'our own, by the clock': tasks.own,
    'our own, on the processor': tasks.ownCpu,
    'handed to the rasteriser': tasks.graphics,
  };
  return [
    '',
    `${scene}, static friction, the page's script moves the tool along a seeded path; a window is half a second, and "cores" is how many were in use on average.`,
    formatTable(
      Object.entries(paces).map(([name, pace]) => ({
        '': name,
        s: rounded(pace.seconds),
        'cycles/s': rounded(pace.cyclesPerSecond, 4),
        'p50 of windows': Math.round(pace.cyclesP50),
        least: Math.round(pace.cyclesLeast),
        missed: pace.missed,
        'pictures/s': rounded(pace.picturesPerSecond),
        p50: rounded(pace.picturesP50),
        'least ': rounded(pace.picturesLeast),
        contacts: pace.contacts,
        'felt, %': Math.round(100 * pace.feltShare),
        'cores: rasteriser': rounded(pace.gpuCores, 2),
        pages: rounded(pace.rendererCores, 2),
        'other programs': rounded(pace.otherCores, 2),
      })),
    ),
    '',
    `Tasks of the main thread in the traced part, ms; ${formatNumber(tasks.tasks)} of them. "Our own" excludes calls that pass drawing to the rasteriser's process or wait for it.`,
    formatTable(
      Object.entries(kinds).map(([name, times]) => ({
        '': name,
        total: Math.round(times.total),
        p50: rounded(times.p50),
        p99: rounded(times.p99),
        longest: rounded(times.longest),
        'above 50 ms': times.above50,
      })),
    ),
    '',
    'The longest of our own, ms, and the longest parts of each by the clock.',
    formatTable(
      tasks.longest.map(({ own, ownCpu, graphics, parts }) => ({
        'by the clock': rounded(own),
        'on the processor': rounded(ownCpu),
        'handed over': rounded(graphics),
        parts: parts.map(([name, ms]) => `${name} ${rounded(ms, 2)}`).join(', '),
      })),
    ),
  ];
}

function peerLines(loops: readonly PeerReport[]): string[] {
  const names = { empty: 'an empty loop beside an empty page', palpable: 'the corner beside an empty page' };
  return [
    '',
    'The same machine without a stage, half before and half after: cycles that the empty loop misses are due to the machine.',
    formatTable(
      loops.map(({ loop, cyclesPerSecond, missed, cycles }) => ({
        '': names[loop],
        'cycles/s': rounded(cyclesPerSecond, 4),
        cycles,
        missed,
      })),
    ),
  ];
}

function dropLines(report: DropReport): string[] {
  const { file, triangles, megabytes, scene, secondsToSheet, secondsToTouch, longestStandstill, changes } = report;
  return [
    '',
    `${file} dropped into ${scene}: ${formatNumber(triangles)} triangles, ${rounded(megabytes)} MB. The sheet about it after ${rounded(secondsToSheet)} s, can be touched after ${rounded(secondsToTouch)} s.`,
    `What the page shows of its progress changed ${changes} times; it stood still for ${rounded(longestStandstill)} s at most, at "${report.shownMeanwhile}".`,
  ];
}

function bundleLines(files: readonly BundleFile[]): string[] {
  return [
    '',
    'The built page by part; "on demand" is loaded when it is first needed.',
    formatTable(
      files.map(({ part, file, bytes, gzipBytes }) => ({ part, file, bytes, 'gzip, bytes': gzipBytes ?? 'as it is' })),
    ),
    '',
    formatTable(
      [...new Set(files.map(({ part }) => part))].map((part) => {
        const own = files.filter((file) => file.part === part);
        const total = (size: (file: BundleFile) => number) => own.reduce((sum, file) => sum + size(file), 0);
        return {
          part,
          files: own.length,
          bytes: total(({ bytes }) => bytes),
          'sent, bytes': total(({ bytes, gzipBytes }) => gzipBytes ?? bytes),
        };
      }),
    ),
  ];
}

/**
 * How quickly the studio opens, draws and computes where drawing is done by software. Null: not asked for. `peer`:
 * Half of it before the studio's motion, half after.
 */
type StudioBenchReport = Awaited<ReturnType<typeof benchStudio>>;

type StudioPart = 'start' | 'motion' | 'drop' | 'bundle';

interface Flags {
  readonly only?: StudioPart;
  /** Of each measurement. */
  readonly seconds: number;
}

async function benchStudio({ only, seconds }: Flags, onProgress: ProgressListener) {
  const loadBefore = loadavg()[0]!;
  const wants = (part: StudioPart) => only === undefined || only === part;
  const studio = await openStudioBrowser();
  try {
    const start = wants('start') ? await measureStart(studio, onProgress) : null;
    const peer = wants('motion') ? await openPeer(onProgress) : null;
    let motion: MotionReport | null = null;
    try {
      await peer?.take(seconds / 2);
      if (wants('motion')) motion = await measureMotion(studio, seconds, onProgress);
      await peer?.take(seconds / 2);
    } finally {
      await peer?.close();
    }
    const drop = wants('drop') ? await measureDrop(studio, onProgress) : null;
    const bundle = wants('bundle') ? await measureBundle() : null;
    return {
      /** Threads that wanted to run in the minute before, on average: what else the machine had to do. */
      loadBefore,
      chromium: studio.browser.version(),
      viewport: VIEWPORT,
      start,
      motion,
      peer: peer?.report() ?? null,
      drop,
      bundle,
      bars: barsOf({ start, motion, drop }),
    };
  } finally {
    await studio.close();
  }
}

/** What the studio is held to. */
export function barsOf({
  start,
  motion,
  drop,
}: {
  start: readonly StartReport[] | null;
  motion: MotionReport | null;
  drop: DropReport | null;
}) {
  const bars = (start ?? []).map(({ scene, median }) => atMost(3, median.picture / 1000, `first frame of ${scene}, s`));
  if (motion) {
    bars.push(
      atLeast(950, motion.motion.cyclesPerSecond, 'cycles per second in motion and contact'),
      atLeast(15, motion.motion.picturesPerSecond, 'frames per second at the same time'),
      atLeast(990, motion.rest.cyclesPerSecond, 'cycles per second while nothing is drawn'),
      atMost(50, motion.tasks.own.longest, 'longest task of our own by the clock, ms'),
      atMost(50, motion.tasks.ownCpu.longest, 'longest task of our own on the processor, ms'),
    );
  }
  if (drop) bars.push(atMost(15, drop.secondsToTouch, 'dropped mesh can be touched, s'));
  return bars;
}

function atLeast(limit: number, value: number, what: string) {
  return { what, bound: 'at least', limit, value, isMet: value >= limit };
}

function atMost(limit: number, value: number, what: string) {
  return { what, bound: 'at most', limit, value, isMet: value <= limit };
}

/** Two loops in a page that shows nothing, as `bench servo --browser` runs them: what is possible without a stage. */
export type PeerReport = ReturnType<typeof reportLoop>;

export interface StudioPeer {
  /** Each of the two for so long, one after the other. */
  take(seconds: number): Promise<void>;
  report(): PeerReport[];
  close(): Promise<void>;
}

/** Of both loops, as of the studio's. */
const RATE_HZ = 1000;
/** Code is compiled in here. */
const WARM_UP_SECONDS = 1;

export async function openPeer(onProgress: ProgressListener): Promise<StudioPeer> {
  const corner = await loadCornerSetup(RATE_HZ, onProgress);
  const chromium = await openChromium(corner);
  const samples: Record<LoopName, LoopSamples[]> = { empty: [], palpable: [] };
  const loops = await openWarmLoops(chromium).catch(async (error) => {
    await chromium.close();
    throw error;
  });
  return {
    async take(seconds) {
      for (const loop of LOOP_NAMES) samples[loop].push(await loops.take(loop, seconds));
    },
    report: () => LOOP_NAMES.map((loop) => reportLoop(loop, samples[loop], RATE_HZ)),
    close: () => chromium.close(),
  };
}

async function openWarmLoops(chromium: ChromiumBench): Promise<MeasuredLoops> {
  const loops = await chromium.openLoops();
  for (const loop of LOOP_NAMES) await loops.take(loop, WARM_UP_SECONDS);
  return loops;
}

function reportLoop(loop: LoopName, turns: readonly LoopSamples[], rateHz: number) {
  const cycles = turns.reduce((sum, { cycle }) => sum + cycle.length, 0);
  const missed = turns.flatMap((turn) => turn.missed).reduce((sum, count) => sum + count, 0);
  return { loop, cyclesPerSecond: (rateHz * cycles) / (cycles + missed), cycles, missed };
}
