import { createWrenchLimiter, limitWrenchAndRate, type WrenchLimiter } from '../coupling/limit-wrench.js';
import { createPose, type Pose } from '../math/pose.js';
import { createMethodOutput, type Method, type MethodOutput } from '../method/method.js';
import type { SceneMethod } from '../scene/create-scene-method.js';
import type { Scene } from '../scene/scene-description.js';
import { RESULT_WIDTH, STATE_NAMES, writeResultRow } from './result.js';
import { createPlayback, cycleTime, type Playback, samplePose } from './sample-trajectory.js';
import type { Trajectory } from './trajectory.js';

/** A trajectory on its way through a scene, free-running: the same scene and trajectory give the same bits. */
export interface SceneRun {
  readonly playback: Playback;
  readonly method: Method;
  readonly limiter: WrenchLimiter;
  readonly devicePose: Pose;
  readonly output: MethodOutput;
  /** The next cycle. */
  cycle: number;
  /** Called after every cycle with its number, while the method still shows its inner values. */
  afterCycle: ((cycle: number) => void) | null;
  readonly counters: RunCounters;
}

/** What happened over all cycles of a run. */
export interface RunCounters {
  /** Cycles in which the scene's limits changed the wrench. */
  limited: number;
  /** Cycles in which a cap on contacts or iterations was met. */
  capped: number;
  /** Cycles in each state, in the order of `STATE_NAMES`. */
  readonly states: Uint32Array;
  maxContacts: number;
}

/** Puts the tool where the device is in the first sample. Only the limits that the scene states are applied. */
export function createSceneRun(scene: Scene, { method }: SceneMethod, trajectory: Trajectory): SceneRun {
  const playback = createPlayback(trajectory, scene.timeStep);
  const devicePose = createPose();
  samplePose(devicePose, playback, 0);
  method.reset(devicePose);
  const stated = Object.entries(scene.limits ?? {}).filter(([, value]) => value !== null);
  return {
    playback,
    method,
    limiter: createWrenchLimiter(Object.fromEntries(stated), scene.timeStep),
    devicePose,
    output: createMethodOutput(),
    cycle: 0,
    afterCycle: null,
    counters: { limited: 0, capped: 0, states: new Uint32Array(STATE_NAMES.length), maxContacts: 0 },
  };
}

/** Goes on for as many cycles as `rows` has room for, and gives their number; 0 when the trajectory is over. */
export function runCycles(run: SceneRun, rows: Float64Array): number {
  const count = Math.min(Math.floor(rows.length / RESULT_WIDTH), run.playback.cycles - run.cycle);
  for (let row = 0; row < count; row += 1) runCycle(run, rows, row);
  return count;
}

/** One cycle: the device's pose, the method, the limits, the row. */
function runCycle(run: SceneRun, rows: Float64Array, row: number): void {
  const { playback, method, limiter, devicePose, output, counters } = run;
  samplePose(devicePose, playback, run.cycle);
  method.step(output, devicePose);
  const limited = limitWrenchAndRate(limiter, output.wrench);
  writeResultRow(rows, row, cycleTime(playback, run.cycle), devicePose, output, limited);
  if (limited) counters.limited += 1;
  if (output.capped !== 0) counters.capped += 1;
  if (output.contacts > counters.maxContacts) counters.maxContacts = output.contacts;
  counters.states[output.frictionState] += 1;
  run.afterCycle?.(run.cycle);
  run.cycle += 1;
}
