import type { Row } from '@palpable/cli/internal';
import { createPose, type FrictionModelName } from '@palpable/engine';
import { rounded, sum } from '../../play/statistics.js';
import { overTime } from '../../play/summary.js';
import { type Claim, claimTrue } from '../claim.js';
import { createFrictionRig } from '../friction-rig.js';
import { type Insertion, pushIn } from '../hand.js';
import { holdAndSlide, slideClaims, slideParameters, slidePlots, slideRows } from '../slide.js';
import { defineStudy, type Lab, plot, runEach, table, type ValuesOf } from '../study.js';

/*
 * Zhao, sections 5.1 and 5.6, fig. 8, 9 and 18: a part that is slid over another, and then pushed into its seat by a hand
 * that keeps to a line a little beside it, so that it has to slide down a bevel. Above a certain coefficient the push lies
 * inside the friction cone of the bevel: no force gets the part in, as long as the contacts do not give way by as much as
 * the part is beside its seat. Springs let it in all the same when the hand wiggles.
 */

const parameters = {
  ...slideParameters,
  insertFrom: { meaning: 'start of the push: x, y, z', unit: 'm', min: -10, max: 10, atLeast: 3 },
  direction: { meaning: 'direction of the push, of length 1', unit: '', min: -1, max: 1, atLeast: 3 },
  distance: { meaning: 'displacement to the seat', unit: 'm', min: 0.001, max: 1 },
  speed: { meaning: 'fastest motion of the hand', unit: 'm/s', min: 0.001, max: 10 },
  wiggle: { meaning: 'swing of the hand while it pushes: x, y, z', unit: 'm', min: -1, max: 1, atLeast: 3 },
  wiggleFrequency: { meaning: 'of that swing', unit: 'Hz', min: 0.01, max: 100 },
  maxCycles: { meaning: 'longest push', unit: 'cycles', min: 100, max: 1e6, whole: true },
  slowCycles: { meaning: 'the same with staggered and gauss-seidel', unit: 'cycles', min: 100, max: 1e6, whole: true },
  blockedAt: { meaning: 'coefficient at which the part must not go in', unit: '', min: 0, max: 10_000 },
  passesAt: { meaning: 'coefficient at which it goes in by itself', unit: '', min: 0, max: 10_000 },
  springsAt: { meaning: 'coefficient at which springs let it in', unit: '', min: 0, max: 10_000 },
  largeForce: { meaning: 'hardest push that must not get it in', unit: 'N', min: 0.1, max: 10_000 },
  smallForce: { meaning: 'push that gets it in with springs', unit: 'N', min: 0.1, max: 10_000 },
} as const;
type Values = ValuesOf<typeof parameters>;

interface Try {
  readonly model: FrictionModelName;
  readonly coefficient: number;
  /** N */
  readonly force: number;
  /** Whether it should get in. */
  readonly goesIn: boolean;
  readonly insertion: Insertion;
}

export const slideAndInsert = defineStudy({
  name: 'slide-and-insert',
  parameters,
  async run(lab, values) {
    await lab.progress('pressing and sliding', 0);
    const slide = holdAndSlide(lab, values);
    const tries = await runEach(
      lab,
      plannedTries(values),
      ({ model }) => `inserting with ${model}`,
      (planned): Try => ({ ...planned, insertion: insert(lab, values, planned) }),
      [0.3, 1],
    );
    const cappedIn = (some: readonly Try[]) => sum(some.map(({ insertion }) => insertion.recording.capped));
    const pushes = tries.map((each) => overTime(nameOf(each), each.insertion.recording, 'force'));
    return {
      tables: [
        table('slide', 'Held and slid', slideRows(slide)),
        table(
          'insertion',
          'Pushed towards the seat',
          tries.map((each) => rowOf(each, lab)),
        ),
      ],
      plots: [
        ...slidePlots(slide, 'Slid along the surface'),
        plot('insertion', 'Pushed towards the seat', 'time, s', { label: 'force of the hand, N', min: 0 }, pushes),
      ],
      claims: [...slideClaims(slide, values), ...tries.map((each) => claimOf(each, values))],
      capped: slide.hold.capped + slide.slide.capped + cappedIn(tries.filter(({ model }) => !isCompared(model))),
      cappedCompared: cappedIn(tries.filter(({ model }) => isCompared(model))),
    };
  },
});

/**
 * Staggered projections and Gauss–Seidel, to which the paper compares (section 5.5: below 100 Hz; "a small offset"). Wedged on
 * the bevel they take more rounds than any cycle has time for, so that they end at their caps; docs/experiments.md has by how
 * much they are off then.
 */
function isCompared(model: FrictionModelName): boolean {
  return model === 'staggered' || model === 'gauss-seidel';
}

function plannedTries({ blockedAt, passesAt, springsAt, largeForce, smallForce }: Values): Omit<Try, 'insertion'>[] {
  return [
    { model: 'cone', coefficient: passesAt, force: largeForce, goesIn: true },
    ...(['cone', 'staggered', 'gauss-seidel'] as const).map((model) => ({
      model,
      coefficient: blockedAt,
      force: largeForce,
      goesIn: false,
    })),
    { model: 'springs', coefficient: blockedAt, force: smallForce, goesIn: true },
    { model: 'springs', coefficient: springsAt, force: smallForce, goesIn: true },
  ];
}

function insert(lab: Lab, values: Values, { model, coefficient, force }: Omit<Try, 'insertion'>): Insertion {
  const { insertFrom, direction, speed, distance, wiggle: reach, wiggleFrequency: frequency } = values;
  const rig = createFrictionRig(lab, { friction: { model, coefficient } });
  const start = createPose(insertFrom[0], insertFrom[1], insertFrom[2]);
  const wiggle = { reach, frequency };
  const cycles = isCompared(model) ? values.slowCycles : values.maxCycles;
  return pushIn(rig, { start, direction, speed, force, sideways: 'held', wiggle }, distance, cycles);
}

function nameOf({ model, coefficient }: Try): string {
  return `${model}, μ = ${coefficient}`;
}

function rowOf(each: Try, lab: Lab): Row {
  const { recording, inserted, advance, peakForce } = each.insertion;
  return {
    model: each.model,
    μ: each.coefficient,
    'push at most, N': each.force,
    'pushed with, N': rounded(peakForce),
    'came, mm': rounded(1000 * advance),
    inserted: inserted ? 'yes' : 'no',
    'time, s': rounded(recording.cycles * lab.scene.timeStep),
    'capped cycles': recording.capped,
  };
}

function claimOf(each: Try, { distance }: Values): Claim {
  const { advance, inserted, peakForce } = each.insertion;
  const verb = each.goesIn ? 'admits the part' : 'blocks the part';
  return claimTrue(
    `${nameOf(each)} ${verb} under at most ${each.force} N`,
    inserted === each.goesIn,
    `came ${rounded(1000 * advance)} mm under ${rounded(peakForce)} N`,
    each.goesIn ? `${1000 * distance} mm` : `less than ${1000 * distance} mm`,
  );
}
