import type { PreparedBody } from '../asset/prepared-body.js';
import { createPose } from '../math/pose.js';
import { createMethodOutput } from '../method/method.js';
import { createSceneMethod, type SceneMethodOptions } from '../scene/create-scene-method.js';
import { planPairs } from '../scene/plan-pairs.js';
import type { Scene } from '../scene/scene-description.js';
import { bodyPose, missingPart } from '../scene/scene-pairs.js';

/** Methods that a command may change to. */
const KINDS = ['penalty', 'static-friction', 'god-object', 'modular', 'deformable'] as const;
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
  caches: Pick<SceneMethodOptions, 'queries' | 'sides'>,
): void {
  const output = createMethodOutput();
  const pose = createPose();
  for (const tool of tools) {
    const start = bodyPose(scene.bodies[tool]);
    for (const kind of KINDS) {
      const changed = { ...scene, method: { ...scene.method, kind } };
      if (kind === 'deformable' && !isForBending(scene, bodies)) continue;
      if (missingPart(changed, bodies, tool) !== null) continue;
      // Twice: the compiler settles the shapes of objects when they are made again, and drops what it compiled before.
      createSceneMethod(changed, bodies, { tool, ...caches });
      const { method } = createSceneMethod(changed, bodies, { tool, ...caches });
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

/** Rigid bodies alone can be stepped as well, but what is needed for it takes seconds to make of large meshes. */
function isForBending({ method }: Scene, bodies: ReadonlyMap<string, PreparedBody>): boolean {
  return method.kind === 'deformable' || [...bodies.values()].some(({ elastic }) => elastic !== null);
}
