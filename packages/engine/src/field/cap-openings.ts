import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { BRICK_CELLS, brickNodeIndex, type FieldGrid, nodeCoordinate } from './distance-field.js';
import { createTreeWorkspace, windingNumber } from './tree-query.js';
import type { TriangleTree } from './triangle-tree.js';

/**
 * The surface that an open mesh lacks. The winding-number solid is bounded by the mesh and, across each opening, by the
 * surface on which the winding number is 0.5. Were only the mesh measured, the distance would jump from +d to −d there:
 * a wall without thickness, in which no force is defined and past which no sphere can be culled. So that part is
 * extracted (marching tetrahedra on the voxels whose sign changes although no triangle passes) and added to the
 * surface.
 */

/** Cells as six tetrahedra around the diagonal from corner 0 to corner 7; corner bits are x, y, z. */
const TETRAHEDRA = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const;

/** The missing surface as triangles; `bricks` are signed distances by coarse cell. */
export function extractCaps(
  grid: FieldGrid,
  surface: TriangleTree,
  bricks: ReadonlyMap<number, Float32Array>,
): TriangleMesh {
  const extractor = new CapExtractor(grid, surface);
  const [nx, ny] = grid.cells;
  for (const [cell, values] of bricks) {
    extractor.addBrick(
      values,
      BRICK_CELLS * (cell % nx),
      BRICK_CELLS * (Math.floor(cell / nx) % ny),
      BRICK_CELLS * Math.floor(cell / (nx * ny)),
    );
  }
  return extractor.finish();
}

/** True if the sign changes along a voxel edge that no triangle can cross. */
function isCapEdge(a: number, b: number, length: number): boolean {
  return a < 0 !== b < 0 && Math.abs(a) + Math.abs(b) > length * (1 + 1e-5);
}

class CapExtractor {
  private readonly grid: FieldGrid;
  private readonly surface: TriangleTree;
  private readonly workspace;
  private readonly positions: number[] = [];
  private readonly distance = new Float64Array(8);
  private readonly winding = new Float64Array(8);
  /** By node of the finest grid: up to eight cells ask for the same one. */
  private readonly windings = new Map<number, number>();

  constructor(grid: FieldGrid, surface: TriangleTree) {
    this.grid = grid;
    this.surface = surface;
    this.workspace = createTreeWorkspace(surface);
  }

  addBrick(values: Float32Array, bi: number, bj: number, bk: number): void {
    for (let k = 0; k < BRICK_CELLS; k += 1) {
      for (let j = 0; j < BRICK_CELLS; j += 1) {
        for (let i = 0; i < BRICK_CELLS; i += 1) {
          if (this.loadCell(values, i, j, k)) this.addCell(bi + i, bj + j, bk + k);
        }
      }
    }
  }

  finish(): TriangleMesh {
    const positions = Float64Array.from(this.positions);
    return { positions, triangles: Uint32Array.from({ length: positions.length / 3 }, (_, index) => index) };
  }

  /** Reads the eight corners; true if one of the cell's edges is crossed by the missing surface. */
  private loadCell(values: Float32Array, i: number, j: number, k: number): boolean {
    const d = this.distance;
    let negative = 0;
    for (let corner = 0; corner < 8; corner += 1) {
      d[corner] = values[brickNodeIndex(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2))];
      if (d[corner] < 0) negative += 1;
    }
    if (negative === 0 || negative === 8) return false;
    for (let corner = 0; corner < 8; corner += 1) {
      for (let bit = 1; bit < 8; bit <<= 1) {
        if (!(corner & bit) && isCapEdge(d[corner], d[corner | bit], this.grid.voxelSize)) return true;
      }
    }
    return false;
  }

  private addCell(i: number, j: number, k: number): void {
    for (let corner = 0; corner < 8; corner += 1) {
      this.winding[corner] = this.windingAt(i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2)) - 0.5;
    }
    for (const tetrahedron of TETRAHEDRA) this.addTetrahedron(tetrahedron, i, j, k);
  }

  private windingAt(i: number, j: number, k: number): number {
    const { grid } = this;
    const row = BRICK_CELLS * grid.cells[0] + 1;
    const node = i + row * (j + (BRICK_CELLS * grid.cells[1] + 1) * k);
    let winding = this.windings.get(node);
    if (winding === undefined) {
      const [x, y, z] = [nodeCoordinate(grid, 0, i), nodeCoordinate(grid, 1, j), nodeCoordinate(grid, 2, k)];
      winding = windingNumber(this.surface, this.workspace, x, y, z);
      this.windings.set(node, winding);
    }
    return winding;
  }

  /** One triangle where one corner is cut off, two where the corners part two and two. */
  private addTetrahedron(corners: readonly number[], i: number, j: number, k: number): void {
    const inside = corners.filter((corner) => this.winding[corner] > 0);
    const outside = corners.filter((corner) => this.winding[corner] <= 0);
    if (inside.length === 0 || outside.length === 0) return;
    // Where the mesh itself passes through the tetrahedron there is nothing to add.
    if (inside.some((a) => outside.some((b) => !this.isCrossedByCap(a, b)))) return;
    if (inside.length === 2) {
      const [a, b] = inside;
      const [c, d] = outside;
      this.addTriangle(i, j, k, [a, c], [a, d], [b, d]);
      this.addTriangle(i, j, k, [a, c], [b, d], [b, c]);
    } else {
      const [apex, others] = inside.length === 1 ? [inside[0], outside] : [outside[0], inside];
      this.addTriangle(i, j, k, [apex, others[0]], [apex, others[1]], [apex, others[2]]);
    }
  }

  private isCrossedByCap(a: number, b: number): boolean {
    const different = a ^ b;
    const length = Math.sqrt((different & 1) + ((different >> 1) & 1) + (different >> 2)) * this.grid.voxelSize;
    return isCapEdge(this.distance[a], this.distance[b], length);
  }

  private addTriangle(i: number, j: number, k: number, ...edges: readonly (readonly number[])[]): void {
    for (const [a, b] of edges) {
      const t = this.winding[a] / (this.winding[a] - this.winding[b]);
      this.positions.push(
        nodeCoordinate(this.grid, 0, i + (1 - t) * (a & 1) + t * (b & 1)),
        nodeCoordinate(this.grid, 1, j + (1 - t) * ((a >> 1) & 1) + t * ((b >> 1) & 1)),
        nodeCoordinate(this.grid, 2, k + (1 - t) * (a >> 2) + t * (b >> 2)),
      );
    }
  }
}
