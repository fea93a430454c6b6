import type { ConeProblem } from '@palpable/engine';
import { mean } from '../../play/statistics.js';

/* How strongly contacts of the table act on each other through W, by leg; contacts are sorted by leg, as many of each. */

/** Normal, t₁ and t₂, which are x and y on the floor, with the colours of the paper's figures. */
export const PANELS = [
  { label: 'normal', colour: '#c00000' },
  { label: 'along x', colour: '#0047ab' },
  { label: 'along y', colour: '#007a33' },
] as const;

/** Of each direction. */
export type Coupling = ReturnType<typeof couplingOf>;

export function couplingOf(problem: ConeProblem, perLeg: number) {
  const axes = [0, 1, 2];
  const between = (axis: number, counts: (first: number, second: number) => boolean) => {
    const shares: number[] = [];
    for (let a = 0; a < problem.count; a += 1) {
      for (let b = 0; b < problem.count; b += 1) {
        if (a === b || !counts(Math.floor(a / perLeg), Math.floor(b / perLeg))) continue;
        const own = Math.sqrt(entry(problem, axis, a, a) * entry(problem, axis, b, b));
        shares.push(Math.abs(entry(problem, axis, a, b)) / own);
      }
    }
    return mean(shares);
  };
  const areJoined = (a: number, b: number) => a !== b && a >> 1 === b >> 1;
  return {
    /** Mean of W_αα, m/N. */
    own: axes.map((axis) => mean(Array.from({ length: problem.count }, (_, a) => entry(problem, axis, a, a)))),
    /** Means of |W_αβ| / √(W_αα W_ββ): how much of a contact's motion another one shares. */
    sameLeg: axes.map((axis) => between(axis, (a, b) => a === b)),
    /** Of the two legs that differ in x alone, which is where the stretchers are. */
    alongX: axes.map((axis) => between(axis, areJoined)),
    others: axes.map((axis) => between(axis, (a, b) => a >> 1 !== b >> 1)),
  };
}

/** |W| of all pairs along one direction, the largest being 1. */
export function panelValues(problem: ConeProblem, axis: number): Float64Array {
  const { count } = problem;
  const values = new Float64Array(count * count);
  for (let a = 0; a < count; a += 1) {
    for (let b = 0; b < count; b += 1) values[a * count + b] = Math.abs(entry(problem, axis, a, b));
  }
  const most = values.reduce((largest, value) => Math.max(largest, value), 0);
  return most > 0 ? values.map((value) => value / most) : values;
}

/** Of the dense pattern. */
function entry({ blocks, count }: ConeProblem, axis: number, a: number, b: number): number {
  return blocks[9 * (a * count + b) + 4 * axis]!;
}
