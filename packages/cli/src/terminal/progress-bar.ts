import type { ProgressListener } from '@palpable/engine/advanced';

export interface ProgressBar {
  /** Fits the engine's `onProgress`: pass it on as it is. */
  readonly update: ProgressListener;
  /** Takes the bar off the terminal. */
  done(): void;
}

/** The part of a stream that the bar needs. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Work that is over sooner shows no bar: a flash of one only disturbs. */
const appearsAfterMs = 2000;
const redrawEveryMs = 100;
const barWidth = 24;
const clearLine = '\r\x1b[2K';

/**
 * A bar for long work, drawn on a terminal only. `now` is the clock in milliseconds.
 *
 *     Building field  ███████████████░░░░░░░░░  63 %  about 4 s left
 */
export function createProgressBar(stream: TerminalStream, now: () => number = () => performance.now()): ProgressBar {
  if (!stream.isTTY) return { update: () => {}, done: () => {} };
  const start = now();
  let lastDraw = Number.NEGATIVE_INFINITY;
  let stageName: string | undefined;
  let stageStart = start;
  let visible = false;
  return {
    update(stage, fraction) {
      const time = now();
      if (stage !== stageName) {
        stageName = stage;
        stageStart = time;
      }
      if (time - start < appearsAfterMs || time - lastDraw < redrawEveryMs) return;
      lastDraw = time;
      visible = true;
      stream.write(clearLine + formatBar(stage, fraction, time - stageStart).slice(0, (stream.columns ?? 80) - 1));
    },
    done() {
      if (visible) stream.write(clearLine);
      visible = false;
    },
  };
}

function formatBar(stage: string, fraction: number, elapsedMs: number): string {
  const part = Math.min(1, Math.max(0, Number.isFinite(fraction) ? fraction : 0));
  const filled = Math.round(part * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  return `${stage}  ${bar}  ${Math.floor(part * 100)} %${formatRemaining(part, elapsedMs)}`;
}

/** From the pace of this stage so far; nothing before there is a pace to speak of. */
function formatRemaining(fraction: number, elapsedMs: number): string {
  if (fraction < 0.02 || fraction >= 1 || elapsedMs < 1000) return '';
  const seconds = Math.ceil((elapsedMs * (1 - fraction)) / fraction / 1000);
  return seconds < 120 ? `  about ${seconds} s left` : `  about ${Math.ceil(seconds / 60)} min left`;
}
