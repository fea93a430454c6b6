import { BRICK_CELLS, BRICK_NODES, BRICK_SIZE, type DistanceField } from '../../field/distance-field.js';

/**
 * `sampleGradient` of the field for a point that is inside its grid, through arrays only, as the loop over vertices needs
 * it: the gradient goes into `out[0…2]`, the distance into `out[3]`. False if the point is outside the grid.
 */
export function sampleFieldAt(out: Float64Array, field: DistanceField, point: Float64Array): boolean {
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
    layer = BRICK_NODES * BRICK_NODES;
    at = brick * BRICK_SIZE + (u | 0) + row * (v | 0) + layer * (w | 0);
    u -= u | 0;
    v -= v | 0;
    w -= w | 0;
    perSide = 1 / voxelSize;
  }
  const d00 = values[at];
  const d10 = values[at + row];
  const d01 = values[at + layer];
  const d11 = values[at + layer + row];
  const g00 = values[at + 1] - d00;
  const g10 = values[at + row + 1] - d10;
  const g01 = values[at + layer + 1] - d01;
  const g11 = values[at + layer + row + 1] - d11;
  const x00 = d00 + u * g00;
  const x01 = d01 + u * g01;
  const h0 = d10 + u * g10 - x00;
  const h1 = d11 + u * g11 - x01;
  const g0 = g00 + v * (g10 - g00);
  const g1 = g01 + v * (g11 - g01);
  const y0 = x00 + v * h0;
  const y1 = x01 + v * h1;
  out[0] = (g0 + w * (g1 - g0)) * perSide;
  out[1] = (h0 + w * (h1 - h0)) * perSide;
  out[2] = (y1 - y0) * perSide;
  out[3] = y0 + w * (y1 - y0);
  return true;
}
