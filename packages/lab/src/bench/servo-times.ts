import { type LoopSamples, percentile } from '@palpable/engine/advanced';
import { sum } from '../play/statistics.js';
import type { GarbageReport, LoopHostName, LoopName } from './servo-loops.js';

export type Load = 'none' | 'one';

/** The times of one loop in one round. Times in microseconds, but those of collections. */
export type LoopReport = ReturnType<typeof reportLoop>;

export type Percentiles = ReturnType<typeof percentilesOf>;

export function reportLoop(
  name: { readonly host: LoopHostName; readonly load: Load; readonly loop: LoopName },
  turns: readonly LoopSamples[],
  garbage: GarbageReport,
  { stepUs, motionCycles }: { readonly stepUs: number; readonly motionCycles: number },
) {
  const late = gather(turns, 'lateUs');
  const cycles = late.length;
  const { collectionsMs, bytesPerTurn } = garbage;
  return {
    ...name,
    cycles,
    missed: sum(turns.flatMap(({ missed }) => missed)),
    /** Those among them in which the loop was still at work, rather than waiting, when they should have begun. */
    missedAtWork: sum(turns.map((turn) => countMissedAtWork(turn, stepUs))),
    /** How late cycles began. */
    late: percentilesOf(late),
    /** How long they took, with whatever the machine did meanwhile. */
    compute: percentilesOf(gather(turns, 'cycleUs')),
    /** The method's part of that. */
    method: percentilesOf(gather(turns, 'methodUs')),
    /**
     * The same without the machine: the hand's motion repeats itself, and every part of it counts with the least that it
     * took in all repetitions.
     */
    ownCompute: percentilesOf(leastOfRepetitions(turns, motionCycles)),
    collections: collectionsMs.length,
    /** By the clock, so that what the machine did meanwhile is in them: mostly in the longest. 0 without any. */
    medianCollectionMs: collectionsMs.length === 0 ? 0 : percentile(collectionsMs, 50),
    longestCollectionMs: Math.max(0, ...collectionsMs),
    /** Growth of the heap, bytes; null where it is not known. */
    bytesPerCycle: bytesPerTurn === null ? null : (bytesPerTurn * turns.length) / cycles,
    /** How late one cycle in so many began, for the plot. */
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

/** By place in the motion. */
export function leastOfRepetitions(turns: readonly LoopSamples[], motionCycles: number): Float64Array {
  const least = new Float64Array(motionCycles).fill(Number.POSITIVE_INFINITY);
  for (const { cycle, cycleUs } of turns) {
    for (const [k, number] of cycle.entries()) {
      const place = number % motionCycles;
      least[place] = Math.min(least[place]!, cycleUs[k]!);
    }
  }
  return least.filter(Number.isFinite);
}

function gather(turns: readonly LoopSamples[], name: keyof LoopSamples): Float64Array {
  return Float64Array.from(turns.flatMap((turn) => turn[name]));
}

function percentilesOf(values: Float64Array) {
  const at = (p: number) => percentile(values, p);
  return { p50: at(50), p99: at(99), p999: at(99.9), max: at(100) };
}

/** From one in two to the latest of all, three points each time that cycles get ten times rarer. */
function curveOf(values: Float64Array): [number, number][] {
  const curve: [number, number][] = [];
  for (let exponent = 1; 10 ** (exponent / 3) < values.length; exponent += 1) {
    const oneIn = 10 ** (exponent / 3);
    curve.push([oneIn, percentile(values, 100 * (1 - 1 / oneIn))]);
  }
  if (values.length > 0) curve.push([values.length, percentile(values, 100)]);
  return curve;
}
