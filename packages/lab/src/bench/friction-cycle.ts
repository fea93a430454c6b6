import { percentile } from '@palpable/cli/internal';
import {
  createFrictionModel,
  createFrictionResult,
  createMethodOutput,
  DEFAULT_FRICTION_OPTIONS,
  type FrictionProblem,
  type Pose,
  STAGE_CONTACT,
  STAGE_FRICTION,
  STAGE_METHOD,
  STAGE_TOTAL,
  STATE_FREE,
} from '@palpable/engine';
import { type CornerScene, copyProblem, createCornerMethod } from './friction-scene.js';

/** A motion that was played: what happened in each cycle, without times. */
export interface RecordedMotion {
  readonly contacts: Uint32Array;
  /** `STATE_…` of each cycle. */
  readonly state: Uint8Array;
  /** 1 for cycles within 5 % of the limit: friction 5 % weaker would not hold, 5 % stronger would. */
  readonly nearLimit: Uint8Array;
  /** Contacts in the median of the cycles with any. */
  readonly typicalContacts: number;
  /** Cycles in which a cap on iterations, contacts or visits was met. */
  readonly capped: number;
}

/** Least time of each cycle, by stage, microseconds. */
export interface CycleTimes {
  readonly total: Float64Array;
  readonly contact: Float64Array;
  readonly friction: Float64Array;
  readonly method: Float64Array;
}

const NEAR = 0.05;
const REPETITIONS = 5;

export function recordMotion(corner: CornerScene, motion: readonly Pose[]): RecordedMotion {
  const method = createCornerMethod(corner);
  const output = createMethodOutput();
  const contacts = new Uint32Array(motion.length);
  const state = new Uint8Array(motion.length);
  const nearLimit = new Uint8Array(motion.length);
  const judge = createJudge(method.problem.capacity);
  let capped = 0;
  method.reset(motion[0]);
  motion.forEach((pose, cycle) => {
    method.step(output, pose);
    contacts[cycle] = output.contacts;
    state[cycle] = output.frictionState;
    if (output.capped !== 0) capped += 1;
    if (output.frictionState === STATE_FREE) return;
    if (!judge(method.problem, 1 - NEAR) && judge(method.problem, 1 + NEAR)) nearLimit[cycle] = 1;
  });
  const typicalContacts = percentile(
    contacts.filter((count) => count > 0),
    50,
  );
  return { contacts, state, nearLimit, typicalContacts, capped };
}

/** Whether friction of a multiple of its strength would hold the tool. */
function createJudge(capacity: number): (problem: FrictionProblem, strength: number) => boolean {
  const model = createFrictionModel('cone', { ...DEFAULT_FRICTION_OPTIONS, slip: 'frictionless', capacity });
  const result = createFrictionResult(capacity);
  return (problem, strength) => {
    const coefficients = problem.coefficient.slice(0, problem.count);
    for (let c = 0; c < problem.count; c += 1) problem.coefficient[c] *= strength;
    model.solve(result, problem);
    problem.coefficient.set(coefficients);
    return result.holds;
  };
}

/** The friction problems of some cycles in a row. */
export function recordProblems(
  corner: CornerScene,
  motion: readonly Pose[],
  from: number,
  count: number,
): FrictionProblem[] {
  const method = createCornerMethod(corner);
  const output = createMethodOutput();
  const problems: FrictionProblem[] = [];
  method.reset(motion[0]);
  for (let cycle = 0; cycle < from + count; cycle += 1) {
    method.step(output, motion[cycle]);
    if (cycle >= from) problems.push(copyProblem(method.problem));
  }
  return problems;
}

/** Plays the motion once to warm up and five times with a clock; the cycles are the same each time. */
export function timeCycles(corner: CornerScene, motion: readonly Pose[]): CycleTimes {
  const least = () => new Float64Array(motion.length).fill(Number.POSITIVE_INFINITY);
  const times = { total: least(), contact: least(), friction: least(), method: least() };
  for (let repetition = 0; repetition <= REPETITIONS; repetition += 1) {
    // Anew each time: a model that remembers its last answer would start from another one.
    const method = createCornerMethod(corner, () => performance.now());
    const output = createMethodOutput();
    method.reset(motion[0]);
    for (let cycle = 0; cycle < motion.length; cycle += 1) {
      method.step(output, motion[cycle]);
      if (repetition === 0) continue;
      const { stageUs } = output;
      times.total[cycle] = Math.min(times.total[cycle], stageUs[STAGE_TOTAL]);
      times.contact[cycle] = Math.min(times.contact[cycle], stageUs[STAGE_CONTACT]);
      times.friction[cycle] = Math.min(times.friction[cycle], stageUs[STAGE_FRICTION]);
      times.method[cycle] = Math.min(times.method[cycle], stageUs[STAGE_METHOD]);
    }
  }
  return times;
}
