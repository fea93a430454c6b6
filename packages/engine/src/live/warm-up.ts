import { createPose } from '../math/pose.js';
import { createMethodOutput } from '../method/method.js';
import type { MethodCaches } from '../method/method-caches.js';
import type { PreparedBodies } from '../method/method-definition.js';
import { methods } from '../method/methods.js';
import { bodyPose, planPairs } from '../method/scene-pairs.js';
import { checkSceneValue } from '../scene/check-scene.js';
import { createSceneMethod } from '../scene/create-scene-method.js';
import { missingPart } from '../scene/plan-preparation.js';
import type { Scene } from '../scene/scene-description.js';

const CYCLES = 300;

/**
 * Makes the queries of all methods, and runs each from where its tool stands into what it may touch, so that the code is
 * compiled before the first cycle that counts and before the first change of the method. Methods for which the bodies
 * were not prepared are left out: commands cannot change to them either. `value` is what the scene file holds.
 */
export function warmUpScene(
  value: unknown,
  scene: Scene,
  bodies: PreparedBodies,
  tools: readonly string[],
  caches: MethodCaches,
): void {
  const output = createMethodOutput();
  const pose = createPose();
  for (const tool of tools) {
    const start = bodyPose(scene.bodies[tool]);
    for (const { kind, isExpected } of methods) {
      if (kind !== scene.method.kind && isExpected?.(bodies) === false) continue;
      const changed = sceneOfKind(value, kind);
      if (!changed || missingPart(changed, bodies, tool) !== null) continue;
      // Twice: the compiler settles the shapes of objects when they are made again, and drops what it compiled before.
      createSceneMethod({ ...changed }, bodies, { tool, caches });
      const { method } = createSceneMethod(changed, bodies, { tool, caches });
      for (const { environment } of planPairs(changed, tool)) {
        const end = bodyPose(scene.bodies[environment]);
        method.reset(start);
        for (let cycle = 0; cycle < CYCLES; cycle += 1) {
          pose.set(start);
          for (let k = 0; k < 3; k += 1) pose[k] += (cycle / CYCLES) * (end[k] - start[k]);
          method.step(output, pose);
        }
      }
    }
  }
}

/** What the file says of another method counts for it; null if it does not go with the rest. */
function sceneOfKind(value: unknown, kind: string): Scene | null {
  const { method, ...rest } = value as { readonly method?: object };
  return checkSceneValue({ ...rest, method: { ...method, kind } }).scene;
}
