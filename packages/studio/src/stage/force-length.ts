/** How long a force is drawn: by its logarithm, so that a tenth of a newton is seen beside ten of them. */

/** Below this the length grows evenly, above it by the logarithm, N. */
const KNEE = 0.1;
/** From here on arrows grow no more, N. */
const LARGEST_FORCE = 20;
const SPAN = Math.log1p(LARGEST_FORCE / KNEE);

/** 0 for no force, 1 from the largest on. */
export function forceShare(force: number): number {
  return Math.min(1, Math.log1p(Math.max(0, force) / KNEE) / SPAN);
}
