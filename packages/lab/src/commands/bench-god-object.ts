import {
  type CommandDefinition,
  ExitCode,
  formatTable,
  type Plot,
  wholeNumber,
  writeSvgPlot,
} from '@palpable/cli/internal';
import { benchGodObject, type GodObjectBenchReport } from '../bench/god-object.js';
import { rounded } from '../play/statistics.js';
import { formatBars, printReport } from './print-report.js';

interface BenchGodObjectFlags {
  readonly replays: number;
  readonly largest: number;
  readonly plot?: string;
}

export const benchGodObjectCommand: CommandDefinition<[], BenchGodObjectFlags> = {
  usage: 'god-object',
  summary: 'god object beside its contact query, by size of the models and number of contacts',
  examples: ['palpable bench god-object', 'palpable bench god-object --replays 3 --largest 1000 --plot god-object.svg'],
  options: (command) =>
    command
      .option('--replays <number>', 'how often to play each motion', wholeNumber(1, 1000), 9)
      .option('--largest <points>', 'most points of a shell', wholeNumber(250, 20_000), 20_000)
      .option('--plot <file.svg>', 'write the plot as an SVG file'),
  async run(context, { replays, largest, plot: file }) {
    const report = await benchGodObject({ replays, largest, onProgress: context.progress.update });
    const plot = plotOf(report);
    if (file !== undefined) await writeSvgPlot(file, plot);
    printReport(context, { replays, ...report }, sentences(report, replays), [plot]);
    return ExitCode.done;
  },
};

function sentences({ sizes, contacts, bars }: GodObjectBenchReport, replays: number): string[] {
  return [
    `Bunny at the teapot (knock, slide, ear through the handle), cycles in contact; of each cycle the least of ${replays} replays, by the clock inside the cycle. "steps 2–4 in batches": from saved states, 200 calls each.`,
    formatTable(
      sizes.map((row) => ({
        points: row.points,
        'voxels along': row.voxels,
        constraint: row.constraint,
        cycles: row.cycles,
        'most contacts': row.mostContacts,
        'steps 2–7 p50, µs': rounded(row.p50Us),
        'p99, µs': rounded(row.p99Us),
        'steps 2–4 in batches p50, µs': row.batchP50Us === null ? '' : rounded(row.batchP50Us),
        'p99, µs ': row.batchP99Us === null ? '' : rounded(row.batchP99Us),
        'cycle p50, µs': rounded(row.cycleP50Us),
        'cycle p99, µs': rounded(row.cycleP99Us),
      })),
    ),
    '',
    'Peg in its hole, all its sides within the margin:',
    formatTable(
      contacts.map((row) => ({
        points: row.points,
        contacts: row.contacts,
        constraint: row.constraint,
        'step 1 p50, µs': rounded(row.contactUs),
        'steps 2–7 p50, µs': rounded(row.methodUs),
        'cycle p50, µs': rounded(row.cycleP50Us),
        'cycle p99, µs': rounded(row.cycleP99Us),
      })),
    ),
    '',
    formatBars(
      bars.map(({ name, valueUs, barUs, met }) => {
        return { name, measured: `${rounded(valueUs)} µs`, wanted: `≤ ${barUs} µs`, met };
      }),
    ),
  ];
}

function plotOf({ contacts }: GodObjectBenchReport): Plot {
  const series = (constraint: string, name: string, value: (row: (typeof contacts)[number]) => number) => ({
    name: `${constraint}, ${name}`,
    points: contacts.filter((row) => row.constraint === constraint).map((row) => [row.contacts, value(row)] as const),
  });
  return {
    title: 'God object, peg in a hole',
    x: { label: 'contacts', log: true },
    y: { label: 'time, µs (p50)', log: true },
    series: ['heuristic', 'manifold'].flatMap((constraint) => [
      series(constraint, 'whole cycle', (row) => row.cycleP50Us),
      series(constraint, 'steps 2–7', (row) => row.methodUs),
    ]),
  };
}
