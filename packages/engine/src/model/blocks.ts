import { GrowableFloat64, GrowableUint32 } from '../mesh/growable.js';
import { createMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { weldMesh } from '../mesh/weld.js';

/**
 * A solid of axis-aligned cells, for shapes whose faces must lie exactly where they are asked for.
 *
 * `lines` are the coordinates (metres, rising) at which space is cut along x, y and z; `isSolid` says which of the cells
 * between them are filled. Every face between a filled and an empty cell becomes two triangles: closed, outward, without
 * T-junctions, and manifold as long as no two filled cells touch in an edge or a corner only.
 */
export function createBlocks(
  lines: readonly [readonly number[], readonly number[], readonly number[]],
  isSolid: (i: number, j: number, k: number) => boolean,
): TriangleMesh {
  const cells = lines.map((values) => values.length - 1);
  const filled = (cell: readonly number[]) =>
    cell.every((index, axis) => index >= 0 && index < cells[axis]) && isSolid(cell[0], cell[1], cell[2]);
  const positions = new GrowableFloat64();
  const triangles = new GrowableUint32();
  for (let k = 0; k < cells[2]; k++) {
    for (let j = 0; j < cells[1]; j++) {
      for (let i = 0; i < cells[0]; i++) {
        if (!filled([i, j, k])) continue;
        for (let axis = 0; axis < 3; axis++) {
          for (const side of [0, 1] as const) {
            const neighbour = [i, j, k];
            neighbour[axis] += 2 * side - 1;
            if (!filled(neighbour)) addFace(positions, triangles, lines, [i, j, k], axis, side);
          }
        }
      }
    }
  }
  return weldMesh(createMesh(positions.take(), triangles.take()));
}

/** The lower (side 0) or upper (side 1) face of a cell across an axis, counter-clockwise seen from outside the cell. */
function addFace(
  positions: GrowableFloat64,
  triangles: GrowableUint32,
  lines: readonly (readonly number[])[],
  cell: readonly number[],
  axis: number,
  side: 0 | 1,
): void {
  const first = positions.length / 3;
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const around = side === 1 ? FROM_ABOVE : FROM_BELOW;
  for (const [stepU, stepV] of around) {
    const corner = [...cell];
    corner[axis] += side;
    corner[u] += stepU;
    corner[v] += stepV;
    positions.push3(lines[0][corner[0]], lines[1][corner[1]], lines[2][corner[2]]);
  }
  triangles.push3(first, first + 1, first + 2);
  triangles.push3(first, first + 2, first + 3);
}

const FROM_ABOVE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;

const FROM_BELOW = [
  [0, 0],
  [0, 1],
  [1, 1],
  [1, 0],
] as const;
