import type { Neighbourhood } from './node-graph.js';

/**
 * The order in which nodes are eliminated: nested dissection by geometry. A set of nodes is cut in two by a plane; the
 * few nodes along the cut are eliminated after both halves, which then do not fill each other's rows; and so on within
 * each half. Every separator, and every small set that is not cut further, is a part, and is treated as dense.
 */
export interface Dissection {
  /** Node by place in the order. */
  readonly order: Uint32Array;
  /** Part p holds the places partStart[p] … partStart[p + 1] − 1. A part comes after all parts below it. */
  readonly partStart: Uint32Array;
  /** The separator above each part, −1 for the last of all. */
  readonly parent: Int32Array;
}

/** Sets up to this size are not cut: below it what the dense block wastes is less than what the many small ones cost. */
const LEAF_NODES = 12;

export function dissect(positions: Float64Array, neighbours: Neighbourhood): Dissection {
  const count = positions.length / 3;
  const state: State = { positions, neighbours, side: new Uint8Array(count), parts: [], parent: [] };
  const nodes = Uint32Array.from({ length: count }, (_, node) => node);
  if (count > 0) visit(state, nodes);
  const order = new Uint32Array(count);
  const partStart = new Uint32Array(state.parts.length + 1);
  state.parts.forEach((part, p) => {
    order.set(part, partStart[p]);
    partStart[p + 1] = partStart[p] + part.length;
  });
  return { order, partStart, parent: Int32Array.from(state.parent) };
}

interface State {
  readonly positions: Float64Array;
  readonly neighbours: Neighbourhood;
  /** Which half a node of the present set is in; 0 outside of it. */
  readonly side: Uint8Array;
  readonly parts: Uint32Array[];
  readonly parent: number[];
}

/** Adds the parts of a set of nodes; returns the last, which is above all others of the set. */
function visit(state: State, nodes: Uint32Array): number {
  const cut = nodes.length > LEAF_NODES ? bestCut(state, nodes) : undefined;
  const below = cut ? [visit(state, cut.low), visit(state, cut.high)] : [];
  const part = state.parts.push(cut ? cut.separator : nodes) - 1;
  state.parent.push(-1);
  for (const child of below) state.parent[child] = part;
  return part;
}

interface Cut {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly separator: Uint32Array;
}

/** Of the cuts across the three axes the one with the fewest nodes along it; none when a half would be left empty. */
function bestCut(state: State, nodes: Uint32Array): Cut | undefined {
  let best: Cut | undefined;
  for (let axis = 0; axis < 3; axis += 1) {
    const cut = cutAcross(state, nodes, axis);
    if (cut.low.length === 0 || cut.high.length === 0) continue;
    if (!best || cut.separator.length < best.separator.length) best = cut;
  }
  return best;
}

const LOW = 1;
const HIGH = 2;

function cutAcross({ positions, neighbours, side }: State, nodes: Uint32Array, axis: number): Cut {
  const sorted = nodes.slice().sort((a, b) => positions[3 * a + axis] - positions[3 * b + axis] || a - b);
  const middle = sorted.length >> 1;
  const low = sorted.subarray(0, middle);
  const high = sorted.subarray(middle);
  for (const node of low) side[node] = LOW;
  for (const node of high) side[node] = HIGH;
  const touches = (node: number, other: number) => {
    for (let at = neighbours.start[node]; at < neighbours.start[node + 1]; at += 1) {
      if (side[neighbours.nodes[at]] === other) return true;
    }
    return false;
  };
  const lowEdge = low.filter((node) => touches(node, HIGH));
  const highEdge = high.filter((node) => touches(node, LOW));
  const takesLow = lowEdge.length < highEdge.length;
  const separator = takesLow ? lowEdge : highEdge;
  for (const node of separator) side[node] = 0;
  const cut = {
    low: takesLow ? low.filter((node) => side[node] === LOW) : low,
    high: takesLow ? high : high.filter((node) => side[node] === HIGH),
    separator,
  };
  for (const node of nodes) side[node] = 0;
  return cut;
}
