import { type ProgressListener, percentile } from '@palpable/engine';
import type { Recording } from '../play/play.js';
import { fitLine } from '../play/statistics.js';
import { type RecordedMotion, recordMotion, recordProblems, timeCycles } from './friction-cycle.js';
import { createCornerMotion } from './friction-motion.js';
import { loadCorner, POINTS_OF_PAPER } from './friction-scene.js';
import { timeSolves } from './friction-solve.js';

/** What the number of contacts costs: the same motion over shells of more and more points. */
export type GrowthReport = Awaited<ReturnType<typeof measureGrowth>>;

export interface GrowthRow {
  readonly points: number;
  readonly contacts: number;
  /** Microseconds, p50. */
  readonly cone: number;
  readonly quadratic: number;
  readonly cycle: number;
}

/** time = base + perContact · contacts, and time ∝ contacts^exponent from 100 contacts on. */
export type GrowthFit = ReturnType<typeof fit>;

const TARGETS = [10, 20, 50, 100, 200, 500, 1000];
const CONTACTS_OF_PAPER = 98;
const CYCLES = 1000;
/** Cycles whose problems are kept: press, push and pull in the corner. */
const FIRST_KEPT = 100;
const KEPT = 300;

export async function measureGrowth(largest: number, seed: number, onProgress: ProgressListener) {
  const motion = createCornerMotion(CYCLES, seed);
  const targets = TARGETS.filter((target) => target <= largest);
  const rows: GrowthRow[] = [];
  for (const [index, target] of targets.entries()) {
    onProgress(`${target} contacts`, index / targets.length);
    const points = Math.round((target / CONTACTS_OF_PAPER) * POINTS_OF_PAPER);
    const corner = await loadCorner(points, (stage) => onProgress(stage, index / targets.length));
    const recorded = recordMotion(corner, motion);
    const problems = recordProblems(corner, motion, FIRST_KEPT, KEPT);
    const solve = (model: 'cone' | 'quadratic') => percentile(timeSolves({ model }, problems).microseconds, 50);
    rows.push({
      points,
      contacts: recorded.typicalContacts,
      cone: solve('cone'),
      quadratic: solve('quadratic'),
      cycle: typicalCycle(timeCycles(corner, motion), recorded),
    });
  }
  return { rows, fits: (['cone', 'quadratic', 'cycle'] as const).map((name) => fit(name, rows)) };
}

/** p50 of the cycles in which the cube touches all three faces. */
function typicalCycle({ column }: Recording, { contacts, typicalContacts }: RecordedMotion): number {
  return percentile(
    column.us_total.filter((_, cycle) => contacts[cycle] >= 0.9 * typicalContacts),
    50,
  );
}

function fit(name: 'cone' | 'quadratic' | 'cycle', rows: readonly GrowthRow[]) {
  const points = rows.map((row) => [row.contacts, row[name]] as const);
  const line = fitLine(points);
  const logarithms = points.filter(([x]) => x >= 0.9 * 100).map(([x, y]) => [Math.log(x), Math.log(y)] as const);
  return {
    name,
    baseUs: line.intercept,
    perContactUs: line.slope,
    rSquared: line.rSquared,
    /** Null with fewer than two sizes of at least 100 contacts. */
    exponent: logarithms.length > 1 ? fitLine(logarithms).slope : null,
  };
}
