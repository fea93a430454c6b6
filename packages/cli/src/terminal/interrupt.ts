import { constants } from 'node:os';
import { ExitCode } from './exit-codes.js';

/** How long a command may take to clean up before the process ends anyway. */
const graceMs = 2000;

/** What asks a process to end. Ctrl-Break and a closed window exist on Windows only, the last two elsewhere only. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK', 'SIGQUIT'] as const satisfies NodeJS.Signals[];

let controller: AbortController | undefined;
/** With which the process is to end since it was interrupted. */
let exitCode: ExitCode = ExitCode.interrupted;

/**
 * A signal that Ctrl-C, any polite kill, a closed terminal or a reader of our output that left aborts, so that a command
 * can close files and servers. Ask for it only where it is checked: from then on the system no longer ends the process
 * by itself. A second Ctrl-C, or two seconds without an end, ends it at once.
 */
export function interruptSignal(): AbortSignal {
  if (controller) return controller.signal;
  controller = new AbortController();
  for (const name of SIGNALS) {
    const number = constants.signals[name];
    // A system that does not know the signal never sends it.
    if (number !== undefined) process.on(name, () => endBy((128 + number) as ExitCode));
  }
  return controller.signal;
}

/** The exit code of a command that was interrupted: 128 and the number of the signal, as shells have it. */
export function interruptCode(): ExitCode {
  return exitCode;
}

function endBy(code: ExitCode): void {
  if (controller!.signal.aborted) process.exit(exitCode);
  interrupt(code);
}

function interrupt(code: ExitCode): void {
  exitCode = code;
  controller!.abort();
  setTimeout(() => process.exit(code), graceMs).unref();
}

/** What writing to a pipe or a terminal gives when there is nobody left at its other end. */
const NO_READER = new Set(['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/** True when the reader of our output (`| head`) has gone: no error, there is just nobody left to read it. */
export function isBrokenPipe(error: unknown): boolean {
  return NO_READER.has((error as NodeJS.ErrnoException | null)?.code ?? '');
}

/** `palpable … | head`: when the reader leaves, we are done. */
export function endQuietlyWithoutReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error) => {
    if (!isBrokenPipe(error)) throw error;
    if (!controller) process.exit(ExitCode.done);
    if (!controller.signal.aborted) interrupt(ExitCode.done);
  });
}
