/**
 * The clutch between a controller that is somewhere in the room and the tool. While it is engaged the tool repeats the
 * controller's motion from where it is; released, the hand can be brought back without the tool. Shifts are those of
 * the controller times a scale; rotations are its own, about the tool's pivot: a rotation of the wrist does not swing a tool
 * that is an arm's length away.
 */
import { Quaternion, Vector3 } from 'three';
import type { Grip } from './grip.js';

/** @param scale metres of the tool per metre of the controller */
export function createClutch(grip: Grip, scale: number) {
  const controllerStart = new Vector3();
  const controllerTurnBack = new Quaternion();
  const pivotStart = new Vector3();
  const rotationStart = new Quaternion();
  const point = new Vector3();
  const rotated = new Quaternion();
  let isEngaged = false;

  return {
    get isEngaged() {
      return isEngaged;
    },
    /** Takes the tool along from the controller's present pose on. */
    engage(position: Vector3, rotation: Quaternion) {
      isEngaged = true;
      controllerStart.copy(position);
      controllerTurnBack.copy(rotation).invert();
      grip.readPivot(pivotStart);
      rotationStart.fromArray(grip.pose, 3);
    },
    /** The controller has moved; world frame. */
    follow(position: Vector3, rotation: Quaternion) {
      if (!isEngaged) return;
      point.copy(position).sub(controllerStart).multiplyScalar(scale).add(pivotStart);
      rotated.copy(rotation).multiply(controllerTurnBack).multiply(rotationStart);
      grip.place(point, rotated);
    },
    release() {
      isEngaged = false;
    },
  };
}
