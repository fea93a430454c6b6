import type { Job } from '../base/parallel.js';
import {
  BRICK_RADIUS_VOXELS,
  type BrickWorkspace,
  brickCentreDistance,
  brickDistances,
  createBrickWorkspace,
  forgetBricks,
} from './brick-distances.js';
import { BrickSigner, type SignSource } from './brick-signs.js';
import { BRICK_CELLS, BRICK_SIZE, coarseNodeIndex, type FieldGrid, nodeCoordinate } from './distance-field.js';
import { nearestDistanceSquared } from './tree-query.js';
import type { TriangleTree } from './triangle-tree.js';

/** The pieces of building a field that run on workers. */

export interface FieldJobContext extends SignSource {
  readonly grid: FieldGrid;
  /** What distances are measured to. */
  readonly surface: TriangleTree;
  /** Surfaces put across openings, which count for the distance; null while there are none. */
  readonly caps: TriangleTree | null;
  /** Nodes nearer than this to the surface are exact, metres. */
  readonly band: number;
  /** A brick is kept if one of its nodes is this near to the surface. */
  readonly keepDistance: number;
}

export type FieldPiece =
  /** Distances of the coarse nodes in the layers `from … to − 1`: signed for an open mesh, unsigned for a closed one. */
  | { readonly kind: 'coarse'; readonly from: number; readonly to: number }
  /** Bricks of the given coarse cells: those near the surface, or all if `forced`. */
  | { readonly kind: 'bricks'; readonly cells: Int32Array; readonly forced: boolean }
  /** Bricks from before the openings were covered, one after the other, and their errors: the caps are added. */
  | {
      readonly kind: 'cover';
      readonly cells: Int32Array;
      readonly known: Float32Array;
      readonly errors: Float32Array;
    };

export interface FieldPieceResult {
  /** For bricks: the cells that were kept. */
  readonly cells: Int32Array;
  readonly values: Float32Array;
  /** For bricks: the most by which a value of each may be too large. */
  readonly errors: Float32Array;
  /** Nodes whose distance was measured. */
  readonly measured: number;
}

export const fieldJob: Job<FieldJobContext, FieldPiece, FieldPieceResult> = {
  name: 'field',
  open(context) {
    const worker = new FieldWorker(context);
    return (piece) => {
      if (piece.kind === 'coarse') return worker.coarse(piece.from, piece.to);
      return piece.kind === 'bricks' ? worker.bricks(piece) : worker.cover(piece);
    };
  },
  transfer(result) {
    return [result.values, result.cells, result.errors].map(({ buffer }) => buffer as ArrayBuffer);
  },
};

/** On the surface itself the sign is that of the zero. */
function isNegative(value: number): boolean {
  return value < 0 || Object.is(value, -0);
}

/** Instead of a brick's error. */
const NOT_KEPT = -1;

class FieldWorker {
  private readonly context: FieldJobContext;
  private readonly signer: BrickSigner;
  private readonly surface: BrickWorkspace;
  private readonly caps: BrickWorkspace | undefined;
  private readonly values = new Float64Array(BRICK_SIZE);
  private readonly capValues = new Float64Array(BRICK_SIZE);

  constructor(context: FieldJobContext) {
    this.context = context;
    this.signer = new BrickSigner(context);
    this.surface = createBrickWorkspace(context.surface);
    this.caps = context.caps ? createBrickWorkspace(context.caps) : undefined;
  }

  coarse(from: number, to: number): FieldPieceResult {
    const { grid, openEdges } = this.context;
    const nx = grid.cells[0] + 1;
    const ny = grid.cells[1] + 1;
    const values = new Float32Array(nx * ny * (to - from));
    const start = coarseNodeIndex(grid, 0, 0, from);
    const step = BRICK_CELLS * grid.voxelSize;
    for (let k = from; k < to; k += 1) {
      const z = nodeCoordinate(grid, 2, BRICK_CELLS * k);
      for (let j = 0; j < ny; j += 1) {
        const y = nodeCoordinate(grid, 1, BRICK_CELLS * j);
        let previous = Number.POSITIVE_INFINITY;
        for (let i = 0; i < nx; i += 1) {
          const x = nodeCoordinate(grid, 0, BRICK_CELLS * i);
          // The distance changes by no more than the step: a tight bound that spares most of the walk.
          previous = this.distance(x, y, z, previous + step * (1 + 1e-6));
          const inside = openEdges !== null && this.signer.isInside(x, y, z);
          values[coarseNodeIndex(grid, i, j, k) - start] = inside ? -previous : previous;
        }
      }
    }
    return { cells: new Int32Array(0), values, errors: new Float32Array(0), measured: values.length };
  }

  bricks(piece: Extract<FieldPiece, { kind: 'bricks' }>): FieldPieceResult {
    const { grid, keepDistance } = this.context;
    const [nx, ny] = grid.cells;
    const kept: number[] = [];
    const errors: number[] = [];
    const values = new Float32Array(piece.cells.length * BRICK_SIZE);
    this.forget();
    for (const cell of piece.cells) {
      const i = cell % nx;
      const j = Math.floor(cell / nx) % ny;
      const k = Math.floor(cell / (nx * ny));
      const error = this.fill(i, j, k, piece.forced ? Number.POSITIVE_INFINITY : keepDistance);
      if (error === NOT_KEPT) continue;
      this.signer.sign(this.values, grid, i, j, k);
      values.set(this.values, kept.length * BRICK_SIZE);
      kept.push(cell);
      errors.push(error);
    }
    return {
      cells: Int32Array.from(kept),
      values: values.slice(0, kept.length * BRICK_SIZE),
      errors: Float32Array.from(errors),
      measured: this.takeMeasured(),
    };
  }

  /** Signs follow from the winding number alone, so that they are as they were. */
  cover({ cells, known, errors }: Extract<FieldPiece, { kind: 'cover' }>): FieldPieceResult {
    const { grid, caps, band } = this.context;
    const [nx, ny] = grid.cells;
    const values = known.slice();
    const newErrors = errors.slice();
    this.forget();
    cells.forEach((cell, index) => {
      const i = cell % nx;
      const j = Math.floor(cell / nx) % ny;
      const k = Math.floor(cell / (nx * ny));
      const centre = brickCentreDistance(caps!, this.caps!, grid, i, j, k);
      const error = brickDistances(this.capValues, caps!, this.caps!, grid, i, j, k, centre, band);
      newErrors[index] = Math.max(errors[index], error);
      for (let node = 0, at = index * BRICK_SIZE; node < BRICK_SIZE; node += 1, at += 1) {
        if (this.capValues[node] >= Math.abs(values[at])) continue;
        values[at] = isNegative(values[at]) ? -this.capValues[node] : this.capValues[node];
      }
    });
    return { cells, values, errors: newErrors, measured: this.takeMeasured() };
  }

  /** Pieces go to whichever worker is free: none may see what another has left. */
  private forget(): void {
    this.signer.forget();
    forgetBricks(this.surface);
    if (this.caps) forgetBricks(this.caps);
  }

  private takeMeasured(): number {
    const measured = this.surface.measured + (this.caps?.measured ?? 0);
    this.surface.measured = 0;
    if (this.caps) this.caps.measured = 0;
    return measured;
  }

  /** Unsigned distances of a brick to surface and caps; gives their error, or that no node is within `limit`. */
  private fill(i: number, j: number, k: number, limit: number): number {
    const { grid, surface, caps, band } = this.context;
    const radius = BRICK_RADIUS_VOXELS * grid.voxelSize;
    const surfaceCentre = brickCentreDistance(surface, this.surface, grid, i, j, k);
    const capCentre = caps ? brickCentreDistance(caps, this.caps!, grid, i, j, k) : Number.POSITIVE_INFINITY;
    if (Math.min(surfaceCentre, capCentre) > limit + radius) return NOT_KEPT;
    let error = brickDistances(this.values, surface, this.surface, grid, i, j, k, surfaceCentre, band);
    if (caps && capCentre < surfaceCentre + 2 * radius) {
      error = Math.max(error, brickDistances(this.capValues, caps, this.caps!, grid, i, j, k, capCentre, band));
      for (let node = 0; node < BRICK_SIZE; node += 1) {
        if (this.capValues[node] < this.values[node]) this.values[node] = this.capValues[node];
      }
    }
    return this.values.some((distance) => distance <= limit) ? error : NOT_KEPT;
  }

  private distance(x: number, y: number, z: number, bound: number): number {
    const { surface, caps } = this.context;
    let squared = nearestDistanceSquared(surface, this.surface.tree, x, y, z, bound * bound);
    if (caps) squared = nearestDistanceSquared(caps, this.caps!.tree, x, y, z, squared);
    return Math.sqrt(squared);
  }
}
