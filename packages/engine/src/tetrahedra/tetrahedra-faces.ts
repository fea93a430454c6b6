import { UnionFind } from '../base/union-find.js';
import { sortByKey } from '../mesh/edge-table.js';
import { FACE_CORNERS, type TetrahedralMesh } from './tetrahedral-mesh.js';

/**
 * The triangles between elements, each with the sides on it. A side is named 4 × element + the corner opposite to it.
 * Made by three counting sorts: linear time, whatever the mesh.
 */
export interface FaceTable {
  readonly count: number;
  /** Sides sorted by the three nodes of their face. */
  readonly sides: Uint32Array;
  /** Face `f` owns `sides[starts[f]]` up to `sides[starts[f + 1]]`. */
  readonly starts: Uint32Array;
}

export function buildFaceTable({ positions, tetrahedra }: TetrahedralMesh): FaceTable {
  const total = tetrahedra.length;
  const lowest = new Uint32Array(total);
  const middle = new Uint32Array(total);
  const highest = new Uint32Array(total);
  const unsorted = new Uint32Array(total);
  for (let side = 0; side < total; side++) {
    const [i, j, k] = FACE_CORNERS[side & 3];
    const base = side & ~3;
    const a = tetrahedra[base + i];
    const b = tetrahedra[base + j];
    const c = tetrahedra[base + k];
    lowest[side] = Math.min(a, b, c);
    highest[side] = Math.max(a, b, c);
    middle[side] = a + b + c - lowest[side] - highest[side];
    unsorted[side] = side;
  }
  const nodes = positions.length / 3;
  const sides = sortByKey(sortByKey(sortByKey(unsorted, highest, nodes), middle, nodes), lowest, nodes);
  const starts = new Uint32Array(total + 1);
  let count = 0;
  for (let i = 0; i < total; i++) {
    const here = sides[i];
    const before = sides[i - 1];
    const same =
      i > 0 && lowest[here] === lowest[before] && middle[here] === middle[before] && highest[here] === highest[before];
    if (!same) starts[count++] = i;
  }
  starts[count] = total;
  return { count, sides, starts: starts.slice(0, count + 1) };
}

/**
 * For every element the number of its piece, counted from 0 in the order of their first elements. Elements hang together
 * over whole faces: what meets at a point or an edge only is a joint, about which the parts turn without any force.
 */
export function findPieces(mesh: TetrahedralMesh, faces = buildFaceTable(mesh)): { of: Uint32Array; count: number } {
  const elements = mesh.tetrahedra.length / 4;
  const sets = new UnionFind(elements);
  for (let face = 0; face < faces.count; face++) {
    const first = faces.sides[faces.starts[face]] >> 2;
    for (let i = faces.starts[face] + 1; i < faces.starts[face + 1]; i++) sets.join(first, faces.sides[i] >> 2);
  }
  const of = new Uint32Array(elements);
  let count = 0;
  for (let element = 0; element < elements; element++) {
    const root = sets.find(element);
    of[element] = root === element ? count++ : of[root];
  }
  return { of, count };
}
