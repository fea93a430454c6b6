import {
  BRICK_CELLS,
  BRICK_LAYER,
  BRICK_NODES,
  BRICK_SIZE,
  brickNodeIndex,
  cellIndex,
  coarseNodeCount,
  coarseNodeIndex,
  type FieldGrid,
} from './distance-field.js';

/** What makes one continuous field of coarse cells and bricks. */

/** Cells without a brick whose corners have both signs. */
export function cellsWithMixedCorners(
  grid: FieldGrid,
  coarse: Float32Array,
  bricks: ReadonlyMap<number, Float32Array>,
): number[] {
  const cells: number[] = [];
  forEachCell(grid, (i, j, k, cell) => {
    if (bricks.has(cell)) return;
    let negative = 0;
    for (let corner = 0; corner < 8; corner += 1) {
      if (coarse[cornerIndex(grid, i, j, k, corner)] < 0) negative += 1;
    }
    if (negative > 0 && negative < 8) cells.push(cell);
  });
  return cells;
}

/** Cells without a brick behind a brick's face on which the sign changes. */
export function neighboursAcrossMixedFaces(grid: FieldGrid, bricks: ReadonlyMap<number, Float32Array>): number[] {
  const [nx, ny] = grid.cells;
  const found = new Set<number>();
  for (const [cell, values] of bricks) {
    const place = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    for (let face = 0; face < 6; face += 1) {
      const neighbour = neighbourCell(grid, place, face);
      if (neighbour >= 0 && !bricks.has(neighbour) && isFaceMixed(values, face)) found.add(neighbour);
    }
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * Gives every coarse node the sign and value of the bricks around it, and spreads the signs from there: a node without
 * a brick around it is further from the surface than from its neighbours, so that it has their sign.
 */
export function spreadSigns(grid: FieldGrid, coarse: Float32Array, brickOf: Int32Array, bricks: Float32Array): void {
  const known = new Uint8Array(coarseNodeCount(grid));
  const queue = new Uint32Array(known.length);
  let size = 0;
  forEachCell(grid, (i, j, k, cell) => {
    if (brickOf[cell] < 0) return;
    for (let corner = 0; corner < 8; corner += 1) {
      const node = cornerIndex(grid, i, j, k, corner);
      coarse[node] = bricks[brickOf[cell] * BRICK_SIZE + brickCorner(corner)];
      if (known[node]) continue;
      known[node] = 1;
      queue[size] = node;
      size += 1;
    }
  });
  const steps = [1, grid.cells[0] + 1, (grid.cells[0] + 1) * (grid.cells[1] + 1)];
  for (let head = 0; head < size; head += 1) {
    const node = queue[head];
    for (let axis = 0; axis < 3; axis += 1) {
      const place = Math.floor(node / steps[axis]) % (grid.cells[axis] + 1);
      for (const neighbour of [
        place > 0 ? node - steps[axis] : -1,
        place < grid.cells[axis] ? node + steps[axis] : -1,
      ]) {
        if (neighbour < 0 || known[neighbour]) continue;
        known[neighbour] = 1;
        coarse[neighbour] = coarse[node] < 0 ? -Math.abs(coarse[neighbour]) : Math.abs(coarse[neighbour]);
        queue[size] = neighbour;
        size += 1;
      }
    }
  }
}

/**
 * Sets the nodes of a brick that lie on a face or an edge shared with a cell without a brick to what that cell
 * interpolates there. Such nodes are outside the band, so that nothing exact is lost near the surface. Gives, per brick,
 * the largest change, which whoever takes a value for a bound of the distance has to allow for.
 */
export function joinLevels(
  grid: FieldGrid,
  coarse: Float32Array,
  brickOf: Int32Array,
  bricks: Float32Array,
): Float32Array {
  const changes = new Float32Array(bricks.length / BRICK_SIZE);
  const isCoarse = (i: number, j: number, k: number) =>
    i >= 0 &&
    j >= 0 &&
    k >= 0 &&
    i < grid.cells[0] &&
    j < grid.cells[1] &&
    k < grid.cells[2] &&
    brickOf[cellIndex(grid, i, j, k)] < 0;
  const corners = new Float64Array(8);
  const sides = [-1, 0, 1];
  forEachCell(grid, (i, j, k, cell) => {
    if (brickOf[cell] < 0) return;
    const values = bricks.subarray(brickOf[cell] * BRICK_SIZE, (brickOf[cell] + 1) * BRICK_SIZE);
    for (let corner = 0; corner < 8; corner += 1) {
      corners[corner] = coarse[cornerIndex(grid, i, j, k, corner)];
      values[brickCorner(corner)] = corners[corner];
    }
    // Each of the 26 neighbours touches one face, edge or corner; the nodes on it are those shared with that cell.
    for (const dk of sides) {
      for (const dj of sides) {
        for (const di of sides) {
          if ((di !== 0 || dj !== 0 || dk !== 0) && isCoarse(i + di, j + dj, k + dk)) {
            const change = interpolateShared(values, corners, di, dj, dk);
            changes[brickOf[cell]] = Math.max(changes[brickOf[cell]], change);
          }
        }
      }
    }
  });
  return changes;
}

/** Gives the largest change. */
function interpolateShared(values: Float32Array, corners: Float64Array, di: number, dj: number, dk: number): number {
  const [i0, i1] = sharedRange(di);
  const [j0, j1] = sharedRange(dj);
  const [k0, k1] = sharedRange(dk);
  let largest = 0;
  for (let k = k0; k <= k1; k += 1) {
    for (let j = j0; j <= j1; j += 1) {
      for (let i = i0; i <= i1; i += 1) {
        const node = brickNodeIndex(i, j, k);
        const before = values[node];
        values[node] = trilinear(corners, i / BRICK_CELLS, j / BRICK_CELLS, k / BRICK_CELLS);
        largest = Math.max(largest, Math.abs(values[node] - before));
      }
    }
  }
  return largest;
}

function sharedRange(side: number): [number, number] {
  if (side < 0) return [0, 0];
  return side > 0 ? [BRICK_CELLS, BRICK_CELLS] : [0, BRICK_CELLS];
}

function trilinear(corners: Float64Array, u: number, v: number, w: number): number {
  let sum = 0;
  for (let corner = 0; corner < 8; corner += 1) {
    const weight = (corner & 1 ? u : 1 - u) * (corner & 2 ? v : 1 - v) * (corner & 4 ? w : 1 - w);
    sum += weight * corners[corner];
  }
  return sum;
}

function forEachCell(grid: FieldGrid, visit: (i: number, j: number, k: number, cell: number) => void): void {
  const [nx, ny, nz] = grid.cells;
  let cell = 0;
  for (let k = 0; k < nz; k += 1) {
    for (let j = 0; j < ny; j += 1) {
      for (let i = 0; i < nx; i += 1) {
        visit(i, j, k, cell);
        cell += 1;
      }
    }
  }
}

/** Coarse node at a corner of a cell; bits of `corner` are x, y, z. */
function cornerIndex(grid: FieldGrid, i: number, j: number, k: number, corner: number): number {
  return coarseNodeIndex(grid, i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2));
}

function brickCorner(corner: number): number {
  return brickNodeIndex(corner & 1 ? BRICK_CELLS : 0, corner & 2 ? BRICK_CELLS : 0, corner & 4 ? BRICK_CELLS : 0);
}

/** The cell behind a face (0 and 1 along x, 2 and 3 along y, 4 and 5 along z), or −1 at the border of the grid. */
function neighbourCell(grid: FieldGrid, place: readonly number[], face: number): number {
  const axis = face >> 1;
  const neighbour = [...place];
  neighbour[axis] += face & 1 ? 1 : -1;
  if (neighbour[axis] < 0 || neighbour[axis] >= grid.cells[axis]) return -1;
  return cellIndex(grid, neighbour[0], neighbour[1], neighbour[2]);
}

function isFaceMixed(values: Float32Array, face: number): boolean {
  const steps = [1, BRICK_NODES, BRICK_LAYER];
  const axis = face >> 1;
  const start = face & 1 ? BRICK_CELLS * steps[axis] : 0;
  const across = steps[(axis + 1) % 3];
  const along = steps[(axis + 2) % 3];
  let negative = 0;
  for (let a = 0; a < BRICK_NODES; a += 1) {
    for (let b = 0; b < BRICK_NODES; b += 1) {
      if (values[start + a * across + b * along] < 0) negative += 1;
    }
  }
  return negative > 0 && negative < BRICK_LAYER;
}
