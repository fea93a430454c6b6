import { type Pose, rotationMatrix } from './pose.js';

/**
 * Rotation vectors: the axis times the angle. Made of sums, products, quotients and square roots only, whose rounding
 * every machine agrees on; sines from the host's library may differ in the last bit between hosts, and then so would a
 * replay.
 */

/** How often an angle is halved before its series is summed: from π to below 0.2. */
const HALVINGS = 4;

/**
 * The rotation vector log(q_to · q_from⁻¹) that takes the rotation of `from` to that of `to`, the shorter of the two, into
 * the first three numbers of `out`. World frame, radians.
 */
export function rotationBetween(out: Float64Array, from: Pose, to: Pose): void {
  const ax = to[3];
  const ay = to[4];
  const az = to[5];
  const aw = to[6];
  const bx = -from[3];
  const by = -from[4];
  const bz = -from[5];
  const bw = from[6];
  let x = aw * bx + ax * bw + ay * bz - az * by;
  let y = aw * by + ay * bw + az * bx - ax * bz;
  let z = aw * bz + az * bw + ax * by - ay * bx;
  let w = aw * bw - ax * bx - ay * by - az * bz;
  if (w < 0) {
    x = -x;
    y = -y;
    z = -z;
    w = -w;
  }
  // Halving the angle: sin(a/2) = sin a / √(2 (1 + cos a)).
  let scale = 2;
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const shrink = 1 / Math.sqrt(2 * (1 + w));
    x *= shrink;
    y *= shrink;
    z *= shrink;
    w = Math.sqrt(0.5 * (1 + w));
    scale *= 2;
  }
  // asin(s) / s
  const s = x * x + y * y + z * z;
  const series = 1 + s * (1 / 6 + s * (3 / 40 + s * (5 / 112 + s * (35 / 1152 + s * (63 / 2816 + s * (231 / 13312))))));
  scale *= series;
  out[0] = x * scale;
  out[1] = y * scale;
  out[2] = z * scale;
}

/** Rotates `pose` about its own origin by the rotation vector of three numbers at `at` in `rotation`: q ← exp(ω) q. */
export function turnPose(pose: Pose, rotation: Float64Array, at: number): void {
  let shrink = 0.5;
  for (let halving = 0; halving < HALVINGS; halving += 1) shrink *= 0.5;
  const hx = rotation[at] * shrink;
  const hy = rotation[at + 1] * shrink;
  const hz = rotation[at + 2] * shrink;
  const s = hx * hx + hy * hy + hz * hz;
  const sine = 1 - (s / 6) * (1 - (s / 20) * (1 - (s / 42) * (1 - (s / 72) * (1 - s / 110))));
  let x = hx * sine;
  let y = hy * sine;
  let z = hz * sine;
  let w = 1 - (s / 2) * (1 - (s / 12) * (1 - (s / 30) * (1 - (s / 56) * (1 - s / 90))));
  for (let halving = 0; halving < HALVINGS; halving += 1) {
    const double = 2 * w;
    w = w * w - x * x - y * y - z * z;
    x *= double;
    y *= double;
    z *= double;
  }
  const qx = pose[3];
  const qy = pose[4];
  const qz = pose[5];
  const qw = pose[6];
  const px = w * qx + x * qw + y * qz - z * qy;
  const py = w * qy + y * qw + z * qx - x * qz;
  const pz = w * qz + z * qw + x * qy - y * qx;
  const pw = w * qw - x * qx - y * qy - z * qz;
  const unit = 1 / Math.sqrt(px * px + py * py + pz * pz + pw * pw);
  pose[3] = px * unit;
  pose[4] = py * unit;
  pose[5] = pz * unit;
  pose[6] = pw * unit;
}

/**
 * Moves `pose` by a twist about the centre of mass, as a screw: that goes along an arc, Δx + ½ Δω × Δx. On a straight line
 * contacts that only roll would slip by the square of the step, always to the same side, and a tool that is loaded again and
 * again would wander. `centre` is where the centre of mass is in the world, m, and moves along; `bodyCentre` where it is in
 * the body; `rotation`, nine numbers, becomes that of the new pose.
 */
export function moveAsScrew(
  pose: Pose,
  centre: Float64Array,
  rotation: Float64Array,
  bodyCentre: ArrayLike<number>,
  step: Float64Array,
): void {
  centre[0] += step[0] + 0.5 * (step[4] * step[2] - step[5] * step[1]);
  centre[1] += step[1] + 0.5 * (step[5] * step[0] - step[3] * step[2]);
  centre[2] += step[2] + 0.5 * (step[3] * step[1] - step[4] * step[0]);
  turnPose(pose, step, 3);
  rotationMatrix(rotation, pose);
  for (let i = 0; i < 3; i += 1) {
    pose[i] =
      centre[i] -
      rotation[3 * i] * bodyCentre[0] -
      rotation[3 * i + 1] * bodyCentre[1] -
      rotation[3 * i + 2] * bodyCentre[2];
  }
}
