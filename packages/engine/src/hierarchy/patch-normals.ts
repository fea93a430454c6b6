import { acosOf, lengthOf } from '../math/portable.js';
import { lengthAt, normalise } from '../math/vectors.js';
import { triangleCross } from '../mesh/triangle-geometry.js';
import { type TriangleMesh, triangleCount } from '../mesh/triangle-mesh.js';

/** Unit normals of all triangles; zero for those without area. */
export function unitNormals(mesh: TriangleMesh): Float64Array {
  const normals = new Float64Array(3 * triangleCount(mesh));
  for (let t = 0; t < triangleCount(mesh); t++) {
    triangleCross(normals.subarray(3 * t, 3 * t + 3), mesh, t);
    normalise(normals, 3 * t);
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
    area += lengthAt(cross, 0);
  }
  const length = lengthOf(sum);
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
