import { join } from 'node:path';
import { Writable } from 'node:stream';
import { runCommandLine } from '@palpable/cli/internal';

/**
 * A command line, run in this process: it takes a tenth of the time of a process of its own. For tests of what a command
 * answers; whoever tests signals, pipes or the end of the process starts one. `servo` ends its process: never here.
 */
export async function palpable(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [new Kept(), new Kept()];
  const status = await runCommandLine(args, { stdout, stderr });
  return { status, stdout: stdout.text, stderr: stderr.text };
}

/** From now on commands run in this folder and have their cache there. Returns what undoes it. */
export function workIn(folder: string): () => void {
  const before = { folder: process.cwd(), cache: process.env.PALPABLE_CACHE };
  process.chdir(folder);
  process.env.PALPABLE_CACHE = join(folder, 'cache');
  return () => {
    process.chdir(before.folder);
    if (before.cache === undefined) delete process.env.PALPABLE_CACHE;
    else process.env.PALPABLE_CACHE = before.cache;
  };
}

/** Keeps what is written. */
class Kept extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
