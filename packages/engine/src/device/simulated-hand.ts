import { limitWrench } from '../coupling/limit-wrench.js';
import { copyPose, createPose, isFinitePose, type Pose, rotationMatrix, transformPoint } from '../math/pose.js';
import { rotationBetween, turnPose } from '../math/rotation.js';
import type { Device } from './device.js';
import {
  advanceMotion,
  createMotionLaw,
  createMotionState,
  type MotionLaw,
  type MotionState,
  WORK_DAMPED,
  WORK_GIVEN,
} from './hand-motion.js';
import { createTremor, nextTremor, type TremorSource } from './hand-tremor.js';
import {
  completeHandOptions,
  type HandIntent,
  type HandParameters,
  type SimulatedHandOptions,
} from './simulated-hand-options.js';

/**
 * A device and the hand that holds it, simulated: the other half of the closed loop. The device is a mass with viscous
 * damping that the wrench drives; the grip ties it, by a spring and a damper, to the pose that the hand intends. Between
 * two cycles the wrench is held, as a real device holds it, and the motion in between is exact for every sub-step
 * (`hand-motion.ts`). What the loop reads comes late and in the steps of the encoders; what it writes acts late.
 *
 * Time passes with `write` alone, by one time step per call. The same options and wrenches give the same bits.
 *
 * Where the model ends: the inertia is the same about every axis, so that there are no gyroscopic torques, and the grip
 * rotations about the centre; for rotations about changing axes its torque is exact to first order of the sub-step.
 */
export interface SimulatedHand extends Device {
  /** True pose of the tool's body frame at this moment: not delayed, not in steps. */
  readonly pose: Pose;
  /** Of the centre (m/s), then of the rotation (rad/s), world frame. */
  readonly velocity: Float64Array;
  /** Where the hand wants the tool at this moment, with its tremor. */
  readonly intended: Pose;
  /** The account of work and energy, joules. */
  readonly energy: HandEnergy;
  /** Cycles so far. */
  readonly cycles: number;
  buttons: number;
  /** From now on the hand wants to be there; it gets there within one time step. Takes the place of `intent`. */
  intend(pose: Pose): void;
}

/** Where energy went, J, from the beginning; integrals over the sub-steps, not sums over samples. */
export interface HandEnergy {
  /** Work of the wrench, J: what the loop gave, less what it took. A passive loop that began at rest never gives any. */
  readonly given: number;
  /** The most that `given` has ever been, J. */
  readonly mostGiven: number;
  /** What the damping of the device took, J. */
  readonly damped: number;
  /** What moves, J: ½ m v² + ½ J ω². */
  readonly kinetic: number;
  /** What went on through the grip, J: given − damped − kinetic. Below 0 when the hand did work. */
  readonly toHand: number;
}

interface State {
  readonly options: HandParameters;
  readonly motion: MotionState;
  readonly translation: MotionLaw;
  readonly rotation: MotionLaw;
  /** Seconds, in an array of one: a number handed to a function may go to the heap. */
  readonly subStep: Float64Array;
  /** These four are poses of the centre, where the grip and the wrench act. */
  readonly truth: Pose;
  readonly intended: Pose;
  /** Where the hand wants to be at the end of the time step. */
  readonly target: Pose;
  /** What `intend` said last. */
  readonly wish: Pose;
  path: HandIntent | null;
  readonly tremor: TremorSource | null;
  /** True poses of the last sub-steps, as many as reading is late and one more. */
  readonly past: Float64Array;
  /** In sub-steps. */
  readonly readDelay: number;
  /** Wrenches of the last cycles, as many as the force is late and two more. */
  readonly wrenches: Float64Array;
  readonly wrenchCount: number;
  /** In sub-steps. */
  readonly forceDelay: number;
  readonly hand: SimulatedHand & { cycles: number };
  readonly energy: { -readonly [name in keyof HandEnergy]: number };
  readonly vector: Float64Array;
  readonly matrix: Float64Array;
  readonly wrench: Float64Array;
}

/**
 * Creates a simulated hand at `options.start`. Throws a `PalpableError` for options out of range.
 *
 * @example
 * ```ts
 * import { createServo, createSimulatedHand, type Method, stepServo } from '@palpable/engine';
 *
 * declare const method: Method; // from `createSceneMethod`, or your own
 *
 * const hand = createSimulatedHand({
 *   intent: (out, time) => out.set([0, 0, 0.05 - 0.02 * Math.min(time, 1), 0, 0, 0, 1]),
 *   grip: { stiffness: 300 },
 * });
 * const servo = createServo(hand, method);
 * for (let cycle = 0; cycle < 2000; cycle += 1) stepServo(servo);
 * console.log(hand.pose, hand.energy.mostGiven); // m, J
 * ```
 */
export function createSimulatedHand(given: SimulatedHandOptions = {}): SimulatedHand {
  const options = completeHandOptions(given);
  const state = createState(options);
  placeCentre(state, state.truth, options.start);
  state.intended.set(state.truth);
  state.wish.set(state.truth);
  state.past.set(state.truth);
  showPoses(state);
  return state.hand;
}

function createState(options: HandParameters): State {
  const { timeStep, subSteps, device, grip, latency } = options;
  const subStep = timeStep / subSteps;
  const motion = createMotionState();
  const readDelay = Math.round(latency.read / subStep);
  const forceDelay = Math.round(latency.force / subStep);
  const wrenchCount = Math.ceil(forceDelay / subSteps) + 1;
  const energy = { given: 0, mostGiven: 0, damped: 0, kinetic: 0, toHand: 0 };
  const state: State = {
    options,
    motion,
    translation: createMotionLaw(
      {
        mass: device.mass + grip.mass,
        damping: device.damping,
        gripStiffness: grip.stiffness,
        gripDamping: grip.damping,
        gripStrength: grip.force,
      },
      subStep,
    ),
    rotation: createMotionLaw(
      {
        mass: device.inertia + grip.inertia,
        damping: device.torsionalDamping,
        gripStiffness: grip.torsionalStiffness,
        gripDamping: grip.torsionalDamping,
        gripStrength: grip.torque,
      },
      subStep,
    ),
    subStep: Float64Array.of(subStep),
    truth: createPose(),
    intended: createPose(),
    target: createPose(),
    wish: createPose(),
    path: options.intent,
    tremor: createTremor(options.tremor, timeStep, options.seed),
    past: new Float64Array(7 * (readDelay + 1)),
    readDelay,
    wrenches: new Float64Array(6 * wrenchCount),
    wrenchCount,
    forceDelay,
    energy,
    vector: new Float64Array(3),
    matrix: new Float64Array(9),
    wrench: new Float64Array(6),
    hand: {
      limits: options.limits,
      buttons: 0,
      cycles: 0,
      pose: createPose(),
      velocity: motion.velocity,
      intended: createPose(),
      energy,
      read(out) {
        readEncoders(state, out);
        return true;
      },
      write: (wrench) => passTimeStep(state, wrench),
      intend(pose) {
        state.path = null;
        state.wish.set(pose);
        normalizeRotation(state.wish);
        placeCentre(state, state.wish, state.wish);
      },
    },
  };
  return state;
}

/** One time step: the wrench is taken, the hand goes on to where it wants to be, the device moves. */
function passTimeStep(state: State, wrench: Float64Array): void {
  const { options, motion, intended, target, translation, rotation, subStep, hand } = state;
  takeWrench(state, wrench);
  aim(state);
  for (let s = 0; s < options.subSteps; s += 1) {
    applyWrench(state, s);
    measureDeviation(state);
    advanceMotion(motion, translation, 0, subStep);
    advanceMotion(motion, rotation, 3, subStep);
    movePoses(state);
    remember(state, s);
  }
  // Without the rounding of the sub-steps.
  intended.set(target);
  hand.cycles += 1;
  keepAccounts(state);
  showPoses(state);
}

/** A motor gives no more than it can, and nothing for what is no number. */
function takeWrench({ wrench, wrenches, wrenchCount, options, hand }: State, asked: Float64Array): void {
  for (let k = 0; k < 6; k += 1) wrench[k] = asked[k];
  limitWrench(wrench, options.limits);
  wrenches.set(wrench, 6 * (hand.cycles % wrenchCount));
}

/** The speed that takes the intended pose to the target in this time step. */
function aim(state: State): void {
  const { options, motion, intended, target, tremor, wish, path, hand, vector } = state;
  const { timeStep } = options;
  if (path === null) target.set(wish);
  else {
    path(target, (hand.cycles + 1) * timeStep);
    normalizeRotation(target);
    placeCentre(state, target, target);
  }
  // A hand that wants to be nowhere stays.
  if (!isFinitePose(target)) target.set(intended);
  if (tremor !== null) {
    nextTremor(tremor);
    for (let i = 0; i < 3; i += 1) target[i] += tremor.offset[i];
    turnPose(target, tremor.offset, 3);
  }
  rotationBetween(vector, intended, target);
  for (let i = 0; i < 3; i += 1) {
    motion.intentVelocity[i] = (target[i] - intended[i]) / timeStep;
    motion.intentVelocity[3 + i] = vector[i] / timeStep;
  }
}

function normalizeRotation(pose: Pose): void {
  const scale = 1 / Math.sqrt(pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6]);
  for (let k = 3; k < 7; k += 1) pose[k] *= scale;
}

/** The wrench that was written as long ago as the force is late; none before the first. */
function applyWrench({ motion, wrenches, wrenchCount, forceDelay, options, hand }: State, subStep: number): void {
  const writtenIn = hand.cycles - Math.ceil((forceDelay - subStep) / options.subSteps);
  const at = 6 * (writtenIn % wrenchCount);
  for (let k = 0; k < 6; k += 1) motion.load[k] = writtenIn < 0 ? 0 : wrenches[at + k];
}

function measureDeviation({ motion, truth, intended, vector }: State): void {
  rotationBetween(vector, intended, truth);
  for (let i = 0; i < 3; i += 1) {
    motion.deviation[i] = truth[i] - intended[i];
    motion.deviation[3 + i] = vector[i];
  }
}

function movePoses({ motion, truth, intended, subStep, vector }: State): void {
  const { shift, intentVelocity } = motion;
  for (let i = 0; i < 3; i += 1) {
    truth[i] += shift[i];
    intended[i] += intentVelocity[i] * subStep[0];
    vector[i] = intentVelocity[3 + i] * subStep[0];
  }
  turnPose(truth, shift, 3);
  turnPose(intended, vector, 0);
}

function remember({ past, readDelay, truth, options, hand }: State, subStep: number): void {
  const moment = hand.cycles * options.subSteps + subStep + 1;
  past.set(truth, 7 * (moment % (readDelay + 1)));
}

function keepAccounts({ energy, motion, translation, rotation }: State): void {
  const { velocity, work } = motion;
  let kinetic = 0;
  for (let i = 0; i < 6; i += 1) kinetic += 0.5 * (i < 3 ? translation : rotation).mass * velocity[i] * velocity[i];
  energy.given = work[WORK_GIVEN];
  energy.mostGiven = Math.max(energy.mostGiven, energy.given);
  energy.damped = work[WORK_DAMPED];
  energy.kinetic = kinetic;
  energy.toHand = energy.given - energy.damped - kinetic;
}

/** The pose as the encoders showed it when what arrives now was sent. */
function readEncoders(state: State, out: Pose): void {
  const { past, readDelay, options, hand, vector } = state;
  const moment = hand.cycles * options.subSteps - readDelay;
  const at = 7 * (Math.max(0, moment) % (readDelay + 1));
  copyPose(out, 0, past, at);
  const { translation, rotation } = options.encoder;
  if (translation > 0) for (let i = 0; i < 3; i += 1) out[i] = translation * Math.round(out[i] / translation);
  if (rotation > 0) {
    rotationBetween(vector, UNTURNED, out);
    for (let i = 0; i < 3; i += 1) vector[i] = rotation * Math.round(vector[i] / rotation);
    out[3] = 0;
    out[4] = 0;
    out[5] = 0;
    out[6] = 1;
    turnPose(out, vector, 0);
  }
  placeBody(state, out, out);
}

const UNTURNED = createPose();

function showPoses(state: State): void {
  placeBody(state, state.hand.pose, state.truth);
  placeBody(state, state.hand.intended, state.intended);
}

/** Writes the pose of the centre of the body at `pose`. */
function placeCentre({ options, vector }: State, out: Pose, pose: Pose): void {
  const { centre } = options;
  transformPoint(vector, pose, centre[0], centre[1], centre[2]);
  out.set(pose);
  out.set(vector);
}

/** And back. */
function placeBody({ options, matrix }: State, out: Pose, pose: Pose): void {
  const { centre } = options;
  rotationMatrix(matrix, pose);
  if (out !== pose) out.set(pose);
  for (let i = 0; i < 3; i += 1) {
    out[i] -= matrix[3 * i] * centre[0] + matrix[3 * i + 1] * centre[1] + matrix[3 * i + 2] * centre[2];
  }
}
