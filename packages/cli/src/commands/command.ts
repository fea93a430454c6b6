import type { Command } from 'commander';
import type { ExitCode } from '../terminal/exit-codes.js';
import { interruptSignal } from '../terminal/interrupt.js';
import { printJson } from '../terminal/json.js';
import { createProgressBar, type ProgressBar, type TerminalStream } from '../terminal/progress-bar.js';
import { runCommand, type Streams } from '../terminal/run-command.js';

/** What every command is given beside its own arguments. */
export interface CommandContext extends Streams {
  /** The user wants JSON on standard output and nothing else there. */
  readonly json: boolean;
  /** On standard error; shows itself on a terminal after two seconds. Pass `progress.update` on as `onProgress`. */
  readonly progress: ProgressBar;
  /** Aborted by Ctrl-C. Only for commands that check it: asking for it takes Ctrl-C away from the system. */
  readonly interrupt: () => AbortSignal;
}

export interface CommandDefinition<Args extends readonly unknown[], Options> {
  /** Name and arguments as commander reads them: `inspect <file>`, `prepare <mesh...>`. */
  readonly usage: string;
  readonly summary: string;
  /** At least one command line that works, shown by --help. */
  readonly examples: readonly [string, ...string[]];
  /** Adds options of its own; --json and --help are there already. */
  readonly options?: (command: Command) => Command;
  /** The arguments in the order of `usage`. A result of undefined means done. */
  readonly run: (context: CommandContext, options: Options, ...args: Args) => Promise<ExitCode | undefined>;
}

/** A result for programs, or the same as text for people. */
export function printReport({ stdout, json, progress }: CommandContext, report: unknown, text: () => string): void {
  progress.done();
  if (json) printJson(report, stdout);
  else stdout.write(`${text()}\n`);
}

/** What the program knows and commands need: where to write, and where to leave the exit code. */
export interface CommandHost extends Streams {
  exitCode: ExitCode;
}

/** Adds a command to the program (or into a group such as `bench`). */
export function addCommand<Args extends readonly unknown[], Options>(
  parent: Command,
  host: CommandHost,
  definition: CommandDefinition<Args, Options>,
): void {
  const command = parent
    .command(definition.usage)
    .description(definition.summary)
    .addHelpText('after', formatExamples(definition.examples));
  definition.options?.(command);
  command.option('--json', 'print the result as JSON');
  command.action(async () => {
    const options = command.opts<Options & { json?: boolean }>();
    const json = options.json === true;
    const progress = createProgressBar(host.stderr as TerminalStream);
    const context: CommandContext = {
      stdout: host.stdout,
      stderr: host.stderr,
      json,
      progress,
      interrupt: interruptSignal,
    };
    const run = async () => {
      try {
        return await definition.run(context, options, ...(command.processedArgs as unknown as Args));
      } finally {
        // Before any message, so that the bar does not stand in it.
        progress.done();
      }
    };
    host.exitCode = await runCommand(run, host, json);
  });
}

export function formatExamples(examples: readonly string[]): string {
  const heading = examples.length === 1 ? 'Example:' : 'Examples:';
  return ['', heading, ...examples.map((example) => `  $ ${example}`)].join('\n');
}
