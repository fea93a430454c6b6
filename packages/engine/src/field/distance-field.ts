/**
 * The signed distance of a surface on sparse bricks, and the one place that knows its layout.
 *
 * Space is cut into coarse cells of `BRICK_CELLS` voxels a side. Every corner of a coarse cell holds an exact distance
 * (`coarse`). A cell near the surface also has a brick: its 9 × 9 × 9 voxel nodes, the border nodes stored with each
 * brick so that one look-up finds all eight corners of a voxel; those within `band` of the surface are exact, those
 * further off interpolated from every fourth node. Values between nodes are interpolated trilinearly.
 *
 * Continuity: neighbouring bricks hold the same numbers on their common face; the face of a brick towards a cell
 * without one is set to what the coarse cell interpolates there, which lies outside the band. So the sampled function
 * is continuous everywhere, and exact at every node within `band` of the surface.
 *
 * Frame: that of the body. Negative inside. Metres.
 */

/** Voxels along the side of a brick. */
export const BRICK_CELLS = 8;
/** Nodes along the side of a brick, both borders included. */
export const BRICK_NODES = BRICK_CELLS + 1;
/** Numbers from a node of a brick to the next along z; along y they are `BRICK_NODES`. */
export const BRICK_LAYER = BRICK_NODES * BRICK_NODES;
/** Numbers held per brick. */
export const BRICK_SIZE = BRICK_NODES * BRICK_LAYER;

/** Where the nodes of a field stand. */
export interface FieldGrid {
  /** Side of a voxel, metres. */
  readonly voxelSize: number;
  /** Position of node (0, 0, 0), body frame. */
  readonly origin: Float64Array;
  /** Coarse cells along x, y, z. */
  readonly cells: Int32Array;
}

/**
 * Signed distance to a surface (m, negative inside) on a coarse grid, with bricks of fine voxels near the surface. Made
 * by `buildField`, read by `sampleDistance`.
 */
export interface DistanceField extends FieldGrid {
  /** Distances at the corners of the coarse cells, x fastest. */
  readonly coarse: Float32Array;
  /** For every coarse cell, x fastest, the number of its brick, or −1. */
  readonly brickOf: Int32Array;
  /** `BRICK_SIZE` distances per brick, x fastest. */
  readonly bricks: Float32Array;
  /** The most by which a node outside the band may be too large, per brick, metres. */
  readonly brickErrors: Float32Array;
  /** Nodes closer to the surface than this are exact and stand in bricks, metres. */
  readonly band: number;
  /** How far the zero surface stands outside the mesh, metres (0: on it). */
  readonly offset: number;
  /** The surface is closed, if need be by lids over its openings, so that the distance nowhere jumps. */
  readonly closed: boolean;
  /** Bounds of the mesh: minimum x, y, z, maximum x, y, z. */
  readonly bounds: Float64Array;
}

/**
 * Coordinate of voxel node `node` along an axis. Everybody uses this one expression, so that a node that belongs to two
 * bricks and a coarse cell has the same position, and therefore the same distance, to the last bit.
 */
export function nodeCoordinate(grid: FieldGrid, axis: number, node: number): number {
  return grid.origin[axis] + node * grid.voxelSize;
}

export function coarseNodeCount(grid: FieldGrid): number {
  return (grid.cells[0] + 1) * (grid.cells[1] + 1) * (grid.cells[2] + 1);
}

export function cellCount(grid: FieldGrid): number {
  return grid.cells[0] * grid.cells[1] * grid.cells[2];
}

/** Number of the coarse node (i, j, k), x fastest. */
export function coarseNodeIndex(grid: FieldGrid, i: number, j: number, k: number): number {
  return i + (grid.cells[0] + 1) * (j + (grid.cells[1] + 1) * k);
}

/** Number of the coarse cell (i, j, k), x fastest. */
export function cellIndex(grid: FieldGrid, i: number, j: number, k: number): number {
  return i + grid.cells[0] * (j + grid.cells[1] * k);
}

/** Place of voxel node (i, j, k) within a brick, x fastest. */
export function brickNodeIndex(i: number, j: number, k: number): number {
  return i + BRICK_NODES * (j + BRICK_NODES * k);
}

/** Number of fine bricks in the field. */
export function brickCount(field: DistanceField): number {
  return field.bricks.length / BRICK_SIZE;
}

/** Bytes that the field holds in memory. */
export function fieldBytes(field: DistanceField): number {
  return field.bricks.byteLength + field.coarse.byteLength + field.brickOf.byteLength;
}

/** Voxels along x, y, z. */
export function fieldDimensions(field: DistanceField): [number, number, number] {
  return [field.cells[0] * BRICK_CELLS, field.cells[1] * BRICK_CELLS, field.cells[2] * BRICK_CELLS];
}
