import type { ContactSet } from './contact-set.js';
import { createDirectionGroups, type DirectionGroups, groupDirections } from './direction-groups.js';

/**
 * How stiff each contact is, N/m.
 *
 * Adaptive stiffness (Xu and Barbič 2016, cited by Zhao, Li, Barbič as [4]). When many contacts share a direction their
 * stiffness adds up and no device can show it. So the stiffness k_n of a direction is divided among its contacts:
 *
 *   k_i = k_n a_i / max(a_i, ρ_i),   ρ_i = (Σ_j a_j d_j κ_ij)² / Σ_j a_j d_j² κ_ij,   κ_ij = ¼ c² (1 + c)²,   c = N_i · N_j
 *
 * a is the share of surface that a point stands for, 1 on faces and less on edges. ρ is the surface that shares the load
 * of direction N_i, in points: n for n equal depths, a for a single contact. A contact
 * comes in with depth 0, and with it its part in ρ, so that no force jumps; a plain count would make all of them jump. It
 * needs no length to compare depths with, so that the force of a flat face is k_n times its mean depth from the first
 * touch on. κ is 1 for equal directions and exactly 0 for those at right angles and for opposite ones: the faces of a
 * corner, or of a slot, do not take stiffness from each other.
 *
 * As a polynomial in c, κ needs no pairs: Σ_j w_j κ_ij follows from the sums of w times all products of two, three and
 * four components of the normals. The cost is linear in the directions: contacts of a flat face, whose normals are the
 * same to the last bit, are summed first.
 *
 * Points round the corner. A point on a side face just below an edge has a normal that lies in the other surface; alone
 * in its direction it would get all of k_n and push sideways. Its weight is a smooth step of |N · ∇φ| / |∇φ|; the absolute
 * value keeps contacts past the middle of a thin sheet, which face it squarely. The back of an acute edge that is pressed in
 * looks the same but for what the front finds: the same way out, while past the middle it is the other one. As far as it is
 * the same (`dropBacks`) such contacts count for nothing; else they would pinch the surface and rub. Where ∇φ is next to
 * nothing, in the very middle, it says nothing of the kind, and the weight is 1.
 *
 * An edge of the body with the field may meet a face of the body with the shell so that only such points lie inside: then
 * nothing would hold it. Points that lie deeper than all that face a surface are pushed out along ∇φ, with k_n times what
 * they are deeper. Points round the corner of a part that stands on something are not: its face is as deep.
 */
export interface ContactStiffness {
  /** k_n, N/m: of one direction if `adaptive`, of one contact if not. Too low, and parts sink into each other. */
  stiffness: number;
  adaptive: boolean;
  cornerWeighting: boolean;
  /** How deep each contact counts as, m. */
  readonly load: Float64Array;
  /** Contacts of the very same direction: all below is by group. */
  readonly groups: DirectionGroups;
  /** Σ a d and Σ a d² of each. */
  readonly depthOf: Float64Array;
  readonly squareOf: Float64Array;
  /** ρ of each. */
  readonly sharing: Float64Array;
  /** Products of the components of each normal. */
  readonly products: Float64Array;
  /** Their sums, weighted by depth and by its square. */
  readonly byDepth: Float64Array;
  readonly bySquare: Float64Array;
}

/** Products of two, three and four components: 6 + 10 + 15. */
const PRODUCTS = 31;

/** How often each product occurs in c², c³ and c⁴, times its factor in κ = ¼ c² + ½ c³ + ¼ c⁴. */
const FACTORS = Float64Array.of(
  ...[1, 2, 2, 1, 2, 1].map((times) => times / 4),
  ...[1, 3, 3, 3, 6, 3, 1, 3, 3, 1].map((times) => times / 2),
  ...[1, 4, 4, 6, 12, 6, 4, 12, 12, 4, 1, 4, 6, 4, 1].map((times) => times / 4),
);

/** A gradient well below this length has no direction to speak of. */
const NO_GRADIENT = 0.02;
/** Below the first cosine between N and ∇φ a contact counts for nothing, above the second fully. */
const CORNER_NONE = 0.5;
const CORNER_FULL = 0.7;
/** The same where ∇φ leads out on the other side. */
const THROUGH_NONE = 0.8;
const THROUGH_FULL = 0.95;

export function createContactStiffness(
  capacity: number,
  settings: Pick<ContactStiffness, 'stiffness' | 'adaptive' | 'cornerWeighting'>,
): ContactStiffness {
  return {
    ...settings,
    products: new Float64Array(PRODUCTS * capacity),
    load: new Float64Array(capacity),
    groups: createDirectionGroups(capacity),
    depthOf: new Float64Array(capacity),
    squareOf: new Float64Array(capacity),
    sharing: new Float64Array(capacity),
    byDepth: new Float64Array(PRODUCTS),
    bySquare: new Float64Array(PRODUCTS),
  };
}

/** Writes `set.stiffness`. Contacts that do not reach below the surface get none. */
export function setContactStiffness(law: ContactStiffness, set: ContactSet): void {
  weighCorners(law, set);
  if (!law.adaptive) return;
  const { depth, stiffness, count } = set;
  const perStiffness = 1 / law.stiffness;
  for (let c = 0; c < count; c += 1) law.load[c] = depth[c] * stiffness[c] * perStiffness;
  divideStiffness(law, stiffness, set.normal, law.load, set.share, count);
}

/**
 * Shares the stiffness of each direction by `load` instead of depth, which may be known from the cycle before: n normals,
 * three numbers each, and their share of the surface. Contacts without load share as those with it do.
 */
export function shareStiffness(
  law: ContactStiffness,
  out: Float64Array,
  normals: Float64Array,
  load: Float64Array,
  share: Float64Array,
  count: number,
): void {
  out.fill(law.stiffness, 0, count);
  divideStiffness(law, out, normals, load, share, count);
}

function weighCorners({ cornerWeighting, stiffness: full }: ContactStiffness, set: ContactSet): void {
  const { depth, stiffness, count } = set;
  if (cornerWeighting) {
    writeCornerWeights(stiffness, set, 0);
    holdDeepest(stiffness, set);
  } else stiffness.fill(1, 0, count);
  for (let c = 0; c < count; c += 1) stiffness[c] = depth[c] > 0 ? stiffness[c] * full : 0;
}

/** A gradient shorter than this has no direction to push in. */
const SHORTEST_GRADIENT = 0.8;

/** Contacts that face nothing but lie deeper than all that do: by what they are deeper, the gradient pushes them out. */
export function holdDeepest(weight: Float64Array, { depth, normal, gradient, count }: ContactSet): void {
  let held = 0;
  for (let c = 0; c < count; c += 1) if (weight[c] * depth[c] > held) held = weight[c] * depth[c];
  for (let c = 0; c < count; c += 1) {
    if (!(depth[c] > held && weight[c] < 1)) continue;
    const o = 3 * c;
    const gx = gradient[o];
    const gy = gradient[o + 1];
    const gz = gradient[o + 2];
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    if (length < SHORTEST_GRADIENT || normal[o] * gx + normal[o + 1] * gy + normal[o + 2] * gz < 0) continue;
    const more = (1 - weight[c]) * (1 - held / depth[c]);
    const x = weight[c] * normal[o] + (more * gx) / length;
    const y = weight[c] * normal[o + 1] + (more * gy) / length;
    const z = weight[c] * normal[o + 2] + (more * gz) / length;
    const unit = 1 / Math.sqrt(x * x + y * y + z * z);
    normal[o] = x * unit;
    normal[o + 1] = y * unit;
    normal[o + 2] = z * unit;
    weight[c] += more;
  }
}

/**
 * How much each contact from `first` on faces the surface that it touches, 0 to 1. A point round the corner, whose normal
 * lies in that surface, would push sideways.
 */
export function writeCornerWeights(out: Float64Array, set: ContactSet, first: number): void {
  const { normal, gradient, count } = set;
  let hasBacks = false;
  for (let c = first; c < count; c += 1) {
    const o = 3 * c;
    const gx = gradient[o];
    const gy = gradient[o + 1];
    const gz = gradient[o + 2];
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
    const unknown = length < 1 ? NO_GRADIENT * (1 - length) : 0;
    const across = normal[o] * gx + normal[o + 1] * gy + normal[o + 2] * gz;
    const along = (Math.abs(across) + unknown) / (length + unknown);
    const x =
      across < 0
        ? (along - THROUGH_NONE) / (THROUGH_FULL - THROUGH_NONE)
        : (along - CORNER_NONE) / (CORNER_FULL - CORNER_NONE);
    out[c] = x <= 0 ? 0 : x < 1 ? x * x * (3 - 2 * x) : 1;
    if (across < 0 && x > 0) hasBacks = true;
  }
  if (hasBacks) dropBacks(out, set, first);
}

/**
 * Contacts with N · ∇φ < 0: less weight the more of the load of all others leads out the same way, by the parts of ∇φ along
 * and against each axis. Load is weight times depth, so that none of it jumps.
 */
function dropBacks(weight: Float64Array, { normal, gradient, depth, count }: ContactSet, first: number): void {
  let alongX = 0;
  let againstX = 0;
  let alongY = 0;
  let againstY = 0;
  let alongZ = 0;
  let againstZ = 0;
  for (let c = first; c < count; c += 1) {
    const o = 3 * c;
    const gx = gradient[o];
    const gy = gradient[o + 1];
    const gz = gradient[o + 2];
    if (!(depth[c] > 0) || normal[o] * gx + normal[o + 1] * gy + normal[o + 2] * gz < 0) continue;
    const load = weight[c] * depth[c];
    if (gx > 0) alongX += load * gx * gx;
    else againstX += load * gx * gx;
    if (gy > 0) alongY += load * gy * gy;
    else againstY += load * gy * gy;
    if (gz > 0) alongZ += load * gz * gz;
    else againstZ += load * gz * gz;
  }
  for (let c = first; c < count; c += 1) {
    const o = 3 * c;
    const gx = gradient[o];
    const gy = gradient[o + 1];
    const gz = gradient[o + 2];
    if (!(normal[o] * gx + normal[o + 1] * gy + normal[o + 2] * gz < 0)) continue;
    const same =
      (gx > 0 ? alongX : againstX) * gx * gx +
      (gy > 0 ? alongY : againstY) * gy * gy +
      (gz > 0 ? alongZ : againstZ) * gz * gz;
    const other =
      (gx > 0 ? againstX : alongX) * gx * gx +
      (gy > 0 ? againstY : alongY) * gy * gy +
      (gz > 0 ? againstZ : alongZ) * gz * gz;
    if (same > 0) weight[c] *= other / (same + other);
  }
}

/** In the order of FACTORS: xx xy xz yy yz zz, then x times those and yyy yyz yzz zzz, and so on. */
function writeProducts(products: Float64Array, normal: Float64Array, group: number): void {
  const x = normal[3 * group];
  const y = normal[3 * group + 1];
  const z = normal[3 * group + 2];
  const xx = x * x;
  const xy = x * y;
  const xz = x * z;
  const yy = y * y;
  const yz = y * z;
  const zz = z * z;
  const o = PRODUCTS * group;
  products[o] = xx;
  products[o + 1] = xy;
  products[o + 2] = xz;
  products[o + 3] = yy;
  products[o + 4] = yz;
  products[o + 5] = zz;
  products[o + 6] = x * xx;
  products[o + 7] = x * xy;
  products[o + 8] = x * xz;
  products[o + 9] = x * yy;
  products[o + 10] = x * yz;
  products[o + 11] = x * zz;
  products[o + 12] = y * yy;
  products[o + 13] = y * yz;
  products[o + 14] = y * zz;
  products[o + 15] = z * zz;
  products[o + 16] = xx * xx;
  products[o + 17] = xx * xy;
  products[o + 18] = xx * xz;
  products[o + 19] = xx * yy;
  products[o + 20] = xx * yz;
  products[o + 21] = xx * zz;
  products[o + 22] = xy * yy;
  products[o + 23] = xy * yz;
  products[o + 24] = xy * zz;
  products[o + 25] = xz * zz;
  products[o + 26] = yy * yy;
  products[o + 27] = yy * yz;
  products[o + 28] = yy * zz;
  products[o + 29] = yz * zz;
  products[o + 30] = zz * zz;
}

/** Divides `out` among contacts of the same direction. */
function divideStiffness(
  law: ContactStiffness,
  out: Float64Array,
  normals: Float64Array,
  load: Float64Array,
  share: Float64Array,
  count: number,
): void {
  const { groups, depthOf, squareOf, sharing } = law;
  groupDirections(groups, normals, count);
  const { group } = groups;
  depthOf.fill(0, 0, groups.count);
  squareOf.fill(0, 0, groups.count);
  for (let c = 0; c < count; c += 1) {
    const weighted = share[c] * load[c];
    depthOf[group[c]] += weighted;
    squareOf[group[c]] += weighted * load[c];
  }
  sumProducts(law);
  findSharing(law);
  for (let c = 0; c < count; c += 1) {
    const all = sharing[group[c]];
    if (all > share[c]) out[c] *= share[c] / all;
  }
}

/** Σ w times each product over the groups, times its factor. */
function sumProducts({ groups, products, depthOf, squareOf, byDepth, bySquare }: ContactStiffness): void {
  byDepth.fill(0);
  bySquare.fill(0);
  for (let g = 0; g < groups.count; g += 1) {
    writeProducts(products, groups.normal, g);
    const depth = depthOf[g];
    const square = squareOf[g];
    const o = PRODUCTS * g;
    for (let p = 0; p < PRODUCTS; p += 1) {
      byDepth[p] += depth * products[o + p];
      bySquare[p] += square * products[o + p];
    }
  }
  for (let p = 0; p < PRODUCTS; p += 1) {
    byDepth[p] *= FACTORS[p];
    bySquare[p] *= FACTORS[p];
  }
}

/** ρ of each group. */
function findSharing({ groups, products, byDepth, bySquare, sharing }: ContactStiffness): void {
  for (let g = 0; g < groups.count; g += 1) {
    const o = PRODUCTS * g;
    let sum = 0;
    let square = 0;
    for (let p = 0; p < PRODUCTS; p += 1) {
      sum += products[o + p] * byDepth[p];
      square += products[o + p] * bySquare[p];
    }
    // Rounding can leave a tiny negative sum where no other contact shares the direction.
    sharing[g] = square > 0 ? (sum * sum) / square : 0;
  }
}
