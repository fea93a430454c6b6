import { handAlong, type Pose, playScene, STATE_FREE } from '@palpable/engine';
import {
  createFrictionModel,
  createFrictionResult,
  DEFAULT_FRICTION_OPTIONS,
  type FrictionProblem,
  percentile,
} from '@palpable/engine/advanced';
import { play, type Recording } from '../play/play.js';
import { leastTimes } from '../play/statistics.js';
import { type CornerScene, copyProblem, createCornerMethod } from './friction-scene.js';

/**
 * A motion that was played: what happened in each cycle, without times. `state`: `STATE_…` of each cycle.
 * `nearLimit`: 1 for cycles within 5 % of the limit: friction 5 % weaker would not hold, 5 % stronger would.
 * `typicalContacts`: Contacts in the median of the cycles with any. `capped`: Cycles in which a cap on iterations,
 * contacts or visits was met.
 */
export type RecordedMotion = ReturnType<typeof recordMotion>;

const NEAR = 0.05;
const REPETITIONS = 5;

export function recordMotion(corner: CornerScene, motion: readonly Pose[]) {
  const method = createCornerMethod(corner);
  const { problem } = method;
  const judge = createJudge(problem.capacity);
  const { column, capped } = play({ method, timeStep: corner.scene.timeStep }, handAlong(motion), {
    probes: {
      near: ({ output }) => {
        if (output.frictionState === STATE_FREE) return 0;
        return !judge(problem, 1 - NEAR) && judge(problem, 1 + NEAR) ? 1 : 0;
      },
    },
  });
  const { contacts, state, near: nearLimit } = column;
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
  const problems: FrictionProblem[] = [];
  playScene({ method, timeStep: corner.scene.timeStep }, handAlong(motion.slice(0, from + count)), {
    kept: ({ cycle }) => (cycle >= from ? problems.push(copyProblem(method.problem)) : 0),
  });
  return problems;
}

/** Plays the motion once to warm up and five times with a clock; the cycles are the same each time. */
export function timeCycles(corner: CornerScene, motion: readonly Pose[]): Recording {
  // A new method each time: a model that remembers its last answer would start from another one.
  const once = () => {
    const method = createCornerMethod(corner, () => performance.now());
    return play({ method, timeStep: corner.scene.timeStep }, handAlong(motion));
  };
  once();
  return leastTimes(REPETITIONS, once);
}
