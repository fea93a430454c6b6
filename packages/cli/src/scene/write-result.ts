import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { PalpableError } from '@palpable/engine';
import {
  formatResultCells,
  type ProgressListener,
  playCycle,
  RESULT_WIDTH,
  resultHeader,
  type ScenePlay,
  STAGE_TOTAL,
  writeResultRow,
} from '@palpable/engine/advanced';

/** Cycles between two writes: their numbers are kept first and formatted afterwards, outside of what is timed. */
const BLOCK = 2048;
/** Nor do they keep Ctrl-C waiting for longer than this, ms. */
const BLOCK_MS = 200;

export interface PlayHooks {
  readonly onProgress?: ProgressListener;
  readonly signal?: AbortSignal;
  /** Called after every cycle, while the method still shows its inner values. */
  readonly afterCycle?: (cycle: number) => void;
}

/** Plays a run to its end and hands over its rows block by block; gives back how long each cycle took, µs. */
export async function playRun(
  run: ScenePlay,
  onRows: (rows: Float64Array, count: number) => Promise<boolean>,
  { onProgress, signal, afterCycle }: PlayHooks,
): Promise<Float64Array> {
  const { cycles } = run.hand;
  const timesUs = new Float64Array(cycles);
  const rows = new Float64Array(BLOCK * RESULT_WIDTH);
  let goOn = true;
  while (goOn) {
    let count = 0;
    const until = performance.now() + BLOCK_MS;
    for (; count < BLOCK && (count === 0 || performance.now() < until) && playCycle(run); count += 1) {
      writeResultRow(rows, count, run.time, run.devicePose, run.output, run.limited);
      timesUs[run.cycle] = run.output.stageUs[STAGE_TOTAL]!;
      afterCycle?.(run.cycle);
    }
    if (count === 0) break;
    goOn = await onRows(rows, count);
    onProgress?.('Playing', (run.cycle + 1) / cycles);
    // Lets Ctrl-C through.
    await setImmediate();
    if (signal?.aborted) throw new PalpableError('cancelled', 'The run was cancelled before it was finished.');
  }
  return timesUs;
}

export interface WriteHooks extends PlayHooks {
  /** Called when all is written, before the file takes its place. */
  readonly beforeRename?: () => Promise<void>;
}

/** Plays a run into a CSV file, which is there as a whole or not at all. */
export async function writeResult(path: string, run: ScenePlay, hooks: WriteHooks): Promise<Float64Array> {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await explained(path, () => open(temporary, 'w'));
    let timesUs: Float64Array;
    try {
      timesUs = await playIntoFile(path, file, run, hooks);
    } finally {
      await file.close();
    }
    await hooks.beforeRename?.();
    await explained(path, () => rename(temporary, path));
    return timesUs;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function playIntoFile(path: string, file: FileHandle, run: ScenePlay, hooks: PlayHooks): Promise<Float64Array> {
  await explained(path, () => file.writeFile(`${resultHeader()}\n`));
  const writeRows = async (rows: Float64Array, count: number) => {
    let text = '';
    for (let row = 0; row < count; row += 1) text += `${formatResultCells(rows, row).join(',')}\n`;
    await explained(path, () => file.writeFile(text));
    return true;
  };
  const timesUs = await playRun(run, writeRows, hooks);
  await explained(path, () => file.sync());
  return timesUs;
}

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  return action().catch((error: Error) => {
    const sentence = `${path} cannot be written (${error.message}); check the folder, its permissions and the space left.`;
    throw new PalpableError('file-unreadable', sentence, path);
  });
}
