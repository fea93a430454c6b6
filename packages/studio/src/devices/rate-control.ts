/**
 * Rate control: how far a stick or a knob is pushed says how fast the tool moves, since such a device reaches only a
 * few millimetres and springs back.
 *
 * Directions stand upright and follow the heading of the view: right is the view's right, up is the world's z, forward
 * lies level and leads into the view. Seen from above or from the side, a push down is therefore a push down.
 */
import type { Grip } from './grip.js';
import { createViewAxes, type DeviceStatus, type ViewAxes } from './page-device.js';

/** Speed of the tool at full deflection, m/s: across the scene in two seconds. */
const FULL_SPEED = 0.25;
/** The same of a rotation, rad/s. */
const FULL_TURN_RATE = 1.5;
/** A page that slept must not jump, seconds. */
const LONGEST_STEP = 0.1;

/** What a device needs that moves the tool by rates. */
export interface RateDeviceOptions {
  readonly grip: Grip;
  readonly readView: (out: ViewAxes) => void;
  readonly onStatus: (status: DeviceStatus) => void;
  /** Called when `isBusy` became true. */
  readonly onBusy: () => void;
}

/**
 * @param deadZone share of the deflection that counts as none. Too small, and a worn stick that does not come back to its
 *   middle makes the tool creep; too large, and small motions are lost.
 */
export function createRateControl(grip: Grip, readView: (out: ViewAxes) => void, deadZone: number) {
  const deflection = new Float64Array(6);
  const shaped = new Float64Array(6);
  const view = createViewAxes();
  const heading = new Float64Array(2);

  return {
    /**
     * Written by the driver, each −1 to 1: to the right, forward, up, then rotations, right-handed, about right, forward and up.
     */
    deflection,
    /** Whether a step would move anything. */
    get isDeflected() {
      return deflection.some((part) => Math.abs(part) > deadZone);
    },
    /** Moves the tool for `dt` seconds. */
    step(dt: number) {
      const seconds = Math.min(dt, LONGEST_STEP);
      let hasMoved = false;
      let hasRotated = false;
      for (let k = 0; k < 6; k += 1) {
        shaped[k] = shapeDeflection(deflection[k]!, deadZone) * seconds * (k < 3 ? FULL_SPEED : FULL_TURN_RATE);
        if (shaped[k] !== 0 && k < 3) hasMoved = true;
        if (shaped[k] !== 0 && k >= 3) hasRotated = true;
      }
      if (!hasMoved && !hasRotated) return;
      readView(view);
      readHeading(heading, view);
      if (hasMoved) alongHeading(heading, shaped, 0, grip.move);
      if (hasRotated) alongHeading(heading, shaped, 3, grip.turn);
    },
    /** Lets go of everything. */
    release: () => void deflection.fill(0),
  };
}

/** Nothing within the dead zone, then a square: fine control near the middle, full speed at the end. */
export function shapeDeflection(deflection: number, deadZone: number): number {
  if (!Number.isFinite(deflection)) return 0;
  const beyond = (Math.min(1, Math.abs(deflection)) - deadZone) / (1 - deadZone);
  return beyond <= 0 ? 0 : Math.sign(deflection) * beyond * beyond;
}

/** The view's right without its part along z, of length 1. A view that is tilted onto its side keeps the world's x. */
function readHeading(out: Float64Array, { right }: ViewAxes): void {
  const length = Math.sqrt(right[0]! * right[0]! + right[1]! * right[1]!);
  out[0] = length > 1e-6 ? right[0]! / length : 1;
  out[1] = length > 1e-6 ? right[1]! / length : 0;
}

/** Calls `apply` with the vector of the world that three numbers from `first` on stand for. */
function alongHeading(
  heading: Float64Array,
  parts: Float64Array,
  first: number,
  apply: (x: number, y: number, z: number) => void,
): void {
  const right = parts[first]!;
  const forward = parts[first + 1]!;
  apply(right * heading[0]! - forward * heading[1]!, right * heading[1]! + forward * heading[0]!, parts[first + 2]!);
}
