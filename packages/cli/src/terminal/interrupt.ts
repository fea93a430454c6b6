import { ExitCode } from './exit-codes.js';

/** How long a command may take to clean up after Ctrl-C before the process ends anyway. */
const graceMs = 2000;

/**
 * A signal that Ctrl-C (or a polite kill) aborts, so that a command can close files and servers and end with 130. Ask
 * for it only where it is looked at: from then on the system no longer ends the process by itself. A second Ctrl-C,
 * or two seconds without an end, ends it at once.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(ExitCode.interrupted);
    controller.abort();
    setTimeout(() => process.exit(ExitCode.interrupted), graceMs).unref();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return controller.signal;
}
