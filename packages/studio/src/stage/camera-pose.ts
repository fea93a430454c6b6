/**
 * Where the camera is and where it points, as in CAD programs: it rotates about the world's vertical axis and about its
 * own horizontal one, so that the horizon stays level. World frame, z up.
 */
import { MathUtils, Matrix4, Quaternion, type Sphere, Vector3 } from 'three';

export interface CameraPose {
  /** Of the eye, m. */
  readonly position: Vector3;
  /** From the focus to the eye, rad: 0 along x, π/2 along y. */
  azimuth: number;
  /** From the horizon to the eye, rad, −π/2 to π/2. */
  elevation: number;
  /** From the eye to the focus, which lies in the middle of the view, m. */
  distance: number;
}

/** Half angles of what is seen, as tangents. */
export interface CameraOpening {
  readonly halfWidth: number;
  readonly halfHeight: number;
}

export function createCameraPose(): CameraPose {
  return { position: new Vector3(), azimuth: 0, elevation: 0, distance: 1 };
}

export function copyPose(out: CameraPose, from: CameraPose): void {
  out.position.copy(from.position);
  out.azimuth = from.azimuth;
  out.elevation = from.elevation;
  out.distance = from.distance;
}

/** Unit vector from the focus to the eye. */
function writeBackward(out: Vector3, { azimuth, elevation }: CameraPose): Vector3 {
  const level = Math.cos(elevation);
  return out.set(level * Math.cos(azimuth), level * Math.sin(azimuth), Math.sin(elevation));
}

/** Also straight from above, where the direction alone would not say what is up. */
export function writeOrientation(out: Quaternion, pose: CameraPose): Quaternion {
  writeBackward(backward, pose);
  right.set(-Math.sin(pose.azimuth), Math.cos(pose.azimuth), 0);
  up.crossVectors(backward, right);
  return out.setFromRotationMatrix(basis.makeBasis(right, up, backward));
}

export function writeFocus(out: Vector3, pose: CameraPose): Vector3 {
  return writeBackward(out, pose).multiplyScalar(-pose.distance).add(pose.position);
}

/** Puts the eye at the pose's distance from a focus, in the direction it has. */
export function placeFocus(pose: CameraPose, focus: Vector3): void {
  writeBackward(pose.position, pose).multiplyScalar(pose.distance).add(focus);
}

/** Rotates the whole view about a point, which stays where it is seen. */
export function rotateAbout(pose: CameraPose, pivot: Vector3, byAzimuth: number, byElevation: number): void {
  writeOrientation(before, pose).invert();
  pose.azimuth += byAzimuth;
  pose.elevation = MathUtils.clamp(pose.elevation + byElevation, -Math.PI / 2, Math.PI / 2);
  writeOrientation(after, pose);
  pose.position.sub(pivot).applyQuaternion(before).applyQuaternion(after).add(pivot);
}

/** Goes towards a point (factor below 1) or away from it; the point stays where it is seen. */
export function zoomAbout(pose: CameraPose, point: Vector3, factor: number, nearest: number, farthest: number): void {
  const distance = MathUtils.clamp(pose.distance * factor, nearest, farthest);
  pose.position
    .sub(point)
    .multiplyScalar(distance / pose.distance)
    .add(point);
  pose.distance = distance;
}

/** Shows what is in the focus from a direction. `direction` points from there to the eye. */
export function aimFrom(pose: CameraPose, direction: Vector3): void {
  writeFocus(focus, pose);
  const level = Math.hypot(direction.x, direction.y);
  pose.elevation = Math.atan2(direction.z, level);
  // From straight above or below: x to the right, as on a plan.
  pose.azimuth = level < 1e-9 ? -Math.PI / 2 : Math.atan2(direction.y, direction.x);
  placeFocus(pose, focus);
}

/** Brings a sphere into view without rotating. */
export function fitSphere(pose: CameraPose, sphere: Sphere, { halfWidth, halfHeight }: CameraOpening): void {
  pose.distance = sphere.radius / Math.sin(Math.atan(Math.min(halfWidth, halfHeight)));
  placeFocus(pose, sphere.center);
}

/** A pose between two others: directions, focus and (by ratio) distance change evenly. */
export function blendPoses(out: CameraPose, from: CameraPose, to: CameraPose, share: number): void {
  writeFocus(focus, from).lerp(writeFocus(seen, to), share);
  const turn = MathUtils.euclideanModulo(to.azimuth - from.azimuth + Math.PI, 2 * Math.PI) - Math.PI;
  out.azimuth = from.azimuth + share * turn;
  out.elevation = MathUtils.lerp(from.elevation, to.elevation, share);
  out.distance = from.distance * (to.distance / from.distance) ** share;
  placeFocus(out, focus);
}

const backward = new Vector3();
const right = new Vector3();
const up = new Vector3();
const focus = new Vector3();
const seen = new Vector3();
const basis = new Matrix4();
const before = new Quaternion();
const after = new Quaternion();
