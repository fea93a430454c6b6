import { type CommandDefinition, ExitCode, formatTable, wholeNumber } from '@palpable/cli/internal';
import { benchModular, type ModularBenchReport } from '../bench/modular.js';
import { rounded } from '../play/statistics.js';
import { formatBars, printReport } from './print-report.js';

interface BenchModularFlags {
  readonly replays: number;
  readonly largest: number;
}

export const benchModularCommand: CommandDefinition<[], BenchModularFlags> = {
  usage: 'modular',
  summary: 'haptic step and contact side of modular, by integrator, tolerance and size of the models',
  examples: ['palpable bench modular', 'palpable bench modular --replays 1 --largest 1000 --json'],
  options: (command) =>
    command
      .option('--replays <number>', 'how often to play each motion', wholeNumber(1, 1000), 5)
      .option('--largest <triangles>', 'most triangles of the upper jaw', wholeNumber(700, 100_000), 100_000),
  async run(context, { replays, largest }) {
    const report = await benchModular({ replays, largest, onProgress: context.progress.update });
    printReport(context, { replays, ...report }, sentences(report, replays));
    return ExitCode.done;
  },
};

function sentences({ steps, contacts, bars }: ModularBenchReport, replays: number): string[] {
  return [
    `Upper jaw over lower jaw, cycles in contact; the minimum of ${replays} replays of each cycle.`,
    'Haptic step:',
    formatTable(
      steps.map((row) => ({
        integrator: row.integrator,
        'triangles of both': row.triangles,
        cycles: row.cycles,
        'most clusters': row.mostClusters,
        'p50, µs': rounded(row.p50Us),
        'p99, µs': rounded(row.p99Us),
      })),
    ),
    'Contact side:',
    formatTable(
      contacts.map((row) => ({
        contacts: row.detection,
        'triangles of both': row.triangles,
        'most contacts': row.mostContacts,
        'finding p50, µs': rounded(row.findP50Us),
        'p99, µs': rounded(row.findP99Us),
        'clusters and model p50, µs': rounded(row.restP50Us),
        'p99, µs ': rounded(row.restP99Us),
      })),
    ),
    formatBars(
      bars.map(({ name, value, bar, unit, met }) => ({
        name,
        measured: `${rounded(value)} ${unit}`,
        wanted: `${unit === 'Hz' ? '>' : '≤'} ${bar} ${unit}`,
        met,
      })),
    ),
  ];
}
