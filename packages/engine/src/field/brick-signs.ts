import {
  BRICK_CELLS,
  BRICK_LAYER,
  BRICK_NODES,
  BRICK_SIZE,
  brickNodeIndex,
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
 * none, where a group reaches over into the brick before.
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
  /** The brick signed last, whose upper face along x is the lower face of the next one. */
  private readonly last = { values: new Float64Array(BRICK_SIZE), ci: -1, cj: -1, ck: -1 };

  constructor(source: SignSource) {
    this.source = source;
    this.workspace = createTreeWorkspace(source.winding);
    this.edgeWorkspace = source.openEdges ? createTreeWorkspace(source.openEdges) : undefined;
  }

  /**
   * Turns unsigned distances into signed ones, negative inside. `known` are signed distances of the same brick to less
   * of the surface: near an open edge signs follow from the winding number alone, so that they are as they were.
   */
  sign(values: Float64Array, grid: FieldGrid, ci: number, cj: number, ck: number, known?: Float32Array): void {
    const bi = BRICK_CELLS * ci;
    const bj = BRICK_CELLS * cj;
    const bk = BRICK_CELLS * ck;
    if (this.isNearOpenEdge(grid, bi, bj, bk)) {
      if (known) takeSigns(values, known);
      else for (let node = 0; node < BRICK_SIZE; node += 1) this.signNode(values, grid, bi, bj, bk, node);
      return;
    }
    const { last } = this;
    const followsLast = !this.source.openEdges && last.ci === ci - 1 && last.cj === cj && last.ck === ck;
    const visited = this.group.fill(0);
    for (let start = 0; start < BRICK_SIZE; start += 1) {
      if (visited[start]) continue;
      const size = this.collectGroup(values, grid.voxelSize, start);
      const known = followsLast ? this.signFromLast(values, grid.voxelSize, size) : 0;
      if (known === 0) this.signGroup(values, grid, bi, bj, bk, size);
      else if (known < 0) this.negate(values, size);
    }
    last.values.set(values);
    last.ci = ci;
    last.cj = cj;
    last.ck = ck;
  }

  /** The sign of the group in `queue`, if it holds a node of the face shared with the last brick, else 0. */
  private signFromLast(values: Float64Array, step: number, size: number): number {
    for (let n = 0; n < size; n += 1) {
      const node = this.queue[n];
      // On the surface itself a sign means nothing.
      if (node % BRICK_NODES === 0 && values[node] > 0.01 * step)
        return Math.sign(this.last.values[node + BRICK_CELLS]);
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
    const last = BRICK_NODES - 1;
    let size = 1;
    queue[0] = start;
    visited[start] = 1;
    const limit = step * STEP_SLACK;
    const reach = (from: number, to: number) => {
      if (visited[to] || values[from] + values[to] <= limit) return;
      visited[to] = 1;
      queue[size] = to;
      size += 1;
    };
    for (let head = 0; head < size; head += 1) {
      const node = queue[head];
      const i = node % BRICK_NODES;
      const j = Math.floor(node / BRICK_NODES) % BRICK_NODES;
      const k = Math.floor(node / BRICK_LAYER);
      if (i > 0) reach(node, brickNodeIndex(i - 1, j, k));
      if (i < last) reach(node, brickNodeIndex(i + 1, j, k));
      if (j > 0) reach(node, brickNodeIndex(i, j - 1, k));
      if (j < last) reach(node, brickNodeIndex(i, j + 1, k));
      if (k > 0) reach(node, brickNodeIndex(i, j, k - 1));
      if (k < last) reach(node, brickNodeIndex(i, j, k + 1));
    }
    return size;
  }

  /** Asks at the node furthest from the surface, where rounding matters least. */
  private signGroup(values: Float64Array, grid: FieldGrid, bi: number, bj: number, bk: number, size: number): void {
    const { queue } = this;
    let furthest = queue[0];
    for (let n = 1; n < size; n += 1) if (values[queue[n]] > values[furthest]) furthest = queue[n];
    const winding = this.windingAt(grid, bi, bj, bk, furthest);
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

  private windingAt(grid: FieldGrid, bi: number, bj: number, bk: number, node: number): number {
    const [i, j, k] = placeInBrick(node);
    return windingNumber(
      this.source.winding,
      this.workspace,
      nodeCoordinate(grid, 0, bi + i),
      nodeCoordinate(grid, 1, bj + j),
      nodeCoordinate(grid, 2, bk + k),
      this.source.openEdges ? FINE_DIPOLES : COARSE_DIPOLES,
    );
  }
}

function placeInBrick(node: number): [number, number, number] {
  return [node % BRICK_NODES, Math.floor(node / BRICK_NODES) % BRICK_NODES, Math.floor(node / BRICK_LAYER)];
}

/** On the surface itself the sign is that of the zero. */
function takeSigns(values: Float64Array, known: Float32Array): void {
  for (let node = 0; node < BRICK_SIZE; node += 1) {
    if (known[node] < 0 || Object.is(known[node], -0)) values[node] = -values[node];
  }
}
