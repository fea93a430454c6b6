import type { Row } from '@palpable/cli/internal';
import type { Pose } from '@palpable/engine';
import { percentile } from '@palpable/engine/advanced';
import { largest, leastTimes, rounded, sum } from '../../play/statistics.js';
import { peaksOverTime } from '../../play/summary.js';
import { type Claim, claimAbove, claimTrue } from '../claim.js';
import { defineStudy, plot, type StudyPlot, table, type ValuesOf } from '../study.js';
import { type Jaws, jawMotion, jawQuery, prepareJaws } from './otaduy-jaws-rig.js';
import {
  type Calm,
  calmsDown,
  depthMeter,
  leadAlong,
  type ModularRecording,
  type ModularRun,
  modularOptions,
  ripple,
  solidTool,
  touching,
  tremble,
  WATCHED_CYCLES,
} from './otaduy-rig.js';

/*
 * Otaduy and Lin, section VII-D, fig. 6: an upper jaw over a lower one with three tolerances of the levels of detail, with
 * and without the linearised contact model, on the same motion of the device. The contact side is as late as it is slow:
 * `as fast as it can` has a new model after as many cycles as the search takes here, `throttled` after ten (100 Hz), which
 * is what the paper's machine fell to.
 */

const parameters = {
  triangles: { meaning: 'of the upper and the lower jaw', unit: '', min: 100, max: 1e6, whole: true, atLeast: 2 },
  seed: { meaning: 'of the motion of the hand', unit: '', min: 0, max: 1e9, whole: true },
  seconds: { meaning: 'length of the motion of the hand', unit: 's', min: 0.1, max: 100 },
  sizes: { meaning: 'of its swings along and about x, y, z', unit: 'm, rad', min: 0, max: 10, atLeast: 6 },
  press: { meaning: 'how far the device goes below the first contact', unit: 'm', min: 0, max: 0.1 },
  tolerances: { meaning: 'parts of the radius, largest first', unit: '', min: 0, max: 1, atLeast: 1 },
  clusters: { meaning: 'K', unit: '', min: 1, max: 100, whole: true },
  mass: { meaning: 'of the upper jaw', unit: 'kg', min: 1e-6, max: 10 },
  stiffness: { meaning: 'of the coupling', unit: 'N/m', min: 1, max: 1e5 },
  torsionalStiffness: { meaning: 'of the coupling', unit: 'N m/rad', min: 0.001, max: 1e3 },
  contactStiffness: { meaning: 'of each cluster', unit: 'N/m', min: 1, max: 1e6 },
  distanceTolerance: { meaning: 'from which contacts push', unit: 'm', min: 1e-6, max: 0.1 },
  throttledHz: { meaning: 'rate of the throttled contact side', unit: 'Hz', min: 1, max: 1000 },
  publishedPenetration: { meaning: 'published penetration at the largest tolerance', unit: 'm', min: 0, max: 1 },
  requiredHz: { meaning: 'rate that the contact side must reach', unit: 'Hz', min: 0, max: 1e5 },
} as const;
type Values = ValuesOf<typeof parameters>;

interface JawRun {
  /** As a fraction of the smaller radius. */
  readonly tolerance: number;
  readonly linearised: boolean;
  readonly throttled: boolean;
  /** Cycles from one contact model to the next. */
  readonly ratio: number;
  readonly calm: boolean;
  readonly recording: ModularRecording;
}

export const otaduyJaws = defineStudy({
  name: 'otaduy-jaws',
  parameters,
  async run(lab, values) {
    await lab.progress('hierarchies of the jaws', 0);
    const jaws = await prepareJaws(lab, values.triangles);
    const motion = jawMotion(jaws, values);
    const rates: Rate[] = [];
    const runs: JawRun[] = [];
    const throttle = Math.max(1, Math.round(1000 / values.throttledHz));
    for (const [n, tolerance] of values.tolerances.entries()) {
      await lab.progress(`rate at ${100 * tolerance} %`, (n + 0.2) / values.tolerances.length);
      const rate = measureRate(jaws, motion, tolerance, values);
      rates.push(rate);
      const ratio = Math.max(1, Math.ceil(rate.p99Us / 1000));
      for (const linearised of [true, false]) {
        for (const throttled of [false, true]) {
          await lab.progress(`runs at ${100 * tolerance} %`, (n + 0.5) / values.tolerances.length);
          const setting = { tolerance, linearised, throttled, ratio: throttled ? throttle : ratio };
          runs.push({ ...setting, ...runJaws(jaws, motion, setting, values) });
        }
      }
    }
    return {
      tables: [
        table(
          'rates',
          `Contact side, jaws of ${jaws.triangles.join(' and ')} triangles (stand-ins: teeth of CHAI3D)`,
          rates.map(rateRow),
        ),
        table('runs', 'The motion over the lower jaw, and a step of 1 mm at its end', runs.map(rowOf)),
      ],
      plots: plotsOf(runs),
      claims: claimsOf(runs, rates, values),
      capped: sum(runs.map(({ recording }) => recording.capped)),
    };
  },
});

type Rate = ReturnType<typeof measureRate>;

const REPLAYS = 3;

/** Every cycle's least time of some replays in which contacts are found in each cycle. */
function measureRate(jaws: Jaws, motion: readonly Pose[], tolerance: number, values: Values) {
  const setting = { tolerance, linearised: true, ratio: 1 };
  const { column } = leastTimes(REPLAYS, () => leadAlong(jawRun(jaws, motion, setting, values)));
  const searches = column.us_find.filter((us) => !Number.isNaN(us));
  return {
    tolerance,
    contacts: largest(column.contacts),
    p50Us: percentile(searches, 50),
    p99Us: percentile(searches, 99),
    maxUs: largest(searches),
  };
}

type JawSetting = Pick<JawRun, 'tolerance' | 'linearised' | 'ratio'>;

function jawRun(jaws: Jaws, motion: readonly Pose[], setting: JawSetting, values: Values): ModularRun {
  const { linearised, ratio, tolerance } = setting;
  const { distanceTolerance, clusters, stiffness, torsionalStiffness, contactStiffness } = values;
  return {
    tool: solidTool(jaws.upperMesh, values.mass),
    contacts: touching(jawQuery(jaws, tolerance, distanceTolerance), jaws.friction),
    options: modularOptions({
      coupling: { stiffness, torsionalStiffness },
      contact: { stiffness: contactStiffness, tolerance: distanceTolerance, clusters, linearised },
      contactRatio: ratio,
      contactDelayed: true,
    }),
    motion,
  };
}

/** The penetration is measured at the run's tolerance, by a query of its own. */
function runJaws(jaws: Jaws, motion: readonly Pose[], setting: JawSetting, values: Values): Calm {
  const run = jawRun(jaws, motion, setting, values);
  const depthAt = depthMeter(jawQuery(jaws, setting.tolerance, values.distanceTolerance), run.tool);
  return calmsDown({ ...run, depthAt }, [0, 0, -1], false);
}

function rateRow({ tolerance, contacts, p50Us, p99Us, maxUs }: Rate): Row {
  return {
    'tolerance, %': 100 * tolerance,
    'most contacts': contacts,
    'search p50, µs': rounded(p50Us),
    'p99, µs': rounded(p99Us),
    'max, µs': rounded(maxUs),
    'rate p50, Hz': rounded(1e6 / p50Us),
    'lowest, Hz': rounded(1e6 / maxUs),
  };
}

function rowOf(run: JawRun): Row {
  const { tolerance, linearised, ratio, calm, recording } = run;
  const { column } = recording;
  return {
    'tolerance, %': 100 * tolerance,
    linearised: linearised ? 'yes' : 'no',
    'contact side, Hz': rounded(1000 / ratio),
    bounded: recording.bounded ? 'yes' : 'no',
    'calms down': calm ? 'yes' : 'no',
    'speed at the end, mm/s': rounded(1000 * endSpeed(run)),
    'penetration max, mm': rounded(1000 * largest(column.penetration)),
    'deviation max, mm': rounded(1000 * largest(column.deviation)),
    'force max, N': rounded(largest(column.force)),
    'trembles by, N': rounded(tremble(column.force)),
    'ripple at the end, N': rounded(ripple(recording)),
  };
}

function endSpeed({ recording }: JawRun): number {
  return largest(recording.column.centre_speed.subarray(-WATCHED_CYCLES));
}

function nameOf({ tolerance, linearised, throttled }: JawRun): string {
  return `${100 * tolerance} %, ${linearised ? '' : 'not '}linearised${throttled ? ', throttled' : ''}`;
}

function plotsOf(runs: readonly JawRun[]): StudyPlot[] {
  const both = (name: string, label: string, column: keyof ModularRecording['column'], factor = 1) =>
    [false, true].map((throttled) =>
      plot(
        throttled ? `${name}-throttled` : name,
        `Jaws${throttled ? ', contact side throttled' : ''}: ${label.split(',')[0]}`,
        'time, s',
        { label, min: 0 },
        runs
          .filter((run) => run.throttled === throttled)
          .map((run) => peaksOverTime(nameOf(run), run.recording, column, factor)),
      ),
    );
  return [
    ...both('penetration', 'penetration, mm', 'penetration', 1000),
    ...both('deviation', 'coupling deviation, mm', 'deviation', 1000),
    ...both('force', 'feedback force, N', 'force'),
  ];
}

/** So many times as much trembling is clearly worse. */
const CLEARLY = 3;

function claimsOf(runs: readonly JawRun[], rates: readonly Rate[], values: Values): Claim[] {
  const { publishedPenetration, requiredHz } = values;
  const find = (tolerance: number, linearised: boolean, throttled: boolean) =>
    runs.find((run) => run.tolerance === tolerance && run.linearised === linearised && run.throttled === throttled)!;
  const coarse = find(rates[0]!.tolerance, true, false);
  const deepest = largest(coarse.recording.column.penetration);
  return [
    claimTrue(
      `${nameOf(coarse)}: the jaws go into each other by`,
      deepest <= publishedPenetration,
      `${rounded(1000 * deepest)} mm`,
      `<= ${1000 * publishedPenetration} mm`,
    ),
    ...rates.map(({ tolerance, p99Us }) =>
      claimAbove(`${100 * tolerance} %: rate of the contact side (p99 of its time)`, 1e6 / p99Us, requiredHz, 'Hz'),
    ),
    ...rates.flatMap(({ tolerance }) => [
      calmClaim(find(tolerance, true, false)),
      calmClaim(find(tolerance, true, true)),
      worseClaim(find(tolerance, true, true), find(tolerance, false, true)),
    ]),
  ];
}

function calmClaim(run: JawRun): Claim {
  const { bounded } = run.recording;
  const measured = bounded ? `${rounded(1000 * endSpeed(run))} mm/s` : 'diverges';
  return claimTrue(`${nameOf(run)}: stable, its speed 1 s after a step of 1 mm`, run.calm, measured, '< 1 mm/s');
}

function worseClaim(linearised: JawRun, held: JawRun): Claim {
  const [good, bad] = [linearised, held].map(({ recording }) => tremble(recording.column.force)) as [number, number];
  return claimTrue(
    `${nameOf(held)}: diverges, or its force jitters clearly more than with the linearised model`,
    !held.recording.bounded || bad > CLEARLY * good,
    held.recording.bounded ? `${rounded(bad)} N against ${rounded(good)} N` : 'diverges',
    `diverges, or ${CLEARLY} times`,
  );
}
