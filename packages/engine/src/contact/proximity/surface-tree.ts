import { LIMIT_REACH } from './proximity-set.js';

/**
 * A tree of boxes over the triangles of a surface that deforms: its shape is made once, at rest, by cutting the centres
 * at their median; every cycle only the boxes are fitted again, from the leaves up, in linear time.
 *
 * Nodes stand in the order in which a walk meets them, so that the left child follows its parent, and `skip` names the
 * node to go on with when a box is not of interest: the walk needs no stack.
 */
export interface SurfaceTree {
  readonly nodeCount: number;
  /** Minimum x, y, z and maximum x, y, z per node, world frame, metres. */
  readonly bounds: Float64Array;
  readonly skip: Int32Array;
  /** A leaf owns `order[first]` up to `order[first + count]`; `count` is 0 for all other nodes. */
  readonly first: Int32Array;
  readonly count: Int32Array;
  /** Triangles, sorted by leaf. */
  readonly order: Int32Array;
  /** The leaf of the other tree that a node met when it was last asked: looked at first, for it is likely to be met again. */
  readonly lastMet: Int32Array;
}

/** Triangles in a leaf at most: with fewer, fitting takes longer than the tests that it saves. */
const LEAF_TRIANGLES = 3;

export function buildSurfaceTree(positions: Float64Array, triangles: Int32Array, included: Int32Array): SurfaceTree {
  const order = included.slice();
  const centres = new Float64Array(triangles.length);
  for (const t of included) {
    for (let axis = 0; axis < 3; axis++) {
      let sum = 0;
      for (let corner = 0; corner < 3; corner++) sum += positions[3 * triangles[3 * t + corner] + axis];
      centres[3 * t + axis] = sum / 3;
    }
  }
  const nodes: { first: number; count: number; skip: number }[] = [];
  const split = (first: number, end: number): void => {
    const node = { first, count: end - first, skip: 0 };
    nodes.push(node);
    if (node.count > LEAF_TRIANGLES) {
      node.count = 0;
      const axis = longestAxis(centres, order, first, end);
      const sorted = order.slice(first, end).sort((s, t) => centres[3 * s + axis] - centres[3 * t + axis] || s - t);
      order.set(sorted, first);
      const middle = (first + end) >> 1;
      split(first, middle);
      split(middle, end);
    }
    node.skip = nodes.length;
  };
  if (order.length > 0) split(0, order.length);
  return {
    nodeCount: nodes.length,
    bounds: new Float64Array(6 * nodes.length),
    skip: Int32Array.from(nodes, (node) => node.skip),
    first: Int32Array.from(nodes, (node) => node.first),
    count: Int32Array.from(nodes, (node) => node.count),
    order,
    lastMet: new Int32Array(nodes.length),
  };
}

function longestAxis(centres: Float64Array, order: Int32Array, first: number, end: number): number {
  let longest = 0;
  let length = -1;
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = first; i < end; i++) {
      low = Math.min(low, centres[3 * order[i] + axis]);
      high = Math.max(high, centres[3 * order[i] + axis]);
    }
    if (high - low > length) {
      length = high - low;
      longest = axis;
    }
  }
  return longest;
}

/** Fits all boxes to the positions, children before their parents; 0 if a position is not finite, else 1. */
export function refitTree(tree: SurfaceTree, positions: Float64Array, triangles: Int32Array): number {
  let finite = 1;
  for (let node = tree.nodeCount - 1; node >= 0; node--) {
    if (tree.count[node] === 0) fitParent(tree, node);
    else if (!fitLeaf(tree, node, positions, triangles)) finite = 0;
  }
  return finite;
}

function fitLeaf(tree: SurfaceTree, node: number, positions: Float64Array, triangles: Int32Array): boolean {
  const { bounds, order } = tree;
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  // Zero times a finite number is zero, times any other it is not a number.
  let check = 0;
  const end = tree.first[node] + tree.count[node];
  for (let i = tree.first[node]; i < end; i++) {
    const corner = 3 * order[i];
    for (let k = 0; k < 3; k++) {
      const at = 3 * triangles[corner + k];
      const x = positions[at];
      const y = positions[at + 1];
      const z = positions[at + 2];
      check += 0 * (x + y + z);
      if (x < lowX) lowX = x;
      if (x > highX) highX = x;
      if (y < lowY) lowY = y;
      if (y > highY) highY = y;
      if (z < lowZ) lowZ = z;
      if (z > highZ) highZ = z;
    }
  }
  const o = 6 * node;
  bounds[o] = lowX;
  bounds[o + 1] = lowY;
  bounds[o + 2] = lowZ;
  bounds[o + 3] = highX;
  bounds[o + 4] = highY;
  bounds[o + 5] = highZ;
  return check === 0;
}

function fitParent(tree: SurfaceTree, node: number): void {
  const { bounds } = tree;
  const o = 6 * node;
  const left = 6 * (node + 1);
  const right = 6 * tree.skip[node + 1];
  for (let axis = 0; axis < 3; axis++) {
    const low = bounds[left + axis];
    const otherLow = bounds[right + axis];
    bounds[o + axis] = Math.min(low, otherLow);
    const high = bounds[left + 3 + axis];
    const otherHigh = bounds[right + 3 + axis];
    bounds[o + 3 + axis] = Math.max(high, otherHigh);
  }
}

/**
 * Lists the triangles of all leaves of `tree` that come within `limits[LIMIT_REACH]` of a leaf of `other`, by their boxes; gives their
 * number. `box` takes six numbers.
 */
export function collectNear(
  list: Int32Array,
  tree: SurfaceTree,
  other: SurfaceTree,
  limits: Float64Array,
  box: Float64Array,
): number {
  const { bounds, skip, first, count, order, nodeCount, lastMet } = tree;
  const margin = limits[LIMIT_REACH];
  let found = 0;
  let node = 0;
  while (node < nodeCount) {
    const o = 6 * node;
    box[0] = bounds[o] - margin;
    box[1] = bounds[o + 1] - margin;
    box[2] = bounds[o + 2] - margin;
    box[3] = bounds[o + 3] + margin;
    box[4] = bounds[o + 4] + margin;
    box[5] = bounds[o + 5] + margin;
    if (!meetsAgain(other, lastMet[node], box)) {
      const leaf = findLeaf(other, box);
      if (leaf < 0) {
        node = skip[node];
        continue;
      }
      lastMet[node] = leaf;
    }
    const end = first[node] + count[node];
    for (let i = first[node]; i < end; i++) {
      list[found] = order[i];
      found += 1;
    }
    node += 1;
  }
  return found;
}

function meetsAgain({ bounds, count, nodeCount }: SurfaceTree, node: number, box: Float64Array): boolean {
  return node < nodeCount && count[node] > 0 && meetsNode(bounds, 6 * node, box);
}

/** A leaf that meets the box, or −1. */
function findLeaf({ bounds, skip, count, nodeCount }: SurfaceTree, box: Float64Array): number {
  let node = 0;
  while (node < nodeCount) {
    if (!meetsNode(bounds, 6 * node, box)) node = skip[node];
    else if (count[node] > 0) return node;
    else node += 1;
  }
  return -1;
}

/** Lists the triangles of all leaves that meet the box, as many as `list` holds, and gives their number. */
export function collectTriangles(list: Int32Array, tree: SurfaceTree, box: Float64Array): number {
  const { bounds, skip, first, count, order, nodeCount } = tree;
  let found = 0;
  let node = 0;
  while (node < nodeCount) {
    if (!meetsNode(bounds, 6 * node, box)) {
      node = skip[node];
      continue;
    }
    const end = first[node] + count[node];
    for (let i = first[node]; i < end; i++) {
      if (found === list.length) return found;
      list[found] = order[i];
      found += 1;
    }
    node += 1;
  }
  return found;
}

/** Numbers that are not finite meet nothing. */
function meetsNode(bounds: Float64Array, o: number, box: Float64Array): boolean {
  return (
    bounds[o] <= box[3] &&
    bounds[o + 3] >= box[0] &&
    bounds[o + 1] <= box[4] &&
    bounds[o + 4] >= box[1] &&
    bounds[o + 2] <= box[5] &&
    bounds[o + 5] >= box[2]
  );
}
