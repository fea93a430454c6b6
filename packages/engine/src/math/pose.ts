import { length4 } from './portable.js';
/**
 * Rigid poses as seven numbers in one `Float64Array`: position x, y, z, then the unit quaternion x, y, z, w. A point of
 * the body frame stands in the world at `R p + t`. Flat numbers, because poses cross threads, files and the cycle, and
 * none of these may allocate.
 *
 * Destination first, owned by the caller. A destination may be one of the sources.
 */
export type Pose = Float64Array;

/** A rotation as nine numbers, row by row, so that a cycle converts the quaternion once and not per point. */
export type Matrix3 = Float64Array;

/** A pose from a position (m) and a quaternion x, y, z, w of length 1; the origin without a rotation unless given. */
export function createPose(px = 0, py = 0, pz = 0, qx = 0, qy = 0, qz = 0, qw = 1): Pose {
  const pose = new Float64Array(7);
  pose[0] = px;
  pose[1] = py;
  pose[2] = pz;
  pose[3] = qx;
  pose[4] = qy;
  pose[5] = qz;
  pose[6] = qw;
  return pose;
}

/** Copies seven numbers, from offset `at` of `from` to offset `o` of `out`: a pose among other numbers, or one alone. */
export function copyPose(out: Float64Array, o: number, from: Float64Array, at: number): void {
  for (let i = 0; i < 7; i += 1) out[o + i] = from[at + i];
}

/** Writes the rotation of `pose` as a matrix; the quaternion is taken as it is and should have length 1. */
export function rotationMatrix(out: Matrix3, pose: Pose): Matrix3 {
  const x = pose[3];
  const y = pose[4];
  const z = pose[5];
  const w = pose[6];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - w * z);
  out[2] = 2 * (x * z + w * y);
  out[3] = 2 * (x * y + w * z);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - w * x);
  out[6] = 2 * (x * z - w * y);
  out[7] = 2 * (y * z + w * x);
  out[8] = 1 - 2 * (x * x + y * y);
  return out;
}

/** `out = frame⁻¹ · pose`: the pose as seen from `frame`. */
export function relativePose(out: Pose, frame: Pose, pose: Pose): Pose {
  const fx = -frame[3];
  const fy = -frame[4];
  const fz = -frame[5];
  const fw = frame[6];
  const qx = pose[3];
  const qy = pose[4];
  const qz = pose[5];
  const qw = pose[6];
  const px = pose[0] - frame[0];
  const py = pose[1] - frame[1];
  const pz = pose[2] - frame[2];
  // v' = v + 2 w (u × v) + 2 u × (u × v), with the conjugate quaternion (u, w) of the frame.
  const cx = 2 * (fy * pz - fz * py);
  const cy = 2 * (fz * px - fx * pz);
  const cz = 2 * (fx * py - fy * px);
  out[0] = px + fw * cx + fy * cz - fz * cy;
  out[1] = py + fw * cy + fz * cx - fx * cz;
  out[2] = pz + fw * cz + fx * cy - fy * cx;
  out[3] = fw * qx + fx * qw + fy * qz - fz * qy;
  out[4] = fw * qy + fy * qw + fz * qx - fx * qz;
  out[5] = fw * qz + fz * qw + fx * qy - fy * qx;
  out[6] = fw * qw - fx * qx - fy * qy - fz * qz;
  return out;
}

/** `out = frame · pose`: the pose, given in `frame`, as seen from where the frame is given. */
export function composePose(out: Pose, frame: Pose, pose: Pose): Pose {
  const fx = frame[3];
  const fy = frame[4];
  const fz = frame[5];
  const fw = frame[6];
  const qx = pose[3];
  const qy = pose[4];
  const qz = pose[5];
  const qw = pose[6];
  const px = pose[0];
  const py = pose[1];
  const pz = pose[2];
  const cx = 2 * (fy * pz - fz * py);
  const cy = 2 * (fz * px - fx * pz);
  const cz = 2 * (fx * py - fy * px);
  out[0] = frame[0] + px + fw * cx + fy * cz - fz * cy;
  out[1] = frame[1] + py + fw * cy + fz * cx - fx * cz;
  out[2] = frame[2] + pz + fw * cz + fx * cy - fy * cx;
  out[3] = fw * qx + fx * qw + fy * qz - fz * qy;
  out[4] = fw * qy + fy * qw + fz * qx - fx * qz;
  out[5] = fw * qz + fz * qw + fx * qy - fy * qx;
  out[6] = fw * qw - fx * qx - fy * qy - fz * qz;
  return out;
}

/** The same as `transformPoint` for a point in an array: numbers that a function is handed may be allocated. */
export function placePoint(out: Float64Array, pose: Pose, point: ArrayLike<number>): Float64Array {
  const x = point[0];
  const y = point[1];
  const z = point[2];
  const cx = 2 * (pose[4] * z - pose[5] * y);
  const cy = 2 * (pose[5] * x - pose[3] * z);
  const cz = 2 * (pose[3] * y - pose[4] * x);
  out[0] = pose[0] + x + pose[6] * cx + pose[4] * cz - pose[5] * cy;
  out[1] = pose[1] + y + pose[6] * cy + pose[5] * cx - pose[3] * cz;
  out[2] = pose[2] + z + pose[6] * cz + pose[3] * cy - pose[4] * cx;
  return out;
}

/** `out = R point + t`: from the body frame to the world, metres; three numbers at the start of `out`. */
export function transformPoint(out: Float64Array, pose: Pose, x: number, y: number, z: number): Float64Array {
  const qx = pose[3];
  const qy = pose[4];
  const qz = pose[5];
  const qw = pose[6];
  const cx = 2 * (qy * z - qz * y);
  const cy = 2 * (qz * x - qx * z);
  const cz = 2 * (qx * y - qy * x);
  out[0] = pose[0] + x + qw * cx + qy * cz - qz * cy;
  out[1] = pose[1] + y + qw * cy + qz * cx - qx * cz;
  out[2] = pose[2] + z + qw * cz + qx * cy - qy * cx;
  return out;
}

/** Scales the quaternion to length 1. False, and the pose untouched, when it has no direction to keep. */
export function normalizePose(pose: Pose): boolean {
  const length = length4(pose[3], pose[4], pose[5], pose[6]);
  if (!(length > 1e-12) || length === Number.POSITIVE_INFINITY) return false;
  pose[3] /= length;
  pose[4] /= length;
  pose[5] /= length;
  pose[6] /= length;
  return true;
}

/** A pose that is not finite has a sum that is not finite, whatever number of it is wrong. */
export function isFinitePose(pose: Pose): boolean {
  const sum = pose[0] + pose[1] + pose[2] + pose[3] + pose[4] + pose[5] + pose[6];
  return sum - sum === 0;
}
