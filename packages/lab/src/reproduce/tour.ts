import type { PlotSeries, Row } from '@palpable/cli/internal';
import type { Pose } from '@palpable/engine';
import { bodyPose, type ConstraintKind } from '@palpable/engine/advanced';
import { motionAlong, pathParameter } from '../play/motion.js';
import { largest, rounded, sum } from '../play/statistics.js';
import { part, peaksOverTime, whileTouching } from '../play/summary.js';
import { type Claim, claimAbove, claimBelow } from './claim.js';
import {
  CONSTRAINTS,
  createGodObjectRig,
  follow,
  type GodObjectRecording,
  type GodObjectRig,
} from './god-object-rig.js';
import { defineStudy, type Lab, plot, runEach, type StudyPlot, type StudyTable, table } from './study.js';

/** A god object led through the phases of an experiment, once with each constraint. */
export interface Tour {
  readonly constraint: ConstraintKind;
  readonly rig: GodObjectRig;
  readonly whole: GodObjectRecording;
  readonly phases: readonly { readonly name: string; readonly recording: GodObjectRecording }[];
}

export type TourPhases = Readonly<Record<string, readonly number[]>>;

/** Starts where the scene puts the tool. */
function runTours(lab: Lab, paths: TourPhases, repeats: number): Promise<Tour[]> {
  const standing = bodyPose(lab.scene.bodies[lab.scene.tool[0]!]!);
  return runEach(lab, CONSTRAINTS, String, (constraint) => runTour(lab, paths, standing, constraint, repeats));
}

function runTour(lab: Lab, paths: TourPhases, standing: Pose, constraint: ConstraintKind, repeats: number): Tour {
  const rig = createGodObjectRig(lab, { method: { constraint } });
  const { motion, phases } = motionAlong(paths, standing, lab.scene.timeStep);
  const whole = follow(rig, motion, repeats);
  return {
    constraint,
    rig,
    whole,
    phases: phases.map(({ name, start, end }) => ({ name, recording: part(whole, start, end) })),
  };
}

function phaseTable(tours: readonly Tour[]): StudyTable {
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
function tourPlots(tours: readonly Tour[], title: string): StudyPlot[] {
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
function penetrationClaims({ constraint, phases, rig }: Tour, voxels: number): Claim[] {
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
function cycleClaim({ constraint, whole }: Tour): Claim {
  return claimBelow(
    `${constraint}: a cycle in contact takes less than 1 ms, contact stage included (p99)`,
    rounded(whileTouching(whole, 'us_total', 99)),
    1000,
    'µs',
  );
}

function cappedCycles(tours: readonly Tour[]): number {
  return sum(tours.map(({ whole }) => whole.capped));
}

/*
 * Sagardia, Hulin, section 3, fig. 8: a bunny knocks at a teapot, slides around it, and puts an ear through its handle.
 * The last phase is ours: the ear is pressed against the handle as hard as a strong device can.
 */

export const godObjectKnock = defineStudy({
  name: 'god-object-knock',
  parameters: {
    apart: pathParameter('path from the start without contact'),
    knock: pathParameter('knocks, harder each time'),
    slide: pathParameter('path around the teapot'),
    insert: pathParameter('path of the ear into the handle'),
    force: pathParameter('hard presses of the ear against the handle, and the path out'),
    repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
    throughY: { meaning: 'y of the tool from which on the ear is through the handle', unit: 'm', min: -10, max: 10 },
    publishedUs: { meaning: 'time of steps 2 to 7 in the paper', unit: 'µs', min: 0.1, max: 1e6 },
  },
  async run(lab, { apart, knock, slide, insert, force, repeats, throughY, publishedUs }) {
    const tours = await runTours(lab, { apart, knock, slide, insert, force }, repeats);
    const [heuristic] = tours;
    const steps = (p: number) => rounded(whileTouching(heuristic!.whole, 'us_method', p));
    const { shell, field } = heuristic!.rig.pairs[0]!.query;
    return {
      tables: [
        table('bodies', 'Bodies', [
          {
            points: shell.count,
            levels: shell.levelEnds.length,
            'cells of bricks': [...field.cells].join(' × '),
            'voxel, mm': rounded(1000 * field.voxelSize),
          },
        ]),
        phaseTable(tours),
      ],
      plots: tourPlots(tours, 'Bunny against teapot'),
      claims: [
        ...tours.flatMap((tour) => penetrationClaims(tour, 1)),
        ...tours.map(({ constraint, phases }) =>
          claimAbove(
            `${constraint}: the ear gets through the handle (y of the bunny)`,
            rounded(largest(phases.find(({ name }) => name === 'insert')!.recording.column.tool_y)),
            throughY,
            'm',
          ),
        ),
        claimBelow('heuristic: steps 2–7 are faster than published (p50 in contact)', steps(50), publishedUs, 'µs'),
        claimBelow('heuristic: the same at p99', steps(99), publishedUs, 'µs'),
        ...tours.map(cycleClaim),
      ],
      capped: cappedCycles(tours),
    };
  },
});

/* Sagardia, Hulin, section 3, fig. 7c: a peg goes into a hole until about 90 % of its points collide. */

export const godObjectPeg = defineStudy({
  name: 'god-object-peg',
  parameters: {
    insert: pathParameter('path into the hole'),
    press: pathParameter('presses against the walls'),
    twist: pathParameter('rotations in the hole'),
    leave: pathParameter('path out'),
    repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
    publishedShare: { meaning: 'part of the points in contact in the paper', unit: '', min: 0, max: 1 },
    bottomZ: { meaning: 'z of the peg below which it is in', unit: 'm', min: -10, max: 10 },
    leastContacts: { meaning: 'contacts that the experiment is to reach', unit: '', min: 1, max: 100_000, whole: true },
  },
  async run(lab, { insert, press, twist, leave, repeats, publishedShare, bottomZ, leastContacts }) {
    const tours = await runTours(lab, { insert, press, twist, leave }, repeats);
    const [heuristic] = tours;
    const contacts = largest(heuristic!.whole.column.contacts);
    const share = contacts / heuristic!.rig.pairs[0]!.query.shell.count;
    return {
      tables: [phaseTable(tours)],
      plots: tourPlots(tours, 'Peg in a hole'),
      claims: [
        claimAbove('thousands of points collide (within the margin)', contacts, leastContacts - 1),
        claimAbove('as large a part of the points as in the paper', rounded(share), publishedShare),
        ...tours.flatMap((tour) => [...inAndOut(tour, bottomZ), ...penetrationClaims(tour, 1), cycleClaim(tour)]),
      ],
      capped: cappedCycles(tours),
    };
  },
});

/** Force on the hand below which nothing holds the peg, N. */
const NO_FORCE = 0.01;

function inAndOut({ constraint, whole, phases }: Tour, bottomZ: number): Claim[] {
  const { tool_z: z } = phases[0]!.recording.column;
  return [
    claimBelow(`${constraint}: the peg goes in (z in the end)`, rounded(z.at(-1)!), bottomZ, 'm'),
    claimBelow(
      `${constraint}: it comes out again (force in the end)`,
      rounded(whole.column.force.at(-1)!),
      NO_FORCE,
      'N',
    ),
  ];
}

/* Beyond the paper: a cube slides in a corner, where one direction does not show what three walls do. */

export const godObjectCorner = defineStudy({
  name: 'god-object-corner',
  parameters: {
    slide: pathParameter('presses into the corner and paths along its walls'),
    tilt: pathParameter('the same with a rotating hand'),
    manifoldVoxels: { meaning: 'penetration allowed with the manifold', unit: 'voxels', min: 0, max: 10 },
    heuristicVoxels: { meaning: 'penetration allowed with the heuristic', unit: 'voxels', min: 0, max: 10 },
    repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
  },
  async run(lab, { slide, tilt, manifoldVoxels, heuristicVoxels, repeats }) {
    const tours = await runTours(lab, { slide, tilt }, repeats);
    return {
      tables: [phaseTable(tours)],
      plots: tourPlots(tours, 'Cube in a corner'),
      claims: tours.flatMap((tour) => [
        ...penetrationClaims(tour, tour.constraint === 'manifold' ? manifoldVoxels : heuristicVoxels),
        cycleClaim(tour),
      ]),
      capped: cappedCycles(tours),
    };
  },
});
