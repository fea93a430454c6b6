import type { LoadedScene } from '../play/load-scene.js';
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

/**
 * How stiff each method may be before the simulated hand feels it buzz, and how much energy the hand then gets.
 * `late`: The same at 1 kHz with a force that comes late. `edges`: Largest stable stiffness for each damping of the
 * map. `lateLedger`: Of the runs with a late force, of whose lateness the account in the loop knows nothing.
 */
export type StabilityReport = Awaited<ReturnType<typeof benchStability>>;

export interface StabilityLimit {
  readonly method: StabilityMethod;
  readonly guard: Guard;
  readonly rateHz: number;
  readonly latency: number;
  /** Largest stable stiffness, N/m; 0 when the softest was not, infinite when the stiffest was. */
  readonly stiffness: number;
}

export interface MapCell {
  readonly method: StabilityMethod;
  readonly damping: number;
  readonly stiffness: number;
  readonly bare: boolean;
  readonly guarded: boolean;
}

export interface MapEdge {
  readonly method: StabilityMethod;
  readonly damping: number;
  readonly bare: number;
  readonly guarded: number;
}

/** The most that the hand was given, J, at a multiple of the largest stiffness that is stable without a guard. */
export interface EnergyRow {
  readonly method: StabilityMethod;
  readonly rateHz: number;
  readonly timesLimit: number;
  readonly stiffness: number;
  readonly bare: number;
  readonly guarded: number;
}

/** Over the runs with the passivity controller. */
export interface LedgerSummary {
  readonly bound: number;
  readonly runs: number;
  readonly runsAbove: number;
  /** By the simulation; and how far the account in the loop was from it at most, J. */
  readonly mostGiven: number;
  readonly ledgerError: number;
  /** Of the run with most. */
  readonly worst: StabilityCase | null;
}

export interface StabilityOptions {
  /** Fewer rates, a coarser map, rougher limits. */
  readonly quick: boolean;
  readonly onProgress: (stage: string, fraction: number) => void;
}

/** J: architecture, "passive means". */
const BOUND = 1e-3;
const SOFTEST = 500;
/** From one stiffness to the next while the first unstable one is looked for. */
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
  readonly tell: (stage: string) => Promise<void>;
  readonly ledger: OpenLedger;
  readonly lateLedger: OpenLedger;
}

type OpenLedger = { -readonly [name in keyof LedgerSummary]: LedgerSummary[name] };

export async function benchStability({ quick, onProgress }: StabilityOptions) {
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
    tell: async (name) => {
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
  return { hand: STUDY_HAND, limits, late, map, edges, energy, ledger: study.ledger, lateLedger: study.lateLedger };
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
          await study.tell(`${method}, ${rateHz} Hz, ${guard}`);
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
  for (let halving = 0; stable > 0 && halving < study.halvings; halving += 1) {
    const middle = Math.sqrt(stable * next);
    if (holds(middle)) stable = middle;
    else next = middle;
  }
  return stable;
}

async function drawMap(study: Study, dampings: readonly number[], stiffnesses: readonly number[]): Promise<MapCell[]> {
  const cells: MapCell[] = [];
  for (const method of STABILITY_METHODS) {
    for (const damping of dampings) {
      await study.tell(`map of ${method}, ${damping} N s/m`);
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
      await study.tell(`limits of ${method}, ${damping} N s/m`);
      const limit = (guard: Guard) => largestStable(study, { method, guard, rateHz: 1000, latency: 0, damping });
      edges.push({ method, damping, bare: limit('bare'), guarded: limit('guarded') });
    }
  }
  return edges;
}

async function weighEnergy(study: Study, limits: readonly StabilityLimit[]): Promise<EnergyRow[]> {
  const rows: EnergyRow[] = [];
  for (const { method, rateHz, stiffness: limit } of limits.filter(({ guard }) => guard === 'bare')) {
    await study.tell(`energy of ${method}, ${rateHz} Hz`);
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
