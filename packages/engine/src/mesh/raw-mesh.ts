import { PalpableError } from '../base/errors.js';

/** What a reader found in a file: the file's own unit, not yet checked, with what the user should know. */
export interface RawMesh {
  readonly positions: Float64Array;
  readonly triangles: Uint32Array;
  readonly warnings: string[];
}

/** Most triangles that are accepted; indices and edges of more do not fit the memory that a browser tab grants. */
export const MAX_TRIANGLES = 16_000_000;

export function checkTriangleLimit(count: number): void {
  if (count <= MAX_TRIANGLES) return;
  throw new PalpableError(
    'too-large',
    `The mesh has more than ${MAX_TRIANGLES / 1e6} million triangles; simplify it before loading.`,
  );
}

export function truncated(what: string, needed: number, present: number): PalpableError {
  return new PalpableError(
    'format-invalid',
    `${what} needs ${needed} bytes but only ${present} are there; the file is cut short or damaged: export it again.`,
  );
}
