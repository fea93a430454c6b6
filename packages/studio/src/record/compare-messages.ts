/** What the page and the thread of a comparison say to each other. */
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
