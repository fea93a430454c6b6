import type { ContactSet } from '../../contact/contact-set.js';

/**
 * Groups contacts by Lloyd's method (Otaduy, Lin, Algorithm VI.1, Eq. 28–32), so that no more than K springs push the
 * tool, however finely the surfaces are sampled. World frame; n points outward from the tool, against `ContactSet.normal`.
 *
 * Every cluster has a slot, by which it is known from one update to the next: a cluster that is seeded from an old one
 * takes over its slot, and with it the friction that holds it.
 *
 * Where we deviate: contacts are apart by place and by normal, |p − p'|² + ½ L² |n − n'|², L the extent of all contacts. By
 * place alone, contacts on two walls near their corner would be one, which pushes along a mean of both normals: a wedge in
 * a groove of 90° felt 7 to 15 % too little friction. And, as the pseudocode must be read: the closest pair is sought among the old clusters that are left, and without any old cluster the deepest
 * contact is the first seed. A cluster whose normals cancel has no direction to push and is left out; so is one that Lloyd's
 * method emptied.
 */
export interface ContactClusters {
  /** K */
  readonly maxClusters: number;
  /** d, m: contacts of depth −d have no weight. */
  readonly tolerance: number;
  readonly maxIterations: number;
  count: number;
  /** In decreasing order of depth. Three numbers each. */
  readonly position: Float64Array;
  readonly normal: Float64Array;
  readonly depth: Float64Array;
  /** Static and kinetic coefficient of friction, mean of the contacts'. */
  readonly coefficient: Float64Array;
  /** 0 to K − 1. */
  readonly slot: Int32Array;
  /** Iterations of the last update, and the cluster of each contact in the order before sorting. */
  iterations: number;
  readonly workspace: Workspace;
}

interface Workspace {
  readonly owner: Int32Array;
  readonly taken: Uint8Array;
  readonly oldUsed: Uint8Array;
  readonly slotUsed: Uint8Array;
  /** Mean of the contacts' normals, of length 1 at most, while clusters are found. */
  readonly mean: Float64Array;
  readonly oldPosition: Float64Array;
  readonly oldMean: Float64Array;
  readonly oldSlot: Int32Array;
  readonly weight: Float64Array;
  readonly order: Int32Array;
  readonly sorted: Float64Array;
  readonly sortedSlot: Int32Array;
  /** ½ L², m²; the squared distance that was asked for last, m². */
  readonly numbers: Float64Array;
}

/** Contacts at the very edge of the tolerance still have a place: a weight of so many metres. */
const LEAST_WEIGHT = 1e-9;
/** Shortest mean of unit normals that is a direction. */
const LEAST_NORMAL = 1e-3;
const DEFAULT_ITERATIONS = 8;
/** Numbers of a cluster while sorted: position, normal, depth, coefficients. */
const STRIDE = 9;

export function createContactClusters(
  maxClusters: number,
  tolerance: number,
  capacity: number,
  maxIterations = DEFAULT_ITERATIONS,
): ContactClusters {
  return {
    maxClusters,
    tolerance,
    maxIterations,
    count: 0,
    position: new Float64Array(3 * maxClusters),
    normal: new Float64Array(3 * maxClusters),
    depth: new Float64Array(maxClusters),
    coefficient: new Float64Array(2 * maxClusters),
    slot: new Int32Array(maxClusters),
    iterations: 0,
    workspace: {
      owner: new Int32Array(capacity),
      taken: new Uint8Array(capacity),
      oldUsed: new Uint8Array(maxClusters),
      slotUsed: new Uint8Array(maxClusters),
      mean: new Float64Array(3 * maxClusters),
      oldPosition: new Float64Array(3 * maxClusters),
      oldMean: new Float64Array(3 * maxClusters),
      oldSlot: new Int32Array(maxClusters),
      weight: new Float64Array(maxClusters),
      order: new Int32Array(maxClusters),
      sorted: new Float64Array(STRIDE * maxClusters),
      sortedSlot: new Int32Array(maxClusters),
      numbers: new Float64Array(2),
    },
  };
}

/** `coefficients`: static and kinetic friction of each contact. */
export function clusterContacts(clusters: ContactClusters, set: ContactSet, coefficients: Float64Array): void {
  measureExtent(clusters, set);
  seedClusters(clusters, set);
  clusters.iterations = 0;
  let moved = clusters.count > 0;
  while (moved && clusters.iterations < clusters.maxIterations) {
    moved = assignContacts(clusters, set);
    if (moved) writeCentroids(clusters, set);
    clusters.iterations += 1;
  }
  writeRepresentatives(clusters, set, coefficients);
  sortByDepth(clusters);
}

/** Places in `numbers`. */
const TURN = 0;
const SQUARE = 1;

/** Two contacts at right angles are as far apart as the outermost ones of all. */
function measureExtent({ workspace }: ContactClusters, set: ContactSet): void {
  let square = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let c = 0; c < set.count; c += 1) {
      const x = set.position[3 * c + axis];
      if (x < least) least = x;
      if (x > most) most = x;
    }
    if (most > least) square += (most - least) * (most - least);
  }
  workspace.numbers[TURN] = 0.5 * square;
}

/** Writes the squared distance of contact c from cluster k, m². Through an array: a number that is returned may be allocated. */
function measureApart(
  numbers: Float64Array,
  set: ContactSet,
  c: number,
  position: Float64Array,
  mean: Float64Array,
  k: number,
): void {
  const dx = set.position[3 * c] - position[3 * k];
  const dy = set.position[3 * c + 1] - position[3 * k + 1];
  const dz = set.position[3 * c + 2] - position[3 * k + 2];
  const nx = set.normal[3 * c] - mean[3 * k];
  const ny = set.normal[3 * c + 1] - mean[3 * k + 1];
  const nz = set.normal[3 * c + 2] - mean[3 * k + 2];
  numbers[SQUARE] = dx * dx + dy * dy + dz * dz + numbers[TURN] * (nx * nx + ny * ny + nz * nz);
}

/** The next contacts have no clusters before them. */
export function forgetClusters(clusters: ContactClusters): void {
  clusters.count = 0;
}

function seedClusters(clusters: ContactClusters, set: ContactSet): void {
  const { position, normal, slot, workspace } = clusters;
  const { taken, oldUsed, slotUsed, oldPosition, oldMean, oldSlot, owner } = workspace;
  const wanted = Math.min(clusters.maxClusters, set.count);
  // The old ones are in decreasing order of depth, so that the shallowest are left out.
  const old = Math.min(clusters.count, wanted);
  oldPosition.set(position);
  // Against the contacts' normals.
  for (let i = 0; i < 3 * clusters.count; i += 1) oldMean[i] = -normal[i];
  oldSlot.set(slot);
  oldUsed.fill(0);
  slotUsed.fill(0);
  for (let c = 0; c < set.count; c += 1) {
    taken[c] = 0;
    owner[c] = -1;
  }
  clusters.count = 0;
  for (let i = 0; i < old; i += 1) seedFromOld(clusters, set, old);
  while (clusters.count < wanted) seedFarthest(clusters, set);
}

/** Seeds one cluster at the contact that is nearest to an old one. */
function seedFromOld(clusters: ContactClusters, set: ContactSet, old: number): void {
  const { taken, oldUsed, slotUsed, oldPosition, oldMean, oldSlot, numbers } = clusters.workspace;
  let nearest = Number.POSITIVE_INFINITY;
  let contact = -1;
  let from = -1;
  for (let k = 0; k < old; k += 1) {
    if (oldUsed[k] === 1) continue;
    for (let c = 0; c < set.count; c += 1) {
      if (taken[c] === 1) continue;
      measureApart(numbers, set, c, oldPosition, oldMean, k);
      if (numbers[SQUARE] < nearest) {
        nearest = numbers[SQUARE];
        contact = c;
        from = k;
      }
    }
  }
  if (from < 0) return;
  oldUsed[from] = 1;
  slotUsed[oldSlot[from]] = 1;
  placeSeed(clusters, set, contact, oldSlot[from]);
}

/** Seeds one cluster at the contact that is farthest from all clusters; the first at the deepest. */
function seedFarthest(clusters: ContactClusters, set: ContactSet): void {
  const { position, workspace } = clusters;
  const { taken, slotUsed, mean, numbers } = workspace;
  let farthest = Number.NEGATIVE_INFINITY;
  let contact = -1;
  for (let c = 0; c < set.count; c += 1) {
    if (taken[c] === 1) continue;
    let worth = set.depth[c];
    if (clusters.count > 0) worth = Number.POSITIVE_INFINITY;
    for (let k = 0; k < clusters.count; k += 1) {
      measureApart(numbers, set, c, position, mean, k);
      worth = Math.min(worth, numbers[SQUARE]);
    }
    if (contact < 0 || worth > farthest) {
      farthest = worth;
      contact = c;
    }
  }
  let slot = 0;
  while (slotUsed[slot] === 1) slot += 1;
  slotUsed[slot] = 1;
  placeSeed(clusters, set, contact, slot);
}

function placeSeed(clusters: ContactClusters, set: ContactSet, contact: number, slot: number): void {
  const k = clusters.count;
  clusters.workspace.taken[contact] = 1;
  for (let i = 0; i < 3; i += 1) {
    clusters.position[3 * k + i] = set.position[3 * contact + i];
    clusters.workspace.mean[3 * k + i] = set.normal[3 * contact + i];
  }
  clusters.slot[k] = slot;
  clusters.count += 1;
}

/** Gives every contact to its nearest cluster. Whether any changed hands. */
function assignContacts({ count, position, workspace }: ContactClusters, set: ContactSet): boolean {
  const { owner, mean, numbers } = workspace;
  let changed = false;
  for (let c = 0; c < set.count; c += 1) {
    let nearest = Number.POSITIVE_INFINITY;
    let cluster = 0;
    for (let k = 0; k < count; k += 1) {
      measureApart(numbers, set, c, position, mean, k);
      if (numbers[SQUARE] < nearest) {
        nearest = numbers[SQUARE];
        cluster = k;
      }
    }
    if (owner[c] !== cluster) {
      owner[c] = cluster;
      changed = true;
    }
  }
  return changed;
}

/** Eq. 29, and the same of the normals. A cluster that lost all its contacts stays where it is. */
function writeCentroids({ count, position, tolerance, workspace }: ContactClusters, set: ContactSet): void {
  const { owner, weight, mean, sorted: sum } = workspace;
  weight.fill(0);
  sum.fill(0);
  for (let c = 0; c < set.count; c += 1) {
    const k = owner[c];
    const w = Math.max(LEAST_WEIGHT, set.depth[c] + tolerance);
    weight[k] += w;
    for (let i = 0; i < 3; i += 1) {
      sum[6 * k + i] += w * set.position[3 * c + i];
      sum[6 * k + 3 + i] += w * set.normal[3 * c + i];
    }
  }
  for (let k = 0; k < count; k += 1) {
    if (!(weight[k] > 0)) continue;
    for (let i = 0; i < 3; i += 1) {
      position[3 * k + i] = sum[6 * k + i] / weight[k];
      mean[3 * k + i] = sum[6 * k + 3 + i] / weight[k];
    }
  }
}

/** Eq. 30 and 31. Leaves `weight` at 0 for clusters that are none. */
function writeRepresentatives(clusters: ContactClusters, set: ContactSet, coefficients: Float64Array): void {
  const { count, normal, depth, coefficient, tolerance, workspace } = clusters;
  const { owner, weight } = workspace;
  weight.fill(0);
  normal.fill(0);
  depth.fill(0);
  coefficient.fill(0);
  for (let c = 0; c < set.count; c += 1) {
    const k = owner[c];
    const w = Math.max(LEAST_WEIGHT, set.depth[c] + tolerance);
    weight[k] += w;
    depth[k] += w * set.depth[c];
    coefficient[2 * k] += w * coefficients[2 * c];
    coefficient[2 * k + 1] += w * coefficients[2 * c + 1];
    for (let i = 0; i < 3; i += 1) normal[3 * k + i] -= w * set.normal[3 * c + i];
  }
  for (let k = 0; k < count; k += 1) {
    const x = normal[3 * k];
    const y = normal[3 * k + 1];
    const z = normal[3 * k + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > LEAST_NORMAL * weight[k])) {
      weight[k] = 0;
      continue;
    }
    for (let i = 0; i < 3; i += 1) normal[3 * k + i] /= length;
    depth[k] /= weight[k];
    coefficient[2 * k] /= weight[k];
    coefficient[2 * k + 1] /= weight[k];
  }
}

/** Deepest first, those that are none left out. */
function sortByDepth(clusters: ContactClusters): void {
  const { position, normal, depth, coefficient, slot, workspace } = clusters;
  const { order, sorted, sortedSlot, weight } = workspace;
  let count = 0;
  for (let k = 0; k < clusters.count; k += 1) {
    if (!(weight[k] > 0)) continue;
    let at = count;
    for (; at > 0 && depth[order[at - 1]] < depth[k]; at -= 1) order[at] = order[at - 1];
    order[at] = k;
    count += 1;
  }
  for (let n = 0; n < count; n += 1) {
    const k = order[n];
    const o = STRIDE * n;
    for (let i = 0; i < 3; i += 1) {
      sorted[o + i] = position[3 * k + i];
      sorted[o + 3 + i] = normal[3 * k + i];
    }
    sorted[o + 6] = depth[k];
    sorted[o + 7] = coefficient[2 * k];
    sorted[o + 8] = coefficient[2 * k + 1];
    sortedSlot[n] = slot[k];
  }
  clusters.count = count;
  for (let n = 0; n < count; n += 1) {
    const o = STRIDE * n;
    for (let i = 0; i < 3; i += 1) {
      position[3 * n + i] = sorted[o + i];
      normal[3 * n + i] = sorted[o + 3 + i];
    }
    depth[n] = sorted[o + 6];
    coefficient[2 * n] = sorted[o + 7];
    coefficient[2 * n + 1] = sorted[o + 8];
    slot[n] = sortedSlot[n];
  }
}
