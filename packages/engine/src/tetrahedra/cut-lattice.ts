import type { DistanceField } from '../field/distance-field.js';
import { sampleDistance } from '../field/sample-field.js';
import { GrowableFloat64 } from '../mesh/growable.js';
import { type BccLattice, forEachLatticeNode, LONG_NEIGHBOURS, latticeNode, NEIGHBOUR_STEPS } from './bcc-lattice.js';
import { INSIDE, OUTSIDE, SURFACE } from './stuffing-stencils.js';

/**
 * The zero surface of a field on a lattice: on which side its nodes are, where it cuts the edges, and which nodes are
 * moved onto it (Labelle and Shewchuk, section 3: "cut points", "violated", "warping").
 */

/** How near a cut point may come to a node, in parts of the edge, before the node is moved there. The paper's values. */
const ALPHA_LONG = 0.24999;
const ALPHA_SHORT = 0.41189;

/** A node this near to the surface, in parts of the lattice's side, is on it. */
const ON_SURFACE = 1e-6;
/** Cut points are sought until the field there is below this part of a voxel. */
const CUT_TOLERANCE = 1e-5;
const MAX_SEARCH_STEPS = 60;

export const NO_CUT = -1;

/** Number of a neighbour by its step (du, dv, dw): at (du + 2) + 5 (dv + 2) + 25 (dw + 2). */
const neighbourOfStep = new Int8Array(125).fill(-1);
NEIGHBOUR_STEPS.forEach(([u, v, w], neighbour) => {
  neighbourOfStep[u + 2 + 5 * (v + 2) + 25 * (w + 2)] = neighbour;
});

export class CutLattice {
  readonly lattice: BccLattice;
  private readonly field: DistanceField;
  /** Signed distance of every node, negative inside; 0 once it is on the surface. */
  private readonly values: Float32Array;
  /** Cut points by edge, see `edgeKey`; and their positions. */
  private readonly cuts = new Map<number, number>();
  private readonly points = new GrowableFloat64();
  /** The cut point that a node was moved to. */
  private readonly movedTo = new Map<number, number>();

  constructor(field: DistanceField, lattice: BccLattice) {
    this.field = field;
    this.lattice = lattice;
    this.values = new Float32Array(lattice.nodeCount);
    const { values } = this;
    const { side, origin } = lattice;
    forEachLatticeNode(lattice, (node, u, v, w) => {
      const half = side / 2;
      const value = sampleDistance(field, origin[0] + u * half, origin[1] + v * half, origin[2] + w * half);
      values[node] = Math.abs(value) < ON_SURFACE * side ? 0 : value;
    });
  }

  get cutCount(): number {
    return this.points.length / 3;
  }

  stateOf(node: number): number {
    const value = this.values[node];
    return value < 0 ? INSIDE : value > 0 ? OUTSIDE : SURFACE;
  }

  /** Distance to the surface at an unmoved node, metres; 0 on it. */
  distanceAt(node: number): number {
    return this.values[node];
  }

  /** Where the nodes inside are, and about how many more there will be on the surface. */
  estimateNodes(): number {
    let inside = 0;
    let near = 0;
    for (let node = 0; node < this.values.length; node++) {
      if (this.values[node] <= 0) inside++;
      // Of the surface, one layer of nodes is found within a quarter of the side to either side of it.
      if (Math.abs(this.values[node]) < this.lattice.side / 4) near++;
    }
    return inside + near;
  }

  /**
   * Moves every node that a cut point comes too close to onto the nearest of these. Edges of a moved node are cut no
   * more, so that each step may spare its neighbours theirs.
   */
  warp(): void {
    const { lattice, values } = this;
    // A node further off than its longest edge has no cut edges; twice as far, since a sampled distance errs.
    const far = 2 * lattice.side;
    forEachLatticeNode(lattice, (node, u, v, w) => {
      if (values[node] !== 0 && Math.abs(values[node]) < far) this.warpNode(node, u, v, w);
    });
  }

  private warpNode(node: number, u: number, v: number, w: number): void {
    let nearest = Number.POSITIVE_INFINITY;
    let target = NO_CUT;
    for (let neighbour = 0; neighbour < NEIGHBOUR_STEPS.length; neighbour++) {
      const cut = this.cutOf(u, v, w, neighbour);
      if (cut === NO_CUT) continue;
      const isLong = neighbour < LONG_NEIGHBOURS;
      const length = this.lattice.side * (isLong ? 1 : Math.sqrt(0.75));
      const distance = this.distanceTo(cut, u, v, w);
      if (distance < length * (isLong ? ALPHA_LONG : ALPHA_SHORT) && distance < nearest) {
        nearest = distance;
        target = cut;
      }
    }
    if (target === NO_CUT) return;
    this.values[node] = 0;
    this.movedTo.set(node, target);
  }

  private distanceTo(cut: number, u: number, v: number, w: number): number {
    const { origin, side } = this.lattice;
    const { data } = this.points;
    const x = data[3 * cut] - (origin[0] + (u * side) / 2);
    const y = data[3 * cut + 1] - (origin[1] + (v * side) / 2);
    const z = data[3 * cut + 2] - (origin[2] + (w * side) / 2);
    return Math.sqrt(x * x + y * y + z * z);
  }

  /** The cut point between two corners of a lattice tetrahedron, or `NO_CUT`. */
  cutBetween(places: Int32Array, i: number, j: number): number {
    const [from, to] = [3 * i, 3 * j];
    const u = places[to] - places[from];
    const v = places[to + 1] - places[from + 1];
    const w = places[to + 2] - places[from + 2];
    const neighbour = neighbourOfStep[u + 2 + 5 * (v + 2) + 25 * (w + 2)];
    return this.cutOf(places[from], places[from + 1], places[from + 2], neighbour);
  }

  cutPosition(out: Float64Array, cut: number): void {
    for (let axis = 0; axis < 3; axis++) out[axis] = this.points.data[3 * cut + axis];
  }

  /** Where the node stands, or was moved to. */
  positionOf(out: Float64Array, node: number, u: number, v: number, w: number): void {
    const cut = this.movedTo.get(node);
    if (cut !== undefined) this.cutPosition(out, cut);
    else this.placePosition(out, u, v, w);
  }

  private placePosition(out: Float64Array, u: number, v: number, w: number): void {
    const { origin, side } = this.lattice;
    out[0] = origin[0] + (u * side) / 2;
    out[1] = origin[1] + (v * side) / 2;
    out[2] = origin[2] + (w * side) / 2;
  }

  /** The cut point of the edge from (u, v, w) to a neighbour, found when first asked for; `NO_CUT` if it is not cut. */
  private cutOf(u: number, v: number, w: number, neighbour: number): number {
    const [du, dv, dw] = NEIGHBOUR_STEPS[neighbour];
    const { cubes } = this.lattice;
    const [u2, v2, w2] = [u + du, v + dv, w + dw];
    if (u2 < 0 || v2 < 0 || w2 < 0 || u2 > 2 * cubes[0] || v2 > 2 * cubes[1] || w2 > 2 * cubes[2]) return NO_CUT;
    const here = latticeNode(this.lattice, u, v, w);
    const there = latticeNode(this.lattice, u2, v2, w2);
    if (!(this.values[here] * this.values[there] < 0)) return NO_CUT;
    // Every edge is known by the end from which it goes in an even direction, and cut from there.
    const isForward = (neighbour & 1) === 0;
    const key = (isForward ? here : there) * (NEIGHBOUR_STEPS.length / 2) + (neighbour >> 1);
    const known = this.cuts.get(key);
    if (known !== undefined) return known;
    const cut = isForward ? this.findCut(u, v, w, u2, v2, w2) : this.findCut(u2, v2, w2, u, v, w);
    this.cuts.set(key, cut);
    return cut;
  }

  /**
   * Adds the point of the edge where the sampled field is zero: regula falsi, halving the value of an end that stays
   * (Illinois), which needs some six samples where the field is smooth and never leaves the edge.
   */
  private findCut(u: number, v: number, w: number, u2: number, v2: number, w2: number): number {
    const from = new Float64Array(3);
    const to = new Float64Array(3);
    this.placePosition(from, u, v, w);
    this.placePosition(to, u2, v2, w2);
    const at = (t: number) =>
      sampleDistance(
        this.field,
        from[0] + t * (to[0] - from[0]),
        from[1] + t * (to[1] - from[1]),
        from[2] + t * (to[2] - from[2]),
      );
    const t = findZero(at, at(0), at(1), CUT_TOLERANCE * this.field.voxelSize);
    this.points.push3(
      from[0] + t * (to[0] - from[0]),
      from[1] + t * (to[1] - from[1]),
      from[2] + t * (to[2] - from[2]),
    );
    return this.cutCount - 1;
  }
}

/** A zero of `at` between 0 and 1, where it has the values `low` and `high` of different signs. */
function findZero(at: (t: number) => number, low: number, high: number, tolerance: number): number {
  let [a, b, fa, fb] = [0, 1, low, high];
  let t = fa / (fa - fb);
  for (let step = 0; step < MAX_SEARCH_STEPS; step++) {
    t = (a * fb - b * fa) / (fb - fa);
    const value = at(t);
    if (Math.abs(value) <= tolerance) break;
    if (value * fb < 0) {
      a = b;
      fa = fb;
    } else {
      fa /= 2;
    }
    b = t;
    fb = value;
  }
  return t;
}
