import { formatTable, type Row } from '@palpable/cli/internal';
import type { ProgressListener } from '@palpable/engine/advanced';
import { rounded } from '../play/statistics.js';
import { benchCommand } from './bench-command.js';
import { PHYSICS_METHODS } from './physics-rig.js';
import { isWithin, type Measured, PHYSICS_TESTS } from './physics-tests.js';

export const benchPhysicsCommand = benchCommand({
  usage: 'physics',
  summary:
    'every method against formulas: friction on slopes, circles and grooves, thin plates, curved surfaces, corners',
  examples: ['palpable bench physics --quick', 'palpable bench physics --json'],
  options: (command) => command.option('--quick', 'the default method only, in one orientation'),
  measure: benchPhysics,
  lines: ({ results, missed }) => [
    'A block of 60 × 60 × 30 mm, μ = 0.5, pressed by 5 N through a coupling of 1 kN/m and 5 N m/rad; shells of 600',
    'points, fields of 128 voxels. The worst of several shells and orientations. * is beyond what the default method is held to.',
    '',
    formatTable(tableOf(results)),
    '',
    missed === 0
      ? `${PHYSICS_METHODS[0]!.name}: within all tolerances.`
      : `${PHYSICS_METHODS[0]!.name}: ${missed} beyond their tolerance.`,
  ],
  hasFailed: ({ missed }) => missed > 0,
});

/** Of one method: the worst of all variants. */
interface MethodResult {
  readonly method: string;
  readonly seeds: number;
  readonly measured: readonly Measured[];
}

/** The first method, which is held to the tolerances, is tried in more orientations than the others. */
const SEEDS = 10;
const SEEDS_OF_OTHERS = 2;

async function benchPhysics({ quick = false }: { readonly quick?: boolean }, onProgress: ProgressListener) {
  const methods = quick ? PHYSICS_METHODS.slice(0, 1) : PHYSICS_METHODS;
  const results: MethodResult[] = [];
  for (const [place, method] of methods.entries()) {
    const seeds = quick ? [1] : Array.from({ length: place === 0 ? SEEDS : SEEDS_OF_OTHERS }, (_, seed) => seed);
    const worst: Measured[] = [];
    for (const [index, test] of PHYSICS_TESTS.entries()) {
      onProgress(method.name, index / PHYSICS_TESTS.length);
      const variants: (readonly Measured[])[] = [];
      for (const seed of seeds) variants.push(await test(method, { seed }));
      worst.push(...variants[0]!.map((_, k) => worstOf(variants.map((variant) => variant[k]!))));
    }
    results.push({ method: method.name, seeds: seeds.length, measured: worst });
  }
  return { results, missed: results[0]!.measured.filter((each) => !isWithin(each)).length };
}

const off = ({ value, truth }: Measured) =>
  Number.isFinite(value) ? Math.abs(value - truth) : Number.POSITIVE_INFINITY;

function worstOf(all: readonly Measured[]): Measured {
  return all.reduce((worst, each) => (off(each) > off(worst) ? each : worst));
}

function tableOf(results: readonly MethodResult[]): Row[] {
  return results[0]!.measured.map(({ name, unit, truth, tolerance }, k) => ({
    test: name,
    unit,
    truth,
    tolerance: `± ${rounded(tolerance)}`,
    ...Object.fromEntries(
      results.map(({ method, measured }) => [
        method,
        `${rounded(measured[k]!.value)}${isWithin(measured[k]!) ? '' : ' *'}`,
      ]),
    ),
  }));
}
