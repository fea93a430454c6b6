import type { Row } from '@palpable/cli/internal';
import type { FrictionModelName, Hand, Pose } from '@palpable/engine';
import { bodyPose, sinOf } from '@palpable/engine/advanced';
import { play, type Recording, type Rig, type SceneChanges } from '../../play/play.js';
import { rounded, sum } from '../../play/statistics.js';
import { overTime } from '../../play/summary.js';
import { type Claim, claimBelow, claimTrue } from '../claim.js';
import { createFrictionRig } from '../friction-rig.js';
import { defineStudy, type Lab, plot, runEach, type StudyPlot, table, type ValuesOf } from '../study.js';

/*
 * Zhao, section 5.6, fig. 17: at a very high friction coefficient a peg is swung from side to side while it is pushed
 * down. Friction springs lose their anchors wherever contacts open, and set them again a little lower. The swing goes
 * along the diagonal of the square hole: along a side, the contacts of the two other walls would never open.
 *
 * Springs are stable when, after a step of the device of 1 mm, the tool's speed falls below 1 mm/s within 1 s. Their
 * largest stable stiffness is sought among powers of √10.
 */

const parameters = {
  coefficient: { meaning: 'friction coefficient', unit: '', min: 0, max: 10_000 },
  startDepth: { meaning: 'how far the peg is in at the start', unit: 'm', min: 0, max: 1 },
  insertedDepth: { meaning: 'how far it is in when all of it is', unit: 'm', min: 0.001, max: 1 },
  clearance: { meaning: "how far its lower end is above the rim at the scene's pose", unit: 'm', min: 0, max: 1 },
  amplitude: { meaning: 'of the swing of the hand', unit: 'm', min: 0, max: 1 },
  frequency: { meaning: 'of the swing', unit: 'Hz', min: 0.01, max: 100 },
  pushForce: { meaning: 'hardest push downward', unit: 'N', min: 0, max: 1000 },
  pushSpeed: { meaning: 'fastest motion downward', unit: 'm/s', min: 0.0001, max: 10 },
  duration: { meaning: 'of the motion', unit: 's', min: 0.1, max: 1000 },
  slowDuration: { meaning: 'of the motion with staggered and gauss-seidel', unit: 's', min: 0.01, max: 1000 },
  stiffnesses: { meaning: 'other springs, softest first', unit: 'N/m', min: 1, max: 1e8, atLeast: 1 },
  leastStiffness: { meaning: 'where the search for stable springs ends', unit: 'N/m', min: 1, max: 1e8 },
  mostStiffness: { meaning: 'where the search for stable springs begins', unit: 'N/m', min: 1, max: 1e8 },
} as const;
type Values = ValuesOf<typeof parameters>;

interface Try {
  readonly name: string;
  readonly changes: SceneChanges;
  readonly seconds: number;
}

type SnakeRun = { readonly what: Try; readonly recording: Recording };

const DIAGONAL = Math.SQRT1_2;

export const snake = defineStudy({
  name: 'snake',
  parameters,
  async run(lab, values) {
    const { coefficient, duration, slowDuration, stiffnesses } = values;
    await lab.progress('searching for the stiffest stable springs', 0);
    const stiffest = largestStableStiffness(lab, values);
    const model = (name: FrictionModelName, seconds = duration): Try => ({
      name,
      changes: { friction: { model: name, coefficient } },
      seconds,
    });
    const springs = (springStiffness: number): Try => ({
      name: `springs of ${springStiffness.toPrecision(3)} N/m`,
      changes: { friction: { model: 'springs', coefficient, springStiffness } },
      seconds: duration,
    });
    const tries = [
      model('cone'),
      model('pyramid'),
      model('quadratic'),
      model('staggered', slowDuration),
      model('gauss-seidel', slowDuration),
      ...(Number.isNaN(stiffest) ? [] : [springs(stiffest)]),
      ...stiffnesses.map(springs),
    ];
    const run = (what: Try): SnakeRun => ({
      what,
      recording: swing(createFrictionRig(lab, what.changes), lab, values, what.seconds),
    });
    const runs = await runEach(lab, tries, ({ name }) => name, run, [1 / (tries.length + 1), 1]);
    return {
      tables: [
        table(
          'depths',
          'After the motion',
          runs.map((each) => rowOf(each, lab, values)),
        ),
      ],
      plots: [plotOf(runs, lab, values)],
      claims: claimsOf(runs, lab, values),
      capped: sum(runs.map(({ recording }) => recording.capped)),
    };
  },
});

/** The scene's pose, let down until the peg is so far in. */
function startPose({ scene }: Lab, { startDepth, clearance }: Values): Pose {
  const pose = bodyPose(scene.bodies[scene.tool[0]!]!);
  pose[2] = pose[2]! - clearance - startDepth;
  return pose;
}

function swing(rig: Rig, lab: Lab, values: Values, seconds: number): Recording {
  const { amplitude, frequency, pushForce, pushSpeed, startDepth, insertedDepth } = values;
  const { coupling, timeStep } = rig.scene;
  const start = startPose(lab, values);
  const move: Hand['move'] = (device, cycle, { toolPose }) => {
    const aside = DIAGONAL * amplitude * sinOf(2 * Math.PI * frequency * cycle * timeStep);
    device[0] = start[0]! + aside;
    device[1] = start[1]! + aside;
    device[2] = Math.max(device[2]! - pushSpeed * timeStep, toolPose[2]! - pushForce / coupling.stiffness);
  };
  const lowest = start[2]! - (insertedDepth - startDepth);
  const cycles = Math.round(seconds / timeStep);
  return play(rig, { start, move, cycles, isOver: ({ toolPose }) => toolPose[2]! <= lowest });
}

const STEP = 1e-3;
const SLOW = 1e-3;
const STEP_DIRECTIONS = [
  [1, 0, 0],
  [-1, 0, 0],
  [DIAGONAL, DIAGONAL, 0],
  [-DIAGONAL, -DIAGONAL, 0],
  [0, 0, -1],
] as const;

function largestStableStiffness(lab: Lab, values: Values): number {
  for (let k = values.mostStiffness; k >= values.leastStiffness * (1 - 1e-9); k /= Math.sqrt(10)) {
    if (STEP_DIRECTIONS.every((direction) => calmsDown(lab, values, k, direction))) return k;
  }
  return Number.NaN;
}

function calmsDown(lab: Lab, values: Values, springStiffness: number, direction: readonly number[]): boolean {
  const rig = createFrictionRig(lab, {
    friction: { model: 'springs', coefficient: values.coefficient, springStiffness },
  });
  const { timeStep } = rig.scene;
  const settled = Math.round(0.3 / timeStep);
  const end = settled + Math.round(1 / timeStep);
  const start = startPose(lab, values);
  const move: Hand['move'] = (device, cycle) => {
    for (let axis = 0; axis < 3; axis += 1) {
      device[axis] = start[axis]! + (cycle < settled ? 0 : STEP * direction[axis]!);
    }
  };
  const { tool_x, tool_y, tool_z } = play(rig, { start, move, cycles: end + 100 }).column;
  for (let c = end; c < end + 100; c += 1) {
    const moved = Math.hypot(tool_x[c]! - tool_x[c - 1]!, tool_y[c]! - tool_y[c - 1]!, tool_z[c]! - tool_z[c - 1]!);
    if (!(moved < SLOW * timeStep)) return false;
  }
  return true;
}

function depthAfter({ column, cycles }: Recording, lab: Lab, values: Values): number {
  return startPose(lab, values)[2]! - column.tool_z[cycles - 1]! + values.startDepth;
}

function stiffnessOf({ what }: SnakeRun): number {
  return what.changes.friction?.springStiffness ?? 0;
}

function rowOf({ what, recording }: SnakeRun, lab: Lab, values: Values): Row {
  const depth = depthAfter(recording, lab, values);
  return {
    model: what.name,
    'time, s': rounded(recording.cycles * lab.scene.timeStep),
    'depth, mm': rounded(1000 * depth),
    'sunk, mm': rounded(1000 * (depth - values.startDepth)),
    inserted: depth >= values.insertedDepth ? 'yes' : 'no',
    'capped cycles': recording.capped,
  };
}

function plotOf(runs: readonly SnakeRun[], lab: Lab, values: Values): StudyPlot {
  const top = startPose(lab, values)[2]! + values.startDepth;
  const series = runs.map(({ what, recording }) => {
    const { name, points } = overTime(what.name, recording, 'tool_z', { factor: 1000 });
    return { name, points: points.map(([time, z]) => [time, 1000 * top - z] as const) };
  });
  const title = `Snake motion at μ = ${values.coefficient}`;
  return plot('snake', title, 'time, s', { label: 'depth of the peg, mm', min: 0 }, series);
}

/** What counts as not moved at all, m. */
const NOT_SUNK = 1e-3;

function claimsOf(runs: readonly SnakeRun[], lab: Lab, values: Values): Claim[] {
  const depthOf = (name: string) => {
    const run = runs.find(({ what }) => what.name === name);
    return run ? depthAfter(run.recording, lab, values) : Number.NaN;
  };
  const bar = `${1000 * values.insertedDepth} mm deep`;
  // A motion is over when the peg is in, so that what it sank says less than how fast.
  const speeds = runs
    .filter(({ what }) => what.changes.friction?.model === 'springs')
    .sort((a, b) => stiffnessOf(a) - stiffnessOf(b))
    .map(({ recording }) => {
      const sunk = depthAfter(recording, lab, values) - values.startDepth;
      return sunk / (recording.cycles * lab.scene.timeStep);
    });
  const soft = `springs of ${values.stiffnesses[0]!.toPrecision(3)} N/m`;
  return [
    claimBelow('cone does not let the peg in: it sinks by', depthOf('cone') - values.startDepth, NOT_SUNK, 'm'),
    claimTrue(
      `${soft} let the peg in`,
      depthOf(soft) >= values.insertedDepth,
      `${rounded(1000 * depthOf(soft))} mm deep`,
      bar,
    ),
    // In the limit springs are fixed joints: each swing lowers the peg by no more than they stretch.
    claimTrue(
      'all springs let it sink, the slower the stiffer they are; cone does not',
      speeds.every((speed, n) => speed > (speeds[n + 1] ?? (depthOf('cone') - values.startDepth) / values.duration)),
      `${speeds.map((speed) => rounded(1000 * speed)).join(', ')} mm/s`,
      'slower and slower, above cone',
    ),
  ];
}
