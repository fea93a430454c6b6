import { PalpableError } from '@palpable/engine';
import type { StaticFrictionMethod } from '@palpable/engine/advanced';
import type { LoadedScene } from '../play/load-scene.js';
import { createRig, type Rig, type SceneChanges } from '../play/play.js';

export interface FrictionRig extends Rig {
  readonly staticFriction: StaticFrictionMethod;
}

/** For the studies of static friction. */
export function createFrictionRig(loaded: LoadedScene, changes: SceneChanges = {}): FrictionRig {
  const rig = createRig(loaded, changes);
  if (rig.scene.method.kind === 'static-friction') {
    return { ...rig, staticFriction: rig.method as StaticFrictionMethod };
  }
  const message = `The scene's method.kind is "${loaded.scene.method.kind}", but this experiment needs "static-friction".`;
  throw new PalpableError('option-invalid', message, 'method.kind');
}
