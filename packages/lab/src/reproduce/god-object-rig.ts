import { handAlong, type Pose } from '@palpable/engine';
import { type ConstraintKind, type GodObjectMethod, PENALTY_DEPTH, PENALTY_MARGIN } from '@palpable/engine/advanced';
import type { LoadedScene } from '../play/load-scene.js';
import { createRig, play, type Recording, type Rig, type SceneChanges } from '../play/play.js';

/** A scene with a god object, as something that can be led along a motion. */
export interface GodObjectRig extends Rig {
  readonly godObject: GodObjectMethod;
  /** Of the finest field that takes part, m. */
  readonly voxel: number;
}

export const CONSTRAINTS: readonly ConstraintKind[] = ['heuristic', 'manifold'];

export function createGodObjectRig(loaded: LoadedScene, { method, ...changes }: SceneChanges): GodObjectRig {
  const rig = createRig(loaded, { ...changes, method: { ...method, kind: 'god-object' } });
  const voxel = Math.min(...rig.pairs.map(({ query }) => query.field.voxelSize));
  return { ...rig, godObject: rig.method as GodObjectMethod, voxel };
}

export type GodObjectRecording = Recording<'signed_penetration'>;

/** Places tool and device at the first pose and leads the device along all of them, one a cycle. */
export function follow(rig: GodObjectRig, motion: readonly Pose[], repeats = 1): GodObjectRecording {
  const { values } = rig.godObject.penalty;
  // p = p_d − d of the last query; below 0 outside.
  const probes = { signed_penetration: () => values[PENALTY_DEPTH]! - values[PENALTY_MARGIN]! };
  return play(rig, handAlong(motion), { repeats, probes });
}
