import type { ConvexHierarchy } from '../../hierarchy/convex-hierarchy.js';
import { createConvexPair, RESULT_DISTANCE } from './convex-pair.js';
import { measureDistance, SEPARATE } from './gjk.js';
import { topDown } from './tree-order.js';

/**
 * How far finest geometry sticks out of each node's hull, at most, metres: what must be added to a distance of hulls
 * before everything beneath them may be dropped. The distance to a convex set is a convex function, so that corners tell
 * all: those of a leaf's triangles for the leaf, and those of all leaves' hulls beneath it for an inner node, to which
 * the most is added that sticks out of such a leaf. The deviation bounds it, too, but is mostly far larger: it also
 * counts where the hull stands off the surface.
 */
export function hullProtrusions(hierarchy: ConvexHierarchy): Float64Array {
  const known = knownProtrusions.get(hierarchy);
  if (known) return known;
  const protrusion = measureProtrusions(hierarchy);
  knownProtrusions.set(hierarchy, protrusion);
  return protrusion;
}

/** Seconds for a body of tens of thousands of triangles, and the same for every query that it takes part in. */
const knownProtrusions = new WeakMap<ConvexHierarchy, Float64Array>();

function measureProtrusions(hierarchy: ConvexHierarchy): Float64Array {
  const { nodeCount, child, deviation, triangleStart, triangles, points, vertexStart, vertices } = hierarchy;
  const protrusion = new Float64Array(nodeCount);
  const pair = createConvexPair();
  const point = {
    vertexStart: Int32Array.of(0, 1),
    vertices: new Float64Array(3),
    neighbourStart: new Int32Array(2),
    neighbours: new Int32Array(0),
  };
  const outside = (node: number, source: Float64Array, at: number): number => {
    for (let axis = 0; axis < 3; axis += 1) point.vertices[axis] = source[at + axis];
    return measureDistance(pair, point, 0, hierarchy, node) === SEPARATE ? pair.result[RESULT_DISTANCE] : 0;
  };
  const order = topDown(child, nodeCount);
  const below = new Int32Array(nodeCount);
  for (let n = order.length - 1; n >= 0; n -= 1) {
    const node = order[n];
    // Within a node each question starts where the last one ended.
    pair.simplex.count = 0;
    let most = 0;
    for (let corner = 3 * triangleStart[node]; corner < 3 * triangleStart[node + 1]; corner += 1) {
      most = Math.max(most, outside(node, points, 3 * triangles[corner]));
    }
    const leaves = child[2 * node] < 0 ? 0 : leavesBeneath(below, child, node);
    for (let leaf = 0; leaf < leaves; leaf += 1) {
      let furthest = 0;
      for (let vertex = vertexStart[below[leaf]]; vertex < vertexStart[below[leaf] + 1]; vertex += 1) {
        furthest = Math.max(furthest, outside(node, vertices, 3 * vertex));
      }
      most = Math.max(most, furthest + protrusion[below[leaf]]);
    }
    protrusion[node] = Math.min(most, deviation[node]);
  }
  return protrusion;
}

/** Writes the leaves beneath a node to the start of `out`, whose rest serves as the stack; gives their number. */
function leavesBeneath(out: Int32Array, child: Int32Array, node: number): number {
  let count = 0;
  let stack = out.length - 1;
  out[stack] = node;
  while (stack < out.length) {
    const next = out[stack];
    stack += 1;
    if (child[2 * next] < 0) {
      out[count] = next;
      count += 1;
      continue;
    }
    stack -= 2;
    out[stack] = child[2 * next];
    out[stack + 1] = child[2 * next + 1];
  }
  return count;
}
