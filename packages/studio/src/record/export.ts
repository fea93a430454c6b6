/** Files from takes and images. Rows are written in slices, so that the page goes on drawing meanwhile. */
import { PalpableError } from '@palpable/engine';
import { formatLiveRow, formatResultCells, liveHeader, resultHeader } from '@palpable/engine/advanced';
import type { VariantResult } from './compare.js';
import { rowOf, type Take, type TakeRows, timeOf } from './take.js';

/** So many rows take a few milliseconds. */
const ROWS_PER_SLICE = 500;

/** Lets the page go on; resolves at once where nothing is to be waited for. */
type Pause = () => Promise<void>;

export interface ExportHooks {
  readonly pause?: Pause;
  readonly onProgress?: (fraction: number) => void;
}

/** A task of its own, without the four milliseconds that timers wait at least. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Cycle by cycle with the hands side by side, as the loop wrote them. `visit` gets a row in place. */
export async function visitRows(
  { hands }: Take,
  visit: (row: Float64Array) => void | Promise<void>,
  { pause = nextTask, onProgress = () => {} }: ExportHooks,
): Promise<void> {
  const total = hands.reduce((sum, { count }) => sum + count, 0);
  const next = hands.map(() => 0);
  for (let done = 0; done < total; done += 1) {
    const hand = earliest(hands, next);
    const visited = visit(rowOf(hands[hand]!, next[hand]!));
    if (visited) await visited;
    next[hand]! += 1;
    if (done % ROWS_PER_SLICE !== ROWS_PER_SLICE - 1) continue;
    onProgress((done + 1) / total);
    await pause();
  }
  onProgress(1);
}

function earliest(hands: readonly TakeRows[], next: readonly number[]): number {
  let best = -1;
  for (let hand = 0; hand < hands.length; hand += 1) {
    if (next[hand]! >= hands[hand]!.count) continue;
    if (best < 0 || timeOf(hands[hand]!, next[hand]!) < timeOf(hands[best]!, next[best]!)) best = hand;
  }
  return best;
}

/** As `palpable servo` records it: all hands, distinguished by the column `hand`. */
export async function csvOfTake(take: Take, hooks: ExportHooks = {}): Promise<Blob> {
  const text = new TextParts(liveHeader());
  await visitRows(take, (row) => text.add(formatLiveRow(row)), hooks);
  return text.finish();
}

/** As `palpable run` writes a result. */
export async function csvOfRun({ count, rows }: VariantResult, { pause = nextTask }: ExportHooks = {}): Promise<Blob> {
  const text = new TextParts(resultHeader());
  for (let row = 0; row < count; row += 1) {
    text.add(formatResultCells(rows, row).join(','));
    if (row % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) await pause();
  }
  return text.finish();
}

/** Lines gathered into pieces that no engine finds too long. */
class TextParts {
  private readonly parts: string[] = [];
  private lines: string[];

  constructor(header: string) {
    this.lines = [header];
  }

  add(line: string): void {
    this.lines.push(line);
    if (this.lines.length >= ROWS_PER_SLICE) this.close();
  }

  finish(): Blob {
    this.close();
    return new Blob(this.parts, { type: 'text/csv' });
  }

  private close(): void {
    if (this.lines.length > 0) this.parts.push(`${this.lines.join('\n')}\n`);
    this.lines = [];
  }
}

/** What the stage shows. `draw` draws it again: a browser may forget a frame as soon as it was shown. */
export function pngOfCanvas(canvas: HTMLCanvasElement, draw: () => void): Promise<Blob> {
  draw();
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else
        reject(
          new PalpableError(
            'worker-failed',
            'The browser returned no picture of the stage; make the window smaller and try again.',
          ),
        );
    }, 'image/png');
  });
}

/** Hands a file to the browser's downloads. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The download reads it later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Good on every system: letters, digits and hyphens. */
export function fileName(name: string, ending: string, nameless = 'take'): string {
  const stem = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${stem || nameless}.${ending}`;
}
