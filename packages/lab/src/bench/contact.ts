import { formatNumber, formatTable, wholeNumber } from '@palpable/cli/internal';
import {
  type ContactQuery,
  createContactQuery,
  createContactSet,
  createPose,
  type Pose,
  queryContacts,
  relativePose,
  sampleDistance,
  transformPoint,
} from '@palpable/engine';
import {
  bruteForceContacts,
  createRandom,
  normalizePose,
  type ProgressListener,
  percentile,
  type RandomSource,
  sampleGradient,
} from '@palpable/engine/advanced';
import { loadBunnyAndTeapot } from '../play/load-scene.js';
import { bisect, mean, microsecondsPerCall, rounded } from '../play/statistics.js';
import { benchCommand } from './bench-command.js';

export const benchContactCommand = benchCommand({
  usage: 'contact',
  summary: 'cost of a contact query by number of contacts, beside brute force',
  examples: ['palpable bench contact', 'palpable bench contact --poses 2000 --plot contact.svg'],
  options: (command) =>
    command
      .option('--poses <number>', 'random poses to compare with brute force', wholeNumber(0, 1_000_000), 10_000)
      .option('--seed <number>', 'seed of the poses', wholeNumber(0, 2 ** 32 - 1), 1)
      .option('--plot <file.svg>', 'write the plot as an SVG file'),
  measure: benchContact,
  plots,
  lines: sentences,
  hasFailed: ({ posesDifferent }) => posesDifferent > 0,
});

function sentences(report: ContactBenchReport, { seed }: Flags): string[] {
  const rows = report.rows.map(({ contacts, visited, queryUs, queryP99Us, bruteForceUs, bareUs }) => ({
    contacts,
    visited,
    'query p50, µs': rounded(queryUs),
    'p99, µs': rounded(queryP99Us),
    'brute force, µs': rounded(bruteForceUs),
    'brute force / query': rounded(bruteForceUs / queryUs),
    'contacts alone, µs': rounded(bareUs),
    'query / contacts alone': rounded(queryUs / bareUs),
  }));
  return [
    `bunny of ${formatNumber(report.points)} points against teapot, voxels of ${formatNumber(report.voxelSize * 1000)} mm; 40 poses per row, each the minimum of five rounds of a small circle at 50 mm/s`,
    formatTable(rows),
    `${formatNumber(report.posesCompared)} random poses (seed ${seed}), ${formatNumber(report.posesInContact)} of them in contact: ${report.posesDifferent} differ from brute force`,
  ];
}

function plots({ rows }: ContactBenchReport) {
  const series = (name: string, column: 'queryUs' | 'bruteForceUs' | 'bareUs') => ({
    name,
    points: rows.map((row) => [row.contacts, row[column]] as const),
  });
  const plot = {
    title: 'Contact query, bunny against teapot',
    x: { label: 'contacts', log: true },
    y: { label: 'time, µs', log: true },
    series: [series('query', 'queryUs'), series('brute force', 'bruteForceUs'), series('contacts alone', 'bareUs')],
  };
  return { 'contact.svg': plot };
}

/**
 * Cost of a contact query by the number of contacts, beside brute force and beside the bare sampling of the contacts.
 * `posesCompared`: Random poses on which tree and brute force were compared, and how many of them differed.
 */
type ContactBenchReport = Awaited<ReturnType<typeof benchContact>>;

const TARGETS = [1, 10, 30, 100, 300, 1000, 2000];
const POSES_PER_TARGET = 40;
const IDENTITY = createPose();
const CENTRE = new Float64Array(3);

interface Flags {
  readonly poses: number;
  readonly seed: number;
}

async function benchContact({ poses, seed }: Flags, onProgress: ProgressListener) {
  const { bunny, teapot } = await loadBunnyAndTeapot(onProgress);
  const query = createContactQuery(bunny.shell!, teapot.field!, { shellOn: 'tool' });
  const random = createRandom(seed);
  const rows = TARGETS.map((target, index) => {
    onProgress('timing', (0.5 * index) / TARGETS.length);
    return measure(query, posesWithContacts(query, target, random));
  });
  const compared = compareWithBruteForce(query, poses, random, (fraction) =>
    onProgress('comparing with brute force', 0.5 + 0.5 * fraction),
  );
  return { points: query.shell.count, voxelSize: query.field.voxelSize, rows, ...compared };
}

/** Moves the shell along a random line from outside towards the field until about `target` points are in contact. */
function posesWithContacts(query: ContactQuery, target: number, random: RandomSource): Pose[] {
  const poses: Pose[] = [];
  const found = new Uint32Array(query.shell.count);
  while (poses.length < POSES_PER_TARGET) {
    const pose = randomPose(query, random);
    const direction = [random() - 0.5, random() - 0.5, random() - 0.5];
    const length = Math.hypot(...direction);
    const start = pose.slice(0, 3);
    const place = (t: number) => {
      for (let axis = 0; axis < 3; axis += 1) pose[axis] = start[axis]! + (t * direction[axis]!) / length;
      return bruteForceContacts(found, query, pose, IDENTITY);
    };
    if (place(0) < target) continue;
    const contacts = place(bisect((t) => place(t) >= target, 0, 1.5, 24)[0]);
    if (contacts <= 1.1 * target + 1) poses.push(pose);
  }
  return poses;
}

function randomPose({ field }: ContactQuery, random: RandomSource): Pose {
  const { bounds } = field;
  const [px, py, pz] = [0, 1, 2].map((axis) => {
    const [low, high] = [bounds[axis]!, bounds[3 + axis]!];
    const reach = 0.2 * (high - low);
    return low - reach + random() * (high - low + 2 * reach);
  });
  const pose = createPose(px, py, pz, random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5);
  normalizePose(pose);
  return pose;
}

/** Queries of a round, in which the shell goes around a circle of this radius, m: 50 µm each, a hand at 50 mm/s. */
const ROUND = 100;
const RADIUS = (ROUND * 50e-6) / (2 * Math.PI);
const CIRCLE = Float64Array.from({ length: 2 * ROUND }, (_, n) => {
  const angle = (2 * Math.PI * (n >> 1)) / ROUND;
  return RADIUS * (n % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
});

function measure(query: ContactQuery, poses: readonly Pose[]) {
  const set = createContactSet(query.shell.count);
  const found = new Uint32Array(query.shell.count);
  const ask = (pose: Pose) => queryContacts(query, set, pose, IDENTITY, CENTRE);
  for (let round = 0; round < 50; round += 1) for (const pose of poses) ask(pose);
  const contacts: number[] = [];
  const visited: number[] = [];
  const [tree, brute, bare] = [[], [], []] as number[][] as [number[], number[], number[]];
  for (const pose of poses) {
    const moving = Float64Array.from(pose);
    let call = 0;
    const askMoving = () => {
      const place = 2 * (call % ROUND);
      moving[0] = pose[0]! + CIRCLE[place]!;
      moving[1] = pose[1]! + CIRCLE[place + 1]!;
      call += 1;
      ask(moving);
    };
    tree.push(microsecondsPerCall(askMoving, ROUND));
    ask(pose);
    contacts.push(set.count);
    visited.push(query.counters.visited);
    brute.push(microsecondsPerCall(() => bruteForce(query, pose), 5));
    const points = found.slice(0, bruteForceContacts(found, query, pose, IDENTITY));
    bare.push(microsecondsPerCall(() => sampleOnly(query, pose, points), 100));
  }
  return {
    contacts: Math.round(mean(contacts)),
    visited: Math.round(mean(visited)),
    queryUs: percentile(tree, 50),
    queryP99Us: percentile(tree, 99),
    bruteForceUs: percentile(brute, 50),
    /** Transforming and sampling just the points that are in contact, gradients included. */
    bareUs: percentile(bare, 50),
  };
}

const relative = createPose();
const at = new Float64Array(3);
const gradient = new Float64Array(3);

/** Every point of the shell, with the gradient of those in contact: what a query without a tree would do. */
function bruteForce(query: ContactQuery, pose: Pose): void {
  const { shell, field } = query;
  const { points } = shell;
  relativePose(relative, IDENTITY, pose);
  for (let p = 0; p < points.length; p += 3) {
    transformPoint(at, relative, points[p]!, points[p + 1]!, points[p + 2]!);
    if (sampleDistance(field, at[0]!, at[1]!, at[2]!) < 0) sampleGradient(gradient, field, at[0]!, at[1]!, at[2]!);
  }
}

/** The given points alone. */
function sampleOnly(query: ContactQuery, pose: Pose, chosen: Uint32Array): void {
  const { points } = query.shell;
  relativePose(relative, IDENTITY, pose);
  for (let n = 0; n < chosen.length; n += 1) {
    const p = 3 * chosen[n]!;
    transformPoint(at, relative, points[p]!, points[p + 1]!, points[p + 2]!);
    sampleGradient(gradient, query.field, at[0]!, at[1]!, at[2]!);
  }
}

/** The same points from tree and brute force at random poses? */
function compareWithBruteForce(
  query: ContactQuery,
  poses: number,
  random: RandomSource,
  onFraction: (fraction: number) => void,
) {
  const set = createContactSet(query.shell.count);
  const found = new Uint32Array(query.shell.count);
  let posesInContact = 0;
  let posesDifferent = 0;
  for (let n = 0; n < poses; n += 1) {
    const pose = randomPose(query, random);
    queryContacts(query, set, pose, IDENTITY, CENTRE);
    const count = bruteForceContacts(found, query, pose, IDENTITY);
    const ours = set.point.slice(0, set.count).sort();
    if (count > 0) posesInContact += 1;
    if (count !== set.count || ours.some((point, index) => point !== found[index])) posesDifferent += 1;
    if (n % 500 === 0) onFraction(n / poses);
  }
  return { posesCompared: poses, posesInContact, posesDifferent };
}
