import { createTreeWorkspace, nearestDistanceSquared, type TreeWorkspace } from '../field/tree-query.js';
import { buildTriangleTree, type TriangleTree } from '../field/triangle-tree.js';
import { offsetFromTriangle } from '../math/closest-point.js';
import { square } from '../math/portable.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { Sides } from './sides.js';
import { wholeTriangles } from './whole-triangles.js';

/** The finest surface as the solid that it bounds: for measuring how far something sticks out of it. */
export interface Solid {
  readonly tree: TriangleTree;
  readonly workspace: TreeWorkspace;
  /** Triangles that no other one passes through. */
  readonly whole: Uint8Array;
  /** Twice wound around is as good as once: overlapping pieces are one solid. */
  readonly sides: Sides;
}

export function createSolid(mesh: TriangleMesh): Solid {
  const tree = buildTriangleTree(mesh);
  return solidOf(tree, wholeTriangles(mesh, tree));
}

/** `whole` as `wholeTriangles` gives it. */
export function solidOf(tree: TriangleTree, whole: Uint8Array): Solid {
  const workspace = createTreeWorkspace(tree);
  return { tree, workspace, whole, sides: new Sides(tree, workspace, whole) };
}

/** Nine coordinates. */
type Corners = readonly number[];

/** A triangle that was looked at and may reach out further than is known. */
interface Piece {
  readonly corners: Corners;
  /** Its centre. */
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** How far the centre is out of the solid; negative inside. */
  readonly out: number;
  /** The most that any point of it can be. */
  readonly bound: number;
}

export interface ReachSearch {
  /** What is known already: less is not looked for. */
  readonly atLeast: number;
  /** Good enough: what remains unseen is certainly not more than this beyond what was seen, m. */
  readonly precision: number;
  /** More than this ends the search, m. */
  readonly limit: number;
  /**
   * Places looked at, beyond one per triangle. Few searches need many, but where hull and surface nearly coincide over
   * many triangles it could be millions.
   */
  readonly looks: number;
}

export interface Reach {
  readonly seen: number;
  readonly bound: number;
}

/**
 * How far triangles stick out of the solid at most: what was seen, and what that of which enough was known may be.
 *
 * The distance to a surface changes no faster than the place, so a triangle within r of its centre reaches no further
 * out than its centre's distance plus r. The triangle that may reach furthest is cut in two, again and again, until none
 * may reach further than the furthest seen and the precision, or until the looks are used up.
 */
export function reachOutside(solid: Solid, triangles: readonly Corners[], search: ReachSearch): Reach {
  const seeker = new ReachSeeker(solid, search);
  for (const corners of triangles) {
    seeker.look(corners, undefined);
    if (seeker.reach > search.limit) break;
  }
  for (let looks = 0; looks < search.looks; looks += 2) {
    const piece = popPiece(seeker.heap);
    if (!piece || seeker.reach > search.limit) break;
    if (piece.bound <= seeker.reach + search.precision) {
      seeker.leave(piece.bound);
      break;
    }
    for (const half of halvesOf(piece.corners)) seeker.look(half, piece);
  }
  return { seen: seeker.reach, bound: Math.max(seeker.reach, seeker.unseen) };
}

class ReachSeeker {
  readonly heap: Piece[] = [];
  /** The furthest seen. */
  reach: number;
  /** The most that what was left alone may reach. */
  unseen = 0;
  private readonly solid: Solid;
  private readonly precision: number;

  constructor(solid: Solid, { atLeast, precision }: ReachSearch) {
    this.solid = solid;
    this.reach = atLeast;
    this.precision = precision;
  }

  leave(bound: number): void {
    this.unseen = Math.max(this.unseen, bound);
  }

  look(c: Corners, parent: Piece | undefined): void {
    const { tree, workspace } = this.solid;
    const x = (c[0] + c[3] + c[6]) / 3;
    const y = (c[1] + c[4] + c[7]) / 3;
    const z = (c[2] + c[5] + c[8]) / 3;
    const radius = Math.sqrt(Math.max(squared(c, 0, x, y, z), squared(c, 3, x, y, z), squared(c, 6, x, y, z)));
    const distance = Math.sqrt(nearestDistanceSquared(tree, workspace, x, y, z, Number.POSITIVE_INFINITY));
    const enough = this.reach + this.precision;
    // The sign costs more than the distance: only where it matters.
    if (distance + radius <= enough) {
      this.leave(distance + radius);
      return;
    }
    if (distance <= enough) {
      const along = distanceAlongTriangle(this.solid, c, distance + this.precision, enough);
      if (along <= enough) {
        this.leave(along);
        return;
      }
    }
    const out = this.isInside(x, y, z, distance, parent) ? -distance : distance;
    this.reach = Math.max(this.reach, out);
    const bound = out + radius;
    if (bound > this.reach + this.precision) pushPiece(this.heap, { corners: c, x, y, z, out, bound });
    else this.leave(bound);
  }

  /** The point has just been measured. */
  private isInside(x: number, y: number, z: number, distance: number, parent: Piece | undefined): boolean {
    if (parent) {
      // Around both there is no surface up to their distances: where these balls meet, both are on the same side.
      const reach = 0.99 * (Math.abs(parent.out) + distance);
      const step = square(x - parent.x) + square(y - parent.y) + square(z - parent.z);
      if (step < reach * reach) return parent.out < 0;
    }
    return this.solid.sides.isInside(x, y, z);
  }
}

/** How far a point is out of the solid; 0 inside. */
export function distanceOutOf({ tree, workspace, sides }: Solid, x: number, y: number, z: number): number {
  const distance = Math.sqrt(nearestDistanceSquared(tree, workspace, x, y, z, Number.POSITIVE_INFINITY));
  return sides.isInside(x, y, z) ? 0 : distance;
}

/**
 * Upper bound of the distance from the surface by one of its triangles that all corners are within `enough` of: everything
 * between them is no further, since the distance to something convex is a convex function. Infinite if there is none
 * among the surface's triangles within about `range` of the centre.
 */
function distanceAlongTriangle({ tree, workspace }: Solid, c: Corners, range: number, enough: number): number {
  const { boxes, right, count, corners } = tree;
  const { stack, offset } = workspace;
  const [x, y, z] = [(c[0] + c[3] + c[6]) / 3, (c[1] + c[4] + c[7]) / 3, (c[2] + c[5] + c[8]) / 3];
  const limit = enough * enough;
  let size = 1;
  stack[0] = 0;
  while (size > 0) {
    size--;
    const node = stack[size];
    const b = 6 * node;
    const misses =
      x + range < boxes[b] ||
      y + range < boxes[b + 1] ||
      z + range < boxes[b + 2] ||
      x - range > boxes[b + 3] ||
      y - range > boxes[b + 4] ||
      z - range > boxes[b + 5];
    if (misses) continue;
    if (right[node] !== 0) {
      stack[size] = right[node];
      stack[size + 1] = node + 1;
      size += 2;
      continue;
    }
    const begin = 9 * tree.first[node];
    for (let t = begin; t < begin + 9 * count[node]; t += 9) {
      const first = offsetFromTriangle(offset, corners, t, c[0], c[1], c[2]);
      if (first > limit) continue;
      const second = offsetFromTriangle(offset, corners, t, c[3], c[4], c[5]);
      if (second > limit) continue;
      const third = offsetFromTriangle(offset, corners, t, c[6], c[7], c[8]);
      if (third <= limit) return Math.sqrt(Math.max(first, second, third));
    }
  }
  return Number.POSITIVE_INFINITY;
}

/** A heap with the piece of the largest bound on top. */
function pushPiece(heap: Piece[], piece: Piece): void {
  let at = heap.length;
  heap.push(piece);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (heap[parent].bound >= piece.bound) break;
    heap[at] = heap[parent];
    at = parent;
  }
  heap[at] = piece;
}

function popPiece(heap: Piece[]): Piece | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (!last || heap.length === 0) return top;
  let at = 0;
  for (let child = 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && heap[child + 1].bound > heap[child].bound) child++;
    if (heap[child].bound <= last.bound) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = last;
  return top;
}

function squared(corners: Corners, at: number, x: number, y: number, z: number): number {
  return square(corners[at] - x) + square(corners[at + 1] - y) + square(corners[at + 2] - z);
}

/** Both halves across the longest edge. */
function halvesOf(c: Corners): readonly Corners[] {
  const ab = squared(c, 0, c[3], c[4], c[5]);
  const bc = squared(c, 3, c[6], c[7], c[8]);
  const ca = squared(c, 6, c[0], c[1], c[2]);
  const from = ab >= bc && ab >= ca ? 0 : bc >= ca ? 3 : 6;
  const [to, apex] = [(from + 3) % 9, (from + 6) % 9];
  const mx = (c[from] + c[to]) / 2;
  const my = (c[from + 1] + c[to + 1]) / 2;
  const mz = (c[from + 2] + c[to + 2]) / 2;
  return [
    [c[from], c[from + 1], c[from + 2], mx, my, mz, c[apex], c[apex + 1], c[apex + 2]],
    [mx, my, mz, c[to], c[to + 1], c[to + 2], c[apex], c[apex + 1], c[apex + 2]],
  ];
}
