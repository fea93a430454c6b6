import type { RandomSource } from '../base/random.js';
import type { TriangleMesh } from '../mesh/triangle-mesh.js';
import type { Surface } from './surface.js';

/** Random points on a surface, equally many per square metre everywhere. */
export interface SurfaceSamples {
  readonly positions: Float64Array;
  readonly triangle: Uint32Array;
  /** Barycentric weights of the triangle's second and third corner. */
  readonly weights: Float64Array;
  readonly part: Uint32Array;
}

/**
 * `count` samples spread over the area, and one more on every part that got none. The samples are stratified: the
 * surface, laid out triangle after triangle, is cut into `count` pieces of equal area, each of which gets one sample.
 */
export function sampleSurface(
  mesh: TriangleMesh,
  surface: Surface,
  count: number,
  random: RandomSource,
): SurfaceSamples {
  const { area, triangleAreas, part, partLargestTriangle } = surface;
  const last = lastTriangleWithArea(triangleAreas);
  const chosen = new Uint32Array(count + partLargestTriangle.length);
  const partSeen = new Uint8Array(partLargestTriangle.length);
  let triangle = 0;
  let areaPassed = triangleAreas[0];
  for (let i = 0; i < count; i++) {
    const target = ((i + random()) / count) * area;
    while (triangle < last && areaPassed <= target) areaPassed += triangleAreas[++triangle];
    chosen[i] = triangle;
    partSeen[part[triangle]] = 1;
  }
  let total = count;
  for (let missed = 0; missed < partSeen.length; missed++) {
    if (partSeen[missed] === 0) chosen[total++] = partLargestTriangle[missed];
  }
  return placeSamples(mesh, surface, chosen.slice(0, total), random);
}

/** Rounding may leave the last target a hair beyond the sum of all areas; it must not end on an empty triangle. */
function lastTriangleWithArea(triangleAreas: Float64Array): number {
  let last = triangleAreas.length - 1;
  while (last > 0 && triangleAreas[last] === 0) last--;
  return last;
}

function placeSamples(
  mesh: TriangleMesh,
  surface: Surface,
  triangle: Uint32Array,
  random: RandomSource,
): SurfaceSamples {
  const count = triangle.length;
  const positions = new Float64Array(3 * count);
  const weights = new Float64Array(2 * count);
  const part = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    // Uniform in a triangle: the square root turns the uniform number into one that grows with the strip's width.
    const strip = Math.sqrt(random());
    const along = random();
    const second = strip * (1 - along);
    const third = strip * along;
    weights[2 * i] = second;
    weights[2 * i + 1] = third;
    part[i] = surface.part[triangle[i]];
    const a = 3 * mesh.triangles[3 * triangle[i]];
    const b = 3 * mesh.triangles[3 * triangle[i] + 1];
    const c = 3 * mesh.triangles[3 * triangle[i] + 2];
    for (let axis = 0; axis < 3; axis++) {
      positions[3 * i + axis] =
        (1 - strip) * mesh.positions[a + axis] + second * mesh.positions[b + axis] + third * mesh.positions[c + axis];
    }
  }
  return { positions, triangle, weights, part };
}
