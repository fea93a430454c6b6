import { readFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Parts of the contact cycle, each 0 to 1, adding up to 1. */
export interface StageShares {
  /** Where contacts are and what moves them; forces of the cycle before. */
  readonly contacts: number;
  /** The Delassus operator. */
  readonly delassus: number;
  /** Sweeps of the solver, and what else would overlap under its forces. */
  readonly solve: number;
  /** Free motion of all bodies, and what contact forces make of it. */
  readonly motion: number;
}

export type StageProfile = ReturnType<typeof readProfile>;

type Stage = keyof StageShares;

const SAMPLE_US = 100;
const MOST_FUNCTIONS = 12;

/** What a file of the engine does in the cycle; what is called from it and not named here counts to it. */
const STAGE_OF_FILE: readonly (readonly [file: string, stage: Stage])[] = [
  ['method/deformable/delassus.ts', 'delassus'],
  ['complementarity/', 'solve'],
  ['method/deformable/contacts.ts', 'contacts'],
  ['method/deformable/contact-groups.ts', 'contacts'],
  ['method/deformable/contact-sides.ts', 'contacts'],
  ['method/deformable/place-contacts.ts', 'contacts'],
  ['method/deformable/contact-response.ts', 'solve'],
  ['method/deformable/solve-contacts.ts', 'solve'],
  ['method/deformable/deformable-dynamics.ts', 'motion'],
];
const PROXIMITY_FILES = ['method/deformable/proximity-side.ts', 'contact/proximity/'];

/**
 * Samples where the time goes while `play` runs. Must come before anything else has run the same code: what was compiled
 * without the sampler does not distinguish inlined functions.
 */
export async function profileStages(play: () => void): Promise<StageProfile> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  await session.post('Profiler.start');
  play();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return readProfile(profile);
}

function readProfile(profile: Profiler.Profile) {
  const stacks = stacksOf(profile.nodes);
  const cycle = { contacts: 0, delassus: 0, solve: 0, motion: 0 };
  const functions = { cycle: new Map<string, number>(), proximity: new Map<string, number>() };
  profile.samples?.forEach((id, n) => {
    const stack = stacks.get(id) ?? [];
    const ms = (profile.timeDeltas?.[n] ?? 0) / 1000;
    const isProximity = stack.some(({ url }) => PROXIMITY_FILES.some((file) => url.includes(`/src/${file}`)));
    const stage = isProximity ? undefined : stageOf(stack);
    if (!isProximity && !stage) return;
    if (stage) cycle[stage] += ms;
    const tally = functions[isProximity ? 'proximity' : 'cycle'];
    const name = nameOf(stack[0]!);
    tally.set(name, (tally.get(name) ?? 0) + ms);
  });
  const sampledMs = cycle.contacts + cycle.delassus + cycle.solve + cycle.motion;
  const part = (ms: number) => ms / sampledMs;
  return {
    /** Time in a cycle beside proximity that was sampled, ms. */
    sampledMs,
    shares: {
      contacts: part(cycle.contacts),
      delassus: part(cycle.delassus),
      solve: part(cycle.solve),
      motion: part(cycle.motion),
    },
    /** The functions that take most, of the contact cycle and of proximity. */
    functions: [...largest('cycle', functions.cycle), ...largest('proximity', functions.proximity)],
  };
}

interface Frame {
  readonly functionName: string;
  readonly url: string;
}

/** Of every node of the profile the frames from itself up to the root, in the sources. */
function stacksOf(nodes: readonly Profiler.ProfileNode[]): Map<number, Frame[]> {
  const maps = new Map<string, SourceMap>();
  const inSource = ({ functionName, url, lineNumber, columnNumber }: Profiler.ProfileNode['callFrame']): Frame => {
    if (!url.includes('/engine/dist/')) return { functionName, url };
    const map = maps.get(url) ?? new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')));
    maps.set(url, map);
    const found = map.findEntry(lineNumber, columnNumber);
    return { functionName, url: 'originalSource' in found ? found.originalSource : url };
  };
  const frames = new Map(nodes.map((node) => [node, inSource(node.callFrame)]));
  const parent = new Map<number, Profiler.ProfileNode>();
  for (const node of nodes) for (const child of node.children ?? []) parent.set(child, node);
  return new Map(
    nodes.map((node) => {
      const stack: Frame[] = [];
      for (let at: Profiler.ProfileNode | undefined = node; at; at = parent.get(at.id)) stack.push(frames.get(at)!);
      return [node.id, stack];
    }),
  );
}

/** By the nearest caller that has a stage. */
function stageOf(stack: readonly Frame[]): Stage | undefined {
  for (const { url } of stack) {
    const found = STAGE_OF_FILE.find(([file]) => url.includes(`/src/${file}`));
    if (found) return found[1];
  }
  return undefined;
}

function nameOf({ functionName, url }: Frame): string {
  return `${functionName || '(anonymous)'}, ${url.slice(url.lastIndexOf('/') + 1)}`;
}

function largest(side: 'cycle' | 'proximity', functions: ReadonlyMap<string, number>) {
  const total = [...functions.values()].reduce((sum, ms) => sum + ms, 0);
  return [...functions]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_FUNCTIONS)
    .map(([name, ms]) => ({ side, name, share: ms / total }));
}
