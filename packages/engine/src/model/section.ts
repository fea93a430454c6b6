import { GrowableFloat64, GrowableUint32 } from '../mesh/growable.js';
import { createMesh, type TriangleMesh } from '../mesh/triangle-mesh.js';

/*
 * Prismatic parts: a flat section of quadrangles in the plane of x and z, drawn out along y. Patches of quadrangles that
 * share whole rows of points become one part, so that all triangles are well shaped, those of the two ends as well.
 */

/** Coordinates are rounded to this, 15 nm, so that the last bits of a host's sine and cosine do not matter. */
const ROUNDING = 2 ** -26;

/** A point of the section: x and z, metres. */
export type SectionPoint = readonly [x: number, z: number];

export interface Section {
  readonly points: readonly SectionPoint[];
  /** Four points each, counter-clockwise with x to the right and z up. */
  readonly quads: readonly (readonly [number, number, number, number])[];
}

/**
 * Joins patches, each a list of rows of points, all rows of a patch equally long: the quadrangles lie between a row and
 * the next, from the row's first point to its last rotated counter-clockwise. Points in one place become one.
 */
export function createSection(patches: readonly (readonly (readonly SectionPoint[])[])[]): Section {
  const points: SectionPoint[] = [];
  const numbers = new Map<string, number>();
  const numberOf = ([x, z]: SectionPoint): number => {
    const point = [round(x), round(z)] as const;
    const place = point.join();
    const known = numbers.get(place);
    if (known !== undefined) return known;
    numbers.set(place, points.length);
    return points.push(point) - 1;
  };
  const quads: [number, number, number, number][] = [];
  for (const rows of patches) {
    const numbered = rows.map((row) => row.map(numberOf));
    for (let r = 0; r + 1 < rows.length; r++) {
      for (let i = 0; i + 1 < rows[r].length; i++) {
        quads.push([numbered[r][i], numbered[r][i + 1], numbered[r + 1][i + 1], numbered[r + 1][i]]);
      }
    }
  }
  return { points, quads };
}

/** Draws the section out along y through the given lines (metres, rising): a closed mesh that faces outward. */
export function extrudeSection(section: Section, lines: readonly number[]): TriangleMesh {
  const { points, quads } = section;
  const positions = new GrowableFloat64();
  const triangles = new GrowableUint32();
  // Points inside the section stand on the two ends only: between them they would be inside the part.
  const border = borderEdges(section);
  const onBorder = new Set(border.flat());
  const numbers: number[][] = lines.map((y, layer) => {
    const isEnd = layer === 0 || layer === lines.length - 1;
    return points.map(([x, z], point) => {
      if (!isEnd && !onBorder.has(point)) return -1;
      positions.push3(x, round(y), z);
      return positions.length / 3 - 1;
    });
  });
  const [low, high] = [numbers[0], numbers[lines.length - 1]];
  for (const [a, b, c, d] of quads) {
    triangles.pushQuad(low[a], low[b], low[c], low[d]);
    triangles.pushQuad(high[a], high[d], high[c], high[b]);
  }
  for (let layer = 0; layer + 1 < lines.length; layer++) {
    const [here, next] = [numbers[layer], numbers[layer + 1]];
    for (const [a, b] of border) triangles.pushQuad(here[b], here[a], next[a], next[b]);
  }
  return createMesh(positions.take(), triangles.take());
}

/** Edges of one quadrangle only, in the direction in which it has them. */
function borderEdges({ quads, points }: Section): [number, number][] {
  const edges = new Map<number, [number, number]>();
  for (const quad of quads) {
    for (let i = 0; i < 4; i++) {
      const [a, b] = [quad[i], quad[(i + 1) % 4]];
      if (!edges.delete(b * points.length + a)) edges.set(a * points.length + b, [a, b]);
    }
  }
  return [...edges.values()];
}

/** Adding 0 makes 0 of −0, which would count as another place. */
function round(coordinate: number): number {
  return Math.round(coordinate / ROUNDING) * ROUNDING + 0;
}
