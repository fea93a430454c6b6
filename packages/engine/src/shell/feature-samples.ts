import { cosOf } from '../math/portable.js';
import { distanceSquared, dot } from '../math/vectors.js';
import { buildEdgeTable, NO_PARTNER, nextCorner, pairHalfEdges } from '../mesh/edge-table.js';
import { type TriangleMesh, vertexCount } from '../mesh/triangle-mesh.js';
import type { Surface } from './surface.js';
import type { SurfaceSamples } from './surface-samples.js';

/**
 * Points on sharp convex edges and corners: what touches first, and what even points on faces miss by up to half their
 * distance. Concave ones are left out, since nothing can touch there.
 *
 * An edge or corner has no single normal, but a cone of them: around the mean of its faces' normals, as wide as the
 * farthest of these. Where it touches, the other surface says which one counts.
 */
export interface FeatureSamples extends SurfaceSamples {
  /** Axis of the cone, unit length, three numbers per sample. */
  readonly axis: Float64Array;
  /** Cosine of half its angle. */
  readonly cone: Float64Array;
  /** Unit vector along an edge between two faces, to which all its normals are perpendicular; 0 for others. */
  readonly along: Float64Array;
  /** Part of its surroundings on one face. */
  readonly share: Float64Array;
}

/** Edges of a smaller angle between their faces are not sharp enough to matter beside the distance of the points. */
const SHARP_ANGLE = Math.PI / 6;
/** A chain of edges that bends by more has a corner. */
const BEND = Math.PI / 6;
/** Points of a chain keep at least this part of the wanted distance. */
const CLOSEST = 0.75;
/** How often the distance may grow when there are too many, and by what. */
const MAX_WIDENINGS = 8;
const WIDENING = 1.5;

/** Cosine between the axes of points of one side. */
const SAME_SIDE = 0.5;
const EDGE_SHARE = 0.5;
const CORNER_SHARE = 0.25;

interface Candidate {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly triangle: number;
  readonly second: number;
  readonly third: number;
  readonly axis: readonly number[];
  readonly cone: number;
  readonly along: readonly number[];
  /** Corners come before edges, and wide cones before narrow ones. */
  readonly isCorner: boolean;
}

/** At most `most` points, about `spacing` apart, m, along the edges. */
export function sampleFeatures(mesh: TriangleMesh, surface: Surface, spacing: number, most: number): FeatureSamples {
  const sharp = findSharpEdges(mesh, surface);
  const corners = cornerCandidates(mesh, surface, sharp);
  let chosen: Candidate[] = [];
  for (let k = 0, distance = spacing; k <= MAX_WIDENINGS; k += 1, distance *= WIDENING) {
    chosen = thin([...corners, ...edgeCandidates(mesh, surface, sharp, distance)], CLOSEST * distance);
    if (chosen.length <= most) break;
  }
  return arrange(surface, chosen.slice(0, most));
}

/** Half-edges, one for each sharp convex edge, and those that meet at each vertex. */
interface SharpEdges {
  readonly edges: readonly number[];
  readonly partners: Int32Array | Uint32Array;
  readonly atVertex: ReadonlyMap<number, readonly number[]>;
}

function findSharpEdges(mesh: TriangleMesh, { faceNormals, triangleAreas }: Surface): SharpEdges {
  const { triangles, positions } = mesh;
  const partners = pairHalfEdges(buildEdgeTable(triangles, vertexCount(mesh)));
  const cosine = cosOf(SHARP_ANGLE);
  const edges: number[] = [];
  const atVertex = new Map<number, number[]>();
  for (let edge = 0; edge < triangles.length; edge += 1) {
    const other = partners[edge];
    if (other === NO_PARTNER || other < edge || triangles[edge] !== triangles[nextCorner(other)]) continue;
    const [a, b] = [Math.floor(edge / 3), Math.floor(other / 3)];
    if (!(triangleAreas[a] > 0 && triangleAreas[b] > 0)) continue;
    if (dot(faceNormals, 3 * a, faceNormals, 3 * b) > cosine) continue;
    const [p, q] = [3 * triangles[edge], 3 * triangles[nextCorner(nextCorner(other))]];
    let above = 0;
    for (let i = 0; i < 3; i += 1) above += faceNormals[3 * a + i] * (positions[q + i] - positions[p + i]);
    if (above >= 0) continue;
    edges.push(edge);
    for (const vertex of [triangles[edge], triangles[nextCorner(edge)]]) {
      const list = atVertex.get(vertex);
      if (list) list.push(edge);
      else atVertex.set(vertex, [edge]);
    }
  }
  return { edges, partners, atVertex };
}

/** Where other than two sharp edges meet, or two at an angle. */
function cornerCandidates(mesh: TriangleMesh, surface: Surface, { atVertex, partners }: SharpEdges): Candidate[] {
  const straight = -cosOf(BEND);
  return [...atVertex].flatMap(([vertex, edges]) => {
    if (edges.length === 2) {
      const [u, v] = edges.map((edge) => directionFrom(mesh, vertex, edge));
      if (u[0] * v[0] + u[1] * v[1] + u[2] * v[2] <= straight) return [];
    }
    return [vertexCandidate(mesh, surface, partners, vertex, edges, true)];
  });
}

function edgeCandidates(mesh: TriangleMesh, surface: Surface, sharp: SharpEdges, spacing: number): Candidate[] {
  const { triangles, positions } = mesh;
  const { edges, partners, atVertex } = sharp;
  const inner = edges.flatMap((edge) => {
    const [p, q] = [3 * triangles[edge], 3 * triangles[nextCorner(edge)]];
    const pieces = Math.round(Math.sqrt(distanceSquared(positions, p, positions, q)) / spacing);
    const cone = coneOf(surface, [Math.floor(edge / 3), Math.floor(partners[edge] / 3)]);
    return Array.from({ length: Math.max(0, pieces - 1) }, (_, k): Candidate => {
      const t = (k + 1) / pieces;
      const [x, y, z] = [0, 1, 2].map((i) => (1 - t) * positions[p + i] + t * positions[q + i]);
      return { x, y, z, ...placeOn(edge, t), ...cone, isCorner: false };
    });
  });
  const ends = [...atVertex].map(([vertex, own]) => vertexCandidate(mesh, surface, partners, vertex, own, false));
  return [...inner, ...ends];
}

function vertexCandidate(
  { triangles, positions }: TriangleMesh,
  surface: Surface,
  partners: SharpEdges['partners'],
  vertex: number,
  edges: readonly number[],
  isCorner: boolean,
): Candidate {
  const faces = new Set(edges.flatMap((edge) => [Math.floor(edge / 3), Math.floor(partners[edge] / 3)]));
  const edge = edges[0];
  const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
  return { x, y, z, ...placeOn(edge, triangles[edge] === vertex ? 0 : 1), ...coneOf(surface, [...faces]), isCorner };
}

function directionFrom({ triangles, positions }: TriangleMesh, vertex: number, edge: number): number[] {
  const [a, b] = [triangles[edge], triangles[nextCorner(edge)]];
  const [p, q] = a === vertex ? [3 * a, 3 * b] : [3 * b, 3 * a];
  const way = [0, 1, 2].map((i) => positions[q + i] - positions[p + i]);
  const length = Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
  return way.map((part) => part / length);
}

/** The place a part t of the way along a half-edge, in its triangle. */
function placeOn(edge: number, t: number): Pick<Candidate, 'triangle' | 'second' | 'third'> {
  const weights = [0, 0, 0];
  weights[edge % 3] = 1 - t;
  weights[nextCorner(edge) % 3] = t;
  return { triangle: Math.floor(edge / 3), second: weights[1], third: weights[2] };
}

/** Each direction counts once, however many triangles have it. */
function coneOf({ faceNormals }: Surface, faces: readonly number[]): Pick<Candidate, 'axis' | 'cone' | 'along'> {
  const normals: number[][] = [];
  for (const face of faces) {
    const normal = [...faceNormals.subarray(3 * face, 3 * face + 3)];
    if (!normals.some((n) => n[0] * normal[0] + n[1] * normal[1] + n[2] * normal[2] > 0.999)) normals.push(normal);
  }
  const sum = [0, 1, 2].map((i) => normals.reduce((total, normal) => total + normal[i], 0));
  const length = Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  const axis = length > 1e-6 ? sum.map((part) => part / length) : normals[0];
  const cone = Math.min(1, ...normals.map((n) => n[0] * axis[0] + n[1] * axis[1] + n[2] * axis[2]));
  return { axis, cone, along: normals.length === 2 ? across(normals[0], normals[1]) : [0, 0, 0] };
}

/** Unit vector perpendicular to both; 0 for opposite ones. */
function across([ax, ay, az]: readonly number[], [bx, by, bz]: readonly number[]): number[] {
  const cross = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const length = Math.sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]);
  return cross.map((part) => (length > 1e-6 ? part / length : 0));
}

/** Keeps those that are no closer than `least` to one before them. */
function thin(candidates: readonly Candidate[], least: number): Candidate[] {
  const ordered = [...candidates].sort((a, b) => Number(b.isCorner) - Number(a.isCorner) || a.cone - b.cone);
  const cells = new Map<string, Candidate[]>();
  return ordered.filter((candidate) => {
    const [i, j, k] = [candidate.x, candidate.y, candidate.z].map((value) => Math.floor(value / least));
    for (let a = i - 1; a <= i + 1; a += 1) {
      for (let b = j - 1; b <= j + 1; b += 1) {
        for (let c = k - 1; c <= k + 1; c += 1) {
          for (const { x, y, z, axis, isCorner } of cells.get(`${a},${b},${c}`) ?? []) {
            // The edges of both sides of a thin plate do not stand for each other.
            const [u, v, w] = candidate.axis;
            if (u * axis[0] + v * axis[1] + w * axis[2] < SAME_SIDE) continue;
            const [dx, dy, dz] = [candidate.x - x, candidate.y - y, candidate.z - z];
            const square = dx * dx + dy * dy + dz * dz;
            // Corners may be as close to each other as they like, but not be the same.
            if (square < (candidate.isCorner && isCorner ? 1e-6 * least * least : least * least)) return false;
          }
        }
      }
    }
    const cell = cells.get(`${i},${j},${k}`);
    if (cell) cell.push(candidate);
    else cells.set(`${i},${j},${k}`, [candidate]);
    return true;
  });
}

function arrange({ part }: Surface, chosen: readonly Candidate[]): FeatureSamples {
  return {
    positions: Float64Array.from(chosen.flatMap(({ x, y, z }) => [x, y, z])),
    triangle: Uint32Array.from(chosen, ({ triangle }) => triangle),
    weights: Float64Array.from(chosen.flatMap(({ second, third }) => [second, third])),
    part: Uint32Array.from(chosen, ({ triangle }) => part[triangle]),
    axis: Float64Array.from(chosen.flatMap(({ axis }) => axis)),
    cone: Float64Array.from(chosen, ({ cone }) => cone),
    along: Float64Array.from(chosen.flatMap(({ along }) => along)),
    share: Float64Array.from(chosen, ({ isCorner }) => (isCorner ? CORNER_SHARE : EDGE_SHARE)),
  };
}
