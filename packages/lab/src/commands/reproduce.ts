import { join } from 'node:path';
import {
  type CommandContext,
  type CommandDefinition,
  ExitCode,
  openAssetCache,
  printJson,
  printTable,
} from '@palpable/cli/internal';
import { type Experiment, experimentNames, readExperiment } from '../reproduce/read-experiment.js';
import { runExperiment } from '../reproduce/run-experiment.js';
import { formatReport, reportForPrograms, writeReport } from '../reproduce/write-report.js';

interface ReproduceFlags {
  readonly out?: string;
  readonly quick?: boolean;
  readonly cache?: string;
}

const LIST = 'list';
const ALL = 'all';

export const reproduceCommand: CommandDefinition<[experiment: string], ReproduceFlags> = {
  usage: 'reproduce <experiment>',
  summary: 'repeat an experiment of a paper and compare: list names them, all runs every one',
  examples: ['palpable reproduce list', 'palpable reproduce zhao-peg-force', 'palpable reproduce all --quick --json'],
  options: (command) =>
    command
      .option('--out <folder>', 'where to write tables and plots (default: reproduced/NAME)')
      .option('--quick', 'a short run to see that it works; its numbers are not for comparison')
      .option('--cache <folder>', "where to keep prepared assets (default: the system's cache folder)"),
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
  const hooks = {
    quick: flags.quick === true,
    cache: openAssetCache(flags.cache),
    onProgress: progress.update,
    signal: context.interrupt(),
  };
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
