import { cube } from '../math/portable.js';
import type { SolidMoments } from '../mesh/mass-properties.js';
import {
  BRICK_CELLS,
  BRICK_NODES,
  BRICK_SIZE,
  coarseNodeIndex,
  type DistanceField,
  nodeCoordinate,
} from './distance-field.js';

/**
 * Volume and moments of the solid inside the zero surface, summed over the cells of the field: what mass means for an
 * open mesh, whose triangles bound nothing. A cell that the surface passes through counts with the part that lies inside
 * a plane of the same mean value and slope, which is second-order accurate in the voxel.
 */
export function fieldMoments(field: DistanceField): SolidMoments {
  const sums = new MomentSums(field);
  const [nx, ny, nz] = field.cells;
  const coarseRow = nx + 1;
  const coarseLayer = coarseRow * (ny + 1);
  for (let k = 0; k < nz; k += 1) {
    for (let j = 0; j < ny; j += 1) {
      for (let i = 0; i < nx; i += 1) {
        const brick = field.brickOf[i + nx * (j + ny * k)];
        const [x, y, z] = [i, j, k].map((cell, axis) => nodeCoordinate(field, axis, BRICK_CELLS * cell));
        if (brick >= 0) addBrick(sums, field, brick, x, y, z);
        else {
          const at = coarseNodeIndex(field, i, j, k);
          sums.addCell(field.coarse, at, coarseRow, coarseLayer, x, y, z, BRICK_CELLS * field.voxelSize);
        }
      }
    }
  }
  return sums.finish();
}

function addBrick(sums: MomentSums, field: DistanceField, brick: number, x: number, y: number, z: number): void {
  const h = field.voxelSize;
  const layer = BRICK_NODES * BRICK_NODES;
  for (let c = 0; c < BRICK_CELLS; c += 1) {
    for (let b = 0; b < BRICK_CELLS; b += 1) {
      for (let a = 0; a < BRICK_CELLS; a += 1) {
        const at = brick * BRICK_SIZE + a + BRICK_NODES * b + layer * c;
        sums.addCell(field.bricks, at, BRICK_NODES, layer, x + a * h, y + b * h, z + c * h, h);
      }
    }
  }
}

class MomentSums {
  private readonly origin: [number, number, number];
  private volume = 0;
  private readonly first: [number, number, number] = [0, 0, 0];
  private readonly second: [number, number, number, number, number, number] = [0, 0, 0, 0, 0, 0];

  constructor({ bounds }: DistanceField) {
    this.origin = [(bounds[0] + bounds[3]) / 2, (bounds[1] + bounds[4]) / 2, (bounds[2] + bounds[5]) / 2];
  }

  /** The cell with its lowest corner at (x, y, z), whose values start at `at`. */
  addCell(
    values: Float32Array,
    at: number,
    row: number,
    layer: number,
    x: number,
    y: number,
    z: number,
    side: number,
  ): void {
    const v000 = values[at];
    const v100 = values[at + 1];
    const v010 = values[at + row];
    const v110 = values[at + row + 1];
    const v001 = values[at + layer];
    const v101 = values[at + layer + 1];
    const v011 = values[at + layer + row];
    const v111 = values[at + layer + row + 1];
    const mean = (v000 + v100 + v010 + v110 + v001 + v101 + v011 + v111) / 8;
    if (mean > 2 * side) return;
    const gx = Math.abs(v100 + v110 + v101 + v111 - v000 - v010 - v001 - v011) / 4;
    const gy = Math.abs(v010 + v110 + v011 + v111 - v000 - v100 - v001 - v101) / 4;
    const gz = Math.abs(v001 + v101 + v011 + v111 - v000 - v100 - v010 - v110) / 4;
    const part = partBelowPlane(-mean, gx, gy, gz);
    if (part === 0) return;
    const v = part * cube(side);
    const cx = x + side / 2 - this.origin[0];
    const cy = y + side / 2 - this.origin[1];
    const cz = z + side / 2 - this.origin[2];
    // A cube's own second moment about its centre.
    const own = (v * side * side) / 12;
    this.volume += v;
    this.first[0] += v * cx;
    this.first[1] += v * cy;
    this.first[2] += v * cz;
    this.second[0] += v * cx * cx + own;
    this.second[1] += v * cy * cy + own;
    this.second[2] += v * cz * cz + own;
    this.second[3] += v * cx * cy;
    this.second[4] += v * cy * cz;
    this.second[5] += v * cz * cx;
  }

  finish(): SolidMoments {
    return { origin: this.origin, volume: this.volume, first: this.first, second: this.second };
  }
}

/**
 * Part of the unit cube around the origin where a·x + b·y + c·z < d, for slopes a, b, c ≥ 0: the distribution of the sum
 * of three uniform variables. The closed form cancels for small slopes, so these are raised to a thousandth of the
 * largest, which changes the part by less than that.
 */
function partBelowPlane(d: number, a: number, b: number, c: number): number {
  const half = (a + b + c) / 2;
  if (d >= half) return 1;
  if (d <= -half) return 0;
  const least = 1e-3 * Math.max(a, b, c);
  const p = Math.max(a, least);
  const q = Math.max(b, least);
  const r = Math.max(c, least);
  const t = Math.min(p + q + r, Math.max(0, d + (p + q + r) / 2));
  const cube = (s: number) => (s > 0 ? s * s * s : 0);
  const sum =
    cube(t) -
    cube(t - p) -
    cube(t - q) -
    cube(t - r) +
    cube(t - p - q) +
    cube(t - q - r) +
    cube(t - r - p) -
    cube(t - p - q - r);
  return Math.min(1, Math.max(0, sum / (6 * p * q * r)));
}
