import { formatNumber, formatTable, wholeNumber } from '@palpable/cli/internal';
import { type FrictionModelName, frictionModels, type Pose, STATE_SLIP, STATE_STICK } from '@palpable/engine';
import { type FrictionProblem, type ProgressListener, percentile, useKernels } from '@palpable/engine/advanced';
import type { Recording } from '../play/play.js';
import { fitLine, rounded, sum } from '../play/statistics.js';
import { atLeast, atMost, type Bar, barTable, benchCommand } from './bench-command.js';
import { type CompareReport, compareWithHighs } from './friction-compare.js';
import { type RecordedMotion, recordMotion, recordProblems, timeCycles } from './friction-cycle.js';
import { createCornerMotion } from './friction-motion.js';
import { type CornerScene, loadCorner, POINTS_OF_PAPER } from './friction-scene.js';
import { raisedLoads, timeSolves } from './friction-solve.js';

export const benchFrictionCommand = benchCommand({
  usage: 'friction',
  summary: 'friction solvers beside HiGHS, whole cycles, and cost by number of contacts',
  examples: ['palpable bench friction', 'palpable bench friction --cycles 1000 --largest 100 --plot friction.svg'],
  options: (command) =>
    command
      .option('--cycles <number>', 'cycles of the recorded motion', wholeNumber(400, 1_000_000), 4000)
      .option('--directions <number>', 'directions of the loads for HiGHS, 40 loads each', wholeNumber(1, 1000), 10)
      .option('--largest <contacts>', 'most contacts for which to measure the growth', wholeNumber(20, 1000), 1000)
      .option('--seed <number>', 'seed of motion and loads', wholeNumber(0, 2 ** 32 - 1), 1)
      .option('--plot <file.svg>', 'write the plot as an SVG file'),
  measure: benchFriction,
  plots,
  lines: sentences,
  hasFailed: ({ compare }) => compare.disagreements > 0,
});

function sentences(report: FrictionBenchReport, { seed }: Flags): string[] {
  const { points, contacts, compare, models, cycle, growth } = report;
  return [
    `cube in a corner of ${formatNumber(points)} points, pressed by 4 mm of the device into all three faces: a median of ${contacts} contacts (seed ${seed})`,
    '',
    `The same ${compare.problems} problems of ${compare.contacts} contacts in which only the wrench changes, load 60 to 140 % of the limit; the solve call alone, the minimum of five, µs.`,
    'Warm: from the last answer, HiGHS from its last basis. HiGHS solves the pyramid of 8 sides and decides whether it holds, which is what "static test" does; the others also find how the tool slides.',
    formatTable(compareRows(report)),
    `HiGHS disagrees with our pyramid on ${compare.disagreements} of ${compare.problems * 2 * 4}`,
    '',
    `Every model on the problems of the recorded motion; of those with about ${contacts} contacts the ones that hold, and those that slip. "TypeScript": without kernels:`,
    formatTable(
      models.map(({ model, p50Us, p99Us, iterations, holdsUs, slipsUs, plain }) => ({
        model,
        'p50, µs': rounded(p50Us),
        'p99, µs': rounded(p99Us),
        iterations,
        'holds, µs': rounded(holdsUs),
        'slips, µs': rounded(slipsUs),
        'holds, TypeScript': plain ? rounded(plain.holdsUs) : '',
        'slips, TypeScript': plain ? rounded(plain.slipsUs) : '',
        'difference, nm': plain ? plain.differenceNm : '',
      })),
    ),
    '',
    `Whole cycles of a recorded motion of ${formatNumber(cycle.cycles)}, each the least of five; ${rounded(100 * cycle.nearLimit)} % of them within 5 % of the limit; in ${cycle.capped} a cap was met:`,
    formatTable(cycleRows(report)),
    '',
    'By number of contacts, p50:',
    formatTable(
      growth.rows.map(({ points: shell, contacts: count, cone, quadratic, cycle: whole }) => ({
        points: shell,
        contacts: count,
        'cone, µs': rounded(cone),
        'quadratic, µs': rounded(quadratic),
        'whole cycle, µs': rounded(whole),
      })),
    ),
    ...growth.fits.map(
      ({ name, baseUs, perContactUs, rSquared, exponent }) =>
        `${name}: ${rounded(baseUs)} µs + ${rounded(perContactUs)} µs a contact, R² ${rSquared.toFixed(4)}${exponent === null ? '' : `, exponent from 100 contacts on ${exponent.toFixed(2)}`}`,
    ),
    '',
    barTable(report.bars, ({ unit }) => (unit === 'µs' || unit === 'nm' ? '≤' : '≥')),
  ];
}

function compareRows({ compare }: FrictionBenchReport) {
  return compare.rows.map(({ order, solver, start, feasible, infeasible }) => ({
    loads: order,
    solver,
    start,
    feasible: feasible.count,
    'p50, µs': rounded(feasible.p50Us),
    'p99, µs': rounded(feasible.p99Us),
    infeasible: infeasible.count,
    'p50, µs ': rounded(infeasible.p50Us),
    'p99, µs ': rounded(infeasible.p99Us),
  }));
}

function cycleRows({ cycle }: FrictionBenchReport) {
  return cycle.rows.map(({ cycles, count, contacts, p50Us, p99Us, contactUs, frictionUs, methodUs }) => ({
    cycles,
    count,
    contacts,
    'p50, µs': rounded(p50Us),
    'p99, µs': rounded(p99Us),
    contact: rounded(contactUs),
    friction: rounded(frictionUs),
    'coupling and rest': rounded(methodUs),
  }));
}

function plots({ growth }: FrictionBenchReport) {
  const series = (name: string, value: (row: FrictionBenchReport['growth']['rows'][number]) => number) => ({
    name,
    points: growth.rows.map((row) => [row.contacts, value(row)] as const),
  });
  const plot = {
    title: 'Friction, cube in a corner',
    x: { label: 'contacts', log: true },
    y: { label: 'time, µs', log: true },
    series: [
      series('whole cycle', (row) => row.cycle),
      series('quadratic', (row) => row.quadratic),
      series('cone', (row) => row.cone),
    ],
  };
  return { 'friction.svg': plot };
}

/** Friction in the corner scene of Zhao, Li, Barbič: solvers, whole cycles and growth, in one run. */
type FrictionBenchReport = Awaited<ReturnType<typeof benchFriction>>;

/** A friction model on the problems of the recorded motion, each started from the answer before. */
type ModelRow = ReturnType<typeof timeModels>[number];

type CycleReport = ReturnType<typeof describeCycles>;

interface Flags {
  readonly cycles: number;
  readonly directions: number;
  readonly largest: number;
  readonly seed: number;
}

/** Contacts that still count as "98". */
const AROUND = 5;
const STEPS = 40;
const QUICK: readonly FrictionModelName[] = ['none', 'cone', 'pyramid', 'quadratic', 'springs'];
const WITH_KERNELS: readonly FrictionModelName[] = ['cone', 'pyramid', 'quadratic'];
/** Problems for each model; the slow ones take milliseconds each. */
const MODEL_PROBLEMS = 1000;
const SLOW_PROBLEMS = 50;

async function benchFriction({ cycles, directions, largest, seed }: Flags, onProgress: ProgressListener) {
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
    seed,
    points: corner.points,
    /** In the median of the cycles of the motion that have any. */
    contacts: recorded.typicalContacts,
    compare,
    models,
    cycle,
    growth,
    bars: barsOf(compare, models, cycle, growth),
  };
}

/** The problems are those of the corner, from the press on: before that there are few contacts. */
function timeModels(corner: CornerScene, motion: readonly Pose[], pressed: number) {
  const problems = recordProblems(corner, motion, pressed, Math.min(MODEL_PROBLEMS, Math.round(0.7 * motion.length)));
  const typical = percentile(
    problems.map(({ count }) => count),
    50,
  );
  return frictionModels.map(({ name: model }) => {
    const quick = QUICK.includes(model);
    const solve = () =>
      timeSolves({ model }, quick ? problems : problems.slice(0, SLOW_PROBLEMS), { batch: quick ? 8 : 1 });
    const solved = solve();
    const { microseconds, iterations } = solved;
    return {
      model,
      p50Us: percentile(microseconds, 50),
      p99Us: percentile(microseconds, 99),
      iterations: percentile(iterations, 50),
      ...apart(solved, problems, typical),
      /** The same in TypeScript alone, for models that have kernels, and how far the tool then goes elsewhere. */
      plain: WITH_KERNELS.includes(model) ? withoutKernels(solve, solved, problems, typical) : null,
    };
  });
}

type Solved = ReturnType<typeof timeSolves>;

/** Of the problems with as many contacts as most: p50 of those that hold, and of those that slip. */
function apart({ microseconds, holds }: Solved, problems: readonly FrictionProblem[], typical: number) {
  const of = (wanted: boolean) =>
    percentile(
      microseconds.filter((_, n) => holds[n] === wanted && Math.abs(problems[n].count - typical) <= AROUND),
      50,
    );
  return { holdsUs: of(true), slipsUs: of(false) };
}

function withoutKernels(
  solve: () => Solved,
  { displacements }: Solved,
  problems: readonly FrictionProblem[],
  typical: number,
) {
  useKernels(false);
  const plain = solve();
  useKernels(true);
  const difference = displacements.reduce(
    (most, value, i) => (i % 6 < 3 ? Math.max(most, Math.abs(value - plain.displacements[i])) : most),
    0,
  );
  return { ...apart(plain, problems, typical), differenceNm: 1e9 * difference };
}

function describeCycles(recorded: RecordedMotion, { column }: Recording) {
  const { contacts, state, nearLimit, typicalContacts, capped } = recorded;
  const atCorner = (cycle: number) => Math.abs(contacts[cycle] - typicalContacts) <= AROUND;
  const row = (name: string, wanted: (cycle: number) => boolean) => {
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
      /** p50 of the stages. */
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

function barsOf(
  { ratios }: CompareReport,
  models: readonly ModelRow[],
  cycle: CycleReport,
  growth: GrowthReport,
): Bar[] {
  const modelP50 = (name: FrictionModelName) => models.find(({ model }) => model === name)?.p50Us ?? Number.NaN;
  const [sticking, sliding, , corner] = cycle.rows;
  const cone = models.find(({ model }) => model === 'cone')!;
  const largest = growth.rows[growth.rows.length - 1];
  return [
    atMost('cone holds, p50', cone.holdsUs, 7, 'µs'),
    atMost('cone slips, p50', cone.slipsUs, 22, 'µs'),
    atMost('cone, difference without kernels', cone.plain!.differenceNm, 1, 'nm'),
    atMost('quadratic, p50', modelP50('quadratic'), 100, 'µs'),
    atMost('sticking cycle, p50', sticking.p50Us, 25, 'µs'),
    atMost('sliding cycle, p50', sliding.p50Us, 38, 'µs'),
    atMost('all cycles, p99', corner.p99Us, 300, 'µs'),
    atMost(`cycle of ${largest.contacts} contacts, p50`, largest.cycle, Math.max(25, 0.2 * largest.contacts), 'µs'),
    atLeast('cycles within 5 % of the limit', 100 * cycle.nearLimit, 20, '%'),
    ...ratios.flatMap(({ order, form, feasible, infeasible }) => [
      atLeast(`HiGHS, ${form} form, ${order} loads, feasible`, feasible, 50, '×'),
      atLeast(`HiGHS, ${form} form, ${order} loads, infeasible`, infeasible, 50, '×'),
    ]),
  ];
}

/** What the number of contacts costs: the same motion over shells of more and more points. */
export type GrowthReport = Awaited<ReturnType<typeof measureGrowth>>;

export interface GrowthRow {
  readonly points: number;
  readonly contacts: number;
  /** Microseconds, p50. */
  readonly cone: number;
  readonly quadratic: number;
  readonly cycle: number;
}

/** time = base + perContact · contacts, and time ∝ contacts^exponent from 100 contacts on. */
export type GrowthFit = ReturnType<typeof fit>;

const TARGETS = [10, 20, 50, 100, 200, 500, 1000];
const CONTACTS_OF_PAPER = 98;
const CYCLES = 1000;
/** Cycles whose problems are kept: press, push and pull in the corner. */
const FIRST_KEPT = 100;
const KEPT = 300;

export async function measureGrowth(largest: number, seed: number, onProgress: ProgressListener) {
  const motion = createCornerMotion(CYCLES, seed);
  const targets = TARGETS.filter((target) => target <= largest);
  const rows: GrowthRow[] = [];
  for (const [index, target] of targets.entries()) {
    onProgress(`${target} contacts`, index / targets.length);
    const points = Math.round((target / CONTACTS_OF_PAPER) * POINTS_OF_PAPER);
    const corner = await loadCorner(points, (stage) => onProgress(stage, index / targets.length));
    const recorded = recordMotion(corner, motion);
    const problems = recordProblems(corner, motion, FIRST_KEPT, KEPT);
    const solve = (model: 'cone' | 'quadratic') => percentile(timeSolves({ model }, problems).microseconds, 50);
    rows.push({
      points,
      contacts: recorded.typicalContacts,
      cone: solve('cone'),
      quadratic: solve('quadratic'),
      cycle: typicalCycle(timeCycles(corner, motion), recorded),
    });
  }
  return { rows, fits: (['cone', 'quadratic', 'cycle'] as const).map((name) => fit(name, rows)) };
}

/** p50 of the cycles in which the cube touches all three faces. */
function typicalCycle({ column }: Recording, { contacts, typicalContacts }: RecordedMotion): number {
  return percentile(
    column.us_total.filter((_, cycle) => contacts[cycle] >= 0.9 * typicalContacts),
    50,
  );
}

function fit(name: 'cone' | 'quadratic' | 'cycle', rows: readonly GrowthRow[]) {
  const points = rows.map((row) => [row.contacts, row[name]] as const);
  const line = fitLine(points);
  const logarithms = points.filter(([x]) => x >= 0.9 * 100).map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  return {
    name,
    baseUs: line.intercept,
    perContactUs: line.slope,
    rSquared: line.rSquared,
    /** Null with fewer than two sizes of at least 100 contacts. */
    exponent: logarithms.length > 1 ? fitLine(logarithms).slope : null,
  };
}
