import { createWrenchLimiter, limitWrenchAndRate, type WrenchLimiter } from '../coupling/limit-wrench.js';
import { createPose, type Pose } from '../math/pose.js';
import { createMethodOutput, type Method, type MethodOutput } from '../method/method.js';
import type { Scene } from '../scene/scene-description.js';
import { STATE_NAMES } from './result.js';
import { createPlayback, cycleTime, samplePose } from './sample-trajectory.js';
import type { Trajectory } from './trajectory.js';

/** A scene as far as playing it goes. The method has a clock where times are wanted. */
export interface Stage {
  /** As `createSceneMethod` gives it, or your own. */
  readonly method: Method;
  /** Of a cycle, s. */
  readonly timeStep: number;
  /** Of the wrench: N, N m, N/s and N m/s; none unless given. */
  readonly limits?: Scene['limits'];
}

/** Where the device is, cycle by cycle. Played again it must do the same again. */
export interface Hand {
  /** World pose at which the tool is placed, m and quaternion. */
  readonly start: Pose;
  /** Most cycles that are played. */
  readonly cycles: number;
  /** Writes the device's pose. It is asked for cycle 0, 1, 2 …, and may read what the last cycle gave. */
  readonly move: (devicePose: Pose, cycle: number, last: MethodOutput) => void;
  /** Ends the play after this cycle. It is asked after every cycle, the last one included. */
  readonly isOver?: (output: MethodOutput, cycle: number) => boolean;
  /** Time of a cycle, s; multiples of the time step unless given. */
  readonly timeOf?: (cycle: number) => number;
}

/** A hand that takes the given poses, one per cycle. */
export function handAlong(poses: readonly Pose[]): Hand {
  return { start: poses[0], cycles: poses.length, move: (devicePose, cycle) => devicePose.set(poses[cycle]) };
}

/** A hand that repeats a trajectory, and how it was brought to the time step. */
export interface TrajectoryHand extends Hand {
  /** Whether samples had to be interpolated. */
  readonly resampled: boolean;
}

/**
 * A hand that repeats a trajectory, with one pose per time step (s). The tool starts where the device does unless a
 * pose is given.
 *
 * @example
 * ```ts
 * import { handOfTrajectory, readTrajectory } from '@palpable/engine';
 *
 * const text = 'time,px,py,pz,qx,qy,qz,qw\n0,0,0,0.02,0,0,0,1\n0.1,0,0,0.01,0,0,0,1\n';
 * const hand = handOfTrajectory(readTrajectory(text), 0.001);
 * console.log(hand.cycles, hand.resampled); // for `playScene`
 * ```
 */
export function handOfTrajectory(trajectory: Trajectory, timeStep: number, start?: Pose): TrajectoryHand {
  const playback = createPlayback(trajectory, timeStep);
  const first = createPose();
  samplePose(first, playback, 0);
  return {
    start: start ?? first,
    cycles: playback.cycles,
    resampled: playback.resampled,
    move: (devicePose, cycle) => {
      if (cycle === 0) playback.before = 0;
      samplePose(devicePose, playback, cycle);
    },
    timeOf: (cycle) => cycleTime(playback, cycle),
  };
}

/** A hand on its way through a scene, free-running: the same scene and hand give the same bits. */
export interface ScenePlay {
  readonly stage: Stage;
  readonly hand: Hand;
  readonly limiter: WrenchLimiter;
  /** Of the last cycle, as all below. */
  readonly devicePose: Pose;
  readonly output: MethodOutput;
  /** −1 before the first. */
  cycle: number;
  /** s */
  time: number;
  /** Whether the limits changed the wrench. */
  limited: boolean;
  isOver: boolean;
  readonly counters: PlayCounters;
}

/** What happened over all cycles of a play. */
export interface PlayCounters {
  /** Cycles in which the stage's limits changed the wrench. */
  limited: number;
  /** Cycles in which a cap on contacts or iterations was met. */
  capped: number;
  /** Cycles in each state, in the order of `STATE_NAMES`. */
  readonly states: Uint32Array;
  maxContacts: number;
  /** How deep the deepest contact was, m. */
  maxPenetration: number;
}

/** Places the tool. Only the limits that the stage states are applied. */
export function startPlay(stage: Stage, hand: Hand): ScenePlay {
  const stated = Object.entries(stage.limits ?? {}).filter(([, value]) => value !== null);
  const devicePose = createPose();
  const output = createMethodOutput();
  devicePose.set(hand.start);
  output.toolPose.set(hand.start);
  stage.method.reset(hand.start);
  return {
    stage,
    hand,
    limiter: createWrenchLimiter(Object.fromEntries(stated), stage.timeStep),
    devicePose,
    output,
    cycle: -1,
    time: 0,
    limited: false,
    isOver: hand.cycles === 0,
    counters: { limited: 0, capped: 0, states: new Uint32Array(STATE_NAMES.length), maxContacts: 0, maxPenetration: 0 },
  };
}

/** One cycle: the device's pose, the method, the limits. False if there was none left. */
export function playCycle(play: ScenePlay): boolean {
  if (play.isOver) return false;
  const { stage, hand, devicePose, output, counters } = play;
  const cycle = play.cycle + 1;
  hand.move(devicePose, cycle, output);
  stage.method.step(output, devicePose);
  play.cycle = cycle;
  play.time = hand.timeOf ? hand.timeOf(cycle) : cycle * stage.timeStep;
  play.limited = limitWrenchAndRate(play.limiter, output.wrench);
  if (play.limited) counters.limited += 1;
  if (output.capped !== 0) counters.capped += 1;
  if (output.contacts > counters.maxContacts) counters.maxContacts = output.contacts;
  if (output.maxPenetration > counters.maxPenetration) counters.maxPenetration = output.maxPenetration;
  counters.states[output.frictionState] += 1;
  const isEnded = hand.isOver?.(output, cycle) === true;
  play.isOver = isEnded || cycle + 1 >= hand.cycles;
  return true;
}

/** A number of the cycle that was just played, read while the method still shows its inner values. */
export type Probe = (play: ScenePlay) => number;

/** What `playScene` recorded: one number per cycle and column. */
export interface PlayedScene<Name extends string = string> {
  /** Cycles that were played. */
  readonly cycles: number;
  /** What each probe read, by its name. */
  readonly column: Readonly<Record<Name, Float64Array>>;
  /** World pose of the tool in the end, m and quaternion. */
  readonly finalPose: Pose;
  /** Cycles in which a cap on contacts or iterations was met. */
  readonly capped: number;
}

/**
 * Plays a scene to its end. Probes are read after every cycle, in their order.
 *
 * @example
 * ```ts
 * import { createPose, handAlong, type Method, playScene } from '@palpable/engine';
 *
 * declare const method: Method; // from `createSceneMethod`, or your own
 *
 * const poses = Array.from({ length: 1000 }, (_, cycle) => createPose(0, 0, 0.02 - 1e-5 * cycle));
 * const played = playScene({ method, timeStep: 0.001 }, handAlong(poses), {
 *   force: ({ output }) => output.wrench[2]!,
 *   contacts: ({ output }) => output.contacts,
 * });
 * console.log(played.cycles, Math.max(...played.column.force)); // N
 * ```
 */
export function playScene<Name extends string>(
  stage: Stage,
  hand: Hand,
  probes: Readonly<Record<Name, Probe>>,
): PlayedScene<Name> {
  const play = startPlay(stage, hand);
  const columns = Object.entries<Probe>(probes).map(([name, probe]) => {
    return { name, probe, values: new Float64Array(hand.cycles) };
  });
  while (playCycle(play)) {
    for (const { probe, values } of columns) values[play.cycle] = probe(play);
  }
  const cycles = play.cycle + 1;
  const column = Object.fromEntries(columns.map(({ name, values }) => [name, values.subarray(0, cycles)]));
  return {
    cycles,
    column: column as Record<Name, Float64Array>,
    finalPose: play.output.toolPose,
    capped: play.counters.capped,
  };
}
