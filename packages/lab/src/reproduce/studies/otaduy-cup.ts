import type { Row } from '@palpable/cli/internal';
import type { Pose } from '@palpable/engine';
import { bodyPose, type IntegratorKind, percentile } from '@palpable/engine/advanced';
import { motionAlong, pathParameter } from '../../play/motion.js';
import { largest, rounded, sum } from '../../play/statistics.js';
import { peaksOverTime } from '../../play/summary.js';
import { type Claim, claimAbove, claimBelow, claimTrue } from '../claim.js';
import { defineStudy, type Lab, plot, runEach, type StudyPlot, table, type ValuesOf } from '../study.js';
import {
  calmsDown,
  depthMeter,
  frictionOf,
  hierarchyQuery,
  type ModularRecording,
  modularOptions,
  pairOf,
  ripple,
  solidTool,
  TIME_STEP,
  touching,
  tremble,
  WATCHED_CYCLES,
} from './otaduy-rig.js';

/*
 * Otaduy and Lin, section VII-C, fig. 4: a spoon goes free, touches the cup and stays on it, with three settings on the same
 * motion of the device. The search for contacts takes one cycle, as in a thread of its own.
 */

const parameters = {
  path: pathParameter('of the device'),
  stiffness: { meaning: 'of the coupling', unit: 'N/m', min: 1, max: 1e5 },
  torsionalStiffness: { meaning: 'of the coupling', unit: 'N m/rad', min: 0.001, max: 1e3 },
  damping: { meaning: 'of the coupling', unit: 'N s/m', min: 0, max: 1e4 },
  torsionalDamping: { meaning: 'of the coupling', unit: 'N m s/rad', min: 0, max: 100 },
  contactStiffness: { meaning: 'of each cluster', unit: 'N/m', min: 1, max: 1e6 },
  stiffContact: { meaning: 'of each cluster in the last run', unit: 'N/m', min: 1, max: 1e6 },
  mass: { meaning: 'of the spoon', unit: 'kg', min: 1e-6, max: 10 },
  heavyMass: { meaning: 'of the spoon with Runge–Kutta', unit: 'kg', min: 1e-6, max: 10 },
  distanceTolerance: { meaning: 'from which contacts push', unit: 'm', min: 1e-6, max: 0.1 },
  tolerance: { meaning: 'of the levels of detail', unit: 'm', min: 0, max: 0.1 },
  publishedPenetration: { meaning: 'published largest penetration', unit: 'm', min: 0, max: 1 },
} as const;
type Values = ValuesOf<typeof parameters>;

interface Setting {
  readonly name: string;
  readonly integrator: IntegratorKind;
  /** kg */
  readonly mass: number;
  /** Of each cluster, N/m. */
  readonly stiffness: number;
}

interface CupRun extends Setting {
  readonly recording: ModularRecording;
  readonly calm: boolean;
}

export const otaduyCup = defineStudy({
  name: 'otaduy-cup',
  parameters,
  async run(lab, values) {
    const { mass, heavyMass, contactStiffness, stiffContact } = values;
    const settings = (
      [
        { integrator: 'implicit', mass, stiffness: contactStiffness },
        { integrator: 'runge-kutta', mass: heavyMass, stiffness: contactStiffness },
        { integrator: 'implicit', mass, stiffness: stiffContact },
      ] as const
    ).map((setting): Setting => ({ ...setting, name: nameOf(setting) }));
    const bodies = bodiesOf(lab);
    const { motion } = motionAlong({ path: values.path }, bodies.standing, TIME_STEP);
    const runs = await runEach(
      lab,
      settings,
      ({ name }) => name,
      (setting): CupRun => ({ ...setting, ...runSetting(bodies, setting, motion, values) }),
    );
    const first = Math.max(
      0,
      runs[0]!.recording.column.contacts.findIndex((count) => count > 0),
    );
    return {
      tables: [
        table(
          'settings',
          'The three settings',
          runs.map((run) => rowOf(run, first)),
        ),
      ],
      plots: plotsOf(runs),
      claims: claimsOf(runs, first, values),
      capped: sum(runs.map(({ recording }) => recording.capped)),
    };
  },
});

function nameOf({ integrator, mass, stiffness }: Omit<Setting, 'name'>): string {
  return `${integrator}, ${1000 * mass} g, ${stiffness / 1000} kN/m`;
}

type SpoonAndCup = ReturnType<typeof bodiesOf>;

function bodiesOf({ scene, bodies }: Lab) {
  const [tool, environment] = pairOf(scene);
  return {
    mesh: bodies.get(tool)!.mesh,
    spoon: bodies.get(tool)!.hierarchy!,
    cup: bodies.get(environment)!.hierarchy!,
    standing: bodyPose(scene.bodies[tool]!),
    cupPose: bodyPose(scene.bodies[environment]!),
    friction: frictionOf(scene),
  };
}

function runSetting(
  { mesh, spoon, cup, cupPose, friction }: SpoonAndCup,
  { integrator, mass, stiffness }: Setting,
  motion: readonly Pose[],
  values: Values,
): Pick<CupRun, 'recording' | 'calm'> {
  const { distanceTolerance, tolerance } = values;
  const limits = { distanceTolerance, tolerance, maxDepth: MAX_DEPTH };
  const tool = solidTool(mesh, mass);
  const { calm, recording } = calmsDown(
    {
      tool,
      contacts: touching(hierarchyQuery(spoon, cup, limits), friction, cupPose),
      options: modularOptions({
        integrator,
        coupling: {
          stiffness: values.stiffness,
          torsionalStiffness: values.torsionalStiffness,
          damping: values.damping,
          torsionalDamping: values.torsionalDamping,
        },
        contact: { stiffness, tolerance: distanceTolerance },
        contactDelayed: true,
      }),
      motion,
      depthAt: depthMeter(hierarchyQuery(spoon, cup, limits), tool, cupPose),
    },
    [0, 0, -1],
    false,
  );
  return { calm, recording };
}

/** Less than the wall of the cup. */
const MAX_DEPTH = 0.002;

function rowOf({ name, recording, calm }: CupRun, first: number): Row {
  const { column } = recording;
  return {
    run: name,
    bounded: recording.bounded ? 'yes' : 'no',
    'calms down': calm ? 'yes' : 'no',
    'speed at the end, mm/s': rounded(1000 * largest(column.centre_speed.subarray(-WATCHED_CYCLES))),
    'max penetration, mm': rounded(1000 * largest(column.penetration)),
    'max deviation, mm': rounded(1000 * largest(column.deviation)),
    'contact force max, N': rounded(largest(column.contact_force)),
    'feedback free max, N': rounded(largest(column.force.subarray(0, first))),
    'feedback in contact p50, N': rounded(percentile(column.force.subarray(first), 50)),
    'ripple at the end, N': rounded(ripple(recording)),
    'force trembles by, N': rounded(tremble(column.force.subarray(first))),
  };
}

function plotsOf(runs: readonly CupRun[]): StudyPlot[] {
  const over = (name: string, label: string, column: keyof ModularRecording['column'], factor = 1) =>
    plot(
      name,
      `Spoon and cup: ${label.split(',')[0]}`,
      'time, s',
      { label, min: 0 },
      runs.map(({ name: run, recording }) => peaksOverTime(run, recording, column, factor)),
    );
  return [
    over('penetration', 'penetration, mm', 'penetration', 1000),
    over('deviation', 'coupling deviation, mm', 'deviation', 1000),
    over('contact-force', 'contact force, N', 'contact_force'),
    over('feedback', 'feedback force, N', 'force'),
  ];
}

/** Part of the force; people distinguish forces from about a twentieth on. */
const STEADY = 0.05;

function claimsOf(runs: readonly CupRun[], first: number, { publishedPenetration }: Values): Claim[] {
  const [implicit, heavy] = runs as [CupRun, CupRun];
  const distinction = ({ recording: { column } }: CupRun) =>
    percentile(column.force.subarray(first), 50) / percentile(column.force.subarray(0, first), 95);
  return [
    claimBelow(
      `${implicit.name}: the spoon goes into the cup by`,
      1000 * largest(implicit.recording.column.penetration),
      1000 * publishedPenetration,
      'mm',
    ),
    claimTrue(
      `${implicit.name}: bounded, and after a step of 1 mm the tool's speed falls below 1 mm/s within 1 s`,
      implicit.calm,
      `${rounded(1000 * largest(implicit.recording.column.centre_speed.subarray(-WATCHED_CYCLES)))} mm/s`,
      '< 1 mm/s',
    ),
    claimBelow(
      `${implicit.name}: what the hand feels at rest varies by, of its mean`,
      ripple(implicit.recording) / percentile(implicit.recording.column.force.subarray(-WATCHED_CYCLES), 50),
      STEADY,
    ),
    claimAbove(
      'contact stands out from free motion (median of the force in contact over p95 before) more with backward Euler',
      distinction(implicit),
      distinction(heavy),
    ),
  ];
}
