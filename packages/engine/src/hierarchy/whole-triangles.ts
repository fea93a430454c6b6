import { PLANES_SIZE, type TriangleTree } from '../field/triangle-tree.js';
import { findOpenEdges } from '../mesh/open-edges.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';

/**
 * Which triangles of a closed surface no other one passes through, covers or is folded onto: 1 for each of them, in the
 * order of the tree. None of an open surface, whose sides are not parted.
 *
 * Two triangles pass through each other where an edge of one passes through the inner part of the other. That is found by
 * clipping the edge by the three planes that stand on the other's edges: what is left of it must not reach from one side
 * of its plane to the other.
 */
export function wholeTriangles(mesh: TriangleMesh, tree: TriangleTree): Uint8Array {
  const finder = new CrossingFinder(tree);
  return findOpenEdges(mesh).length > 0 ? finder.whole.fill(0) : finder.find();
}

/** What touches by less than this part of the body's size does not pass through. */
const TOUCHING = 1e-10;
/** Cosine between normals from which on two triangles count as lying in one plane. */
const FLAT = 1 - 1e-9;

class CrossingFinder {
  readonly whole: Uint8Array;
  private readonly tree: TriangleTree;
  private readonly epsilon: number;
  private readonly stack: Uint32Array;
  /** Corners of the second triangle that are corners of the first, as bits, and the other way round. */
  private sharedOfSecond = 0;
  private sharedOfFirst = 0;

  constructor(tree: TriangleTree) {
    const { boxes } = tree;
    this.tree = tree;
    this.whole = new Uint8Array(tree.corners.length / 9).fill(1);
    this.epsilon = TOUCHING * Math.max(boxes[3] - boxes[0], boxes[4] - boxes[1], boxes[5] - boxes[2]);
    this.stack = new Uint32Array(tree.depth + 2);
  }

  find(): Uint8Array {
    const { corners } = this.tree;
    for (let t = 0; t < this.whole.length; t++) {
      const o = 9 * t;
      this.compareWithBox(
        t,
        Math.min(corners[o], corners[o + 3], corners[o + 6]),
        Math.min(corners[o + 1], corners[o + 4], corners[o + 7]),
        Math.min(corners[o + 2], corners[o + 5], corners[o + 8]),
        Math.max(corners[o], corners[o + 3], corners[o + 6]),
        Math.max(corners[o + 1], corners[o + 4], corners[o + 7]),
        Math.max(corners[o + 2], corners[o + 5], corners[o + 8]),
      );
    }
    return this.whole;
  }

  /** Compares a triangle with those after it whose boxes meet its own. */
  private compareWithBox(t: number, x0: number, y0: number, z0: number, x1: number, y1: number, z1: number): void {
    const { boxes, right, first, count } = this.tree;
    const { stack, epsilon } = this;
    let size = 1;
    stack[0] = 0;
    while (size > 0) {
      size--;
      const node = stack[size];
      const b = 6 * node;
      const misses =
        boxes[b] > x1 + epsilon ||
        boxes[b + 1] > y1 + epsilon ||
        boxes[b + 2] > z1 + epsilon ||
        boxes[b + 3] < x0 - epsilon ||
        boxes[b + 4] < y0 - epsilon ||
        boxes[b + 5] < z0 - epsilon;
      if (misses) continue;
      if (right[node] !== 0) {
        stack[size] = right[node];
        stack[size + 1] = node + 1;
        size += 2;
        continue;
      }
      for (let other = Math.max(first[node], t + 1); other < first[node] + count[node]; other++) {
        if (!this.cross(t, other)) continue;
        this.whole[t] = 0;
        this.whole[other] = 0;
      }
    }
  }

  private cross(t: number, u: number): boolean {
    const shared = this.compareCorners(t, u);
    if (shared === 3) return true;
    if (shared === 2) return this.isFolded(t, u);
    return this.isPiercedBy(t, u, this.sharedOfSecond) || this.isPiercedBy(u, t, this.sharedOfFirst);
  }

  private compareCorners(t: number, u: number): number {
    const { corners } = this.tree;
    this.sharedOfFirst = 0;
    this.sharedOfSecond = 0;
    let shared = 0;
    for (let i = 0; i < 3; i++) {
      const a = 9 * t + 3 * i;
      for (let j = 0; j < 3; j++) {
        const b = 9 * u + 3 * j;
        if (corners[a] !== corners[b] || corners[a + 1] !== corners[b + 1] || corners[a + 2] !== corners[b + 2])
          continue;
        this.sharedOfFirst |= 1 << i;
        this.sharedOfSecond |= 1 << j;
        shared++;
      }
    }
    return shared;
  }

  /** Two triangles with a common edge meet elsewhere only if they lie in one plane, on the same side of that edge. */
  private isFolded(t: number, u: number): boolean {
    const { planes, corners } = this.tree;
    const [p, q] = [PLANES_SIZE * t, PLANES_SIZE * u];
    const cosine = planes[p] * planes[q] + planes[p + 1] * planes[q + 1] + planes[p + 2] * planes[q + 2];
    if (Math.abs(cosine) < FLAT) return false;
    // The edge plane of t that stands on the common edge is the one opposite to the corner that is not shared.
    const lone = this.sharedOfFirst === 0b011 ? 2 : this.sharedOfFirst === 0b101 ? 1 : 0;
    const loneOfSecond = this.sharedOfSecond === 0b011 ? 2 : this.sharedOfSecond === 0b101 ? 1 : 0;
    const edge = p + 4 * (1 + ((lone + 1) % 3));
    return heightOver(planes, edge, corners, 9 * u + 3 * loneOfSecond) < -this.epsilon;
  }

  /** Whether an edge of u passes through t, other than those that begin at a common corner. */
  private isPiercedBy(t: number, u: number, shared: number): boolean {
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const beginsAtCorner = ((shared >> i) & 1) !== 0 || ((shared >> j) & 1) !== 0;
      if (!beginsAtCorner && this.isPiercedByEdge(t, 9 * u + 3 * i, 9 * u + 3 * j)) return true;
    }
    return false;
  }

  private isPiercedByEdge(t: number, a: number, b: number): boolean {
    const { planes, corners } = this.tree;
    const { epsilon } = this;
    const p = PLANES_SIZE * t;
    const heightA = heightOver(planes, p, corners, a);
    const heightB = heightOver(planes, p, corners, b);
    if ((heightA > epsilon && heightB > epsilon) || (heightA < -epsilon && heightB < -epsilon)) return false;
    let from = 0;
    let to = 1;
    for (let edge = p + 4; edge < p + PLANES_SIZE; edge += 4) {
      const outA = heightOver(planes, edge, corners, a) + epsilon;
      const outB = heightOver(planes, edge, corners, b) + epsilon;
      if (outA >= 0 && outB >= 0) return false;
      if (outA > 0) from = Math.max(from, outA / (outA - outB));
      else if (outB > 0) to = Math.min(to, outA / (outA - outB));
    }
    if (from >= to) return false;
    const start = heightA + from * (heightB - heightA);
    const end = heightA + to * (heightB - heightA);
    return !((start > epsilon && end > epsilon) || (start < -epsilon && end < -epsilon));
  }
}

function heightOver(planes: Float64Array, p: number, corners: Float64Array, at: number): number {
  return planes[p] * corners[at] + planes[p + 1] * corners[at + 1] + planes[p + 2] * corners[at + 2] - planes[p + 3];
}
