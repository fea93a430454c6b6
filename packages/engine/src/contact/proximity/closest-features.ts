/*
 * Closest points of a point and a triangle, and of two edges, with the weights of the vertices, which contacts between
 * deforming surfaces need and `math/closest-point.ts` does not give. Everything goes through arrays: numbers as
 * arguments of calls that are not inlined would be allocated.
 */

/** Where the closest point of a triangle lies; `ON_EDGE + k` is the edge from corner k, `ON_CORNER + k` corner k. */
export const INSIDE_FACE = 0;
export const ON_EDGE = 1;
export const ON_CORNER = 4;

/** Place of the squared distance, m², after the weights of a triangle's corners, and after the parts of two edges. */
export const CLOSEST_SQUARED = 3;
export const EDGES_SQUARED = 2;

/**
 * Weights of the triangle's corners at the point nearest to `point[0…2]` into `out[0…2]`, the squared distance into
 * `out[CLOSEST_SQUARED]`; gives the part of the triangle it lies on. By Voronoi regions (Ericson, Real-Time Collision Detection,
 * section 5.1.5).
 */
export function closestOnTriangle(
  out: Float64Array,
  positions: Float64Array,
  triangles: Int32Array,
  triangle: number,
  point: Float64Array,
): number {
  const a = 3 * triangles[3 * triangle];
  const b = 3 * triangles[3 * triangle + 1];
  const c = 3 * triangles[3 * triangle + 2];
  const ax = positions[a];
  const ay = positions[a + 1];
  const az = positions[a + 2];
  const abx = positions[b] - ax;
  const aby = positions[b + 1] - ay;
  const abz = positions[b + 2] - az;
  const acx = positions[c] - ax;
  const acy = positions[c + 1] - ay;
  const acz = positions[c + 2] - az;
  const apx = point[0] - ax;
  const apy = point[1] - ay;
  const apz = point[2] - az;
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  const abab = abx * abx + aby * aby + abz * abz;
  const abac = abx * acx + aby * acy + abz * acz;
  const acac = acx * acx + acy * acy + acz * acz;
  const d3 = d1 - abab;
  const d4 = d2 - abac;
  const d5 = d1 - abac;
  const d6 = d2 - acac;
  let weightB = 0;
  let weightC = 0;
  let feature = INSIDE_FACE;
  if (d1 <= 0 && d2 <= 0) {
    feature = ON_CORNER;
  } else if (d3 >= 0 && d4 <= d3) {
    feature = ON_CORNER + 1;
    weightB = 1;
  } else if (d6 >= 0 && d5 <= d6) {
    feature = ON_CORNER + 2;
    weightC = 1;
  } else {
    const areaC = d1 * d4 - d3 * d2;
    const areaB = d5 * d2 - d1 * d6;
    const areaA = d3 * d6 - d5 * d4;
    if (areaC <= 0 && d1 >= 0 && d3 <= 0 && abab > 0) {
      feature = ON_EDGE;
      weightB = d1 / abab;
    } else if (areaB <= 0 && d2 >= 0 && d6 <= 0 && acac > 0) {
      feature = ON_EDGE + 2;
      weightC = d2 / acac;
    } else if (areaA <= 0 && d4 >= d3 && d5 >= d6 && d4 - d3 + d5 - d6 > 0) {
      feature = ON_EDGE + 1;
      weightC = (d4 - d3) / (d4 - d3 + d5 - d6);
      weightB = 1 - weightC;
    } else {
      const sum = areaA + areaB + areaC;
      weightB = sum > 0 ? areaB / sum : 0;
      weightC = sum > 0 ? areaC / sum : 0;
    }
  }
  out[0] = 1 - weightB - weightC;
  out[1] = weightB;
  out[2] = weightC;
  const x = apx - weightB * abx - weightC * acx;
  const y = apy - weightB * aby - weightC * acy;
  const z = apz - weightB * abz - weightC * acz;
  out[CLOSEST_SQUARED] = x * x + y * y + z * z;
  return feature;
}

/** Squared sine of the angle below which two edges count as parallel; what is near then is near at their ends, too. */
const PARALLEL = 1e-8;

/**
 * Where two edges are closest, as parts of their lengths into `out[0]` and `out[1]`, and the squared distance into
 * `out[2]`. False unless both points lie inside their edges: all else is a case for vertices.
 */
export function closestOnEdges(
  out: Float64Array,
  positionsA: Float64Array,
  a0: number,
  a1: number,
  positionsB: Float64Array,
  b0: number,
  b1: number,
): boolean {
  const a = 3 * a0;
  const b = 3 * b0;
  const ux = positionsA[3 * a1] - positionsA[a];
  const uy = positionsA[3 * a1 + 1] - positionsA[a + 1];
  const uz = positionsA[3 * a1 + 2] - positionsA[a + 2];
  const vx = positionsB[3 * b1] - positionsB[b];
  const vy = positionsB[3 * b1 + 1] - positionsB[b + 1];
  const vz = positionsB[3 * b1 + 2] - positionsB[b + 2];
  const wx = positionsA[a] - positionsB[b];
  const wy = positionsA[a + 1] - positionsB[b + 1];
  const wz = positionsA[a + 2] - positionsB[b + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const uw = ux * wx + uy * wy + uz * wz;
  const vw = vx * wx + vy * wy + vz * wz;
  const determinant = uu * vv - uv * uv;
  if (!(determinant > PARALLEL * uu * vv)) return false;
  const s = (uv * vw - vv * uw) / determinant;
  const t = (uu * vw - uv * uw) / determinant;
  if (!(s > 0 && s < 1 && t > 0 && t < 1)) return false;
  const x = wx + s * ux - t * vx;
  const y = wy + s * uy - t * vy;
  const z = wz + s * uz - t * vz;
  out[0] = s;
  out[1] = t;
  out[EDGES_SQUARED] = x * x + y * y + z * z;
  return true;
}

/** Whether the segment from `segment[0…2]` to `segment[3…5]` goes through the triangle. */
export function segmentCrosses(
  positions: Float64Array,
  triangles: Int32Array,
  triangle: number,
  segment: Float64Array,
): boolean {
  const a = 3 * triangles[3 * triangle];
  const b = 3 * triangles[3 * triangle + 1];
  const c = 3 * triangles[3 * triangle + 2];
  const abx = positions[b] - positions[a];
  const aby = positions[b + 1] - positions[a + 1];
  const abz = positions[b + 2] - positions[a + 2];
  const acx = positions[c] - positions[a];
  const acy = positions[c + 1] - positions[a + 1];
  const acz = positions[c + 2] - positions[a + 2];
  const dx = segment[3] - segment[0];
  const dy = segment[4] - segment[1];
  const dz = segment[5] - segment[2];
  const px = dy * acz - dz * acy;
  const py = dz * acx - dx * acz;
  const pz = dx * acy - dy * acx;
  const determinant = abx * px + aby * py + abz * pz;
  if (determinant === 0) return false;
  const inverse = 1 / determinant;
  const sx = segment[0] - positions[a];
  const sy = segment[1] - positions[a + 1];
  const sz = segment[2] - positions[a + 2];
  const u = (sx * px + sy * py + sz * pz) * inverse;
  if (!(u >= 0 && u <= 1)) return false;
  const qx = sy * abz - sz * aby;
  const qy = sz * abx - sx * abz;
  const qz = sx * aby - sy * abx;
  const v = (dx * qx + dy * qy + dz * qz) * inverse;
  if (!(v >= 0 && u + v <= 1)) return false;
  const t = (acx * qx + acy * qy + acz * qz) * inverse;
  return t > 0 && t < 1;
}
