import { dot } from '../../math/vectors.js';
import { type ConvexPair, RESULT_DISTANCE } from './convex-pair.js';
import type { FoundContacts } from './hierarchy-query.js';

/**
 * Contacts as they are found, without those that another one implies. Pairs of neighbouring patches share edges and
 * corners, so that one place gives many contacts: the same again, or the way to a patch beside the one that is nearest.
 *
 * A contact says: the tool's point must stay in front of the plane through the environment's point. From the same point
 * of the tool a second contact adds nothing if its own point of the environment is not in front of that plane and is
 * not nearer; a groove gives two contacts, since each of its walls is in front of the other. With the roles exchanged
 * for contacts that share the environment's point.
 */

/** What counts as in front of the plane, as part of the way between the points and of the merging distance. */
const IN_FRONT = 0.1;
/** Cosine between normals of contacts that are the same on both bodies. */
const SAME_NORMAL = 0.7;

/**
 * Adds the contact that stands in `pair` with its depth in `pair.result[RESULT_DISTANCE]`; `mergeDistance[0]` is how near
 * two points are the same. False if the list is full and the contact or a shallower one was dropped.
 */
export function addFound(
  found: FoundContacts,
  pair: ConvexPair,
  mergeDistance: Float64Array,
  toolNode: number,
  environmentNode: number,
  inferred: number,
): boolean {
  const limit = found.capacity;
  // One place beyond the capacity is kept for the newcomer while it is compared.
  write(found, limit, pair, toolNode, environmentNode, inferred);
  for (let n = 0; n < found.count; n += 1) {
    if (isImplied(found, limit, n, mergeDistance)) return true;
  }
  for (let n = found.count - 1; n >= 0; n -= 1) {
    if (isImplied(found, n, limit, mergeDistance)) removeFound(found, n);
  }
  if (found.count < limit) {
    copyFound(found, found.count, limit);
    found.count += 1;
    return true;
  }
  let shallowest = 0;
  for (let n = 1; n < limit; n += 1) if (found.depth[n] < found.depth[shallowest]) shallowest = n;
  if (found.depth[limit] > found.depth[shallowest]) copyFound(found, shallowest, limit);
  return false;
}

function write(
  found: FoundContacts,
  at: number,
  pair: ConvexPair,
  toolNode: number,
  environmentNode: number,
  inferred: number,
): void {
  found.tool[at] = toolNode;
  found.environment[at] = environmentNode;
  found.inferred[at] = inferred;
  found.depth[at] = pair.result[RESULT_DISTANCE];
  for (let axis = 0; axis < 3; axis += 1) {
    found.onTool[3 * at + axis] = pair.onTool[axis];
    found.onEnvironment[3 * at + axis] = pair.onEnvironment[axis];
    found.normal[3 * at + axis] = pair.normal[axis];
  }
}

/** Whether contact `i` adds nothing to contact `j`. */
function isImplied(found: FoundContacts, i: number, j: number, mergeDistance: Float64Array): boolean {
  const { onTool: a, onEnvironment: b, normal: n, depth } = found;
  const near = mergeDistance[0];
  const p = 3 * i;
  const q = 3 * j;
  const ax = a[p] - a[q];
  const ay = a[p + 1] - a[q + 1];
  const az = a[p + 2] - a[q + 2];
  const bx = b[p] - b[q];
  const by = b[p + 1] - b[q + 1];
  const bz = b[p + 2] - b[q + 2];
  const onTool = ax * ax + ay * ay + az * az;
  const onEnvironment = bx * bx + by * by + bz * bz;
  const sameTool = onTool < near * near;
  const sameEnvironment = onEnvironment < near * near;
  if (!sameTool && !sameEnvironment) return false;
  if (Math.abs(depth[j]) > Math.abs(depth[i])) return false;
  if (sameTool && sameEnvironment) {
    return dot(n, p, n, q) > SAME_NORMAL;
  }
  const front = sameTool ? bx * n[q] + by * n[q + 1] + bz * n[q + 2] : -(ax * n[q] + ay * n[q + 1] + az * n[q + 2]);
  return front <= IN_FRONT * (Math.sqrt(sameTool ? onEnvironment : onTool) + near);
}

/** Opposite ways out of the same place contradict each other: only the shorter one is meant. */
export function dropContradictions(found: FoundContacts): void {
  for (let i = found.count - 1; i >= 0; i -= 1) {
    for (let j = 0; j < found.count; j += 1) {
      if (i !== j && contradicts(found, i, j)) {
        removeFound(found, i);
        break;
      }
    }
  }
}

/** Whether contact `i` is the longer of two opposite ways out. */
function contradicts({ onTool: a, normal: n, depth }: FoundContacts, i: number, j: number): boolean {
  if (!(depth[j] > 0 && depth[i] > depth[j])) return false;
  const p = 3 * i;
  const q = 3 * j;
  if (dot(n, p, n, q) > -0.5) return false;
  const x = a[p] - a[q];
  const y = a[p + 1] - a[q + 1];
  const z = a[p + 2] - a[q + 2];
  const reach = depth[i] + depth[j];
  return x * x + y * y + z * z < reach * reach;
}

/** The last contact takes the place of the removed one. */
export function removeFound(found: FoundContacts, at: number): void {
  found.count -= 1;
  copyFound(found, at, found.count);
}

function copyFound(found: FoundContacts, to: number, from: number): void {
  found.tool[to] = found.tool[from];
  found.environment[to] = found.environment[from];
  found.inferred[to] = found.inferred[from];
  found.depth[to] = found.depth[from];
  for (let axis = 0; axis < 3; axis += 1) {
    found.onTool[3 * to + axis] = found.onTool[3 * from + axis];
    found.onEnvironment[3 * to + axis] = found.onEnvironment[3 * from + axis];
    found.normal[3 * to + axis] = found.normal[3 * from + axis];
  }
}
