import type { PreparedBody } from '../asset/prepared-body.js';
import { createPose } from '../math/pose.js';
import { createMethodOutput } from '../method/method.js';
import { createSceneMethod } from '../scene/create-scene-method.js';
import type { Scene } from '../scene/scene-description.js';
import { bodyPose, missingPart, type QueryCache } from '../scene/scene-pairs.js';

/** Methods that a command may change to. */
const KINDS = ['penalty', 'static-friction', 'god-object', 'modular'] as const;
const CYCLES = 300;

/**
 * Makes the queries of all methods, and runs each from where its tool stands into what it may touch, so that the code is
 * compiled before the first cycle that counts and before the first change of the method. Methods for which the bodies
 * were not prepared are left out: commands cannot change to them either.
 */
export function warmUpScene(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  tools: readonly string[],
  queries: QueryCache,
): void {
  const output = createMethodOutput();
  const pose = createPose();
  for (const tool of tools) {
    const start = bodyPose(scene.bodies[tool]);
    for (const kind of KINDS) {
      const changed = { ...scene, method: { ...scene.method, kind } };
      if (missingPart(changed, bodies, tool) !== null) continue;
      // Twice: the compiler settles the shapes of objects when they are made again, and drops what it compiled before.
      createSceneMethod(changed, bodies, { tool, queries });
      const { method, pairs, hierarchyPairs } = createSceneMethod(changed, bodies, { tool, queries });
      for (const { environmentPose } of [...pairs, ...hierarchyPairs]) {
        method.reset(start);
        for (let cycle = 0; cycle < CYCLES; cycle += 1) {
          pose.set(start);
          for (let k = 0; k < 3; k += 1) pose[k] += (cycle / CYCLES) * (environmentPose[k] - start[k]);
          method.step(output, pose);
        }
      }
    }
  }
}
