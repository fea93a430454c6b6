import { PalpableError } from '../base/errors.js';
import { createPose, isFinitePose, normalizePose, type Pose } from '../math/pose.js';
import type { DeviceLimits } from './device.js';
import type { HandTremor } from './hand-tremor.js';

/** Writes where the hand wants the tool's body frame at `time`, s. Called once per cycle: it must not allocate. */
export type HandIntent = (out: Pose, time: number) => void;

/** The device, the grip and the noise of a simulated hand. Each key names its default. */
export interface SimulatedHandOptions {
  /** Of the loop, s; 0.001. */
  readonly timeStep?: number;
  /** Steps of the simulation in each time step, 10 or more; 10. Also the grain of the latencies. */
  readonly subSteps?: number;
  /** Pose of the tool's body frame at the beginning; where `intent` begins, or the origin. */
  readonly start?: Pose;
  /** Centre of mass in the tool's body frame, m, where wrench and grip act; its origin. */
  readonly centre?: readonly [number, number, number];
  /** The path that the hand wants to take; without one it stays until `intend` is called. */
  readonly intent?: HandIntent;
  /** Mass (kg), inertia (kg m²) and damping (N s/m, N m s/rad) of the device. */
  readonly device?: Partial<HandDevice>;
  /** Spring and damper that tie the device to what the hand intends. */
  readonly grip?: Partial<HandGrip>;
  /** The steps in which the device reports its pose, m and rad; none. */
  readonly encoder?: Partial<HandEncoder>;
  /** Delays between loop and device, s; none. */
  readonly latency?: Partial<HandLatency>;
  /** How the hand trembles; not at all. */
  readonly tremor?: Partial<HandTremor>;
  /** What the motors can give; 12 N and 0.2 N m. */
  readonly limits?: DeviceLimits;
  /** Of the tremor; 1. */
  readonly seed?: number;
}

/** The device without the hand. */
interface HandDevice {
  /** Effective mass at the handle, kg; 0.1. Light devices with little damping are the hardest to keep stable. */
  readonly mass: number;
  /** The same for rotation about every axis, kg m²; 0.0001. */
  readonly inertia: number;
  /** Viscous, N s/m; 0.5. It is what lets a wall be stiff: without a hand, stiffness ends near 2 damping / time step. */
  readonly damping: number;
  /** N m s/rad; 0.0005. */
  readonly torsionalDamping: number;
}

/** How the hand holds it. */
interface HandGrip {
  /** N/m; 300. A firm grip has 1000, a loose one 100; 0 is no hand at all. */
  readonly stiffness: number;
  /** N s/m; 3. */
  readonly damping: number;
  /** N m/rad; 0.3. */
  readonly torsionalStiffness: number;
  /** N m s/rad; 0.003. */
  readonly torsionalDamping: number;
  /** What of hand and fingers moves with the device, kg; 0. */
  readonly mass: number;
  /** kg m²; 0. */
  readonly inertia: number;
  /** With more the device slips through the fingers, N; infinite. */
  readonly force: number;
  /** N m; infinite. */
  readonly torque: number;
}

/** The steps in which the device reports its pose; 0 for none. */
interface HandEncoder {
  /** Along each axis, m; 0. */
  readonly translation: number;
  /** Of each number of the rotation vector, rad; 0. */
  readonly rotation: number;
}

/** Rounded to sub-steps. */
interface HandLatency {
  /** From the motion to the loop, s; 0. */
  readonly read: number;
  /** From the loop to the motors, s; 0. */
  readonly force: number;
}

/** All of it given and checked. */
export interface HandParameters extends Required<Omit<SimulatedHandOptions, 'intent'>> {
  readonly device: HandDevice;
  readonly grip: HandGrip;
  readonly encoder: HandEncoder;
  readonly latency: HandLatency;
  readonly tremor: HandTremor;
  readonly intent: HandIntent | null;
}

const MIN_SUB_STEPS = 10;
const MAX_SUB_STEPS = 1000;
/** Of either latency, s. */
const MAX_LATENCY = 1;

export function completeHandOptions(options: SimulatedHandOptions): HandParameters {
  const { intent = null } = options;
  const parameters: HandParameters = {
    timeStep: options.timeStep ?? 0.001,
    subSteps: options.subSteps ?? MIN_SUB_STEPS,
    start: startPose(options),
    centre: options.centre ?? [0, 0, 0],
    intent,
    device: { mass: 0.1, inertia: 0.0001, damping: 0.5, torsionalDamping: 0.0005, ...options.device },
    grip: {
      stiffness: 300,
      damping: 3,
      torsionalStiffness: 0.3,
      torsionalDamping: 0.003,
      mass: 0,
      inertia: 0,
      force: Number.POSITIVE_INFINITY,
      torque: Number.POSITIVE_INFINITY,
      ...options.grip,
    },
    encoder: { translation: 0, rotation: 0, ...options.encoder },
    latency: { read: 0, force: 0, ...options.latency },
    tremor: { translation: 0, rotation: 0, frequency: 10, ...options.tremor },
    limits: options.limits ?? { force: 12, torque: 0.2 },
    seed: options.seed ?? 1,
  };
  checkParameters(parameters);
  return parameters;
}

function startPose({ start, intent }: SimulatedHandOptions): Pose {
  const pose = createPose();
  if (start !== undefined) pose.set(start);
  else if (intent !== undefined) intent(pose, 0);
  if (isFinitePose(pose) && normalizePose(pose)) return pose;
  throw new PalpableError(
    'option-invalid',
    `The simulated hand starts at [${[...pose].join(', ')}], but a pose is seven finite numbers with a rotation in the last four; ` +
      `correct ${start === undefined ? 'what `intent` writes at time 0' : '`start`'}.`,
    'start',
  );
}

function checkParameters(parameters: HandParameters): void {
  const { timeStep, subSteps, tremor, latency, centre, seed } = parameters;
  demand(timeStep > 0 && timeStep <= 1, 'timeStep', timeStep, 'above 0 and at most 1 (s)');
  const wholeSubSteps = Number.isInteger(subSteps) && subSteps >= MIN_SUB_STEPS && subSteps <= MAX_SUB_STEPS;
  demand(wholeSubSteps, 'subSteps', subSteps, `a whole number from ${MIN_SUB_STEPS} to ${MAX_SUB_STEPS}`);
  demand(Number.isSafeInteger(seed), 'seed', seed, 'a whole number');
  centre.forEach((value, axis) => {
    demand(Number.isFinite(value), `centre[${axis}]`, value, 'finite (m)');
  });
  for (const name of ['device', 'grip', 'encoder', 'latency', 'tremor', 'limits'] as const) {
    for (const [key, value] of Object.entries(parameters[name]) as [string, number][]) {
      checkValue(`${name}.${key}`, value);
    }
  }
  for (const side of ['read', 'force'] as const) {
    demand(latency[side] <= MAX_LATENCY, `latency.${side}`, latency[side], `at most ${MAX_LATENCY} (s)`);
  }
  const nyquist = 0.5 / timeStep;
  demand(tremor.frequency < 0.5 * nyquist, 'tremor.frequency', tremor.frequency, `below ${0.5 * nyquist} (Hz)`);
}

const ABOVE_ZERO = ['device.mass', 'device.inertia', 'tremor.frequency'];
const MAY_BE_INFINITE = /^(limits\..*|grip\.(force|torque))$/;

function checkValue(name: string, value: number): void {
  if (ABOVE_ZERO.includes(name)) demand(value > 0 && Number.isFinite(value), name, value, 'above 0');
  else if (MAY_BE_INFINITE.test(name)) demand(value >= 0, name, value, '0 or more');
  else demand(value >= 0 && Number.isFinite(value), name, value, '0 or more, and finite');
}

function demand(holds: boolean, name: string, value: number, expected: string): void {
  if (holds) return;
  throw new PalpableError(
    'option-invalid',
    `${name} of the simulated hand is ${value}, but must be ${expected}.`,
    name,
  );
}
