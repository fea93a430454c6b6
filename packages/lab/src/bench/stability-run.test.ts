import { readFile } from 'node:fs/promises';
import { buildSceneMesh, type PreparedBody, planPreparation, prepareBody, readScene } from '@palpable/engine';
import { expect, test } from 'vitest';
import { runStability, STABILITY_METHODS, withStudyShell } from './stability-run.js';

/** Prepared here: what the command line has threads for is built before it can be used. */
async function loadScene() {
  const file = new URL('../../../../scenes/block-plate.json', import.meta.url);
  const scene = withStudyShell(readScene(await readFile(file, 'utf8')));
  const bodies = new Map<string, PreparedBody>();
  for (const [name, plan] of planPreparation(scene)) {
    bodies.set(name, await prepareBody(buildSceneMesh(scene.bodies[name]!)!, plan));
  }
  return { scene, bodies };
}

test('every method is at rest with a soft wall, and buzzes far above the limit of the sampled device', async () => {
  const loaded = await loadScene();
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
