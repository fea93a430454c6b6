import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  type CommandDefinition,
  ExitCode,
  formatTable,
  printReport,
  StepProcess,
  wholeNumber,
} from '@palpable/cli/internal';
import { isPalpableError, readMesh } from '@palpable/engine';
import type { FuzzBatch, FuzzOutcome } from './fuzz-child.js';
import { type FuzzCase, isStepCase, makeFuzzCase } from './fuzz-mutate.js';
import { type FuzzSeed, fuzzSeeds } from './fuzz-seeds.js';

export const benchFuzzCommand: CommandDefinition<[], FuzzOptions> = {
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
  async run(context, { count, seed }) {
    const onProgress = (done: number) => context.progress.update('Reading damaged files', done / count);
    const report = await runFuzz({ count, seed }, onProgress);
    printReport(context, report, () => formatFuzzReport(report));
    // A file that got past the readers' own checks is a defect of ours.
    return report.failures.length === 0 ? ExitCode.done : ExitCode.defect;
  },
};

interface FuzzOptions {
  /** Number of mutated files. */
  readonly count: number;
  /** The same seed gives the same files. */
  readonly seed: number;
}

/** Results of the files made from one valid one. */
export interface FuzzTally {
  readonly name: string;
  cases: number;
  loaded: number;
  refused: number;
  /** STEP only: files on which the kernel's process had to be ended, or died. The user sees a proper error. */
  ended: number;
  slowestMilliseconds: number;
}

/** A file that was neither read nor refused properly, or took too long or too much. */
export interface FuzzFailure {
  readonly index: number;
  readonly name: string;
  readonly mutations: readonly string[];
  readonly problem: string;
}

type FuzzReport = Awaited<ReturnType<typeof runFuzz>>;

const LONGEST_SECONDS = 2;
const MOST_MIB = 1024;

/** Starting a process may take long on a busy machine; that is not the file's fault. */
const START_SECONDS = 30;

/**
 * Gives mutated files of all formats to the readers. Each must end as a mesh or as a `PalpableError`, within 2 s and
 * 1 GiB. Our own readers run in a process that is watched from here; STEP files, one in fifty, go through the same
 * process that users' STEP files go through.
 */
async function runFuzz(options: FuzzOptions, onProgress: (done: number) => void) {
  const start = performance.now();
  const run = new FuzzRun(options, await fuzzSeeds(), onProgress);
  await Promise.all([run.runReaders(), run.runStep()]);
  return run.report((performance.now() - start) / 1000);
}

class FuzzRun {
  private readonly options: FuzzOptions;
  private readonly seeds: readonly FuzzSeed[];
  private readonly tallies = new Map<string, FuzzTally>();
  private readonly failures: FuzzFailure[] = [];
  /** Most memory of the process with our readers, MiB. */
  private peakMiB = 0;
  private readonly onProgress: (done: number) => void;
  private done = 0;

  constructor(options: FuzzOptions, seeds: readonly FuzzSeed[], onProgress: (done: number) => void) {
    this.onProgress = onProgress;
    this.options = options;
    this.seeds = seeds;
    for (const { name } of this.seeds) {
      this.tallies.set(name, { name, cases: 0, loaded: 0, refused: 0, ended: 0, slowestMilliseconds: 0 });
    }
  }

  report(seconds: number) {
    const { count, seed } = this.options;
    const failures = this.failures.toSorted((a, b) => a.index - b.index);
    return { count, seed, tallies: [...this.tallies.values()], failures, peakMiB: this.peakMiB, seconds };
  }

  /** Runs all but the STEP files; a process that was stopped is followed by one that goes on behind the bad case. */
  async runReaders(): Promise<void> {
    for (let first = 0; first < this.options.count; ) first = await this.runBatch(first);
  }

  /** Runs cases from `first` on in one process; returns where to go on. */
  private runBatch(first: number): Promise<number> {
    const child = this.startChild();
    let current = nextReaderCase(first);
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout;
      const stop = (problem: string) => {
        clearTimeout(timer);
        child.removeAllListeners();
        child.kill('SIGKILL');
        this.fail(current, problem);
        this.finish();
        resolve(current + 1);
      };
      const watch = (seconds: number) => {
        clearTimeout(timer);
        timer = setTimeout(() => stop(`took longer than ${LONGEST_SECONDS} s`), seconds * 1000);
      };
      child.on('message', (outcome: FuzzOutcome) => {
        current = outcome.index;
        if (outcome.peakMiB > MOST_MIB) return stop(`took ${Math.round(outcome.peakMiB)} MiB`);
        this.record(outcome);
        current = nextReaderCase(current + 1);
        watch(LONGEST_SECONDS);
      });
      child.once('exit', (code, signal) => {
        clearTimeout(timer);
        if (current >= this.options.count) resolve(this.options.count);
        else stop(`ended the process (${signal ?? `exit code ${code}`})`);
      });
      watch(START_SECONDS);
      const batch: FuzzBatch = { runSeed: this.options.seed, first, end: this.options.count };
      child.send(batch);
    });
  }

  private startChild(): ChildProcess {
    return fork(fileURLToPath(new URL('./fuzz-child.js', import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${MOST_MIB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  private record(outcome: FuzzOutcome): void {
    const tally = this.tallyOf(this.makeCase(outcome.index));
    tally.cases++;
    if (outcome.kind === 'loaded') tally.loaded++;
    if (outcome.kind === 'refused') tally.refused++;
    tally.slowestMilliseconds = Math.max(tally.slowestMilliseconds, outcome.milliseconds);
    this.peakMiB = Math.max(this.peakMiB, outcome.peakMiB);
    if (outcome.kind === 'failed') this.fail(outcome.index, outcome.problem ?? 'failed');
    this.finish();
  }

  /** Runs the STEP files, one after the other, with the kernel's process kept from file to file. */
  async runStep(): Promise<void> {
    const kernel = new StepProcess({ timeLimit: LONGEST_SECONDS, memoryLimitMiB: MOST_MIB });
    try {
      // Reading the valid file first starts the process, so that its start does not count as a file's time.
      await this.warmUp(kernel);
      for (let index = 0; index < this.options.count; index++) {
        if (isStepCase(index)) await this.runStepCase(kernel, this.makeCase(index));
      }
    } finally {
      kernel.close();
    }
  }

  private async warmUp(kernel: StepProcess): Promise<void> {
    const { bytes } = this.seeds.find(({ format }) => format === 'step')!;
    await kernel.read(bytes, {}).catch(() => undefined);
  }

  private async runStepCase(kernel: StepProcess, fuzzCase: FuzzCase): Promise<void> {
    const tally = this.tallyOf(fuzzCase);
    const start = performance.now();
    let crashed = false;
    try {
      await readMesh(fuzzCase.bytes, {
        format: 'step',
        readStep: (bytes, tessellation) =>
          kernel.read(bytes, tessellation).catch((error: unknown) => {
            crashed = true;
            throw error;
          }),
      });
      tally.loaded++;
    } catch (error) {
      if (!isPalpableError(error)) this.fail(fuzzCase.index, String(error));
      else if (crashed) tally.ended++;
      else tally.refused++;
    }
    tally.cases++;
    tally.slowestMilliseconds = Math.max(tally.slowestMilliseconds, performance.now() - start);
    if (crashed) await this.warmUp(kernel);
    this.finish();
  }

  private makeCase(index: number): FuzzCase {
    return makeFuzzCase(this.seeds, this.options.seed, index);
  }

  private tallyOf(fuzzCase: FuzzCase): FuzzTally {
    return this.tallies.get(fuzzCase.seed.name)!;
  }

  private fail(index: number, problem: string): void {
    const { seed, mutations } = this.makeCase(index);
    this.failures.push({ index, name: seed.name, mutations, problem });
  }

  private finish(): void {
    this.done++;
    this.onProgress(this.done);
  }
}

function nextReaderCase(index: number): number {
  return isStepCase(index) ? index + 1 : index;
}

/** The report for people: a line per kind of file, then whatever failed, with what it takes to make it again. */
function formatFuzzReport(report: FuzzReport): string {
  const { count, seed, tallies, failures } = report;
  const rows = tallies.map(({ name, cases, loaded, refused, ended, slowestMilliseconds }) => ({
    'made from': name,
    files: cases,
    loaded,
    refused,
    ended,
    'slowest ms': Math.round(slowestMilliseconds),
  }));
  const verdict = failures.length === 0 ? 'none failed' : `${failures.length} FAILED`;
  return [
    `${count} mutated files, seed ${seed}: ${verdict}; readers peaked at ${Math.round(report.peakMiB)} MiB, ${report.seconds.toFixed(1)} s in all.`,
    formatTable(rows),
    ...failures.map(
      ({ index, name, mutations, problem }) =>
        `Case ${index} of seed ${seed} (${name}; ${mutations.join(', ')}): ${problem}`,
    ),
  ].join('\n');
}
