import type { PlotSeries, Row } from '@palpable/cli/internal';
import { bodyPose, type ConstraintKind, type Pose } from '@palpable/engine';
import { endOf, motionThrough } from '../play/motion.js';
import { largest, rounded, sum } from '../play/statistics.js';
import { part, peaksOverTime, whileTouching } from '../play/summary.js';
import { type Claim, claimBelow } from './claim.js';
import {
  CONSTRAINTS,
  createGodObjectRig,
  follow,
  type GodObjectRecording,
  type GodObjectRig,
} from './god-object-rig.js';
import { type Lab, plot, runEach, type StudyPlot, type StudyTable, table } from './study.js';

/** A god object led through the phases of an experiment, once with each constraint. */
export interface Tour {
  readonly constraint: ConstraintKind;
  readonly rig: GodObjectRig;
  readonly whole: GodObjectRecording;
  readonly phases: readonly { readonly name: string; readonly recording: GodObjectRecording }[];
}

export type TourPhases = Readonly<Record<string, readonly number[]>>;

/** Starts where the scene puts the tool. */
export function runTours(lab: Lab, paths: TourPhases, repeats: number): Promise<Tour[]> {
  const standing = bodyPose(lab.scene.bodies[lab.scene.tool[0]!]!);
  return runEach(lab, CONSTRAINTS, String, (constraint) => runTour(lab, paths, standing, constraint, repeats));
}

function runTour(lab: Lab, paths: TourPhases, standing: Pose, constraint: ConstraintKind, repeats: number): Tour {
  const rig = createGodObjectRig(lab, { method: { constraint } });
  const motion: Pose[] = [];
  const ends: [string, number, number][] = [];
  let last: readonly number[] = [...standing.subarray(0, 3), 0, 0, 0];
  for (const [name, path] of Object.entries(paths)) {
    const from = motion.length;
    motion.push(...motionThrough(path, last, standing, lab.scene.timeStep));
    ends.push([name, from, motion.length]);
    last = endOf(path);
  }
  const whole = follow(rig, motion, repeats);
  return {
    constraint,
    rig,
    whole,
    phases: ends.map(([name, from, to]) => ({ name, recording: part(whole, from, to) })),
  };
}

export function phaseTable(tours: readonly Tour[]): StudyTable {
  const rows = tours.flatMap(({ constraint, phases, whole, rig }) =>
    [...phases, { name: 'all', recording: whole }].map(({ name, recording }) =>
      rowOf(constraint, name, recording, rig),
    ),
  );
  return table('phases', 'Phases; times in contact', rows);
}

function rowOf(constraint: string, phase: string, recording: GodObjectRecording, { voxel }: GodObjectRig): Row {
  const deepest = Math.max(0, largest(recording.column.penetration));
  const touches = largest(recording.column.contacts) > 0;
  const time = (column: 'us_contact' | 'us_method' | 'us_total', p: number) =>
    touches ? rounded(whileTouching(recording, column, p)) : '';
  return {
    constraint,
    phase,
    cycles: recording.cycles,
    'most contacts': largest(recording.column.contacts),
    'force, N': rounded(largest(recording.column.force)),
    'torque, N m': rounded(largest(recording.column.torque)),
    'penetration, mm': rounded(1000 * deepest),
    'in voxels': rounded(deepest / voxel),
    'step 1 p50, µs': time('us_contact', 50),
    'step 1 p99, µs': time('us_contact', 99),
    'steps 2–7 p50, µs': time('us_method', 50),
    'steps 2–7 p99, µs': time('us_method', 99),
    'cycle p99, µs': time('us_total', 99),
  };
}

/** What figure 8 shows, over time. */
export function tourPlots(tours: readonly Tour[], title: string): StudyPlot[] {
  const both = (column: keyof GodObjectRecording['column'], factor = 1) =>
    tours.map(({ constraint, whole }) => peaksOverTime(constraint, whole, column, factor));
  const overTime = (name: string, label: string, series: readonly PlotSeries[]) =>
    plot(name, title, 'time, s', { label, log: false }, series);
  const [{ whole, rig, constraint }] = tours as [Tour];
  const ends = [whole.column.time[0]!, whole.column.time.at(-1)!];
  return [
    overTime('force', 'force, N', both('force')),
    overTime('torque', 'torque, N m', both('torque')),
    overTime('penetration', 'penetration p, mm (below 0: outside)', [
      ...both('signed_penetration', 1000),
      { name: 'a voxel', points: ends.map((time) => [time, 1000 * rig.voxel] as const) },
    ]),
    overTime('contacts', 'colliding points', both('contacts')),
    plot('time', `${title} (step 1: ${constraint})`, 'time, s', { label: 'time, µs', log: true }, [
      peaksOverTime('step 1', whole, 'us_contact'),
      ...tours.map((tour) => peaksOverTime(`steps 2–7, ${tour.constraint}`, tour.whole, 'us_method')),
    ]),
  ];
}

/** The proxy is no deeper than `voxels` times a voxel in any cycle, phase by phase with contacts. */
export function penetrationClaims({ constraint, phases, rig }: Tour, voxels: number): Claim[] {
  const bar = voxels === 1 ? 'a voxel' : `${voxels} voxels`;
  const touching = phases.filter(({ recording }) => largest(recording.column.contacts) > 0);
  return touching.map(({ name, recording }) =>
    claimBelow(
      `${constraint}, ${name}: the proxy overlaps by less than ${bar} in every cycle`,
      Number((1000 * Math.max(0, largest(recording.column.penetration))).toPrecision(4)),
      Number((1000 * voxels * rig.voxel).toPrecision(4)),
      'mm',
    ),
  );
}

/** A haptic cycle is 1 ms, contact stage included. */
export function cycleClaim({ constraint, whole }: Tour): Claim {
  return claimBelow(
    `${constraint}: a cycle in contact takes less than 1 ms, contact stage included (p99)`,
    rounded(whileTouching(whole, 'us_total', 99)),
    1000,
    'µs',
  );
}

export function cappedCycles(tours: readonly Tour[]): number {
  return sum(tours.map(({ whole }) => whole.capped));
}
