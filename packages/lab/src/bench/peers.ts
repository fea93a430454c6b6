import { formatTable, wholeNumber } from '@palpable/cli/internal';
import { PalpableError } from '@palpable/engine';
import { bodyPose, type ProgressListener } from '@palpable/engine/advanced';
import { rounded } from '../play/statistics.js';
import { benchCommand } from './bench-command.js';
import { type Measured, measure, type Trial } from './peers/measure.js';
import { createOverlap } from './peers/overlap.js';
import type { Peer, PeerLibrary } from './peers/peer.js';
import { ownMeshes, PEER_SCENES, type PeerScene, type SceneParts } from './peers/scenes.js';
import { createSolid } from './peers/solid.js';
import { type Candidate, createTask, LIBRARIES, OURS, ourCandidates, peerCandidates } from './peers/systems.js';

export const benchPeersCommand = benchCommand({
  usage: 'peers',
  summary: 'our methods beside Rapier, Jolt, MuJoCo and PhysX on the same scenes and motions',
  examples: [
    'palpable bench peers',
    'palpable bench peers --quick --scene peg --only manifold,jolt',
    'palpable bench peers --tool part.stl --body housing.stl',
  ],
  options: (command) =>
    command
      .option('--quick', 'one press per scene, one second of holding')
      .option('--scene <name>', `only this one: ${PEER_SCENES.map(({ name }) => name).join(', ')}`)
      .option('--only <names>', 'only these systems, by the first letters of their names, with commas between')
      .option('--tool <mesh>', 'with --body: press and drag meshes of your own')
      .option('--body <mesh>', 'what --tool is pressed on')
      .option('--replays <number>', 'how often to play each motion', wholeNumber(1, 100), 3)
      .option('--plot <file.svg>', 'write the plot as an SVG file'),
  measure: benchPeers,
  lines: sentences,
  plots,
});

interface Flags {
  readonly quick?: boolean;
  readonly scene?: string;
  readonly only?: string;
  readonly tool?: string;
  readonly body?: string;
  readonly replays: number;
}

type PeersReport = Awaited<ReturnType<typeof benchPeers>>;

interface PeerRow extends Partial<Measured> {
  readonly system: string;
  readonly isOurs: boolean;
  /** Why there are no numbers. */
  readonly failed?: string;
}

async function benchPeers(flags: Flags, onProgress: ProgressListener) {
  const wanted = wantedOf(flags.only);
  const { peers, missing } = await loadPeers(LIBRARIES, wanted);
  const scenes: { scene: string; title: string; rows: PeerRow[] }[] = [];
  const chosen = chosenScenes(flags);
  for (const [n, scene] of chosen.entries()) {
    const progress = (what: string, part: number) => onProgress(`${scene.name}: ${what}`, (n + part) / chosen.length);
    const rows = await measureScene(scene, peers, wanted, flags, progress);
    scenes.push({ scene: scene.name, title: scene.title, rows });
  }
  return { replays: flags.replays, quick: flags.quick === true, scenes, missing };
}

function wantedOf(only: string | undefined): (name: string) => boolean {
  if (only === undefined) return () => true;
  const starts = only.split(',').map((each) => each.trim().toLowerCase());
  const names = [...OURS, ...LIBRARIES].map(({ name }) => name.toLowerCase());
  for (const start of starts) {
    if (start !== '' && names.some((name) => name.startsWith(start))) continue;
    throw new PalpableError(
      'option-invalid',
      `There is no system "${start}"; there are ${names.join(', ')}.`,
      '--only',
    );
  }
  return (name) => starts.some((start) => name.toLowerCase().startsWith(start));
}

function chosenScenes({ scene, tool, body }: Flags): readonly PeerScene[] {
  if (tool !== undefined && body !== undefined) return [ownMeshes(tool, body)];
  if (tool !== undefined || body !== undefined) {
    throw new PalpableError('option-invalid', 'Give both --tool and --body, or neither.', '--tool');
  }
  const chosen = PEER_SCENES.filter(({ name }) => scene === undefined || name === scene);
  if (chosen.length > 0) return chosen;
  const names = PEER_SCENES.map(({ name }) => name).join(', ');
  throw new PalpableError('option-invalid', `There is no scene "${scene}"; there are ${names}.`, '--scene');
}

/** Those that are installed, and what to run for the others. */
export async function loadPeers(libraries: readonly PeerLibrary[], wanted: (name: string) => boolean) {
  // All at once: npm removes what it was not asked for.
  const all = libraries.map(({ package: from, version }) => `${from}@${version}`).join(' ');
  const peers = new Map<string, Peer>();
  const missing: { readonly name: string; readonly sentence: string }[] = [];
  for (const { name, load } of libraries) {
    if (!wanted(name)) continue;
    try {
      peers.set(name, await load());
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing.push({ name, sentence: `${name} is not installed. Run: npm install --no-save --ignore-scripts ${all}` });
    }
  }
  return { peers, missing };
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: string };
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

async function measureScene(
  scene: PeerScene,
  peers: ReadonlyMap<string, Peer>,
  wanted: (name: string) => boolean,
  { quick, replays }: Flags,
  progress: (what: string, part: number) => void,
): Promise<PeerRow[]> {
  progress('preparing', 0);
  const parts = await partsOf(scene);
  const course = scene.course(parts, quick === true);
  const overlap = createOverlap(createSolid(parts.tool.mesh), createSolid(parts.body.mesh));
  const trial: Trial = { scene, parts, course, overlap, replays };
  const candidates: Candidate[] = ourCandidates(scene, wanted);
  const ours = candidates.length;
  const rows: PeerRow[] = [];
  const refused: PeerRow[] = [];
  if (peers.size > 0) {
    try {
      const { task, centre } = await createTask(scene, parts);
      for (const [name, peer] of peers) candidates.push(...peerCandidates(name, peer, task, centre));
    } catch (error) {
      const failed = isMissing(error) ? 'needs the convex pieces that Rapier makes' : String(error);
      for (const system of peers.keys()) refused.push({ system, isOurs: false, failed });
    }
  }
  for (const [n, { system, run }] of candidates.entries()) {
    progress(system, (n + 1) / (candidates.length + 1));
    const row = { system, isOurs: n < ours };
    try {
      rows.push({ ...row, ...(await run((runner) => measure(runner, trial))) });
    } catch (error) {
      // A library may refuse a mesh; the others go on.
      if (row.isOurs) throw error;
      rows.push({ ...row, failed: String(error) });
    }
  }
  return [...rows, ...refused];
}

/** The meshes are the same for all methods. */
async function partsOf(scene: PeerScene): Promise<SceneParts> {
  const { scene: read, bodies } = await scene.load(OURS[0]!.method);
  const [toolName] = read.tool;
  const bodyName = Object.keys(read.bodies).find((name) => name !== toolName)!;
  return {
    tool: bodies.get(toolName!)!,
    body: bodies.get(bodyName)!,
    toolPose: bodyPose(read.bodies[toolName!]!),
    bodyPose: bodyPose(read.bodies[bodyName]!),
  };
}

function sentences({ scenes, missing }: PeersReport, { replays }: Flags): string[] {
  return [
    `Cycles in contact, of each the least of ${replays} replays; of others only the step call is timed, of ours the whole method. Penetration by an exact check of both meshes.`,
    ...scenes.flatMap(({ title, rows }) => ['', title, formatTable(rows.map((row) => cells(row, rows)))]),
    '',
    ...missing.map(({ sentence }) => sentence),
    ...gapSentences(scenes.flatMap(({ rows }) => rows)),
  ];
}

/** What the check could not resolve, in mm. */
const SMALL_GAP_MM = 0.01;

function gapSentences(rows: readonly PeerRow[]): string[] {
  const wide = rows.filter(({ checkGapMm = 0 }) => checkGapMm > SMALL_GAP_MM);
  return wide.map(
    ({ system, checkGapMm }) =>
      `${system}: the overlap can be ${rounded(checkGapMm!)} mm deeper in a cycle that took the check too long.`,
  );
}

const shown = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : Number.isFinite(value) ? rounded(value) : 'lost';

/** Columns that no row of the scene has are left out. */
function cells(row: PeerRow, rows: readonly PeerRow[]) {
  const columns = {
    'p50, µs': row.p50Us,
    'p99, µs': row.p99Us,
    'max, µs': row.maxUs,
    'contacts p50': row.contactsP50,
    'max ': row.contactsMax,
    'penetration max, mm': row.penetrationMaxMm,
    'p50, mm': row.penetrationP50Mm,
    ...(rows.some(({ driftStillUm }) => typeof driftStillUm === 'number') && {
      'drift still, µm': row.driftStillUm,
      'cyclic, µm': row.driftCyclicUm,
      'slip limit, %': row.slipPercent,
    }),
    'noise rms, mN': row.noiseRmsMn,
    'max, mN': row.noiseMaxMn,
    ...(rows.some(({ shortOfTouchMm }) => typeof shortOfTouchMm === 'number') && {
      'short of touch, mm': row.shortOfTouchMm,
    }),
    ...(rows.some(({ lowestMm }) => typeof lowestMm === 'number') && { 'lowest, mm': row.lowestMm }),
  };
  const texts = Object.entries(columns).map(([name, value]) => [name, shown(value)] as const);
  return { system: row.system, ...Object.fromEntries(texts), '': row.failed ?? '' };
}

function plots({ scenes }: PeersReport) {
  const series = scenes.map(({ scene, rows }) => ({
    name: scene,
    points: rows.flatMap(({ p99Us, penetrationMaxMm }) =>
      typeof p99Us === 'number' ? [[p99Us, Math.max(0.001, penetrationMaxMm!)] as const] : [],
    ),
  }));
  return {
    'peers.svg': {
      title: 'Deepest overlap by time, all systems',
      x: { label: 'cycle, µs (p99)', log: true },
      y: { label: 'deepest overlap, mm', log: true },
      series,
    },
  };
}
