import type { Row } from '@palpable/cli/internal';
import { createPose, type ToolBody } from '@palpable/engine';
import { type IntegratorKind, withMass } from '@palpable/engine/advanced';
import { bisect, geometricMean, largest, mean, rounded } from '../../play/statistics.js';
import { peaksOverTime } from '../../play/summary.js';
import { type Claim, claimBelow, claimNear, claimTrue } from '../claim.js';
import { defineStudy, type Lab, plot, runEach, type StudyPlot, table, type ValuesOf } from '../study.js';
import {
  calmsDown,
  handMotion,
  leadAlong,
  type ModularRecording,
  type ModularRun,
  modularOptions,
  NO_CONTACTS,
  solidTool,
} from './otaduy-rig.js';

/*
 * Otaduy and Lin, section VII-B, fig. 3: a spoon in free space. How light may it be for each integrator? Stable means:
 * after a step of the device of 1 mm and 0.01 rad about each axis, the speed of every point of the tool falls below 1 mm/s
 * within 1 s; and on the motion of the hand it stays within 0.1 m of the device.
 *
 * The paper does not say how the coupling was damped, and the limits of explicit integrators depend on it: they come from the
 * rotation about the spoon's long axis, whose inertia is tiny. Three settings are shown: critical damping of the tool at hand,
 * which grows with the mass; no damping of rotation to speak of; and the one at which Runge–Kutta has the published limit.
 */

const parameters = {
  seed: { meaning: 'of the motion of the hand', unit: '', min: 0, max: 1e9, whole: true },
  seconds: { meaning: 'length of the motion of the hand', unit: 's', min: 0.1, max: 100 },
  sizes: { meaning: 'of its swings along and about x, y, z', unit: 'm, rad', min: 0, max: 10, atLeast: 6 },
  stiffness: { meaning: 'of the coupling', unit: 'N/m', min: 1, max: 1e5 },
  torsionalStiffness: { meaning: 'of the coupling', unit: 'N m/rad', min: 0.001, max: 1e3 },
  lightDamping: { meaning: 'rotational damping, where it is small', unit: 'N m s/rad', min: 0, max: 1 },
  leastMass: { meaning: 'where the search for stable masses begins', unit: 'kg', min: 1e-7, max: 1 },
  mostMass: { meaning: 'and where it ends', unit: 'kg', min: 1e-4, max: 100 },
  publishedImplicit: { meaning: 'published mass of backward Euler', unit: 'kg', min: 1e-6, max: 1 },
  publishedRungeKutta: { meaning: 'published smallest mass of Runge–Kutta', unit: 'kg', min: 1e-6, max: 1 },
  publishedEuler: { meaning: 'published smallest mass of forward Euler', unit: 'kg', min: 1e-6, max: 1 },
  bisections: { meaning: 'steps of each search', unit: '', min: 1, max: 40, whole: true },
} as const;
type Values = ValuesOf<typeof parameters>;

const INTEGRATORS: readonly IntegratorKind[] = ['implicit', 'runge-kutta', 'euler'];

interface Damping {
  readonly name: string;
  /** N s/m and N m s/rad; null for critical. */
  readonly linear: number | null;
  readonly torsional: number | null;
}

interface Limit {
  readonly damping: Damping;
  readonly integrator: IntegratorKind;
  /** kg; 0 if the lightest that was tried is stable, NaN if none is. */
  readonly mass: number;
}

export const otaduyFree = defineStudy({
  name: 'otaduy-free',
  parameters,
  async run(lab, values) {
    const spoon = spoonOf(lab);
    await lab.progress('searching for the damping of the published limit', 0);
    const dampings = await dampingsOf(lab, spoon, values);
    const trials = dampings.flatMap((damping) => INTEGRATORS.map((integrator) => ({ damping, integrator })));
    const limits = await runEach(
      lab,
      trials,
      ({ damping, integrator }) => `smallest mass, ${integrator}, ${damping.name}`,
      ({ damping, integrator }): Limit => {
        return { damping, integrator, mass: smallestMass(spoon, integrator, damping, values) };
      },
      [0.3, 0.9],
    );
    await lab.progress('motion of the hand', 0.9);
    const matched = dampings.at(-1)!;
    const runs = publishedMasses(values).map(({ integrator, mass }) => ({
      name: `${integrator}, ${rounded(1000 * mass)} g`,
      integrator,
      mass,
      recording: leadAlong(freeRun(spoon, integrator, matched, mass, values)),
    }));
    return {
      tables: [
        table(
          'masses',
          'Smallest stable mass',
          limits.map((limit) => massRow(limit, values)),
        ),
        table(
          'motion',
          `The motion of the hand at the published masses, torsional damping ${rounded(matched.torsional!)} N m s/rad`,
          runs.map(motionRow),
        ),
      ],
      plots: plotsOf(runs),
      claims: claimsOf(spoon, limits, dampings, runs, values),
      capped: 0,
    };
  },
});

function spoonOf({ scene, bodies }: Lab): ToolBody {
  return solidTool(bodies.get(scene.tool[0]!)!.mesh, 0.01);
}

function freeRun(
  spoon: ToolBody,
  integrator: IntegratorKind,
  { linear, torsional }: Damping,
  mass: number,
  { seed, seconds, sizes, stiffness, torsionalStiffness }: Values,
): ModularRun {
  return {
    tool: withMass(spoon, mass),
    contacts: NO_CONTACTS,
    options: modularOptions({
      integrator,
      coupling: { stiffness, torsionalStiffness, damping: linear, torsionalDamping: torsional },
    }),
    motion: handMotion({ seed, seconds, sizes }, createPose()),
  };
}

function isStable(
  spoon: ToolBody,
  integrator: IntegratorKind,
  damping: Damping,
  mass: number,
  values: Values,
): boolean {
  const run = freeRun(spoon, integrator, damping, mass, values);
  return calmsDown({ ...run, motion: [createPose()] }, [1, 0, 0], true).still && leadAlong(run).bounded;
}

/** From below in steps of two, then halved between the last that is not stable and the first that is. */
function smallestMass(spoon: ToolBody, integrator: IntegratorKind, damping: Damping, values: Values): number {
  const { leastMass, mostMass, bisections } = values;
  if (isStable(spoon, integrator, damping, leastMass, values)) return 0;
  let [low, high] = [leastMass, 2 * leastMass];
  while (high <= mostMass && !isStable(spoon, integrator, damping, high, values)) [low, high] = [high, 2 * high];
  if (high > mostMass) return Number.NaN;
  return bisect((mass) => !isStable(spoon, integrator, damping, mass, values), low, high, bisections, geometricMean)[1];
}

const MOST_TORSIONAL = 0.1;
const LEAST_TORSIONAL = 1e-4;

async function dampingsOf(lab: Lab, spoon: ToolBody, values: Values): Promise<Damping[]> {
  const { stiffness, lightDamping, publishedRungeKutta, bisections } = values;
  // Critical for a spoon of 10 g; that it is the same for all masses keeps the search to one number.
  const linear = 2 * Math.sqrt(stiffness * spoon.mass);
  const named = (name: string, torsional: number): Damping => ({ name, linear, torsional });
  const holds = (torsional: number) =>
    isStable(spoon, 'runge-kutta', named('', torsional), publishedRungeKutta, values);
  // The strongest damping that holds: too little of it does not calm the tool down in time either.
  let [low, high] = [MOST_TORSIONAL / 2, MOST_TORSIONAL];
  while (low > LEAST_TORSIONAL && !holds(low)) [low, high] = [low / 2, low];
  for (let n = 0; n < bisections; n += 1) {
    await lab.progress('searching for the damping of the published limit', (0.3 * n) / bisections);
    const middle = geometricMean(low, high);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return [
    { name: 'critical for each mass', linear: null, torsional: null },
    named(`rotation ${rounded(lightDamping)} N m s/rad`, lightDamping),
    named(`rotation ${rounded(low)} N m s/rad (Runge–Kutta as published)`, low),
  ];
}

function publishedMasses({ publishedImplicit, publishedRungeKutta, publishedEuler }: Values) {
  // A little above the limits, where the paper's plots are.
  return [
    { integrator: 'implicit', mass: publishedImplicit },
    { integrator: 'runge-kutta', mass: 1.02 * publishedRungeKutta },
    { integrator: 'euler', mass: 1.02 * publishedEuler },
  ] as const;
}

function massRow({ damping, integrator, mass }: Limit, values: Values): Row {
  const published = { implicit: values.publishedImplicit, 'runge-kutta': values.publishedRungeKutta };
  const of = (published as Partial<Record<IntegratorKind, number>>)[integrator] ?? values.publishedEuler;
  return {
    damping: damping.name,
    integrator,
    'smallest stable mass, g': massText(mass, values),
    'published, g': 1000 * of,
  };
}

function massText(mass: number, { leastMass, mostMass }: Values): string {
  if (Number.isNaN(mass)) return `none up to ${1000 * mostMass}`;
  return mass === 0 ? `below ${1000 * leastMass}` : String(rounded(1000 * mass));
}

interface NamedRun {
  readonly name: string;
  readonly recording: ModularRecording;
}

function motionRow({ name, recording: { column, bounded } }: NamedRun): Row {
  return {
    run: name,
    bounded: bounded ? 'yes' : 'no',
    'deviation mean, mm': rounded(1000 * mean(column.deviation)),
    'max, mm': rounded(1000 * largest(column.deviation)),
    'force mean, N': rounded(mean(column.force)),
    'max, N': rounded(largest(column.force)),
  };
}

function plotsOf(runs: readonly NamedRun[]): StudyPlot[] {
  const series = (column: 'deviation' | 'force', factor: number) =>
    runs.map(({ name, recording }) => peaksOverTime(name, recording, column, factor));
  const [deviation, force] = [
    { label: 'deviation, mm', log: true },
    { label: 'force, N', min: 0 },
  ];
  return [
    plot('deviation', 'Spoon in free space: coupling deviation', 'time, s', deviation, series('deviation', 1000)),
    plot('force', 'Spoon in free space: coupling force', 'time, s', force, series('force', 1)),
  ];
}

/** Below its limit by this part an explicit integrator must fail. */
const BELOW = 0.9;

function claimsOf(
  spoon: ToolBody,
  limits: readonly Limit[],
  dampings: readonly Damping[],
  runs: readonly NamedRun[],
  values: Values,
): Claim[] {
  const light = 1000 * values.publishedImplicit;
  const stable = dampings.filter((damping) => isStable(spoon, 'implicit', damping, values.publishedImplicit, values));
  const explicit = limits.filter(({ integrator, mass }) => integrator !== 'implicit' && mass > 0);
  const failing = explicit.filter(
    ({ integrator, damping, mass }) => !isStable(spoon, integrator, damping, BELOW * mass, values),
  );
  const matchedEuler = limits.at(-1)!.mass;
  const [implicit, ...others] = runs.map(({ recording }) => largest(recording.column.force));
  return [
    claimTrue(
      `backward Euler is stable at ${light} g with every damping`,
      stable.length === dampings.length,
      `${stable.length} of ${dampings.length}`,
      `${dampings.length} of ${dampings.length}`,
    ),
    claimTrue(
      `the explicit integrators fail ${Math.round(100 * (1 - BELOW))} % below their limits`,
      explicit.length > 0 && failing.length === explicit.length,
      `${failing.length} of ${explicit.length} limits`,
      `${explicit.length} of ${explicit.length} limits`,
    ),
    claimNear(
      "at the damping at which Runge–Kutta's limit is the published one, so is forward Euler's",
      1000 * matchedEuler,
      1000 * values.publishedEuler,
      0.1,
      'g',
    ),
    claimBelow(
      `in free space the hand feels less with backward Euler at ${light} g than with the others at their masses: force`,
      implicit!,
      Math.min(...others),
      'N',
    ),
  ];
}
