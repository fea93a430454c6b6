import { PalpableError } from '../base/errors.js';
import {
  createWrenchLimiter,
  isFiniteWrench,
  limitWrench,
  limitWrenchAndRate,
  type SlewLimits,
  type WrenchLimiter,
} from '../coupling/limit-wrench.js';
import {
  createPassivity,
  keepPassive,
  observeEnergy,
  type Passivity,
  type PassivityOptions,
} from '../coupling/passivity.js';
import type { Device, DeviceLimits } from '../device/device.js';
import { portFade } from '../device/device-port.js';
import { createPose, isFinitePose, type Pose } from '../math/pose.js';
import { createMethodOutput, type Method, type MethodOutput } from '../method/method.js';
import { createMotion, type Motion, measureMotion, startMotion } from './motion.js';
import { createSafeGain, type SafeGain, safeFactor, updateGain } from './safe-gain.js';
import { createSampleGuard, FAULT_DEVICE_JUMPED, guardSample, type SampleGuard } from './sample-guard.js';

/**
 * The loop, for one hand: a device, a tool, a method, and what stands between them and harm. The same code runs paced
 * in a worker and free in a test; no clock is read here, so that the same samples give the same bits.
 */
export interface ServoOptions {
  /** Of a cycle, s; 0.001 unless given. */
  readonly timeStep: number;
  /** Of the scene, beside those of the device; the lower one counts. None unless given. */
  readonly limits: SlewLimits;
  /** From no force to all of it, at the start and after every fault, s; 0.2 unless given. */
  readonly rampIn: number;
  /** How long a changed method or parameter takes to be blended in, s; 0.05 unless given. */
  readonly blend: number;
  /**
   * Seconds of missed cycles that count as a stall, after which the force ramps in again; 0.008 unless given. Shorter
   * ones do nothing worse than wait. Devices with motors need the default, after which their port has begun to take the
   * force back.
   */
  readonly stall: number;
  /** Anything faster is not a hand but a device that jumped, m/s, measured at the hand; 20 unless given. */
  readonly maxSpeed: number;
  /** The same for rotation, rad/s; 200 unless given. */
  readonly maxRotationRate: number;
  /** On unless given. Null switches the passivity controller off; its ledger is still kept. */
  readonly passivity: Partial<PassivityOptions> | null;
  /** The tool's centre of mass in its body frame, m: torques are about it. The origin unless given. */
  readonly toolCentre: ArrayLike<number>;
  /** Weight of the tool, if the method lets the hand feel it, N, world frame; 0 unless given. */
  readonly weight: ArrayLike<number>;
  /** Metres in the world for one of the hand; 1 unless given. */
  readonly workspaceScale: number;
  /** The device's button, from 0, that is an emergency stop; null, for none, unless given. */
  readonly stopButton: number | null;
  /** A tool that is deeper in something than this is not where another method may begin, m; any depth may, unless given. */
  readonly freeDepth: number;
}

const DEFAULT_SERVO: ServoOptions = {
  timeStep: 0.001,
  limits: {},
  rampIn: 0.2,
  blend: 0.05,
  stall: 0.008,
  maxSpeed: 20,
  maxRotationRate: 200,
  passivity: {},
  toolCentre: [0, 0, 0],
  weight: [0, 0, 0],
  workspaceScale: 1,
  stopButton: null,
  freeDepth: Number.POSITIVE_INFINITY,
};

/** The state of one hand: device, method, limits and safety, advanced by `stepServo`. */
export interface Servo {
  /** As given, with all defaults. */
  readonly options: ServoOptions;
  /** What the hand holds. */
  readonly device: Device;
  /** The last good pose of the device: world, m and quaternion. */
  readonly devicePose: Pose;
  /** What the method found; after the cycle its wrench is what was written to the device. */
  readonly output: MethodOutput;
  /** The method in use. */
  method: Method;
  /** The method that is being left, while the new one is blended in. */
  leaving: Method | null;
  /** What that one found. */
  readonly leavingOutput: MethodOutput;
  /** How far the new method is blended in, from 0 to 1, linear in time. */
  blended: number;
  /** Weight of the tool under the method in use, N, world frame. */
  readonly weight: Float64Array;
  /** The same under the method that is being left. */
  readonly leavingWeight: Float64Array;
  /** The last finite wrench of the method: N, then N m. */
  readonly validWrench: Float64Array;
  /** Where the tool then was. */
  readonly validTool: Pose;
  /** Where it was last no deeper in anything than `options.freeDepth`: there another method begins. */
  readonly freeTool: Pose;
  /** Keeps bad samples of the device out. */
  readonly guard: SampleGuard;
  /** Fades the wrench out after a fault and in again. */
  readonly gain: SafeGain;
  /** How far the device went in the last cycle: m, then rad. */
  readonly motion: Motion;
  /** The method's wrench without the weight, of the present cycle. */
  readonly beyondWeight: Float64Array;
  /** The account of energy, J. */
  readonly passivity: Passivity;
  /** Limits of device and scene. */
  readonly limiter: WrenchLimiter;
  /** Seconds since the last cycle; in an array, since a number handed from function to function is allocated. */
  readonly elapsed: Float64Array;
  /** Bits `FAULT_…` of this cycle. */
  faults: number;
  /** Bits `FAULT_…` of all cycles so far. */
  faultsSeen: number;
  /** Whether the device had said something new. */
  fresh: boolean;
  /** Whether the device has reported its pose, and the tool was placed there. */
  isPlaced: boolean;
  /** Whether the emergency stop was hit and not released yet. */
  isStopped: boolean;
  /** Bit of the device's button that hits it; 0 for none. */
  readonly stopMask: number;
  /** Cycles so far. */
  cycles: number;
  /** Cycles in which the limits shortened the wrench. */
  limited: number;
  /** Whether they did in this one. */
  isLimited: boolean;
}

/** Bit of `Servo.faults`: the method's wrench or tool pose was not finite. */
export const FAULT_METHOD_NOT_FINITE = 8;
/** Bit of `Servo.faults`: the loop came so late that the force had to be taken back meanwhile. */
export const FAULT_LOOP_STALLED = 16;
/** Bit of `Servo.faults`: the emergency stop was hit, and nobody has released it. */
export const FAULT_EMERGENCY_STOP = 32;

/**
 * Creates the servo of one hand. The device's limits always hold; those of `options` can only lower them.
 *
 * @example
 * ```ts
 * import { createServo, type Device, type Method, stepServo } from '@palpable/engine';
 *
 * declare const device: Device;
 * declare const method: Method; // from `createSceneMethod`, or your own
 *
 * const servo = createServo(device, method, { limits: { force: 5 } });
 * for (let cycle = 0; cycle < 1000; cycle += 1) stepServo(servo); // one call per millisecond in a live loop
 * console.log(servo.output.wrench, servo.faultsSeen);
 * ```
 */
export function createServo(device: Device, method: Method, options: Partial<ServoOptions> = {}): Servo {
  const all = { ...DEFAULT_SERVO, ...options };
  const limits = lowerLimits(withRates(device.limits), all.limits);
  checkLimits(limits);
  const limiter = createWrenchLimiter(limits, all.timeStep);
  return {
    options: all,
    device,
    devicePose: createPose(),
    output: createMethodOutput(),
    method,
    leaving: null,
    leavingOutput: createMethodOutput(),
    blended: 1,
    weight: Float64Array.from(all.weight),
    leavingWeight: new Float64Array(3),
    validWrench: new Float64Array(6),
    validTool: createPose(),
    freeTool: createPose(),
    guard: createSampleGuard({ ...all, maxSpeed: all.maxSpeed * all.workspaceScale }, device.silentAfter),
    gain: createSafeGain(all.rampIn),
    motion: createMotion(all),
    beyondWeight: new Float64Array(6),
    elapsed: new Float64Array(1),
    passivity: createPassivity(passivityOptions(all, limiter)),
    limiter,
    faults: 0,
    faultsSeen: 0,
    fresh: false,
    isPlaced: false,
    isStopped: false,
    stopMask: all.stopButton === null ? 0 : 1 << all.stopButton,
    cycles: 0,
    limited: 0,
    isLimited: false,
  };
}

/**
 * One cycle. Call it a thousand times a second; it neither allocates nor throws. `missed` is the number of cycles that
 * were left out since the last call because the loop came late.
 */
export function stepServo(servo: Servo, missed = 0): void {
  servo.elapsed[0] = (1 + missed) * servo.options.timeStep;
  readDevice(servo);
  bookEnergy(servo);
  computeWrench(servo);
  fadeWrench(servo);
  limitOutput(servo);
  servo.device.write(servo.output.wrench);
  servo.cycles += 1;
}

/**
 * Goes over to another method without a jump of the force, and to the weight that the hand feels with it, unless that
 * stays. False while the last change is still being blended in.
 */
export function changeMethod(servo: Servo, method: Method, weight: ArrayLike<number> = servo.weight): boolean {
  if (servo.leaving) return false;
  servo.leaving = servo.method;
  servo.leavingWeight.set(servo.weight);
  servo.method = method;
  servo.weight.set(weight);
  servo.blended = 0;
  method.reset(servo.freeTool);
  return true;
}

/** Takes the force away, smoothly; the tool stays where it is. */
export function pauseServo(servo: Servo): void {
  servo.gain.engaged = false;
}

/** Brings the force back after `pauseServo`, ramped as at the start. */
export function resumeServo(servo: Servo): void {
  servo.gain.engaged = true;
}

/** Takes the force away, and keeps it away until `releaseStop`, whatever else is commanded. */
export function hitStop(servo: Servo): void {
  servo.isStopped = true;
}

/** The force comes back as at the start. A stop button that is still held down stops again at once. */
export function releaseStop(servo: Servo): void {
  servo.isStopped = false;
}

function readDevice(servo: Servo): void {
  const { guard, device, devicePose, options, elapsed } = servo;
  servo.fresh = device.read(guard.sample);
  servo.faults = guardSample(guard, devicePose, servo.fresh, elapsed);
  if (elapsed[0] - options.timeStep >= options.stall) servo.faults |= FAULT_LOOP_STALLED;
  if (((device.buttons ?? 0) & servo.stopMask) !== 0) hitStop(servo);
  if (servo.isStopped) servo.faults |= FAULT_EMERGENCY_STOP;
  if (!servo.isPlaced && guard.hasPose) placeTool(servo);
}

/** Puts the tool where the device is. */
function placeTool(servo: Servo): void {
  const { devicePose, validTool, freeTool, output } = servo;
  validTool.set(devicePose);
  freeTool.set(devicePose);
  output.toolPose.set(devicePose);
  servo.method.reset(devicePose);
  startMotion(servo.motion, devicePose);
  servo.isPlaced = true;
}

/** The wrench of the last cycle has moved the hand from its last place to this one. */
function bookEnergy({ isPlaced, motion, passivity, devicePose, limiter, faults }: Servo): void {
  if (!isPlaced) return;
  measureMotion(motion, devicePose);
  if ((faults & FAULT_DEVICE_JUMPED) !== 0) {
    // No hand moved by that much, so no work was done along it.
    motion.hand.fill(0);
    return;
  }
  observeEnergy(passivity, limiter.last, motion.hand, motion.weight);
}

function computeWrench(servo: Servo): void {
  const { output, devicePose, gain } = servo;
  // A tool that nobody holds rests.
  if (!servo.isPlaced || (!gain.engaged && gain.value === 0)) {
    output.wrench.fill(0);
    servo.validWrench.fill(0);
    // Nothing is rendered that could jump.
    servo.leaving = null;
    return;
  }
  servo.method.step(output, devicePose);
  if (servo.leaving) blendMethods(servo);
  keepSound(servo);
}

function blendMethods(servo: Servo): void {
  const { output, leavingOutput, options } = servo;
  servo.leaving!.step(leavingOutput, servo.devicePose);
  servo.blended = Math.min(1, servo.blended + options.timeStep / options.blend);
  const part = smooth(servo.blended);
  for (let k = 0; k < 6; k += 1) {
    output.wrench[k] = part * output.wrench[k] + (1 - part) * leavingOutput.wrench[k];
  }
  if (servo.blended === 1) servo.leaving = null;
}

/** What is not finite is replaced by what was before it, and the gain takes that to zero. */
function keepSound(servo: Servo): void {
  const { output, validWrench, validTool } = servo;
  if (isFinitePose(output.toolPose) && isFiniteWrench(output.wrench)) {
    validWrench.set(output.wrench);
    validTool.set(output.toolPose);
    if (output.maxPenetration <= servo.options.freeDepth) servo.freeTool.set(output.toolPose);
    return;
  }
  servo.faults |= FAULT_METHOD_NOT_FINITE;
  servo.leaving = null;
  output.wrench.set(validWrench);
  output.toolPose.set(validTool);
  servo.method.reset(validTool);
}

function fadeWrench(servo: Servo): void {
  const { elapsed, gain, output, limiter, motion, weight, leavingWeight } = servo;
  servo.faultsSeen |= servo.faults;
  updateGain(gain, servo.faults, !servo.isPlaced || servo.device.isReleased === true, elapsed);
  if ((servo.faults & FAULT_LOOP_STALLED) !== 0) {
    // The port of the device has taken the force back meanwhile; it goes on from there, and comes again as at the start.
    gain.value = 0;
    const held = portFade(1000 * elapsed[0]);
    for (let k = 0; k < 6; k += 1) limiter.last[k] *= held;
  }
  const factor = safeFactor(gain);
  for (let k = 0; k < 6; k += 1) output.wrench[k] *= factor;
  const part = servo.leaving ? smooth(servo.blended) : 1;
  for (let k = 0; k < 3; k += 1) motion.weight[k] = factor * (part * weight[k] + (1 - part) * leavingWeight[k]);
}

/** Size first, since the controller must know what will really be given; its damping may again be too much. */
function limitOutput(servo: Servo): void {
  const { limiter, options } = servo;
  const { wrench } = servo.output;
  const tooLarge = limitWrench(wrench, limiter);
  if (options.passivity) controlEnergy(servo);
  servo.isLimited = limitWrenchAndRate(limiter, wrench) || tooLarge;
  if (servo.isLimited) servo.limited += 1;
}

/** The controller judges what comes on top of the weight. */
function controlEnergy({ passivity, motion, output: { wrench }, beyondWeight }: Servo): void {
  beyondWeight.set(wrench);
  for (let k = 0; k < 3; k += 1) beyondWeight[k] -= motion.weight[k];
  if (!keepPassive(passivity, beyondWeight, motion.hand)) return;
  wrench.set(beyondWeight);
  for (let k = 0; k < 3; k += 1) wrench[k] += motion.weight[k];
}

/** From 0 to 1 without a kink at either end. */
function smooth(x: number): number {
  return x * x * (3 - 2 * x);
}

function passivityOptions({ passivity, timeStep }: ServoOptions, limiter: WrenchLimiter): Partial<PassivityOptions> {
  const { forceStep, torque, torqueStep } = limiter;
  const steps = { forceStep, torqueStep: torque === 0 ? 1 : torqueStep };
  // A device without torque cannot damp a rotation.
  return { ...steps, ...passivity, timeStep, ...(torque === 0 && { length: 0 }) };
}

/** Seconds from no force to all of it, for a device that states no rate. */
const FULL_FORCE_AFTER = 0.005;

function withRates({ force, torque, forceRate, torqueRate }: DeviceLimits): Required<SlewLimits> {
  return {
    force,
    torque,
    forceRate: forceRate ?? force / FULL_FORCE_AFTER,
    torqueRate: torqueRate ?? torque / FULL_FORCE_AFTER,
  };
}

function lowerLimits(device: Required<SlewLimits>, scene: SlewLimits): SlewLimits {
  const lower = (name: keyof SlewLimits) => Math.min(device[name], scene[name] ?? Number.POSITIVE_INFINITY);
  return {
    force: lower('force'),
    torque: lower('torque'),
    forceRate: lower('forceRate'),
    torqueRate: lower('torqueRate'),
  };
}

/** One that is not a number would let everything through. */
function checkLimits(limits: SlewLimits): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit >= 0) continue;
    throw new PalpableError('option-invalid', `limits.${name} is ${limit}, but must be 0 or more.`, `limits.${name}`);
  }
}
