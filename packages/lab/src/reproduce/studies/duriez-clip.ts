import type { PlotSeries, Row } from '@palpable/cli/internal';
import { percentile } from '@palpable/engine/advanced';
import { leastTimes, rounded, sum } from '../../play/statistics.js';
import { overTime, thinned } from '../../play/summary.js';
import { type Claim, claimAbove, claimBelow, claimTrue } from '../claim.js';
import { defineStudy, type Lab, plot, runEach, type StudyPlot, table, type ValuesOf } from '../study.js';
import { type ClipRecording, playClip } from './duriez-clip-rig.js';
import { deformableRig, withFriction } from './duriez-rig.js';

/*
 * Duriez et al., section 7.2 and 7.3, fig. 14 to 18: a clip is pushed straight on a pipe, with a pause in which
 * the hand eases a little, rests there, and is pulled off. The three phases of snapping in: pushing, where the force rises; the unstable equilibrium,
 * where the branches are farthest apart; clipping, where the clip pulls itself on and the hand along.
 */

const parameters = {
  timeSteps: { meaning: 'of the runs', unit: 's', min: 1e-4, max: 0.01, atLeast: 1 },
  heights: {
    meaning: 'of the device: at first, in the pause, pushed, pulled',
    unit: 'm',
    min: -0.1,
    max: 0.1,
    atLeast: 4,
  },
  pauseSeconds: { meaning: 'in the push', unit: 's', min: 0, max: 10 },
  ease: { meaning: 'how far the hand goes back in the first half of the pause', unit: 'm', min: 0, max: 0.1 },
  yields: { meaning: 'part of that by which clip and pipe may yield while they stick', unit: '', min: 0, max: 1 },
  speed: { meaning: 'of the device', unit: 'm/s', min: 1e-4, max: 1 },
  restSeconds: { meaning: 'between push and pull', unit: 's', min: 0.1, max: 100 },
  pipeRadius: { meaning: 'of the exact cylinder; 0 where the pipe bends', unit: 'm', min: 0, max: 1 },
  penetration: { meaning: 'deepest overlap allowed', unit: 'm', min: 0, max: 1 },
  contactCounts: { meaning: 'most contacts of the timed runs', unit: '', min: 4, max: 100, whole: true, atLeast: 1 },
  replays: {
    meaning: 'of the timed runs; the minimum of each cycle counts',
    unit: '',
    min: 1,
    max: 10,
    whole: true,
  },
  publishedMs: { meaning: '30 contacts without, 20 with friction', unit: 'ms', min: 0, max: 100, atLeast: 2 },
} as const;
type Values = ValuesOf<typeof parameters>;

export const duriezClip = defineStudy({
  name: 'duriez-clip',
  parameters,
  async run(lab, values) {
    const runAt = (timeStep: number) =>
      playClip(deformableRig({ ...lab, scene: { ...lab.scene, timeStep } }), values, values.pipeRadius);
    const stepName = (timeStep: number) => `steps of ${1000 * timeStep} ms`;
    const runs = await runEach(lab, values.timeSteps, stepName, runAt, [0, 0.5]);
    const timings = await timeByContacts(lab, values);
    return {
      tables: [
        table('phases', 'Snapping in and withdrawal', runs.map(phaseRow)),
        table('runs', 'Overlap, rest, caps and times of these runs', runs.map(runRow)),
        table('times', 'Time of a contact cycle by most contacts (fig. 17, 18)', timings.map(timingRow)),
      ],
      plots: plotsOf(runs, timings),
      claims: [...runs.flatMap((run) => claimsOf(run, values)), ...timeClaims(timings, values)],
      capped: sum(runs.map(({ capped }) => capped)),
    };
  },
});

/** Where the phases of a push lie, by cycles, and what is seen there. */
function phasesOf({ column, pushEnd, restEnd, cycles }: ClipRecording) {
  const touch = Math.max(
    0,
    column.contacts.findIndex((count) => count > 0),
  );
  const widest = indexOfLargest(column.opening, touch, pushEnd);
  const negative = column.force_z.map((force) => -force);
  return {
    touch,
    peak: indexOfLargest(column.force_z, touch, widest + 1),
    widest,
    strongestPull: indexOfLargest(negative, widest, pushEnd),
    strongestResistance: indexOfLargest(negative, restEnd, cycles),
  };
}

function indexOfLargest(values: Float64Array, from: number, to: number): number {
  let best = from;
  for (let n = from; n < to; n += 1) if (values[n]! > values[best]!) best = n;
  return best;
}

function largestIn(values: Float64Array, from: number, to: number): number {
  return values[indexOfLargest(values, from, to)] ?? 0;
}

function stepName({ timeStep }: ClipRecording): string {
  return `${rounded(1000 * timeStep)} ms`;
}

/** Parts of the contacts that press in some cycles, which stick. */
function stickingPart({ column }: ClipRecording, from: number, to: number): number {
  let [sticking, pressing] = [0, 0];
  for (let n = from; n < to; n += 1) {
    sticking += column.sticking[n]!;
    pressing += column.contacts[n]!;
  }
  return pressing > 0 ? sticking / pressing : 0;
}

function phaseRow(run: ClipRecording): Row {
  const { column, pauseStart, pauseEnd, pushEnd, restEnd, cycles } = run;
  const { touch, peak, widest, strongestPull, strongestResistance } = phasesOf(run);
  const mm = (name: keyof ClipRecording['column'], n: number) => rounded(1000 * column[name][n]!);
  return {
    step: stepName(run),
    'first touch at, mm': mm('tool_z', touch),
    'largest force, N': rounded(column.force_z[peak]!),
    'there at, mm': mm('tool_z', peak),
    'widest mouth, mm': mm('opening', widest),
    'then at, mm': mm('tool_z', widest),
    'pulls on with, N': rounded(-column.force_z[strongestPull]!),
    'fastest, mm/s': rounded(-1000 * Math.min(...column.speed.subarray(peak, pushEnd))),
    'resists withdrawal with, N': rounded(-column.force_z[strongestResistance]!),
    'leaves at, mm/s': rounded(1000 * largestIn(column.speed, restEnd, cycles)),
    'stick in push, %': rounded(100 * stickingPart(run, touch, pauseStart)),
    'stick in pause, %': rounded(100 * stickingPart(run, middleOfPause(run), pauseEnd)),
    'stick at rest, %': rounded(100 * stickingPart(run, Math.round((pushEnd + restEnd) / 2), restEnd)),
  };
}

const WATCHED_SECONDS = 0.1;
/** Until the clip has followed the hand into the pause. */
const SETTLING_SECONDS = 0.03;

/** Of the tool at the end of the rest, m/s. */
function speedAtRest({ column, restEnd, timeStep }: ClipRecording): number {
  const from = Math.max(0, restEnd - Math.round(WATCHED_SECONDS / timeStep));
  return largestIn(column.speed.map(Math.abs), from, restEnd);
}

const CAPPED_FOUND = 1;

function runRow(run: ClipRecording): Row {
  const { column, cycles } = run;
  const us = (name: keyof ClipRecording['column'], p: number) => rounded(percentile(column[name], p) / 1000);
  return {
    step: stepName(run),
    'overlap found, µm': rounded(1e6 * largestIn(column.penetration, 0, cycles)),
    'in exact cylinder, µm': rounded(1e6 * largestIn(column.in_cylinder, 0, cycles)),
    'speed at rest, mm/s': rounded(1000 * speedAtRest(run)),
    cycles,
    'too many features': column.capped.filter((bits) => bits & CAPPED_FOUND).length,
    'sweeps at cap': column.capped.filter((bits) => bits & ~CAPPED_FOUND).length,
    'contact cycle p50, ms': us('us_method', 50),
    'p99, ms': us('us_method', 99),
    'proximity p50, ms': us('us_contact', 50),
    'proximity p99, ms': us('us_contact', 99),
  };
}

function claimsOf(run: ClipRecording, values: Values): Claim[] {
  const { column, cycles, pauseStart, pauseEnd, pushEnd, restEnd, faults } = run;
  const { touch, peak, widest, strongestPull, strongestResistance } = phasesOf(run);
  const step = stepName(run);
  const force = (n: number) => column.force_z[n]!;
  const speed = values.speed;
  const settled = pauseStart + Math.round(SETTLING_SECONDS / run.timeStep);
  const claims = [
    claimAbove(`${step}, pushing: the force rises to`, force(peak), 5, 'N'),
    claimBelow(
      `${step}, pushing: contacts slide while the hand moves, and few stick`,
      100 * stickingPart(run, touch, pauseStart),
      50,
      '%',
    ),
    claimAbove(
      `${step}, pushing: they stick when it pauses and goes back a little`,
      100 * stickingPart(run, middleOfPause(run), pauseEnd),
      50,
      '%',
    ),
    claimBelow(
      `${step}, pushing: so the clip retreats by less, as a fraction of the hand’s displacement`,
      (100 * Math.abs(column.tool_z[pauseEnd - 1]! - column.tool_z[settled]!)) / values.ease,
      rounded(100 * values.yields),
      '%',
    ),
    claimAbove(
      `${step}, unstable equilibrium: the mouth opens from 16 mm to, the pipe being 20 mm wide`,
      1000 * column.opening[widest]!,
      19,
      'mm',
    ),
    claimAbove(`${step}, clipping: the force reverses and pulls the clip on with`, -force(strongestPull), 1, 'N'),
    claimAbove(
      `${step}, clipping: abrupt, times as fast as the hand`,
      -Math.min(...column.speed.subarray(peak, pushEnd)) / speed,
      3,
    ),
    claimAbove(`${step}, withdrawal: the clip resists with`, -force(strongestResistance), 5, 'N'),
    claimAbove(
      `${step}, withdrawal: it leaves abruptly, times as fast as the hand`,
      largestIn(column.speed, restEnd, cycles) / speed,
      3,
    ),
    claimBelow(
      `${step}: deepest overlap that proximity found`,
      1e6 * largestIn(column.penetration, 0, cycles),
      1e6 * values.penetration,
      'µm',
    ),
    claimBelow(`${step}: stable, speed at the end of the rest`, 1000 * speedAtRest(run), 1, 'mm/s'),
    claimTrue(`${step}: every step has a finite answer`, faults === 0, `${faults} without`, '0 without'),
  ];
  if (values.pipeRadius === 0) return claims;
  const depth = 1e6 * largestIn(column.in_cylinder, 0, cycles);
  return [
    ...claims,
    claimBelow(
      `${step}: deepest overlap of the surface with the exact cylinder`,
      depth,
      1e6 * values.penetration,
      'µm',
    ),
  ];
}

function middleOfPause({ pauseStart, pauseEnd }: ClipRecording): number {
  return Math.round((pauseStart + pauseEnd) / 2);
}

type Timing = ReturnType<typeof timePush>;

/** Pushes at the last time step, in which that many contacts are solved. */
function timeByContacts(lab: Lab, values: Values): Promise<Timing[]> {
  const trials = [false, true].flatMap((friction) => values.contactCounts.map((contacts) => ({ friction, contacts })));
  return runEach(
    lab,
    trials,
    ({ contacts }) => `${contacts} contacts`,
    (trial) => timePush(lab, values, trial),
    [0.5, 1],
  );
}

function timePush(lab: Lab, values: Values, { friction, contacts }: { friction: boolean; contacts: number }) {
  const [start = 0, , pushed = 0] = values.heights;
  const heights = [start, pushed, pushed, pushed];
  const pushAlone = { speed: values.speed, heights, pauseSeconds: 0, ease: 0, restSeconds: 0 };
  const method = { ...lab.scene.method, solvedContacts: contacts };
  const scene = { ...lab.scene, timeStep: values.timeSteps.at(-1)!, method };
  const rig = deformableRig({ ...lab, scene }, (setup) => (friction ? setup : withFriction(setup, 0)));
  const { column } = leastTimes(values.replays, () => playClip(rig, pushAlone, 0));
  const isFull = (cycle: number) => column.solved[cycle] === contacts;
  const full = column.us_method.filter((_, cycle) => isFull(cycle) && column.contacts[cycle]! > 0);
  const searches = column.us_contact.filter((_, cycle) => isFull(cycle));
  return {
    friction,
    contacts,
    cycles: full.length,
    p50: percentile(full, 50) / 1000,
    p99: percentile(full, 99) / 1000,
    proximity: percentile(searches, 50) / 1000,
    penetration: largestIn(column.penetration, 0, column.penetration.length),
  };
}

function timingRow({ friction, contacts, cycles, p50, p99, proximity, penetration }: Timing): Row {
  return {
    friction: friction ? 'yes' : 'no',
    contacts,
    cycles,
    'p50, ms': rounded(p50),
    'p99, ms': rounded(p99),
    'proximity p50, ms': rounded(proximity),
    'overlap found, µm': rounded(1e6 * penetration),
  };
}

/** As many contacts as the paper's figures have: 30 without friction, 20 with it. */
const PUBLISHED = [
  { friction: false, contacts: 30 },
  { friction: true, contacts: 20 },
] as const;

function timeClaims(timings: readonly Timing[], { publishedMs }: Values): Claim[] {
  return PUBLISHED.flatMap(({ friction, contacts }, n) => {
    const timing = timings.find((t) => t.friction === friction && t.contacts === contacts);
    if (!timing) return [];
    return [
      claimBelow(
        `${contacts} contacts ${friction ? 'with' : 'without'} friction: median below the published time`,
        timing.p50,
        publishedMs[n]!,
        'ms',
      ),
    ];
  });
}

const MOST_POINTS = 400;

/** Over the height of the clip while it is pushed on. */
function overHeight(
  name: string,
  { column, pushEnd }: ClipRecording,
  from: keyof ClipRecording['column'],
  factor = 1,
): PlotSeries {
  return { name, points: thinned(pushEnd, MOST_POINTS, (n) => [-1000 * column.tool_z[n]!, factor * column[from][n]!]) };
}

function plotsOf(runs: readonly ClipRecording[], timings: readonly Timing[]): StudyPlot[] {
  const times = (friction: boolean) =>
    timings.filter((t) => t.friction === friction).map(({ contacts, p50 }) => [contacts, p50] as const);
  const last = runs.at(-1)!;
  const atLast = `step ${stepName(last)}`;
  const inTime = (name: string, run: ClipRecording, column: keyof ClipRecording['column']) =>
    overTime(name, run, column, { points: MOST_POINTS });
  return [
    plot(
      'force',
      'Push, rest and withdrawal',
      'time, s',
      'force on the hand, N',
      runs.map((run) => inTime(stepName(run), run, 'force_z')),
    ),
    plot('snap-in', `Snapping in, ${atLast}`, 'position of the clip below the axis of the pipe, mm', 'N, mm', [
      overHeight('force on the hand', last, 'force_z'),
      overHeight('opening less 16 mm', opened(last), 'opening', 1000),
    ]),
    plot('contacts', `Contacts, ${atLast}`, 'time, s', { label: 'contacts', min: 0 }, [
      inTime('press', last, 'contacts'),
      inTime('stick', last, 'sticking'),
    ]),
    plot('times', 'Contact cycle, median', { label: 'contacts', min: 0 }, { label: 'ms', min: 0 }, [
      { name: 'without friction', points: times(false) },
      { name: 'with friction', points: times(true) },
    ]),
  ];
}

const MOUTH = 0.016;

function opened(run: ClipRecording): ClipRecording {
  return { ...run, column: { ...run.column, opening: run.column.opening.map((opening) => opening - MOUTH) } };
}
