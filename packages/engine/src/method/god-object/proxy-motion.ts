import { applyPose } from '../../math/matrices.js';
import { type Pose, rotationMatrix } from '../../math/pose.js';
import { moveAsScrew, rotationBetween } from '../../math/rotation.js';
import type { ToolBody } from '../tool-contacts.js';

/** How the proxy goes from pose to pose: twists about its centre of mass, world frame. */
export interface ProxyMotion {
  /** Of mass, in the tool's frame. */
  readonly bodyCentre: Float64Array;
  readonly workspace: {
    readonly centre: Float64Array;
    readonly other: Float64Array;
    readonly turn: Float64Array;
    readonly rotation: Float64Array;
  };
}

export function createProxyMotion(tool: ToolBody): ProxyMotion {
  return {
    bodyCentre: Float64Array.from(tool.centre),
    workspace: {
      centre: new Float64Array(3),
      other: new Float64Array(3),
      turn: new Float64Array(3),
      rotation: new Float64Array(9),
    },
  };
}

/** The twist from `pose` to `goal`: Eq. 32, 33 in the world frame. */
export function wayBetween(way: Float64Array, { bodyCentre, workspace }: ProxyMotion, pose: Pose, goal: Pose): void {
  const { centre, other, turn, rotation } = workspace;
  placeCentre(centre, rotation, bodyCentre, pose);
  placeCentre(other, rotation, bodyCentre, goal);
  rotationBetween(turn, pose, goal);
  for (let i = 0; i < 3; i += 1) {
    way[i] = other[i] - centre[i];
    way[3 + i] = turn[i];
  }
}

/** Moves `pose` by a twist. */
export function moveBy(pose: Pose, { bodyCentre, workspace }: ProxyMotion, step: Float64Array): void {
  const { centre, rotation } = workspace;
  placeCentre(centre, rotation, bodyCentre, pose);
  moveAsScrew(pose, centre, rotation, bodyCentre, step);
}

/** Takes arrays only: single numbers handed to a function may go to the heap. */
function placeCentre(out: Float64Array, rotation: Float64Array, centre: Float64Array, pose: Pose): void {
  rotationMatrix(rotation, pose);
  applyPose(out, 0, pose, rotation, centre, 0);
}
