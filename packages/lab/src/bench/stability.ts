import { formatNumber, formatTable, type Row } from '@palpable/cli/internal';
import type { ProgressListener } from '@palpable/engine/advanced';
import type { LoadedScene } from '../play/load-scene.js';
import { bisect, geometricMean, rounded } from '../play/statistics.js';
import { benchCommand } from './bench-command.js';
import {
  type Guard,
  loadStabilityScene,
  runStability,
  STABILITY_METHODS,
  STUDY_HAND,
  type StabilityCase,
  type StabilityMethod,
  type StabilityRun,
} from './stability-run.js';

export const benchStabilityCommand = benchCommand({
  usage: 'stability',
  summary: 'largest stable stiffness of each method in the simulated hand, and the energy the hand receives',
  examples: ['palpable bench stability --quick', 'palpable bench stability --plot stability.svg'],
  options: (command) =>
    command
      .option('--quick', '1 kHz only, a coarser map, rougher limits')
      .option('--plot <file.svg>', 'write stiffness against damping as an SVG file'),
  measure: benchStability,
  plots,
  lines: (report) => [...sentences(report), ''],
  hasFailed: ({ ledger }) => ledger.runsAbove > 0,
});

function sentences(report: StabilityReport): string[] {
  const { hand, limits, late, energy } = report;
  return [
    `A simulated hand presses a block onto a plate and steps by 1 mm. Device of ${hand.mass} kg and ${hand.damping} N s/m, grip of ${hand.gripStiffness} N/m and ${hand.gripDamping} N s/m, ${hand.force} N at most.`,
    `Stable: after a second no point of device or tool moves by 1 mm/s. "bare": the method's own wrench; "guarded": as live hosts run it, with rate limits and passivity controller.`,
    '',
    'Largest stable stiffness, N/m (of the contact for penalty, of the coupling for the others):',
    formatTable(limitRows(limits, ({ rateHz }) => `${formatNumber(rateHz)} Hz`)),
    ...(late.length === 0
      ? []
      : [
          '',
          'The same at 1 000 Hz with a late force:',
          formatTable(limitRows(late, ({ latency }) => `${1000 * latency} ms`)),
        ]),
    '',
    ...STABILITY_METHODS.flatMap((method) => mapLines(report, method)),
    'The most the hand received beyond what it gave, mJ:',
    formatTable(
      energy.map(({ method, rateHz, timesLimit, stiffness, bare, guarded }) => ({
        method,
        'rate, Hz': rateHz,
        'stiffness over limit': timesLimit,
        'N/m': Math.round(stiffness),
        bare: toMillijoules(bare),
        guarded: toMillijoules(guarded),
      })),
    ),
    '',
    ledgerSentence(report.ledger, ''),
    ...(report.lateLedger.runs > 0 ? [ledgerSentence(report.lateLedger, ' with a late force')] : []),
  ];
}

function limitRows(limits: StabilityReport['limits'], heading: (limit: StabilityReport['limits'][number]) => string) {
  return STABILITY_METHODS.flatMap((method) =>
    (['bare', 'guarded'] as const satisfies readonly Guard[]).map((guard): Row => {
      const own = limits.filter((limit) => limit.method === method && limit.guard === guard);
      return { method, '': guard, ...Object.fromEntries(own.map((limit) => [heading(limit), cell(limit.stiffness)])) };
    }),
  );
}

function cell(stiffness: number): number | string {
  return Number.isFinite(stiffness) ? rounded(stiffness) : 'all';
}

/** Stiff above, soft below; a column for each damping. */
function mapLines({ map }: StabilityReport, method: StabilityMethod): string[] {
  const own = map.filter((each) => each.method === method);
  const dampings = [...new Set(own.map(({ damping }) => damping))];
  const stiffnesses = [...new Set(own.map(({ stiffness }) => stiffness))].reverse();
  const rows = stiffnesses.map((stiffness) => ({
    'N/m': stiffness,
    ...Object.fromEntries(
      own.filter((each) => each.stiffness === stiffness).map((each) => [`${each.damping} N s/m`, mark(each)]),
    ),
  }));
  return dampings.length === 0
    ? []
    : [
        `${method}, 1 000 Hz, stiffness against damping of the device: ● stable, ◐ guarded only, ○ bare only, · neither`,
        formatTable(rows),
        '',
      ];
}

function mark({ bare, guarded }: StabilityReport['map'][number]): string {
  if (bare) return guarded ? '●' : '○';
  return guarded ? '◐' : '·';
}

function ledgerSentence(ledger: StabilityReport['ledger'], kind: string): string {
  const { runs, runsAbove, bound, mostGiven, ledgerError, worst } = ledger;
  const where = worst
    ? ` (${worst.method}, ${formatNumber(worst.rateHz)} Hz, ${formatNumber(Math.round(worst.stiffness))} N/m, ${worst.damping} N s/m)`
    : '';
  return `Energy ledger, ${formatNumber(runs)} guarded runs${kind}: at most ${toMillijoules(mostGiven)} mJ given${where}, bound ${toMillijoules(bound)} mJ, ${runsAbove} runs above it; the loop's own account was off by ${toMillijoules(ledgerError)} mJ at most.`;
}

function toMillijoules(joules: number): number {
  return rounded(1000 * joules);
}

function plots({ edges, hand }: StabilityReport) {
  const dampings = [...new Set(edges.map(({ damping }) => damping))];
  const line = (method: StabilityMethod, guard: Guard) =>
    edges.filter((edge) => edge.method === method).map((edge) => [edge.damping, edge[guard]] as const);
  const plot = {
    title: 'Largest stable stiffness, 1 kHz',
    x: { label: 'damping of the device, N s/m', log: true },
    y: { label: 'stiffness, N/m', log: true },
    series: [
      ...STABILITY_METHODS.map((method) => ({ name: method, points: line(method, 'bare') })),
      { name: `${STABILITY_METHODS[0]}, guarded`, points: line(STABILITY_METHODS[0], 'guarded') },
      {
        name: '2 (damping + grip) / time step',
        points: dampings.map((damping) => [damping, 2000 * (damping + hand.gripDamping)] as const),
      },
    ],
  };
  return { 'stability.svg': plot };
}

/**
 * How stiff each method may be before the simulated hand feels it buzz, and how much energy the hand then gets.
 * `late`: The same at 1 kHz with a force that comes late. `edges`: Largest stable stiffness for each damping of the
 * map. `lateLedger`: Of the runs with a late force, of whose lateness the account in the loop knows nothing.
 */
type StabilityReport = Awaited<ReturnType<typeof benchStability>>;

interface StabilityLimit {
  readonly method: StabilityMethod;
  readonly guard: Guard;
  readonly rateHz: number;
  /** By which the force comes late, s. */
  readonly latency: number;
  /** Largest stable stiffness, N/m; 0 when the softest was not, infinite when the stiffest was. */
  readonly stiffness: number;
}

interface MapCell {
  readonly method: StabilityMethod;
  /** Of the device, N s/m. */
  readonly damping: number;
  /** N/m */
  readonly stiffness: number;
  readonly bare: boolean;
  readonly guarded: boolean;
}

interface MapEdge {
  readonly method: StabilityMethod;
  /** Of the device, N s/m. */
  readonly damping: number;
  /** Largest stable stiffness, N/m, and the same with the guards. */
  readonly bare: number;
  readonly guarded: number;
}

/** The most that the hand was given, J, at a multiple of the largest stiffness that is stable without a guard. */
interface EnergyRow {
  readonly method: StabilityMethod;
  readonly rateHz: number;
  readonly timesLimit: number;
  /** N/m */
  readonly stiffness: number;
  /** J */
  readonly bare: number;
  /** J */
  readonly guarded: number;
}

/** Over the runs with the passivity controller. */
interface LedgerSummary {
  /** J */
  readonly bound: number;
  readonly runs: number;
  readonly runsAbove: number;
  /** By the simulation; and how far the account in the loop was from it at most, J. */
  readonly mostGiven: number;
  readonly ledgerError: number;
  /** Of the run with most. */
  readonly worst: StabilityCase | null;
}

/** J: architecture, "passive means". */
const BOUND = 1e-3;
const SOFTEST = 500;
/** From one stiffness to the next while the first unstable one is sought. */
const STRIDE = Math.SQRT2;
const STIFFEST = 1_024_000;
const RATES = [500, 1000, 2000, 4000];
const LATENCIES = [0.001, 0.002];
const DAMPINGS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
const STIFFNESSES = [1000, 1400, 2000, 2800, 4000, 5600, 8000, 11_000, 16_000, 22_000, 32_000, 45_000, 64_000];
const TIMES_LIMIT = [0.5, 1, 2, 4, 8];

interface Study {
  readonly loaded: LoadedScene;
  readonly halvings: number;
  readonly report: (stage: string) => Promise<void>;
  readonly ledger: OpenLedger;
  readonly lateLedger: OpenLedger;
}

type OpenLedger = { -readonly [name in keyof LedgerSummary]: LedgerSummary[name] };

async function benchStability({ quick = false }: { readonly quick?: boolean }, onProgress: ProgressListener) {
  const rates = quick ? [1000] : RATES;
  const dampings = DAMPINGS.filter((_, n) => !quick || n % 3 === 1);
  const stiffnesses = STIFFNESSES.filter((_, n) => !quick || n % 3 === 0);
  const latencies = quick ? [] : LATENCIES;
  const stages = STABILITY_METHODS.length * (rates.length * 3 + latencies.length * 2 + dampings.length * 2);
  let stage = 0;
  const study: Study = {
    loaded: await loadStabilityScene((name) => onProgress(name, 0)),
    halvings: quick ? 1 : 4,
    // A pause now and then lets the progress bar draw itself and Ctrl-C through.
    report: async (name) => {
      onProgress(name, stage / stages);
      stage += 1;
      await new Promise((resume) => setImmediate(resume));
    },
    ledger: openLedger(),
    lateLedger: openLedger(),
  };
  const limits = await findLimits(study, rates, [0]);
  const late = await findLimits(study, [1000], latencies);
  const map = await drawMap(study, dampings, stiffnesses);
  const edges = await findEdges(study, dampings);
  const energy = await weighEnergy(study, limits);
  return {
    quick,
    hand: STUDY_HAND,
    limits,
    late,
    map,
    edges,
    energy,
    ledger: study.ledger,
    lateLedger: study.lateLedger,
  };
}

function openLedger(): OpenLedger {
  return { bound: BOUND, runs: 0, runsAbove: 0, mostGiven: 0, ledgerError: 0, worst: null };
}

async function findLimits(study: Study, rates: readonly number[], latencies: readonly number[]) {
  const rows: StabilityLimit[] = [];
  for (const method of STABILITY_METHODS) {
    for (const guard of ['bare', 'guarded'] as const) {
      for (const rateHz of rates) {
        for (const latency of latencies) {
          await study.report(`${method}, ${rateHz} Hz, ${guard}`);
          const studied = { method, guard, rateHz, latency, damping: STUDY_HAND.damping };
          rows.push({ method, guard, rateHz, latency, stiffness: largestStable(study, studied) });
        }
      }
    }
  }
  return rows;
}

/** In strides to the first that is not stable, then halves the gap, on a scale of ratios. */
function largestStable(study: Study, studied: Omit<StabilityCase, 'stiffness'>): number {
  const holds = (stiffness: number) => tryCase(study, { ...studied, stiffness }).stable;
  let stable = 0;
  let next = SOFTEST;
  while (next <= STIFFEST && holds(next)) {
    stable = next;
    next *= STRIDE;
  }
  if (next > STIFFEST) return Number.POSITIVE_INFINITY;
  return stable === 0 ? 0 : bisect(holds, stable, next, study.halvings, geometricMean)[0];
}

async function drawMap(study: Study, dampings: readonly number[], stiffnesses: readonly number[]): Promise<MapCell[]> {
  const cells: MapCell[] = [];
  for (const method of STABILITY_METHODS) {
    for (const damping of dampings) {
      await study.report(`map of ${method}, ${damping} N s/m`);
      for (const stiffness of stiffnesses) {
        const holds = (guard: Guard) =>
          tryCase(study, { method, guard, rateHz: 1000, latency: 0, damping, stiffness }).stable;
        cells.push({ method, damping, stiffness, bare: holds('bare'), guarded: holds('guarded') });
      }
    }
  }
  return cells;
}

async function findEdges(study: Study, dampings: readonly number[]): Promise<MapEdge[]> {
  const edges: MapEdge[] = [];
  for (const method of STABILITY_METHODS) {
    for (const damping of dampings) {
      await study.report(`limits of ${method}, ${damping} N s/m`);
      const limit = (guard: Guard) => largestStable(study, { method, guard, rateHz: 1000, latency: 0, damping });
      edges.push({ method, damping, bare: limit('bare'), guarded: limit('guarded') });
    }
  }
  return edges;
}

async function weighEnergy(study: Study, limits: readonly StabilityLimit[]): Promise<EnergyRow[]> {
  const rows: EnergyRow[] = [];
  for (const { method, rateHz, stiffness: limit } of limits.filter(({ guard }) => guard === 'bare')) {
    await study.report(`energy of ${method}, ${rateHz} Hz`);
    if (!(limit > 0 && Number.isFinite(limit))) continue;
    for (const timesLimit of TIMES_LIMIT) {
      const stiffness = timesLimit * limit;
      const given = (guard: Guard) =>
        tryCase(study, { method, guard, rateHz, latency: 0, damping: STUDY_HAND.damping, stiffness }).mostGiven;
      rows.push({ method, rateHz, timesLimit, stiffness, bare: given('bare'), guarded: given('guarded') });
    }
  }
  return rows;
}

function tryCase(study: Study, studied: StabilityCase): StabilityRun {
  const run = runStability(study.loaded, studied);
  const ledger = studied.latency > 0 ? study.lateLedger : study.ledger;
  if (studied.guard === 'guarded') {
    ledger.runs += 1;
    if (run.mostGiven > BOUND) ledger.runsAbove += 1;
    if (run.mostGiven > ledger.mostGiven) {
      ledger.mostGiven = run.mostGiven;
      ledger.worst = studied;
    }
    ledger.ledgerError = Math.max(ledger.ledgerError, Math.abs(run.ledgerPeak - run.mostGiven));
  }
  return run;
}
