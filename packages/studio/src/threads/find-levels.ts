/** Which convex pieces touch, at the level of detail that the scene allows: for the picture only, the loop has its own. */
import { type ContactSet, createContactSet, createPose, type Pose } from '@palpable/engine';
import { createHierarchyQuery, type HierarchyQuery, queryHierarchies } from '@palpable/engine/advanced';
import type { ChosenNodes, LevelsSettings, LevelsSetup } from './levels-client.js';

/** As many as the loop asks for. */
const MOST_CONTACTS = 256;

interface Pair {
  readonly query: HierarchyQuery;
  readonly environmentPose: Pose;
}

export type LevelFinder = Readonly<ReturnType<typeof createLevelFinder>>;

export function createLevelFinder(setup: LevelsSetup) {
  const set = createContactSet(MOST_CONTACTS);
  /** Only directions of contacts depend on it, which nobody sees here. */
  const centre = new Float64Array(3);
  const pose = createPose();
  let pairs: readonly Pair[] = [];
  let asked = '';
  return {
    find(toolPose: Float64Array, settings: LevelsSettings) {
      const wanted = JSON.stringify(settings);
      if (wanted !== asked) pairs = createPairs(setup, settings);
      asked = wanted;
      pose.set(toolPose);
      return chooseNodes(pairs, set, pose, centre);
    },
  };
}

function createPairs({ tool, environments }: LevelsSetup, settings: LevelsSettings): Pair[] {
  const { tolerance: share, absoluteTolerance, distanceTolerance } = settings;
  return environments.map(({ hierarchy, pose }) => {
    const tolerance = absoluteTolerance ?? share * Math.min(tool.radius, hierarchy.radius);
    const environmentPose = createPose();
    environmentPose.set(pose);
    const query = createHierarchyQuery(tool, hierarchy, { tolerance, distanceTolerance, maxContacts: MOST_CONTACTS });
    return { query, environmentPose };
  });
}

function chooseNodes(pairs: readonly Pair[], set: ContactSet, toolPose: Pose, centre: Float64Array): ChosenNodes {
  const ofTool = new Set<number>();
  const environments = pairs.map(({ query, environmentPose }) => {
    queryHierarchies(query, set, toolPose, environmentPose, centre);
    for (const node of query.contactTool.subarray(0, set.count)) ofTool.add(node);
    return sorted(new Set(query.contactEnvironment.subarray(0, set.count)));
  });
  return { tool: sorted(ofTool), environments };
}

function sorted(nodes: ReadonlySet<number>): Int32Array {
  return Int32Array.from(nodes).sort();
}
