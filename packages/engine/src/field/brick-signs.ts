import { BrickMemory } from './brick-memory.js';
import {
  BRICK_CELLS,
  BRICK_LAYER,
  BRICK_NODES,
  BRICK_SIZE,
  cellIndex,
  type FieldGrid,
  nodeCoordinate,
} from './distance-field.js';
import {
  COARSE_DIPOLES,
  createTreeWorkspace,
  FINE_DIPOLES,
  isWoundAround,
  nearestDistanceSquared,
  type TreeWorkspace,
  windingNumber,
} from './tree-query.js';
import type { TriangleTree } from './triangle-tree.js';

/**
 * Which nodes are inside, by winding number, with as few winding numbers as possible.
 *
 * Between two neighbouring nodes whose distances add up to more than the step between them no surface can pass: they
 * have the same sign. So the nodes of a brick fall into a few connected groups, and one winding number settles each, or
 * none, where a group reaches over into a brick before.
 *
 * With an open mesh the sign may also change where no surface is (in the plane of an opening, where the winding number
 * passes 0.5). It does so near open edges and where the winding number is far from whole; there every node is asked.
 */

/** What the sign of a surface depends on. */
export interface SignSource {
  /** What the winding number is taken of. */
  readonly winding: TriangleTree;
  /** The open edges as flat triangles; null for a closed surface. */
  readonly openEdges: TriangleTree | null;
}

/**
 * A flat face between two nodes makes their distances add up to the step exactly, and rounding must not lift the sum
 * above it: the whole brick would become one group.
 */
const STEP_SLACK = 1 + 1e-5;
/** Nodes nearer than this to the surface, in voxels, say nothing about the side of others. */
const ON_SURFACE = 0.01;
/** Winding numbers within this of 0.5 are asked for node by node. */
const DOUBTFUL = 0.35;
/**
 * Bricks with an open edge nearer than this to their centre are asked node by node. The winding number changes by about
 * step / (2π · distance to the edge), so that beyond this it cannot cross the doubtful range unseen within one brick.
 */
const OPEN_EDGE_REACH_VOXELS = 2 * BRICK_CELLS;

export class BrickSigner {
  private readonly source: SignSource;
  private readonly workspace: TreeWorkspace;
  private readonly edgeWorkspace: TreeWorkspace | undefined;
  private readonly group = new Int16Array(BRICK_SIZE);
  private readonly queue = new Int16Array(BRICK_SIZE);
  /** Bricks signed since the last `forget`, by cell. */
  private readonly signed = new BrickMemory();
  /** Of the brick being signed: those before it along x, y and z, which share its lower faces, as far as they are known. */
  private readonly before: (Float64Array | undefined)[] = [undefined, undefined, undefined];

  constructor(source: SignSource) {
    this.source = source;
    this.workspace = createTreeWorkspace(source.winding);
    this.edgeWorkspace = source.openEdges ? createTreeWorkspace(source.openEdges) : undefined;
  }

  /** What follows must not depend on what was signed before. */
  forget(): void {
    this.signed.clear();
  }

  /** Turns unsigned distances into signed ones, negative inside. */
  sign(values: Float64Array, grid: FieldGrid, ci: number, cj: number, ck: number): void {
    const { before, signed } = this;
    before[0] = ci > 0 ? signed.get(cellIndex(grid, ci - 1, cj, ck)) : undefined;
    before[1] = cj > 0 ? signed.get(cellIndex(grid, ci, cj - 1, ck)) : undefined;
    before[2] = ck > 0 ? signed.get(cellIndex(grid, ci, cj, ck - 1)) : undefined;
    const [bi, bj, bk] = [BRICK_CELLS * ci, BRICK_CELLS * cj, BRICK_CELLS * ck];
    if (this.isNearOpenEdge(grid, bi, bj, bk)) this.signNodes(values, grid, bi, bj, bk);
    else this.signGroups(values, grid, bi, bj, bk);
    signed.keep(cellIndex(grid, ci, cj, ck), values);
  }

  /** Node by node, but for those on faces that have been signed. */
  private signNodes(values: Float64Array, grid: FieldGrid, bi: number, bj: number, bk: number): void {
    for (let node = 0; node < BRICK_SIZE; node += 1) {
      const known = this.knownAt(node);
      if (known === undefined) this.signNode(values, grid, bi, bj, bk, node);
      else if (known < 0 || Object.is(known, -0)) values[node] = -values[node];
    }
  }

  private signGroups(values: Float64Array, grid: FieldGrid, bi: number, bj: number, bk: number): void {
    const visited = this.group.fill(0);
    for (let start = 0; start < BRICK_SIZE; start += 1) {
      if (visited[start]) continue;
      const size = this.collectGroup(values, grid.voxelSize, start);
      const known = this.source.openEdges ? 0 : this.signOfGroup(values, grid.voxelSize, size);
      if (known === 0) this.signGroup(values, grid, bi, bj, bk, size);
      else if (known < 0) this.negate(values, size);
    }
  }

  /** What a brick before this one says of a node on a common face. */
  private knownAt(node: number): number | undefined {
    const { before } = this;
    if (before[0] && node % BRICK_NODES === 0) return before[0][node + BRICK_CELLS];
    if (before[1] && node % BRICK_LAYER < BRICK_NODES) return before[1][node + BRICK_CELLS * BRICK_NODES];
    if (before[2] && node < BRICK_LAYER) return before[2][node + BRICK_CELLS * BRICK_LAYER];
    return undefined;
  }

  /** The sign of the group in `queue`, if it holds a node of a face shared with a brick before, else 0. */
  private signOfGroup(values: Float64Array, step: number, size: number): number {
    for (let n = 0; n < size; n += 1) {
      const node = this.queue[n];
      // On the surface itself a sign means nothing.
      if (values[node] <= ON_SURFACE * step) continue;
      const known = this.knownAt(node);
      if (known !== undefined) return Math.sign(known);
    }
    return 0;
  }

  private negate(values: Float64Array, size: number): void {
    for (let n = 0; n < size; n += 1) values[this.queue[n]] = -values[this.queue[n]];
  }

  /** Sign of any point of space: true inside. */
  isInside(x: number, y: number, z: number): boolean {
    return isWoundAround(this.source.winding, this.workspace, x, y, z);
  }

  private isNearOpenEdge(grid: FieldGrid, bi: number, bj: number, bk: number): boolean {
    if (!this.source.openEdges) return false;
    const half = BRICK_CELLS / 2;
    const reach = OPEN_EDGE_REACH_VOXELS * grid.voxelSize;
    const squared = nearestDistanceSquared(
      this.source.openEdges,
      this.edgeWorkspace!,
      nodeCoordinate(grid, 0, bi + half),
      nodeCoordinate(grid, 1, bj + half),
      nodeCoordinate(grid, 2, bk + half),
      reach * reach,
    );
    return squared < reach * reach;
  }

  /** Fills `queue` with the nodes that share the sign of `start` for certain, and gives their number. */
  private collectGroup(values: Float64Array, step: number, start: number): number {
    const { group: visited, queue } = this;
    const limit = step * STEP_SLACK;
    let size = 1;
    queue[0] = start;
    visited[start] = 1;
    for (let head = 0; head < size; head += 1) {
      const node = queue[head];
      const needed = limit - values[node];
      for (let at = 6 * node; at < 6 * node + 6; at += 1) {
        const neighbour = NEIGHBOURS[at];
        if (visited[neighbour] || values[neighbour] <= needed) continue;
        visited[neighbour] = 1;
        queue[size] = neighbour;
        size += 1;
      }
    }
    return size;
  }

  /** Asks at the node furthest from the surface, where rounding matters least. */
  private signGroup(values: Float64Array, grid: FieldGrid, bi: number, bj: number, bk: number, size: number): void {
    const { queue } = this;
    let furthest = queue[0];
    for (let n = 1; n < size; n += 1) if (values[queue[n]] > values[furthest]) furthest = queue[n];
    const [i, j, k] = placeInBrick(furthest);
    const [x, y, z] = [
      nodeCoordinate(grid, 0, bi + i),
      nodeCoordinate(grid, 1, bj + j),
      nodeCoordinate(grid, 2, bk + k),
    ];
    if (!this.source.openEdges && values[furthest] > ON_SURFACE * grid.voxelSize) {
      if (this.isInside(x, y, z)) this.negate(values, size);
      return;
    }
    const dipoles = this.source.openEdges ? FINE_DIPOLES : COARSE_DIPOLES;
    const winding = windingNumber(this.source.winding, this.workspace, x, y, z, dipoles);
    if (this.source.openEdges && Math.abs(winding - 0.5) < DOUBTFUL) {
      for (let n = 0; n < size; n += 1) this.signNode(values, grid, bi, bj, bk, queue[n]);
    } else if (winding > 0.5) {
      this.negate(values, size);
    }
  }

  private signNode(values: Float64Array, grid: FieldGrid, bi: number, bj: number, bk: number, node: number): void {
    const [i, j, k] = placeInBrick(node);
    const isInside = this.isInside(
      nodeCoordinate(grid, 0, bi + i),
      nodeCoordinate(grid, 1, bj + j),
      nodeCoordinate(grid, 2, bk + k),
    );
    if (isInside) values[node] = -values[node];
  }
}

/** Six per node; at the border of the brick the node itself, which is visited already. */
const NEIGHBOURS = neighboursOfNodes();

function neighboursOfNodes(): Uint16Array {
  const neighbours = new Uint16Array(6 * BRICK_SIZE);
  for (let node = 0; node < BRICK_SIZE; node += 1) {
    const place = placeInBrick(node);
    for (let axis = 0; axis < 3; axis += 1) {
      const step = [1, BRICK_NODES, BRICK_LAYER][axis];
      neighbours[6 * node + 2 * axis] = place[axis] > 0 ? node - step : node;
      neighbours[6 * node + 2 * axis + 1] = place[axis] < BRICK_NODES - 1 ? node + step : node;
    }
  }
  return neighbours;
}

function placeInBrick(node: number): [number, number, number] {
  return [node % BRICK_NODES, Math.floor(node / BRICK_NODES) % BRICK_NODES, Math.floor(node / BRICK_LAYER)];
}
