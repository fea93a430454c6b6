import { formatTable, openAssetCache, type Plot, type PlotSeries, wholeNumber } from '@palpable/cli/internal';
import type { Pose } from '@palpable/engine';
import { type ProgressListener, percentile } from '@palpable/engine/advanced';
import { leastTimes, mean, rounded, sum } from '../play/statistics.js';
import { benchCommand, timeBar, timeBarTable } from './bench-command.js';
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
  recordProblems,
  timeSolvers,
  timeVolume,
} from './deformable-clip.js';
import { profileStages, type StageShares } from './deformable-stages.js';

export const benchDeformableCommand = benchCommand({
  usage: 'deformable',
  summary: 'contact cycle of deformable bodies by contacts and by nodes, with its stages, beside other solvers',
  examples: ['palpable bench deformable --out bench', 'palpable bench deformable --quick --replays 1 --json'],
  options: (command) =>
    command
      .option('--replays <number>', 'how often to play each motion', wholeNumber(1, 1000), 5)
      .option('--quick', 'one element size, from the cache if present, 30 contacts, a shorter motion')
      .option('--out <folder>', 'write the plots as SVG files into this folder'),
  measure: benchDeformable,
  plots: (report) => ({ 'deformable-contacts.svg': plotContacts(report), 'deformable-nodes.svg': plotNodes(report) }),
  lines: sentences,
});

function sentences(report: DeformableBenchReport, { replays }: Flags): string[] {
  return [
    `Clip on a rigid pipe, 700 MPa: snapped in and moved around; the minimum of ${replays} replays of each cycle. The paper: 4 ms for 20 contacts with friction, 3 ms for 30 without.`,
    'By contacts, with proximity found beforehand; cycles that solve as many as allowed:',
    formatTable(report.contacts.map(contactsLine)),
    'By nodes, 30 contacts with friction, proximity between the cycles:',
    formatTable(report.sizes.map(sizeLine)),
    'The same contact problems from zero forces, the solve call alone:',
    formatTable(
      report.solvers.map((row) => ({
        solver: row.solver,
        problems: row.problems,
        'p50, µs': rounded(row.p50Us),
        'p99, µs': rounded(row.p99Us),
        'worst residual of the cone': row.worstResidual.toExponential(1),
      })),
    ),
    'Functions that take the most time, 30 contacts with friction:',
    formatTable(
      report.profile.functions.map(({ side, name, share }) => ({ side, function: name, 'part of it': percent(share) })),
    ),
    timeBarTable(report.bars),
  ];
}

function contactsLine(row: ContactsRow) {
  return {
    contacts: row.contacts,
    friction: row.friction,
    'local solver': row.local,
    cycles: row.cycles,
    'pressing, mean (most)': `${rounded(row.meanPressing)} (${row.mostPressing})`,
    'sweeps p50 (p99)': `${row.sweepsP50} (${row.sweepsP99})`,
    'at the cap': row.capped,
    'cycle p50, µs': rounded(row.cycleP50Us),
    'p99, µs': rounded(row.cycleP99Us),
    'contacts / Delassus / sweeps / motion': describeShares(row.shares),
  };
}

function sizeLine(row: SizeRow) {
  return {
    'elements, mm': rounded(1000 * row.elementSize),
    tetrahedra: row.tetrahedra,
    nodes: row.nodes,
    'of the surface': row.surfaceNodes,
    touchable: row.touchable,
    'prepared in, s': row.preparationSeconds === null ? 'cached' : rounded(row.preparationSeconds),
    'cycle p50, µs': rounded(row.cycleP50Us),
    'p99, µs': rounded(row.cycleP99Us),
    'proximity p50, µs': rounded(row.proximityP50Us),
    'p99, µs ': rounded(row.proximityP99Us),
    'step of all nodes, µs': rounded(row.volumeStepUs),
  };
}

function describeShares({ contacts, delassus, solve, motion }: StageShares): string {
  return [contacts, delassus, solve, motion].map(percent).join(' / ');
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function plotContacts({ contacts }: DeformableBenchReport): Plot {
  const series = (name: string, friction: boolean, local: string): PlotSeries => ({
    name,
    points: contacts
      .filter((row) => row.friction > 0 === friction && row.local === local)
      .map((row) => [row.contacts, row.cycleP50Us] as const),
  });
  return {
    title: 'Contact cycle by contacts',
    x: { label: 'contacts solved' },
    y: { label: 'p50, µs', min: 0 },
    series: [
      series('friction, exact', true, 'exact'),
      series('friction, diagonal', true, 'diagonal'),
      series('no friction', false, 'exact'),
    ],
  };
}

function plotNodes({ sizes }: DeformableBenchReport): Plot {
  const series = (name: string, of: (row: SizeRow) => number): PlotSeries => ({
    name,
    points: sizes.map((row) => [row.touchable, of(row)] as const),
  });
  return {
    title: 'Cost by nodes, 30 contacts with friction',
    x: { label: 'surface nodes that can be touched' },
    y: { label: 'p50, µs', log: true },
    series: [
      series('contact cycle', ({ cycleP50Us }) => cycleP50Us),
      series('proximity', ({ proximityP50Us }) => proximityP50Us),
      series('step of all nodes', ({ volumeStepUs }) => volumeStepUs),
    ],
  };
}

/**
 * What deformable bodies cost: the clip is snapped on the rigid pipe and worked about on it, E = 700 MPa, μ = 0.2. By
 * contacts, by nodes, with and without friction, in both forms of the local solver. `profile`: Of the contact cycle
 * with 30 contacts.
 */
type DeformableBenchReport = Awaited<ReturnType<typeof benchDeformable>>;

/** Cycles in which as many contacts were solved as were allowed, µs. */
type ContactsRow = ReturnType<typeof contactsRow>;

/** One size of the elements; here proximity runs between the cycles, in the same thread. */
type SizeRow = ReturnType<typeof timeSize>;

interface Flags {
  /** Times that each motion is played; of each cycle the least counts. */
  readonly replays: number;
  /** One size of elements, taken from the cache, one number of contacts, a shorter motion. */
  readonly quick?: boolean;
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
/** µs of p50 by contacts, of p99 at `CONTACTS_OF_BAR`, and of proximity at the first element size. */
const P50_BARS_US: readonly (readonly [contacts: number, us: number])[] = [
  [CONTACTS_OF_BAR, 120],
  [60, 250],
];
const P99_BAR_US = 350;
const PROXIMITY_BAR_US = 500;
/** What preparing and timing the sizes is of the whole, for the progress bar. */
const SIZES_PART = 0.5;

const VARIANTS: readonly Omit<ClipVariant, 'contacts'>[] = [
  { coefficient: FRICTION, local: 'exact' },
  { coefficient: FRICTION, local: 'diagonal' },
  { coefficient: 0, local: 'exact' },
];

async function benchDeformable({ replays, quick = false }: Flags, onProgress: ProgressListener) {
  const options = { replays, quick, onProgress };
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
  return { replays, bars: barsOf(contacts, sizes[0]!), contacts, sizes, solvers, profile };
}

type Options = Required<Flags> & { readonly onProgress: ProgressListener };

function load(elementSize: number, { quick, onProgress }: Options, from: number): Promise<ClipScene> {
  const report = (stage: string, fraction: number) => onProgress(stage, from + 0.1 * fraction);
  return loadClip(elementSize, quick ? openAssetCache() : NO_CACHE, report);
}

async function timeContacts(
  clip: ClipScene,
  motion: readonly Pose[],
  { quick, replays, onProgress }: Options,
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

function timeSize(clip: ClipScene, motion: readonly Pose[], { replays }: Options) {
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

function barsOf(rows: readonly ContactsRow[], { touchable, proximityP50Us }: SizeRow) {
  const rowOf = (wanted: number) =>
    rows.find(({ contacts, friction, local }) => contacts === wanted && friction > 0 && local === 'exact');
  const named = ({ contacts, nodes }: ContactsRow, percent: string) =>
    `contact cycle, ${contacts} contacts with friction, ${nodes} nodes, ${percent}`;
  const medians = P50_BARS_US.flatMap(([contacts, us]) => {
    const row = rowOf(contacts);
    return row ? [timeBar(named(row, 'p50'), row.cycleP50Us, us)] : [];
  });
  const row = rowOf(CONTACTS_OF_BAR)!;
  return [
    ...medians,
    timeBar(named(row, 'p99'), row.cycleP99Us, P99_BAR_US),
    timeBar(`proximity between triangles, ${touchable} nodes, p50`, proximityP50Us, PROXIMITY_BAR_US),
  ];
}
