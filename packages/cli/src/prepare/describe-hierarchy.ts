import type { ConvexHierarchy } from '@palpable/engine/advanced';

/** What there is to report of a tree of convex pieces; lengths in metres. */
export type HierarchyReport = ReturnType<typeof describeHierarchy>;

export function describeHierarchy({ nodeCount, child, level, deviation, radius }: ConvexHierarchy) {
  const highest = level.reduce((most, each) => Math.max(most, each), 0);
  const nodes = new Array<number>(highest + 1).fill(0);
  const most = new Array<number>(highest + 1).fill(0);
  let pieces = 0;
  for (let node = 0; node < nodeCount; node += 1) {
    const height = level[node]!;
    nodes[height]! += 1;
    most[height] = Math.max(most[height]!, deviation[node]!);
    if (child[2 * node]! < 0) pieces += 1;
  }
  return {
    /** Convex pieces of the finest surface. */
    pieces,
    nodes: nodeCount,
    levels: highest + 1,
    radius,
    /** By level from the finest: nodes that are that high above their leaves, and the largest deviation among them. */
    deviations: nodes.map((count, height) => ({ level: height, nodes: count, deviation: most[height]! })),
  };
}
