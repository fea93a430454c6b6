import type { Row } from '@palpable/cli/internal';
import { handAlong, type PlayedScene, type Pose, type Probe, STATE_SLIP, transformPoint } from '@palpable/engine';
import { bodyPose, type ConstraintKind, percentile } from '@palpable/engine/advanced';
import { placed } from '../../play/motion.js';
import { play, type Recording } from '../../play/play.js';
import { largest, rounded, sum } from '../../play/statistics.js';
import { part, peaksOverTime } from '../../play/summary.js';
import { type Claim, claimBelow, claimNear } from '../claim.js';
import { createGodObjectRig, follow, type GodObjectRig } from '../god-object-rig.js';
import { defineStudy, type Lab, plot, runEach, table, type ValuesOf } from '../study.js';

/*
 * Sagardia, Hulin, section 2.7: a block is pressed on a plate and pulled along x. A pull inside the cone, to and fro, must
 * not move it at all; a growing one breaks it loose at μ_s of the press; then it slides at μ_k of it. The ratios are those
 * of the forces on the hand. The filter of the heuristic drags, the more the faster, so it is also run without.
 */

const parameters = {
  press: { meaning: 'how far the device is below where the block rests', unit: 'm', min: 1e-4, max: 0.1 },
  holdPart: { meaning: 'swing that friction resists, as a part of what it can', unit: '', min: 0.01, max: 0.999 },
  frequency: { meaning: 'of that swing', unit: 'Hz', min: 0.01, max: 100 },
  seconds: { meaning: 'duration of the swing', unit: 's', min: 0.1, max: 1000 },
  speeds: { meaning: 'speeds of the pull, the first for the claims', unit: 'm/s', min: 1e-5, max: 10, atLeast: 1 },
  distance: { meaning: 'displacement of the device in a pull', unit: 'm', min: 0.001, max: 1 },
  tolerance: { meaning: 'allowed deviation of the coefficients', unit: '', min: 0, max: 1 },
  creep: { meaning: 'motion that counts as none', unit: 'm', min: 0, max: 1e-3 },
} as const;
type Values = ValuesOf<typeof parameters>;

interface Variant {
  readonly name: string;
  readonly constraint: ConstraintKind;
  readonly filter: boolean;
}

const VARIANTS: readonly Variant[] = [
  { name: 'heuristic', constraint: 'heuristic', filter: true },
  { name: 'heuristic without filter', constraint: 'heuristic', filter: false },
  { name: 'manifold', constraint: 'manifold', filter: true },
];

/**
 * `loose`: Force along over force across: when the block breaks loose, and in the median of the second half of the
 * slide.
 */
type Pull = ReturnType<typeof pull>;

type Trial = ReturnType<typeof tryFriction>;

export const godObjectFriction = defineStudy({
  name: 'god-object-friction',
  parameters,
  async run(lab, values) {
    const trials = await runEach(
      lab,
      VARIANTS,
      ({ name }) => name,
      (variant) => tryFriction(lab, values, variant),
    );
    const pulls = trials.map(({ name, pulls }) => peaksOverTime(name, pulls[0]!.recording, 'force_x', -1));
    const title = `Block pulled at ${1000 * values.speeds[0]!} mm/s`;
    return {
      tables: [
        table('hold', `Held at ${100 * values.holdPart} % of the cone`, trials.map(holdRow)),
        table('pull', 'Pulled', trials.flatMap(pullRows)),
      ],
      plots: [plot('pull', title, 'time, s', { label: 'force along the plate, N', min: 0 }, pulls)],
      claims: trials.flatMap((trial) => claimsOf(trial, lab, values)),
      capped: sum(trials.map(({ capped }) => capped)),
    };
  },
});

function tryFriction(lab: Lab, values: Values, { name, constraint, filter }: Variant) {
  const rig = createGodObjectRig(lab, { method: { constraint, filter } });
  const held = hold(rig, values);
  const { sole_x: x, sole_y: y, state } = held.column;
  const away = (cycle: number) => Math.hypot(x[cycle]! - x[0]!, y[cycle]! - y[0]!);
  const pulls = values.speeds.map((speed) => pull(rig, values, speed));
  return {
    name,
    isFiltered: filter && constraint === 'heuristic',
    /** How far the held block strays from its place at most, and in the end, m. */
    strays: x.reduce((most, _, cycle) => Math.max(most, away(cycle)), 0),
    left: away(held.cycles - 1),
    slips: state.filter((each) => each === STATE_SLIP).length,
    pulls,
    capped: pulls.reduce((sum, { recording }) => sum + recording.capped, held.capped),
  };
}

const PRESSING_CYCLES = 600;
const RESTING_CYCLES = 400;

/** Poses of the device: down, a rest, and then aside as `aside` says, cycle by cycle. */
function pressed(rig: GodObjectRig, press: number, aside: readonly number[]): Pose[] {
  const standing = bodyPose(rig.scene.bodies[rig.scene.tool[0]!]!);
  const [x, y, z] = standing;
  // Above the plate, whose upper face is z = 0.
  const lift = standing[2]! + lowestOf(rig);
  const poses: Pose[] = [];
  for (let cycle = 0; cycle < PRESSING_CYCLES + RESTING_CYCLES; cycle += 1) {
    const way = Math.min(1, cycle / PRESSING_CYCLES) * (lift + press);
    poses.push(placed(standing, [x!, y!, z! - way]));
  }
  for (const each of aside) poses.push(placed(standing, [x! + each, y!, z! - lift - press]));
  return poses;
}

/** The lower face of the block, z in its frame, m. */
function lowestOf({ pairs }: GodObjectRig): number {
  const { points, count } = pairs[0]!.query.shell;
  let lowest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < count; i += 1) lowest = Math.min(lowest, points[3 * i + 2]!);
  return lowest;
}

function after<Column extends string>(recording: PlayedScene<Column>): PlayedScene<Column> {
  return part(recording, PRESSING_CYCLES + RESTING_CYCLES - 1, recording.cycles);
}

/**
 * The sole is the point of the block that touches below its centre: a block that is pulled aside leans on contacts that
 * give way, and its centre moves by micrometres though nothing creeps.
 */
function hold(rig: GodObjectRig, { press, holdPart, frequency, seconds }: Values): Recording<'sole_x' | 'sole_y'> {
  const { timeStep, friction } = rig.scene;
  const reach = holdPart * press * (friction.static ?? friction.coefficient);
  const cycles = Math.round(seconds / timeStep);
  const swing = Array.from({ length: cycles + RESTING_CYCLES }, (_, cycle) =>
    cycle < cycles ? reach * Math.sin(2 * Math.PI * frequency * cycle * timeStep) : 0,
  );
  const at = new Float64Array(3);
  const sole =
    (axis: number): Probe =>
    ({ output }) => {
      transformPoint(at, output.toolPose, 0, 0, lowestOf(rig));
      return at[axis]!;
    };
  const probes = { sole_x: sole(0), sole_y: sole(1) };
  return after(play(rig, handAlong(pressed(rig, press, swing)), { probes }));
}

function pull(rig: GodObjectRig, { press, distance }: Values, speed: number) {
  const step = speed * rig.scene.timeStep;
  const way = Array.from({ length: Math.round(distance / step) }, (_, cycle) => step * cycle);
  const recording = after(follow(rig, pressed(rig, press, way)));
  const { force_x: along, force_z: across, state } = recording.column;
  const ratio = along.map((force, cycle) => -force / across[cycle]!);
  const first = state.indexOf(STATE_SLIP);
  const loose = first > 0 ? Math.max(0, largest(ratio.subarray(0, first))) : Number.NaN;
  return { speed, loose, sliding: percentile(ratio.subarray(Math.floor(ratio.length / 2)), 50), recording };
}

function holdRow({ name, strays, left, slips }: Trial): Row {
  return {
    constraint: name,
    'strays, µm': rounded(1e6 * strays),
    'left after, µm': rounded(1e6 * left),
    'cycles that slide': slips,
  };
}

function pullRows({ name, pulls }: Trial): Row[] {
  return pulls.map(({ speed, loose, sliding }) => ({
    constraint: name,
    'speed, mm/s': rounded(1000 * speed),
    'breaks loose at': rounded(loose),
    'slides at': rounded(sliding),
  }));
}

/** Eq. 43: cut-off of the filter by the distance of proxy and device, Hz per m. */
const CUTOFF_PER_METRE = 20 / 0.007;

/**
 * What Eq. 43 adds to the ratio: behind a first-order filter of cut-off f the proxy lags by v / (2π f), and the coupling
 * pulls by as much more. The device is √(1 + μ²) times the press away.
 */
function lagOf(speed: number, press: number, coefficient: number): number {
  const cutoff = CUTOFF_PER_METRE * press * Math.hypot(1, coefficient);
  return speed / (2 * Math.PI * cutoff) / press;
}

function claimsOf({ name, isFiltered, strays, pulls }: Trial, { scene }: Lab, values: Values): Claim[] {
  const { creep, tolerance, press } = values;
  const { coefficient, static: rest, kinetic } = scene.friction;
  const [{ speed, loose, sliding }] = pulls as [Pull];
  const at = `at ${1000 * speed} mm/s`;
  const slides = kinetic ?? coefficient;
  return [
    claimBelow(`${name}: friction holds without creep: the block strays by`, rounded(strays), creep, 'm'),
    claimNear(`${name}: breaks loose at μ_s ${at}`, loose, rest ?? coefficient, tolerance),
    isFiltered
      ? claimNear(
          `${name}: slides at μ_k and the lag of its filter ${at}`,
          sliding,
          slides + lagOf(speed, press, slides),
          tolerance,
        )
      : claimNear(`${name}: slides at μ_k ${at}`, sliding, slides, tolerance),
  ];
}
