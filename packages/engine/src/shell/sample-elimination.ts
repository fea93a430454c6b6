/**
 * Weighted sample elimination: from many random samples of a surface keep a given number of evenly spread ones.
 *
 * After C. Yuksel, "Sample Elimination for Generating Poisson Disk Sample Sets", Computer Graphics Forum 34(2), 2015,
 * sections 3 and 4. Every sample i carries the weight Σ_j w_ij over its neighbours j; the heaviest one is removed
 * again and again until `keep` samples remain.
 *
 *   w_ij  = (1 − d̂_ij / s)^α          for d_ij < s, else 0; α = 8
 *   s     = 2 r_max = √(2A / (√3 n))   distance of neighbours in the densest packing of n points on the area A
 *   d̂_ij = max(d_ij, 2 r_min)         r_min = r_max (1 − (n/m)^γ) β, γ = 1.5, β = 0.65, m samples given
 *
 * Where we deviate: two samples are neighbours only while they lie on the same side of the material. Otherwise the two
 * faces of a thin plate would take each other's points. Samples can also be protected, so that the last one of a small
 * part stays.
 */

import type { CancelSignal } from '../base/progress.js';
import { throwIfCancelled } from '../base/progress.js';
import { powerOf, square } from '../math/portable.js';
import { dot } from '../math/vectors.js';
import { PointGrid } from './point-grid.js';

const ALPHA_SQUARINGS = 3; // α = 2³
const GAMMA = 1.5;
const BETA = 0.65;

/** Weight of a lone neighbour at 0.93 s: a sample that has less needs no thinning. */
const NEGLIGIBLE_WEIGHT = 1e-9;

/** Samples handled between two looks at the cancel signal. */
const CHECK_INTERVAL = 4096;

/**
 * Cosine of the angle between two normals below which points count as lying on opposite sides. A little below zero, so
 * that the points beside a right-angled edge still keep their distance, while those of a plate or a blade do not.
 */
export const OPPOSITE_SIDE_COSINE = -0.25;

export interface EliminationInput {
  /** x, y, z of all samples, metres. */
  readonly positions: Float64Array;
  /** Unit normals, three numbers each; sample i has the normal number `normalIndex[i]`. */
  readonly normals: Float64Array;
  readonly normalIndex: Uint32Array;
  /** The connected part that each sample lies on; parts marked in `partProtected` keep their last sample. */
  readonly part: Uint32Array;
  readonly partProtected: Uint8Array;
  /** Area of the surface, m². */
  readonly area: number;
  /** The first so many samples are never removed; none unless given. */
  readonly kept?: number;
}

/** Distance of neighbours when `count` points are spread over `area` in the densest way (a hexagonal lattice). */
export function idealSpacing(area: number, count: number): number {
  return Math.sqrt((2 * area) / (Math.sqrt(3) * count));
}

/**
 * Removes samples of `subset` until `keep` remain and returns those in their old order. Protected parts must not be more
 * than `keep`. `onFraction` is told the progress from 0 to 1.
 *
 * Small parts far from each other can use up all neighbours at the distance s while too many samples are left; the
 * elimination then goes on with twice the distance, so that the parts themselves are thinned out evenly.
 */
export function eliminateSamples(
  input: EliminationInput,
  subset: Uint32Array,
  keep: number,
  signal?: CancelSignal,
  onFraction?: (fraction: number) => void,
): Uint32Array {
  const diagonal = boundingDiagonal(input.positions, subset);
  let left = subset;
  for (let spacing = idealSpacing(input.area, keep); left.length > keep; spacing *= 2) {
    const state = new Elimination(input, left, keep, spacing, signal);
    // At a distance beyond the whole object, what has no neighbours yet differs only in its side: take any.
    const smallestWeight = spacing > diagonal ? Number.NEGATIVE_INFINITY : NEGLIGIBLE_WEIGHT;
    while (state.left > keep && state.removeHeaviest(smallestWeight)) {
      if (state.left % CHECK_INTERVAL !== 0) continue;
      throwIfCancelled(signal);
      onFraction?.((subset.length - state.left) / (subset.length - keep));
    }
    left = state.remaining();
  }
  return left;
}

function boundingDiagonal(positions: Float64Array, subset: Uint32Array): number {
  let sum = 0;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const sample of subset) {
      low = Math.min(low, positions[3 * sample + axis]);
      high = Math.max(high, positions[3 * sample + axis]);
    }
    sum += square(high - low);
  }
  return Math.sqrt(sum);
}

class Elimination {
  /** Samples not yet removed. */
  left: number;
  private readonly spacing: number;
  private readonly leastDistance: number;
  private readonly grid: PointGrid;
  private readonly partLeft: Uint32Array;
  private readonly heap: WeightHeap;
  private readonly input: EliminationInput;
  private readonly subset: Uint32Array;

  constructor(input: EliminationInput, subset: Uint32Array, keep: number, spacing: number, signal?: CancelSignal) {
    this.input = input;
    this.subset = subset;
    this.left = subset.length;
    this.spacing = spacing;
    this.leastDistance = spacing * (1 - powerOf(keep / subset.length, GAMMA)) * BETA;
    this.grid = new PointGrid(input.positions, subset, spacing);
    this.partLeft = new Uint32Array(input.partProtected.length);
    for (const sample of subset) this.partLeft[input.part[sample]]++;
    this.heap = new WeightHeap(subset, input.normalIndex.length);
    for (let i = 0; i < subset.length; i++) {
      if (i % CHECK_INTERVAL === 0) throwIfCancelled(signal);
      this.heap.weights[subset[i]] = this.changeNeighbours(subset[i], false);
    }
    this.heap.order();
  }

  /** False when every sample left is lighter than `smallestWeight` or protected. */
  removeHeaviest(smallestWeight: number): boolean {
    const { part, partProtected, kept = 0 } = this.input;
    while (this.heap.count > 0 && this.heap.topWeight() >= smallestWeight) {
      const sample = this.heap.pop();
      const itsPart = part[sample];
      if (sample < kept || (partProtected[itsPart] === 1 && this.partLeft[itsPart] === 1)) {
        this.heap.keptAside(sample);
        continue;
      }
      this.partLeft[itsPart]--;
      this.left--;
      this.changeNeighbours(sample, true);
      return true;
    }
    return false;
  }

  remaining(): Uint32Array {
    return this.subset.filter((sample) => this.heap.isKept(sample));
  }

  /** The weight of a sample from its neighbours; with `remove`, that share is taken from each neighbour's weight. */
  private changeNeighbours(sample: number, remove: boolean): number {
    const { positions, normals, normalIndex } = this.input;
    const { grid, heap, leastDistance } = this;
    const inverseSpacing = 1 / this.spacing;
    const normal = 3 * normalIndex[sample];
    const count = grid.collect(positions[3 * sample], positions[3 * sample + 1], positions[3 * sample + 2]);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const other = grid.found[i];
      if (other === sample || (remove && !heap.holds(other))) continue;
      const otherNormal = 3 * normalIndex[other];
      const cosine = dot(normals, normal, normals, otherNormal);
      if (cosine < OPPOSITE_SIDE_COSINE) continue;
      const distance = Math.max(Math.sqrt(grid.foundDistanceSquared[i]), leastDistance);
      let weight = 1 - distance * inverseSpacing;
      for (let squaring = 0; squaring < ALPHA_SQUARINGS; squaring++) weight *= weight;
      sum += weight;
      if (remove) heap.lower(other, weight);
    }
    return sum;
  }
}

const OUTSIDE = 0xffffffff;
const ASIDE = 0xfffffffe;

/** A binary heap of samples, heaviest on top, whose weights may be lowered in place. */
class WeightHeap {
  count: number;
  readonly weights: Float64Array;
  private readonly items: Uint32Array;
  private readonly slotOf: Uint32Array;

  constructor(subset: Uint32Array, sampleCount: number) {
    this.count = subset.length;
    this.items = subset.slice();
    this.weights = new Float64Array(sampleCount);
    this.slotOf = new Uint32Array(sampleCount).fill(OUTSIDE);
    for (let slot = 0; slot < this.count; slot++) this.slotOf[subset[slot]] = slot;
  }

  order(): void {
    for (let slot = (this.count >> 1) - 1; slot >= 0; slot--) this.sink(slot);
  }

  holds(sample: number): boolean {
    return this.slotOf[sample] < ASIDE;
  }

  isKept(sample: number): boolean {
    return this.slotOf[sample] !== OUTSIDE;
  }

  /** Takes a popped sample out of the competition without removing it from the result. */
  keptAside(sample: number): void {
    this.slotOf[sample] = ASIDE;
  }

  topWeight(): number {
    return this.weights[this.items[0]];
  }

  pop(): number {
    const top = this.items[0];
    this.slotOf[top] = OUTSIDE;
    this.count--;
    if (this.count > 0) {
      const last = this.items[this.count];
      this.items[0] = last;
      this.slotOf[last] = 0;
      this.sink(0);
    }
    return top;
  }

  lower(sample: number, amount: number): void {
    this.weights[sample] -= amount;
    this.sink(this.slotOf[sample]);
  }

  private sink(slot: number): void {
    const { items, weights, slotOf, count } = this;
    const moved = items[slot];
    const weight = weights[moved];
    for (;;) {
      let child = 2 * slot + 1;
      if (child >= count) break;
      if (child + 1 < count && weights[items[child + 1]] > weights[items[child]]) child++;
      const candidate = items[child];
      if (weights[candidate] <= weight) break;
      items[slot] = candidate;
      slotOf[candidate] = slot;
      slot = child;
    }
    items[slot] = moved;
    slotOf[moved] = slot;
  }
}
