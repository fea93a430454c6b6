import { handAlong, type Pose, type Probe, type Stage } from '@palpable/engine';
import { percentile } from '@palpable/engine/advanced';
import { play } from '../../play/play.js';
import { largest, mean } from '../../play/statistics.js';
import type { Overlap } from './overlap.js';
import { type Course, lowestVertex, type PeerScene, type SceneParts, type Span } from './scenes.js';

/** One row of the table; null where the scene does not ask, or the system gave no answer. */
export interface Measured {
  /** Of a cycle in contact, by the system's own count of contacts, µs. */
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly maxUs: number | null;
  readonly contactsP50: number | null;
  readonly contactsMax: number;
  /** By the independent check, mm. */
  readonly penetrationMaxMm: number;
  readonly penetrationP50Mm: number | null;
  readonly driftStillUm: number | null;
  readonly driftCyclicUm: number | null;
  /** By how much the largest pull that it bore differs from Coulomb's, %. */
  readonly slipPercent: number | null;
  /** Second difference of the force on the hand from cycle to cycle, mN. */
  readonly noiseRmsMn: number | null;
  readonly noiseMaxMn: number | null;
  /** How far before the meshes touch it first pushes back, mm: hulls stand out of their meshes. */
  readonly shortOfTouchMm: number | null;
  /** Lowest vertex of the tool, at the end or of all cycles, mm. */
  readonly lowestMm: number | null;
  /** By how much the check can have found too little at most, mm. */
  readonly checkGapMm: number;
  /** In contact. */
  readonly cycles: number;
}

const POSE = [0, 1, 2, 3, 4, 5, 6].map((i) => `pose${i}`);
const FORCE = [0, 1, 2].map((i) => `hand${i}`);
const probes: Record<string, Probe> = Object.fromEntries([
  ...POSE.map((name, i): [string, Probe] => [name, ({ output }) => output.toolPose[i]!]),
  ...FORCE.map((name, i): [string, Probe] => [name, ({ output }) => output.wrench[i]!]),
]);

interface Columns {
  readonly us: Float64Array;
  readonly contacts: Float64Array;
  readonly pose: readonly Float64Array[];
  readonly force: readonly Float64Array[];
  /** In which of the plays. */
  readonly play: Float64Array;
}

/** What is led through a course: times come from `timed`, all else from `seen`, which may spend time on showing it. */
export interface Runner {
  readonly timed: Stage;
  readonly seen: Stage;
}

export interface Trial {
  readonly scene: PeerScene;
  readonly parts: SceneParts;
  readonly course: Course;
  readonly overlap: Overlap;
  /** Of each cycle the least time of so many counts. */
  readonly replays: number;
}

export function measure(runner: Runner, { scene, parts, course, overlap, replays }: Trial): Measured {
  const columns = record(runner, course, replays);
  overlap.resetGap();
  const { us, contacts, force } = columns;
  const touching = indices(us.length).filter((n) => contacts[n]! > 0);
  const of = (values: Float64Array, p: number) =>
    touching.length > 0
      ? percentile(
          Float64Array.from(touching, (n) => values[n]!),
          p,
        )
      : null;
  const { even, evenly, deepest } = depths(columns, parts, overlap);
  const touchingDepths = evenly.filter((_, k) => contacts[even[k]!]! > 0);
  const noise = noiseOf(columns, course.steady).map(({ size }) => size);
  return {
    p50Us: of(us, 50),
    p99Us: of(us, 99),
    maxUs: touching.length > 0 ? largest(touching.map((n) => us[n]!)) : null,
    contactsP50: of(contacts, 50),
    contactsMax: largest(contacts),
    penetrationMaxMm: 1000 * deepest,
    penetrationP50Mm: touchingDepths.length > 0 ? 1000 * percentile(touchingDepths, 50) : null,
    driftStillUm: scaled(1e6, course.still ? movedBetween(columns, course.still) : null),
    driftCyclicUm: scaled(1e6, course.cyclic ? movedBetween(columns, course.cyclic) : null),
    slipPercent: course.pull ? slipOf(force, course.pull, scene.friction) : null,
    noiseRmsMn: noise.length > 0 ? 1000 * Math.sqrt(mean(noise.map((size) => size * size))) : null,
    noiseMaxMn: noise.length > 0 ? 1000 * largest(noise) : null,
    shortOfTouchMm: scaled(1000, course.touches ? shortOfTouch(columns, course.touches) : null),
    lowestMm: scaled(1000, lowestOf(columns, scene, parts)),
    checkGapMm: 1000 * overlap.gap,
    cycles: touching.length,
  };
}

function scaled(factor: number, value: number | null): number | null {
  return value === null ? null : factor * value;
}

function indices(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

function record({ timed, seen }: Runner, { plays }: Course, replays: number): Columns {
  const parts = plays.map((poses) => {
    const hand = handAlong(poses);
    const times = play(timed, hand, { repeats: replays, probes });
    const { column, cycles } = timed === seen ? times : play(seen, hand, { probes });
    return { cycles, column: { ...column, us_total: times.column.us_total } };
  });
  const joined = (name: string) => {
    const all = parts.map(({ column }) => (column as Record<string, Float64Array>)[name]!);
    return Float64Array.from(all.flatMap((values) => [...values]));
  };
  return {
    us: joined('us_total'),
    contacts: joined('contacts'),
    pose: POSE.map(joined),
    force: FORCE.map(joined),
    play: Float64Array.from(parts.flatMap(({ cycles }, n) => new Array<number>(cycles).fill(n))),
  };
}

function poseAt({ pose }: Columns, n: number): Pose {
  return Float64Array.from(pose, (values) => values[n]!);
}

function movedBetween({ pose }: Columns, [from, to]: Span): number {
  return Math.hypot(...[0, 1, 2].map((i) => pose[i]![to - 1]! - pose[i]![from]!));
}

/** Against the limit under the forces that the hand presses with. */
function slipOf([x, y, z]: readonly Float64Array[], [from, to]: Span, friction: number): number {
  let most = 0;
  for (let n = from; n < to; n += 1) {
    most = Math.max(most, Math.abs(x![n]!) / (friction * (Math.abs(y![n]!) + Math.abs(z![n]!))));
  }
  return 100 * (most - 1);
}

/** Force with which a system has met the body, N. */
const MET = 0.1;

function shortOfTouch({ pose, force, contacts, play: part }: Columns, touches: NonNullable<Course['touches']>): number {
  const gaps = touches.map(({ at, direction }, n) => {
    const isMet = (cycle: number) => contacts[cycle]! > 0 && Math.hypot(...force.map((f) => f[cycle]!)) > MET;
    const met = part.findIndex((each, cycle) => each === n && isMet(cycle));
    return met < 0 ? 0 : direction.reduce((gap, along, i) => gap + along * (at[i]! - pose[i]![met]!), 0);
  });
  return Math.max(0, ...gaps);
}

/** Second differences of the force, where three cycles in a row touch, N. */
function noiseOf({ force, contacts, play: part }: Columns, [from, to]: Span = [0, contacts.length]) {
  const out: { readonly cycle: number; readonly size: number }[] = [];
  for (let n = from + 2; n < to; n += 1) {
    if (part[n] !== part[n - 2] || !(contacts[n]! > 0 && contacts[n - 1]! > 0 && contacts[n - 2]! > 0)) continue;
    out.push({ cycle: n, size: Math.hypot(...force.map((f) => f[n]! - 2 * f[n - 1]! + f[n - 2]!)) });
  }
  return out;
}

function lowestOf(columns: Columns, { lowest }: PeerScene, { tool }: SceneParts): number | null {
  const last = columns.us.length - 1;
  if (lowest === undefined) return null;
  if (lowest === 'last') return lowestVertex(tool.mesh, poseAt(columns, last));
  return indices(last + 1).reduce(
    (least, n) => Math.min(least, lowestVertex(tool.mesh, poseAt(columns, n))),
    Number.POSITIVE_INFINITY,
  );
}

/** So many cycles are checked evenly, and as many again of two kinds: where the force jumps, and near the deepest. */
const CHECKED_EVENLY = 60;
const CHECKED_MORE = 16;

/** Overlap of some cycles, and the deepest of all that were checked, m. */
function depths(columns: Columns, { bodyPose }: SceneParts, overlap: Overlap) {
  const count = columns.us.length;
  const checked = new Set<number>();
  let deepest = 0;
  let deepestAt = 0;
  const check = (n: number, atLeast: number) => {
    if (n < 0 || n >= count || checked.has(n)) return 0;
    checked.add(n);
    const depth = overlap.depth(poseAt(columns, n), bodyPose, atLeast);
    if (depth > deepest) [deepest, deepestAt] = [depth, n];
    return depth;
  };
  const stride = Math.max(1, Math.floor(count / CHECKED_EVENLY));
  const even = indices(count).filter((n) => n % stride === 0);
  const evenly = Float64Array.from(even, (n) => check(n, 0));
  // Of these only what is deeper matters.
  const jumps = noiseOf(columns).sort((a, b) => b.size - a.size);
  for (const { cycle } of jumps.slice(0, CHECKED_MORE)) check(cycle, deepest);
  const [middle, spread] = [deepestAt, Math.max(1, Math.floor((2 * stride) / CHECKED_MORE))];
  for (let k = -CHECKED_MORE / 2; k <= CHECKED_MORE / 2; k += 1) check(middle + k * spread, deepest);
  return { even, evenly, deepest };
}
