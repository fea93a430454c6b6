import type { ConvexHierarchy } from '@palpable/engine/advanced';

/** What there is to tell of a tree of convex pieces; lengths in metres. */
export interface HierarchyReport {
  /** Convex pieces of the finest surface. */
  readonly pieces: number;
  readonly nodes: number;
  readonly levels: number;
  readonly radius: number;
  /** By level from the finest: nodes that are that high above their leaves, and the largest deviation among them. */
  readonly deviations: readonly LevelReport[];
}

export interface LevelReport {
  readonly level: number;
  readonly nodes: number;
  readonly deviation: number;
}

export function describeHierarchy({ nodeCount, child, level, deviation, radius }: ConvexHierarchy): HierarchyReport {
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
    pieces,
    nodes: nodeCount,
    levels: highest + 1,
    radius,
    deviations: nodes.map((count, height) => ({ level: height, nodes: count, deviation: most[height]! })),
  };
}
