import { type CommandDefinition, ExitCode, printJson, wholeNumber } from '@palpable/cli/internal';
import { formatFuzzReport, runFuzz } from '../bench/fuzz.js';

interface BenchFuzzOptions {
  readonly count: number;
  readonly seed: number;
}

export const benchFuzzCommand: CommandDefinition<[], BenchFuzzOptions> = {
  usage: 'fuzz',
  summary: 'read many damaged files of every format; none may crash, hang or use unbounded memory',
  examples: ['palpable bench fuzz', 'palpable bench fuzz --count 500 --seed 7'],
  options: (command) =>
    command
      .option('--count <files>', 'files to read', wholeNumber(1, 10_000_000), 20_000)
      .option(
        '--seed <number>',
        'seed of the damage; the same seed gives the same files',
        wholeNumber(0, 2 ** 32 - 1),
        1,
      ),
  async run({ stdout, json, progress }, { count, seed }) {
    const report = await runFuzz({
      count,
      seed,
      onProgress: (done, total) => progress.update('Reading damaged files', done / total),
    });
    progress.done();
    if (json) printJson(report, stdout);
    else stdout.write(`${formatFuzzReport(report)}\n`);
    // A file that got past the readers' own checks is a defect of ours.
    return report.failures.length === 0 ? ExitCode.done : ExitCode.defect;
  },
};
