import type { Pose } from '../math/pose.js';
import { restingDepth } from '../method/lead-out.js';
import type { PreparedBodies } from '../method/method-definition.js';
import { methodOf } from '../method/methods.js';
import { bodyPose, createStartPairs } from '../method/scene-pairs.js';
import { createToolContacts, deepestContact, findToolContacts } from '../method/tool-contacts.js';
import { describeSources } from './create-scene-method.js';
import type { Scene } from './scene-description.js';

/**
 * A sentence for the user if the tool starts deeper inside of another body than it may rest there, else null. Bodies without shells
 * and fields are not looked at.
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
