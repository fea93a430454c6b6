import { copyPose, type Pose } from '../math/pose.js';
import type { Device, DeviceLimits } from './device.js';

/** What a device said, cycle by cycle, for `createReplayDevice`. */
export interface DeviceSamples {
  /** Number of samples. */
  readonly count: number;
  /** Seven numbers each: position (m), quaternion x, y, z, w. */
  readonly poses: Float64Array;
  /** 1 where there was something new, 2 where that was no pose, else 0; 1 unless given. */
  readonly fresh?: ArrayLike<number>;
  /** Buttons that were held down, one bit each; none unless given. */
  readonly buttons?: ArrayLike<number>;
  /** 1 where the hand had let go of the tool; 0 unless given. */
  readonly released?: ArrayLike<number>;
}

export interface ReplayOptions {
  /** Whether it begins again at the end; else the device falls silent. */
  readonly repeat?: boolean;
  /** As of a device. */
  readonly silentAfter?: number;
}

/**
 * A device that says again what was recorded, one sample per cycle. The wrench goes nowhere.
 *
 * @example
 * ```ts
 * import { createReplayDevice, readTrajectory } from '@palpable/engine';
 *
 * declare const text: string; // CSV with the columns time,px,py,pz,qx,qy,qz,qw
 *
 * const device = createReplayDevice(readTrajectory(text), { force: 12, torque: 0.2 }, { repeat: true });
 * console.log(device.limits.force); // N
 * ```
 */
export function createReplayDevice(samples: DeviceSamples, limits: DeviceLimits, options: ReplayOptions = {}): Device {
  const { count, poses, fresh, buttons, released } = samples;
  const { repeat = false, silentAfter } = options;
  const device = {
    limits,
    buttons: 0,
    isReleased: false,
    ...(silentAfter !== undefined && { silentAfter }),
    cycle: 0,
    read(out: Pose): boolean {
      if (device.cycle === count && repeat) device.cycle = 0;
      const { cycle } = device;
      if (cycle >= count) return false;
      device.cycle += 1;
      device.buttons = buttons ? buttons[cycle] : 0;
      device.isReleased = released ? released[cycle] === 1 : false;
      if (fresh && fresh[cycle] === 0) return false;
      if (fresh && fresh[cycle] === 2) out.fill(Number.NaN);
      else copyPose(out, 0, poses, 7 * cycle);
      return true;
    },
    write(): void {},
  };
  return device;
}
