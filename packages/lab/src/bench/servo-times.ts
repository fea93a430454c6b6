import { percentile } from '@palpable/cli/internal';
import type { LoopSamples } from '@palpable/engine';
import { type GarbageReport, type LoopHostName, type LoopName, MOTION_CYCLES } from './servo-loops.js';

export type Load = 'none' | 'one';

/** The times of one loop in one round. Times in microseconds, but those of collections. */
export interface LoopReport {
  readonly host: LoopHostName;
  readonly load: Load;
  readonly loop: LoopName;
  readonly cycles: number;
  readonly missed: number;
  /** Those among them in which the loop was still at work, rather than waiting, when they should have begun. */
  readonly missedAtWork: number;
  /** How late cycles began. */
  readonly late: Percentiles;
  /** How long they took, with whatever the machine did meanwhile. */
  readonly compute: Percentiles;
  /** The method's part of that. */
  readonly method: Percentiles;
  /**
   * The same without the machine: the hand's motion repeats itself, and every part of it counts with the least that it
   * took in all repetitions.
   */
  readonly ownCompute: Percentiles;
  readonly collections: number;
  /** By the clock, so that what the machine did meanwhile is in them: mostly in the longest. 0 without any. */
  readonly medianCollectionMs: number;
  readonly longestCollectionMs: number;
  /** Growth of the heap, bytes; null where it is not known. */
  readonly bytesPerCycle: number | null;
  /** How late one cycle in so many began, for the plot. */
  readonly lateCurve: readonly (readonly [oneIn: number, us: number])[];
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export function reportLoop(
  name: Pick<LoopReport, 'host' | 'load' | 'loop'>,
  turns: readonly LoopSamples[],
  garbage: GarbageReport,
  stepUs: number,
): LoopReport {
  const late = sortAll(turns, 'lateUs');
  const cycles = late.length;
  const { collectionsMs, bytesPerTurn } = garbage;
  return {
    ...name,
    cycles,
    missed: total(turns.flatMap(({ missed }) => missed)),
    missedAtWork: total(turns.map((turn) => countMissedAtWork(turn, stepUs))),
    late: percentilesOf(late),
    compute: percentilesOf(sortAll(turns, 'cycleUs')),
    method: percentilesOf(sortAll(turns, 'methodUs')),
    ownCompute: percentilesOf(leastOfRepetitions(turns).sort()),
    collections: collectionsMs.length,
    medianCollectionMs: collectionsMs.length === 0 ? 0 : percentile(collectionsMs, 50),
    longestCollectionMs: Math.max(0, ...collectionsMs),
    bytesPerCycle: bytesPerTurn === null ? null : (bytesPerTurn * turns.length) / cycles,
    lateCurve: curveOf(late),
  };
}

/**
 * Cycles that were missed because the work of the last one ended after they should have begun. It may have been long, or
 * have been held up; in all others the loop waited, and was not woken.
 */
export function countMissedAtWork({ missed, lateUs, cycleUs }: LoopSamples, stepUs: number): number {
  let count = 0;
  for (let k = 1; k < missed.length; k += 1) {
    if (missed[k] === 0) continue;
    const lateInStep = lateUs[k - 1]! - missed[k - 1]! * stepUs;
    const stepsAtWork = Math.floor((lateInStep + cycleUs[k - 1]!) / stepUs);
    count += Math.min(missed[k]!, Math.max(0, stepsAtWork - 1));
  }
  return count;
}

/** By place in the motion; unsorted. */
export function leastOfRepetitions(turns: readonly LoopSamples[]): Float64Array {
  const least = new Float64Array(MOTION_CYCLES).fill(Number.POSITIVE_INFINITY);
  for (const { cycle, cycleUs } of turns) {
    for (const [k, number] of cycle.entries()) {
      const place = number % MOTION_CYCLES;
      least[place] = Math.min(least[place]!, cycleUs[k]!);
    }
  }
  return least.filter(Number.isFinite);
}

function sortAll(turns: readonly LoopSamples[], name: keyof LoopSamples): Float64Array {
  return Float64Array.from(turns.flatMap((turn) => turn[name])).sort();
}

function percentilesOf(sorted: Float64Array): Percentiles {
  return { p50: at(sorted, 0.5), p99: at(sorted, 0.99), p999: at(sorted, 0.999), max: at(sorted, 1) };
}

/** By the nearest rank. */
function at(sorted: Float64Array, part: number): number {
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN;
}

/** From one in two to the latest of all, three points each time that cycles get ten times rarer. */
function curveOf(sorted: Float64Array): [number, number][] {
  const curve: [number, number][] = [];
  for (let exponent = 1; 10 ** (exponent / 3) < sorted.length; exponent += 1) {
    const oneIn = 10 ** (exponent / 3);
    curve.push([oneIn, at(sorted, 1 - 1 / oneIn)]);
  }
  if (sorted.length > 0) curve.push([sorted.length, at(sorted, 1)]);
  return curve;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
