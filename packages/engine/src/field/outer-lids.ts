import { length3, lengthOf } from '../math/portable.js';
import { type TriangleMesh, triangleCount, vertexCount } from '../mesh/triangle-mesh.js';
import { createTreeWorkspace, isWoundAround, type TreeWorkspace } from './tree-query.js';
import type { TriangleTree } from './triangle-tree.js';

/**
 * The lids as a hand could touch them: without those parts that lie inside of the solid, where another part of the mesh
 * already covers the opening (the open end of a spout within the pot). Such a part belongs to the winding number, but
 * not to the surface: as a surface it would be a wall inside of the solid.
 *
 * Lids are split where they pass from outside to inside, down to `pieceSize`; a piece that is not inside as a whole
 * stays.
 */
export function keepOuterLids(
  mesh: TriangleMesh,
  lidded: TriangleMesh,
  winding: TriangleTree,
  pieceSize: number,
): TriangleMesh {
  const splitter = new LidSplitter(winding, pieceSize);
  for (let t = triangleCount(mesh); t < triangleCount(lidded); t += 1) {
    splitter.add(
      [...lidded.triangles.subarray(3 * t, 3 * t + 3)].flatMap((v) => cornerOf(lidded, v)),
      FIRST_SPLITS,
    );
  }
  const positions = new Float64Array(mesh.positions.length + splitter.kept.length);
  positions.set(mesh.positions);
  positions.set(splitter.kept, mesh.positions.length);
  const triangles = new Uint32Array(mesh.triangles.length + splitter.kept.length / 3);
  triangles.set(mesh.triangles);
  for (let n = mesh.triangles.length; n < triangles.length; n += 1) {
    triangles[n] = vertexCount(mesh) + n - mesh.triangles.length;
  }
  return { positions, triangles };
}

/** Every lid triangle is split so often before it is judged, so that nothing small hides between the points asked. */
const FIRST_SPLITS = 2;
/** Where to ask: near the corners, near the middles of the edges, in the middle. */
const SAMPLES = [
  [0.9, 0.05, 0.05],
  [0.05, 0.9, 0.05],
  [0.05, 0.05, 0.9],
  [0.48, 0.48, 0.04],
  [0.48, 0.04, 0.48],
  [0.04, 0.48, 0.48],
  [1 / 3, 1 / 3, 1 / 3],
] as const;

class LidSplitter {
  /** Nine numbers per triangle. */
  readonly kept: number[] = [];
  private readonly winding: TriangleTree;
  private readonly workspace: TreeWorkspace;
  private readonly pieceSize: number;

  constructor(winding: TriangleTree, pieceSize: number) {
    this.winding = winding;
    this.workspace = createTreeWorkspace(winding);
    this.pieceSize = pieceSize;
  }

  /** `c` is nine numbers; `splits` is how often it has to be split at least. */
  add(c: readonly number[], splits: number): void {
    if (splits > 0) {
      this.split(c, splits - 1);
      return;
    }
    const first = this.isInsideOnBothSides(c, SAMPLES[0]);
    const isSmall = longestEdge(c) <= this.pieceSize;
    // Winding numbers are what takes the time: of a small piece outside, one is enough.
    const isMixed =
      (first || !isSmall) && SAMPLES.some((weights, n) => n > 0 && this.isInsideOnBothSides(c, weights) !== first);
    if (isMixed && !isSmall) this.split(c, 0);
    else if (isMixed || !first) this.kept.push(...c);
  }

  private split(c: readonly number[], splits: number): void {
    const [a, b, d] = [c.slice(0, 3), c.slice(3, 6), c.slice(6, 9)];
    const [ab, bd, da] = [middle(a, b), middle(b, d), middle(d, a)];
    for (const piece of [
      [a, ab, da],
      [ab, b, bd],
      [da, bd, d],
      [ab, bd, da],
    ])
      this.add(piece.flat(), splits);
  }

  private isInsideOnBothSides(c: readonly number[], [u, v, w]: (typeof SAMPLES)[number]): boolean {
    const [x, y, z] = [0, 1, 2].map((axis) => u * c[axis] + v * c[3 + axis] + w * c[6 + axis]);
    const [nx, ny, nz] = unitNormal(c).map((component) => 0.05 * this.pieceSize * component);
    return this.isInside(x + nx, y + ny, z + nz) && this.isInside(x - nx, y - ny, z - nz);
  }

  private isInside(x: number, y: number, z: number): boolean {
    return isWoundAround(this.winding, this.workspace, x, y, z);
  }
}

function cornerOf({ positions }: TriangleMesh, vertex: number): number[] {
  return [...positions.subarray(3 * vertex, 3 * vertex + 3)];
}

function middle(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, axis) => (value + b[axis]) / 2);
}

function longestEdge(c: readonly number[]): number {
  const edge = (from: number, to: number) => length3(c[to] - c[from], c[to + 1] - c[from + 1], c[to + 2] - c[from + 2]);
  return Math.max(edge(0, 3), edge(3, 6), edge(6, 0));
}

function unitNormal(c: readonly number[]): number[] {
  const [abx, aby, abz] = [c[3] - c[0], c[4] - c[1], c[5] - c[2]];
  const [acx, acy, acz] = [c[6] - c[0], c[7] - c[1], c[8] - c[2]];
  const normal = [aby * acz - abz * acy, abz * acx - abx * acz, abx * acy - aby * acx];
  const length = lengthOf(normal);
  return length > 0 ? normal.map((component) => component / length) : [0, 0, 0];
}
