/**
 * From the nearest point of a triangle to a point, by the Voronoi region of the triangle that the point falls into
 * (Ericson, Real-Time Collision Detection, section 5.1.5). The triangle is nine numbers at `offset` in `corners`; the
 * vector goes into `out[0…2]`, its squared length is given back.
 *
 * Limit cases, each a test: a triangle that is a segment or a point gives the distance to that segment or point;
 * nothing divides by zero.
 */
export function offsetFromTriangle(
  out: Float64Array,
  corners: Float64Array,
  offset: number,
  x: number,
  y: number,
  z: number,
): number {
  const ax = corners[offset];
  const ay = corners[offset + 1];
  const az = corners[offset + 2];
  const abx = corners[offset + 3] - ax;
  const aby = corners[offset + 4] - ay;
  const abz = corners[offset + 5] - az;
  const acx = corners[offset + 6] - ax;
  const acy = corners[offset + 7] - ay;
  const acz = corners[offset + 8] - az;
  const apx = x - ax;
  const apy = y - ay;
  const apz = z - az;

  // The vector to the nearest point is p minus a point of the triangle; each region says which.
  let rx = apx;
  let ry = apy;
  let rz = apz;
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  if (d1 > 0 || d2 > 0) {
    const bpx = apx - abx;
    const bpy = apy - aby;
    const bpz = apz - abz;
    const d3 = abx * bpx + aby * bpy + abz * bpz;
    const d4 = acx * bpx + acy * bpy + acz * bpz;
    const cpx = apx - acx;
    const cpy = apy - acy;
    const cpz = apz - acz;
    const d5 = abx * cpx + aby * cpy + abz * cpz;
    const d6 = acx * cpx + acy * cpy + acz * cpz;
    const towardsC = d4 - d3;
    const towardsB = d5 - d6;
    if (d3 >= 0 && d4 <= d3) {
      rx = bpx;
      ry = bpy;
      rz = bpz;
    } else if (d6 >= 0 && d5 <= d6) {
      rx = cpx;
      ry = cpy;
      rz = cpz;
    } else if (d1 >= 0 && d3 <= 0 && d1 > d3 && d1 * d4 - d3 * d2 <= 0) {
      const t = d1 / (d1 - d3);
      rx = apx - t * abx;
      ry = apy - t * aby;
      rz = apz - t * abz;
    } else if (d2 >= 0 && d6 <= 0 && d2 > d6 && d5 * d2 - d1 * d6 <= 0) {
      const t = d2 / (d2 - d6);
      rx = apx - t * acx;
      ry = apy - t * acy;
      rz = apz - t * acz;
    } else if (towardsC >= 0 && towardsB >= 0 && towardsC + towardsB > 0 && d3 * d6 - d5 * d4 <= 0) {
      const t = towardsC / (towardsC + towardsB);
      rx = bpx - t * (acx - abx);
      ry = bpy - t * (acy - aby);
      rz = bpz - t * (acz - abz);
    } else {
      // Inside: along the normal, taken from the edges and not from the areas above, which cancel badly for slivers.
      const nx = aby * acz - abz * acy;
      const ny = abz * acx - abx * acz;
      const nz = abx * acy - aby * acx;
      const normalSquared = nx * nx + ny * ny + nz * nz;
      const abSquared = abx * abx + aby * aby + abz * abz;
      const acSquared = acx * acx + acy * acy + acz * acz;
      if (normalSquared <= SLIVER * abSquared * acSquared) {
        return offsetFromSliver(out, apx, apy, apz, abx, aby, abz, acx, acy, acz);
      }
      const height = (apx * nx + apy * ny + apz * nz) / normalSquared;
      rx = height * nx;
      ry = height * ny;
      rz = height * nz;
    }
  }
  out[0] = rx;
  out[1] = ry;
  out[2] = rz;
  return rx * rx + ry * ry + rz * rz;
}

/** Squared sine of the corner angle below which a triangle's plane is not to be trusted and its edges are used. */
const SLIVER = 1e-20;

/** The nearest of the three edges; p, b, c relative to the first corner. */
function offsetFromSliver(
  out: Float64Array,
  px: number,
  py: number,
  pz: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
): number {
  const ab = offsetFromSegment(out, px, py, pz, bx, by, bz);
  const ac = offsetFromSegment(out, px, py, pz, cx, cy, cz);
  const bc = offsetFromSegment(out, px - bx, py - by, pz - bz, cx - bx, cy - by, cz - bz);
  if (bc <= ab && bc <= ac) return bc;
  return ab <= ac ? offsetFromSegment(out, px, py, pz, bx, by, bz) : offsetFromSegment(out, px, py, pz, cx, cy, cz);
}

/** From a point, given relative to the segment's start, to the segment along `d`. */
function offsetFromSegment(
  out: Float64Array,
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const length = dx * dx + dy * dy + dz * dz;
  const t = length > 0 ? Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) / length)) : 0;
  out[0] = px - t * dx;
  out[1] = py - t * dy;
  out[2] = pz - t * dz;
  return out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
}
