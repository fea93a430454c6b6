import {
  type CommandDefinition,
  describeMachine,
  ExitCode,
  formatNumber,
  formatTable,
  loadBunnyAndTeapot,
  machineInfo,
  type Plot,
  plotLines,
  printJson,
  wholeNumber,
  writeSvgPlot,
} from '@palpable/cli/internal';
import { benchContact, type ContactBenchReport } from '../bench/contact.js';

interface BenchContactFlags {
  readonly poses: number;
  readonly seed: number;
  readonly plot?: string;
}

export const benchContactCommand: CommandDefinition<[], BenchContactFlags> = {
  usage: 'contact',
  summary: 'cost of a contact query by number of contacts, beside brute force',
  examples: ['palpable bench contact', 'palpable bench contact --poses 2000 --plot contact.svg'],
  options: (command) =>
    command
      .option('--poses <number>', 'random poses to compare with brute force', wholeNumber(0, 1_000_000), 10_000)
      .option('--seed <number>', 'seed of the poses', wholeNumber(0, 2 ** 32 - 1), 1)
      .option('--plot <file.svg>', 'write the plot as an SVG file'),
  async run({ stdout, json, progress }, { poses, seed, plot: file }) {
    const { bunny, teapot } = await loadBunnyAndTeapot({ onProgress: progress.update });
    const report = benchContact(bunny, teapot, { poses, seed, onProgress: progress.update });
    progress.done();
    const plot = plotOf(report);
    if (file !== undefined) await writeSvgPlot(file, plot);
    if (json) printJson({ machine: machineInfo(), ...report }, stdout);
    else stdout.write(`${[describeMachine(), ...sentences(report, seed), plotLines(plot)].join('\n')}\n`);
    return report.posesDifferent === 0 ? ExitCode.done : ExitCode.difference;
  },
};

function sentences(report: ContactBenchReport, seed: number): string[] {
  const rows = report.rows.map(({ contacts, visited, queryUs, queryP99Us, bruteForceUs, bareUs }) => ({
    contacts,
    visited,
    'query p50, µs': round(queryUs),
    'p99, µs': round(queryP99Us),
    'brute force, µs': round(bruteForceUs),
    'brute force / query': round(bruteForceUs / queryUs),
    'contacts alone, µs': round(bareUs),
    'query / contacts alone': round(queryUs / bareUs),
  }));
  return [
    `bunny of ${formatNumber(report.points)} points against teapot, voxels of ${formatNumber(report.voxelSize * 1000)} mm; 40 poses per row, each the minimum of five batches`,
    formatTable(rows),
    `${formatNumber(report.posesCompared)} random poses (seed ${seed}), ${formatNumber(report.posesInContact)} of them in contact: ${report.posesDifferent} differ from brute force`,
  ];
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function plotOf({ rows }: ContactBenchReport): Plot {
  return {
    title: 'Contact query, bunny against teapot',
    x: { label: 'contacts', log: true },
    y: { label: 'time, µs', log: true },
    series: [
      { name: 'query', points: rows.map(({ contacts, queryUs }) => [contacts, queryUs]) },
      { name: 'brute force', points: rows.map(({ contacts, bruteForceUs }) => [contacts, bruteForceUs]) },
      { name: 'contacts alone', points: rows.map(({ contacts, bareUs }) => [contacts, bareUs]) },
    ],
  };
}
