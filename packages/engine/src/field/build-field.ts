import { PalpableError } from '../base/errors.js';
import { JobPool, type WorkerHost } from '../base/parallel.js';
import type { BuildHooks } from '../base/progress.js';
import { edgesAsMesh } from '../mesh/open-edges.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import { BRICK_RADIUS_VOXELS, brickCentreDistance, createBrickWorkspace } from './brick-distances.js';
import { extractCaps } from './cap-openings.js';
import {
  BRICK_CELLS,
  BRICK_SIZE,
  cellCount,
  coarseNodeCount,
  type DistanceField,
  type FieldGrid,
} from './distance-field.js';
import { type FieldJobContext, type FieldPiece, fieldJob } from './field-job.js';
import { cellsWithMixedCorners, joinLevels, neighboursAcrossMixedFaces, spreadSigns } from './join-levels.js';
import { closeWithLids, type LiddedMesh } from './lids.js';
import { keepOuterLids } from './outer-lids.js';
import { QUANTA_PER_VOXEL, quantize } from './pack-values.js';
import { buildTriangleTree, shareTree, type TriangleTree } from './triangle-tree.js';

/**
 * From a mesh to its `DistanceField`.
 *
 * 1. Lids over openings. 2. Distances at the coarse nodes. 3. Bricks near the surface. 4. For a mesh of loose pieces,
 * where lids do not work: bricks wherever the sign changes, the surface on which the winding number is 0.5, and again
 * what that surface is near to. 5. Signs of the coarse nodes, and the faces where both levels meet. The result does not
 * depend on the number of workers.
 */

/** Voxels along the longest side, of whoever does not say. */
export const DEFAULT_RESOLUTION = 128;

/** How finely a field is built, and where its zero surface is; lengths in metres. */
export interface FieldOptions {
  /** Voxels along the longest side of the mesh; 128 unless given. */
  readonly resolution?: number;
  /** Side of a voxel, metres, instead of a resolution. */
  readonly voxelSize?: number;
  /**
   * Puts the zero surface this far outside the mesh, metres. A sheet thinner than a voxel, or without any thickness,
   * becomes a plate that pushes out on both sides; at least one voxel is needed for that.
   */
  readonly offset?: number;
}

export interface FieldHooks extends BuildHooks {
  /** Workers to build on; without, everything runs on the calling thread. */
  readonly workers?: WorkerHost;
  /** Told once at the end. */
  readonly onStatistics?: (statistics: FieldStatistics) => void;
}

/** What building a field took. */
export interface FieldStatistics {
  /** Nodes whose distance was measured; the others of the bricks are interpolated from these. */
  readonly nodesComputed: number;
  /** Nodes that the field holds. */
  readonly nodesStored: number;
  /** Nodes that a full grid of the same resolution would have. */
  readonly nodesOfFullGrid: number;
  readonly bricks: number;
  /** Triangles put across openings. */
  readonly capTriangles: number;
}

/** Finest field that is accepted: the dense coarse level stays within about 100 MB. */
export const MAX_RESOLUTION = 2048;

/**
 * Nodes this near to the surface are exact. A point within three voxels has all corners of its voxel within
 * 3 + √3 voxels, so that its value depends on exact nodes alone.
 */
const BAND_VOXELS = 5;
/** Empty space around the mesh, so that the way into contact is covered. */
const PADDING_VOXELS = 2 * BRICK_CELLS;
/** Largest offset, in parts of the longest side. All bricks up to it are kept, so that a wrong unit would fill memory. */
const MAX_OFFSET = 0.25;
/** Cells handed to a worker at a time: some tens of milliseconds of work, or less where that would leave others idle. */
const MOST_CELLS_PER_PIECE = 128;
const LEAST_CELLS_PER_PIECE = 16;
const PIECES_WANTED = 32;

/**
 * Builds the signed distance field of a mesh, metres, negative inside. Runs on the workers of `hooks`, or in this
 * thread without them.
 */
export async function buildField(
  mesh: TriangleMesh,
  options: FieldOptions = {},
  hooks: FieldHooks = {},
): Promise<DistanceField> {
  if (mesh.triangles.length === 0) {
    throw new PalpableError('mesh-empty', 'The mesh has no triangles, so there is no distance to measure.');
  }
  const pool = new JobPool(hooks.workers);
  try {
    return await new FieldBuild(mesh, options, hooks, pool).run();
  } finally {
    pool.close();
  }
}

/** Bricks so far, by cell: their values and the most by which one of these may be too large. */
class BrickStore {
  readonly values = new Map<number, Float32Array>();
  private readonly errors = new Map<number, number>();

  add(cells: Int32Array, values: Float32Array, errors: Float32Array): void {
    cells.forEach((cell, index) => {
      this.values.set(cell, values.subarray(index * BRICK_SIZE, (index + 1) * BRICK_SIZE));
      this.errors.set(cell, errors[index]);
    });
  }

  /** The values and errors of some bricks that are there, one after the other. */
  take(cells: readonly number[]): { known: Float32Array; errors: Float32Array } {
    const known = new Float32Array(cells.length * BRICK_SIZE);
    cells.forEach((cell, index) => {
      known.set(this.values.get(cell)!, index * BRICK_SIZE);
    });
    return { known, errors: Float32Array.from(cells, (cell) => this.errors.get(cell)!) };
  }

  /** All bricks in the order of their cells, in one array. */
  pack(): { cells: Int32Array; values: Float32Array; errors: Float32Array } {
    const cells = Int32Array.from(this.values.keys()).sort();
    const values = new Float32Array(cells.length * BRICK_SIZE);
    const errors = Float32Array.from(cells, (cell) => this.errors.get(cell)!);
    cells.forEach((cell, index) => {
      values.set(this.values.get(cell)!, index * BRICK_SIZE);
      this.values.delete(cell);
    });
    return { cells, values, errors };
  }
}

class FieldBuild {
  private readonly hooks: FieldHooks;
  private readonly pool: JobPool;
  private readonly grid: FieldGrid;
  private readonly bounds: Float64Array;
  private readonly offset: number;
  private readonly store = new BrickStore();
  private context: FieldJobContext;
  private coarse: Float32Array = new Float32Array(0);
  private nodesComputed = 0;
  private progress = 0;
  private capTriangles = 0;

  constructor(mesh: TriangleMesh, options: FieldOptions, hooks: FieldHooks, pool: JobPool) {
    this.hooks = hooks;
    this.pool = pool;
    this.bounds = boundsOf(mesh);
    this.offset = checkedOffset(options);
    this.grid = layOutGrid(this.bounds, options, this.offset);
    const lidded = closeWithLids(mesh);
    this.capTriangles = lidded.lidTriangles;
    const trees = treesOf(mesh, lidded, this.grid.voxelSize);
    this.context = {
      grid: this.grid,
      ...trees,
      openEdges: lidded.openEdges.length > 0 ? shareTree(buildTriangleTree(edgesAsMesh(mesh, lidded.openEdges))) : null,
      caps: null,
      band: BAND_VOXELS * this.grid.voxelSize + this.offset,
      keepDistance: (BAND_VOXELS + Math.sqrt(3) / 2) * this.grid.voxelSize + this.offset,
    };
  }

  async run(): Promise<DistanceField> {
    const closed = this.context.openEdges === null;
    const last = closed ? 0.95 : 0.6;
    await this.computeCoarse(0, 0.1);
    await this.addBricks(this.cellsNearSurface(), false, 0.1, last);
    if (!closed) {
      await this.followSignChanges(last, 0.7);
      await this.coverOpenings(0.7, 0.95);
    }
    const { cells, values, errors } = this.store.pack();
    const coarse = this.coarse;
    const brickOf = new Int32Array(cellCount(this.grid)).fill(-1);
    cells.forEach((cell, brick) => {
      brickOf[cell] = brick;
    });
    spreadSigns(this.grid, coarse, brickOf, values);
    if (this.offset > 0) {
      for (let n = 0; n < values.length; n += 1) values[n] -= this.offset;
      for (let n = 0; n < coarse.length; n += 1) coarse[n] -= this.offset;
    }
    const quantum = this.grid.voxelSize / QUANTA_PER_VOXEL;
    quantize(coarse, quantum);
    const changes = joinLevels(this.grid, coarse, brickOf, values);
    quantize(values, quantum);
    this.report('done', 1);
    this.hooks.onStatistics?.({
      nodesComputed: this.nodesComputed,
      nodesStored: values.length + coarse.length,
      nodesOfFullGrid: this.grid.cells.reduce((product, n) => product * (n * BRICK_CELLS + 1), 1),
      bricks: cells.length,
      capTriangles: this.capTriangles,
    });
    return {
      ...this.grid,
      coarse,
      brickOf,
      bricks: values,
      // Rounded up, since a bound must not become smaller by being stored.
      brickErrors: errors.map((error, brick) => (error + changes[brick]) * (1 + 1e-6)),
      band: BAND_VOXELS * this.grid.voxelSize,
      offset: this.offset,
      closed,
      bounds: this.bounds,
    };
  }

  private async computeCoarse(from: number, to: number): Promise<void> {
    const layers = this.grid.cells[2] + 1;
    const thickness = Math.max(1, Math.ceil(layers / 64));
    const pieces: FieldPiece[] = [];
    for (let k = 0; k < layers; k += thickness) {
      pieces.push({ kind: 'coarse', from: k, to: Math.min(layers, k + thickness) });
    }
    const results = await this.runPieces('distances far from the surface', pieces, from, to);
    this.coarse = new Float32Array(coarseNodeCount(this.grid));
    let at = 0;
    for (const { values } of results) {
      this.coarse.set(values, at);
      at += values.length;
    }
    this.nodesComputed += at;
  }

  private addBricks(cells: readonly number[], forced: boolean, from: number, to: number): Promise<void> {
    const pieceOf = (part: number[]): FieldPiece => ({ kind: 'bricks', cells: Int32Array.from(part), forced });
    return this.takeBricks(this.clusters(cells).map(pieceOf), from, to);
  }

  /** Adds the caps to bricks that are there. */
  private coverBricks(cells: readonly number[], from: number, to: number): Promise<void> {
    const pieceOf = (part: number[]): FieldPiece => ({
      kind: 'cover',
      cells: Int32Array.from(part),
      ...this.store.take(part),
    });
    return this.takeBricks(this.clusters(cells).map(pieceOf), from, to);
  }

  private async takeBricks(pieces: readonly FieldPiece[], from: number, to: number): Promise<void> {
    for (const result of await this.runPieces('distances near the surface', pieces, from, to)) {
      this.store.add(result.cells, result.values, result.errors);
      this.nodesComputed += result.measured;
    }
  }

  private clusters(cells: readonly number[]): number[][] {
    const ordered = inClusters(cells, this.grid);
    const wanted = Math.ceil(cells.length / PIECES_WANTED);
    const size = Math.max(LEAST_CELLS_PER_PIECE, Math.min(wanted, MOST_CELLS_PER_PIECE));
    const count = Math.ceil(cells.length / size);
    return Array.from({ length: count }, (_, n) => ordered.slice(n * size, (n + 1) * size));
  }

  /** A brick for every cell in which the sign changes, followed from cell to cell until none is left. */
  private async followSignChanges(from: number, to: number): Promise<void> {
    let cells = cellsWithMixedCorners(this.grid, this.coarse, this.store.values);
    while (cells.length > 0) {
      await this.addBricks(cells, true, from, to);
      cells = neighboursAcrossMixedFaces(this.grid, this.store.values);
    }
  }

  /** Adds the surface across the openings and computes again what it is the nearest to. */
  private async coverOpenings(from: number, to: number): Promise<void> {
    const caps = extractCaps(this.grid, this.context.winding, this.store.values);
    if (caps.triangles.length === 0) return;
    this.capTriangles = caps.triangles.length / 3;
    const tree = shareTree(buildTriangleTree(caps));
    const known = [...this.store.values.keys()];
    this.context = { ...this.context, caps: tree };
    await this.computeCoarse(from, from + 0.1 * (to - from));
    const { changed, candidates } = this.cellsNearCaps(tree, known);
    const middle = from + 0.5 * (to - from);
    await this.coverBricks(changed, from + 0.1 * (to - from), middle);
    await this.addBricks(candidates, false, middle, to);
  }

  /** Cells whose distance to every corner leaves room for the surface to be within the keeping distance. */
  private cellsNearSurface(): number[] {
    const limit = this.context.keepDistance + 2 * BRICK_RADIUS_VOXELS * this.grid.voxelSize;
    const [nx, ny, nz] = this.grid.cells;
    const row = nx + 1;
    const layer = row * (ny + 1);
    const cells: number[] = [];
    for (let k = 0; k < nz; k += 1) {
      for (let j = 0; j < ny; j += 1) {
        for (let i = 0; i < nx; i += 1) {
          const at = i + row * j + layer * k;
          // Two opposite corners bound the distance well enough; the worker looks closer.
          if (Math.abs(this.coarse[at]) > limit || Math.abs(this.coarse[at + 1 + row + layer]) > limit) continue;
          cells.push(i + nx * (j + ny * k));
        }
      }
    }
    return cells;
  }

  /** Bricks that hold a node nearer to a cap than to the mesh, and cells without a brick that a cap comes near to. */
  private cellsNearCaps(caps: TriangleTree, known: readonly number[]): { changed: number[]; candidates: number[] } {
    const workspace = createBrickWorkspace(caps);
    const [nx, ny] = this.grid.cells;
    const radius = BRICK_RADIUS_VOXELS * this.grid.voxelSize;
    const centreDistance = (cell: number) => {
      const k = Math.floor(cell / (nx * ny));
      return brickCentreDistance(caps, workspace, this.grid, cell % nx, Math.floor(cell / nx) % ny, k);
    };
    const changed = known.filter((cell) => centreDistance(cell) - radius < largestOf(this.store.values.get(cell)!));
    const candidates = this.cellsNearSurface().filter((cell) => !this.store.values.has(cell));
    return { changed, candidates };
  }

  private runPieces(stage: string, pieces: readonly FieldPiece[], from: number, to: number) {
    this.report(stage, from);
    return this.pool.run(fieldJob, this.context, pieces, {
      signal: this.hooks.signal,
      onPiece: (finished, total) => this.report(stage, from + ((to - from) * finished) / total),
    });
  }

  /** Following the sign from cell to cell takes a number of rounds that nobody knows before; the bar waits meanwhile. */
  private report(stage: string, fraction: number): void {
    this.progress = Math.max(this.progress, fraction);
    this.hooks.onProgress?.(stage, this.progress);
  }
}

function largestOf(values: Float32Array): number {
  let largest = 0;
  for (let n = 0; n < values.length; n += 1) largest = Math.max(largest, Math.abs(values[n]));
  return largest;
}

function boundsOf(mesh: TriangleMesh): Float64Array {
  const bounds = new Float64Array(6).fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3);
  for (const vertex of mesh.triangles) {
    for (let axis = 0; axis < 3; axis += 1) {
      const value = mesh.positions[3 * vertex + axis];
      bounds[axis] = Math.min(bounds[axis], value);
      bounds[3 + axis] = Math.max(bounds[3 + axis], value);
    }
  }
  if (!bounds.every(Number.isFinite)) {
    throw new PalpableError(
      'mesh-invalid',
      'The mesh has a coordinate that is not a number: check the file it is from.',
    );
  }
  return bounds;
}

function checkedOffset(options: FieldOptions): number {
  const offset = options.offset ?? 0;
  if (!(offset >= 0 && Number.isFinite(offset))) {
    throw new PalpableError('option-invalid', `The field's offset is ${offset}, but must be 0 or more (metres).`);
  }
  return offset;
}

/** Chooses voxel size, origin and cells: the mesh in the middle, padding all round. */
function layOutGrid(bounds: Float64Array, options: FieldOptions, offset: number): FieldGrid {
  const sizes = [0, 1, 2].map((axis) => bounds[3 + axis] - bounds[axis]);
  const longest = Math.max(...sizes);
  if (!(longest > 0)) {
    throw new PalpableError('mesh-invalid', 'All vertices of the mesh are at one place: it has no size.');
  }
  if (offset > longest * MAX_OFFSET) {
    throw new PalpableError(
      'option-invalid',
      `The field's offset is ${offset} m, but the mesh is only ${longest} m long: at most a quarter of that is possible.`,
    );
  }
  const voxelSize = options.voxelSize ?? longest / (options.resolution ?? DEFAULT_RESOLUTION);
  const resolution = longest / voxelSize;
  if (!(resolution >= 1 && resolution <= MAX_RESOLUTION * 1.0001)) {
    throw new PalpableError(
      'option-invalid',
      `The field would have ${resolution} voxels along its longest side; between 1 and ${MAX_RESOLUTION} are possible.`,
    );
  }
  const cells = new Int32Array(3);
  const origin = new Float64Array(3);
  for (let axis = 0; axis < 3; axis += 1) {
    const voxels = sizes[axis] / voxelSize + 2 * (PADDING_VOXELS + offset / voxelSize);
    cells[axis] = Math.ceil(voxels / BRICK_CELLS - 1e-9);
    origin[axis] = 0.5 * (bounds[axis] + bounds[3 + axis] - cells[axis] * BRICK_CELLS * voxelSize);
  }
  return { voxelSize, origin, cells };
}

/**
 * The cells along a Z-order curve: those of a piece are next to each other, so that they share faces, and each comes
 * after those before it along x, y and z.
 */
function inClusters(cells: readonly number[], { cells: [nx, ny] }: FieldGrid): number[] {
  const place = new Float64Array(cells.length);
  cells.forEach((cell, n) => {
    const [i, j, k] = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    place[n] = spreadBits(i) + 2 * spreadBits(j) + 4 * spreadBits(k);
  });
  const order = Uint32Array.from(cells.keys()).sort((a, b) => place[a] - place[b]);
  return Array.from(order, (n) => cells[n]);
}

/** Every bit of a number below 1,024 to three times its place. */
function spreadBits(n: number): number {
  let spread = 0;
  for (let bit = 0, place = 1; bit < 10; bit += 1, place *= 8) spread += ((n >> bit) & 1) * place;
  return spread;
}

/** What signs depend on and what is measured: the same, but for lids inside of the solid. */
function treesOf(mesh: TriangleMesh, lidded: LiddedMesh, voxelSize: number) {
  const winding = shareTree(buildTriangleTree(lidded.mesh));
  if (lidded.lidTriangles === 0) return { winding, surface: winding };
  const outer = keepOuterLids(mesh, lidded.mesh, winding, 2 * voxelSize);
  return { winding, surface: shareTree(buildTriangleTree(outer)) };
}
