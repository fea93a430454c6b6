import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  createContactQuery,
  createContactSet,
  createPose,
  normalizePose,
  type Pose,
  type PreparedBody,
  queryContacts,
} from '@palpable/engine';

/** Many query cycles in a row: does the heap stay flat, does the garbage collector stay away? */
export interface SoakReport {
  readonly cycles: number;
  readonly cyclesInContact: number;
  readonly meanContacts: number;
  readonly meanUs: number;
  /** Heap in use after the warm-up, and how much more at the end, bytes. */
  readonly heapAtStart: number;
  readonly heapGrowth: number;
  /** Collections of garbage during the measured cycles, and the time of the longest, milliseconds. */
  readonly collections: number;
  readonly longestCollectionMs: number;
}

const WARM_UP = 20_000;
/** Cycles between two looks at the clock for the progress bar; looking allocates, a little. */
const CHUNK = 250_000;

export async function runSoak(
  shellBody: PreparedBody,
  fieldBody: PreparedBody,
  cycles: number,
  onProgress: (stage: string, fraction: number) => void,
): Promise<SoakReport> {
  const query = createContactQuery(shellBody.shell!, fieldBody.field!, { shellOn: 'tool' });
  const set = createContactSet(query.shell.count);
  const motion = createMotion(fieldBody);
  const tally = new Float64Array(2);
  const run = (from: number, to: number) => {
    const environment = ENVIRONMENT;
    const centre = CENTRE;
    for (let cycle = from; cycle < to; cycle += 1) {
      const pose = motion[cycle % motion.length]!;
      queryContacts(query, set, pose, environment, centre);
      if (set.count > 0) tally[0]! += 1;
      tally[1]! += set.count;
    }
  };
  run(0, WARM_UP);
  tally.fill(0);
  const heard: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => {
    heard.push(...list.getEntries());
  });
  await settle();
  collectGarbage();
  observer.observe({ entryTypes: ['gc'] });
  const heapAtStart = process.memoryUsage().heapUsed;
  const started = performance.now();
  for (let done = 0; done < cycles; done += CHUNK) {
    run(done, Math.min(cycles, done + CHUNK));
    onProgress('querying', done / cycles);
  }
  const ended = performance.now();
  const heapGrowth = process.memoryUsage().heapUsed - heapAtStart;
  // The observer hears of collections only when the loop is left; by then also of our own, and of those at rest.
  await settle();
  observer.disconnect();
  const collections = heard.filter(({ startTime }) => startTime >= started && startTime <= ended);
  return {
    cycles,
    cyclesInContact: tally[0]!,
    meanContacts: tally[1]! / cycles,
    meanUs: ((ended - started) * 1000) / cycles,
    heapAtStart,
    heapGrowth,
    collections: collections.length,
    longestCollectionMs: Math.max(0, ...collections.map(({ duration }) => duration)),
  };
}

const ENVIRONMENT = createPose();
const CENTRE = new Float64Array(3);

/** A closed path around the teapot, in and out of contact, turning all the while. */
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
