import type { PreparedBody } from '../asset/prepared-body.js';
import type { DeformableSetup } from '../method/deformable/deformable-setup.js';
import { layOutState } from '../method/deformable/world-state.js';
import { deformableParameters } from '../scene/deformable-parameters.js';
import { describeDeformableScene } from '../scene/deformable-scene.js';
import type { Scene } from '../scene/scene-description.js';
import { missingPart } from '../scene/scene-pairs.js';
import { isThreadedKind } from './contact-links.js';
import { type ContactThreadMemory, createContactThreadMemory } from './contact-thread-memory.js';
import { createShapeMemory } from './shape-memory.js';

/**
 * The memory that a scene's loop and its contact thread share; null for a method that finds its contacts in the loop. A
 * scene that changes to another method later finds them in the loop as well, unless that one has a thread too. With
 * `showsShapes` the surfaces of elastic bodies are shown in it as they are deformed.
 */
export function createSceneContactMemory(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  tools: readonly string[],
  showsShapes = false,
): ContactThreadMemory | null {
  if (!isThreadedKind(scene.method.kind)) return null;
  const setup = describeWorld(scene, bodies, tools);
  if (!setup) return createContactThreadMemory(tools.length);
  const { size } = layOutState(setup);
  const names = Object.keys(scene.bodies);
  const shaped = setup.bodies.flatMap(({ elastic, surface }, index) =>
    elastic ? [{ name: names[index], vertices: surface.positions.length / 3 }] : [],
  );
  const shapes = showsShapes && shaped.length > 0 ? createShapeMemory(shaped) : null;
  return createContactThreadMemory(tools.length, size, shapes);
}

/** The world of `deformable` with as many contacts as commands may ask for; null if they cannot ask for that method. */
function describeWorld(
  scene: Scene,
  bodies: ReadonlyMap<string, PreparedBody>,
  tools: readonly string[],
): DeformableSetup | null {
  const changed: Scene = { ...scene, method: { ...scene.method, kind: 'deformable' } };
  if (missingPart(changed, bodies, tools[0]) !== null) return null;
  const setup = describeDeformableScene(changed, bodies, tools);
  return { ...setup, options: { ...setup.options, contacts: deformableParameters.solvedContacts.max } };
}
