import { cosOf } from '../math/portable.js';
import { dot } from '../math/vectors.js';
import { PointGrid } from './point-grid.js';
import type { PointShell } from './point-shell.js';

/** How far neighbours may be, in spacings. */
const NEAR = 2;
/** Between 0.5° and 30° the normals of neighbours differ on a curved surface: below it is flat, above it has an edge. */
const FLAT = cosOf(Math.PI / 360);
const EDGE = cosOf(Math.PI / 6);

const known = new WeakMap<PointShell, Uint8Array>();

/** By point of the shell: 1 where the surface around it is flat, up to the edges that bound it; 0 on edges and corners. */
export function flatPoints(shell: PointShell): Uint8Array {
  const before = known.get(shell);
  if (before) return before;
  const { count, points, normals, cone, spacing } = shell;
  const flat = new Uint8Array(count);
  const faces = Uint32Array.from(cone.keys()).filter((point) => cone[point] === 1);
  const grid = new PointGrid(points, faces, NEAR * spacing);
  for (const point of faces) {
    const found = grid.collect(points[3 * point], points[3 * point + 1], points[3 * point + 2]);
    let isFlat = found > 1;
    for (let i = 0; i < found && isFlat; i += 1) {
      const along = dot(normals, 3 * point, normals, 3 * grid.found[i]);
      isFlat = along >= FLAT || along <= EDGE;
    }
    if (isFlat) flat[point] = 1;
  }
  known.set(shell, flat);
  return flat;
}

/** Says of a shell that was extended by points on flat faces what is known of it. */
export function markFlatPoints(extended: PointShell, shell: PointShell): void {
  const flat = new Uint8Array(extended.count).fill(1);
  flat.set(flatPoints(shell));
  known.set(extended, flat);
}
