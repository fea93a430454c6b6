/** The page's side of the thread that reads a part; ends it when it is done, was given up or takes too long. */
import { type ErrorCode, PalpableError } from '@palpable/engine';
import type { FromPartThread, ReadPart, ToPartThread } from './part.js';

/** How far a file is. A fraction that is undefined: at work, for an unknown time. */
export interface ReadProgress {
  readonly stage: string;
  readonly fraction: number | undefined;
}

/** Longest that the CAD kernel may work on one file, seconds; as on the command line. */
const KERNEL_TIME_LIMIT = 120;

export async function readPart(
  request: ToPartThread,
  signal: AbortSignal,
  onProgress: (progress: ReadProgress) => void,
): Promise<ReadPart> {
  const { name } = request.file;
  signal.throwIfAborted();
  const worker = new Worker(new URL('./part-worker.ts', import.meta.url), { type: 'module', name });
  let clock: ReturnType<typeof setInterval> | undefined;
  try {
    return await new Promise<ReadPart>((resolve, reject) => {
      const fail = (code: ErrorCode, message: string) => reject(new PalpableError(code, message, name));
      signal.addEventListener('abort', () => fail('cancelled', 'The file was not read completely.'));
      worker.onerror = (event) => {
        event.preventDefault();
        const words = event.message || 'its script could not be loaded, or memory ran out';
        fail(
          'worker-failed',
          `${name}: The thread that reads it ended (${words}). Try again, or reduce its triangles.`,
        );
      };
      worker.onmessage = ({ data }: MessageEvent<FromPartThread>) => {
        if (data.kind === 'read') resolve(data.part);
        else if (data.kind === 'failed') fail(data.code, data.message);
        else if (data.kind === 'progress') onProgress(data);
        else clock = watchKernel(onProgress, () => fail('too-large', tooSlow(name)));
      };
      worker.postMessage(request);
    });
  } finally {
    clearInterval(clock);
    worker.terminate();
  }
}

/** The kernel says nothing while it works: that time passes is all that can be shown. */
function watchKernel(onProgress: (progress: ReadProgress) => void, onLate: () => void) {
  let seconds = 0;
  const show = () => onProgress({ stage: `Cutting its solids into triangles, ${seconds} s`, fraction: undefined });
  show();
  return setInterval(() => {
    seconds += 1;
    show();
    if (seconds >= KERNEL_TIME_LIMIT) onLate();
  }, 1000);
}

function tooSlow(name: string): string {
  return `${name}: The CAD kernel did not finish within ${KERNEL_TIME_LIMIT} s; the file is damaged or very large: export the part as STL.`;
}
