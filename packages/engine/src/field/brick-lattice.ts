import { cube, length3, square } from '../math/portable.js';
import { BRICK_CELLS, brickNodeIndex } from './distance-field.js';

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

/**
 * Per place of a node in its lattice cell and corner of that cell: with what weight, how many voxels away. Where the
 * node lies on a lattice plane, the corners above it get no weight and bound nothing.
 */
const PLACES = cube(LATTICE_STEP);
const cornerWeight = new Float64Array(8 * PLACES);
const cornerVoxels = new Float64Array(8 * PLACES);
fillTables();

function fillTables(): void {
  for (let place = 0; place < PLACES; place += 1) {
    const [i, j, k] = [
      place % LATTICE_STEP,
      Math.floor(place / LATTICE_STEP) % LATTICE_STEP,
      Math.floor(place / square(LATTICE_STEP)),
    ];
    for (let corner = 0; corner < 8; corner += 1) {
      const [x, y, z] = [cornerAlong(i, corner & 1), cornerAlong(j, corner & 2), cornerAlong(k, corner & 4)];
      cornerWeight[8 * place + corner] = x.weight * y.weight * z.weight;
      cornerVoxels[8 * place + corner] = length3(x.voxels, y.voxels, z.voxels);
    }
  }
}

function cornerAlong(node: number, isUpper: number) {
  const t = node / LATTICE_STEP;
  if (isUpper === 0) return { weight: 1 - t, voxels: node };
  return { weight: t, voxels: t > 0 ? LATTICE_STEP - node : Number.POSITIVE_INFINITY };
}

/** Distances at the corners of the lattice cell being filled. */
const corners = new Float64Array(8);

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
  isFar.fill(0);
  for (let c = 0; c < LATTICE_NODES; c += 1) {
    for (let b = 0; b < LATTICE_NODES; b += 1) {
      for (let a = 0; a < LATTICE_NODES; a += 1) {
        // No node is further than the furthest corner.
        if (loadCorners(lattice, a, b, c) <= band) continue;
        error = Math.max(error, interpolateCell(out, isFar, a, b, c, voxelSize, band));
      }
    }
  }
  return error;
}

/** The distances at the corners of lattice cell (a, b, c), or of what is left of it at the end of the brick. */
function loadCorners(lattice: Float64Array, a: number, b: number, c: number): number {
  let furthest = 0;
  for (let corner = 0; corner < 8; corner += 1) {
    const i = Math.min(a + (corner & 1), LATTICE_NODES - 1);
    const j = Math.min(b + ((corner >> 1) & 1), LATTICE_NODES - 1);
    const k = Math.min(c + (corner >> 2), LATTICE_NODES - 1);
    corners[corner] = lattice[i + LATTICE_NODES * (j + LATTICE_NODES * k)];
    if (corners[corner] > furthest) furthest = corners[corner];
  }
  return furthest;
}

/** The same for the nodes of lattice cell (a, b, c) but those on its upper sides, which belong to the next cells. */
function interpolateCell(
  out: Float64Array,
  isFar: Uint8Array,
  a: number,
  b: number,
  c: number,
  voxelSize: number,
  band: number,
): number {
  const nodesX = a < LATTICE_NODES - 1 ? LATTICE_STEP : 1;
  const nodesY = b < LATTICE_NODES - 1 ? LATTICE_STEP : 1;
  const nodesZ = c < LATTICE_NODES - 1 ? LATTICE_STEP : 1;
  let error = 0;
  for (let k = 0; k < nodesZ; k += 1) {
    for (let j = 0; j < nodesY; j += 1) {
      const row = brickNodeIndex(LATTICE_STEP * a, LATTICE_STEP * b + j, LATTICE_STEP * c + k);
      for (let i = 0; i < nodesX; i += 1) {
        const table = 8 * (i + LATTICE_STEP * (j + LATTICE_STEP * k));
        let lowest = 0;
        let value = 0;
        for (let corner = 0; corner < 8; corner += 1) {
          value += cornerWeight[table + corner] * corners[corner];
          const bound = corners[corner] - cornerVoxels[table + corner] * voxelSize;
          if (bound > lowest) lowest = bound;
        }
        if (lowest <= band) continue;
        isFar[row + i] = 1;
        out[row + i] = value;
        if (value - lowest > error) error = value - lowest;
      }
    }
  }
  return error;
}
