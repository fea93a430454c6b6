/**
 * Microseconds of one call, as the least of several batches: what the machine does beside us only ever adds. Calls of a
 * few microseconds are too short for the clock, so they are timed in batches.
 */
export function microsecondsPerCall(call: () => void, callsPerBatch: number, batches = 5): number {
  let least = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < batches; batch += 1) {
    const started = performance.now();
    for (let n = 0; n < callsPerBatch; n += 1) call();
    least = Math.min(least, ((performance.now() - started) * 1000) / callsPerBatch);
  }
  return least;
}
