import type { PlotSeries, Row } from '@palpable/cli/internal';
import {
  createPose,
  type Hand,
  type Pose,
  type Probe,
  relativePose,
  STATE_SLIP,
  STATE_STICK,
  transformPoint,
} from '@palpable/engine';
import { type StaticFrictionMethod, sinOf } from '@palpable/engine/advanced';
import { play } from '../play/play.js';
import { largest, rounded } from '../play/statistics.js';
import { breakaways, distancesFrom, median, overTime, share, stageTimes, stickAndSlip } from '../play/summary.js';
import { type Claim, claimBelow, claimNear, claimTrue } from './claim.js';
import { createFrictionRig } from './friction-rig.js';
import { defineStudy, type Lab, plot, type StudyPlot, table, type ValuesOf } from './study.js';

/*
 * A tool that is pressed on a surface, held against a swing that friction can resist, and then slid (Zhao, fig. 9, 11).
 * It is pressed without friction first, so that none of it is used up when the swing begins.
 *
 * A tool on one face still tilts under the pull, since friction does not act along the normals, and tilts back with it.
 * Whether it holds still therefore shows at the point of the tool in the middle of its contacts: how far along the
 * surface it is from its place when the swing is over and the device has rested.
 */

export const slideParameters = {
  pressed: { meaning: 'pose of the device that presses: x, y, z', unit: 'm', min: -10, max: 10, atLeast: 3 },
  hold: { meaning: 'swing of the device that friction resists: x, y, z', unit: 'm', min: -1, max: 1, atLeast: 3 },
  slide: { meaning: 'swing of the device that makes the tool slide: x, y, z', unit: 'm', min: -1, max: 1, atLeast: 3 },
  frequency: { meaning: 'of both swings', unit: 'Hz', min: 0.01, max: 100 },
  seconds: { meaning: 'duration of each swing', unit: 's', min: 0.01, max: 1000 },
  repeats: { meaning: 'times that the same cycles are timed', unit: '', min: 1, max: 100, whole: true },
  contacts: { meaning: 'contacts in the paper', unit: '', min: 1, max: 10_000, whole: true },
  publishedUs: { meaning: 'time of friction in the paper', unit: 'µs', min: 1, max: 1e6 },
} as const;
type Values = ValuesOf<typeof slideParameters>;

/**
 * `drift`: How far the middle of the contacts moves along the surface while it should hold still, at most, m. `left`:
 * How far it is from its place in the end, m.
 */
export type Slide = ReturnType<typeof holdAndSlide>;

const SETTLING_CYCLES = 500;
/** After the swing that friction resists. */
const RESTING_CYCLES = 200;

/** Where the tool comes to rest under a press without friction. */
export function pressWithoutFriction(lab: Lab, pressed: readonly number[]): Pose {
  const rig = createFrictionRig(lab, { friction: { model: 'none' } });
  const start = createPose(pressed[0], pressed[1], pressed[2]);
  return play(rig, { start, move: (device) => device.set(start), cycles: SETTLING_CYCLES }).finalPose;
}

/** A device that swings about a place, beginning there, and is there again and rests from cycle `end` on. */
export function swingingHand(
  place: readonly number[],
  reach: readonly number[],
  frequency: number,
  timeStep: number,
  end = Number.POSITIVE_INFINITY,
): Hand['move'] {
  return (device, cycle) => {
    const part = cycle < end ? sinOf(2 * Math.PI * frequency * cycle * timeStep) : 0;
    for (let axis = 0; axis < 3; axis += 1) device[axis] = place[axis]! + part * reach[axis]!;
    device.fill(0, 3, 6);
    device[6] = 1;
  };
}

export function holdAndSlide(lab: Lab, values: Values) {
  const { pressed, hold, slide, frequency, seconds, repeats } = values;
  const { timeStep } = lab.scene;
  const start = pressWithoutFriction(lab, pressed);
  const rig = createFrictionRig(lab);
  const swinging = Math.round(seconds / timeStep);
  const swing = (reach: readonly number[], rest: number): Hand => ({
    start,
    move: swingingHand(pressed, reach, frequency, timeStep, swinging),
    cycles: swinging + rest,
  });
  const moved = contactsMoved(rig.staticFriction, start);
  const held = play(rig, swing(hold, RESTING_CYCLES), { repeats, probes: { moved } });
  const slid = play(rig, swing(slide, 0), { repeats, probes: forceProbes(rig.staticFriction) });
  return { start, hold: held, slide: slid, drift: largest(held.column.moved), left: held.column.moved.at(-1)! };
}

/** Lengths of the sum of the normal forces and of the sum of the friction forces, N. */
function forceProbes({ problem, result }: StaticFrictionMethod) {
  const summed = (force: (contact: number, axis: number) => number) => () => {
    const total = [0, 0, 0];
    for (let c = 0; c < problem.count; c += 1) {
      for (let axis = 0; axis < 3; axis += 1) total[axis]! += force(c, axis);
    }
    return Math.hypot(...total);
  };
  return {
    normal_force: summed((c, axis) => problem.normalForce[c]! * problem.normal[3 * c + axis]!),
    friction_force: summed(
      (c, axis) =>
        result.force[2 * c]! * problem.tangent[6 * c + axis]! +
        result.force[2 * c + 1]! * problem.tangent[6 * c + 3 + axis]!,
    ),
  };
}

/** Follows the point of the tool that lies in the middle of the first cycle's contacts: its path along the surface, m. */
function contactsMoved(method: StaticFrictionMethod, start: Pose): Probe {
  const [first, now] = [new Float64Array(3), new Float64Array(3)];
  const normal = new Float64Array(3);
  const inTool = createPose();
  return ({ output, cycle }) => {
    if (cycle === 0) {
      meanOf(first, method.contacts.set.position, method.contacts.set.count);
      meanOf(normal, method.problem.normal, method.problem.count);
      relativePose(inTool, start, createPose(first[0], first[1], first[2]));
    }
    transformPoint(now, output.toolPose, inTool[0]!, inTool[1]!, inTool[2]!);
    const moved = now.map((value, axis) => value - first[axis]!);
    const square = dot(moved, moved) - dot(moved, normal) ** 2 / dot(normal, normal);
    return Math.sqrt(Math.max(0, square));
  };
}

function meanOf(out: Float64Array, vectors: Float64Array, count: number): void {
  out.fill(0);
  for (let i = 0; i < 3 * count; i += 1) out[i % 3] = out[i % 3]! + vectors[i]! / count;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

export function slideRows({ hold, slide, start, drift, left }: Slide): Row[] {
  return [['held', hold] as const, ['slid', slide] as const].map(([motion, recording]) => ({
    motion,
    contacts: median(recording, 'contacts'),
    'holds, %': rounded(100 * share(recording, STATE_STICK)),
    'slides, %': rounded(100 * share(recording, STATE_SLIP)),
    'tool moves, µm': rounded(1e6 * largest(distancesFrom(recording, start))),
    'contacts move, µm': motion === 'held' ? rounded(1e6 * drift) : '',
    'left after, µm': motion === 'held' ? rounded(1e6 * left) : '',
    ...stageTimes(recording),
    'capped cycles': recording.capped,
  }));
}

export function slidePlots({ slide }: Slide, title: string): StudyPlot[] {
  const over = (name: string, label: string, series: readonly PlotSeries[]) =>
    plot(name, title, 'time, s', { label, min: 0 }, series);
  return [
    over('contacts', 'contacts', stickAndSlip(slide, 'contacts')),
    over('friction-time', 'time of friction, µs', stickAndSlip(slide, 'us_friction')),
    over('forces', 'force, N', [
      overTime('coupling', slide, 'force'),
      overTime('normal', slide, 'normal_force'),
      overTime('friction', slide, 'friction_force'),
    ]),
    over('torque', 'torque on the hand, N m', [overTime('torque', slide, 'torque')]),
  ];
}

/** Net motion after a few load cycles that counts as none, m. */
const NO_NET_MOTION = 1e-6;

export function slideClaims({ hold, slide, left }: Slide, { contacts, publishedUs }: Values): Claim[] {
  const slips = breakaways(slide);
  return [
    claimNear('about as many contacts as in the paper', median(slide, 'contacts'), contacts, 0.2),
    claimBelow('the small swing leaves the contacts where they were: they have moved by', left, NO_NET_MOTION, 'm'),
    claimTrue(
      'the small swing never slides',
      share(hold, STATE_SLIP) === 0,
      `${rounded(100 * share(hold, STATE_SLIP))} % of the cycles slide`,
      '0 %',
    ),
    claimTrue('the large swing breaks loose', slips > 0, `${slips} times`, 'at least once'),
    claimBelow(
      'friction is faster than published (p50 while sliding)',
      median(slide, 'us_friction'),
      publishedUs,
      'µs',
    ),
  ];
}

/** Zhao, section 5.2, fig. 10 and 11: a part that is pressed on another, held, and slid along it. */
export const surfaceSlide = defineStudy({
  name: 'surface-slide',
  parameters: slideParameters,
  async run(lab, values) {
    await lab.progress('pressing and sliding', 0);
    const slide = holdAndSlide(lab, values);
    return {
      tables: [table('slide', 'Held and slid', slideRows(slide))],
      plots: slidePlots(slide, 'Slid along the surface'),
      claims: slideClaims(slide, values),
      capped: slide.hold.capped + slide.slide.capped,
    };
  },
});
