import { createMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';

/*
 * A sheet of even thickness pressed into relief, as car bodies are: an outline with openings in the plane of x and z, and
 * for every place of it how far the middle of the sheet stands out along y.
 *
 * The outline is cut by the two-dimensional form of the contouring of solids: every node of the grid that is inside
 * becomes a quadrangle between the four cells around it, and a cell at the border has its vertex on the outline. Both
 * sides have the same quadrangles, the border joins them, so the sheet is closed by construction.
 */

/** Signed distance to the outline, negative in the material; then height of the relief: functions of x and z, metres. */
export type PlaneFunction = (x: number, z: number) => number;

export interface SheetShape {
  readonly outline: PlaneFunction;
  readonly relief: PlaneFunction;
  /** m */
  readonly thickness: number;
  /** Corners of the region around the outline: x and z. */
  readonly low: readonly [number, number];
  readonly high: readonly [number, number];
  /** Side of the cells. */
  readonly cell: number;
}

/** As for solids: far below every tolerance, far above the last bits of a root. */
const ROUNDING = 2 ** -26;
/** Steps with which a vertex at the border goes to the outline. */
const OUTLINE_STEPS = 8;
const DIFFERENCE = 1e-6;
const NONE = -1;

export function createPressedSheet(shape: SheetShape): TriangleMesh {
  const { low, high, cell, outline } = shape;
  const columns = Math.ceil((high[0] - low[0]) / cell) + 4;
  const rows = Math.ceil((high[1] - low[1]) / cell) + 4;
  const x = (i: number) => low[0] + (i - 1.47) * cell;
  const z = (j: number) => low[1] + (j - 1.47) * cell;
  const inside = (i: number, j: number) => outline(x(i), z(j)) < 0;
  const vertices = new SheetVertices(shape, columns, inside, x, z);
  const triangles: number[] = [];
  for (let j = 1; j < rows; j++) {
    for (let i = 1; i < columns; i++) {
      if (!inside(i, j)) continue;
      // Cells by their lowest node, around the node, counter-clockwise for somebody who looks along −y from above.
      const quad = [vertices.of(i - 1, j - 1), vertices.of(i - 1, j), vertices.of(i, j), vertices.of(i, j - 1)];
      addSides(triangles, vertices.positions, quad);
      const neighbours = [inside(i - 1, j), inside(i, j + 1), inside(i + 1, j), inside(i, j - 1)];
      neighbours.forEach((filled, side) => {
        if (!filled) addBorder(triangles, quad[side], quad[(side + 1) % 4]);
      });
    }
  }
  return createMesh(Float64Array.from(vertices.positions), Uint32Array.from(triangles));
}

/**
 * Both sides of the sheet: the upper vertex of a place has an even number, the lower one the next. Cut along the diagonal
 * that the relief bends less, so that slopes across the grid do not become saws.
 */
function addSides(triangles: number[], positions: readonly number[], [a, b, c, d]: readonly number[]): void {
  const bend = (p: number, q: number) => Math.abs(positions[3 * p + 1] - positions[3 * q + 1]);
  const [p, q, r, s] = bend(a, c) <= bend(b, d) ? [a, b, c, d] : [b, c, d, a];
  triangles.push(p, q, r, p, r, s);
  triangles.push(p + 1, r + 1, q + 1, p + 1, s + 1, r + 1);
}

function addBorder(triangles: number[], a: number, b: number): void {
  triangles.push(a, a + 1, b, b, a + 1, b + 1);
}

/** Makes the two vertices of a cell when they are first asked for. */
class SheetVertices {
  readonly positions: number[] = [];
  private readonly known = new Map<number, number>();
  private readonly shape: SheetShape;
  private readonly columns: number;
  private readonly inside: (i: number, j: number) => boolean;
  private readonly x: (i: number) => number;
  private readonly z: (j: number) => number;

  constructor(
    shape: SheetShape,
    columns: number,
    inside: (i: number, j: number) => boolean,
    x: (i: number) => number,
    z: (j: number) => number,
  ) {
    this.shape = shape;
    this.columns = columns;
    this.inside = inside;
    this.x = x;
    this.z = z;
  }

  of(i: number, j: number): number {
    const key = i + this.columns * j;
    const known = this.known.get(key) ?? NONE;
    if (known !== NONE) return known;
    const { cell } = this.shape;
    const place: [number, number] = [this.x(i) + cell / 2, this.z(j) + cell / 2];
    const corners = [this.inside(i, j), this.inside(i + 1, j), this.inside(i, j + 1), this.inside(i + 1, j + 1)];
    if (!corners.every(Boolean)) this.pullToOutline(place);
    const vertex = this.positions.length / 3;
    this.push(place);
    this.known.set(key, vertex);
    return vertex;
  }

  private pullToOutline(place: [number, number]): void {
    const { outline, cell } = this.shape;
    const start = [...place];
    for (let step = 0; step < OUTLINE_STEPS; step++) {
      const distance = outline(place[0], place[1]);
      const [gx, gz] = slope(outline, place[0], place[1]);
      const squared = gx * gx + gz * gz;
      if (squared === 0) return;
      for (const [axis, g] of [gx, gz].entries()) {
        const limit = 0.4999 * cell;
        const moved = place[axis] - (distance * g) / squared;
        place[axis] = Math.min(start[axis] + limit, Math.max(start[axis] - limit, moved));
      }
    }
  }

  /** Upper and lower vertex, half the thickness off the middle along its normal. */
  private push([x, z]: readonly [number, number]): void {
    const { relief, thickness } = this.shape;
    const [gx, gz] = slope(relief, x, z);
    const half = thickness / 2 / Math.sqrt(1 + gx * gx + gz * gz);
    const y = relief(x, z);
    for (const side of [half, -half]) {
      for (const value of [x - side * gx, y + side, z - side * gz]) {
        this.positions.push(Math.round(value / ROUNDING) * ROUNDING);
      }
    }
  }
}

function slope(f: PlaneFunction, x: number, z: number): [number, number] {
  return [
    (f(x + DIFFERENCE, z) - f(x - DIFFERENCE, z)) / (2 * DIFFERENCE),
    (f(x, z + DIFFERENCE) - f(x, z - DIFFERENCE)) / (2 * DIFFERENCE),
  ];
}
