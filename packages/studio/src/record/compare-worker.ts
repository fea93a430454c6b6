/** The thread of a comparison: one variant after the other, so that their times do not disturb each other. */
import { isPalpableError } from '@palpable/engine';
import { workerScope } from '../threads/browser-workers.js';
import { runVariant } from './compare.js';
import type { ComparisonRequest, FromComparison } from './compare-client.js';

function report(message: FromComparison, transfer: Transferable[] = []): void {
  workerScope.postMessage(message, transfer);
}

workerScope.addEventListener('message', ({ data }: MessageEvent<ComparisonRequest>) => {
  data.variants.forEach((variant, index) => {
    try {
      const onProgress = (fraction: number) => report({ kind: 'progress', index, fraction });
      const result = runVariant(data.motion, variant, onProgress, () => performance.now());
      report({ kind: 'result', index, result }, [result.rows.buffer, result.drift.buffer]);
    } catch (error) {
      if (!isPalpableError(error)) throw error;
      report({ kind: 'failed', index, message: error.message });
    }
  });
  report({ kind: 'done' });
});
