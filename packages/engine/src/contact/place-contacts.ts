import type { Pose } from '../math/pose.js';
import type { ContactQuery } from './contact-query.js';
import type { ContactSet } from './contact-set.js';

/** Brings the contacts found on this level into the world. */
export function addContacts(query: ContactQuery, set: ContactSet, shellPose: Pose, centre: Float64Array): void {
  const { workspace, shell } = query;
  const { found, foundDistance, foundCount, gradient, edge, shellRotation, fieldRotation } = workspace;
  const { points, normals, cone, along, share } = shell;
  const { position, normal, arm, gradient: outGradient } = set;
  // Read once: the arrays that are written might be these, for all the compiler knows.
  const s0 = shellRotation[0];
  const s1 = shellRotation[1];
  const s2 = shellRotation[2];
  const s3 = shellRotation[3];
  const s4 = shellRotation[4];
  const s5 = shellRotation[5];
  const s6 = shellRotation[6];
  const s7 = shellRotation[7];
  const s8 = shellRotation[8];
  const f0 = fieldRotation[0];
  const f1 = fieldRotation[1];
  const f2 = fieldRotation[2];
  const f3 = fieldRotation[3];
  const f4 = fieldRotation[4];
  const f5 = fieldRotation[5];
  const f6 = fieldRotation[6];
  const f7 = fieldRotation[7];
  const f8 = fieldRotation[8];
  const atX = shellPose[0];
  const atY = shellPose[1];
  const atZ = shellPose[2];
  const centreX = centre[0];
  const centreY = centre[1];
  const centreZ = centre[2];
  // The tool is pushed along the field's gradient if it carries the shell, against the shell's outward normals then.
  const side = query.shellOn === 'tool' ? 1 : -1;
  for (let n = 0; n < foundCount; n += 1) {
    const at = set.count + n;
    const p = 3 * found[n];
    const o = 3 * at;
    const px = points[p];
    const py = points[p + 1];
    const pz = points[p + 2];
    const x = s0 * px + s1 * py + s2 * pz + atX;
    const y = s3 * px + s4 * py + s5 * pz + atY;
    const z = s6 * px + s7 * py + s8 * pz + atZ;
    position[o] = x;
    position[o + 1] = y;
    position[o + 2] = z;
    arm[o] = x - centreX;
    arm[o + 1] = y - centreY;
    arm[o + 2] = z - centreZ;
    const nx = -side * normals[p];
    const ny = -side * normals[p + 1];
    const nz = -side * normals[p + 2];
    normal[o] = s0 * nx + s1 * ny + s2 * nz;
    normal[o + 1] = s3 * nx + s4 * ny + s5 * nz;
    normal[o + 2] = s6 * nx + s7 * ny + s8 * nz;
    const gx = side * gradient[p];
    const gy = side * gradient[p + 1];
    const gz = side * gradient[p + 2];
    outGradient[o] = f0 * gx + f1 * gy + f2 * gz;
    outGradient[o + 1] = f3 * gx + f4 * gy + f5 * gz;
    outGradient[o + 2] = f6 * gx + f7 * gy + f8 * gz;
    if (cone[found[n]] < 1) {
      const ex = along[p];
      const ey = along[p + 1];
      const ez = along[p + 2];
      edge[0] = s0 * ex + s1 * ey + s2 * ez;
      edge[1] = s3 * ex + s4 * ey + s5 * ez;
      edge[2] = s6 * ex + s7 * ey + s8 * ez;
      leanNormal(set, o, cone, found[n], edge);
    }
    set.depth[at] = -foundDistance[n];
    set.point[at] = found[n];
    set.share[at] = share[found[n]];
    set.stiffness[at] = 0;
  }
  set.count += foundCount;
}

/**
 * The normal of an edge or a corner is the one of its cone that is nearest to the gradient: what it touches says which.
 * Gradients that lead out of the other side of something thin do not count.
 */
function leanNormal(
  { normal, gradient }: ContactSet,
  o: number,
  cone: Float64Array,
  point: number,
  edge: Float64Array,
): void {
  const least = cone[point];
  // An edge does not push along itself.
  const own = gradient[o] * edge[0] + gradient[o + 1] * edge[1] + gradient[o + 2] * edge[2];
  const gx = gradient[o] - own * edge[0];
  const gy = gradient[o + 1] - own * edge[1];
  const gz = gradient[o + 2] - own * edge[2];
  const length = Math.sqrt(gx * gx + gy * gy + gz * gz);
  if (!(length > LEAST_GRADIENT)) return;
  const nx = normal[o];
  const ny = normal[o + 1];
  const nz = normal[o + 2];
  const along = (gx * nx + gy * ny + gz * nz) / length;
  if (along >= least) {
    normal[o] = gx / length;
    normal[o + 1] = gy / length;
    normal[o + 2] = gz / length;
    return;
  }
  // On the border of the cone, in the plane of its axis and the gradient.
  const tx = gx / length - along * nx;
  const ty = gy / length - along * ny;
  const tz = gz / length - along * nz;
  const across = Math.sqrt(tx * tx + ty * ty + tz * tz);
  if (!(across > LEAST_GRADIENT)) return;
  const lean = Math.sqrt(1 - least * least) / across;
  normal[o] = least * nx + lean * tx;
  normal[o + 1] = least * ny + lean * ty;
  normal[o + 2] = least * nz + lean * tz;
}

/** A shorter one has no direction to speak of. */
const LEAST_GRADIENT = 1e-3;
