import { GrowableFloat64, GrowableUint32 } from '../mesh/growable.js';
import { squaredDistance } from '../mesh/triangle-geometry.js';
import { createMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';
import { keepInCell, writeFeaturePoint } from './feature-point.js';
import type { Solid, Vector } from './solids.js';

/*
 * From a solid to its surface by dual contouring (Ju, Losasso, Schaefer and Warren 2002) on a grid of cubes.
 *
 * An edge of the grid whose ends lie on different sides is *crossed*. Every crossed edge becomes a quadrangle between the
 * four cells around it, every cell gets its vertex where the planes of its crossings meet, so that sharp edges and flat
 * faces come out sharp and flat. A cell through which the surface passes more than once gets a vertex for each passage:
 * crossings that a face of the cell joins belong together (as in the dual of marching cubes, Nielson 2004), which keeps
 * the mesh manifold where parts are thin.
 *
 * What is smaller than a cell may be missed; walls should be two cells thick.
 */

/** Coordinates are rounded to this, 15 nm: far below every tolerance, far above the last bits of a root. */
const ROUNDING = 2 ** -26;

/** Steps of the search for a crossing; a plane is met in the first. */
const ROOT_STEPS = 40;
/** Baseline of the differences that give a normal, metres. */
const DIFFERENCE = 1e-7;
/** Nodes along the side of a block that is tested as a whole first. */
const BLOCK_NODES = 4;
/** Newton steps from the meeting point of the planes to a curved surface. */
const PULL_STEPS = 2;

/** Ends of a cell's twelve edges (corner numbers, bit 0 for x, 1 for y, 2 for z), four along each axis. */
// biome-ignore format: a table
const CELL_EDGES = [
  [0, 1], [2, 3], [4, 5], [6, 7],
  [0, 2], [1, 3], [4, 6], [5, 7],
  [0, 4], [1, 5], [2, 6], [3, 7],
] as const;

/** Corners of a cell's six faces, in the order around each. */
// biome-ignore format: a table
const CELL_FACES = [
  [0, 2, 6, 4], [1, 3, 7, 5],
  [0, 1, 5, 4], [2, 3, 7, 6],
  [0, 1, 3, 2], [4, 5, 7, 6],
] as const;

const NONE = 0xffffffff;

/** Meshes a solid that lies between `low` and `high` with cells of side `cell`; the mesh is closed. */
export function contourSolid(solid: Solid, low: Vector, high: Vector, cell: number): TriangleMesh {
  const grid = new Grid(low, high, cell);
  const inside = grid.sampleSigns(solid);
  const crossings = new Crossings(grid, solid, inside);
  const cells = new CellVertices(grid, solid, inside, crossings);
  return createMesh(cells.positions.take(), joinCells(grid, inside, crossings, cells));
}

/** The nodes, which begin a cell and a half below the solid, so that all of it lies between them. */
class Grid {
  readonly size: readonly [number, number, number];
  readonly strides: readonly [number, number, number];
  readonly nodeCount: number;
  readonly cell: number;
  private readonly origin: Vector;

  constructor(low: Vector, high: Vector, cell: number) {
    const nodes = (axis: number) => Math.ceil((high[axis] - low[axis]) / cell) + 4;
    this.cell = cell;
    this.size = [nodes(0), nodes(1), nodes(2)];
    this.strides = [1, this.size[0], this.size[0] * this.size[1]];
    this.nodeCount = this.size[0] * this.size[1] * this.size[2];
    // Off the middle: symmetric parts, too, must not have nodes exactly on their faces.
    this.origin = [low[0] - 1.47 * cell, low[1] - 1.47 * cell, low[2] - 1.47 * cell];
  }

  coordinate(axis: number, index: number): number {
    return this.origin[axis] + index * this.cell;
  }

  /** Index of a node along an axis. */
  index(node: number, axis: number): number {
    return Math.floor(node / this.strides[axis]) % this.size[axis];
  }

  /** For every node whether it is inside. A solid's value changes by no more than the distance: far from it one sample decides for many. */
  sampleSigns(solid: Solid): Uint8Array {
    const inside = new Uint8Array(this.nodeCount);
    const reach = ((BLOCK_NODES - 1) / 2) * this.cell;
    const blockRadius = Math.sqrt(3) * reach * (1 + 1e-9);
    for (let k = 0; k < this.size[2]; k += BLOCK_NODES) {
      for (let j = 0; j < this.size[1]; j += BLOCK_NODES) {
        for (let i = 0; i < this.size[0]; i += BLOCK_NODES) {
          const [x, y, z] = [this.coordinate(0, i), this.coordinate(1, j), this.coordinate(2, k)];
          const middle = solid(x + reach, y + reach, z + reach);
          if (middle <= blockRadius) this.sampleBlock(inside, middle < -blockRadius ? null : solid, i, j, k);
        }
      }
    }
    return inside;
  }

  /** Without a solid, all nodes of the block are inside. */
  private sampleBlock(inside: Uint8Array, solid: Solid | null, i0: number, j0: number, k0: number): void {
    for (let k = k0; k < Math.min(k0 + BLOCK_NODES, this.size[2]); k++) {
      for (let j = j0; j < Math.min(j0 + BLOCK_NODES, this.size[1]); j++) {
        for (let i = i0; i < Math.min(i0 + BLOCK_NODES, this.size[0]); i++) {
          if (solid && solid(this.coordinate(0, i), this.coordinate(1, j), this.coordinate(2, k)) >= 0) continue;
          inside[i + this.strides[1] * j + this.strides[2] * k] = 1;
        }
      }
    }
  }
}

/** Where the crossed edges are crossed, and with which normal; an edge is known by its lower node and its axis. */
class Crossings {
  /** Of edge `3 · node + axis`: the number of its crossing, or `NONE`. */
  readonly ofEdge: Uint32Array;
  readonly edges = new GrowableUint32();
  readonly points = new GrowableFloat64();
  readonly normals = new GrowableFloat64();
  private readonly solid: Solid;

  constructor(grid: Grid, solid: Solid, inside: Uint8Array) {
    this.solid = solid;
    this.ofEdge = new Uint32Array(3 * grid.nodeCount).fill(NONE);
    for (let node = 0; node < grid.nodeCount; node++) {
      for (let axis = 0; axis < 3; axis++) {
        const other = node + grid.strides[axis];
        if (grid.index(node, axis) + 1 === grid.size[axis] || inside[node] === inside[other]) continue;
        this.ofEdge[3 * node + axis] = this.edges.length;
        this.edges.push(3 * node + axis);
        this.add(
          [0, 1, 2].map((a) => grid.coordinate(a, grid.index(node, a))),
          axis,
          grid.cell,
        );
      }
    }
  }

  private add(point: number[], axis: number, cell: number): void {
    point[axis] = this.root(point, axis, point[axis], point[axis] + cell);
    const [x, y, z] = point;
    this.points.push3(x, y, z);
    const normal = normalAt(this.solid, x, y, z);
    this.normals.push3(normal[0], normal[1], normal[2]);
  }

  /** The zero of the solid between two coordinates along an axis, by the false position that halves a stale end. */
  private root(point: number[], axis: number, low: number, high: number): number {
    const value = (at: number) => {
      point[axis] = at;
      return this.solid(point[0], point[1], point[2]);
    };
    let [a, b, fa, fb] = [low, high, value(low), value(high)];
    for (let step = 0; step < ROOT_STEPS && Math.abs(b - a) > ROUNDING / 16; step++) {
      const at = (a * fb - b * fa) / (fb - fa);
      const f = value(at);
      if (Math.abs(f) < ROUNDING / 16) return at;
      if (f < 0 === fb < 0) fa /= 2;
      else [a, fa] = [b, fb];
      [b, fb] = [at, f];
    }
    return b;
  }
}

function normalAt(solid: Solid, x: number, y: number, z: number): Vector {
  const here = solid(x, y, z);
  const nx = solid(x + DIFFERENCE, y, z) - here;
  const ny = solid(x, y + DIFFERENCE, z) - here;
  const nz = solid(x, y, z + DIFFERENCE) - here;
  const size = Math.sqrt(nx * nx + ny * ny + nz * nz);
  return size > 0 ? [nx / size, ny / size, nz / size] : [0, 0, 0];
}

/** The vertices of the cells: one for each passage of the surface. A cell is known by its lowest node. */
class CellVertices {
  readonly positions = new GrowableFloat64();
  /** Vertex of a cell by `12 · place + edge`, with the place of the cell among those that the surface passes. */
  private readonly vertexOfEdge = new GrowableUint32();
  private readonly placeOfCell: Uint32Array;
  private readonly grid: Grid;
  private readonly solid: Solid;

  constructor(grid: Grid, solid: Solid, inside: Uint8Array, crossings: Crossings) {
    this.grid = grid;
    this.solid = solid;
    this.placeOfCell = new Uint32Array(grid.nodeCount).fill(NONE);
    const corners = Array.from({ length: 8 }, (_, c) => cornerOffset(grid, c));
    for (let node = 0; node + corners[7] < grid.nodeCount; node++) {
      const count = corners.reduce((sum, offset) => sum + inside[node + offset], 0);
      if (count === 0 || count === 8 || [0, 1, 2].some((axis) => grid.index(node, axis) + 1 === grid.size[axis])) {
        continue;
      }
      this.addCell(
        node,
        corners.map((offset) => inside[node + offset]),
        crossings,
      );
    }
  }

  /** Vertex of the cell that serves its edge (0 … 11). */
  vertex(cell: number, edge: number): number {
    return this.vertexOfEdge.data[12 * this.placeOfCell[cell] + edge];
  }

  private addCell(node: number, inside: readonly number[], crossings: Crossings): void {
    this.placeOfCell[node] = this.vertexOfEdge.length / 12;
    const group = groupCrossedEdges(inside);
    const vertexOfGroup = new Map<number, number>();
    for (let edge = 0; edge < 12; edge++) {
      if (group[edge] === NONE) {
        this.vertexOfEdge.push(NONE);
        continue;
      }
      if (!vertexOfGroup.has(group[edge])) {
        vertexOfGroup.set(group[edge], this.addVertex(node, group, group[edge], crossings));
      }
      this.vertexOfEdge.push(vertexOfGroup.get(group[edge])!);
    }
  }

  private addVertex(node: number, group: readonly number[], wanted: number, crossings: Crossings): number {
    const { grid } = this;
    const list: number[] = [];
    for (let edge = 0; edge < 12; edge++) {
      if (group[edge] !== wanted) continue;
      const axis = edge >> 2;
      list.push(crossings.ofEdge[3 * (node + cornerOffset(grid, CELL_EDGES[edge][0])) + axis]);
    }
    const low: Vector = [0, 1, 2].map((axis) => grid.coordinate(axis, grid.index(node, axis))) as [
      number,
      number,
      number,
    ];
    const point = new Float64Array(3);
    writeFeaturePoint(point, crossings.points.data, crossings.normals.data, list, low, grid.cell);
    this.pullOntoSurface(point, low);
    const [x, y, z] = point.map((value) => Math.round(value / ROUNDING) * ROUNDING);
    this.positions.push3(x, y, z);
    return this.positions.length / 3 - 1;
  }

  /** The tangent planes of a round face meet outside it. On sharp edges the point lies on the surface already. */
  private pullOntoSurface(point: Float64Array, low: Vector): void {
    for (let step = 0; step < PULL_STEPS; step++) {
      const distance = this.solid(point[0], point[1], point[2]);
      if (Math.abs(distance) < ROUNDING) return;
      const normal = normalAt(this.solid, point[0], point[1], point[2]);
      for (let axis = 0; axis < 3; axis++) {
        point[axis] = keepInCell(point[axis] - distance * normal[axis], low[axis], this.grid.cell);
      }
    }
  }
}

function cornerOffset(grid: Grid, corner: number): number {
  return (corner & 1) * grid.strides[0] + ((corner >> 1) & 1) * grid.strides[1] + (corner >> 2) * grid.strides[2];
}

/** For each of a cell's edges the smallest edge of its passage, or `NONE` if it is not crossed. */
function groupCrossedEdges(inside: readonly number[]): number[] {
  const group = CELL_EDGES.map(([a, b], edge) => (inside[a] === inside[b] ? NONE : edge));
  for (const face of CELL_FACES) {
    for (const [first, second] of pairsOnFace(face, inside)) {
      const [keep, drop] = [Math.min(group[first], group[second]), Math.max(group[first], group[second])];
      for (let edge = 0; edge < 12; edge++) if (group[edge] === drop) group[edge] = keep;
    }
  }
  return group;
}

/** Crossed edges that the face joins: the two there are, or, of four, those on both sides of the same inner corner. */
function pairsOnFace(face: readonly number[], inside: readonly number[]): [number, number][] {
  const edges = face.map((corner, i) => edgeBetween(corner, face[(i + 1) % 4]));
  const crossed = edges.filter((_, i) => inside[face[i]] !== inside[face[(i + 1) % 4]]);
  if (crossed.length < 4) return crossed.length === 2 ? [[crossed[0], crossed[1]]] : [];
  return inside[face[0]] === 1
    ? [
        [edges[3], edges[0]],
        [edges[1], edges[2]],
      ]
    : [
        [edges[0], edges[1]],
        [edges[2], edges[3]],
      ];
}

function edgeBetween(a: number, b: number): number {
  return CELL_EDGES.findIndex(([low, high]) => low === Math.min(a, b) && high === Math.max(a, b));
}

/** A quadrangle for every crossed edge, cut along its shorter diagonal. */
function joinCells(grid: Grid, inside: Uint8Array, crossings: Crossings, cells: CellVertices): Uint32Array {
  const triangles = new GrowableUint32();
  const { edges } = crossings;
  for (let i = 0; i < edges.length; i++) {
    const axis = edges.data[i] % 3;
    const node = (edges.data[i] - axis) / 3;
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    // The four cells around the edge, counter-clockwise about the axis, and the edge's number in each of them.
    const quad = AROUND.map(([stepU, stepV]) => {
      const cell = node - stepU * grid.strides[u] - stepV * grid.strides[v];
      const corner = (stepU << u) | (stepV << v);
      return cells.vertex(cell, edgeBetween(corner, corner | (1 << axis)));
    });
    if (inside[node] === 0) quad.reverse();
    addQuad(triangles, cells.positions.data, quad);
  }
  return triangles.take();
}

const AROUND = [
  [1, 1],
  [0, 1],
  [0, 0],
  [1, 0],
] as const;

function addQuad(triangles: GrowableUint32, positions: Float64Array, [a, b, c, d]: number[]): void {
  if (squaredDistance(positions, a, c) <= squaredDistance(positions, b, d)) {
    triangles.pushQuad(a, b, c, d);
  } else {
    triangles.pushQuad(b, c, d, a);
  }
}
