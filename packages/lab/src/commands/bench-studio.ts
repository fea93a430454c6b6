import { type CommandDefinition, formatNumber, formatTable, wholeNumber } from '@palpable/cli/internal';
import { Option } from 'commander';
import { benchStudio, type StudioBenchReport, type StudioPart } from '../bench/studio.js';
import type { BundleFile } from '../bench/studio-bundle.js';
import type { DropReport } from '../bench/studio-drop.js';
import type { MotionReport } from '../bench/studio-motion.js';
import type { PeerReport } from '../bench/studio-peer.js';
import type { StartReport } from '../bench/studio-start.js';
import { rounded } from '../play/statistics.js';
import { formatBars, printReport } from './print-report.js';

interface BenchStudioFlags {
  readonly only?: StudioPart;
  readonly seconds: number;
}

const PARTS: readonly StudioPart[] = ['start', 'motion', 'drop', 'bundle'];

export const benchStudioCommand: CommandDefinition<[], BenchStudioFlags> = {
  usage: 'studio',
  summary: 'the studio in Chromium with software rendering: first frame, cycles and frames per second, tasks, sizes',
  examples: ['palpable bench studio', 'palpable bench studio --only motion --seconds 20'],
  options: (command) =>
    command
      .addOption(new Option('--only <part>', 'measure one part only').choices(PARTS))
      .option('--seconds <number>', 'duration of each measurement in motion and at rest', wholeNumber(2, 3600), 10),
  async run(context, { only, seconds }) {
    const parts = only === undefined ? PARTS : [only];
    const report = await benchStudio({ parts, seconds, onProgress: context.progress.update });
    printReport(context, report, sentences(report));
    return undefined;
  },
};

function sentences({ loadBefore, chromium, viewport, ...report }: StudioBenchReport): string[] {
  const { start, motion, peer, drop, bundle, bars } = report;
  return [
    `Chromium ${chromium}, software rendering, ${viewport.width} × ${viewport.height}; load average before: ${rounded(loadBefore)}`,
    ...(start ? startLines(start) : []),
    ...(motion ? motionLines(motion) : []),
    ...(peer ? peerLines(peer) : []),
    ...(drop ? dropLines(drop) : []),
    ...(bundle ? bundleLines(bundle) : []),
    ...(bars.length > 0 ? barLines(bars) : []),
  ];
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

function barLines(bars: StudioBenchReport['bars']): string[] {
  return [
    '',
    formatBars(
      bars.map(({ what, bound, limit, value, isMet }) => {
        return { name: what, measured: String(rounded(value, 4)), wanted: `${bound} ${limit}`, met: isMet };
      }),
    ),
  ];
}
