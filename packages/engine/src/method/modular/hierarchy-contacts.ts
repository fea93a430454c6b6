import type { ContactSet } from '../../contact/contact-set.js';
import type { HierarchyQuery } from '../../contact/convex/hierarchy-query.js';
import { appendHierarchyContacts } from '../../contact/convex/query-hierarchy.js';
import type { Pose } from '../../math/pose.js';
import { createContactManifold, keepManifold } from './contact-manifold.js';
import type { ModularContacts } from './contact-side.js';

/** The tool and one body of the environment, both as hierarchies of convex pieces. */
export interface HierarchyPair {
  readonly query: HierarchyQuery;
  readonly environmentPose: Pose;
  readonly staticCoefficient: number;
  readonly kineticCoefficient: number;
}

export interface HierarchyContacts extends ModularContacts {
  /** Of each contact of the last `find`: pair, node of the tool, node of the environment; to draw the levels chosen. */
  readonly nodes: Int32Array;
}

/**
 * Contacts of convex hierarchies at the level of detail that each needs. The queries' distance tolerance is d: give the
 * method the same. The environment's poses are those of the pairs, which may change; with `moving` the pose of that pair
 * is the one that the haptic side sends.
 */
export function createHierarchyContacts(pairs: readonly HierarchyPair[], moving = -1): HierarchyContacts {
  let capacity = 0;
  for (const { query } of pairs) capacity += query.maxContacts;
  const coefficients = new Float64Array(2 * capacity);
  const nodes = new Int32Array(3 * capacity);
  const manifolds = pairs.map(({ query }) => createContactManifold(query.maxContacts, query.distanceTolerance));
  const source = {
    capacity,
    coefficients,
    nodes,
    capped: 0,
    ...(moving >= 0 && { environmentPose: pairs[moving].environmentPose }),
    find(set: ContactSet, toolPose: Pose, centre: Float64Array): void {
      set.count = 0;
      source.capped = 0;
      for (let p = 0; p < pairs.length; p += 1) {
        const { query, environmentPose, staticCoefficient, kineticCoefficient } = pairs[p];
        const first = set.count;
        appendHierarchyContacts(query, set, toolPose, environmentPose, centre);
        source.capped |= query.counters.capped;
        for (let c = first; c < set.count; c += 1) {
          nodes[3 * c] = p;
          nodes[3 * c + 1] = query.contactTool[c - first];
          nodes[3 * c + 2] = query.contactEnvironment[c - first];
        }
        keepManifold(manifolds[p], set, first, nodes, toolPose, environmentPose);
        for (let c = first; c < set.count; c += 1) {
          coefficients[2 * c] = staticCoefficient;
          coefficients[2 * c + 1] = kineticCoefficient;
        }
      }
    },
  };
  return source;
}
