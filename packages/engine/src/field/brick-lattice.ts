import { cube, length3 } from '../math/portable.js';
import { BRICK_CELLS, BRICK_NODES, BRICK_SIZE, brickNodeIndex } from './distance-field.js';

/**
 * Every fourth node of a brick, and what follows from them for the others.
 *
 * Most nodes of a brick lie outside the band in which distances have to be exact, and they are the dearest to measure.
 * These are interpolated from the lattice of every fourth node, which is exact. Whether a node is that far, and what it
 * is then set to, follows from the corners of the smallest part of the lattice that it lies on (cell, face, edge or
 * lattice node), so that two bricks agree about the nodes they share.
 */

/** Lattice nodes along the side of a brick. */
export const LATTICE_NODES = 3;
export const LATTICE_SIZE = cube(LATTICE_NODES);
/** Voxels between lattice nodes. */
export const LATTICE_STEP = BRICK_CELLS / (LATTICE_NODES - 1);

/** Per node of a brick and corner of its lattice cell: which lattice node, with what weight, how many voxels away. */
const cornerNode = new Uint8Array(8 * BRICK_SIZE);
const cornerWeight = new Float64Array(8 * BRICK_SIZE);
const cornerVoxels = new Float64Array(8 * BRICK_SIZE);
fillTables();

function fillTables(): void {
  for (let k = 0; k < BRICK_NODES; k += 1) {
    for (let j = 0; j < BRICK_NODES; j += 1) {
      for (let i = 0; i < BRICK_NODES; i += 1) {
        for (let corner = 0; corner < 8; corner += 1) {
          const at = 8 * brickNodeIndex(i, j, k) + corner;
          const [x, y, z] = [cornerAlong(i, corner & 1), cornerAlong(j, corner & 2), cornerAlong(k, corner & 4)];
          cornerNode[at] = x.lattice + LATTICE_NODES * (y.lattice + LATTICE_NODES * z.lattice);
          cornerWeight[at] = x.weight * y.weight * z.weight;
          cornerVoxels[at] = length3(x.voxels, y.voxels, z.voxels);
        }
      }
    }
  }
}

/** On a lattice plane both sides are the same corner, and the upper one gets no weight. */
function cornerAlong(node: number, isUpper: number) {
  const low = Math.floor(node / LATTICE_STEP);
  const t = node / LATTICE_STEP - low;
  const lattice = isUpper !== 0 && t > 0 ? low + 1 : low;
  return { lattice, weight: isUpper !== 0 ? t : 1 - t, voxels: Math.abs(lattice * LATTICE_STEP - node) };
}

/**
 * Interpolates the nodes that are certainly further than `band` from the surface, marks them in `isFar`, and gives the
 * most by which one of them may be too large.
 */
export function interpolateFarNodes(
  out: Float64Array,
  isFar: Uint8Array,
  lattice: Float64Array,
  voxelSize: number,
  band: number,
): number {
  let error = 0;
  for (let node = 0; node < BRICK_SIZE; node += 1) {
    let lowest = 0;
    let value = 0;
    for (let at = 8 * node; at < 8 * node + 8; at += 1) {
      const distance = lattice[cornerNode[at]];
      value += cornerWeight[at] * distance;
      const bound = distance - cornerVoxels[at] * voxelSize;
      if (bound > lowest) lowest = bound;
    }
    isFar[node] = lowest > band ? 1 : 0;
    if (lowest > band) {
      out[node] = value;
      if (value - lowest > error) error = value - lowest;
    }
  }
  return error;
}
