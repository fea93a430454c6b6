/**
 * The pose that the devices of the page steer for one tool. They take turns: each moves the pose on from where the last
 * one left it, so that a hand can change from the mouse to the gamepad without a jump.
 */
import { Quaternion, Vector3 } from 'three';
import type { PageDeviceSink } from './page-device.js';

/** How far the tool may be taken from where it started, metres; beyond it would be lost from sight. */
const REACH = 1;

export interface GripOptions {
  readonly sink: PageDeviceSink;
  /** World pose that the tool starts with. */
  readonly home: ArrayLike<number>;
  /** While it is, the tool belongs to a device with motors: only `set` moves it. */
  readonly isLocked?: () => boolean;
}

export interface Grip {
  /** Position and quaternion, world frame. Changed by the calls below alone. */
  readonly pose: Float64Array;
  /** Point of the tool that turning leaves where it is, body frame. */
  setPivot(x: number, y: number, z: number): void;
  /** The same point in the world. */
  readPivot(out: Vector3): Vector3;
  /** Shifts by a vector of the world. */
  move(x: number, y: number, z: number): void;
  /** Turns about an axis of the world through the pivot; the length of the vector is the angle. */
  turn(x: number, y: number, z: number): void;
  /** Turns to a rotation and brings the pivot to a point of the world. */
  place(pivot: Vector3, rotation: Quaternion): void;
  /** Puts the tool to a pose wherever it is. */
  set(pose: ArrayLike<number>): void;
  /** Buttons that one device holds down, one bit each. The sink gets those of all devices together. */
  press(device: string, buttons: number): void;
}

export function createGrip({ sink, home, isLocked = () => false }: GripOptions): Grip {
  const pose = Float64Array.from(home);
  const start = new Vector3().fromArray(pose);
  const position = start.clone();
  const rotation = new Quaternion().fromArray(pose, 3);
  const pivot = new Vector3();
  const buttonsOf = new Map<string, number>();
  let buttons = 0;
  const scratch = new Vector3();
  const turned = new Quaternion();

  const publish = () => {
    position.toArray(pose as unknown as number[], 0);
    rotation.toArray(pose as unknown as number[], 3);
    sink.putPose(pose, buttons);
  };
  const moveTo = (target: Vector3) => {
    position.copy(target);
    if (position.distanceTo(start) > REACH) position.sub(start).setLength(REACH).add(start);
    publish();
  };
  const readPivot = (out: Vector3) => out.copy(pivot).applyQuaternion(rotation).add(position);
  const place = (point: Vector3, newRotation: Quaternion) => {
    if (isLocked()) return;
    rotation.copy(newRotation).normalize();
    moveTo(scratch.copy(pivot).applyQuaternion(rotation).negate().add(point));
  };

  return {
    pose,
    readPivot,
    place,
    setPivot: (x, y, z) => void pivot.set(x, y, z),
    move(x, y, z) {
      if (!isLocked()) moveTo(scratch.set(x, y, z).add(position));
    },
    turn(x, y, z) {
      const axis = scratch.set(x, y, z);
      const angle = axis.length();
      if (angle === 0) return;
      turned.setFromAxisAngle(axis.divideScalar(angle), angle).multiply(rotation);
      place(readPivot(new Vector3()), turned);
    },
    set(newPose) {
      position.fromArray(newPose as number[], 0);
      rotation.fromArray(newPose as number[], 3).normalize();
      publish();
    },
    press(device, held) {
      if ((buttonsOf.get(device) ?? 0) === held) return;
      buttonsOf.set(device, held);
      buttons = 0;
      for (const bits of buttonsOf.values()) buttons |= bits;
      publish();
    },
  };
}
