import type { Pose } from '../math/pose.js';
import { restingDepth } from '../method/lead-out.js';
import type { PreparedBodies } from '../method/method-definition.js';
import { methodOf } from '../method/methods.js';
import { bodyPose, createStartPairs, FULL_FORCE } from '../method/scene-pairs.js';
import { createToolContacts, deepestContact, findToolContacts } from '../method/tool-contacts.js';
import { describeSources } from './create-scene-method.js';
import type { Scene } from './scene-description.js';

/** How deep the tool of a scene may rest in what it touches, m; infinite where no body has a field. */
export function sceneRestingDepth({ contact }: Scene, bodies: PreparedBodies): number {
  const voxels = [...bodies.values()].map(({ field }) => field?.voxelSize ?? Number.POSITIVE_INFINITY);
  return restingDepth(Math.min(...voxels), contact.stiffness);
}

/** A sentence for the user if the tool was `depth` deep in something, m, and that is deeper than it may rest there; else null. */
export function describeSinking(scene: Scene, bodies: PreparedBodies, tool: string, depth: number): string | null {
  const limit = sceneRestingDepth(scene, bodies);
  if (!(depth > limit)) return null;
  return (
    `The ${tool} went ${(1000 * depth).toPrecision(3)} mm deep, further than the ${(1000 * limit).toPrecision(3)} mm at ` +
    `which contacts push back with ${FULL_FORCE} N, and may have come out on another side. ` +
    (methodOf(scene.method.kind).leadsOut === false
      ? `With ${scene.method.kind} the tool is where the device is; with god-object it stays outside.`
      : 'Limit the pull with coupling.maxForce, or raise contact.stiffness.')
  );
}

/**
 * A sentence for the user if the tool starts deeper inside of another body than it may rest there, else null. Bodies without shells
 * and fields are not used.
 */
export function describeStartOverlap(
  scene: Scene,
  bodies: PreparedBodies,
  tool = scene.tool[0],
  pose: Pose = bodyPose(scene.bodies[tool]),
): string | null {
  const sources = describeSources(scene, bodies, { tool });
  for (const pair of createStartPairs(scene, sources)) {
    const contacts = createToolContacts(sources.toolBody, [pair]);
    findToolContacts(contacts, pose);
    const depth = deepestContact(contacts.set);
    if (!(depth > restingDepth(pair.query.field.voxelSize, scene.contact.stiffness))) continue;
    const isLedOut = methodOf(scene.method.kind).leadsOut !== false;
    return (
      `The ${tool} starts ${(1000 * depth).toPrecision(3)} mm inside of the ${pair.environment}` +
      `${isLedOut ? ' and was put at the nearest place outside' : `, and ${scene.method.kind} leaves it there`}. To start elsewhere, ` +
      `change bodies.${tool}.position, or where the trajectory begins.`
    );
  }
  return null;
}
