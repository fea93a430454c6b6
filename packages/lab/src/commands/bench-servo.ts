import {
  type CommandDefinition,
  formatNumber,
  formatTable,
  type Plot,
  wholeNumber,
  writeSvgPlot,
} from '@palpable/cli/internal';
import { Option } from 'commander';
import { benchServo, loadName, type ServoBenchReport } from '../bench/servo.js';
import type { Load, LoopReport, Percentiles } from '../bench/servo-times.js';
import { rounded } from '../play/statistics.js';
import { printReport } from './print-report.js';

interface BenchServoFlags {
  readonly seconds: number;
  readonly load: Load | 'both';
  readonly browser?: true;
  readonly plot?: string;
}

export const benchServoCommand: CommandDefinition<[], BenchServoFlags> = {
  usage: 'servo',
  summary: 'the loop at 1 kHz beside an empty one: cycles missed, lateness, compute time, garbage',
  examples: ['palpable bench servo', 'palpable bench servo --seconds 10 --load none --browser --plot servo.svg'],
  options: (command) =>
    command
      .option('--seconds <number>', 'seconds for each loop in each round', wholeNumber(2, 86_400), 60)
      .addOption(
        new Option('--load <cores>', 'rounds: on the machine as it is, with one core kept busy, or both')
          .choices(['none', 'one', 'both'])
          .default('both'),
      )
      .option('--browser', 'the same in Chromium')
      .option('--plot <file.svg>', 'write the distribution of lateness as an SVG file'),
  async run(context, { seconds, load, browser = false, plot: file }) {
    const loads: readonly Load[] = load === 'both' ? ['none', 'one'] : [load];
    const report = await benchServo({ seconds, loads, browser, onProgress: context.progress.update });
    const plot = plotOf(report);
    if (file !== undefined) await writeSvgPlot(file, plot);
    printReport(context, report, [...sentences(report), ''], [plot]);
    return undefined;
  },
};

function sentences(report: ServoBenchReport): string[] {
  const { loadBefore, rateHz, seconds, turnSeconds, loops } = report;
  return [
    `load average before: ${rounded(loadBefore)}`,
    `Cube in a corner (static friction) at ${formatNumber(rateHz)} Hz in its own thread, a repeating hand motion, ${seconds} s; an empty loop with the same pacing alternates with it every ${formatNumber(turnSeconds)} s.`,
    '',
    'How late cycles began, µs. The empty loop has nothing to do: its lateness is the machine’s.',
    formatTable(
      loops.map((loop) => ({
        ...nameCells(loop),
        cycles: loop.cycles,
        missed: loop.missed,
        ...percentileCells(loop.late),
      })),
    ),
    '',
    'How long they took, µs, garbage collection included; "own" is without what the machine adds: every cycle of the motion with its minimum over all repetitions.',
    formatTable(
      loops.map((loop) => ({
        ...nameCells(loop),
        ...percentileCells(loop.compute),
        'method p50': rounded(loop.method.p50),
        'own p50': rounded(loop.ownCompute.p50),
        'own max': rounded(loop.ownCompute.max),
        collections: loop.collections,
        'p50, ms': rounded(loop.medianCollectionMs),
        'longest, ms': rounded(loop.longestCollectionMs),
        'bytes a cycle': loop.bytesPerCycle === null ? 'unknown' : Math.round(loop.bytesPerCycle),
      })),
    ),
    '',
    ...verdicts(report),
  ];
}

function nameCells({ host, load, loop }: LoopReport) {
  return { thread: host, machine: loadName(load), loop };
}

function percentileCells({ p50, p99, p999, max }: Percentiles) {
  return { p50: rounded(p50), p99: rounded(p99), 'p99.9': rounded(p999), max: rounded(max) };
}

/** For every round: whose are the cycles that were missed? */
function verdicts({ loops, rateHz }: ServoBenchReport): string[] {
  const stepUs = 1e6 / rateHz;
  return loops
    .filter(({ loop }) => loop === 'palpable')
    .map((ours) => {
      const { host, load, missed, missedAtWork, cycles, ownCompute, medianCollectionMs } = ours;
      const empty = loops.find((each) => each.loop === 'empty' && each.host === host && each.load === load)!;
      const beside = `${formatNumber(missed)} of ${formatNumber(cycles + missed)} cycles missed, ${formatNumber(empty.missed)} by the empty loop beside it`;
      const asleep = missed === 0 ? '' : `; ${formatNumber(missed - missedAtWork)} while it was waiting`;
      const work = `The longest work of its own is ${rounded(ownCompute.max)} µs, a collection in the median ${rounded(1000 * medianCollectionMs)} µs, a step ${formatNumber(stepUs)} µs`;
      const fits = ownCompute.max + 1000 * medianCollectionMs < stepUs;
      const whose = fits ? 'both together fit into one' : 'together they may cost a cycle';
      return `${host}, ${loadName(load)}: ${beside}${asleep}. ${work}: ${whose}.`;
    });
}

function plotOf({ loops, rateHz }: ServoBenchReport): Plot {
  return {
    title: `Lateness of cycles at ${formatNumber(rateHz)} Hz`,
    x: { label: 'one cycle in so many', log: true },
    y: { label: 'began later than, µs', log: true },
    series: loops.map(({ host, load, loop, lateCurve }) => ({
      name: `${host}, ${loadName(load)}, ${loop}`,
      points: lateCurve,
    })),
  };
}
