import { openAssetCache } from '@palpable/cli/internal';
import { type Pose, percentile } from '@palpable/engine';
import { leastTimes, mean, sum } from '../play/statistics.js';
import {
  type ClipReplay,
  type ClipScene,
  type ClipVariant,
  clipMotion,
  clipSetup,
  loadClip,
  NO_CACHE,
  playClip,
  recordModels,
} from './deformable-clip.js';
import { recordProblems, timeSolvers, timeVolume } from './deformable-peers.js';
import { profileStages, type StageShares } from './deformable-stages.js';

/**
 * What deformable bodies cost: the clip is snapped on the rigid pipe and worked about on it, E = 700 MPa, μ = 0.2. By
 * contacts, by nodes, with and without friction, in both forms of the local solver. `profile`: Of the contact cycle
 * with 30 contacts.
 */
export type DeformableBenchReport = Awaited<ReturnType<typeof benchDeformable>>;

/** Cycles in which as many contacts were solved as were allowed, µs. */
export type ContactsRow = ReturnType<typeof contactsRow>;

/** One size of the elements; here proximity runs between the cycles, in the same thread. */
export type SizeRow = ReturnType<typeof timeSize>;

export interface DeformableBar {
  readonly name: string;
  readonly valueUs: number;
  readonly barUs: number;
  readonly met: boolean;
}

export interface DeformableBenchOptions {
  /** Times that each motion is played; of each cycle the least counts. */
  readonly replays: number;
  /** One size of elements, taken from the cache, one number of contacts, a shorter motion. */
  readonly quick: boolean;
  readonly onProgress: (stage: string, fraction: number) => void;
}

/** The first has about 1,000 nodes that can be touched. */
const ELEMENT_SIZES = [0.0018, 0.0016, 0.0014, 0.0012];
const CONTACTS = [5, 10, 20, 30, 40, 60];
const QUICK_CONTACTS = [30];
/** Cycles of snapping in and of working about, each. */
const PHASE = 250;
const QUICK_PHASE = 100;
const CONTACTS_OF_BAR = 30;
/** Contact problems that are given to other solvers. */
const PROBLEMS = 40;
const QUICK_PROBLEMS = 8;
const FRICTION = 0.2;
const P50_BAR_US = 500;
const P99_BAR_US = 1000;
/** What preparing and timing the sizes is of the whole, for the progress bar. */
const SIZES_PART = 0.5;

const VARIANTS: readonly Omit<ClipVariant, 'contacts'>[] = [
  { coefficient: FRICTION, local: 'exact' },
  { coefficient: FRICTION, local: 'diagonal' },
  { coefficient: 0, local: 'exact' },
];

export async function benchDeformable(options: DeformableBenchOptions) {
  const { quick, replays, onProgress } = options;
  const motion = clipMotion(quick ? QUICK_PHASE : PHASE);
  const clip = await load(ELEMENT_SIZES[0]!, options, 0);
  const setup = clipSetup(clip, { contacts: CONTACTS_OF_BAR, coefficient: FRICTION, local: 'exact' });
  onProgress('where the time goes', 0.1);
  const profile = await profileStages(() => playClip(setup, motion));
  const contacts = await timeContacts(clip, motion, options);
  const sizes = [timeSize(clip, motion, options)];
  for (const [n, elementSize] of ELEMENT_SIZES.slice(1).entries()) {
    if (quick) break;
    const fraction = SIZES_PART + ((1 - SIZES_PART) * n) / ELEMENT_SIZES.length;
    sizes.push(timeSize(await load(elementSize, options, fraction), motion, options));
  }
  onProgress('solvers', 0.95);
  const solvers = timeSolvers(recordProblems(setup, motion, quick ? QUICK_PROBLEMS : PROBLEMS), setup, replays);
  return { bars: barsOf(contacts), contacts, sizes, solvers, profile };
}

function load(elementSize: number, { quick, onProgress }: DeformableBenchOptions, from: number): Promise<ClipScene> {
  const report = (stage: string, fraction: number) => onProgress(stage, from + 0.1 * fraction);
  return loadClip(elementSize, quick ? openAssetCache() : NO_CACHE, report);
}

async function timeContacts(
  clip: ClipScene,
  motion: readonly Pose[],
  { quick, replays, onProgress }: DeformableBenchOptions,
): Promise<ContactsRow[]> {
  const rows: ContactsRow[] = [];
  const wanted = (quick ? QUICK_CONTACTS : CONTACTS).flatMap((contacts) =>
    VARIANTS.map((variant): ClipVariant => ({ contacts, ...variant })),
  );
  for (const [n, variant] of wanted.entries()) {
    onProgress(`${variant.contacts} contacts`, 0.1 + ((SIZES_PART - 0.1) * n) / wanted.length);
    const setup = clipSetup(clip, variant);
    const models = recordModels(setup, motion);
    const { shares } = await profileStages(() => playClip(setup, motion, { models }));
    rows.push(
      contactsRow(
        clip,
        variant,
        leastTimes(replays, () => playClip(setup, motion, { models })),
        shares,
      ),
    );
  }
  return rows;
}

function contactsRow(clip: ClipScene, variant: ClipVariant, replay: ClipReplay, shares: StageShares) {
  const { contacts, coefficient, local } = variant;
  const full = (name: keyof ClipReplay['column']) => fullCycles(replay, name, contacts);
  const pressing = full('contacts');
  return {
    contacts,
    friction: coefficient,
    local,
    nodes: clip.elastic.columnCount,
    cycles: pressing.length,
    /** Contacts that carry force, on average and at most. */
    meanPressing: mean(pressing),
    mostPressing: percentile(pressing, 100),
    sweepsP50: percentile(full('sweeps'), 50),
    sweepsP99: percentile(full('sweeps'), 99),
    /** Cycles that met the cap on sweeps. */
    capped: sum(full('sweeps_capped')),
    /** Free motion, Delassus operator, forces, motion. */
    cycleP50Us: percentile(full('us_method'), 50),
    cycleP99Us: percentile(full('us_method'), 99),
    shares,
  };
}

/** Of the cycles that solve as many contacts as are allowed. */
function fullCycles({ column }: ClipReplay, name: keyof ClipReplay['column'], contacts: number): Float64Array {
  return column[name].filter((_, cycle) => column.solved[cycle] === contacts);
}

function timeSize(clip: ClipScene, motion: readonly Pose[], { replays }: DeformableBenchOptions) {
  const setup = clipSetup(clip, { contacts: CONTACTS_OF_BAR, coefficient: FRICTION, local: 'exact' });
  const replay = leastTimes(replays, () => playClip(setup, motion));
  const us = (name: 'us_method' | 'us_contact', p: number) => percentile(fullCycles(replay, name, CONTACTS_OF_BAR), p);
  const { elastic, scene, preparationSeconds } = clip;
  return {
    cycleP50Us: us('us_method', 50),
    cycleP99Us: us('us_method', 99),
    proximityP50Us: us('us_contact', 50),
    proximityP99Us: us('us_contact', 99),
    elementSize: scene.bodies.clip!.deformable!.elementSize!,
    tetrahedra: elastic.tetrahedra.tetrahedra.length / 4,
    nodes: elastic.tetrahedra.positions.length / 3,
    surfaceNodes: elastic.surfaceNodes.length,
    /** Nodes of the surface that can be touched. */
    touchable: elastic.columnCount,
    /** Null if it came from the cache. */
    preparationSeconds,
    /** The peer: one step of all nodes by implicit Euler. */
    volumeStepUs: timeVolume(clip),
  };
}

function barsOf(rows: readonly ContactsRow[]): DeformableBar[] {
  const row = rows.find(
    ({ contacts, friction, local }) => contacts === CONTACTS_OF_BAR && friction > 0 && local === 'exact',
  )!;
  const bar = (percent: string, valueUs: number, barUs: number): DeformableBar => ({
    name: `contact cycle, ${row.contacts} contacts with friction, ${row.nodes} nodes, ${percent}`,
    valueUs,
    barUs,
    met: valueUs <= barUs,
  });
  return [bar('p50', row.cycleP50Us, P50_BAR_US), bar('p99', row.cycleP99Us, P99_BAR_US)];
}
