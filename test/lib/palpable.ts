import { Writable } from 'node:stream';
import { runCommandLine } from '@palpable/cli/internal';
import { vi } from 'vitest';

/**
 * A command line, run in this process: it takes a tenth of the time of a process of its own. For tests of what a command
 * answers; whoever tests signals, pipes or the end of the process starts one. For `servo` see `keepProcess`.
 */
export async function palpable(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new Kept(), new Kept()];
  const status = await runCommandLine(args, { stdout, stderr });
  return { status, stdout: stdout.text, stderr: stderr.text };
}

/** Half a second, and some more on a busy machine, ms. */
const LEFT_BEHIND_MS = 1000;

/**
 * From now on nothing ends this process: `servo` does so half a second after its own end, whatever still runs. Returns
 * what undoes it.
 */
export function keepProcess(): () => Promise<void> {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as never);
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, LEFT_BEHIND_MS));
    exit.mockRestore();
  };
}

/** From now on commands run in this folder. Returns what undoes it. */
export function workIn(folder: string): () => void {
  const before = process.cwd();
  process.chdir(folder);
  return () => process.chdir(before);
}

/** Keeps what is written. */
class Kept extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
