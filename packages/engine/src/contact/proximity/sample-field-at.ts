import { BRICK_CELLS, BRICK_NODES, BRICK_SIZE, type DistanceField } from '../../field/distance-field.js';
import { interpolateWithGradient } from '../../field/sample-field.js';

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
  out[3] = interpolateWithGradient(out, values, at, row, layer, u, v, w, perSide);
  return true;
}
