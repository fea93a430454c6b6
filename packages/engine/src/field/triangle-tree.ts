import { shareable } from '../base/parallel.js';
import { square } from '../math/portable.js';
import { cross, crossOfEdges, distanceSquared, dot, lengthAt, normalise, subtract } from '../math/vectors.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';

/**
 * A bounding-volume tree over triangles, as flat arrays so that workers can share it. Building is here, asking in
 * `tree-query.ts`.
 *
 * Nodes are stored depth first: the left child of node i is i + 1, the right child is `right[i]`. A leaf has
 * `right[i] = 0` and holds the triangles `first[i] … first[i] + count[i] − 1` in the order of `corners`.
 */
export interface TriangleTree {
  /** Minimum x, y, z and maximum x, y, z per node. */
  readonly boxes: Float64Array;
  readonly right: Uint32Array;
  readonly first: Uint32Array;
  readonly count: Uint32Array;
  /** Nine numbers per triangle, in the order of the leaves. */
  readonly corners: Float64Array;
  /**
   * Sixteen numbers per triangle: its plane, and through each edge the plane that stands on it, as outward unit normal
   * and offset. They give a lower bound of the distance in a few multiplications (`planeBoundSquared`).
   */
  readonly planes: Float64Array;
  /**
   * What a far-away point sees of a node, seven numbers: area-weighted centre, area vector (sum of n·A), radius of the
   * ball around the centre that holds the node's triangles. For winding numbers (Barill et al. 2018, first order).
   */
  readonly dipoles: Float64Array;
  /** Longest way from the root to a leaf, which bounds the stack of a query. */
  readonly depth: number;
}

export const DIPOLE_SIZE = 7;
export const PLANES_SIZE = 16;

const LEAF_SIZE = 4;
const BINS = 16;

export function buildTriangleTree(mesh: TriangleMesh): TriangleTree {
  const builder = new TreeBuilder(mesh);
  builder.build();
  return builder.finish();
}

/** The same tree in memory that workers can see without a copy, where the host allows that. */
export function shareTree(tree: TriangleTree): TriangleTree {
  return {
    boxes: shareable(tree.boxes),
    right: shareable(tree.right),
    first: shareable(tree.first),
    count: shareable(tree.count),
    corners: shareable(tree.corners),
    planes: shareable(tree.planes),
    dipoles: shareable(tree.dipoles),
    depth: tree.depth,
  };
}

/** The scratch of one build: dropped when the tree is done. */
class TreeBuilder {
  private readonly mesh: TriangleMesh;
  private readonly order: Uint32Array;
  private readonly triangleBoxes: Float64Array;
  private readonly boxes: Float64Array;
  private readonly right: Uint32Array;
  private readonly first: Uint32Array;
  private readonly count: Uint32Array;
  private readonly binCount = new Uint32Array(BINS);
  private readonly binBoxes = new Float64Array(6 * BINS);
  private readonly costBelow = new Float64Array(BINS);
  private readonly costAbove = new Float64Array(BINS);
  private readonly sumBox = new Float64Array(6);
  private sumCount = 0;
  private nodes = 0;
  private depth = 0;

  constructor(mesh: TriangleMesh) {
    this.mesh = mesh;
    const triangles = mesh.triangles.length / 3;
    this.order = Uint32Array.from({ length: triangles }, (_, index) => index);
    this.triangleBoxes = triangleBoxes(mesh);
    const capacity = Math.max(1, 2 * triangles);
    this.boxes = new Float64Array(6 * capacity);
    this.right = new Uint32Array(capacity);
    this.first = new Uint32Array(capacity);
    this.count = new Uint32Array(capacity);
  }

  /** Splits depth first with a stack of its own, since a bad mesh could make recursion deep. */
  build(): void {
    const stack: { start: number; end: number; depth: number; parent: number }[] = [
      { start: 0, end: this.order.length, depth: 1, parent: -1 },
    ];
    for (let item = stack.pop(); item; item = stack.pop()) {
      const { start, end, depth, parent } = item;
      const node = this.nodes;
      this.nodes += 1;
      this.depth = Math.max(this.depth, depth);
      if (parent >= 0) this.right[parent] = node;
      this.fitBox(node, start, end);
      const middle = end - start > LEAF_SIZE ? this.split(start, end) : start;
      if (middle > start && middle < end) {
        stack.push({ start: middle, end, depth: depth + 1, parent: node });
        stack.push({ start, end: middle, depth: depth + 1, parent: -1 });
      } else {
        this.first[node] = start;
        this.count[node] = end - start;
      }
    }
  }

  finish(): TriangleTree {
    const corners = cornersInOrder(this.mesh, this.order);
    const tree = {
      boxes: this.boxes.slice(0, 6 * this.nodes),
      right: this.right.slice(0, this.nodes),
      first: this.first.slice(0, this.nodes),
      count: this.count.slice(0, this.nodes),
      corners,
      planes: planesOfTriangles(corners),
      dipoles: new Float64Array(DIPOLE_SIZE * this.nodes),
      depth: this.depth,
    };
    fillDipoles(tree);
    return tree;
  }

  private fitBox(node: number, start: number, end: number): void {
    const boxes = this.boxes;
    for (let axis = 0; axis < 3; axis += 1) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = start; i < end; i += 1) {
        const box = 6 * this.order[i] + axis;
        if (this.triangleBoxes[box] < low) low = this.triangleBoxes[box];
        if (this.triangleBoxes[box + 3] > high) high = this.triangleBoxes[box + 3];
      }
      boxes[6 * node + axis] = low;
      boxes[6 * node + 3 + axis] = high;
    }
  }

  /**
   * Sorts `order[start…end)` into two parts by the surface-area heuristic and gives the border, or `start` if none. Only
   * the axis along which the triangles' centres spread most is tried: trying all three takes three times as long and
   * makes queries no faster that one could measure.
   */
  private split(start: number, end: number): number {
    const { axis, low, high } = this.widestAxis(start, end);
    if (!(high > low)) return start;
    const width = (high - low) / BINS;
    this.fillBins(start, end, axis, low, width);
    this.sumBins();
    let bestCost = Number.POSITIVE_INFINITY;
    let bestCut = 0;
    for (let cut = 1; cut < BINS; cut += 1) {
      const cost = this.costBelow[cut] + this.costAbove[cut];
      if (cost < bestCost) {
        bestCost = cost;
        bestCut = low + cut * width;
      }
    }
    let left = start;
    for (let i = start; i < end; i += 1) {
      const triangle = this.order[i];
      if (this.centre(triangle, axis) < bestCut) {
        this.order[i] = this.order[left];
        this.order[left] = triangle;
        left += 1;
      }
    }
    return left;
  }

  private widestAxis(start: number, end: number): { axis: number; low: number; high: number } {
    let widest = { axis: 0, low: 0, high: 0 };
    for (let axis = 0; axis < 3; axis += 1) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let i = start; i < end; i += 1) {
        const centre = this.centre(this.order[i], axis);
        if (centre < low) low = centre;
        if (centre > high) high = centre;
      }
      if (high - low > widest.high - widest.low) widest = { axis, low, high };
    }
    return widest;
  }

  private centre(triangle: number, axis: number): number {
    return 0.5 * (this.triangleBoxes[6 * triangle + axis] + this.triangleBoxes[6 * triangle + 3 + axis]);
  }

  private fillBins(start: number, end: number, axis: number, low: number, width: number): void {
    this.binCount.fill(0);
    for (let bin = 0; bin < BINS; bin += 1) {
      this.binBoxes.fill(Number.POSITIVE_INFINITY, 6 * bin, 6 * bin + 3);
      this.binBoxes.fill(Number.NEGATIVE_INFINITY, 6 * bin + 3, 6 * bin + 6);
    }
    for (let i = start; i < end; i += 1) {
      const triangle = this.order[i];
      const bin = Math.min(BINS - 1, Math.floor((this.centre(triangle, axis) - low) / width));
      this.binCount[bin] += 1;
      for (let k = 0; k < 3; k += 1) {
        const box = 6 * triangle + k;
        const target = 6 * bin + k;
        this.binBoxes[target] = Math.min(this.binBoxes[target], this.triangleBoxes[box]);
        this.binBoxes[target + 3] = Math.max(this.binBoxes[target + 3], this.triangleBoxes[box + 3]);
      }
    }
  }

  /** The costs of the bins below and above every cut. */
  private sumBins(): void {
    this.startSum();
    for (let cut = 1; cut < BINS; cut += 1) this.costBelow[cut] = this.addBin(cut - 1);
    this.startSum();
    for (let cut = BINS - 1; cut > 0; cut -= 1) this.costAbove[cut] = this.addBin(cut);
  }

  private startSum(): void {
    this.sumCount = 0;
    this.sumBox.fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3);
  }

  /**
   * Adds a bin to the sum; gives its cost, the triangles times half the surface of their common box, infinite when there
   * are none.
   */
  private addBin(bin: number): number {
    const { sumBox, binBoxes } = this;
    this.sumCount += this.binCount[bin];
    if (this.binCount[bin] > 0) {
      for (let side = 0; side < 3; side += 1) {
        const low = binBoxes[6 * bin + side];
        const high = binBoxes[6 * bin + 3 + side];
        if (low < sumBox[side]) sumBox[side] = low;
        if (high > sumBox[3 + side]) sumBox[3 + side] = high;
      }
    }
    if (this.sumCount === 0) return Number.POSITIVE_INFINITY;
    const dx = sumBox[3] - sumBox[0];
    const dy = sumBox[4] - sumBox[1];
    const dz = sumBox[5] - sumBox[2];
    return this.sumCount * (dx * dy + dy * dz + dz * dx);
  }
}

function triangleBoxes(mesh: TriangleMesh): Float64Array {
  const boxes = new Float64Array(2 * mesh.triangles.length);
  for (let t = 0; t < mesh.triangles.length; t += 3) {
    for (let axis = 0; axis < 3; axis += 1) {
      const a = mesh.positions[3 * mesh.triangles[t] + axis];
      const b = mesh.positions[3 * mesh.triangles[t + 1] + axis];
      const c = mesh.positions[3 * mesh.triangles[t + 2] + axis];
      boxes[2 * t + axis] = Math.min(a, b, c);
      boxes[2 * t + 3 + axis] = Math.max(a, b, c);
    }
  }
  return boxes;
}

function cornersInOrder(mesh: TriangleMesh, order: Uint32Array): Float64Array {
  const corners = new Float64Array(9 * order.length);
  for (let i = 0; i < order.length; i += 1) {
    for (let corner = 0; corner < 3; corner += 1) {
      const vertex = 3 * mesh.triangles[3 * order[i] + corner];
      corners[9 * i + 3 * corner] = mesh.positions[vertex];
      corners[9 * i + 3 * corner + 1] = mesh.positions[vertex + 1];
      corners[9 * i + 3 * corner + 2] = mesh.positions[vertex + 2];
    }
  }
  return corners;
}

/** Flat triangles get planes of zeros, whose bound is 0: they are always measured in full. */
function planesOfTriangles(corners: Float64Array): Float64Array {
  const triangles = corners.length / 9;
  const planes = new Float64Array(PLANES_SIZE * triangles);
  const normal = new Float64Array(3);
  const edge = new Float64Array(3);
  for (let t = 0; t < triangles; t += 1) {
    const o = 9 * t;
    crossOfEdges(normal, 0, corners, o, o + 3, o + 6);
    const longest = Math.sqrt(
      Math.max(distanceSquared(corners, o + 3, corners, o), distanceSquared(corners, o + 6, corners, o)),
    );
    // The planes of a sliver would be mostly rounding.
    if (!(lengthAt(normal, 0) > 1e-9 * longest * longest)) continue;
    writePlane(planes, PLANES_SIZE * t, corners, o, normal);
    for (let side = 0; side < 3; side += 1) {
      const from = o + 3 * side;
      subtract(edge, 0, corners, o + 3 * ((side + 1) % 3), corners, from);
      cross(edge, 0, edge, 0, normal, 0);
      writePlane(planes, PLANES_SIZE * t + 4 * (side + 1), corners, from, edge);
    }
  }
  return planes;
}

/** The plane across `normal`, of any length above 0, through a corner: unit normal and offset. */
function writePlane(
  planes: Float64Array,
  at: number,
  corners: Float64Array,
  corner: number,
  normal: Float64Array,
): void {
  planes.set(normal, at);
  normalise(planes, at);
  planes[at + 3] = dot(planes, at, corners, corner);
}

/** Children come after their parents, so a walk from the last node to the first finds them ready. */
function fillDipoles(tree: TriangleTree): void {
  const { dipoles, right, boxes } = tree;
  const areas = new Float64Array(right.length);
  for (let node = right.length - 1; node >= 0; node -= 1) {
    const d = DIPOLE_SIZE * node;
    if (right[node] === 0) {
      areas[node] = sumLeaf(tree, node);
    } else {
      areas[node] = areas[node + 1] + areas[right[node]];
      for (let k = 0; k < 6; k += 1) {
        dipoles[d + k] = dipoles[DIPOLE_SIZE * (node + 1) + k] + dipoles[DIPOLE_SIZE * right[node] + k];
      }
    }
  }
  for (let node = 0; node < right.length; node += 1) {
    const d = DIPOLE_SIZE * node;
    let radiusSquared = 0;
    for (let axis = 0; axis < 3; axis += 1) {
      const low = boxes[6 * node + axis];
      const high = boxes[6 * node + 3 + axis];
      // The sums so far are moments; a node without area still needs a centre.
      dipoles[d + axis] = areas[node] > 0 ? dipoles[d + axis] / areas[node] : 0.5 * (low + high);
      radiusSquared += square(Math.max(dipoles[d + axis] - low, high - dipoles[d + axis]));
    }
    dipoles[d + 6] = Math.sqrt(radiusSquared);
  }
}

/** Moments and area vector of a leaf's triangles into its dipole; gives their area. */
function sumLeaf(tree: TriangleTree, node: number): number {
  const { corners, dipoles } = tree;
  const d = DIPOLE_SIZE * node;
  const normal = new Float64Array(3);
  let total = 0;
  for (let t = tree.first[node]; t < tree.first[node] + tree.count[node]; t += 1) {
    const o = 9 * t;
    crossOfEdges(normal, 0, corners, o, o + 3, o + 6);
    const area = 0.5 * lengthAt(normal, 0);
    total += area;
    for (let axis = 0; axis < 3; axis += 1) {
      dipoles[d + axis] += (area * (corners[o + axis] + corners[o + 3 + axis] + corners[o + 6 + axis])) / 3;
      dipoles[d + 3 + axis] += 0.5 * normal[axis];
    }
  }
  return total;
}
