import { offsetFromTriangle } from '../math/closest-point.js';
import { cube, length3, square } from '../math/portable.js';
import { interpolateFarNodes, LATTICE_NODES, LATTICE_SIZE, LATTICE_STEP } from './brick-lattice.js';
import { BrickMemory } from './brick-memory.js';
import {
  BRICK_CELLS,
  BRICK_LAYER,
  BRICK_NODES,
  BRICK_SIZE,
  brickNodeIndex,
  cellIndex,
  type FieldGrid,
  nodeCoordinate,
} from './distance-field.js';
import {
  BOUND_SLACK,
  type CandidateList,
  collectCandidates,
  createCandidateList,
  createTreeWorkspace,
  nearestDistanceSquared,
  planeBoundSquared,
  type TreeWorkspace,
} from './tree-query.js';
import type { TriangleTree } from './triangle-tree.js';

/**
 * Unsigned distances at the nodes of a brick: exact within the band, interpolated from every fourth node further off.
 *
 * A third of a brick's nodes lie on faces that it shares with three bricks before it; where these have been filled, their
 * numbers are taken. What is left is taken in blocks of 4 × 4 × 4 nodes, or 5 × 3 × 3 without such bricks. If the centre
 * of a block of radius r is at distance d from the surface, the triangle nearest to any of its nodes lies within d + 2 r
 * of the centre. So the tree is asked once per block, and the list it gave is run past the nodes, with tangents as
 * bounds: for a row of nodes, then for a node. Tried and slower: a list per brick cut down per octant, lists sorted by
 * distance, lists of leaves, a walk of the tree per node.
 */

/** From the centre of a brick to its corner, in voxels. */
export const BRICK_RADIUS_VOXELS = (BRICK_CELLS / 2) * Math.sqrt(3);

/** Where the blocks begin and end along x, y, z. */
const BLOCK_LIMITS = [
  [0, 5, BRICK_NODES],
  [0, 3, 6, BRICK_NODES],
  [0, 3, 6, BRICK_NODES],
] as const;
/** The same along an axis whose first nodes are known. */
const REST_LIMITS = [1, 5, BRICK_NODES] as const;
/** No block has more nodes than this along an axis. */
const BLOCK_NODES = 5;
/** Rounding must not lose a candidate that lies exactly on the limit. */
const SLACK = 1 + 1e-9;

export interface BrickWorkspace {
  readonly tree: TreeWorkspace;
  readonly candidates: CandidateList;
  readonly block: Block;
  /** Distances of every fourth node. */
  readonly lattice: Float64Array;
  /** 1 for nodes of the brick that are interpolated from these. */
  readonly isFar: Uint8Array;
  /** Bricks filled since the last `forgetBricks`, by cell. */
  readonly filled: BrickMemory;
  /** Of the brick being filled: those before it along x, y and z, as far as they are known. */
  readonly before: (Float64Array | undefined)[];
  /** Nodes measured so far, for statistics. */
  measured: number;
}

/** Some nodes of a brick. */
interface Block {
  /** Nodes along x, y, z. */
  readonly size: Int32Array;
  /** Their coordinates: up to five along x, then along y, then along z. */
  readonly place: Float64Array;
  readonly centre: Float64Array;
  /** Squared distance per node. */
  readonly best: Float64Array;
  /** The candidates that matter to the layer being measured. */
  chosen: Uint32Array;
  chosenCount: number;
  /** Bounds err by rounding, which counts where nodes lie on the surface: less than this, metres. */
  nothing: number;
}

export function createBrickWorkspace(tree: TriangleTree): BrickWorkspace {
  return {
    tree: createTreeWorkspace(tree),
    candidates: createCandidateList(),
    block: {
      size: new Int32Array(3),
      place: new Float64Array(3 * BLOCK_NODES),
      centre: new Float64Array(3),
      best: new Float64Array(cube(BLOCK_NODES)),
      chosen: new Uint32Array(256),
      chosenCount: 0,
      nothing: 0,
    },
    lattice: new Float64Array(LATTICE_SIZE),
    isFar: new Uint8Array(BRICK_SIZE),
    filled: new BrickMemory(),
    before: [undefined, undefined, undefined],
    measured: 0,
  };
}

/** Distance of the centre of the brick at coarse cell (ci, cj, ck). */
export function brickCentreDistance(
  tree: TriangleTree,
  workspace: BrickWorkspace,
  grid: FieldGrid,
  ci: number,
  cj: number,
  ck: number,
): number {
  const x = nodeCoordinate(grid, 0, BRICK_CELLS * (ci + 0.5));
  const y = nodeCoordinate(grid, 1, BRICK_CELLS * (cj + 0.5));
  const z = nodeCoordinate(grid, 2, BRICK_CELLS * (ck + 0.5));
  return Math.sqrt(nearestDistanceSquared(tree, workspace.tree, x, y, z, Number.POSITIVE_INFINITY));
}

/** What follows must not depend on what was filled before. */
export function forgetBricks(workspace: BrickWorkspace): void {
  workspace.filled.clear();
}

/**
 * Fills `out` with the distances of the brick's nodes, exact for those nearer than `band`; `centreDistance` as
 * `brickCentreDistance` gives it. Gives the most by which one of the others may be too large. `band` has to be the same
 * for all bricks since the last `forgetBricks`.
 */
export function brickDistances(
  out: Float64Array,
  tree: TriangleTree,
  workspace: BrickWorkspace,
  grid: FieldGrid,
  ci: number,
  cj: number,
  ck: number,
  centreDistance: number,
  band: number,
): number {
  const { before, filled, block } = workspace;
  before[0] = ci > 0 ? filled.get(cellIndex(grid, ci - 1, cj, ck)) : undefined;
  before[1] = cj > 0 ? filled.get(cellIndex(grid, ci, cj - 1, ck)) : undefined;
  before[2] = ck > 0 ? filled.get(cellIndex(grid, ci, cj, ck - 1)) : undefined;
  // No node of the brick is further from the surface than this.
  const bound = (centreDistance + BRICK_RADIUS_VOXELS * grid.voxelSize) * SLACK;
  measureLattice(tree, workspace, grid, ci, cj, ck, bound);
  const error = interpolateFarNodes(out, workspace.isFar, workspace.lattice, grid.voxelSize, band);
  copyKnownFaces(out, before);
  const limitsX = before[0] ? REST_LIMITS : BLOCK_LIMITS[0];
  const limitsY = before[1] ? REST_LIMITS : BLOCK_LIMITS[1];
  const limitsZ = before[2] ? REST_LIMITS : BLOCK_LIMITS[2];
  for (let c = 0; c + 1 < limitsZ.length; c += 1) {
    placeAxis(block, 2, grid, BRICK_CELLS * ck, limitsZ[c], limitsZ[c + 1]);
    for (let b = 0; b + 1 < limitsY.length; b += 1) {
      placeAxis(block, 1, grid, BRICK_CELLS * cj, limitsY[b], limitsY[b + 1]);
      for (let a = 0; a + 1 < limitsX.length; a += 1) {
        placeAxis(block, 0, grid, BRICK_CELLS * ci, limitsX[a], limitsX[a + 1]);
        if (isBlockFar(workspace, limitsX[a], limitsY[b], limitsZ[c])) continue;
        measureBlock(
          tree,
          workspace,
          grid.voxelSize,
          latticeBound(workspace, grid, limitsX[a], limitsY[b], limitsZ[c]),
        );
        workspace.measured += block.size[0] * block.size[1] * block.size[2];
        copyBlock(out, workspace, limitsX[a], limitsY[b], limitsZ[c]);
      }
    }
  }
  filled.keep(cellIndex(grid, ci, cj, ck), out);
  return error;
}

/** Nodes from one to the next along x, y, z. */
const NODE_STEPS = [1, BRICK_NODES, BRICK_LAYER] as const;

function copyKnownFaces(out: Float64Array, before: readonly (Float64Array | undefined)[]): void {
  for (let axis = 0; axis < 3; axis += 1) {
    const known = before[axis];
    if (!known) continue;
    const across = NODE_STEPS[(axis + 1) % 3];
    const along = NODE_STEPS[(axis + 2) % 3];
    const opposite = BRICK_CELLS * NODE_STEPS[axis];
    for (let a = 0; a < BRICK_NODES; a += 1) {
      for (let b = 0; b < BRICK_NODES; b += 1) {
        const node = a * across + b * along;
        out[node] = known[node + opposite];
      }
    }
  }
}

function measureLattice(
  tree: TriangleTree,
  workspace: BrickWorkspace,
  grid: FieldGrid,
  ci: number,
  cj: number,
  ck: number,
  bound: number,
): void {
  const { lattice, before } = workspace;
  const step = LATTICE_STEP * grid.voxelSize * SLACK;
  for (let k = 0, node = 0; k < LATTICE_NODES; k += 1) {
    const z = nodeCoordinate(grid, 2, BRICK_CELLS * ck + LATTICE_STEP * k);
    for (let j = 0; j < LATTICE_NODES; j += 1) {
      const y = nodeCoordinate(grid, 1, BRICK_CELLS * cj + LATTICE_STEP * j);
      let rowBound = bound;
      for (let i = 0; i < LATTICE_NODES; i += 1, node += 1) {
        const known = knownLatticeNode(before, i, j, k);
        if (known >= 0) {
          lattice[node] = known;
        } else {
          const x = nodeCoordinate(grid, 0, BRICK_CELLS * ci + LATTICE_STEP * i);
          lattice[node] = Math.sqrt(nearestDistanceSquared(tree, workspace.tree, x, y, z, rowBound * rowBound));
          workspace.measured += 1;
        }
        rowBound = lattice[node] + step;
      }
    }
  }
}

/** Lattice nodes are exact whether they are far or near, so that a brick before holds them as they are; −1 for none. */
function knownLatticeNode(before: readonly (Float64Array | undefined)[], i: number, j: number, k: number): number {
  if (i === 0 && before[0]) return before[0][brickNodeIndex(BRICK_CELLS, LATTICE_STEP * j, LATTICE_STEP * k)];
  if (j === 0 && before[1]) return before[1][brickNodeIndex(LATTICE_STEP * i, BRICK_CELLS, LATTICE_STEP * k)];
  if (k === 0 && before[2]) return before[2][brickNodeIndex(LATTICE_STEP * i, LATTICE_STEP * j, BRICK_CELLS)];
  return -1;
}

function isBlockFar({ block, isFar }: BrickWorkspace, i0: number, j0: number, k0: number): boolean {
  const { size } = block;
  for (let k = k0; k < k0 + size[2]; k += 1) {
    for (let j = j0; j < j0 + size[1]; j += 1) {
      for (let i = i0; i < i0 + size[0]; i += 1) if (isFar[brickNodeIndex(i, j, k)] === 0) return false;
    }
  }
  return true;
}

/** Sets the block's nodes along an axis to those from `start` to `end` − 1, counted from the brick's first node. */
function placeAxis(block: Block, axis: number, grid: FieldGrid, brickNode: number, start: number, end: number): void {
  block.size[axis] = end - start;
  for (let node = start; node < end; node += 1) {
    block.place[BLOCK_NODES * axis + node - start] = nodeCoordinate(grid, axis, brickNode + node);
  }
}

/** Far nodes stay as they were interpolated, also in a block that had to be measured. */
function copyBlock(out: Float64Array, { block, isFar }: BrickWorkspace, i0: number, j0: number, k0: number): void {
  const { size, best } = block;
  for (let k = 0; k < size[2]; k += 1) {
    for (let j = 0; j < size[1]; j += 1) {
      for (let i = 0; i < size[0]; i += 1) {
        const node = BLOCK_NODES * (j + BLOCK_NODES * k) + i;
        const target = brickNodeIndex(i0 + i, j0 + j, k0 + k);
        if (isFar[target] === 0) out[target] = Math.sqrt(best[node]);
      }
    }
  }
}

/** Finds the centre of the block that begins at node (i0, j0, k0), and a bound of its distance by the nearest lattice node. */
function latticeBound({ block, lattice }: BrickWorkspace, grid: FieldGrid, i0: number, j0: number, k0: number): number {
  const { size, place, centre } = block;
  let node = 0;
  let awaySquared = 0;
  for (let axis = 2; axis >= 0; axis -= 1) {
    centre[axis] = 0.5 * (place[BLOCK_NODES * axis] + place[BLOCK_NODES * axis + size[axis] - 1]);
    const middle = (axis === 0 ? i0 : axis === 1 ? j0 : k0) + 0.5 * (size[axis] - 1);
    const nearest = Math.round(middle / LATTICE_STEP);
    node = nearest + LATTICE_NODES * node;
    awaySquared += square(middle - LATTICE_STEP * nearest);
  }
  return (lattice[node] + grid.voxelSize * Math.sqrt(awaySquared)) * BOUND_SLACK;
}

/**
 * Finds the candidates of a block and measures its nodes. The triangle that is nearest to one node is probably the
 * nearest to the next, or not far from it: measured first, it makes the bound so tight that few others are left to
 * measure. Of these, tangents rule out most, and planes those that share a tangent, as all triangles of a flat face do.
 */
function measureBlock(tree: TriangleTree, workspace: BrickWorkspace, step: number, bound: number): void {
  const { block, candidates } = workspace;
  const { size, place, centre } = block;
  const radius = 0.5 * step * length3(size[0] - 1, size[1] - 1, size[2] - 1) * SLACK;
  nearestDistanceSquared(tree, workspace.tree, centre[0], centre[1], centre[2], bound * bound);
  collectCandidates(candidates, tree, workspace.tree, centre[0], centre[1], centre[2], radius);
  block.nothing = NOTHING * step;
  let likelyOfLayer = 0;
  for (let k = 0; k < size[2]; k += 1) {
    const z = place[2 * BLOCK_NODES + k];
    chooseForLayer(tree, workspace, likelyOfLayer, z);
    if (block.chosenCount > CROWDED) {
      walkLayer(tree, workspace, likelyOfLayer, k, step);
      continue;
    }
    let likelyOfRow = likelyOfLayer;
    for (let j = 0; j < size[1]; j += 1) {
      const y = place[BLOCK_NODES + j];
      let likely = likelyOfRow;
      for (let i = 0; i < size[0]; i += 1) {
        likely = measureNode(tree, workspace, likely, place[i], y, z, BLOCK_NODES * (j + BLOCK_NODES * k) + i);
        if (i === 0) likelyOfRow = likely;
      }
      if (j === 0) likelyOfLayer = likelyOfRow;
    }
  }
}

/** In voxels. */
const NOTHING = 1e-9;

/** Layers with more candidates than this, of triangles much smaller than the block, are measured by walks of the tree. */
const CROWDED = 160;

/** Measures the nodes of layer k one by one, each with a bound from the one before. */
function walkLayer(tree: TriangleTree, workspace: BrickWorkspace, likely: number, k: number, step: number): void {
  const { block, candidates } = workspace;
  const { size, place, best } = block;
  const { offset } = workspace.tree;
  const z = place[2 * BLOCK_NODES + k];
  const o = 9 * candidates.triangle[likely];
  let boundOfRow = reachOf(offsetFromTriangle(offset, tree.corners, o, place[0], place[BLOCK_NODES], z));
  for (let j = 0; j < size[1]; j += 1) {
    const row = BLOCK_NODES * (j + BLOCK_NODES * k);
    let bound = boundOfRow;
    for (let i = 0; i < size[0]; i += 1) {
      const y = place[BLOCK_NODES + j];
      best[row + i] = nearestDistanceSquared(tree, workspace.tree, place[i], y, z, bound * bound);
      bound = reachOf(best[row + i]) + step * SLACK;
    }
    boundOfRow = reachOf(best[row]) + step * SLACK;
  }
}

/**
 * Puts those candidates into `chosen` that may be the nearest to some node of a layer. The distance to one triangle, as a
 * convex function, is nowhere in the layer larger than what is interpolated between its values at the four corners; a
 * candidate whose tangent is above these at all four is above that everywhere.
 */
function chooseForLayer(tree: TriangleTree, workspace: BrickWorkspace, likely: number, z: number): void {
  const { block, candidates } = workspace;
  const { size, place, centre, chosen } = block;
  const { tangent, triangle, count } = candidates;
  const x0 = place[0];
  const x1 = place[size[0] - 1];
  const y0 = place[BLOCK_NODES];
  const y1 = place[BLOCK_NODES + size[1] - 1];
  const o = 9 * triangle[likely];
  const d00 = reachOf(offsetFromTriangle(workspace.tree.offset, tree.corners, o, x0, y0, z));
  const d10 = reachOf(offsetFromTriangle(workspace.tree.offset, tree.corners, o, x1, y0, z));
  const d01 = reachOf(offsetFromTriangle(workspace.tree.offset, tree.corners, o, x0, y1, z));
  const d11 = reachOf(offsetFromTriangle(workspace.tree.offset, tree.corners, o, x1, y1, z));
  if (chosen.length < count) block.chosen = new Uint32Array(2 * count);
  const list = block.chosen;
  let kept = 0;
  for (let c = 0; c < count; c += 1) {
    const t = 4 * c;
    const base = tangent[t] + tangent[t + 3] * (z - centre[2]);
    const alongX0 = base + tangent[t + 1] * (x0 - centre[0]);
    const alongX1 = base + tangent[t + 1] * (x1 - centre[0]);
    const alongY0 = tangent[t + 2] * (y0 - centre[1]);
    const alongY1 = tangent[t + 2] * (y1 - centre[1]);
    if (alongX0 + alongY0 > d00 && alongX1 + alongY0 > d10 && alongX0 + alongY1 > d01 && alongX1 + alongY1 > d11) {
      continue;
    }
    list[kept] = c;
    kept += 1;
  }
  block.chosenCount = kept;
}

/** A hair larger than the distance: what a lower bound has to stay below to be of interest. */
function reachOf(squared: number): number {
  return Math.sqrt(squared * BOUND_SLACK);
}

/** Measures a node of the block; gives the candidate that is nearest. */
function measureNode(
  tree: TriangleTree,
  workspace: BrickWorkspace,
  likely: number,
  x: number,
  y: number,
  z: number,
  node: number,
): number {
  const { block, candidates } = workspace;
  const { centre, chosen, chosenCount, nothing } = block;
  const { tangent, triangle } = candidates;
  const { corners, planes } = tree;
  const { offset } = workspace.tree;
  const dx = x - centre[0];
  const dy = y - centre[1];
  const dz = z - centre[2];
  let nearest = likely;
  let best = offsetFromTriangle(offset, corners, 9 * triangle[likely], x, y, z);
  let reach = reachOf(best) + nothing;
  for (let n = 0; n < chosenCount; n += 1) {
    const c = chosen[n];
    const t = 4 * c;
    if (tangent[t] + tangent[t + 1] * dx + tangent[t + 2] * dy + tangent[t + 3] * dz > reach || c === likely) continue;
    if (planeBoundSquared(planes, triangle[c], x, y, z) > best * BOUND_SLACK + nothing * nothing) continue;
    const squared = offsetFromTriangle(offset, corners, 9 * triangle[c], x, y, z);
    if (squared >= best) continue;
    best = squared;
    nearest = c;
    reach = reachOf(best) + nothing;
  }
  block.best[node] = best;
  return nearest;
}
