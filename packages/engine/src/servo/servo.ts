import { limitWrench } from '../coupling/limit-wrench.js';
import type { Device } from '../device/device.js';
import { createPose, normalizePose, type Pose } from '../math/pose.js';
import { createMethodOutput, type Method, type MethodOutput } from '../method/method.js';

/** The loop's constant parts and its state, for one device and one tool. */
export interface Servo {
  readonly device: Device;
  readonly method: Method;
  readonly devicePose: Pose;
  readonly output: MethodOutput;
  cycles: number;
  /** Cycles in which the device's limits shortened the wrench. */
  limited: number;
}

export function createServo(device: Device, method: Method): Servo {
  return { device, method, devicePose: createPose(), output: createMethodOutput(), cycles: 0, limited: 0 };
}

/** One cycle: read, compute, limit, write. Call it a thousand times a second; it neither allocates nor throws. */
export function stepServo(servo: Servo): void {
  const { device, method, devicePose, output } = servo;
  device.read(devicePose);
  normalizePose(devicePose);
  method.step(output, devicePose);
  if (limitWrench(output.wrench, device.limits)) servo.limited += 1;
  device.write(output.wrench);
  servo.cycles += 1;
}
