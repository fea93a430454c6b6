import { acosOf, square } from '../math/portable.js';
import { triangleCross } from '../mesh/triangle-geometry.js';
import { type TriangleMesh, triangleCount } from '../mesh/triangle-mesh.js';

/** Unit normals of all triangles; zero for those without area. */
export function unitNormals(mesh: TriangleMesh): Float64Array {
  const normals = new Float64Array(3 * triangleCount(mesh));
  for (let t = 0; t < triangleCount(mesh); t++) {
    const normal = normals.subarray(3 * t, 3 * t + 3);
    triangleCross(normal, mesh, t);
    const length = Math.sqrt(square(normal[0]) + square(normal[1]) + square(normal[2]));
    for (let axis = 0; axis < 3; axis++) normal[axis] = length > 0 ? normal[axis] / length : 0;
  }
  return normals;
}

export interface NormalCone {
  readonly axis: readonly [number, number, number];
  /** Largest angle between the axis and a normal, rad. π if the normals cancel. */
  readonly spread: number;
}

/** Area-weighted sum of normals below which there is no mean, as a part of the area. */
const CANCELLED = 1e-9;

/** Mean normal of a patch, weighted by area, and how far its triangles turn away from it. */
export function normalCone(mesh: TriangleMesh, normals: Float64Array, patch: ArrayLike<number>): NormalCone {
  const cross = new Float64Array(3);
  const sum: [number, number, number] = [0, 0, 0];
  let area = 0;
  for (let i = 0; i < patch.length; i++) {
    triangleCross(cross, mesh, patch[i]);
    for (let axis = 0; axis < 3; axis++) sum[axis] += cross[axis];
    area += Math.sqrt(square(cross[0]) + square(cross[1]) + square(cross[2]));
  }
  const length = Math.sqrt(square(sum[0]) + square(sum[1]) + square(sum[2]));
  if (!(length > CANCELLED * area)) return { axis: [0, 0, 1], spread: Math.PI };
  const [x, y, z] = [sum[0] / length, sum[1] / length, sum[2] / length];
  let least = 1;
  for (let i = 0; i < patch.length; i++) {
    const at = 3 * patch[i];
    const isDegenerate = normals[at] === 0 && normals[at + 1] === 0 && normals[at + 2] === 0;
    if (!isDegenerate) least = Math.min(least, x * normals[at] + y * normals[at + 1] + z * normals[at + 2]);
  }
  return { axis: [x, y, z], spread: acosOf(Math.max(-1, least)) };
}
