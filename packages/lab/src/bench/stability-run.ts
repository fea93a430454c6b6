import {
  createPose,
  createSceneMethod,
  createServo,
  createSimulatedHand,
  type Pose,
  type Scene,
  type SceneMethod,
  type SimulatedHand,
  stepServo,
} from '@palpable/engine';
import { LEDGER_PEAK, methodSettings, type ProgressListener } from '@palpable/engine/advanced';
import { type LoadedScene, loadGalleryScene } from '../play/load-scene.js';

/** What is set against the simulated hand. */
export const STABILITY_METHODS = ['penalty', 'static friction', 'god object', 'god object, manifold'] as const;
export type StabilityMethod = (typeof STABILITY_METHODS)[number];

/**
 * `bare`: the method's wrench as it is, but for the largest force of the motors. `guarded`: as live hosts run it, with
 * the rate limits, the ramp at the start and the passivity controller.
 */
export type Guard = 'bare' | 'guarded';

export interface StabilityCase {
  readonly method: StabilityMethod;
  readonly guard: Guard;
  readonly rateHz: number;
  /** N/m: of the contact for `penalty`, of the coupling for the others. */
  readonly stiffness: number;
  /** Of the device, N s/m. */
  readonly damping: number;
  /** By which the force comes late, s. */
  readonly latency: number;
}

export type StabilityRun = ReturnType<typeof runStability>;

/** On the block; a quarter of them touch the plate. More take longer and change nothing. */
const POINTS = 300;

/** The block over the plate, prepared once for all runs. */
export function loadStabilityScene(onProgress: ProgressListener): Promise<LoadedScene> {
  return loadGalleryScene('block-plate.json', { change: withStudyShell, onProgress });
}

/** The scene with as many points on the block as the study takes. */
export function withStudyShell(read: Scene): Scene {
  const block = read.bodies.block!;
  return { ...read, bodies: { ...read.bodies, block: { ...block, shell: { ...block.shell!, count: POINTS } } } };
}

/**
 * The device of the study, and a relaxed hand. Rotation has the same natural frequencies as translation: everything
 * torsional is ρ² times its counterpart, with ρ² = inertia / mass of the device.
 */
export const STUDY_HAND = { mass: 0.1, damping: 0.5, gripStiffness: 300, gripDamping: 3, force: 12, torque: 0.4 };
const RADIUS_SQUARED = 0.001;
/** So much stiffer than the coupling is the contact of `static friction`, whose two springs are in a row. */
const CONTACT_HARDNESS = 10;

/** Height of the block's centre when it touches the plate, m. */
const TOUCHING = 0.015;
const HOVERING = 0.001;
/** How far below the surface the hand wants to be: 1.5 N with the grip of the study. */
const PRESSED = 0.005;
const STEP = 0.001;
/** Seconds: the hand lowers the block, waits until everything has settled, steps, and then has one second. */
const LOWER_AT = 0.25;
const LOWERED_AT = 0.35;
const STEP_AT = 0.8;
const END_AT = 1.8;
const REST_FROM = 1.7;
/** m/s */
const REST_SPEED = 0.001;

/** Lowers the block onto the plate, presses, steps by 1 mm, and checks whether all comes to rest. */
export function runStability(loaded: LoadedScene, studied: StabilityCase) {
  const { rateHz } = studied;
  const timeStep = 1 / rateHz;
  const { method, toolBody } = createStudiedMethod(loaded, studied);
  const hand = createStudiedHand(loaded.scene, studied);
  const servo = createServo(hand, method, {
    timeStep,
    toolCentre: toolBody.centre,
    ...(studied.guard === 'bare' && { passivity: null, rampIn: timeStep }),
  });
  const last = createPose();
  let restSpeed = 0;
  const restFrom = Math.round(REST_FROM * rateHz);
  for (let cycle = 0; cycle < END_AT * rateHz; cycle += 1) {
    last.set(servo.output.toolPose);
    stepServo(servo);
    if (cycle < restFrom) continue;
    const toolSpeed = way(last, servo.output.toolPose, toolBody.length) * rateHz;
    restSpeed = Math.max(restSpeed, toolSpeed, handSpeed(hand, toolBody.length));
  }
  return {
    stable: restSpeed < REST_SPEED,
    /** Of device and tool, whichever was faster, in the last tenth of the second after the step, m/s. */
    restSpeed,
    /** The most that the hand had been given at any moment, J: of the simulation, and by the account in the loop. */
    mostGiven: hand.energy.mostGiven,
    ledgerPeak: servo.passivity.ledger[LEDGER_PEAK]!,
  };
}

function createStudiedMethod(
  { scene, bodies }: LoadedScene,
  { method, stiffness, rateHz }: StabilityCase,
): SceneMethod {
  const coupling = { ...scene.coupling, stiffness, torsionalStiffness: stiffness * RADIUS_SQUARED };
  const timeStep = 1 / rateHz;
  const studied: Record<StabilityMethod, Partial<Scene>> = {
    penalty: { method: methodSettings('penalty'), contact: { ...scene.contact, stiffness } },
    'static friction': {
      method: methodSettings('static-friction'),
      contact: { ...scene.contact, stiffness: CONTACT_HARDNESS * stiffness },
      coupling,
    },
    'god object': { method: methodSettings('god-object', { constraint: 'heuristic' }), coupling },
    'god object, manifold': { method: methodSettings('god-object', { constraint: 'manifold' }), coupling },
  };
  return createSceneMethod({ ...scene, ...studied[method], timeStep }, bodies);
}

function createStudiedHand(scene: Scene, { damping, rateHz, latency, guard }: StabilityCase): SimulatedHand {
  const { mass, gripStiffness, gripDamping, force, torque } = STUDY_HAND;
  const [x, y] = scene.bodies[scene.tool[0]!]!.position;
  const unlimitedRate = guard === 'bare' && {
    forceRate: Number.POSITIVE_INFINITY,
    torqueRate: Number.POSITIVE_INFINITY,
  };
  return createSimulatedHand({
    timeStep: 1 / rateHz,
    intent: (out, time) => {
      out[0] = x;
      out[1] = y;
      out[2] = intendedHeight(time);
      out[3] = 0;
      out[4] = 0;
      out[5] = 0;
      out[6] = 1;
    },
    device: { mass, inertia: mass * RADIUS_SQUARED, damping, torsionalDamping: damping * RADIUS_SQUARED },
    grip: {
      stiffness: gripStiffness,
      damping: gripDamping,
      torsionalStiffness: gripStiffness * RADIUS_SQUARED,
      torsionalDamping: gripDamping * RADIUS_SQUARED,
    },
    latency: { force: latency },
    limits: { force, torque, ...unlimitedRate },
  });
}

function intendedHeight(time: number): number {
  const lowered = Math.min(1, Math.max(0, (time - LOWER_AT) / (LOWERED_AT - LOWER_AT)));
  const height = TOUCHING + HOVERING - lowered * (HOVERING + PRESSED);
  return time < STEP_AT ? height : height - STEP;
}

/** How far any point of a tool of this size went at most, to first order. */
function way(from: Pose, to: Pose, length: number): number {
  const shift = Math.hypot(to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!);
  const half = Math.hypot(to[3]! - from[3]!, to[4]! - from[4]!, to[5]! - from[5]!, to[6]! - from[6]!);
  return shift + 2 * half * length;
}

function handSpeed({ velocity }: SimulatedHand, length: number): number {
  const [vx, vy, vz, wx, wy, wz] = velocity as unknown as [number, number, number, number, number, number];
  return Math.hypot(vx, vy, vz) + length * Math.hypot(wx, wy, wz);
}
