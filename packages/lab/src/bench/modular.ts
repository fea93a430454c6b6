import { formatTable, openAssetCache, wholeNumber } from '@palpable/cli/internal';
import {
  createContactPair,
  createContactQuery,
  createPose,
  handAlong,
  type Method,
  type PlayedScene,
  playScene,
  prepareBody,
  type Scene,
  sceneWithMethod,
} from '@palpable/engine';
import {
  createContactModel,
  createModularContactSide,
  createModularDynamics,
  createShellContacts,
  type IntegratorKind,
  MODEL_COUNT,
  MODEL_FOUND,
  type ModularContacts,
  type ModularOptions,
  type ProgressListener,
  percentile,
} from '@palpable/engine/advanced';
import { loadGalleryScene } from '../play/load-scene.js';
import { largest as largestOf, leastTimes, rounded } from '../play/statistics.js';
import { type Jaws, jawMotion, jawQuery, prepareJaws } from '../reproduce/studies/otaduy-jaws-rig.js';
import { modularOptions, SLIPPERY, solidTool, TIME_STEP, touching } from '../reproduce/studies/otaduy-rig.js';
import { atMost, barTable, benchCommand } from './bench-command.js';

export const benchModularCommand = benchCommand({
  usage: 'modular',
  summary: 'haptic step and contact side of modular, by integrator, tolerance and size of the models',
  examples: ['palpable bench modular', 'palpable bench modular --replays 1 --largest 1000 --json'],
  options: (command) =>
    command
      .option('--replays <number>', 'how often to play each motion', wholeNumber(1, 1000), 5)
      .option('--largest <triangles>', 'most triangles of the upper jaw', wholeNumber(700, 100_000), 100_000),
  measure: benchModular,
  lines: sentences,
});

function sentences({ steps, contacts, bars }: ModularBenchReport, { replays }: Flags): string[] {
  return [
    `Upper jaw over lower jaw, cycles in contact; the minimum of ${replays} replays of each cycle.`,
    'Haptic step:',
    formatTable(
      steps.map((row) => ({
        integrator: row.integrator,
        'triangles of both': row.triangles,
        cycles: row.cycles,
        'most clusters': row.mostClusters,
        'p50, µs': rounded(row.p50Us),
        'p99, µs': rounded(row.p99Us),
      })),
    ),
    'Contact side:',
    formatTable(
      contacts.map((row) => ({
        contacts: row.detection,
        'triangles of both': row.triangles,
        'most contacts': row.mostContacts,
        'finding p50, µs': rounded(row.findP50Us),
        'p99, µs': rounded(row.findP99Us),
        'clusters and model p50, µs': rounded(row.restP50Us),
        'p99, µs ': rounded(row.restP99Us),
      })),
    ),
    barTable(bars, ({ unit }) => (unit === 'Hz' ? '>' : '≤')),
  ];
}

/**
 * What the two sides of `modular` cost: the haptic step by integrator and size of the models, and the contact side by
 * tolerance and size, beside shell and field on the same poses. Scene: an upper jaw over a lower one.
 */
type ModularBenchReport = Awaited<ReturnType<typeof benchModular>>;

/** The haptic step in contact, µs. */
type StepRow = ReturnType<typeof timeSteps>;

/** One update of the contact side, µs. */
type ContactRow = ReturnType<typeof contactRow>;

interface Flags {
  /** Times that each motion is played; of each cycle the least counts. */
  readonly replays: number;
  /** Most triangles of a jaw. */
  readonly largest: number;
}

/** Upper and lower jaw; the last are the paper's. */
const SIZES = [
  [700, 700],
  [5000, 5000],
  [47_339, 40_180],
] as const;
const TOLERANCES = [0.025, 0.01, 0.004];
const INTEGRATORS: readonly IntegratorKind[] = ['implicit', 'implicit-13', 'euler'];
const MOTION = { seed: 6, seconds: 0.9, sizes: [0.012, 0.012, 0.001, 0.06, 0.06, 0.06], press: 0.003 };
const MASS = 0.01;
const DISTANCE = 5e-4;
const P50_BAR_US = 15;
const P99_BAR_US = 40;
const RATE_BAR_HZ = 500;
const SHELL_SPACING = 0.001;
const FIELD_RESOLUTION = 160;

async function benchModular({ replays, largest }: Flags, onProgress: ProgressListener) {
  const loaded = await loadJaws();
  const wanted = SIZES.filter(([upper], n) => n === 0 || upper <= largest);
  const steps: StepRow[] = [];
  const contacts: ContactRow[] = [];
  for (const [n, size] of wanted.entries()) {
    onProgress(`jaws of ${size[0]} triangles`, n / wanted.length);
    const jaws = await prepareJaws(loaded, size);
    const bench = createBench(jaws);
    for (const integrator of INTEGRATORS) steps.push(timeSteps(bench, integrator, replays));
    for (const tolerance of TOLERANCES) {
      const name = `levels of detail, ${100 * tolerance} %`;
      contacts.push(contactRow(bench, name, jawContacts(bench, tolerance), replays));
    }
    onProgress(`shell and field of ${size[0]} triangles`, (n + 0.5) / wanted.length);
    contacts.push(await timeShell(bench, replays));
  }
  return { replays, steps, contacts, bars: barsOf(steps, contacts) };
}

async function loadJaws() {
  const cache = openAssetCache();
  const bare = (read: Scene, name: string, mesh: string) => {
    return { ...read.bodies[name]!, mesh, hierarchy: null, unit: 'm' as const };
  };
  const change = (read: Scene): Scene => ({
    ...sceneWithMethod(read, 'modular', { detection: 'shell' }),
    bodies: {
      upper: bare(read, 'upper', 'meshes/teeth-top.ply'),
      lower: bare(read, 'lower', 'meshes/teeth-bottom.ply'),
    },
  });
  return { cache, ...(await loadGalleryScene('jaws.json', { change, cache })) };
}

type Bench = ReturnType<typeof createBench>;

function createBench(jaws: Jaws) {
  return {
    jaws,
    tool: solidTool(jaws.upperMesh, MASS),
    motion: jawMotion(jaws, MOTION),
    triangles: jaws.triangles[0] + jaws.triangles[1],
  };
}

function jawContacts({ jaws }: Bench, tolerance: number): ModularContacts {
  return touching(jawQuery(jaws, tolerance, DISTANCE), SLIPPERY);
}

function optionsOf(integrator: IntegratorKind): ModularOptions {
  return modularOptions({ integrator, contact: { tolerance: DISTANCE } });
}

type Replay = PlayedScene<'us_step' | 'us_find' | 'us_rest' | 'contacts' | 'clusters'>;

/**
 * Leads the device along the motion. The tool is moved by backward Euler; another integrator steps from the same states
 * beside it, so that all are timed on the same cycles, which explicit ones would not survive.
 */
function play({ tool, motion }: Bench, contacts: ModularContacts, timed: IntegratorKind): Replay {
  const options = optionsOf('implicit');
  const leader = createModularDynamics(tool, options);
  const follower = createModularDynamics(tool, optionsOf(timed));
  const clocked = clockFind(contacts);
  const side = createModularContactSide(tool, clocked.contacts, options);
  const model = createContactModel(options.contact.clusters);
  let [stepMs, sideMs] = [0, 0];
  const method: Method = {
    reset(pose) {
      leader.reset(pose);
      follower.reset(pose);
    },
    step(output, device) {
      const begun = performance.now();
      side.update(model, leader.toolState);
      sideMs = performance.now() - begun;
      follower.toolState.set(leader.toolState);
      const before = performance.now();
      follower.step(output, device, model);
      stepMs = performance.now() - before;
      leader.step(output, device, model);
    },
  };
  return playScene({ method, timeStep: TIME_STEP }, handAlong(motion), {
    us_step: () => 1000 * stepMs,
    us_find: () => 1000 * clocked.milliseconds[0]!,
    us_rest: () => 1000 * (sideMs - clocked.milliseconds[0]!),
    contacts: () => model[MODEL_FOUND]!,
    clusters: () => model[MODEL_COUNT]!,
  });
}

/** The same source of contacts with a clock around its search. */
function clockFind(contacts: ModularContacts): { contacts: ModularContacts; milliseconds: Float64Array } {
  const milliseconds = new Float64Array(1);
  return {
    milliseconds,
    contacts: {
      capacity: contacts.capacity,
      ...(contacts.coefficients && { coefficients: contacts.coefficients }),
      find(set, toolPose, centre) {
        const begun = performance.now();
        contacts.find(set, toolPose, centre);
        milliseconds[0] = performance.now() - begun;
      },
    },
  };
}

function inContact({ column }: Replay, name: keyof Replay['column']): Float64Array {
  return column[name].filter((_, cycle) => column.contacts[cycle]! > 0);
}

function timeSteps(bench: Bench, integrator: IntegratorKind, replays: number) {
  const contacts = jawContacts(bench, TOLERANCES[0]!);
  const replay = leastTimes(replays, () => play(bench, contacts, integrator));
  const us = inContact(replay, 'us_step');
  return {
    integrator,
    triangles: bench.triangles,
    cycles: us.length,
    mostClusters: largestOf(replay.column.clusters),
    p50Us: percentile(us, 50),
    p99Us: percentile(us, 99),
  };
}

function contactRow(bench: Bench, detection: string, contacts: ModularContacts, replays: number) {
  const replay = leastTimes(replays, () => play(bench, contacts, 'implicit'));
  const find = inContact(replay, 'us_find');
  const rest = inContact(replay, 'us_rest');
  return {
    /** Levels of detail with a tolerance, or shell and field. */
    detection,
    triangles: bench.triangles,
    mostContacts: largestOf(replay.column.contacts),
    findP50Us: percentile(find, 50),
    findP99Us: percentile(find, 99),
    /** Clusters and contact model. */
    restP50Us: percentile(rest, 50),
    restP99Us: percentile(rest, 99),
  };
}

/** The peer: points of the upper jaw in the field of the lower. */
async function timeShell(bench: Bench, replays: number): Promise<ContactRow> {
  const { upperMesh, lowerMesh } = bench.jaws;
  const { shell } = await prepareBody(upperMesh, { field: null, shell: { spacing: SHELL_SPACING, seed: 1 } });
  const { field } = await prepareBody(lowerMesh, { field: { resolution: FIELD_RESOLUTION }, shell: null });
  const query = createContactQuery(shell!, field!, { shellOn: 'tool', margin: DISTANCE, maxContacts: 4000 });
  const contacts = createShellContacts([createContactPair(query, { environmentPose: createPose() })]);
  return contactRow(bench, `shell of ${shell!.count} points, field of ${FIELD_RESOLUTION}`, contacts, replays);
}

function barsOf(steps: readonly StepRow[], contacts: readonly ContactRow[]) {
  return [
    ...steps
      .filter(({ integrator }) => integrator === 'implicit')
      .flatMap(({ triangles, p50Us, p99Us }) => [
        atMost(`haptic step, ${triangles} triangles, p50`, p50Us, P50_BAR_US, 'µs'),
        atMost(`haptic step, ${triangles} triangles, p99`, p99Us, P99_BAR_US, 'µs'),
      ]),
    ...contacts
      .filter(({ detection }) => detection.startsWith('levels'))
      .map(({ detection, triangles, findP99Us, restP99Us }) => {
        const value = 1e6 / (findP99Us + restP99Us);
        const name = `contact side, ${detection}, ${triangles} triangles, p99`;
        return { name, value, bar: RATE_BAR_HZ, unit: 'Hz', met: value > RATE_BAR_HZ };
      }),
  ];
}
