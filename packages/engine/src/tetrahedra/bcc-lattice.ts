import { PalpableError } from '../base/errors.js';

/**
 * The body-centred cubic lattice over a box: the corners of cubes and their centres. A node has 14 neighbours: 6 of its
 * own kind along the axes ("long" edges, the side of a cube) and 8 of the other kind ("short" edges, √3/2 of it).
 *
 * Nodes are numbered in layers of the doubled grid: node (u, v, w) stands at origin + (u, v, w) × side / 2, with u, v
 * and w all even (a corner) or all odd (a centre).
 */
export interface BccLattice {
  /** Length of a long edge, metres. */
  readonly side: number;
  /** Position of the corner (0, 0, 0), body frame. */
  readonly origin: Float64Array;
  /** Cubes along x, y, z. */
  readonly cubes: Int32Array;
  readonly nodeCount: number;
}

/** Steps on the doubled grid to the 14 neighbours: the first 6 long, each followed by its opposite; then 8 short. */
export const NEIGHBOUR_STEPS: readonly (readonly [number, number, number])[] = [
  [2, 0, 0], [-2, 0, 0], [0, 2, 0], [0, -2, 0], [0, 0, 2], [0, 0, -2],
  [1, 1, 1], [-1, -1, -1], [-1, 1, 1], [1, -1, -1], [1, -1, 1], [-1, 1, -1], [1, 1, -1], [-1, -1, 1],
]; // biome-ignore format: a table

/** Neighbours before this one are reached by long edges. */
export const LONG_NEIGHBOURS = 6;

/** A lattice in the middle of the box from `min` to `max`, with at least one cube around it on every side. */
export function layOutLattice(min: ArrayLike<number>, max: ArrayLike<number>, side: number): BccLattice {
  const cubes = new Int32Array(3);
  const origin = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) {
    // A box of a whole number of cubes gets just these, also after rounding, so that its faces are lattice planes.
    const inside = Math.max(1, Math.ceil((max[axis] - min[axis]) / side - 1e-6));
    cubes[axis] = inside + 2;
    origin[axis] = (min[axis] + max[axis]) / 2 - (cubes[axis] * side) / 2;
  }
  return { side, origin, cubes, nodeCount: latticeNodes(cubes) };
}

function latticeNodes([x, y, z]: ArrayLike<number> & Iterable<number>): number {
  return (x + 1) * (y + 1) * (z + 1) + x * y * z;
}

/** Number of the node (u, v, w) of the doubled grid: corners first, then centres, x fastest. */
export function latticeNode({ cubes }: BccLattice, u: number, v: number, w: number): number {
  const nx = cubes[0];
  const ny = cubes[1];
  if ((u & 1) === 0) return (u >> 1) + (nx + 1) * ((v >> 1) + (ny + 1) * (w >> 1));
  const corners = (nx + 1) * (ny + 1) * (cubes[2] + 1);
  return corners + (u >> 1) + nx * ((v >> 1) + ny * (w >> 1));
}

/** Calls `visit` with every node: its number and its place (u, v, w) on the doubled grid, in rising order. */
export function forEachLatticeNode(
  { cubes }: BccLattice,
  visit: (node: number, u: number, v: number, w: number) => void,
): void {
  let node = 0;
  for (const odd of [0, 1]) {
    for (let w = odd; w <= 2 * cubes[2]; w += 2) {
      for (let v = odd; v <= 2 * cubes[1]; v += 2) {
        for (let u = odd; u <= 2 * cubes[0]; u += 2) visit(node++, u, v, w);
      }
    }
  }
}

/**
 * Calls `visit` with every tetrahedron: for each pair of cubes that share a face, four around the line between their
 * centres, each with one edge of that face. Corners 0, 1 are the centres and 2, 3 the edge: the two long edges; the
 * other four are short. Turned the right way round.
 */
export function forEachLatticeTetrahedron(
  lattice: BccLattice,
  visit: (places: Int32Array) => void,
  onLayer: (layer: number) => void,
): void {
  const { cubes } = lattice;
  const places = new Int32Array(12);
  for (let w = 1; w < 2 * cubes[2]; w += 2) {
    onLayer((w - 1) / 2);
    for (let v = 1; v < 2 * cubes[1]; v += 2) {
      for (let u = 1; u < 2 * cubes[0]; u += 2) {
        if (u + 2 < 2 * cubes[0]) visitPair(places, visit, 0, u, v, w);
        if (v + 2 < 2 * cubes[1]) visitPair(places, visit, 1, u, v, w);
        if (w + 2 < 2 * cubes[2]) visitPair(places, visit, 2, u, v, w);
      }
    }
  }
}

/** The corners of the shared face, seen against the axis, clockwise; in the two axes that follow it. */
const RING: readonly (readonly [number, number])[] = [[-1, -1], [-1, 1], [1, 1], [1, -1]]; // biome-ignore format: a table

function visitPair(
  places: Int32Array,
  visit: (places: Int32Array) => void,
  axis: number,
  u: number,
  v: number,
  w: number,
): void {
  const second = (axis + 1) % 3;
  const third = (axis + 2) % 3;
  for (let turn = 0; turn < 4; turn++) {
    for (let corner = 0; corner < 4; corner++) {
      places[3 * corner] = u;
      places[3 * corner + 1] = v;
      places[3 * corner + 2] = w;
    }
    places[3 + axis] += 2;
    for (let end = 0; end < 2; end++) {
      // Of the two ends of the ring's edge, the later one first: that turns the element the right way round.
      const [along, across] = RING[(turn + 1 - end) % 4];
      const at = 3 * (2 + end);
      places[at + axis] += 1;
      places[at + second] += along;
      places[at + third] += across;
    }
    visit(places);
  }
}

export function checkElementSize(elementSize: number): void {
  if (elementSize > 0 && Number.isFinite(elementSize)) return;
  throw new PalpableError('option-invalid', `The element size is ${elementSize}; give a length in metres above 0.`);
}
