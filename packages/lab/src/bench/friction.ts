import {
  type FrictionModelName,
  frictionModels,
  type Pose,
  percentile,
  STATE_SLIP,
  STATE_STICK,
} from '@palpable/engine';
import type { Recording } from '../play/play.js';
import { sum } from '../play/statistics.js';
import { type CompareReport, compareWithHighs } from './friction-compare.js';
import { type RecordedMotion, recordMotion, recordProblems, timeCycles } from './friction-cycle.js';
import { measureGrowth } from './friction-growth.js';
import { createCornerMotion } from './friction-motion.js';
import { type CornerScene, loadCorner, POINTS_OF_PAPER } from './friction-scene.js';
import { raisedLoads, timeSolves } from './friction-solve.js';

/** Friction in the corner scene of Zhao, Li, Barbič: solvers, whole cycles and growth, in one run. */
export type FrictionBenchReport = Awaited<ReturnType<typeof benchFriction>>;

/** A friction model on the problems of the recorded motion, each started from the answer before. */
export type ModelRow = ReturnType<typeof timeModels>[number];

export type CycleReport = ReturnType<typeof describeCycles>;

export interface CycleRow {
  readonly cycles: string;
  readonly count: number;
  readonly contacts: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** p50 of the stages. */
  readonly contactUs: number;
  readonly frictionUs: number;
  readonly methodUs: number;
}

/** A claim, and whether this run bears it out. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly bar: number;
  readonly unit: 'µs' | '×' | '%';
  readonly met: boolean;
}

export interface FrictionBenchOptions {
  readonly cycles: number;
  readonly directions: number;
  readonly largest: number;
  readonly seed: number;
  readonly onProgress: (stage: string, fraction: number) => void;
}

/** Contacts that still count as "98". */
const AROUND = 5;
const STEPS = 40;
const QUICK: readonly FrictionModelName[] = ['none', 'cone', 'pyramid', 'quadratic', 'springs'];
/** Problems for each model; the slow ones take milliseconds each. */
const MODEL_PROBLEMS = 1000;
const SLOW_PROBLEMS = 50;

export async function benchFriction(options: FrictionBenchOptions) {
  const { cycles, directions, largest, seed, onProgress } = options;
  const corner = await loadCorner(POINTS_OF_PAPER, (stage, fraction) => onProgress(stage, 0.05 * fraction));
  const motion = createCornerMotion(cycles, seed);
  const pressed = Math.round(0.05 * cycles);
  onProgress('cycles', 0.05);
  const recorded = recordMotion(corner, motion);
  const cycle = describeCycles(recorded, timeCycles(corner, motion));
  onProgress('models', 0.15);
  const models = timeModels(corner, motion, pressed);
  const loads = raisedLoads(corner, motion.slice(0, pressed), { directions, steps: STEPS, seed });
  const compare = await compareWithHighs(loads, seed, (fraction) => onProgress('HiGHS', 0.25 + 0.45 * fraction));
  const growth = await measureGrowth(largest, seed, (stage, fraction) => onProgress(stage, 0.7 + 0.3 * fraction));
  return {
    points: corner.points,
    /** In the median of the cycles of the motion that have any. */
    contacts: recorded.typicalContacts,
    compare,
    models,
    cycle,
    growth,
    bars: barsOf(compare, models, cycle),
  };
}

/** The problems are those of the corner, from the press on: before that there are few contacts. */
function timeModels(corner: CornerScene, motion: readonly Pose[], pressed: number) {
  const problems = recordProblems(corner, motion, pressed, Math.min(MODEL_PROBLEMS, Math.round(0.7 * motion.length)));
  return frictionModels.map(({ name: model }) => {
    const quick = QUICK.includes(model);
    const { microseconds, iterations } = timeSolves({ model }, quick ? problems : problems.slice(0, SLOW_PROBLEMS), {
      batch: quick ? 8 : 1,
    });
    return {
      model,
      p50Us: percentile(microseconds, 50),
      p99Us: percentile(microseconds, 99),
      iterations: percentile(iterations, 50),
    };
  });
}

function describeCycles(recorded: RecordedMotion, { column }: Recording) {
  const { contacts, state, nearLimit, typicalContacts, capped } = recorded;
  const atCorner = (cycle: number) => Math.abs(contacts[cycle] - typicalContacts) <= AROUND;
  const row = (name: string, wanted: (cycle: number) => boolean): CycleRow => {
    const pick = (values: Float64Array) => values.filter((_, cycle) => wanted(cycle));
    const total = pick(column.us_total);
    return {
      cycles: name,
      count: total.length,
      contacts: percentile(
        contacts.filter((_, cycle) => wanted(cycle)),
        50,
      ),
      p50Us: percentile(total, 50),
      p99Us: percentile(total, 99),
      contactUs: percentile(pick(column.us_contact), 50),
      frictionUs: percentile(pick(column.us_friction), 50),
      methodUs: percentile(pick(column.us_method), 50),
    };
  };
  return {
    cycles: contacts.length,
    /** Share of the cycles within 5 % of the limit of friction. */
    nearLimit: sum(nearLimit) / nearLimit.length,
    /** Cycles in which a cap was met. */
    capped,
    rows: [
      row('sticking', (cycle) => state[cycle] === STATE_STICK && atCorner(cycle)),
      row('sliding', (cycle) => state[cycle] === STATE_SLIP && atCorner(cycle)),
      row('within 5 % of the limit', (cycle) => nearLimit[cycle] === 1 && atCorner(cycle)),
      row('all of about 98 contacts', atCorner),
      row('all', () => true),
    ],
  };
}

function barsOf({ ratios }: CompareReport, models: readonly ModelRow[], cycle: CycleReport): Bar[] {
  const atMost = (name: string, value: number, bar: number): Bar => ({
    name,
    value,
    bar,
    unit: 'µs',
    met: value <= bar,
  });
  const atLeast = (name: string, value: number, bar: number, unit: Bar['unit']): Bar => ({
    name,
    value,
    bar,
    unit,
    met: value >= bar,
  });
  const modelP50 = (name: FrictionModelName) => models.find(({ model }) => model === name)?.p50Us ?? Number.NaN;
  const [sticking, sliding, , corner] = cycle.rows;
  return [
    atMost('cone, p50', modelP50('cone'), 40),
    atMost('quadratic, p50', modelP50('quadratic'), 100),
    atMost('sticking cycle, p50', sticking.p50Us, 100),
    atMost('sliding cycle, p50', sliding.p50Us, 200),
    atMost('all cycles, p99', corner.p99Us, 300),
    atLeast('cycles within 5 % of the limit', 100 * cycle.nearLimit, 20, '%'),
    ...ratios.flatMap(({ order, form, feasible, infeasible }) => [
      atLeast(`HiGHS, ${form} form, ${order} loads, feasible`, feasible, 50, '×'),
      atLeast(`HiGHS, ${form} form, ${order} loads, infeasible`, infeasible, 50, '×'),
    ]),
  ];
}
