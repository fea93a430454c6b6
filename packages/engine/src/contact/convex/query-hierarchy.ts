import { COARSE_DIPOLES, windingNumber } from '../../field/tree-query.js';
import { applyMatrix } from '../../math/matrices.js';
import { isFinitePose, type Pose, relativePose, rotationMatrix } from '../../math/pose.js';
import { dot } from '../../math/vectors.js';
import type { ContactSet } from '../contact-set.js';
import { RESULT_DISTANCE } from './convex-pair.js';
import { canBeBehind, endPair } from './end-pair.js';
import { measurePenetration } from './epa.js';
import { addFound, dropContradictions, removeFound } from './found-contacts.js';
import { BEYOND_REACH, measureDistance, OVERLAPPING } from './gjk.js';
import { CAPPED_HIERARCHY_CONTACTS, CAPPED_HIERARCHY_PAIRS, type HierarchyQuery } from './hierarchy-query.js';

/**
 * Contacts between two hierarchies of convex pieces (Otaduy and Lin, section VI): both trees are descended together from
 * the pair of their roots. A pair is dropped if its hulls are further apart than d, and it ends where both nodes'
 * deviation is within the tolerance: each contact is found at the level of detail that it needs. Otherwise the node
 * with the larger deviation gives way to its children.
 *
 * Without allocation and without throwing. The simplices of the last questions are remembered, so that the answer
 * depends, within rounding, on the poses asked before: the same poses in the same order give the same bits.
 */

/** Fills `set` with the contacts at the given poses; `centre` is the tool's centre of mass in the world. */
export function queryHierarchies(
  query: HierarchyQuery,
  set: ContactSet,
  toolPose: Pose,
  environmentPose: Pose,
  centre: Float64Array,
): void {
  set.count = 0;
  appendHierarchyContacts(query, set, toolPose, environmentPose, centre);
}

/** The same for one of several pairs of bodies: its contacts come after those that are in `set` already. */
export function appendHierarchyContacts(
  query: HierarchyQuery,
  set: ContactSet,
  toolPose: Pose,
  environmentPose: Pose,
  centre: Float64Array,
): void {
  const { workspace, counters } = query;
  const { relative, pair, found } = workspace;
  counters.pairs = 0;
  counters.measured = 0;
  counters.ends = 0;
  counters.capped = 0;
  pair.iterations = 0;
  found.count = 0;
  workspace.lastResort[0] = -1;
  workspace.lastResortFacing[0] = -2;
  relativePose(relative, environmentPose, toolPose);
  counters.badPose = isFinitePose(relative) ? 0 : 1;
  if (counters.badPose === 1) return;
  rotationMatrix(pair.transform, relative);
  for (let axis = 0; axis < 3; axis += 1) pair.transform[9 + axis] = relative[axis];
  descend(query);
  dropUntrue(query);
  dropContradictions(found);
  takeLastResort(query);
  counters.iterations = pair.iterations;
  rotationMatrix(workspace.environmentRotation, environmentPose);
  writeContacts(query, set, environmentPose, centre);
}

function descend(query: HierarchyQuery): void {
  const { workspace, counters, maxPairs } = query;
  const { stackTool, stackEnvironment } = workspace;
  const toolTree = query.tool.hierarchy;
  const environmentTree = query.environment.hierarchy;
  let size = 1;
  stackTool[0] = 0;
  stackEnvironment[0] = 0;
  while (size > 0) {
    size -= 1;
    const toolNode = stackTool[size];
    const environmentNode = stackEnvironment[size];
    counters.pairs += 1;
    if (spheresApart(query, toolNode, environmentNode)) continue;
    if (lookTheSameWay(query, toolNode, environmentNode)) continue;
    const answer = measurePair(query, toolNode, environmentNode);
    if (answer === BEYOND_REACH || isTooFar(query, toolNode, environmentNode, answer)) continue;
    const refined = nodeToRefine(query, toolNode, environmentNode);
    if (refined === NEITHER || counters.pairs >= maxPairs) {
      if (refined !== NEITHER) counters.capped |= CAPPED_HIERARCHY_PAIRS;
      endPair(query, toolNode, environmentNode, answer);
      continue;
    }
    const { child } = refined === TOOL ? toolTree : environmentTree;
    const parent = refined === TOOL ? toolNode : environmentNode;
    for (let side = 1; side >= 0; side -= 1) {
      stackTool[size] = refined === TOOL ? child[2 * parent + side] : toolNode;
      stackEnvironment[size] = refined === TOOL ? environmentNode : child[2 * parent + side];
      size += 1;
    }
  }
}

function spheresApart(query: HierarchyQuery, toolNode: number, environmentNode: number): boolean {
  const { transform: m } = query.workspace.pair;
  const t = query.tool.hierarchy.sphere;
  const e = query.environment.hierarchy.sphere;
  const i = 4 * toolNode;
  const j = 4 * environmentNode;
  const x = m[0] * t[i] + m[1] * t[i + 1] + m[2] * t[i + 2] + m[9] - e[j];
  const y = m[3] * t[i] + m[4] * t[i + 1] + m[5] * t[i + 2] + m[10] - e[j + 1];
  const z = m[6] * t[i] + m[7] * t[i + 1] + m[8] * t[i + 2] + m[11] - e[j + 2];
  const reach = t[i + 3] + e[j + 3] + Math.max(query.distanceTolerance, query.maxDepth);
  return x * x + y * y + z * z > reach * reach;
}

/** Sets `toolNormal`. True if no face of one patch can face one of the other: all normals within 90° of each other. */
function lookTheSameWay(query: HierarchyQuery, toolNode: number, environmentNode: number): boolean {
  const { tool, environment, workspace } = query;
  const { toolNormal, pair } = workspace;
  applyMatrix(toolNormal, 0, pair.transform, tool.hierarchy.normal, 3 * toolNode);
  const ct = tool.spreadCosine[toolNode];
  const ce = environment.spreadCosine[environmentNode];
  const st = tool.spreadSine[toolNode];
  const se = environment.spreadSine[environmentNode];
  // Both spreads together at 90° or more: their cosine is not positive.
  if (ct <= 0 || ce <= 0 || ct * ce - st * se <= 0) return false;
  return dot(toolNormal, 0, environment.hierarchy.normal, 3 * environmentNode) > st * ce + ct * se;
}

/** Distance of the hulls, started from the simplex of the last time. */
function measurePair(query: HierarchyQuery, toolNode: number, environmentNode: number): number {
  const { tool, environment, workspace, counters } = query;
  const { pair, cache } = workspace;
  const { simplex } = pair;
  const place = (Math.imul(toolNode, 0x9e3779b1) ^ Math.imul(environmentNode, 0x85ebca6b)) >>> 18;
  simplex.count = 0;
  if (cache.tool[place] === toolNode && cache.environment[place] === environmentNode) {
    simplex.count = cache.count[place];
    for (let n = 0; n < simplex.count; n += 1) {
      simplex.toolVertex[n] = cache.toolVertex[4 * place + n];
      simplex.environmentVertex[n] = cache.environmentVertex[4 * place + n];
    }
  }
  counters.measured += 1;
  pair.reach[0] =
    Math.max(query.distanceTolerance, query.maxDepth) +
    tool.protrusion[toolNode] +
    environment.protrusion[environmentNode];
  const answer = measureDistance(pair, tool.hierarchy, toolNode, environment.hierarchy, environmentNode);
  cache.tool[place] = toolNode;
  cache.environment[place] = environmentNode;
  cache.count[place] = simplex.count;
  for (let n = 0; n < simplex.count; n += 1) {
    cache.toolVertex[4 * place + n] = simplex.toolVertex[n];
    cache.environmentVertex[4 * place + n] = simplex.environmentVertex[n];
  }
  return answer;
}

/** Whether the hulls are further apart than d while nothing beneath them can have passed behind the other. */
function isTooFar(query: HierarchyQuery, toolNode: number, environmentNode: number, answer: number): boolean {
  if (answer === OVERLAPPING) return false;
  const { tool, environment, distanceTolerance, workspace } = query;
  const reach = distanceTolerance + tool.protrusion[toolNode] + environment.protrusion[environmentNode];
  return workspace.pair.result[RESULT_DISTANCE] > reach && !canBeBehind(query, toolNode, environmentNode);
}

const NEITHER = 0;
const TOOL = 1;
const ENVIRONMENT = 2;

function nodeToRefine({ tool, environment, tolerance }: HierarchyQuery, toolNode: number, environmentNode: number) {
  const toolDeviation = tool.hierarchy.deviation[toolNode];
  const environmentDeviation = environment.hierarchy.deviation[environmentNode];
  if (toolDeviation <= tolerance && environmentDeviation <= tolerance) return NEITHER;
  const toolIsLeaf = tool.hierarchy.child[2 * toolNode] < 0;
  const environmentIsLeaf = environment.hierarchy.child[2 * environmentNode] < 0;
  if (toolIsLeaf && environmentIsLeaf) return NEITHER;
  if (toolIsLeaf) return environmentDeviation > tolerance ? ENVIRONMENT : NEITHER;
  if (environmentIsLeaf) return toolDeviation > tolerance ? TOOL : NEITHER;
  return toolDeviation > environmentDeviation ? TOOL : ENVIRONMENT;
}

/**
 * Patches of thin bodies can stand behind each other although the bodies are apart, or on the far side of a wall. What
 * was only inferred is therefore checked: on the way from one point to the other one is inside of both bodies.
 */
function dropUntrue(query: HierarchyQuery): void {
  const { found } = query.workspace;
  for (let n = found.count - 1; n >= 0; n -= 1) {
    if (found.inferred[n] === 1 && !isInsideBoth(query, n)) removeFound(found, n);
  }
}

/** Where on the way between the two points it is asked, from the surface that must be inside the other body. */
const JUST_INSIDE = 0.25;

function isInsideBoth({ tool, environment, workspace }: HierarchyQuery, contact: number): boolean {
  const { found, pair } = workspace;
  const { transform: m } = pair;
  const slack =
    tool.hierarchy.deviation[found.tool[contact]] + environment.hierarchy.deviation[found.environment[contact]];
  // Within the deviations inside and outside of the finest surfaces mean nothing for those of the chosen level.
  if (found.depth[contact] <= slack) return true;
  const o = 3 * contact;
  const a = found.onTool;
  const b = found.onEnvironment;
  const dx = JUST_INSIDE * (b[o] - a[o]);
  const dy = JUST_INSIDE * (b[o + 1] - a[o + 1]);
  const dz = JUST_INSIDE * (b[o + 2] - a[o + 2]);
  const inEnvironment = windingNumber(
    environment.tree,
    environment.treeWorkspace,
    a[o] + dx,
    a[o + 1] + dy,
    a[o + 2] + dz,
    COARSE_DIPOLES,
  );
  if (inEnvironment < 0.5) return false;
  const x = b[o] - dx - m[9];
  const y = b[o + 1] - dy - m[10];
  const z = b[o + 2] - dz - m[11];
  const inTool = windingNumber(
    tool.tree,
    tool.treeWorkspace,
    m[0] * x + m[3] * y + m[6] * z,
    m[1] * x + m[4] * y + m[7] * z,
    m[2] * x + m[5] * y + m[8] * z,
    COARSE_DIPOLES,
  );
  return inTool > 0.5;
}

/** Surfaces that cross steeply, and nowhere face each other, still overlap: then the shortest way out has to do. */
function takeLastResort(query: HierarchyQuery): void {
  const { workspace, tool, environment, counters } = query;
  const { found, lastResort, pair, polytope, mergeDistance } = workspace;
  if (lastResort[0] < 0) return;
  for (let n = 0; n < found.count; n += 1) if (found.depth[n] > 0) return;
  pair.simplex.count = 0;
  pair.reach[0] = Number.POSITIVE_INFINITY;
  const answer = measureDistance(pair, tool.hierarchy, lastResort[0], environment.hierarchy, lastResort[1]);
  if (answer !== OVERLAPPING) return;
  measurePenetration(pair, polytope, tool.hierarchy, lastResort[0], environment.hierarchy, lastResort[1]);
  if (!addFound(found, pair, mergeDistance, lastResort[0], lastResort[1], 0)) {
    counters.capped |= CAPPED_HIERARCHY_CONTACTS;
  }
}

/** Brings the contacts into the world. */
function writeContacts(query: HierarchyQuery, set: ContactSet, environmentPose: Pose, centre: Float64Array): void {
  const { workspace, counters } = query;
  const { found, environmentRotation: r } = workspace;
  const { position, normal, gradient, arm } = set;
  const environmentNodes = query.environment.hierarchy.nodeCount;
  const count = Math.min(found.count, set.capacity - set.count);
  if (count < found.count) counters.capped |= CAPPED_HIERARCHY_CONTACTS;
  for (let n = 0; n < count; n += 1) {
    const at = set.count + n;
    const o = 3 * at;
    const x = found.onTool[3 * n];
    const y = found.onTool[3 * n + 1];
    const z = found.onTool[3 * n + 2];
    position[o] = r[0] * x + r[1] * y + r[2] * z + environmentPose[0];
    position[o + 1] = r[3] * x + r[4] * y + r[5] * z + environmentPose[1];
    position[o + 2] = r[6] * x + r[7] * y + r[8] * z + environmentPose[2];
    applyMatrix(normal, o, r, found.normal, 3 * n);
    for (let axis = 0; axis < 3; axis += 1) {
      gradient[o + axis] = normal[o + axis];
      arm[o + axis] = position[o + axis] - centre[axis];
    }
    set.depth[at] = found.depth[n];
    set.point[at] = (Math.imul(found.tool[n], environmentNodes) + found.environment[n]) & 0x7fffffff;
    set.stiffness[at] = 0;
    query.contactTool[n] = found.tool[n];
    query.contactEnvironment[n] = found.environment[n];
  }
  set.count += count;
}
