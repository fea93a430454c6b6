import type { ContactSet } from './contact-set.js';

/** How far the gradient's length may be from 1 and still say all about direction, and where it says nothing. */
const SMOOTH_GRADIENT = 0.002;
const ROUGH_GRADIENT = 0.01;

/** Turns the normals of contacts `first` to `end` into their smooth ones, in place. Unit vectors, world frame. */
export function takeSmoothNormals(set: ContactSet, first: number, end: number): void {
  for (let c = first; c < end; c += 1) writeSmoothNormal(set.normal, 3 * c, set, c, 1);
}

/**
 * The direction in which contact c pushes the tool, into `out` from `at` on: the gradient of the distance where that is
 * smooth, its length 1. It is what the depth changes along, and unlike the shell's normal it stays where it is when the
 * body with the shell tilts. At edges of the field, where the gradient turns within a voxel and would catch on points
 * that slide by, and where it leads out on the other side of something thin, it is the shell's normal. `most`, up to 1,
 * is how much the gradient may count. Unit vector, world frame.
 */
export function writeSmoothNormal(out: Float64Array, at: number, set: ContactSet, c: number, most: number): void {
  const { normal, gradient } = set;
  const o = 3 * c;
  const gx = gradient[o];
  const gy = gradient[o + 1];
  const gz = gradient[o + 2];
  const along = gx * normal[o] + gy * normal[o + 1] + gz * normal[o + 2];
  const off = Math.abs(Math.sqrt(gx * gx + gy * gy + gz * gz) - 1);
  const part = Math.min(1, most, (ROUGH_GRADIENT - off) / (ROUGH_GRADIENT - SMOOTH_GRADIENT));
  const smooth = along > 0 && part > 0 ? part : 0;
  const rough = 1 - smooth;
  const x = smooth * gx + rough * normal[o];
  const y = smooth * gy + rough * normal[o + 1];
  const z = smooth * gz + rough * normal[o + 2];
  const unit = smooth > 0 ? 1 / Math.sqrt(x * x + y * y + z * z) : 1;
  out[at] = x * unit;
  out[at + 1] = y * unit;
  out[at + 2] = z * unit;
}
