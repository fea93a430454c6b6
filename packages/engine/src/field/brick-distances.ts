import { offsetFromTriangle } from '../math/closest-point.js';
import { length3 } from '../math/portable.js';
import { interpolateFarNodes, LATTICE_NODES, LATTICE_SIZE, LATTICE_STEP } from './brick-lattice.js';
import {
  BRICK_CELLS,
  BRICK_NODES,
  BRICK_SIZE,
  brickNodeIndex,
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
  type TreeWorkspace,
} from './tree-query.js';
import type { TriangleTree } from './triangle-tree.js';

/**
 * Unsigned distances at the nodes of a brick: exact within the band, interpolated from every fourth node further off.
 *
 * The nodes are taken in blocks of 5 × 3 × 3. If the centre of a block of radius r is at distance d from the surface,
 * the triangle nearest to any of its nodes lies within d + 2 r of the centre. So the tree is asked once per block, and
 * the list it gave is run past the nodes, with tangents as bounds: for a row of nodes, then for a node. Tried and
 * slower: a list per brick cut down per octant, lists sorted by distance, lists of leaves, a walk of the tree per node.
 */

/** From the centre of a brick to its corner, in voxels. */
export const BRICK_RADIUS_VOXELS = (BRICK_CELLS / 2) * Math.sqrt(3);

/** Where the blocks begin and end along x, y, z: two times three times three of them. */
const BLOCK_LIMITS = [
  [0, 5, BRICK_NODES],
  [0, 3, 6, BRICK_NODES],
  [0, 3, 6, BRICK_NODES],
] as const;
/** No block has more nodes than this along an axis. */
const BLOCK_NODES = 5;
const BLOCK_ROWS = BLOCK_NODES * BLOCK_NODES;
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
  /** Nodes measured so far, for statistics. */
  measured: number;
}

/** Some nodes of a brick, as rows along x. */
interface Block {
  /** Nodes along x, y, z. */
  readonly size: Int32Array;
  /** Their coordinates: up to five along x, then along y, then along z. */
  readonly place: Float64Array;
  /** Smallest squared distance so far, per node. */
  readonly best: Float64Array;
  /** The same as a distance, a hair larger: what a lower bound has to stay below to be of interest. */
  readonly reach: Float64Array;
  /** The largest of each row. */
  readonly rowReach: Float64Array;
  /** The candidate that is probably nearest, per node. */
  readonly likely: Uint32Array;
}

export function createBrickWorkspace(tree: TriangleTree): BrickWorkspace {
  return {
    tree: createTreeWorkspace(tree),
    candidates: createCandidateList(),
    block: {
      size: new Int32Array(3),
      place: new Float64Array(3 * BLOCK_NODES),
      best: new Float64Array(BLOCK_ROWS * BLOCK_NODES),
      reach: new Float64Array(BLOCK_ROWS * BLOCK_NODES),
      rowReach: new Float64Array(BLOCK_ROWS),
      likely: new Uint32Array(BLOCK_ROWS * BLOCK_NODES),
    },
    lattice: new Float64Array(LATTICE_SIZE),
    isFar: new Uint8Array(BRICK_SIZE),
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

/**
 * Fills `out` with the distances of the brick's nodes, exact for those nearer than `band`; `centreDistance` as
 * `brickCentreDistance` gives it. Gives the most by which one of the others may be too large.
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
  // No node of the brick is further from the surface than this.
  const bound = (centreDistance + BRICK_RADIUS_VOXELS * grid.voxelSize) * SLACK;
  measureLattice(tree, workspace, grid, ci, cj, ck, bound);
  workspace.measured += LATTICE_SIZE;
  const error = interpolateFarNodes(out, workspace.isFar, workspace.lattice, grid.voxelSize, band);
  const [limitsX, limitsY, limitsZ] = BLOCK_LIMITS;
  for (let c = 0; c + 1 < limitsZ.length; c += 1) {
    placeAxis(workspace.block, 2, grid, BRICK_CELLS * ck, limitsZ[c], limitsZ[c + 1]);
    for (let b = 0; b + 1 < limitsY.length; b += 1) {
      placeAxis(workspace.block, 1, grid, BRICK_CELLS * cj, limitsY[b], limitsY[b + 1]);
      for (let a = 0; a + 1 < limitsX.length; a += 1) {
        placeAxis(workspace.block, 0, grid, BRICK_CELLS * ci, limitsX[a], limitsX[a + 1]);
        if (isBlockFar(workspace, limitsX[a], limitsY[b], limitsZ[c])) continue;
        measureBlock(tree, workspace, grid.voxelSize, bound);
        workspace.measured += workspace.block.size.reduce((product, nodes) => product * nodes, 1);
        copyBlock(out, workspace, limitsX[a], limitsY[b], limitsZ[c]);
      }
    }
  }
  return error;
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
  const step = LATTICE_STEP * grid.voxelSize * SLACK;
  for (let k = 0, node = 0; k < LATTICE_NODES; k += 1) {
    const z = nodeCoordinate(grid, 2, BRICK_CELLS * ck + LATTICE_STEP * k);
    for (let j = 0; j < LATTICE_NODES; j += 1) {
      const y = nodeCoordinate(grid, 1, BRICK_CELLS * cj + LATTICE_STEP * j);
      let rowBound = bound;
      for (let i = 0; i < LATTICE_NODES; i += 1, node += 1) {
        const x = nodeCoordinate(grid, 0, BRICK_CELLS * ci + LATTICE_STEP * i);
        const squared = nearestDistanceSquared(tree, workspace.tree, x, y, z, rowBound * rowBound);
        workspace.lattice[node] = Math.sqrt(squared);
        rowBound = workspace.lattice[node] + step;
      }
    }
  }
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

/**
 * Finds the candidates of a block and runs them past its nodes. Two passes: the first finds for every node the candidate
 * whose tangent is lowest there, which mostly is the nearest triangle; measured, it makes the bound so tight that the
 * second pass has to measure only the few that tie with it.
 */
function measureBlock(tree: TriangleTree, workspace: BrickWorkspace, step: number, bound: number): void {
  const { block, candidates } = workspace;
  const { size, place, reach, rowReach, likely, best } = block;
  const x = 0.5 * (place[0] + place[size[0] - 1]);
  const y = 0.5 * (place[BLOCK_NODES] + place[BLOCK_NODES + size[1] - 1]);
  const z = 0.5 * (place[2 * BLOCK_NODES] + place[2 * BLOCK_NODES + size[2] - 1]);
  const radius = 0.5 * step * length3(size[0] - 1, size[1] - 1, size[2] - 1) * SLACK;
  nearestDistanceSquared(tree, workspace.tree, x, y, z, bound * bound);
  collectCandidates(candidates, tree, workspace.tree, x, y, z, radius);
  reach.fill(Number.POSITIVE_INFINITY);
  rowReach.fill(Number.POSITIVE_INFINITY);
  best.fill(Number.POSITIVE_INFINITY);
  for (let c = 0; c < candidates.count; c += 1) lowerReach(block, candidates.tangent, c, step);
  for (let k = 0; k < size[2]; k += 1) {
    for (let j = 0; j < size[1]; j += 1) {
      for (let i = 0; i < size[0]; i += 1) {
        const node = BLOCK_NODES * (j + BLOCK_NODES * k) + i;
        tryTriangle(tree, workspace, candidates.triangle[likely[node]], i, j, k);
      }
      updateRow(block, j + BLOCK_NODES * k);
    }
  }
  for (let c = 0; c < candidates.count; c += 1) measureCandidate(tree, workspace, c, step);
}

/** First pass: keeps in `reach` the lowest tangent at each node, and in `likely` whose it is. */
function lowerReach(block: Block, tangent: Float64Array, c: number, step: number): void {
  const { size, reach, rowReach, likely } = block;
  const stepX = tangent[4 * c + 1] * step;
  const stepY = tangent[4 * c + 2] * step;
  const stepZ = tangent[4 * c + 3] * step;
  const along = (size[0] - 1) * stepX;
  const lowestOfRow = Math.min(0, along);
  let layer = tangent[4 * c] - 0.5 * (along + (size[1] - 1) * stepY + (size[2] - 1) * stepZ);
  for (let k = 0; k < size[2]; k += 1, layer += stepZ) {
    let start = layer;
    for (let j = 0; j < size[1]; j += 1, start += stepY) {
      const row = j + BLOCK_NODES * k;
      if (start + lowestOfRow >= rowReach[row]) continue;
      let bound = start;
      const end = BLOCK_NODES * row + size[0];
      for (let node = BLOCK_NODES * row; node < end; node += 1, bound += stepX) {
        if (bound >= reach[node]) continue;
        reach[node] = bound;
        likely[node] = c;
      }
      updateRow(block, row);
    }
  }
}

/** Second pass: measures a candidate at the nodes where its tangent is below what has been measured so far. */
function measureCandidate(tree: TriangleTree, workspace: BrickWorkspace, c: number, step: number): void {
  const { block, candidates } = workspace;
  const { size, reach, rowReach, likely } = block;
  const { tangent } = candidates;
  const stepX = tangent[4 * c + 1] * step;
  const stepY = tangent[4 * c + 2] * step;
  const stepZ = tangent[4 * c + 3] * step;
  const along = (size[0] - 1) * stepX;
  const lowestOfRow = Math.min(0, along);
  let layer = tangent[4 * c] - 0.5 * (along + (size[1] - 1) * stepY + (size[2] - 1) * stepZ);
  for (let k = 0; k < size[2]; k += 1, layer += stepZ) {
    let start = layer;
    for (let j = 0; j < size[1]; j += 1, start += stepY) {
      const row = j + BLOCK_NODES * k;
      if (start + lowestOfRow > rowReach[row]) continue;
      let bound = start;
      for (let i = 0; i < size[0]; i += 1, bound += stepX) {
        const node = BLOCK_NODES * row + i;
        if (bound <= reach[node] && likely[node] !== c) tryTriangle(tree, workspace, candidates.triangle[c], i, j, k);
      }
      updateRow(block, row);
    }
  }
}

function updateRow({ size, reach, rowReach }: Block, row: number): void {
  const end = BLOCK_NODES * row + size[0];
  let most = reach[BLOCK_NODES * row];
  for (let node = BLOCK_NODES * row + 1; node < end; node += 1) if (reach[node] > most) most = reach[node];
  rowReach[row] = most;
}

/** Measures a triangle from node (i, j, k) of the block. */
function tryTriangle(
  tree: TriangleTree,
  workspace: BrickWorkspace,
  triangle: number,
  i: number,
  j: number,
  k: number,
): void {
  const { place, best, reach } = workspace.block;
  const x = place[i];
  const y = place[BLOCK_NODES + j];
  const z = place[2 * BLOCK_NODES + k];
  const squared = offsetFromTriangle(workspace.tree.offset, tree.corners, 9 * triangle, x, y, z);
  const node = BLOCK_NODES * (j + BLOCK_NODES * k) + i;
  if (squared >= best[node]) return;
  best[node] = squared;
  reach[node] = Math.sqrt(squared * BOUND_SLACK);
}
