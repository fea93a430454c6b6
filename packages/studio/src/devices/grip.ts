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
  /** World pose that the tool starts with, m and quaternion. */
  readonly home: ArrayLike<number>;
  /** While it is, the tool belongs to a device with motors: only `set` moves it. */
  readonly isLocked?: () => boolean;
}

export type Grip = Readonly<ReturnType<typeof createGrip>>;

export function createGrip({ sink, home, isLocked = () => false }: GripOptions) {
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
    /** Position and quaternion, world frame. Changed by the calls below alone. */
    pose,
    /** The same point in the world. */
    readPivot,
    /** Takes on a rotation and brings the pivot to a point of the world. */
    place,
    /** Point of the tool that rotation leaves where it is, body frame. */
    setPivot: (x: number, y: number, z: number) => void pivot.set(x, y, z),
    /** Shifts by a vector of the world. */
    move(x: number, y: number, z: number) {
      if (!isLocked()) moveTo(scratch.set(x, y, z).add(position));
    },
    /** Rotates about an axis of the world through the pivot; the length of the vector is the angle. */
    turn(x: number, y: number, z: number) {
      const axis = scratch.set(x, y, z);
      const angle = axis.length();
      if (angle === 0) return;
      turned.setFromAxisAngle(axis.divideScalar(angle), angle).multiply(rotation);
      place(readPivot(new Vector3()), turned);
    },
    /** Puts the tool to a pose wherever it is. */
    set(newPose: ArrayLike<number>) {
      position.fromArray(newPose as number[], 0);
      rotation.fromArray(newPose as number[], 3).normalize();
      publish();
    },
    /** Buttons that one device holds down, one bit each. The sink gets those of all devices together. */
    press(device: string, held: number) {
      if ((buttonsOf.get(device) ?? 0) === held) return;
      buttonsOf.set(device, held);
      buttons = 0;
      for (const bits of buttonsOf.values()) buttons |= bits;
      publish();
    },
  };
}
