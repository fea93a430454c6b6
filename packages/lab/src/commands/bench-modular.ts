import {
  type CommandDefinition,
  describeMachine,
  ExitCode,
  formatTable,
  machineInfo,
  printJson,
  wholeNumber,
} from '@palpable/cli/internal';
import { benchModular, type ModularBenchReport } from '../bench/modular.js';

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
  async run({ stdout, json, progress }, { replays, largest }) {
    const report = await benchModular({ replays, largest, onProgress: progress.update });
    progress.done();
    if (json) printJson({ machine: machineInfo(), replays, ...report }, stdout);
    else stdout.write(`${[describeMachine(), ...sentences(report, replays)].join('\n')}\n`);
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
        'p50, µs': round(row.p50Us),
        'p99, µs': round(row.p99Us),
      })),
    ),
    'Contact side:',
    formatTable(
      contacts.map((row) => ({
        contacts: row.detection,
        'triangles of both': row.triangles,
        'most contacts': row.mostContacts,
        'finding p50, µs': round(row.findP50Us),
        'p99, µs': round(row.findP99Us),
        'clusters and model p50, µs': round(row.restP50Us),
        'p99, µs ': round(row.restP99Us),
      })),
    ),
    formatTable(
      bars.map(({ name, value, bar, unit, met }) => ({
        bar: name,
        measured: `${round(value)} ${unit}`,
        wanted: `${unit === 'Hz' ? '>' : '<='} ${bar} ${unit}`,
        met: met ? 'met' : 'not met',
      })),
    ),
  ];
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
