import { formatTable, wholeNumber } from '@palpable/cli/internal';
import { handAlong, type Pose, playScene, type Scene } from '@palpable/engine';
import {
  bodyPose,
  createHeuristic,
  type Heuristic,
  PENALTY_KINETIC,
  PENALTY_SIZE,
  PENALTY_STATIC,
  type ProgressListener,
  percentile,
  resetHeuristic,
  rotationBetween,
  rotationMatrix,
  stepHeuristic,
} from '@palpable/engine/advanced';
import { type LoadedScene, loadGalleryScene } from '../play/load-scene.js';
import { motionAlong } from '../play/motion.js';
import { largest as largestOf, microsecondsPerCall, rounded } from '../play/statistics.js';
import { CONSTRAINTS, createGodObjectRig, follow, type GodObjectRig } from '../reproduce/god-object-rig.js';
import { readExperiment } from '../reproduce/read-experiment.js';
import { timeBar as bar, benchCommand, timeBarTable } from './bench-command.js';

export const benchGodObjectCommand = benchCommand({
  usage: 'god-object',
  summary: 'god object beside its contact query, by size of the models and number of contacts',
  examples: ['palpable bench god-object', 'palpable bench god-object --replays 3 --largest 1000 --plot god-object.svg'],
  options: (command) =>
    command
      .option('--replays <number>', 'how often to play each motion', wholeNumber(1, 1000), 9)
      .option('--largest <points>', 'most points of a shell', wholeNumber(250, 20_000), 20_000)
      .option('--plot <file.svg>', 'write the plot as an SVG file'),
  measure: benchGodObject,
  plots,
  lines: sentences,
});

function sentences({ sizes, contacts, bars }: GodObjectBenchReport, { replays }: Flags): string[] {
  return [
    `Bunny at the teapot (knock, slide, ear through the handle), cycles in contact; of each cycle the least of ${replays} replays, by the clock inside the cycle. "steps 2–4 in batches": from saved states, 200 calls each.`,
    formatTable(
      sizes.map((row) => ({
        points: row.points,
        'voxels along': row.voxels,
        constraint: row.constraint,
        cycles: row.cycles,
        'most contacts': row.mostContacts,
        'steps 2–7 p50, µs': rounded(row.p50Us),
        'p99, µs': rounded(row.p99Us),
        'steps 2–4 in batches p50, µs': row.batchP50Us === null ? '' : rounded(row.batchP50Us),
        'p99, µs ': row.batchP99Us === null ? '' : rounded(row.batchP99Us),
        'cycle p50, µs': rounded(row.cycleP50Us),
        'cycle p99, µs': rounded(row.cycleP99Us),
      })),
    ),
    '',
    'Peg in its hole, all its sides within the margin:',
    formatTable(
      contacts.map((row) => ({
        points: row.points,
        contacts: row.contacts,
        constraint: row.constraint,
        'step 1 p50, µs': rounded(row.contactUs),
        'steps 2–7 p50, µs': rounded(row.methodUs),
        'cycle p50, µs': rounded(row.cycleP50Us),
        'cycle p99, µs': rounded(row.cycleP99Us),
      })),
    ),
    '',
    timeBarTable(bars),
  ];
}

function plots({ contacts }: GodObjectBenchReport) {
  const series = (constraint: string, name: string, value: (row: (typeof contacts)[number]) => number) => ({
    name: `${constraint}, ${name}`,
    points: contacts.filter((row) => row.constraint === constraint).map((row) => [row.contacts, value(row)] as const),
  });
  const plot = {
    title: 'God object, peg in a hole',
    x: { label: 'contacts', log: true },
    y: { label: 'time, µs (p50)', log: true },
    series: ['heuristic', 'manifold'].flatMap((constraint) => [
      series(constraint, 'whole cycle', (row) => row.cycleP50Us),
      series(constraint, 'steps 2–7', (row) => row.methodUs),
    ]),
  };
  return { 'god-object.svg': plot };
}

/**
 * What the god object costs beside its contact query. The motions are those of the experiments: the bunny at the teapot with
 * shells and fields of several sizes, and the peg in its hole with more and more points in contact.
 */
type GodObjectBenchReport = Awaited<ReturnType<typeof benchGodObject>>;

/** Steps 2–7 of one size of the models, in contact, µs. */
type SizeRow = Awaited<ReturnType<typeof timeSize>>[number];

/** Whole cycles of the peg with as many contacts, µs. */
type ContactsRow = Awaited<ReturnType<typeof timePeg>>[number];

interface Flags {
  /** Times that each motion is played; of each cycle the least counts. */
  readonly replays: number;
  /** Most points of a shell. */
  readonly largest: number;
}

const SIZES: readonly { readonly points: number; readonly resolution: number }[] = [
  { points: 500, resolution: 96 },
  { points: 5587, resolution: 360 },
  { points: 20_000, resolution: 360 },
];
const PEG_POINTS = [250, 500, 1000, 2000, 4000, 8000, 16_000];
const MAX_CONTACTS = 20_000;
/** Cycles with at least this part of the most contacts count as being in the hole. */
const MOST = 0.9;
const P50_BAR_US = 2;
const P99_BAR_US = 5;
const CYCLE_BAR_US = 1000;

async function benchGodObject({ replays, largest }: Flags, onProgress: ProgressListener) {
  const sizes: SizeRow[] = [];
  const wanted = SIZES.filter(({ points }, n) => n === 0 || points <= largest);
  for (const [n, size] of wanted.entries()) {
    onProgress(`bunny of ${size.points} points`, (0.5 * n) / wanted.length);
    sizes.push(...(await timeSize(size, replays)));
  }
  const contacts: ContactsRow[] = [];
  const counts = PEG_POINTS.filter((points, n) => n === 0 || points <= largest);
  for (const [n, points] of counts.entries()) {
    onProgress(`peg of ${points} points`, 0.5 + (0.5 * n) / counts.length);
    contacts.push(...(await timePeg(points, replays)));
  }
  return { replays, sizes, contacts, bars: barsOf(sizes, contacts) };
}

interface Course {
  readonly loaded: LoadedScene;
  readonly motion: readonly Pose[];
}

/** The scene and the motion of an experiment, with a shell of as many points and a field as fine as wanted. */
async function loadCourse(
  experiment: string,
  [shellBody, points]: readonly [string, number],
  field: readonly [string, number] | null,
  phases: readonly string[],
  from?: readonly number[],
): Promise<Course> {
  const { scene: file, parameters } = await readExperiment(experiment);
  const change = (read: Scene): Scene => {
    const bodies = { ...read.bodies };
    const [shelled, fielded] = [bodies[shellBody]!, field && bodies[field[0]]!];
    bodies[shellBody] = { ...shelled, shell: { seed: 1, spacing: null, ...shelled.shell, count: points } };
    if (field) bodies[field[0]] = { ...fielded!, field: { ...fielded!.field!, resolution: field[1] } };
    return {
      ...read,
      bodies,
      // The peg is to show what contacts cost by their number.
      contact: { ...read.contact, maxContacts: MAX_CONTACTS, reduce: false },
      friction: { ...read.friction, static: 0.2, kinetic: 0.18 },
    };
  };
  const loaded = await loadGalleryScene(file.replace('../scenes/', ''), { change });
  const { scene } = loaded;
  const standing = bodyPose(scene.bodies[scene.tool[0]!]!);
  const paths = Object.fromEntries(phases.map((phase) => [phase, parameters[phase] as readonly number[]]));
  return { loaded, motion: motionAlong(paths, standing, scene.timeStep, from).motion };
}

async function timeSize({ points, resolution }: (typeof SIZES)[number], replays: number) {
  const phases = ['apart', 'knock', 'slide', 'insert'];
  const { loaded, motion } = await loadCourse(
    'sagardia-bunny-teapot',
    ['bunny', points],
    ['teapot', resolution],
    phases,
  );
  return CONSTRAINTS.map((constraint) => {
    const rig = createGodObjectRig(loaded, { method: { constraint } });
    // Warms up as well.
    const steps = saveSteps(rig, motion);
    const { column } = follow(rig, motion, replays);
    const touching = (us: Float64Array) => us.filter((_, cycle) => column.contacts[cycle]! > 0);
    const [method, total] = [touching(column.us_method), touching(column.us_total)];
    const batch = constraint === 'heuristic' && steps.length > 0 ? timeSavedSteps(rig, steps) : null;
    return {
      points,
      voxels: resolution,
      constraint,
      cycles: method.length,
      mostContacts: largestOf(column.contacts),
      p50Us: percentile(method, 50),
      p99Us: percentile(method, 99),
      /** Steps 2–4 alone from saved states, in batches; null for the manifold. */
      batchP50Us: batch && percentile(batch, 50),
      batchP99Us: batch && percentile(batch, 99),
      cycleP50Us: percentile(total, 50),
      cycleP99Us: percentile(total, 99),
    };
  });
}

/** Every so many cycles in contact one is saved. */
const SAVE_EVERY = 5;

function saveSteps(rig: GodObjectRig, motion: readonly Pose[]): SavedStep[] {
  const steps: SavedStep[] = [];
  playScene(rig, handAlong(motion), {
    saved: ({ output, devicePose, cycle }) => {
      const isSaved = output.contacts > 0 && cycle % SAVE_EVERY === 0;
      return isSaved ? steps.push(saveStep(rig, output.toolPose, devicePose)) : steps.length;
    },
  });
  return steps;
}

async function timePeg(points: number, replays: number) {
  const { loaded, motion } = await loadCourse('sagardia-peg', ['peg', points], null, ['press'], IN_HOLE);
  return CONSTRAINTS.map((constraint) => {
    const rig = createGodObjectRig(loaded, { method: { constraint } });
    const { column } = follow(rig, motion, Math.min(replays, PEG_REPLAYS));
    const most = largestOf(column.contacts);
    const inHole = (values: Float64Array) => values.filter((_, cycle) => column.contacts[cycle]! >= MOST * most);
    const total = inHole(column.us_total);
    return {
      points,
      constraint,
      contacts: percentile(inHole(column.contacts), 50),
      contactUs: percentile(inHole(column.us_contact), 50),
      methodUs: percentile(inHole(column.us_method), 50),
      cycleP50Us: percentile(total, 50),
      cycleP99Us: percentile(total, 99),
    };
  });
}

/** The peg in the middle of its hole, near the bottom: x, y, z, rotation vector. */
const IN_HOLE = [0, 0, -0.095, 0, 0, 0];
/** Cycles with thousands of contacts are long enough for the clock. */
const PEG_REPLAYS = 3;

function barsOf(sizes: readonly SizeRow[], contacts: readonly ContactsRow[]) {
  return [
    ...sizes
      .filter(({ constraint }) => constraint === 'heuristic')
      .flatMap(({ points, p50Us, p99Us }) => [
        bar(`heuristic, bunny of ${points} points: steps 2–7, p50`, p50Us, P50_BAR_US),
        bar(`heuristic, bunny of ${points} points: steps 2–7, p99`, p99Us, P99_BAR_US),
      ]),
    ...contacts
      .filter(({ constraint }) => constraint === 'heuristic')
      .slice(-1)
      .map((row) => bar(`heuristic, peg with ${row.contacts} contacts: steps 2–7, p50`, row.methodUs, P50_BAR_US)),
    ...contacts.map((row) =>
      bar(`${row.constraint}, peg with ${row.contacts} contacts: cycle, p50`, row.cycleP50Us, CYCLE_BAR_US),
    ),
  ];
}

/** All that steps 2–4 of the heuristic take, of one cycle. */
export type SavedStep = ReturnType<typeof saveStep>;

/** After a cycle: the sums of the last query, and what is left from the proxy to the device (m, rad). */
export function saveStep({ godObject }: GodObjectRig, proxy: Pose, device: Pose) {
  const penalty = godObject.penalty.values.slice(0, PENALTY_SIZE);
  const [rest, kinetic] = [penalty[PENALTY_STATIC]!, penalty[PENALTY_KINETIC]!];
  return {
    penalty,
    way: motionBetween(proxy, device),
    rotation: rotationMatrix(new Float64Array(9), proxy) as Float64Array,
    friction: Float64Array.of(rest, kinetic, rest, kinetic),
  };
}

/** Translation (m) and rotation vector (rad) from one pose to another. */
function motionBetween(from: Pose, to: Pose): Float64Array {
  const motion = new Float64Array(6);
  rotationBetween(motion, from, to);
  motion.copyWithin(3, 0, 3);
  for (let axis = 0; axis < 3; axis += 1) motion[axis] = to[axis]! - from[axis]!;
  return motion;
}

const CALLS_PER_BATCH = 200;

/** Microseconds of each saved step, from batches of calls on a heuristic of its own. */
export function timeSavedSteps({ godObject }: GodObjectRig, steps: readonly SavedStep[]): Float64Array {
  const { options } = godObject.heuristic;
  // A unit sphere: mass and inertia only scale the numbers.
  const heuristic: Heuristic = createHeuristic(
    { mass: 1, inertia: Float64Array.of(0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4), length: 1 },
    options,
  );
  const out = new Float64Array(6);
  const time = ({ penalty, way, rotation, friction }: SavedStep) => {
    resetHeuristic(heuristic);
    return microsecondsPerCall(() => stepHeuristic(heuristic, out, penalty, way, rotation, friction), CALLS_PER_BATCH);
  };
  for (const step of steps.slice(0, 100)) time(step);
  return Float64Array.from(steps, time);
}
