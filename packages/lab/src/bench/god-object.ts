import { bodyPose, handAlong, type Pose, percentile, playScene, type Scene } from '@palpable/engine';
import { type LoadedScene, loadGalleryScene } from '../play/load-scene.js';
import { endOf, motionThrough } from '../play/motion.js';
import { largest as largestOf } from '../play/statistics.js';
import { CONSTRAINTS, createGodObjectRig, follow, type GodObjectRig } from '../reproduce/god-object-rig.js';
import { readExperiment } from '../reproduce/read-experiment.js';
import { type SavedStep, saveStep, timeSavedSteps } from './god-object-steps.js';

/**
 * What the god object costs beside its contact query. The motions are those of the experiments: the bunny at the teapot with
 * shells and fields of several sizes, and the peg in its hole with more and more points in contact.
 */
export type GodObjectBenchReport = Awaited<ReturnType<typeof benchGodObject>>;

/** Steps 2–7 of one size of the models, in contact, µs. */
export type SizeRow = Awaited<ReturnType<typeof timeSize>>[number];

/** Whole cycles of the peg with as many contacts, µs. */
export type ContactsRow = Awaited<ReturnType<typeof timePeg>>[number];

export interface GodObjectBar {
  readonly name: string;
  readonly valueUs: number;
  readonly barUs: number;
  readonly met: boolean;
}

export interface GodObjectBenchOptions {
  /** Times that each motion is played; of each cycle the least counts. */
  readonly replays: number;
  /** Most points of a shell. */
  readonly largest: number;
  readonly onProgress: (stage: string, fraction: number) => void;
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

export async function benchGodObject(options: GodObjectBenchOptions) {
  const { largest, onProgress } = options;
  const sizes: SizeRow[] = [];
  const wanted = SIZES.filter(({ points }, n) => n === 0 || points <= largest);
  for (const [n, size] of wanted.entries()) {
    onProgress(`bunny of ${size.points} points`, (0.5 * n) / wanted.length);
    sizes.push(...(await timeSize(size, options)));
  }
  const contacts: ContactsRow[] = [];
  const counts = PEG_POINTS.filter((points, n) => n === 0 || points <= largest);
  for (const [n, points] of counts.entries()) {
    onProgress(`peg of ${points} points`, 0.5 + (0.5 * n) / counts.length);
    contacts.push(...(await timePeg(points, options)));
  }
  return { sizes, contacts, bars: barsOf(sizes, contacts) };
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
  from: readonly number[] | null = null,
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
      contact: { ...read.contact, maxContacts: MAX_CONTACTS },
      friction: { ...read.friction, static: 0.2, kinetic: 0.18 },
    };
  };
  const loaded = await loadGalleryScene(file.replace('../scenes/', ''), { change });
  const { scene } = loaded;
  const standing = bodyPose(scene.bodies[scene.tool[0]!]!);
  const motion: Pose[] = [];
  let last = from ?? [...standing.subarray(0, 3), 0, 0, 0];
  for (const phase of phases) {
    const route = parameters[phase] as readonly number[];
    motion.push(...motionThrough(route, last, standing, scene.timeStep));
    last = endOf(route);
  }
  return { loaded, motion };
}

async function timeSize({ points, resolution }: (typeof SIZES)[number], { replays }: GodObjectBenchOptions) {
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

async function timePeg(points: number, { replays }: GodObjectBenchOptions) {
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

function barsOf(sizes: readonly SizeRow[], contacts: readonly ContactsRow[]): GodObjectBar[] {
  const bar = (name: string, valueUs: number, barUs: number) => ({ name, valueUs, barUs, met: valueUs <= barUs });
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
