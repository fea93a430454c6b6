/**
 * When figures are shown anew: a few times a second, since faster cannot be read, and all of them at the same moments,
 * since every change of the page has its price.
 */
const REFRESH_MS = 400;

/** Counts the moments; figures are due whenever the count differs from the one that they were shown at. */
export function refreshCount(nowMs: number): number {
  return Math.floor(nowMs / REFRESH_MS);
}

/** Milliseconds to the next moment. */
export function untilRefresh(nowMs: number): number {
  return REFRESH_MS * (refreshCount(nowMs) + 1) - nowMs;
}
