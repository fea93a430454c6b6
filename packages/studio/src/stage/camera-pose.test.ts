import { PerspectiveCamera, Sphere, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import {
  aimFrom,
  blendPoses,
  type CameraPose,
  createCameraPose,
  fitSphere,
  placeFocus,
  rotateAbout,
  writeFocus,
  writeOrientation,
  zoomAbout,
} from './camera-pose.js';

function createPose(): CameraPose {
  const pose = createCameraPose();
  pose.azimuth = -1.2;
  pose.elevation = 0.4;
  pose.distance = 1.5;
  placeFocus(pose, new Vector3(0.1, -0.2, 0.3));
  return pose;
}

/** Where a point is seen, −1 to 1 each way. */
function project(pose: CameraPose, point: Vector3): Vector3 {
  const camera = new PerspectiveCamera(32, 1.6, 0.01, 20);
  camera.position.copy(pose.position);
  writeOrientation(camera.quaternion, pose);
  camera.updateMatrixWorld();
  return point.clone().project(camera);
}

const POINT = new Vector3(0.25, 0.1, 0.2);

describe('camera pose', () => {
  it('shows the focus in the middle', () => {
    const { x, y } = project(createPose(), new Vector3(0.1, -0.2, 0.3));
    expect(Math.abs(x) + Math.abs(y)).toBeLessThan(1e-12);
  });

  it('turns about a point that stays where it is seen', () => {
    const pose = createPose();
    const before = project(pose, POINT);
    rotateAbout(pose, POINT, 0.7, -0.3);
    expect(project(pose, POINT).distanceTo(before)).toBeLessThan(1e-9);
    expect(pose.azimuth).toBeCloseTo(-0.5, 12);
    expect(pose.elevation).toBeCloseTo(0.1, 12);
  });

  it('keeps the horizon level and stops at the poles', () => {
    const pose = createPose();
    rotateAbout(pose, POINT, 0.4, 9);
    expect(pose.elevation).toBe(Math.PI / 2);
    rotateAbout(pose, POINT, 0.4, -0.6);
    const rightward = new Vector3(1, 0, 0).applyQuaternion(writeOrientation(new PerspectiveCamera().quaternion, pose));
    expect(rightward.z).toBeCloseTo(0, 12);
  });

  it('zooms to a point that stays where it is seen, within limits', () => {
    const pose = createPose();
    const before = project(pose, POINT);
    zoomAbout(pose, POINT, 0.5, 0.1, 6);
    expect(pose.distance).toBeCloseTo(0.75, 12);
    const { x, y } = project(pose, POINT).sub(before);
    expect(Math.hypot(x, y)).toBeLessThan(1e-9);
    zoomAbout(pose, POINT, 1e-9, 0.1, 6);
    expect(pose.distance).toBe(0.1);
    zoomAbout(pose, POINT, 1e9, 0.1, 6);
    expect(pose.distance).toBe(6);
  });

  it.each([
    ['front', new Vector3(0, -1, 0), new Vector3(1, 0, 0), new Vector3(0, 0, 1)],
    ['right', new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)],
    ['top', new Vector3(0, 0, 1), new Vector3(1, 0, 0), new Vector3(0, 1, 0)],
  ])('looks from the %s with the focus kept', (_name, direction, rightward, upward) => {
    const pose = createPose();
    aimFrom(pose, direction);
    const focus = writeFocus(new Vector3(), pose);
    expect(focus.distanceTo(new Vector3(0.1, -0.2, 0.3))).toBeLessThan(1e-12);
    expect(project(pose, focus.clone().addScaledVector(rightward, 0.1)).x).toBeGreaterThan(0.1);
    expect(project(pose, focus.clone().addScaledVector(upward, 0.1)).y).toBeGreaterThan(0.1);
  });

  it('fits a sphere: its outline touches the nearer edges of the view', () => {
    const pose = createPose();
    const sphere = new Sphere(new Vector3(0, 0.1, 0.2), 0.3);
    const halfHeight = Math.tan((16 * Math.PI) / 180);
    fitSphere(pose, sphere, { halfHeight, halfWidth: 1.6 * halfHeight });
    expect(pose.position.distanceTo(sphere.center)).toBeCloseTo(0.3 / Math.sin((16 * Math.PI) / 180), 9);
    expect(project(pose, sphere.center).length()).toBeLessThan(1.01);
  });

  it('blends the short way round and ends where it should', () => {
    const from = createPose();
    const to = createPose();
    from.azimuth = 3;
    to.azimuth = -3;
    const between = createCameraPose();
    blendPoses(between, from, to, 0.5);
    expect(Math.cos(between.azimuth)).toBeCloseTo(-1, 12);
    placeFocus(to, POINT);
    blendPoses(between, from, to, 1);
    expect(between.position.distanceTo(to.position)).toBeLessThan(1e-12);
    expect(writeFocus(new Vector3(), between).distanceTo(writeFocus(new Vector3(), to))).toBeLessThan(1e-12);
  });
});
