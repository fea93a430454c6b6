import { isWoundAround, type TreeWorkspace } from '../field/tree-query.js';
import { PLANES_SIZE, type TriangleTree } from '../field/triangle-tree.js';

/**
 * On which side of a surface a point is that has just been measured.
 *
 * Where a point is nearest to the inner part of a triangle that nothing else passes through, nothing is between the two,
 * nor between any other such point and the same face of that triangle: all of them are on one side. So one winding
 * number for each face of a triangle answers for all of them. Near edges and corners, and for triangles that others pass
 * through, the winding number is asked each time.
 */
export class Sides {
  private readonly tree: TriangleTree;
  private readonly workspace: TreeWorkspace;
  private readonly whole: Uint8Array;
  /** Nearer than this it would be rounding that says on which face, m. */
  private readonly onSurface: number;
  /** Per triangle the sides of its back and of its front, as far as they are known. */
  private readonly known: Uint8Array;

  /** `whole` as `wholeTriangles` gives it. */
  constructor(tree: TriangleTree, workspace: TreeWorkspace, whole: Uint8Array) {
    this.tree = tree;
    this.workspace = workspace;
    this.whole = whole;
    const { boxes } = tree;
    this.onSurface = ON_SURFACE * Math.max(boxes[3] - boxes[0], boxes[4] - boxes[1], boxes[5] - boxes[2]);
    this.known = new Uint8Array(2 * whole.length);
  }

  /** The point must be what `nearestDistanceSquared` was asked about last, with this workspace, without a bound. */
  isInside(x: number, y: number, z: number): boolean {
    const { tree, workspace, known } = this;
    const place = this.faceOfNearest();
    if (place < 0) return isWoundAround(tree, workspace, x, y, z);
    if (known[place] === UNKNOWN) known[place] = isWoundAround(tree, workspace, x, y, z) ? INSIDE : OUTSIDE;
    return known[place] === INSIDE;
  }

  /** Twice the triangle, plus 1 on its front; −1 if it is not whole or the point is not above its inner part. */
  private faceOfNearest(): number {
    const { nearestOffset, nearest } = this.workspace;
    const triangle = nearest[0];
    if (this.whole[triangle] === 0) return -1;
    const { planes } = this.tree;
    const p = PLANES_SIZE * triangle;
    const [x, y, z] = [nearestOffset[0], nearestOffset[1], nearestOffset[2]];
    const height = planes[p] * x + planes[p + 1] * y + planes[p + 2] * z;
    const isOver = Math.abs(height) > this.onSurface && height * height > STRAIGHT * (x * x + y * y + z * z);
    if (!isOver) return -1;
    return 2 * triangle + (height > 0 ? 1 : 0);
  }
}

/** A part of the body's size. */
const ON_SURFACE = 1e-9;

const UNKNOWN = 0;
const INSIDE = 1;
const OUTSIDE = 2;

/** Squared cosine of the angle to the normal from which on the nearest point is taken to be within the triangle. */
const STRAIGHT = 1 - 1e-10;
