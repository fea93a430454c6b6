import type { PreparedBodies } from '../method/method-definition.js';
import { type MethodKind, methodOf, methodSettings, methods } from '../method/methods.js';
import { missingPart } from '../scene/plan-preparation.js';
import type { Scene } from '../scene/scene-description.js';
import { type ContactThreadMemory, createContactThreadMemory } from './contact-thread-memory.js';
import { createShapeMemory } from './shape-memory.js';

/**
 * The memory that a scene's loop and its contact thread share; null for a method that finds its contacts in the loop. A
 * scene that changes to another method later finds them in the loop as well, unless that one has a thread too. With
 * `showsShapes` the surfaces of elastic bodies are shown in it as they are deformed.
 */
export function createSceneContactMemory(
  scene: Scene,
  bodies: PreparedBodies,
  tools: readonly string[],
  showsShapes = false,
): ContactThreadMemory | null {
  if (!methodOf(scene.method.kind).contactSide) return null;
  let stateSize = 0;
  const bent = [];
  for (const { kind, contactSide } of methods) {
    const changed: Scene = { ...scene, method: methodSettings(kind as MethodKind) };
    if (!contactSide || (kind !== scene.method.kind && missingPart(changed, bodies, tools[0]) !== null)) continue;
    stateSize = Math.max(stateSize, contactSide.stateSize(changed, bodies, tools));
    bent.push(...(contactSide.bentBodies?.(changed, bodies) ?? []));
  }
  const shapes = showsShapes && bent.length > 0 ? createShapeMemory(bent) : null;
  return createContactThreadMemory(tools.length, stateSize, shapes);
}
