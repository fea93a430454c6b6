import { PalpableError } from './errors.js';

/** Called from time to time while something is built. `fraction` runs from 0 to 1 and never falls. */
export type ProgressListener = (stage: string, fraction: number) => void;

/** The part of the web's `AbortSignal` that building needs, so that the engine stays free of host types. */
export interface CancelSignal {
  readonly aborted: boolean;
}

/** What every long-running build accepts. */
export interface BuildHooks {
  /** Called now and then with the stage and the fraction done, 0 to 1. */
  readonly onProgress?: ProgressListener;
  /** Ends the work early with the code `cancelled`. */
  readonly signal?: CancelSignal;
}

export function throwIfCancelled(signal: CancelSignal | undefined): void {
  if (signal?.aborted) throw new PalpableError('cancelled', 'The work was cancelled before it was finished.');
}
