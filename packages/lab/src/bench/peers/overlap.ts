import type { Pose } from '@palpable/engine';
import { Box3, Matrix4, Quaternion, Sphere, Vector3 } from 'three';
import { INTERSECTED, NOT_INTERSECTED } from 'three-mesh-bvh';
import { Heap } from './heap.js';
import {
  closestTriangle,
  crossesSurface,
  distanceToFacet,
  type Facet,
  isInside,
  type Solid,
  surroundings,
} from './solid.js';

/*
 * How deep two closed meshes overlap, by an exact two-sided check that shares nothing with what it judges: the largest
 * distance to the other's surface of any point of either surface that lies inside the other solid — of the faces and
 * edges, not of the vertices alone.
 *
 * Branch and bound. For a piece s of a surface (a box around triangles, a triangle or a part of one) with centre m and
 * closest facet F of the other mesh, a convex polygon:
 *   depth(p) <= dist(p, F) for every p in s, and dist(·, F) is convex, so depth <= max over the corners of s;
 *   a piece with m outside that does not touch the surface is outside.
 *   Where the other surface around s is that of a convex solid, or of a convex hollow, its planes bound the depth better.
 * A piece whose bound is within the tolerance of the deepest point found so far is done, any other is halved. What lies outside
 * the box around the other mesh is cut off first: flush faces would else be halved all along their outline. After
 * MOST_PIECES in one pose the deepest point found stands, and `gap` is by how much it could be wrong.
 */

/** Of a depth, m, and as a share of it: the larger counts. */
export const TOLERANCE = 5e-6;
const RELATIVE_TOLERANCE = 0.01;

const MOST_PIECES = 1500;

export interface Overlap {
  /** By how much a depth can have been too small at most, beyond the tolerance, since the last `resetGap`, m. */
  readonly gap: number;
  resetGap(): void;
  /** Whether the surfaces meet. */
  touches(tool: Pose, body: Pose): boolean;
  /** Deepest overlap with the tool and the body in these poses, m; no less than `atLeast`, below which nothing matters. */
  depth(tool: Pose, body: Pose, atLeast?: number): number;
}

export function createOverlap(tool: Solid, body: Solid): Overlap {
  const toBody = new Matrix4();
  const toTool = new Matrix4();
  const found: Found = { depth: 0, gap: 0 };
  return {
    get gap() {
      return found.gap;
    },
    resetGap() {
      found.gap = 0;
    },
    touches(toolPose, bodyPose) {
      toBody.multiplyMatrices(matrixOf(bodyPose).invert(), matrixOf(toolPose));
      return body.bvh.intersectsGeometry(tool.geometry, toBody);
    },
    depth(toolPose, bodyPose, atLeast = 0) {
      toBody.multiplyMatrices(matrixOf(bodyPose).invert(), matrixOf(toolPose));
      toTool.copy(toBody).invert();
      found.depth = atLeast;
      const line = new Heap<Piece>();
      search(line, tool, body, toBody, found);
      search(line, body, tool, toTool, found);
      halveAll(line, found);
      return found.depth;
    },
  };
}

function matrixOf([x = 0, y = 0, z = 0, ...q]: Pose | readonly number[]): Matrix4 {
  return new Matrix4().compose(
    new Vector3(x, y, z),
    new Quaternion(...(q as [number, number, number, number])).normalize(),
    new Vector3(1, 1, 1),
  );
}

const centre = new Vector3();
const moved = new Box3();

interface Found {
  depth: number;
  gap: number;
}

/** Puts in line what of a surface can be deep inside another solid. */
function search(line: Heap<Piece>, { bvh, corners }: Solid, other: Solid, matrix: Matrix4, found: Found): void {
  const bounds = other.bounds.clone().expandByScalar(TOLERANCE);
  bvh.shapecast({
    intersectsBounds(box) {
      moved.copy(box).applyMatrix4(matrix);
      if (!moved.intersectsBox(bounds)) return NOT_INTERSECTED;
      box.getCenter(centre).applyMatrix4(matrix);
      const radius = 0.5 * box.min.distanceTo(box.max);
      const { distance } = closestTriangle(other, centre);
      if (distance + radius <= enoughOf(found)) return NOT_INTERSECTED;
      // Further away than its size: all of it is outside, or all of it is inside.
      if (distance > radius && !isInside(other, centre)) return NOT_INTERSECTED;
      return INTERSECTED;
    },
    intersectsTriangle(_, t) {
      const triangle = corners[t]!.map((corner) => corner.clone().applyMatrix4(matrix));
      const polygon = clipToBox(triangle, other.bounds);
      for (const corner of polygon) seePoint(other, corner, found);
      for (let n = 2; n < polygon.length; n += 1) {
        queue(line, other, [polygon[0]!, polygon[n - 1]!, polygon[n]!], found);
      }
      return false;
    },
  });
}

/** What lies no deeper is no news. */
function enoughOf({ depth }: Found): number {
  return depth + Math.max(TOLERANCE, RELATIVE_TOLERANCE * depth);
}

function seePoint(other: Solid, point: Vector3, found: Found): void {
  const { distance } = closestTriangle(other, point);
  if (distance > found.depth && isInside(other, point)) found.depth = distance;
}

/** Part of a surface, in the frame of the other solid. */
interface Piece {
  readonly other: Solid;
  readonly corners: readonly [Vector3, Vector3, Vector3];
  /** No point of it is deeper, m. */
  readonly bound: number;
}

/** Puts a piece in line if it can hold a deeper point, and looks at its middle. */
function queue(line: Heap<Piece>, other: Solid, corners: Piece['corners'], found: Found): void {
  const [a, b, c] = corners;
  centre.copy(a).add(b).add(c).divideScalar(3);
  const { distance, faceIndex } = closestTriangle(other, centre);
  const facet = other.facets[faceIndex]!;
  const bound = Math.max(...corners.map((corner) => distanceToFacet(facet, corner)));
  if (bound <= enoughOf(found)) return;
  if (isInside(other, centre)) found.depth = Math.max(found.depth, distance);
  else if (!crossesSurface(other, a, b, c)) return;
  const enough = enoughOf(found);
  if (bound <= enough) return;
  const least = Math.min(bound, boundAround(other, corners, enough));
  if (least > enough) line.push({ other, corners, bound: least }, least);
}

/** The one with the largest bound is halved first. */
function halveAll(line: Heap<Piece>, found: Found): void {
  for (let pieces = 0; line.size > 0; pieces += 1) {
    const { other, corners, bound } = line.pop();
    const enough = enoughOf(found);
    if (bound <= enough) return;
    if (pieces >= MOST_PIECES) {
      found.gap = Math.max(found.gap, bound - enough);
      return;
    }
    for (const half of halves(...corners)) queue(line, other, half, found);
  }
}

const ball = new Sphere();

/**
 * A bound from how the other surface runs around the piece, as far as it matters: no further than the piece and `enough`
 * reach. Where the solid is convex, no point of it is deeper than below any plane. Where it is hollow, what is outside is
 * convex, and so is the distance to it.
 */
function boundAround(other: Solid, corners: readonly Vector3[], enough: number): number {
  const reach = Math.sqrt(Math.max(...corners.map((corner) => centre.distanceToSquared(corner))));
  ball.set(centre, reach + enough);
  const around = surroundings(other, ball);
  if (around?.isConvex) {
    const below = ({ plane }: Facet) => Math.max(...corners.map((corner) => -plane.distanceToPoint(corner)));
    return Math.max(0, Math.min(...around.facets.map(below)));
  }
  if (around?.isHollow) {
    return Math.max(
      ...corners.map((corner) => {
        const isOutside = around.facets.every(({ plane }) => plane.distanceToPoint(corner) > 0);
        return isOutside ? 0 : Math.min(...around.facets.map((facet) => distanceToFacet(facet, corner)));
      }),
    );
  }
  return Number.POSITIVE_INFINITY;
}

/** Across the longest side. */
function halves(a: Vector3, b: Vector3, c: Vector3): Piece['corners'][] {
  const [ab, bc, ca] = [a.distanceToSquared(b), b.distanceToSquared(c), c.distanceToSquared(a)];
  const [p, q, r] = ab >= bc && ab >= ca ? [a, b, c] : bc >= ca ? [b, c, a] : [c, a, b];
  const middle = new Vector3().addVectors(p, q).multiplyScalar(0.5);
  return [
    [p, middle, r],
    [middle, q, r],
  ];
}

/** What of a convex polygon lies in a box; nothing if it is all outside. */
function clipToBox(polygon: readonly Vector3[], { min, max }: Box3): readonly Vector3[] {
  let left = polygon;
  for (const axis of [0, 1, 2]) {
    left = clip(left, (p) => p.getComponent(axis) - min.getComponent(axis));
    left = clip(left, (p) => max.getComponent(axis) - p.getComponent(axis));
  }
  return left;
}

/** Keeps the side where `height` is not below 0. */
function clip(polygon: readonly Vector3[], height: (point: Vector3) => number): readonly Vector3[] {
  const heights = polygon.map(height);
  if (heights.every((each) => each >= 0)) return polygon;
  return polygon.flatMap((from, n) => {
    const next = (n + 1) % polygon.length;
    const [a, b] = [heights[n]!, heights[next]!];
    const kept = a >= 0 ? [from] : [];
    return a >= 0 === b >= 0 ? kept : [...kept, from.clone().lerp(polygon[next]!, a / (a - b))];
  });
}
