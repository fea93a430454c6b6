import { PalpableError } from '../../base/errors.js';
import { createTreeWorkspace } from '../../field/tree-query.js';
import { buildTriangleTree } from '../../field/triangle-tree.js';
import type { ConvexHierarchy } from '../../hierarchy/convex-hierarchy.js';
import { cosOf, sinOf } from '../../math/portable.js';
import { borderAngles } from './border-angles.js';
import { createConvexPair } from './convex-pair.js';
import { createPolytope } from './epa.js';
import type {
  FoundContacts,
  HierarchyQuery,
  HierarchyQueryOptions,
  QueryBody,
  SimplexCache,
} from './hierarchy-query.js';
import { hullProtrusions } from './hull-protrusions.js';
import { topDown } from './tree-order.js';

const DEFAULT_DEPTHS = 4;
const DEFAULT_CONTACTS = 256;
const DEFAULT_PAIRS = 20_000;
/** Added to the angles that a patch's normals allow: hulls of simplified patches lean a little differently. */
const CONE_SLACK = (15 * Math.PI) / 180;
/** A patch pair that has passed each other must face each other at least this well, at one of the two patches. */
const FACE_SLACK = (50 * Math.PI) / 180;
/** Beyond this spread a patch has no common outer side. */
const ORIENTED_SPREAD = (100 * Math.PI) / 180;
/** Two points nearer than this part of the distance tolerance are one. */
const MERGE_DISTANCE = 0.1;
const CACHE_PLACES = 1 << 14;

/** Checks the options and makes room for everything a query needs, so that asking does not allocate. */
export function createHierarchyQuery(
  tool: ConvexHierarchy,
  environment: ConvexHierarchy,
  options: HierarchyQueryOptions,
): HierarchyQuery {
  const distanceTolerance = checkedLength(options.distanceTolerance, 'distanceTolerance', Number.MIN_VALUE);
  const tolerance = checkedLength(options.tolerance, 'tolerance', 0);
  const maxDepth = checkedLength(options.maxDepth ?? DEFAULT_DEPTHS * distanceTolerance, 'maxDepth', 0);
  const maxContacts = checkedCount(options.maxContacts ?? DEFAULT_CONTACTS, 'maxContacts');
  const maxPairs = checkedCount(options.maxPairs ?? DEFAULT_PAIRS, 'maxPairs');
  // A pair gives way to two, one level further down in one of the trees.
  const places = treeHeight(tool) + treeHeight(environment) + 2;
  return {
    tool: prepareBody(tool),
    environment: prepareBody(environment),
    distanceTolerance,
    tolerance,
    maxDepth,
    maxContacts,
    maxPairs,
    counters: { pairs: 0, measured: 0, iterations: 0, ends: 0, capped: 0, badPose: 0 },
    contactTool: new Int32Array(maxContacts),
    contactEnvironment: new Int32Array(maxContacts),
    workspace: {
      relative: new Float64Array(7),
      environmentRotation: new Float64Array(9),
      pair: createConvexPair(),
      polytope: createPolytope(),
      stackTool: new Int32Array(places),
      stackEnvironment: new Int32Array(places),
      toolNormal: new Float64Array(3),
      out: new Float64Array(4),
      lastResort: new Int32Array(2),
      lastResortFacing: new Float64Array(1),
      mergeDistance: Float64Array.of(MERGE_DISTANCE * distanceTolerance),
      cache: createCache(),
      found: createFound(maxContacts),
    },
  };
}

function prepareBody(hierarchy: ConvexHierarchy): QueryBody {
  const { nodeCount, spread } = hierarchy;
  const tree = buildTriangleTree({
    positions: hierarchy.points,
    triangles: Uint32Array.from(hierarchy.triangles),
  });
  const border = borderAngles(hierarchy);
  const body: QueryBody = {
    hierarchy,
    protrusion: hullProtrusions(hierarchy),
    spreadSine: new Float64Array(nodeCount),
    spreadCosine: new Float64Array(nodeCount),
    coneCosine: new Float64Array(nodeCount),
    faceCosine: new Float64Array(nodeCount),
    ownCosine: new Float64Array(nodeCount),
    oriented: new Uint8Array(nodeCount),
    tree,
    treeWorkspace: createTreeWorkspace(tree),
  };
  for (let node = 0; node < nodeCount; node += 1) {
    body.spreadSine[node] = sinOf(spread[node]);
    body.spreadCosine[node] = cosOf(spread[node]);
    body.coneCosine[node] = cosOf(Math.min(Math.PI, border[node] + CONE_SLACK));
    body.faceCosine[node] = cosOf(Math.min(Math.PI, spread[node] + FACE_SLACK));
    body.ownCosine[node] = cosOf(Math.min(Math.PI, spread[node] + CONE_SLACK));
    body.oriented[node] = spread[node] < ORIENTED_SPREAD ? 1 : 0;
  }
  return body;
}

function treeHeight({ child, nodeCount }: ConvexHierarchy): number {
  const height = new Int32Array(nodeCount);
  let highest = 0;
  const order = topDown(child, nodeCount);
  for (const node of order) {
    highest = Math.max(highest, height[node]);
    for (let side = 0; side < 2; side += 1) {
      const below = child[2 * node + side];
      if (below >= 0) height[below] = height[node] + 1;
    }
  }
  return highest + 1;
}

function createCache(): SimplexCache {
  return {
    tool: new Int32Array(CACHE_PLACES).fill(-1),
    environment: new Int32Array(CACHE_PLACES).fill(-1),
    count: new Uint8Array(CACHE_PLACES),
    toolVertex: new Int32Array(4 * CACHE_PLACES),
    environmentVertex: new Int32Array(4 * CACHE_PLACES),
  };
}

function createFound(capacity: number): FoundContacts {
  return {
    count: 0,
    capacity,
    tool: new Int32Array(capacity + 1),
    environment: new Int32Array(capacity + 1),
    inferred: new Uint8Array(capacity + 1),
    onTool: new Float64Array(3 * (capacity + 1)),
    onEnvironment: new Float64Array(3 * (capacity + 1)),
    normal: new Float64Array(3 * (capacity + 1)),
    depth: new Float64Array(capacity + 1),
  };
}

function checkedLength(value: number, name: string, least: number): number {
  if (!(value >= least && Number.isFinite(value))) {
    const expected = least > 0 ? 'above 0' : '0 or more';
    throw new PalpableError('option-invalid', `${name} is ${value}, but must be ${expected} (metres).`, name);
  }
  return value;
}

function checkedCount(value: number, name: string): number {
  if (!(Number.isInteger(value) && value > 0)) {
    throw new PalpableError('option-invalid', `${name} is ${value}, but must be a whole number above 0.`, name);
  }
  return value;
}
