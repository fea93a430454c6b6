import { dot } from '../../math/vectors.js';
import type { ProximitySurface } from './proximity-surface.js';

/*
 * Directions at the features of a surface, from the normals of its faces: which side of an edge or a vertex is outside,
 * and which directions lead away from the surface.
 */

/** Cosine by which a direction must be against the mean normal of a vertex to count as in front of it. */
const FACING = -0.1;
/** Cosine above which two normals are nearly the same: facets of round bodies are. */
const SAME_NORMAL = 0.99;
/** Sine of the angle between a surface and a direction that still counts as along it. */
const ALONG = 1e-6;
/**
 * The same around a vertex; at an edge, as part of the sine between its faces. A box that lies flat on another meets it at its edges with
 * the smallest tilt either way, so sharp edges get some leeway; nearly flat ones none, or flat faces full of edges that
 * are bent by a hair would all meet each other.
 */
const LEEWAY = 0.02;

/** The angle in 0 … π to 7e-5 by Abramowitz and Stegun 4.4.45: the same to the bit everywhere, unlike `Math.acos`. */
function angleOf(cosine: number): number {
  const x = Math.min(1, Math.abs(cosine));
  const angle = Math.sqrt(1 - x) * (1.5707288 + x * (-0.2121144 + x * (0.074261 - 0.0187293 * x)));
  return cosine < 0 ? Math.PI - angle : angle;
}

/**
 * The sum of the normals around a vertex, each weighted by the angle of its face: for any point to which the vertex is
 * the nearest of the surface it tells inside from outside (Bærentzen and Aanæs 2005). Not of unit length.
 */
export function vertexPseudonormal(out: Float64Array, surface: ProximitySurface, vertex: number): void {
  const { positions, triangles, vertexStart, vertexTriangles, normals } = surface;
  let x = 0;
  let y = 0;
  let z = 0;
  const o = 3 * vertex;
  for (let i = vertexStart[vertex]; i < vertexStart[vertex + 1]; i++) {
    const face = 3 * vertexTriangles[i];
    const corner = triangles[face] === vertex ? 0 : triangles[face + 1] === vertex ? 1 : 2;
    const b = 3 * triangles[face + ((corner + 1) % 3)];
    const c = 3 * triangles[face + ((corner + 2) % 3)];
    const ux = positions[b] - positions[o];
    const uy = positions[b + 1] - positions[o + 1];
    const uz = positions[b + 2] - positions[o + 2];
    const vx = positions[c] - positions[o];
    const vy = positions[c + 1] - positions[o + 1];
    const vz = positions[c + 2] - positions[o + 2];
    const lengths = Math.sqrt((ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz));
    const weight = lengths > 0 ? angleOf((ux * vx + uy * vy + uz * vz) / lengths) : 0;
    x += weight * normals[face];
    y += weight * normals[face + 1];
    z += weight * normals[face + 2];
  }
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

/** The sum of the normals of an edge's faces. */
export function edgePseudonormal(out: Float64Array, surface: ProximitySurface, edge: number): void {
  const { edgeFaces, normals } = surface;
  const one = 3 * edgeFaces[2 * edge];
  const other = edgeFaces[2 * edge + 1] < 0 ? one : 3 * edgeFaces[2 * edge + 1];
  out[0] = normals[one] + normals[other];
  out[1] = normals[one + 1] + normals[other + 1];
  out[2] = normals[one + 2] + normals[other + 2];
}

/** The mean of the normals around a vertex, of unit length, or 0. */
export function vertexNormal(out: Float64Array, surface: ProximitySurface, vertex: number): void {
  const { vertexStart, vertexTriangles, normals } = surface;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let i = vertexStart[vertex]; i < vertexStart[vertex + 1]; i++) {
    const face = 3 * vertexTriangles[i];
    x += normals[face];
    y += normals[face + 1];
    z += normals[face + 2];
  }
  const squared = x * x + y * y + z * z;
  const scale = squared > 0 ? 1 / Math.sqrt(squared) : 0;
  out[0] = x * scale;
  out[1] = y * scale;
  out[2] = z * scale;
}

/**
 * Whether a vertex can be touched by something whose unit normal is `n[at…]`: its mean normal (`mean`) points the other
 * way, or, as at the tip of a needle, nothing around it lies further out. `scratch` takes three numbers.
 */
export function vertexFaces(
  scratch: Float64Array,
  surface: ProximitySurface,
  vertex: number,
  mean: Float64Array,
  n: Float64Array,
  at: number,
): boolean {
  if (dot(mean, 0, n, at) < FACING) return true;
  if (!isLowest(surface, vertex, n, at)) return false;
  vertexPseudonormal(scratch, surface, vertex);
  return dot(scratch, 0, n, at) < 0;
}

/** Whether the neighbours of a vertex lie further along `n[at…]` than it does, or level. */
export function isLowest(surface: ProximitySurface, vertex: number, n: Float64Array, at: number): boolean {
  const { positions, triangles, vertexStart, vertexTriangles } = surface;
  const o = 3 * vertex;
  for (let i = vertexStart[vertex]; i < vertexStart[vertex + 1]; i++) {
    for (let corner = 0; corner < 3; corner++) {
      const neighbour = 3 * triangles[3 * vertexTriangles[i] + corner];
      const x = positions[neighbour] - positions[o];
      const y = positions[neighbour + 1] - positions[o + 1];
      const z = positions[neighbour + 2] - positions[o + 2];
      const rise = x * n[at] + y * n[at + 1] + z * n[at + 2];
      if (rise < 0 && rise * rise > LEEWAY * LEEWAY * (x * x + y * y + z * z)) return false;
    }
  }
  return true;
}

/** Whether `n[at…]` is nearly the normal of both faces of the edge. */
export function isNormalAtEdge(surface: ProximitySurface, edge: number, n: Float64Array, at: number): boolean {
  const { edgeFaces } = surface;
  const other = edgeFaces[2 * edge + 1];
  return isNormalOf(surface, edgeFaces[2 * edge], n, at) && other >= 0 && isNormalOf(surface, other, n, at);
}

/** Whether `n[at…]` is nearly the normal of all faces around the vertex. */
export function isNormalAtVertex(surface: ProximitySurface, vertex: number, n: Float64Array, at: number): boolean {
  const { vertexStart, vertexTriangles } = surface;
  for (let i = vertexStart[vertex]; i < vertexStart[vertex + 1]; i++) {
    if (!isNormalOf(surface, vertexTriangles[i], n, at)) return false;
  }
  return true;
}

function isNormalOf({ normals }: ProximitySurface, face: number, n: Float64Array, at: number): boolean {
  const o = 3 * face;
  return dot(normals, o, n, at) > SAME_NORMAL;
}

/**
 * Whether going from the edge into either face, at right angles to the edge, goes along `sign` times d or level: d then
 * leads into the body from the edge and −d away from it, and nothing of the faces lies further out along −d.
 */
export function leadsInto(surface: ProximitySurface, edge: number, d: Float64Array, sign: number): boolean {
  return faceRises(surface, edge, 0, d, sign) && faceRises(surface, edge, 1, d, sign);
}

/** The same for one of the faces. */
function faceRises(surface: ProximitySurface, edge: number, side: number, d: Float64Array, sign: number): boolean {
  const { positions, edges, edgeFaces, normals } = surface;
  const face = 3 * edgeFaces[2 * edge + side];
  const other = 3 * edgeFaces[2 * edge + 1 - side];
  if (face < 0 || other < 0) return true;
  // The first face has the edge in its own direction, the second one in the other.
  const from = 3 * edges[2 * edge + side];
  const to = 3 * edges[2 * edge + 1 - side];
  const x = positions[to] - positions[from];
  const y = positions[to + 1] - positions[from + 1];
  const z = positions[to + 2] - positions[from + 2];
  const inX = normals[face + 1] * z - normals[face + 2] * y;
  const inY = normals[face + 2] * x - normals[face] * z;
  const inZ = normals[face] * y - normals[face + 1] * x;
  const rise = sign * (inX * d[0] + inY * d[1] + inZ * d[2]);
  if (rise >= 0) return true;
  const cosine = dot(normals, face, normals, other);
  const tolerance = Math.max(ALONG * ALONG, LEEWAY * LEEWAY * (1 - cosine * cosine));
  const squared = (x * x + y * y + z * z) * dot(d, 0, d, 0);
  return rise * rise <= tolerance * squared;
}
