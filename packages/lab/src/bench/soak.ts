import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { formatNumber, wholeNumber } from '@palpable/cli/internal';
import {
  createContactQuery,
  createContactSet,
  createMethodOutput,
  createPose,
  type FrictionModelName,
  frictionModels,
  type Pose,
  type PreparedBody,
  queryContacts,
  STATE_SLIP,
  STATE_STICK,
} from '@palpable/engine';
import { normalizePose, type ProgressListener, percentile } from '@palpable/engine/advanced';
import { Option } from 'commander';
import { loadBunnyAndTeapot } from '../play/load-scene.js';
import { benchCommand } from './bench-command.js';
import { createCornerMotion } from './friction-motion.js';
import { createCornerMethod, loadCorner, POINTS_OF_PAPER } from './friction-scene.js';

export const benchSoakCommand = benchCommand({
  usage: 'soak',
  summary: 'many cycles in a row, of queries or of a method: heap and garbage collection',
  examples: ['palpable bench soak', 'palpable bench soak --method static-friction --cycles 100000'],
  options: (command) =>
    command
      .option('--cycles <number>', 'cycles to run', wholeNumber(1000, 1_000_000_000), 10_000_000)
      .addOption(
        new Option(
          '--method <name>',
          'what a cycle is: a contact query (bunny and teapot) or a method (cube in a corner)',
        )
          .choices(['query', 'static-friction'])
          .default('query'),
      )
      .addOption(
        new Option('--model <name>', 'friction model of static-friction')
          .choices(frictionModels.map(({ name }) => name))
          .default('cone'),
      ),
  measure: soak,
  lines: sentences,
});

function sentences(report: SoakReport, { model }: Flags): string[] {
  const { method, cycles, cyclesInContact, cyclesSticking, cyclesSliding, meanContacts, meanUs } = report;
  const { heapAtStart, heapGrowth, heapPerCycle, collections, longestCollectionMs } = report;
  return [
    `${formatNumber(cycles)} cycles, ${formatNumber(cyclesInContact)} in contact, ${formatNumber(meanContacts)} contacts and ${formatNumber(meanUs)} µs on average`,
    ...(method === 'query'
      ? []
      : [`${model}: ${formatNumber(cyclesSticking)} cycles sticking, ${formatNumber(cyclesSliding)} sliding`]),
    `heap ${formatNumber(heapAtStart / 1e6)} MB, ${formatNumber(heapGrowth / 1e3)} kB more at the end, ${formatNumber(heapPerCycle)} bytes per cycle in the median stretch`,
    `garbage collections: ${collections}${collections > 0 ? `, the longest ${formatNumber(longestCollectionMs)} ms` : ''}`,
  ];
}

interface Flags {
  readonly method: SoakMethod;
  readonly model: FrictionModelName;
  readonly cycles: number;
}

async function soak({ method, model, cycles }: Flags, onProgress: ProgressListener) {
  const run = await (method === 'query' ? openQueries(onProgress) : openFriction(model, onProgress));
  return runCycles(method, run, cycles, onProgress);
}

type SoakMethod = 'query' | 'static-friction';

/** Many cycles in a row: does the heap stay flat, does the garbage collector stay away? */
type SoakReport = Awaited<ReturnType<typeof runCycles>>;

const WARM_UP = 20_000;
/** Stretches of cycles between two queries of the heap; a query allocates, a little. */
const STRETCHES = 20;

/** Cycles of the motion in the corner before it repeats itself. */
const CORNER_CYCLES = 5000;
const CORNER_SEED = 1;

/** The cycles that are to be run, adding to the tally. Nothing in here may allocate. */
type RunCycles = (tally: Tally, from: number, to: number) => void;

/** A sum of each kind of cycle, and of contacts. */
type Tally = Float64Array;
const CYCLES_IN_CONTACT = 0;
const CONTACTS = 1;
const CYCLES_STICKING = 2;
const CYCLES_SLIDING = 3;

/** Contact queries alone. */
async function openQueries(onProgress: ProgressListener): Promise<RunCycles> {
  const { bunny, teapot } = await loadBunnyAndTeapot(onProgress);
  const query = createContactQuery(bunny.shell!, teapot.field!, { shellOn: 'tool' });
  const set = createContactSet(query.shell.count);
  const motion = createMotion(teapot);
  return (tally, from, to) => {
    const environment = ENVIRONMENT;
    const centre = CENTRE;
    for (let cycle = from; cycle < to; cycle += 1) {
      const pose = motion[cycle % motion.length]!;
      queryContacts(query, set, pose, environment, centre);
      if (set.count > 0) tally[CYCLES_IN_CONTACT]! += 1;
      tally[CONTACTS]! += set.count;
    }
  };
}

/** Whole cycles of the cube in the corner, sticking and sliding, without a clock. */
async function openFriction(model: FrictionModelName, onProgress: ProgressListener): Promise<RunCycles> {
  const corner = await loadCorner(POINTS_OF_PAPER, onProgress);
  const { scene } = corner;
  const method = createCornerMethod({ ...corner, scene: { ...scene, friction: { ...scene.friction, model } } });
  const output = createMethodOutput();
  const motion = createCornerMotion(CORNER_CYCLES, CORNER_SEED);
  method.reset(motion[0]!);
  return (tally, from, to) => {
    for (let cycle = from; cycle < to; cycle += 1) {
      method.step(output, motion[cycle % motion.length]!);
      if (output.contacts > 0) tally[CYCLES_IN_CONTACT]! += 1;
      if (output.frictionState === STATE_STICK) tally[CYCLES_STICKING]! += 1;
      if (output.frictionState === STATE_SLIP) tally[CYCLES_SLIDING]! += 1;
      tally[CONTACTS]! += output.contacts;
    }
  };
}

async function runCycles(method: SoakMethod, run: RunCycles, cycles: number, onProgress: ProgressListener) {
  const tally = new Float64Array(4);
  run(tally, 0, WARM_UP);
  tally.fill(0);
  const heard: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => {
    heard.push(...list.getEntries());
  });
  await settle();
  collectGarbage();
  observer.observe({ entryTypes: ['gc'] });
  const heapAtStart = process.memoryUsage().heapUsed;
  const growths: number[] = [];
  const stretch = Math.ceil(cycles / STRETCHES);
  const started = performance.now();
  for (let done = 0; done < cycles; done += stretch) {
    const before = process.memoryUsage().heapUsed;
    run(tally, done, Math.min(cycles, done + stretch));
    growths.push(process.memoryUsage().heapUsed - before);
    onProgress(method, done / cycles);
  }
  const ended = performance.now();
  const heapGrowth = process.memoryUsage().heapUsed - heapAtStart;
  // The observer hears of collections only when the loop is left; by then also of our own, and of those at rest.
  await settle();
  observer.disconnect();
  const collections = heard.filter(({ startTime }) => startTime >= started && startTime <= ended);
  return {
    method,
    cycles,
    cyclesInContact: tally[CYCLES_IN_CONTACT]!,
    /** Of the whole tool; 0 without a method that reports it. */
    cyclesSticking: tally[CYCLES_STICKING]!,
    cyclesSliding: tally[CYCLES_SLIDING]!,
    meanContacts: tally[CONTACTS]! / cycles,
    meanUs: ((ended - started) * 1000) / cycles,
    /** Heap in use after the warm-up, and how much more at the end, bytes. */
    heapAtStart,
    heapGrowth,
    /**
     * Growth of the median stretch of cycles, bytes per cycle. What the compiler of the machine adds once, at a moment of
     * its own choosing, does not count here; what every cycle allocates does, from the first byte.
     */
    heapPerCycle: percentile(growths, 50) / stretch,
    /** Collections of garbage during the measured cycles, and the time of the longest, milliseconds. */
    collections: collections.length,
    longestCollectionMs: Math.max(0, ...collections.map(({ duration }) => duration)),
  };
}

const ENVIRONMENT = createPose();
const CENTRE = new Float64Array(3);

/** A closed path around the teapot, in and out of contact, rotating all the while. */
function createMotion({ field }: PreparedBody): Pose[] {
  const { bounds } = field!;
  return Array.from({ length: 5000 }, (_, n) => {
    const angle = (2 * Math.PI * n) / 5000;
    const [x, y, z] = [0, 1, 2].map((axis) => {
      const half = (bounds[3 + axis]! - bounds[axis]!) / 2;
      return bounds[axis]! + half * (1 + 1.15 * Math.cos((axis + 1) * angle + axis));
    });
    const pose = createPose(x, y, z, Math.sin(angle), Math.cos(2 * angle), Math.sin(3 * angle), 1);
    normalizePose(pose);
    return pose;
  });
}

/** What loading and preparing left behind would otherwise be collected at some time during the cycles. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
