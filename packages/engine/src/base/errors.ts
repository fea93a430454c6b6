/**
 * Errors that speak to the user. Building and loading throw them; nothing in the haptic cycle does.
 *
 * The message is one sentence: what is wrong, where, what was expected, what to do. `code` is stable and meant for
 * programs, `path` says where: a file, or a place inside one (`bodies.cube.field.resolution`, `line 12`).
 */

export type ErrorCode =
  | 'file-unreadable'
  | 'format-unknown'
  | 'format-invalid'
  | 'format-unsupported'
  | 'mesh-empty'
  | 'mesh-invalid'
  | 'too-large'
  | 'option-invalid'
  | 'asset-invalid'
  | 'cancelled'
  | 'worker-failed';

/**
 * The error of everything that loads, checks or builds: a stable `code`, a message for people, and the `path` it is
 * about.
 */
export class PalpableError extends Error {
  override readonly name = 'PalpableError';
  /** Stable: programs may rely on it. */
  readonly code: ErrorCode;
  /** The file, option or key that the message is about. */
  readonly path: string | undefined;

  constructor(code: ErrorCode, message: string, path?: string) {
    super(message);
    this.code = code;
    this.path = path;
  }

  /** The same error with the place it happened in, for callers that know the file while the thrower does not. */
  at(path: string): PalpableError {
    const error = new PalpableError(this.code, `${path}: ${this.message}`, path);
    error.cause = this;
    return error;
  }
}

/**
 * True for anything that carries a stable code of ours, also after a trip through a worker's structured clone.
 *
 * @example
 * ```ts
 * import { createSphere, isPalpableError } from '@palpable/engine';
 *
 * try {
 *   createSphere(-1);
 * } catch (error) {
 *   if (!isPalpableError(error)) throw error;
 *   console.log(error.code, error.message); // option-invalid, and why
 * }
 * ```
 */
export function isPalpableError(error: unknown): error is PalpableError {
  return typeof error === 'object' && error !== null && (error as { name?: unknown }).name === 'PalpableError';
}
