import { expect, test } from 'vitest';
import { loadStabilityScene, runStability, STABILITY_METHODS } from './stability-run.js';

test('every method is at rest with a soft wall, and buzzes far above the limit of the sampled device', async () => {
  const loaded = await loadStabilityScene(() => {});
  for (const method of STABILITY_METHODS) {
    const run = (stiffness: number) =>
      runStability(loaded, { method, guard: 'bare', rateHz: 500, stiffness, damping: 0.5, latency: 0 });
    const soft = run(1000);
    expect(soft.stable).toBe(true);
    expect(soft.mostGiven).toBeLessThan(1e-3);
    const hard = run(32_000);
    expect(hard.stable).toBe(false);
    expect(hard.mostGiven).toBeGreaterThan(1e-3);
    // The loop's account is of what its samples show; there is neither latency nor a step of an encoder here.
    expect(Math.abs(hard.ledgerPeak - hard.mostGiven)).toBeLessThan(0.01 * hard.mostGiven);
  }
});
