import { PalpableError } from '../base/errors.js';
import { applyTransposed } from '../math/matrices.js';
import { lengthOf } from '../math/portable.js';
import { composePose, createPose, normalizePose, type Pose, relativePose, rotationMatrix } from '../math/pose.js';
import { type Device, SILENT_AFTER } from './device.js';
import { isValidSample } from './valid-sample.js';

/** Where the device's own frame lies in the world, and how large its workspace is there. */
export interface WorkspaceOptions {
  /**
   * Where the device's axes point in the world, as a quaternion x, y, z, w. CHAI3D (x to the operator, y right, z
   * up) and three.js (y up) differ from ours (x right, y away, z up); `BASES` has theirs.
   */
  readonly basis: readonly [number, number, number, number];
  /** Metres in the world for one of the device. Large, and fine work is hard; a spring feels stiffer by as much. */
  readonly scale: number;
  /** Where the device's origin lies in the world, m. */
  readonly origin: readonly [number, number, number];
  /** Rotation of the tool in the hand: its body frame in the device's, x, y, z, w. */
  readonly grip: readonly [number, number, number, number];
  /** The button (from 0) that lets the hand move without the tool, as lifting a mouse does; null for none. */
  readonly clutch: number | null;
  /** Seconds in which the tool follows a device that speaks more seldom than the loop asks; 0 follows at once. */
  readonly smoothing: number;
}

/** The identity mapping: the device's poses are the world's. */
const DEFAULT_WORKSPACE: WorkspaceOptions = {
  basis: [0, 0, 0, 1],
  scale: 1,
  origin: [0, 0, 0],
  grip: [0, 0, 0, 1],
  clutch: null,
  smoothing: 0,
};

/** The basis of a device by the convention of its maker. */
export const BASES: Readonly<Record<string, readonly [number, number, number, number]>> = {
  world: [0, 0, 0, 1],
  /** x right, y up, z to the operator: three.js, WebXR, OpenHaptics, VRPN's Phantom. */
  'y-up': [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
  /** x to the operator, y right, z up. */
  chai3d: [0, 0, -Math.SQRT1_2, Math.SQRT1_2],
};

/**
 * A device in the world: poses are rotated, scaled and shifted on their way in, wrenches rotated back on their way out.
 * Forces are not scaled: a virtual spring of k N/m then feels to the hand like one of k times the scale.
 *
 * @example
 * ```ts
 * import { BASES, type Device, mapDevice } from '@palpable/engine';
 *
 * declare const device: Device; // y points up, as in three.js and WebXR
 *
 * const mapped = mapDevice(device, { basis: BASES['y-up']!, scale: 2, origin: [0, 0, 0.1] }, 0.001);
 * console.log(mapped.limits);
 * ```
 */
export function mapDevice(device: Device, options: Partial<WorkspaceOptions>, timeStep: number): Device {
  const state = createState(device, { ...DEFAULT_WORKSPACE, ...options }, timeStep);
  const matrix = rotationMatrix(new Float64Array(9), state.base);
  const turned = new Float64Array(6);
  return {
    limits: device.limits,
    silentAfter: state.silentAfter,
    get buttons() {
      return device.buttons ?? 0;
    },
    get isReleased() {
      return isClutched(state) || (device.isReleased ?? false);
    },
    read: (out) => readMapped(state, out),
    write(wrench) {
      applyTransposed(turned, 0, matrix, wrench, 0);
      applyTransposed(turned, 3, matrix, wrench, 3);
      device.write(turned);
    },
  };
}

interface MappedState {
  readonly device: Device;
  readonly raw: Pose;
  /** The device's frame in the world; its origin moves when the clutch is let go. */
  readonly base: Pose;
  /** The tool in the hand. */
  readonly grip: Pose;
  /** Where the device says that the tool is, and where it is reported to be: the same without smoothing. */
  readonly target: Pose;
  readonly present: Pose;
  readonly scratch: Pose;
  readonly scale: number;
  readonly clutchMask: number;
  readonly timeStep: number;
  /** Part of the distance to the target that is covered in one cycle. */
  readonly pace: number;
  readonly silentAfter: number;
  /** Since the last news, s. */
  age: number;
  hasPose: boolean;
  wasClutched: boolean;
}

function createState(device: Device, options: WorkspaceOptions, timeStep: number): MappedState {
  check(options);
  const { basis, scale, origin, grip, clutch, smoothing } = options;
  const base = createPose(...origin, ...basis);
  const inHand = createPose(0, 0, 0, ...grip);
  normalizePose(base);
  normalizePose(inHand);
  const { silentAfter = SILENT_AFTER } = device;
  return {
    device,
    raw: createPose(),
    base,
    grip: inHand,
    target: createPose(),
    present: createPose(),
    scratch: createPose(),
    scale,
    clutchMask: clutch === null ? 0 : 1 << clutch,
    timeStep,
    pace: smoothing === 0 ? 1 : Math.min(1, timeStep / smoothing),
    // Between its samples a smoothed device goes on reporting poses, for half of the time; the loop waits the other half.
    silentAfter: smoothing === 0 ? silentAfter : silentAfter / 2,
    age: Number.POSITIVE_INFINITY,
    hasPose: false,
    wasClutched: false,
  };
}

function isClutched({ device, clutchMask }: MappedState): boolean {
  return ((device.buttons ?? 0) & clutchMask) !== 0;
}

function readMapped(state: MappedState, out: Pose): boolean {
  const { device, raw, target, present, pace } = state;
  const spoke = device.read(raw);
  const fresh = spoke && isValidSample(raw);
  state.age = fresh ? 0 : state.age + state.timeStep;
  if (spoke && !fresh) {
    // The loop says so; nothing that is remembered here is touched by it.
    out.fill(Number.NaN);
    return true;
  }
  if (fresh) takeSample(state);
  if (!state.hasPose) return false;
  if (!fresh && (pace === 1 || state.age > state.silentAfter)) return false;
  approach(present, target, pace);
  out.set(present);
  return true;
}

/** While the clutch is pressed the tool stays; when it is let go, the frame moves to where the tool is. */
function takeSample(state: MappedState): void {
  const { raw, base, grip, target, scratch, scale, hasPose } = state;
  const clutched = isClutched(state) && hasPose;
  const letGo = state.wasClutched && !clutched;
  state.wasClutched = clutched;
  if (clutched) return;
  for (let k = 0; k < 3; k += 1) raw[k] *= scale;
  composePose(scratch, base, raw);
  if (letGo) {
    for (let k = 0; k < 3; k += 1) base[k] += target[k] - scratch[k];
    relativePose(grip, scratch, target);
    for (let k = 0; k < 3; k += 1) grip[k] = 0;
    // Devices need not report rotations of length 1; each time the clutch is let go would add to that.
    normalizePose(grip);
    composePose(scratch, base, raw);
  }
  composePose(target, scratch, grip);
  if (hasPose) return;
  state.present.set(target);
  state.hasPose = true;
}

/** Position along the line, rotation along the chord, which for the small steps of a cycle is as good as the arc. */
function approach(present: Pose, target: Pose, pace: number): void {
  if (pace === 1) {
    present.set(target);
    return;
  }
  let dot = 0;
  for (let k = 3; k < 7; k += 1) dot += present[k] * target[k];
  const sign = dot < 0 ? -1 : 1;
  for (let k = 0; k < 3; k += 1) present[k] += pace * (target[k] - present[k]);
  for (let k = 3; k < 7; k += 1) present[k] += pace * (sign * target[k] - present[k]);
  normalizePose(present);
}

function check({ basis, scale, origin, grip, clutch, smoothing }: WorkspaceOptions): void {
  const refuse = (name: string, found: unknown, expected: string) => {
    throw new PalpableError('option-invalid', `workspace.${name} is ${found}, but must be ${expected}.`, name);
  };
  const isRotation = (q: readonly number[]) => q.length === 4 && lengthOf(q) > 1e-6 && q.every(Number.isFinite);
  if (!isRotation(basis)) refuse('basis', `[${basis}]`, 'a quaternion x, y, z, w');
  if (!isRotation(grip)) refuse('grip', `[${grip}]`, 'a quaternion x, y, z, w');
  if (!(scale > 0 && Number.isFinite(scale))) refuse('scale', scale, 'above 0');
  if (origin.length !== 3 || !origin.every(Number.isFinite)) refuse('origin', `[${origin}]`, 'three numbers (m)');
  if (clutch !== null && !(Number.isInteger(clutch) && clutch >= 0 && clutch < 31))
    refuse('clutch', clutch, 'the number of a button from 0 to 30, or null');
  if (!(smoothing >= 0 && smoothing <= 1)) refuse('smoothing', smoothing, 'from 0 to 1 s');
}
