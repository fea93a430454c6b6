import { type CommandDefinition, ExitCode, printJson, wholeNumber } from '@palpable/cli/internal';
import { formatFaultsReport, runFaults } from '../bench/faults.js';

interface BenchFaultsOptions {
  readonly count: number;
  readonly seed: number;
}

export const benchFaultsCommand: CommandDefinition<[], BenchFaultsOptions> = {
  usage: 'faults',
  summary: 'inject faults while a servo pushes on a strict device; it must let go each time',
  examples: ['palpable bench faults', 'palpable bench faults --count 20 --seed 7'],
  options: (command) =>
    command
      .option('--count <faults>', 'number of faults', wholeNumber(1, 1_000_000), 200)
      .option(
        '--seed <number>',
        'seed of the faults; the same seed gives the same faults in the same order',
        wholeNumber(0, 2 ** 32 - 1),
        1,
      ),
  async run({ stdout, json, progress }, { count, seed }) {
    const report = await runFaults({
      count,
      seed,
      onProgress: (done, total) => progress.update('Breaking things', done / total),
    });
    progress.done();
    if (json) printJson(report, stdout);
    else stdout.write(`${formatFaultsReport(report)}\n`);
    return report.failures.length === 0 ? ExitCode.done : ExitCode.difference;
  },
};
