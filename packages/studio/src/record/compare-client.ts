/** The page's side of a comparison. */
import { hearWorker } from '../threads/hear-worker.js';
import type { ComparedMotion, VariantResult } from './compare.js';
import type { Variant } from './variants.js';

export interface ComparisonRequest {
  readonly motion: ComparedMotion;
  readonly variants: readonly Variant[];
}

/** `index` is the place of the variant in the request. */
export type FromComparison =
  | { readonly kind: 'progress'; readonly index: number; readonly fraction: number }
  | { readonly kind: 'result'; readonly index: number; readonly result: VariantResult }
  /** This variant cannot be run; the others go on. */
  | { readonly kind: 'failed'; readonly index: number; readonly message: string }
  | { readonly kind: 'done' };

export interface ComparisonListener {
  /** Of all variants together, 0 to 1. */
  onProgress(fraction: number, label: string): void;
  onResult(index: number, result: VariantResult): void;
  onFailed(index: number, message: string): void;
  onDone(): void;
  /** The thread ended before its time. */
  onLost(message: string): void;
}

export type RunningComparison = Readonly<ReturnType<typeof startComparison>>;

export function startComparison(request: ComparisonRequest, listener: ComparisonListener) {
  const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module', name: 'comparison' });
  const { variants } = request;
  const hear = (data: FromComparison) => {
    if (data.kind === 'progress') {
      listener.onProgress((data.index + data.fraction) / variants.length, variants[data.index]!.label);
    } else if (data.kind === 'result') listener.onResult(data.index, data.result);
    else if (data.kind === 'failed') listener.onFailed(data.index, data.message);
    else {
      worker.terminate();
      listener.onDone();
    }
  };
  hearWorker(worker, hear, (reason) => {
    worker.terminate();
    listener.onLost(reason);
  });
  worker.postMessage(request);
  return {
    /** Ends it at once; no further reports. */
    cancel: () => worker.terminate(),
  };
}
