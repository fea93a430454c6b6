import type { Device, DeviceLimits } from '../device/device.js';
import { createPose, type Pose } from '../math/pose.js';
import type { Method, MethodOutput } from '../method/method.js';

/** A device that says what a test wants it to. */
export class PuppetDevice implements Device {
  readonly limits: DeviceLimits;
  readonly silentAfter?: number;
  readonly pose = createPose();
  speaks = true;
  isReleased = false;
  buttons = 0;
  /** The last wrench. */
  readonly felt = new Float64Array(6);

  constructor(limits: DeviceLimits = { force: 10, torque: 1 }, silentAfter?: number) {
    this.limits = limits;
    if (silentAfter !== undefined) this.silentAfter = silentAfter;
  }

  read(out: Pose): boolean {
    if (this.speaks) out.set(this.pose);
    return this.speaks;
  }

  write(wrench: Float64Array): void {
    this.felt.set(wrench);
  }
}

/** A method that gives what a test wants it to; its tool is where the device is, unless told. */
export class PuppetMethod implements Method {
  readonly wrench: Float64Array;
  tool: Pose | null = null;
  depth = 0;
  steps = 0;
  readonly resets: number[][] = [];

  constructor(...wrench: number[]) {
    this.wrench = new Float64Array(6);
    this.wrench.set(wrench);
  }

  step(output: MethodOutput, devicePose: Pose): void {
    output.wrench.set(this.wrench);
    output.toolPose.set(this.tool ?? devicePose);
    output.maxPenetration = this.depth;
    this.steps += 1;
  }

  reset(pose: Pose): void {
    this.resets.push([...pose]);
  }
}
