import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addCacheOption,
  type CacheOption,
  type CommandContext,
  type CommandDefinition,
  describeMachine,
  ExitCode,
  formatNumber,
  formatSvgPlot,
  formatTable,
  makeFolder,
  type Plot,
  preparing,
  printJson,
  printTable,
  type Row,
} from '@palpable/cli/internal';
import { PalpableError } from '@palpable/engine';
import { type Experiment, experimentNames, readExperiment } from '../reproduce/read-experiment.js';
import { type ExperimentReport, runExperiment } from '../reproduce/run-experiment.js';

interface ReproduceFlags extends CacheOption {
  readonly out?: string;
  readonly quick?: boolean;
}

const LIST = 'list';
const ALL = 'all';

export const reproduceCommand: CommandDefinition<[experiment: string], ReproduceFlags> = {
  usage: 'reproduce <experiment>',
  summary: 'repeat an experiment of a paper and compare: list names them, all runs every one',
  examples: ['palpable reproduce list', 'palpable reproduce zhao-peg-force', 'palpable reproduce all --quick --json'],
  options: (command) =>
    addCacheOption(
      command
        .option('--out <folder>', 'where to write tables and plots (default: reproduced/NAME)')
        .option('--quick', 'a short run to see that it works; its numbers are not for comparison'),
    ),
  async run(context, flags, name) {
    if (name === LIST) return list(context);
    const names = name === ALL ? experimentNames() : [name];
    const experiments = await Promise.all(names.map(readExperiment));
    return reproduce(context, flags, experiments, name === ALL);
  },
};

async function list({ stdout, json }: CommandContext): Promise<ExitCode> {
  const experiments = await Promise.all(experimentNames().map(readExperiment));
  const rows = experiments.map(({ name, title, paper, figure }) => ({ name, figure, title, paper }));
  if (json) printJson(rows, stdout);
  else printTable(rows, stdout);
  return ExitCode.done;
}

/** One after the other: they measure time. */
async function reproduce(
  context: CommandContext,
  flags: ReproduceFlags,
  experiments: readonly Experiment[],
  all: boolean,
): Promise<ExitCode> {
  const { stdout, json, progress } = context;
  const hooks = { quick: flags.quick === true, ...preparing(context, flags) };
  const found: unknown[] = [];
  let met = true;
  for (const experiment of experiments) {
    const report = await runExperiment(experiment, hooks);
    const folder = folderOf(flags, experiment, all);
    const files = (await writeReport(folder, report)).map((file) => join(folder, file));
    progress.done();
    if (!report.met) met = false;
    found.push(reportForPrograms(report, files));
    if (!json) stdout.write(`${formatReport(report)}\n\nTables and plots are in ${folder}.\n\n`);
  }
  if (json) printJson(all ? found : found[0], stdout);
  return met ? ExitCode.done : ExitCode.difference;
}

/** With all, a folder that is given gets a folder per experiment. */
function folderOf({ out }: ReproduceFlags, { name }: Experiment, all: boolean): string {
  if (out === undefined) return join('reproduced', name);
  return all ? join(out, name) : out;
}

/** What the report says, for a terminal. */
export function formatReport(report: ExperimentReport): string {
  const { experiment, tables, claims, quick, seconds, machine } = report;
  const marks = claims.map(({ claim, measured, bar, met }) => ({ claim, measured, bar, met: met ? 'met' : 'NOT MET' }));
  return [
    `${experiment.name}: ${experiment.title}`,
    `${experiment.paper}, figure ${experiment.figure}. Published: ${experiment.published}`,
    `${describeMachine(machine)}; ${formatNumber(seconds)} s${quick ? '; a short run, not for comparison' : ''}`,
    ...tables.flatMap(({ title, rows }) => ['', title, formatTable(rows)]),
    '',
    formatTable(marks),
  ].join('\n');
}

/** The same for programs, without the lines of the plots, which are in the CSV files. */
export function reportForPrograms(report: ExperimentReport, files: readonly string[]) {
  const { experiment, tables, claims, capped, met, quick, seconds, machine } = report;
  const { name, title, paper, figure, published } = experiment;
  return {
    experiment: name,
    title,
    paper,
    figure,
    published,
    study: experiment.study.name,
    quick,
    machine,
    seconds,
    met,
    claims,
    capped,
    tables: Object.fromEntries(tables.map((table) => [table.name, table.rows])),
    files,
  };
}

/** Writes tables, plots and the report into a folder, and gives the names of the files. */
export async function writeReport(folder: string, report: ExperimentReport): Promise<string[]> {
  const contents = new Map<string, string>();
  contents.set('report.txt', `${formatReport(report)}\n`);
  for (const { name, rows } of report.tables) contents.set(`${name}.csv`, formatCsv(rows));
  for (const { name, plot } of report.plots) {
    contents.set(`${name}.svg`, formatSvgPlot(plot));
    contents.set(`${name}-plot.csv`, formatCsv(plotRows(plot)));
  }
  for (const { name, svg } of report.pictures ?? []) contents.set(`${name}.svg`, svg);
  await makeFolder(folder, '--out');
  for (const [name, text] of contents) {
    await writeFile(join(folder, name), text).catch((error: Error) => {
      const sentence = `${join(folder, name)} cannot be written (${error.message}); name another folder with --out.`;
      throw new PalpableError('file-unreadable', sentence, name);
    });
  }
  return [...contents.keys()];
}

/** One row per point: the series may have different places. */
function plotRows({ x, y, series }: Plot): Row[] {
  return series.flatMap(({ name, points }) =>
    points.map(([px, py]) => ({ series: name, [x.label]: px, [y.label]: py })),
  );
}

function formatCsv(rows: readonly Row[]): string {
  const headings = Object.keys(rows[0] ?? {});
  const lines = [headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ''))];
  return `${lines.map((cells) => cells.map((cell) => csvCell(String(cell))).join(',')).join('\n')}\n`;
}

function csvCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
