import { flatPoints } from '../../shell/flat-points.js';
import type { PointShell } from '../../shell/point-shell.js';

/** What the manifold remembers of every point of a shell from step to step. */
export interface PointMemory {
  /** The point above each in the tree, −1 for roots. */
  readonly parent: Int32Array;
  /** 1 on flat faces. */
  readonly isFlat: Uint8Array;
  /** Its contact in the program of the step `ownStamp`. */
  readonly own: Int32Array;
  readonly ownStamp: Int32Array;
  /** The step of which the rest is. */
  readonly stamp: Int32Array;
  /** World frame, m, and its bound. */
  readonly friction: Float64Array;
  readonly bound: Float64Array;
  /** How deep it pressed, m. */
  readonly load: Float64Array;
}

export function createPointMemory(shell: PointShell): PointMemory {
  const { count } = shell;
  return {
    parent: parentsOf(shell),
    isFlat: flatPoints(shell),
    own: new Int32Array(count),
    ownStamp: new Int32Array(count).fill(-2),
    stamp: new Int32Array(count).fill(-2),
    friction: new Float64Array(3 * count),
    bound: new Float64Array(count),
    load: new Float64Array(count),
  };
}

function parentsOf({ count, childStart, childCount }: PointShell): Int32Array {
  const parent = new Int32Array(count).fill(-1);
  for (let point = 0; point < count; point += 1) {
    parent.fill(point, childStart[point], childStart[point] + childCount[point]);
  }
  return parent;
}
