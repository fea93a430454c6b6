/** What all devices of the page have in common. Poses are world poses of the tool's body frame, in metres. */
import type { DeviceLimits } from '@palpable/engine';
import type { PortMemory } from '@palpable/engine/advanced';

/**
 * Of the devices without motors, which shake at most. A port between the page and the loop is opened with these limits, so
 * that full force means the same for both ends.
 */
export const PAGE_DEVICE_LIMITS: DeviceLimits = { force: 10, torque: 0.5 };

/** Where the poses go; a `PortHost` of the engine is one. */
export interface PageDeviceSink {
  /** Position, then the quaternion x, y, z, w; one bit per button that is held down. */
  putPose(pose: Float64Array, buttons: number): void;
}

/** A sink that also gives what is to be rendered: force (N), then torque (N m), world frame. */
export interface PageDevicePort extends PageDeviceSink {
  takeWrench(out: Float64Array, nowMs: number): void;
}

/** The loop as a device with motors needs it. */
export interface MotorLoop {
  /** Starts the loop again: with these limits and no smoothing, or, for undefined, again for devices without motors. */
  setMotor(limits: DeviceLimits | undefined): void;
  /**
   * Who is to get the port of a loop with motors, as soon as that loop has been heard, and undefined when it has
   * ended. From the first to the second the page leaves the port alone.
   */
  onPort(listener: (port: PortMemory | undefined) => void): void;
}

/** Directions of the view in the world, unit vectors. */
export type ViewAxes = Readonly<ReturnType<typeof createViewAxes>>;

export type DeviceState =
  /** This browser cannot reach such a device at all. */
  | 'unsupported'
  /** Nothing answers, but something could. */
  | 'absent'
  | 'connecting'
  | 'connected'
  /** Somebody said no: the user, the browser, the system. */
  | 'refused'
  | 'failed';

export interface DeviceStatus {
  readonly state: DeviceState;
  /** One or two sentences for people: what is, and what to do about it. */
  readonly text: string;
  /** Numbers that change all the time; not read aloud. */
  readonly detail?: string;
}

export interface PageDevice {
  /** Whether `step` has something to do, or may have without notice. */
  readonly isBusy: boolean;
  /** Reads the device and moves the tool by what happened in the last `dt` seconds. Called once per frame. */
  step(dt: number): void;
  /** Lets the hand feel a wrench, as far as the device can. Called once per frame; `nowMs` never runs backwards. */
  feel(wrench: Float64Array, nowMs: number): void;
  close(): void;
}

export function createViewAxes() {
  return {
    right: Float64Array.of(1, 0, 0),
    up: Float64Array.of(0, 0, 1),
    /** From the eye into the view. */
    away: Float64Array.of(0, 1, 0),
  };
}
