import {
  type CommandDefinition,
  ExitCode,
  formatNumber,
  formatTable,
  type Plot,
  wholeNumber,
  writeSvgPlot,
} from '@palpable/cli/internal';
import { benchContact, type ContactBenchReport } from '../bench/contact.js';
import { loadBunnyAndTeapot } from '../play/load-scene.js';
import { rounded } from '../play/statistics.js';
import { printReport } from './print-report.js';

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
  async run(context, { poses, seed, plot: file }) {
    const { progress } = context;
    const { bunny, teapot } = await loadBunnyAndTeapot(progress.update);
    const report = benchContact(bunny, teapot, { poses, seed, onProgress: progress.update });
    const plot = plotOf(report);
    if (file !== undefined) await writeSvgPlot(file, plot);
    printReport(context, report, sentences(report, seed), [plot]);
    return report.posesDifferent === 0 ? ExitCode.done : ExitCode.difference;
  },
};

function sentences(report: ContactBenchReport, seed: number): string[] {
  const rows = report.rows.map(({ contacts, visited, queryUs, queryP99Us, bruteForceUs, bareUs }) => ({
    contacts,
    visited,
    'query p50, µs': rounded(queryUs),
    'p99, µs': rounded(queryP99Us),
    'brute force, µs': rounded(bruteForceUs),
    'brute force / query': rounded(bruteForceUs / queryUs),
    'contacts alone, µs': rounded(bareUs),
    'query / contacts alone': rounded(queryUs / bareUs),
  }));
  return [
    `bunny of ${formatNumber(report.points)} points against teapot, voxels of ${formatNumber(report.voxelSize * 1000)} mm; 40 poses per row, each the minimum of five batches`,
    formatTable(rows),
    `${formatNumber(report.posesCompared)} random poses (seed ${seed}), ${formatNumber(report.posesInContact)} of them in contact: ${report.posesDifferent} differ from brute force`,
  ];
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
