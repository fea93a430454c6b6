import { VrpnProtocolError } from './wire.js';

/**
 * The messages of VRPN's device classes that are spoken here. Poses and forces are in the device's own frame, in m
 * and N; quaternions are x, y, z, w.
 *
 * `wrench` is our own, since VRPN has no message with a torque: f64 force[3], f64 torque[3]. It travels beside the
 * standard force messages in both directions, so that programs that do not know it miss only the torque. `leftOut` is
 * our own too: u32, the cycles that a slow client was not sent since the last such message.
 */
export const VRPN_TYPE = {
  ping: 'vrpn_Base ping_message',
  pong: 'vrpn_Base pong_message',
  posQuat: 'vrpn_Tracker Pos_Quat',
  velocity: 'vrpn_Tracker Velocity',
  acceleration: 'vrpn_Tracker Acceleration',
  buttonChange: 'vrpn_Button Change',
  buttonStates: 'vrpn_Button States',
  analog: 'vrpn_Analog Channel',
  force: 'vrpn_ForceDevice Force',
  scp: 'vrpn_ForceDevice SCP',
  plane: 'vrpn_ForceDevice Plane',
  forceField: 'vrpn_ForceDevice Force_Field',
  wrench: 'palpable_ForceDevice Wrench',
  leftOut: 'palpable_Base Left_Out',
} as const;

export type VrpnTypeName = (typeof VRPN_TYPE)[keyof typeof VRPN_TYPE];

/** In the order of the ids that our end gives them. */
export const VRPN_TYPE_NAMES: readonly VrpnTypeName[] = Object.values(VRPN_TYPE);

/** The most that VRPN's own classes hold. */
const MAX_BUTTONS = 256;
const MAX_CHANNELS = 128;

export interface SensorPose {
  readonly sensor: number;
  /** Position (m), then quaternion. A tracker that has lost its target may say NaN here. */
  readonly pose: Float64Array;
}

/** Velocity (m/s) or acceleration, with the rotation that happens in `dt` seconds. */
export interface SensorMotion {
  readonly sensor: number;
  /** m/s, or m/s² */
  readonly linear: Float64Array;
  /** Quaternion x, y, z, w. */
  readonly rotation: Float64Array;
  /** s */
  readonly dt: number;
}

export interface ButtonChange {
  readonly button: number;
  readonly isDown: boolean;
}

/** A haptic half-space, `a x + b y + c z + d = 0`, as VRPN's Phantom server renders it. */
export interface ForcePlane {
  readonly plane: readonly number[];
  /** N/m, as VRPN has it. */
  readonly stiffness: number;
  /** N s/m, as VRPN has it. */
  readonly damping: number;
  readonly dynamicFriction: number;
  readonly staticFriction: number;
  readonly index: number;
  readonly recoveryCycles: number;
}

/** Within `radius` of `origin` the force at p is `force + jacobian (p - origin)`, beyond it none. */
export interface ForceField {
  /** m */
  readonly origin: ArrayLike<number>;
  /** N */
  readonly force: ArrayLike<number>;
  /** Row by row, N/m. */
  readonly jacobian: ArrayLike<number>;
  /** m */
  readonly radius: number;
}

/**
 * N, N m, m, N/m. Less than this is written as zero in forces and fields: nobody can feel it, and a force that fades
 * would end in subnormal numbers, with which some machines compute a hundred times more slowly.
 */
const NEGLIGIBLE = 1e-9;

export const EMPTY_PAYLOAD = new Uint8Array(0);

export function encodePosQuat(sensor: number, pose: ArrayLike<number>): Uint8Array {
  return build(64, (view) => {
    view.setInt32(0, sensor);
    putDoubles(view, 8, pose, 7);
  });
}

export function decodePosQuat(payload: DataView): SensorPose {
  need(payload, 64, VRPN_TYPE.posQuat);
  return { sensor: payload.getInt32(0), pose: takeDoubles(payload, 8, 7) };
}

/** Velocity and Acceleration have the same shape. */
export function encodeMotion({ sensor, linear, rotation, dt }: SensorMotion): Uint8Array {
  return build(72, (view) => {
    view.setInt32(0, sensor);
    putDoubles(view, 8, linear, 3);
    putDoubles(view, 32, rotation, 4);
    view.setFloat64(64, dt);
  });
}

export function decodeMotion(payload: DataView, typeName: VrpnTypeName = VRPN_TYPE.velocity): SensorMotion {
  need(payload, 72, typeName);
  const [linear, rotation] = [takeDoubles(payload, 8, 3), takeDoubles(payload, 32, 4)];
  return { sensor: payload.getInt32(0), linear, rotation, dt: payload.getFloat64(64) };
}

export function encodeButtonChange({ button, isDown }: ButtonChange): Uint8Array {
  return build(8, (view) => {
    view.setInt32(0, button);
    view.setInt32(4, isDown ? 1 : 0);
  });
}

export function decodeButtonChange(payload: DataView): ButtonChange {
  need(payload, 8, VRPN_TYPE.buttonChange);
  const button = payload.getInt32(0);
  if (button < 0 || button >= MAX_BUTTONS) {
    throw new VrpnProtocolError(
      `a "${VRPN_TYPE.buttonChange}" names button ${button}; expected 0 to ${MAX_BUTTONS - 1}`,
    );
  }
  return { button, isDown: payload.getInt32(4) !== 0 };
}

export function encodeButtonStates(states: readonly boolean[]): Uint8Array {
  return build(4 + 4 * states.length, (view) => {
    view.setInt32(0, states.length);
    for (let k = 0; k < states.length; k += 1) view.setInt32(4 + 4 * k, states[k] ? 1 : 0);
  });
}

export function decodeButtonStates(payload: DataView): boolean[] {
  need(payload, 4, VRPN_TYPE.buttonStates);
  const count = checkCount(payload.getInt32(0), MAX_BUTTONS, VRPN_TYPE.buttonStates);
  need(payload, 4 + 4 * count, VRPN_TYPE.buttonStates);
  return Array.from({ length: count }, (_, k) => payload.getInt32(4 + 4 * k) !== 0);
}

export function encodeAnalog(channels: ArrayLike<number>): Uint8Array {
  return build(8 + 8 * channels.length, (view) => {
    view.setFloat64(0, channels.length);
    putDoubles(view, 8, channels, channels.length);
  });
}

export function decodeAnalog(payload: DataView): Float64Array {
  need(payload, 8, VRPN_TYPE.analog);
  const count = checkCount(payload.getFloat64(0), MAX_CHANNELS, VRPN_TYPE.analog);
  need(payload, 8 + 8 * count, VRPN_TYPE.analog);
  return takeDoubles(payload, 8, count);
}

/** What the device gives now, to its clients. */
export function encodeForce(force: ArrayLike<number>): Uint8Array {
  return build(24, (view) => putDoubles(view, 0, Array.from(force, withoutDust), 3));
}

export function decodeForce(payload: DataView): Float64Array {
  need(payload, 24, VRPN_TYPE.force);
  return checkFinite(takeDoubles(payload, 0, 3), VRPN_TYPE.force);
}

/** The surface contact point: where a device's own rendering holds the tool. */
export function encodeScp(pose: ArrayLike<number>): Uint8Array {
  return build(56, (view) => putDoubles(view, 0, pose, 7));
}

export function decodeScp(payload: DataView): Float64Array {
  need(payload, 56, VRPN_TYPE.scp);
  return checkFinite(takeDoubles(payload, 0, 7), VRPN_TYPE.scp);
}

export function encodePlane(plane: ForcePlane): Uint8Array {
  const { stiffness, damping, dynamicFriction, staticFriction } = plane;
  return build(40, (view) => {
    putFloats(view, 0, [...plane.plane, stiffness, damping, dynamicFriction, staticFriction], 8);
    view.setInt32(32, plane.index);
    view.setInt32(36, plane.recoveryCycles);
  });
}

export function decodePlane(payload: DataView): ForcePlane {
  need(payload, 40, VRPN_TYPE.plane);
  const floats = checkFinite(takeFloats(payload, 0, 8), VRPN_TYPE.plane);
  return {
    plane: [...floats.subarray(0, 4)],
    stiffness: floats[4],
    damping: floats[5],
    dynamicFriction: floats[6],
    staticFriction: floats[7],
    index: payload.getInt32(32),
    recoveryCycles: payload.getInt32(36),
  };
}

export function encodeForceField({ origin, force, jacobian, radius }: ForceField): Uint8Array {
  return build(64, (view) => {
    putFloats(view, 0, Array.from(origin, withoutDust), 3);
    putFloats(view, 12, Array.from(force, withoutDust), 3);
    putFloats(view, 24, Array.from(jacobian, withoutDust), 9);
    view.setFloat32(60, withoutDust(radius));
  });
}

export function decodeForceField(payload: DataView): ForceField {
  need(payload, 64, VRPN_TYPE.forceField);
  const floats = checkFinite(takeFloats(payload, 0, 16), VRPN_TYPE.forceField);
  return {
    origin: floats.subarray(0, 3),
    force: floats.subarray(3, 6),
    jacobian: floats.subarray(6, 15),
    radius: floats[15],
  };
}

export function encodeWrench(wrench: ArrayLike<number>): Uint8Array {
  return build(48, (view) => putDoubles(view, 0, Array.from(wrench, withoutDust), 6));
}

export function decodeWrench(payload: DataView): Float64Array {
  need(payload, 48, VRPN_TYPE.wrench);
  return checkFinite(takeDoubles(payload, 0, 6), VRPN_TYPE.wrench);
}

export function encodeLeftOut(cycles: number): Uint8Array {
  return build(4, (view) => view.setUint32(0, cycles));
}

export function decodeLeftOut(payload: DataView): number {
  need(payload, 4, VRPN_TYPE.leftOut);
  return payload.getUint32(0);
}

/** Trackers that have lost their target send numbers that are not finite, or a quaternion of zeros. */
export function isUsablePose(pose: ArrayLike<number>): boolean {
  const parts = Array.from(pose);
  return parts.every(Number.isFinite) && parts.slice(3).some((part) => part !== 0);
}

function withoutDust(value: number): number {
  return Math.abs(value) < NEGLIGIBLE ? 0 : value;
}

function build(bytes: number, fill: (view: DataView) => void): Uint8Array {
  const payload = new Uint8Array(bytes);
  fill(new DataView(payload.buffer));
  return payload;
}

function putDoubles(view: DataView, at: number, values: ArrayLike<number>, count: number): void {
  for (let k = 0; k < count; k += 1) view.setFloat64(at + 8 * k, values[k]);
}

function putFloats(view: DataView, at: number, values: ArrayLike<number>, count: number): void {
  for (let k = 0; k < count; k += 1) view.setFloat32(at + 4 * k, values[k]);
}

function takeDoubles(view: DataView, at: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, k) => view.getFloat64(at + 8 * k));
}

function takeFloats(view: DataView, at: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, k) => view.getFloat32(at + 4 * k));
}

/** Longer is allowed: a later version may have added something at the end. */
function need(payload: DataView, bytes: number, typeName: VrpnTypeName): void {
  if (payload.byteLength >= bytes) return;
  throw new VrpnProtocolError(`a "${typeName}" has a payload of ${payload.byteLength} bytes; expected ${bytes}`);
}

function checkCount(count: number, most: number, typeName: VrpnTypeName): number {
  if (Number.isInteger(count) && count >= 0 && count <= most) return count;
  throw new VrpnProtocolError(`a "${typeName}" claims ${count} entries; expected 0 to ${most}`);
}

/** A force that is not a number cannot be ignored: the one before it would go on. */
function checkFinite(values: Float64Array, typeName: VrpnTypeName): Float64Array {
  if (values.every(Number.isFinite)) return values;
  throw new VrpnProtocolError(`a "${typeName}" holds a number that is not finite`);
}
