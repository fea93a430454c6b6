import type { ContactSet } from '../../contact/contact-set.js';
import { type Pose, rotationMatrix } from '../../math/pose.js';

/**
 * Contacts of convex pieces that lie flat on each other. Such a pair answers with a single point, which jumps from corner
 * to corner as the tool rocks; so the points of the last updates are kept for as long as they are true. A point stays
 * while its pair of nodes is in contact along the same normal, its two ends have not slid apart, and they are nearer than
 * d. Of more than four of a pair, those that are furthest apart stay.
 */
export interface ContactManifold {
  readonly capacity: number;
  /** d, m; also how far points of one pair must be apart, and how far their ends may slide. */
  readonly tolerance: number;
  count: number;
  /** Nodes of the tool and of the environment. */
  readonly nodes: Int32Array;
  /** Point in the tool's frame; point and normal in the environment's. */
  readonly points: Float64Array;
  readonly workspace: {
    readonly toolRotation: Float64Array;
    readonly environmentRotation: Float64Array;
    /** Position and normal in the world, depth. */
    readonly placed: Float64Array;
  };
}

const STRIDE = 9;
const MOST_POINTS = 4;
/** Cosine of 2.5°: more than that is another contact. */
const SAME_NORMAL = 0.999;

export function createContactManifold(capacity: number, tolerance: number): ContactManifold {
  return {
    capacity,
    tolerance,
    count: 0,
    nodes: new Int32Array(2 * capacity),
    points: new Float64Array(STRIDE * capacity),
    workspace: {
      toolRotation: new Float64Array(9),
      environmentRotation: new Float64Array(9),
      placed: new Float64Array(7),
    },
  };
}

/**
 * Adds to the contacts of `set` from `first` on, which are those of one pair of bodies, the ones that are still true, and
 * remembers them all. `nodes`: three numbers for each contact of the set, the last two being the nodes.
 */
export function keepManifold(
  manifold: ContactManifold,
  set: ContactSet,
  first: number,
  nodes: Int32Array,
  toolPose: Pose,
  environmentPose: Pose,
): void {
  const { workspace } = manifold;
  rotationMatrix(workspace.toolRotation, toolPose);
  rotationMatrix(workspace.environmentRotation, environmentPose);
  const fresh = set.count;
  for (let m = 0; m < manifold.count && set.count < set.capacity; m += 1) {
    const from = freshContactOf(manifold, m, set, first, fresh, nodes, toolPose, environmentPose);
    if (from >= 0) appendPlaced(manifold, set, from, nodes);
  }
  for (let c = first; c < fresh; c += 1) dropSurplus(set, c, fresh, nodes);
  remember(manifold, set, first, nodes, toolPose, environmentPose);
}

/** The new contact beside which the remembered one is still true, or −1; the place of the remembered one in `placed`. */
function freshContactOf(
  { nodes: own, points, tolerance, workspace }: ContactManifold,
  m: number,
  { position, normal }: ContactSet,
  first: number,
  fresh: number,
  nodes: Int32Array,
  toolPose: Pose,
  environmentPose: Pose,
): number {
  const { toolRotation: T, environmentRotation: E, placed } = workspace;
  const o = STRIDE * m;
  let depth = 0;
  let square = 0;
  for (let i = 0; i < 3; i += 1) {
    const r = 3 * i;
    placed[i] = toolPose[i] + T[r] * points[o] + T[r + 1] * points[o + 1] + T[r + 2] * points[o + 2];
    placed[3 + i] = E[r] * points[o + 6] + E[r + 1] * points[o + 7] + E[r + 2] * points[o + 8];
    const onEnvironment =
      environmentPose[i] + E[r] * points[o + 3] + E[r + 1] * points[o + 4] + E[r + 2] * points[o + 5];
    const way = onEnvironment - placed[i];
    depth += way * placed[3 + i];
    square += way * way;
  }
  placed[6] = depth;
  const limit = tolerance * tolerance;
  if (!(depth > -tolerance && square - depth * depth < limit)) return -1;
  let answer = -1;
  for (let c = first; c < fresh; c += 1) {
    if (nodes[3 * c + 1] !== own[2 * m] || nodes[3 * c + 2] !== own[2 * m + 1]) continue;
    let same = 0;
    let apart = 0;
    for (let i = 0; i < 3; i += 1) {
      same += normal[3 * c + i] * placed[3 + i];
      const way = position[3 * c + i] - placed[i];
      apart += way * way;
    }
    if (same > SAME_NORMAL && apart < limit) return -1;
    if (same > SAME_NORMAL) answer = c;
  }
  return answer;
}

function appendPlaced({ workspace: { placed } }: ContactManifold, set: ContactSet, from: number, nodes: Int32Array) {
  const at = set.count;
  copyContact(set, at, from, nodes);
  set.count += 1;
  for (let i = 0; i < 3; i += 1) {
    const moved = placed[i] - set.position[3 * from + i];
    set.position[3 * at + i] = placed[i];
    set.normal[3 * at + i] = placed[3 + i];
    set.gradient[3 * at + i] = placed[3 + i];
    set.arm[3 * at + i] += moved;
  }
  set.depth[at] = placed[6];
}

/** Takes kept contacts of the new contact `c` out, the one that is nearest to the others first, until there is room. */
function dropSurplus(set: ContactSet, c: number, fresh: number, nodes: Int32Array): void {
  for (;;) {
    let points = 1;
    let nearest = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let k = fresh; k < set.count; k += 1) {
      if (!isSamePair(nodes, k, c)) continue;
      points += 1;
      let distance = squareBetween(set, k, c);
      for (let j = fresh; j < set.count; j += 1) {
        if (j !== k && isSamePair(nodes, j, c)) distance = Math.min(distance, squareBetween(set, k, j));
      }
      if (distance < least) {
        least = distance;
        nearest = k;
      }
    }
    if (points <= MOST_POINTS) return;
    set.count -= 1;
    copyContact(set, nearest, set.count, nodes);
  }
}

function isSamePair(nodes: Int32Array, a: number, b: number): boolean {
  return nodes[3 * a + 1] === nodes[3 * b + 1] && nodes[3 * a + 2] === nodes[3 * b + 2];
}

function squareBetween({ position }: ContactSet, a: number, b: number): number {
  const x = position[3 * a] - position[3 * b];
  const y = position[3 * a + 1] - position[3 * b + 1];
  const z = position[3 * a + 2] - position[3 * b + 2];
  return x * x + y * y + z * z;
}

function copyContact(set: ContactSet, to: number, from: number, nodes: Int32Array): void {
  for (let i = 0; i < 3; i += 1) {
    set.position[3 * to + i] = set.position[3 * from + i];
    set.normal[3 * to + i] = set.normal[3 * from + i];
    set.gradient[3 * to + i] = set.gradient[3 * from + i];
    set.arm[3 * to + i] = set.arm[3 * from + i];
    nodes[3 * to + i] = nodes[3 * from + i];
  }
  set.depth[to] = set.depth[from];
  set.point[to] = set.point[from];
  set.stiffness[to] = set.stiffness[from];
}

function remember(
  manifold: ContactManifold,
  { count, position, normal, depth }: ContactSet,
  first: number,
  nodes: Int32Array,
  toolPose: Pose,
  environmentPose: Pose,
): void {
  const { nodes: own, points, workspace } = manifold;
  const { toolRotation: T, environmentRotation: E } = workspace;
  manifold.count = Math.min(count - first, manifold.capacity);
  for (let m = 0; m < manifold.count; m += 1) {
    const c = first + m;
    const o = STRIDE * m;
    own[2 * m] = nodes[3 * c + 1];
    own[2 * m + 1] = nodes[3 * c + 2];
    for (let i = 0; i < 3; i += 1) {
      points[o + i] = 0;
      points[o + 3 + i] = 0;
      points[o + 6 + i] = 0;
      for (let j = 0; j < 3; j += 1) {
        const p = position[3 * c + j];
        const n = normal[3 * c + j];
        points[o + i] += T[3 * j + i] * (p - toolPose[j]);
        points[o + 3 + i] += E[3 * j + i] * (p + depth[c] * n - environmentPose[j]);
        points[o + 6 + i] += E[3 * j + i] * n;
      }
    }
  }
}
