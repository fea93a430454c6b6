import { isPalpableError } from '@palpable/engine';
import { CommanderError } from 'commander';
import { ExitCode } from './exit-codes.js';
import { interruptCode, isBrokenPipe } from './interrupt.js';
import { printJson } from './json.js';

/** Where a command writes. */
export interface Streams {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/**
 * Runs what a command does and maps whatever comes out of it to an exit code: a result code, the user's mistake
 * (one sentence, no stack) or a defect of ours (stack and a request to report it). With `json` the error also goes to
 * standard output as `{"error": …}`, so that a program reading it never finds half a document.
 */
export async function runCommand(
  action: () => Promise<ExitCode | undefined>,
  { stdout, stderr }: Streams,
  json = false,
): Promise<ExitCode> {
  try {
    return (await action()) ?? ExitCode.done;
  } catch (error) {
    // Commander has printed its own message or the help already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.badInput;
    if (isBrokenPipe(error)) return ExitCode.done;
    if (isPalpableError(error) && error.code === 'cancelled') return interruptCode();
    const usersMistake = isPalpableError(error) && error.code !== 'worker-failed';
    const message = error instanceof Error ? error.message : String(error);
    if (json) printJson(describeForPrograms(error, message), stdout);
    if (usersMistake) {
      stderr.write(`palpable: ${message}\n`);
      return ExitCode.badInput;
    }
    // Where a thread of ours failed, the stack of this one says nothing.
    const stack = error instanceof Error && !isPalpableError(error) ? error.stack : undefined;
    stderr.write(
      `${stack ?? message}\n\n` +
        'This is a defect in palpable, not in your input. Please report it with the lines above, the command that ' +
        'you ran and, if you may share it, the file.\n',
    );
    return ExitCode.defect;
  }
}

function describeForPrograms(error: unknown, message: string) {
  if (!isPalpableError(error)) return { error: { code: 'defect', message } };
  return { error: { code: error.code, message, ...(error.path === undefined ? {} : { path: error.path }) } };
}
