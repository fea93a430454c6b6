/**
 * What of two bodies is near to each other, in one cycle: a pool with a `count`, which the caller sets to 0 and to which
 * `findProximity` and `findFieldProximity` append. All vectors are in the world frame.
 *
 * P is the point on surface A, Q the one on surface B or on a field, n the unit normal from B into A, and the gap is
 * n·(P − Q): negative when the two have gone into each other.
 */
export interface ProximitySet {
  count: number;
  readonly capacity: number;
  /** `VERTEX_FACE` (vertex of A), `FACE_VERTEX` (vertex of B), `EDGE_EDGE` or `VERTEX_FIELD`. */
  readonly kind: Int32Array;
  /**
   * Two numbers per contact by which it is known again in the next cycle. A vertex keeps its contact when it slides from
   * face to face: the first number is its own, with the kind, the second counts its contacts, the nearest first. Two
   * edges have their numbers.
   */
  readonly key: Int32Array;
  /** Three vertices of A per contact, −1 where there are fewer, and their weights, which sum to 1. */
  readonly a: Int32Array;
  readonly weightA: Float64Array;
  /** The same for B; all −1 and 0 where B is a field: Q is then a point of its body. */
  readonly b: Int32Array;
  readonly weightB: Float64Array;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
  readonly normal: Float64Array;
  /** Metres. */
  readonly gap: Float64Array;
  /** Bits since the set was empty, see `CAPPED_PROXIMITY…` and `BAD_PROXIMITY`. */
  flags: number;
  /** Pairs of a feature and a triangle that the last query looked at. */
  tests: number;
  readonly maxTests: number;
  readonly workspace: ProximityWorkspace;
}

/** Kind of contact: a vertex of A against a triangle of B. */
export const VERTEX_FACE = 0;
/** Kind of contact: a triangle of A against a vertex of B. */
export const FACE_VERTEX = 1;
/** Kind of contact: an edge of A against an edge of B. */
export const EDGE_EDGE = 2;
/** Kind of contact: a vertex of A against the distance field of a rigid body B. */
export const VERTEX_FIELD = 3;

/** More was near than the set holds; those with the smallest gaps were kept. */
const CAPPED_PROXIMITY_CONTACTS = 1;
/** The query ended early, after `maxTests` tests. */
export const CAPPED_PROXIMITY_TESTS = 2;
/** More triangles were near to one feature than can be looked at: the alarm distance is too large for the mesh. */
export const CAPPED_PROXIMITY_NEAR = 4;
/** A surface, a pose or a distance held a number that is not finite; that pair has no contacts. */
export const BAD_PROXIMITY = 8;

/** Triangles that are looked at around one feature. */
const MAX_NEAR = 256;

/** Scratch memory of the queries; can be dropped without changing results. */
export interface ProximityWorkspace {
  /** Distances of the query, metres; `LIMIT_…` names their places. */
  readonly limits: Float64Array;
  readonly box: Float64Array;
  /** Of the field's body. */
  readonly rotation: Float64Array;
  readonly near: Int32Array;
  /** Result of a closest-feature test. */
  readonly closest: Float64Array;
  /** A point or a vector at hand; each query says which. */
  readonly point: Float64Array;
  readonly vector: Float64Array;
  /** Mean normal of the vertex, outward normal of the feature that it is near to. */
  readonly ownNormal: Float64Array;
  readonly featureNormal: Float64Array;
  /** Features of the other surface where the distance to a vertex has a minimum. */
  readonly minimumFace: Int32Array;
  readonly minimumFeature: Int32Array;
  /** Weights, squared distance and side (positive in front) of each. */
  readonly minimum: Float64Array;
  /** Normals of the contacts that a vertex has so far. */
  readonly directions: Float64Array;
  /** The contact to be stored: kind, key, vertices of A and B. */
  readonly ids: Int32Array;
  /** The contact to be stored: weights of A and B, P, Q, n, gap. */
  readonly values: Float64Array;
  /** Contacts as a heap, the largest gap first, while the set is full. */
  readonly heap: Int32Array;
  heapCount: number;
  /** For thinning: squared distance to what was chosen, what each counts for, whether chosen last time, the chosen ones, keys by place. */
  readonly apart: Float64Array;
  readonly weight: Float64Array;
  readonly preferred: Uint8Array;
  readonly chosen: Int32Array;
  readonly table: Int32Array;
  readonly ranges: Float64Array;
  /** And contacts by cell: where each cell begins, the cell of each, and all in the order of cells. */
  readonly cellStart: Int32Array;
  readonly cellOf: Int32Array;
  readonly sorted: Int32Array;
  /** Of `THIN_BLOCK` contacts in that order: the block of each; boxes, largest of `apart`, the best and its score, by block. */
  readonly blockOf: Int32Array;
  readonly blockBox: Float64Array;
  readonly blockApart: Float64Array;
  readonly blockBest: Int32Array;
  readonly blockScore: Float64Array;
}

/** Cells along an axis, for thinning. */
export const THIN_CELLS = 9;
/** Contacts in a block, for thinning. */
export const THIN_BLOCK = 16;

/** Places in `limits`. */
export const LIMIT_ALARM = 0;
export const LIMIT_DEPTH = 1;
/** The larger of both. */
export const LIMIT_REACH = 2;

/** Places in `ids` and `values`. */
export const ID_KIND = 0;
export const ID_KEY = 1;
export const ID_A = 3;
export const ID_B = 6;
export const VALUE_WEIGHT_A = 0;
export const VALUE_WEIGHT_B = 3;
export const VALUE_P = 6;
export const VALUE_Q = 9;
export const VALUE_NORMAL = 12;
export const VALUE_GAP = 15;

/** Limits of a proximity query. */
export interface ProximitySetOptions {
  /** No more pairs of a feature and a triangle than this are looked at in one query; a hundred thousand unless given. */
  readonly maxTests?: number;
}

/** Allocates an empty set for at most `capacity` contacts. */
export function createProximitySet(capacity: number, options: ProximitySetOptions = {}): ProximitySet {
  return {
    count: 0,
    capacity,
    kind: new Int32Array(capacity),
    key: new Int32Array(2 * capacity),
    a: new Int32Array(3 * capacity),
    weightA: new Float64Array(3 * capacity),
    b: new Int32Array(3 * capacity),
    weightB: new Float64Array(3 * capacity),
    pointA: new Float64Array(3 * capacity),
    pointB: new Float64Array(3 * capacity),
    normal: new Float64Array(3 * capacity),
    gap: new Float64Array(capacity),
    flags: 0,
    tests: 0,
    maxTests: options.maxTests ?? 100_000,
    workspace: createWorkspace(capacity),
  };
}

function createWorkspace(capacity: number): ProximityWorkspace {
  const blocks = Math.ceil(capacity / THIN_BLOCK);
  return {
    limits: new Float64Array(3),
    box: new Float64Array(6),
    rotation: new Float64Array(9),
    near: new Int32Array(MAX_NEAR),
    closest: new Float64Array(4),
    point: new Float64Array(6),
    vector: new Float64Array(6),
    ownNormal: new Float64Array(3),
    featureNormal: new Float64Array(3),
    minimumFace: new Int32Array(MAX_NEAR + 1),
    minimumFeature: new Int32Array(MAX_NEAR + 1),
    minimum: new Float64Array(5 * (MAX_NEAR + 1)),
    directions: new Float64Array(12),
    ids: new Int32Array(9),
    values: new Float64Array(16),
    heap: new Int32Array(capacity),
    heapCount: 0,
    apart: new Float64Array(capacity),
    weight: new Float64Array(capacity),
    preferred: new Uint8Array(capacity),
    chosen: new Int32Array(capacity),
    // A power of two, half empty at least.
    table: new Int32Array(2 ** (32 - Math.clz32(2 * capacity + 1))),
    ranges: new Float64Array(8),
    cellStart: new Int32Array(THIN_CELLS * THIN_CELLS * THIN_CELLS + 1),
    cellOf: new Int32Array(capacity),
    sorted: new Int32Array(capacity),
    blockOf: new Int32Array(capacity),
    blockBox: new Float64Array(6 * blocks),
    blockApart: new Float64Array(blocks),
    blockBest: new Int32Array(blocks),
    blockScore: new Float64Array(blocks),
  };
}

/** Empties the set for a query with the same limits. */
export function clearProximity(set: ProximitySet): void {
  set.count = 0;
  set.flags = 0;
  set.tests = 0;
  set.workspace.heapCount = 0;
}

/** Starts a query with the given alarm distance and largest depth, metres; what is in the set stays. */
export function beginQuery(set: ProximitySet, alarm: number, maxDepth: number): void {
  const { workspace } = set;
  if (set.count === 0) set.flags = 0;
  set.tests = 0;
  workspace.heapCount = 0;
  workspace.limits[LIMIT_ALARM] = alarm;
  workspace.limits[LIMIT_DEPTH] = maxDepth;
  workspace.limits[LIMIT_REACH] = Math.max(alarm, maxDepth);
}

/** Appends the contact of the workspace; in a full set it takes the place of the one with the largest gap, if smaller. */
export function storeContact(set: ProximitySet): void {
  if (set.count < set.capacity) {
    writeContact(set, set.count);
    set.count += 1;
    return;
  }
  set.flags |= CAPPED_PROXIMITY_CONTACTS;
  const { heap, values } = set.workspace;
  if (set.workspace.heapCount !== set.count) buildHeap(set);
  if (set.count === 0 || !(values[VALUE_GAP] < set.gap[heap[0]])) return;
  writeContact(set, heap[0]);
  siftDown(set, 0);
}

function writeContact(set: ProximitySet, at: number): void {
  const { ids, values } = set.workspace;
  set.kind[at] = ids[ID_KIND];
  set.key[2 * at] = ids[ID_KEY];
  set.key[2 * at + 1] = ids[ID_KEY + 1];
  set.gap[at] = values[VALUE_GAP];
  for (let i = 0; i < 3; i++) {
    const to = 3 * at + i;
    set.a[to] = ids[ID_A + i];
    set.b[to] = ids[ID_B + i];
    set.weightA[to] = values[VALUE_WEIGHT_A + i];
    set.weightB[to] = values[VALUE_WEIGHT_B + i];
    set.pointA[to] = values[VALUE_P + i];
    set.pointB[to] = values[VALUE_Q + i];
    set.normal[to] = values[VALUE_NORMAL + i];
  }
}

function buildHeap(set: ProximitySet): void {
  const { workspace } = set;
  for (let i = 0; i < set.count; i++) workspace.heap[i] = i;
  workspace.heapCount = set.count;
  for (let i = (set.count >> 1) - 1; i >= 0; i--) siftDown(set, i);
}

function siftDown(set: ProximitySet, from: number): void {
  const { heap, heapCount } = set.workspace;
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heapCount) return;
    if (child + 1 < heapCount && set.gap[heap[child + 1]] > set.gap[heap[child]]) child += 1;
    if (!(set.gap[heap[child]] > set.gap[heap[at]])) return;
    const contact = heap[at];
    heap[at] = heap[child];
    heap[child] = contact;
    at = child;
  }
}
