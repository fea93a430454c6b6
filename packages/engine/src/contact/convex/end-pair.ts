import { nearestDistanceSquared } from '../../field/tree-query.js';
import { dot, normalise } from '../../math/vectors.js';
import { minkowskiSupport, RESULT_DISTANCE } from './convex-pair.js';
import { measurePenetration } from './epa.js';
import { addFound } from './found-contacts.js';
import { measureDistance, OVERLAPPING, SEPARATE } from './gjk.js';
import { CAPPED_HIERARCHY_CONTACTS, type HierarchyQuery, type QueryBody } from './hierarchy-query.js';

/**
 * What two patches that are fine enough tell about the contact of their bodies.
 *
 * A patch is a piece of surface, its hull is thin, and hulls that are apart do not mean bodies that are apart: the tool's
 * patch may have passed behind the environment's. The mean normals say where outside is. With n₀, the environment's
 * normal minus the tool's, and u, the direction from the environment's nearest point to the tool's:
 *
 * - u·n₀ > 0: apart, at the distance of the hulls;
 * - u·n₀ ≤ 0, or hulls that overlap: the surfaces have passed each other. The tool is backed out along n₀ as far as
 *   needed and measured there: at the distance s along n with the direction u′ found, the depth along u′ is
 *   s n·u′ − distance. Repeated along u′ this descends to the nearest local minimum of the depth, on the side that the
 *   surfaces call outside, never through the thin hull.
 *
 * Every direction must be one in which the patches can meet (`borderAngles`). Nodes that bend too far to have an outside
 * count as solids: GJK and EPA as they are.
 */

/** Place in `workspace.out`, after the way out: 1 if there is one. */
const IS_DIRECTED = 3;
const MOST_STEPS = 4;
/** Cosine of the turn below which backing out has settled. */
const SETTLED = 0.9999;
/** How far beyond touching the tool is backed out, as part of the distance tolerance. */
const BACK_OUT_MARGIN = 0.02;

/** `answer` is what `measureDistance` gave for the pair, which still holds its result. */
export function endPair(query: HierarchyQuery, toolNode: number, environmentNode: number, answer: number): void {
  const { tool, environment, workspace, counters, distanceTolerance } = query;
  const { pair, polytope, out } = workspace;
  counters.ends += 1;
  setWayOut(query, toolNode, environmentNode);
  const directed = out[IS_DIRECTED] > 0;
  if (answer === OVERLAPPING) {
    if (!directed) {
      measurePenetration(pair, polytope, tool.hierarchy, toolNode, environment.hierarchy, environmentNode);
      keep(query, toolNode, environmentNode, 0);
      return;
    }
    noteLastResort(query, toolNode, environmentNode);
    if (backOut(query, toolNode, environmentNode)) keep(query, toolNode, environmentNode, 0);
    return;
  }
  const { normal, result } = pair;
  const along = dot(normal, 0, out, 0);
  if (!directed || along > 0) {
    if (!(result[RESULT_DISTANCE] < distanceTolerance) || !isPlausible(query, toolNode, environmentNode)) return;
    result[RESULT_DISTANCE] = -result[RESULT_DISTANCE];
    keep(query, toolNode, environmentNode, 0);
    return;
  }
  if (canBeBehind(query, toolNode, environmentNode) && backOut(query, toolNode, environmentNode)) {
    if (result[RESULT_DISTANCE] > 0) keep(query, toolNode, environmentNode, 1);
  }
}

function keep(query: HierarchyQuery, toolNode: number, environmentNode: number, inferred: number): void {
  const { workspace, counters } = query;
  const { found, pair, mergeDistance } = workspace;
  if (!isNearestThere(query, toolNode, environmentNode)) return;
  if (!addFound(found, pair, mergeDistance, toolNode, environmentNode, inferred)) {
    counters.capped |= CAPPED_HIERARCHY_CONTACTS;
  }
}

/** How far before the surface it is asked: parts of the distance tolerance, and multiples of the node's deviation. */
const BEFORE_SURFACE = 0.1;
const BEFORE_DEVIATION = 4;
/** A tilt of less than 25° is not worth a rejection. */
const STILL_NEAREST = 0.9;

/**
 * A direction beside a patch's own normals needs an edge there that turns away, and not one behind which the surface
 * goes on as another patch. Hence the question to the finest surface: seen from a little before the contact point, is
 * there a place that is clearly nearer?
 */
function isNearestThere(query: HierarchyQuery, toolNode: number, environmentNode: number): boolean {
  const { tool, environment, workspace, distanceTolerance } = query;
  const { normal: n, onTool: a, onEnvironment: b, transform: m } = workspace.pair;
  if (alongEnvironment(query, environmentNode) < environment.ownCosine[environmentNode]) {
    const deviation = environment.hierarchy.deviation[environmentNode];
    const before = Math.max(BEFORE_SURFACE * distanceTolerance, BEFORE_DEVIATION * deviation);
    const least = STILL_NEAREST * before - deviation;
    const bound = least * least;
    const { tree, treeWorkspace } = environment;
    const x = b[0] + before * n[0];
    const y = b[1] + before * n[1];
    const z = b[2] + before * n[2];
    if (nearestDistanceSquared(tree, treeWorkspace, x, y, z, bound) < bound) return false;
  }
  if (-alongTool(query) >= tool.ownCosine[toolNode]) return true;
  const deviation = tool.hierarchy.deviation[toolNode];
  const before = Math.max(BEFORE_SURFACE * distanceTolerance, BEFORE_DEVIATION * deviation);
  const least = STILL_NEAREST * before - deviation;
  const bound = least * least;
  const px = a[0] - before * n[0] - m[9];
  const py = a[1] - before * n[1] - m[10];
  const pz = a[2] - before * n[2] - m[11];
  const x = m[0] * px + m[3] * py + m[6] * pz;
  const y = m[1] * px + m[4] * py + m[7] * pz;
  const z = m[2] * px + m[5] * py + m[8] * pz;
  return nearestDistanceSquared(tool.tree, tool.treeWorkspace, x, y, z, bound) >= bound;
}

/** n₀ in the environment's frame, from those of the two patches that have an outside; `out[IS_DIRECTED]` is 0 if none has. */
function setWayOut({ tool, environment, workspace }: HierarchyQuery, toolNode: number, environmentNode: number): void {
  const { out, toolNormal } = workspace;
  const t = tool.oriented[toolNode];
  const e = environment.oriented[environmentNode];
  const { normal } = environment.hierarchy;
  out[0] = e * normal[3 * environmentNode] - t * toolNormal[0];
  out[1] = e * normal[3 * environmentNode + 1] - t * toolNormal[1];
  out[2] = e * normal[3 * environmentNode + 2] - t * toolNormal[2];
  // Two patches that look the same way have no common way out.
  out[IS_DIRECTED] = normalise(out, 0) > 0.3 ? 1 : 0;
}

/** Whether `pair.normal` lies in the cones of both patches. */
function isPlausible(query: HierarchyQuery, toolNode: number, environmentNode: number): boolean {
  const { tool, environment } = query;
  return (
    -alongTool(query) >= tool.coneCosine[toolNode] &&
    alongEnvironment(query, environmentNode) >= environment.coneCosine[environmentNode]
  );
}

/** Whether the nearest points lie to each other as those of surfaces that have passed each other. */
export function canBeBehind(query: HierarchyQuery, toolNode: number, environmentNode: number): boolean {
  const { tool, environment } = query;
  return (
    alongTool(query) >= tool.faceCosine[toolNode] &&
    -alongEnvironment(query, environmentNode) >= environment.faceCosine[environmentNode]
  );
}

/** Whether `pair.normal` belongs to a face, or nearly, of at least one of the patches. */
function isFacing(query: HierarchyQuery, toolNode: number, environmentNode: number): boolean {
  const { tool, environment } = query;
  return (
    -alongTool(query) >= tool.faceCosine[toolNode] ||
    alongEnvironment(query, environmentNode) >= environment.faceCosine[environmentNode]
  );
}

function alongTool({ workspace: { pair, toolNormal } }: HierarchyQuery): number {
  return dot(pair.normal, 0, toolNormal, 0);
}

function alongEnvironment({ environment, workspace }: HierarchyQuery, node: number): number {
  const { normal } = workspace.pair;
  const n = environment.hierarchy.normal;
  return dot(normal, 0, n, 3 * node);
}

/**
 * Depth in `pair.result[RESULT_DISTANCE]`, its direction in `pair.normal` and the points that touch last. False if the patches do not
 * meet on the way out, or only beyond the largest depth.
 */
function backOut(query: HierarchyQuery, toolNode: number, environmentNode: number): boolean {
  const { workspace, tool, environment, maxDepth, distanceTolerance } = query;
  const { pair, out } = workspace;
  const { shift, normal, result, reach } = pair;
  const margin = BACK_OUT_MARGIN * distanceTolerance;
  const reachBefore = reach[0];
  reach[0] = Number.POSITIVE_INFINITY;
  let depth = widthAlong(query, tool, toolNode, environment, environmentNode);
  let settled = false;
  for (let step = 0; step < MOST_STEPS && !settled; step += 1) {
    const way = depth + margin;
    for (let axis = 0; axis < 3; axis += 1) shift[axis] = way * out[axis];
    pair.simplex.count = 0;
    const answer = measureDistance(pair, tool.hierarchy, toolNode, environment.hierarchy, environmentNode);
    if (answer !== SEPARATE) break;
    const turn = dot(normal, 0, out, 0);
    depth = way * turn - result[RESULT_DISTANCE];
    settled = turn > SETTLED || step === MOST_STEPS - 1;
    for (let axis = 0; axis < 3; axis += 1) out[axis] = normal[axis];
    if (!isPlausible(query, toolNode, environmentNode) || !isFacing(query, toolNode, environmentNode)) break;
    if (settled) result[RESULT_DISTANCE] = depth;
  }
  shift.fill(0);
  reach[0] = reachBefore;
  return (
    settled &&
    depth <= maxDepth &&
    isPlausible(query, toolNode, environmentNode) &&
    isFacing(query, toolNode, environmentNode)
  );
}

/** How far the tool's patch must move along `out` to be wholly in front of the environment's. */
function widthAlong(
  { workspace: { pair, out } }: HierarchyQuery,
  tool: QueryBody,
  toolNode: number,
  environment: QueryBody,
  environmentNode: number,
): number {
  for (let axis = 0; axis < 3; axis += 1) pair.direction[axis] = -out[axis];
  minkowskiSupport(pair, tool.hierarchy, toolNode, environment.hierarchy, environmentNode, 0);
  const { point } = pair.simplex;
  return -dot(out, 0, point, 0);
}

function noteLastResort({ environment, workspace }: HierarchyQuery, toolNode: number, environmentNode: number): void {
  const { lastResort, lastResortFacing, toolNormal } = workspace;
  const { normal } = environment.hierarchy;
  const at = 3 * environmentNode;
  const facing = -dot(toolNormal, 0, normal, at);
  if (!(facing > lastResortFacing[0])) return;
  lastResortFacing[0] = facing;
  lastResort[0] = toolNode;
  lastResort[1] = environmentNode;
}
