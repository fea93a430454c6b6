import { BRICK_CELLS, BRICK_LAYER, BRICK_NODES, BRICK_SIZE, type DistanceField } from './distance-field.js';

/**
 * Reading a `DistanceField` in the cycle: trilinear interpolation, and the exact derivative of what was interpolated.
 * No allocation, no throw.
 *
 * Outside the grid the value is that of the nearest point of the grid plus the distance to it: an upper bound of the
 * true distance that stays continuous. A position that is not finite gives a value that is not finite.
 */

/** Signed distance at a point of the body frame, metres. */
export function sampleDistance(field: DistanceField, x: number, y: number, z: number): number {
  const { voxelSize, origin, cells } = field;
  const nx = cells[0];
  const ny = cells[1];
  const nz = cells[2];
  const invCell = 1 / (BRICK_CELLS * voxelSize);
  const u = (x - origin[0]) * invCell;
  const v = (y - origin[1]) * invCell;
  const w = (z - origin[2]) * invCell;
  const isInside = u >= 0 && v >= 0 && w >= 0 && u <= nx && v <= ny && w <= nz;
  const beyond = isInside ? 0 : distanceBeyondGrid(u, v, w, nx, ny, nz) / invCell;
  return beyond + interpolateAt(null, field, clamp(u, nx), clamp(v, ny), clamp(w, nz));
}

/**
 * Signed distance, and its gradient into `out[0…2]`. The gradient is that of the interpolated function, so it matches
 * finite differences inside a voxel and jumps at voxel faces; its length is 1 only where the distance is smooth.
 */
export function sampleGradient(out: Float64Array, field: DistanceField, x: number, y: number, z: number): number {
  const { voxelSize, origin, cells } = field;
  const invCell = 1 / (BRICK_CELLS * voxelSize);
  const u = (x - origin[0]) * invCell;
  const v = (y - origin[1]) * invCell;
  const w = (z - origin[2]) * invCell;
  return u >= 0 && v >= 0 && w >= 0 && u <= cells[0] && v <= cells[1] && w <= cells[2]
    ? interpolateAt(out, field, u, v, w)
    : gradientBeyondGrid(out, field, x, y, z);
}

/** The place of a sample in the four numbers of `sampleInGrid`: the gradient's three, then the distance. */
export const SAMPLE_DISTANCE = 3;

/**
 * `sampleGradient` for a point that is inside the grid, through arrays only, as a loop in the cycle needs it: the
 * gradient goes into `out[0…2]`, the distance into `out[SAMPLE_DISTANCE]`. False if the point is outside the grid.
 */
export function sampleInGrid(out: Float64Array, field: DistanceField, point: Float64Array): boolean {
  const { voxelSize, origin, cells, brickOf } = field;
  const nx = cells[0];
  const ny = cells[1];
  const nz = cells[2];
  const perCell = 1 / (BRICK_CELLS * voxelSize);
  let u = (point[0] - origin[0]) * perCell;
  let v = (point[1] - origin[1]) * perCell;
  let w = (point[2] - origin[2]) * perCell;
  if (!(u >= 0 && v >= 0 && w >= 0 && u < nx && v < ny && w < nz)) return false;
  const i = u | 0;
  const j = v | 0;
  const k = w | 0;
  u -= i;
  v -= j;
  w -= k;
  const brick = brickOf[i + nx * (j + ny * k)];
  let values = field.coarse;
  let row = nx + 1;
  let layer = (nx + 1) * (ny + 1);
  let at = i + row * j + layer * k;
  let perSide = perCell;
  if (brick >= 0) {
    u *= BRICK_CELLS;
    v *= BRICK_CELLS;
    w *= BRICK_CELLS;
    values = field.bricks;
    row = BRICK_NODES;
    layer = BRICK_LAYER;
    at = brick * BRICK_SIZE + (u | 0) + row * (v | 0) + layer * (w | 0);
    u -= u | 0;
    v -= v | 0;
    w -= w | 0;
    perSide = 1 / voxelSize;
  }
  out[SAMPLE_DISTANCE] = interpolate(out, values, at, row, layer, u, v, w, perSide);
  return true;
}

/**
 * The voxel-layer view of the same data, as Sagardia uses it: the integer layer of the voxel that holds the point, 0 on
 * the surface, positive inside, one per voxel of depth; the centre of that voxel goes into `out[0…2]`.
 */
export function sampleVoxelLayer(out: Float64Array, field: DistanceField, x: number, y: number, z: number): number {
  const { voxelSize, origin } = field;
  out[0] = origin[0] + voxelSize * (Math.floor((x - origin[0]) / voxelSize) + 0.5);
  out[1] = origin[1] + voxelSize * (Math.floor((y - origin[1]) / voxelSize) + 0.5);
  out[2] = origin[2] + voxelSize * (Math.floor((z - origin[2]) / voxelSize) + 0.5);
  // Adding 0 turns −0 into 0.
  return -Math.round(sampleDistance(field, out[0], out[1], out[2]) / voxelSize) + 0;
}

/**
 * `sampleVoxelLayer` through arrays only: the centre of the voxel into `out[0…2]`, its layer into `out[SAMPLE_DISTANCE]`.
 * In a brick the value at the centre is the mean of the voxel's corners.
 */
export function findVoxel(out: Float64Array, field: DistanceField, point: Float64Array): void {
  const { voxelSize, origin, cells, brickOf, bricks } = field;
  const i = Math.floor((point[0] - origin[0]) / voxelSize);
  const j = Math.floor((point[1] - origin[1]) / voxelSize);
  const k = Math.floor((point[2] - origin[2]) / voxelSize);
  const ci = Math.floor(i / BRICK_CELLS);
  const cj = Math.floor(j / BRICK_CELLS);
  const ck = Math.floor(k / BRICK_CELLS);
  const inside = ci >= 0 && cj >= 0 && ck >= 0 && ci < cells[0] && cj < cells[1] && ck < cells[2];
  const brick = inside ? brickOf[ci + cells[0] * (cj + cells[1] * ck)] : -1;
  if (brick < 0) {
    out[SAMPLE_DISTANCE] = sampleVoxelLayer(out, field, point[0], point[1], point[2]);
    return;
  }
  out[0] = origin[0] + voxelSize * (i + 0.5);
  out[1] = origin[1] + voxelSize * (j + 0.5);
  out[2] = origin[2] + voxelSize * (k + 0.5);
  const row = BRICK_NODES;
  const at =
    brick * BRICK_SIZE + (i - ci * BRICK_CELLS) + row * (j - cj * BRICK_CELLS) + BRICK_LAYER * (k - ck * BRICK_CELLS);
  const sum =
    bricks[at] +
    bricks[at + 1] +
    bricks[at + row] +
    bricks[at + row + 1] +
    bricks[at + BRICK_LAYER] +
    bricks[at + BRICK_LAYER + 1] +
    bricks[at + BRICK_LAYER + row] +
    bricks[at + BRICK_LAYER + row + 1];
  out[SAMPLE_DISTANCE] = -Math.round(sum / (8 * voxelSize));
}

/** The value at the nearest point of the grid plus the way to it, and that function's gradient. */
function gradientBeyondGrid(out: Float64Array, field: DistanceField, x: number, y: number, z: number): number {
  const { origin, cells, voxelSize } = field;
  const side = BRICK_CELLS * voxelSize;
  const dx = wayBeyondAxis(x, origin[0], cells[0], side);
  const dy = wayBeyondAxis(y, origin[1], cells[1], side);
  const dz = wayBeyondAxis(z, origin[2], cells[2], side);
  const value = sampleGradient(
    out,
    field,
    dx === 0 ? x : borderOfAxis(dx, origin[0], cells[0], side),
    dy === 0 ? y : borderOfAxis(dy, origin[1], cells[1], side),
    dz === 0 ? z : borderOfAxis(dz, origin[2], cells[2], side),
  );
  const beyond = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(beyond < Number.POSITIVE_INFINITY)) return value + beyond;
  // Along the axes that were clamped the nearest point does not move.
  if (dx !== 0) out[0] = dx / beyond;
  if (dy !== 0) out[1] = dy / beyond;
  if (dz !== 0) out[2] = dz / beyond;
  return value + beyond;
}

/** How far a coordinate is outside the grid, with its sign; 0 only if `sampleGradient` finds it inside as well. */
function wayBeyondAxis(x: number, origin: number, cells: number, side: number): number {
  const u = (x - origin) * (1 / side);
  if (u >= 0 && u <= cells) return 0;
  // Rounding may find no way at all for a point that is outside by a hair.
  return u > cells ? Math.max(x - (origin + cells * side), 1e-12 * side) : x - origin;
}

/** The border that is crossed on that way, inside by a hair, so that rounding does not put it outside again. */
function borderOfAxis(way: number, origin: number, cells: number, side: number): number {
  const inset = 1e-9 * side + 1e-15 * (Math.abs(origin) + cells * side);
  return way > 0 ? origin + cells * side - inset : origin + inset;
}

function distanceBeyondGrid(u: number, v: number, w: number, nx: number, ny: number, nz: number): number {
  const du = u - clamp(u, nx);
  const dv = v - clamp(v, ny);
  const dw = w - clamp(w, nz);
  return Math.sqrt(du * du + dv * dv + dw * dw);
}

/** NaN goes to 0: a bad number must not become a bad index. */
function clamp(value: number, high: number): number {
  return value > 0 ? Math.min(value, high) : 0;
}

/** At (u, v, w) from the origin in coarse cells, inside the grid; the gradient into `out[0…2]` unless that is null. */
function interpolateAt(out: Float64Array | null, field: DistanceField, u: number, v: number, w: number): number {
  const { voxelSize, cells, brickOf } = field;
  const nx = cells[0];
  const ny = cells[1];
  const nz = cells[2];
  const i = u < nx ? u | 0 : nx - 1;
  const j = v < ny ? v | 0 : ny - 1;
  const k = w < nz ? w | 0 : nz - 1;
  const brick = brickOf[i + nx * (j + ny * k)];
  if (brick < 0) {
    const layer = (nx + 1) * (ny + 1);
    const at = i + (nx + 1) * j + layer * k;
    return interpolate(out, field.coarse, at, nx + 1, layer, u - i, v - j, w - k, 1 / (BRICK_CELLS * voxelSize));
  }
  const p = (u - i) * BRICK_CELLS;
  const q = (v - j) * BRICK_CELLS;
  const r = (w - k) * BRICK_CELLS;
  const a = p < BRICK_CELLS ? p | 0 : BRICK_CELLS - 1;
  const b = q < BRICK_CELLS ? q | 0 : BRICK_CELLS - 1;
  const c = r < BRICK_CELLS ? r | 0 : BRICK_CELLS - 1;
  const at = brick * BRICK_SIZE + a + BRICK_NODES * b + BRICK_LAYER * c;
  return interpolate(out, field.bricks, at, BRICK_NODES, BRICK_LAYER, p - a, q - b, r - c, 1 / voxelSize);
}

/**
 * The value within the cell whose first node is `at`, and its gradient into `out[0…2]` unless that is null; u, v, w are
 * parts of the cell's side.
 */
function interpolate(
  out: Float64Array | null,
  values: Float32Array,
  at: number,
  row: number,
  layer: number,
  u: number,
  v: number,
  w: number,
  inverseSide: number,
): number {
  const d000 = values[at];
  const d010 = values[at + row];
  const d001 = values[at + layer];
  const d011 = values[at + layer + row];
  const g00 = values[at + 1] - d000;
  const g10 = values[at + row + 1] - d010;
  const g01 = values[at + layer + 1] - d001;
  const g11 = values[at + layer + row + 1] - d011;
  const x00 = d000 + u * g00;
  const x10 = d010 + u * g10;
  const x01 = d001 + u * g01;
  const x11 = d011 + u * g11;
  const y0 = x00 + v * (x10 - x00);
  const y1 = x01 + v * (x11 - x01);
  if (out !== null) {
    const g0 = g00 + v * (g10 - g00);
    const g1 = g01 + v * (g11 - g01);
    const h0 = x10 - x00;
    const h1 = x11 - x01;
    out[0] = (g0 + w * (g1 - g0)) * inverseSide;
    out[1] = (h0 + w * (h1 - h0)) * inverseSide;
    out[2] = (y1 - y0) * inverseSide;
  }
  return y0 + w * (y1 - y0);
}
