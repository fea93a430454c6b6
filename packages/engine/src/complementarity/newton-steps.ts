import { evaluateContacts, writeContactScales } from './alart-curnier.js';
import { type ConeProblem, writeContactMotion } from './cone-problem.js';
import { solveDenseBlocks } from './dense-elimination.js';
import { BLOCK_STRIDE } from './one-contact.js';

/**
 * Newton steps on the equations of Alart and Curnier for a cycle that sweeps alone would not finish: contacts that share
 * one soft mode, as those on a branch that bends, move each other nearly as far as themselves, and Gauss–Seidel then
 * takes hundreds of sweeps to share the load out.
 *
 * Only contacts that press, x_N > 0, are unknowns; the forces of all others go to zero. ε/ρ is added to W around the
 * present forces, which changes no solution, and gives a shortest step where contacts do each other's work. A step is
 * halved until |F|² is below the largest of the last few. Forces may leave their cones on the way: a sweep over all
 * contacts is to follow.
 */
export interface NewtonSteps {
  /** From `forces`, at most `most` steps. Never throws, never allocates. */
  run(forces: Float64Array, problem: ConeProblem, most: number): void;
  /** Of the last run. */
  readonly steps: number;
  /** Whether it came to rest: what is left of F moves no contact further than a part of the tolerance. */
  readonly solved: boolean;
}

/** ε: less, and steps are cut short more often; more, and there are more of them. */
const REGULARISATION = 3e-3;
/** How many values of |F|² a step may be measured against, and the part of the promised fall which it must keep. */
const MEMORY = 10;
const SUFFICIENT_FALL = 1e-4;
const SHORTEST_STEP = 1e-4;
/** Of one run: where more are needed, sweeps lead elsewhere sooner. */
const MOST_STEPS = 15;
/** Part of the tolerance at which a run ends. */
const REST = 0.1;

interface Workspace {
  readonly scales: Float64Array;
  /** u at the forces, and its change along the step. */
  readonly motion: Float64Array;
  readonly moved: Float64Array;
  readonly step: Float64Array;
  readonly trial: Float64Array;
  readonly trialMotion: Float64Array;
  readonly values: Float64Array;
  readonly slopes: Float64Array;
  /** Contacts that press. */
  readonly pressing: Int32Array;
  /** By contact: its place among them, or −1. */
  readonly places: Int32Array;
  /** Of their unknowns. */
  readonly matrix: Float64Array;
  readonly right: Float64Array;
  /** |F|² of the last look, and of the last few steps. */
  readonly size: Float64Array;
  readonly history: Float64Array;
  readonly tolerance: Float64Array;
  count: number;
}

/** For problems of at most `capacity` contacts; `tolerance` in the units of u. */
export function createNewtonSteps(capacity: number, tolerance: number): NewtonSteps {
  const vector = () => new Float64Array(3 * capacity);
  const work: Workspace = {
    scales: new Float64Array(2 * capacity),
    motion: vector(),
    moved: vector(),
    step: vector(),
    trial: vector(),
    trialMotion: vector(),
    values: vector(),
    slopes: new Float64Array(BLOCK_STRIDE * capacity),
    pressing: new Int32Array(capacity),
    places: new Int32Array(capacity),
    matrix: new Float64Array(BLOCK_STRIDE * capacity * capacity),
    right: vector(),
    size: new Float64Array(1),
    history: new Float64Array(MEMORY),
    tolerance: Float64Array.of(REST * tolerance),
    count: 0,
  };
  const newton = {
    steps: 0,
    solved: false,
    run(forces: Float64Array, problem: ConeProblem, most: number): void {
      newton.steps = 0;
      newton.solved = false;
      const { history, motion, scales, size, slopes, values } = work;
      history.fill(0);
      writeContactScales(scales, problem);
      writeContactMotion(motion, problem, forces);
      evaluateContacts(size, values, slopes, problem, forces, motion, scales);
      while (newton.steps < most && newton.steps < MOST_STEPS) {
        newton.solved = isAtRest(work, problem);
        if (newton.solved) return;
        history[newton.steps % MEMORY] = size[0];
        newton.steps += 1;
        if (!findStep(work, forces, problem) || !takeStep(work, forces, problem)) return;
      }
      newton.solved = isAtRest(work, problem);
    },
  };
  return newton;
}

function isAtRest({ tolerance, values }: Workspace, { blocks, count, diagonal }: ConeProblem): boolean {
  for (let i = 0; i < count; i += 1) {
    const n = values[3 * i];
    const t = values[3 * i + 1];
    const s = values[3 * i + 2];
    const compliance = Math.max(0, blocks[BLOCK_STRIDE * diagonal[i]]);
    if (!(compliance * Math.sqrt(n * n + t * t + s * s) <= tolerance[0])) return false;
  }
  return true;
}

/** Solves J Δr = −F; false where no step can be had. Contacts that do not press let go. */
function findStep(work: Workspace, forces: Float64Array, problem: ConeProblem): boolean {
  const { matrix, places, pressing, right, slopes, step } = work;
  work.count = 0;
  for (let i = 0; i < problem.count; i += 1) {
    for (let k = 0; k < 3; k += 1) step[3 * i + k] = 0;
    const presses = slopes[BLOCK_STRIDE * i] > 0;
    places[i] = presses ? work.count : -1;
    if (presses) {
      pressing[work.count] = i;
      work.count += 1;
    } else for (let k = 0; k < 3; k += 1) step[3 * i + k] = -forces[3 * i + k];
  }
  writeSystem(work, problem);
  if (!solveDenseBlocks(right, matrix, work.count)) return false;
  for (let a = 0; a < work.count; a += 1) {
    for (let k = 0; k < 3; k += 1) step[3 * pressing[a] + k] = right[3 * a + k];
  }
  return true;
}

/** Rows of J = I − D + D (ρ W + ε) for the contacts that press, and −F less what letting go of the others brings. */
function writeSystem(work: Workspace, problem: ConeProblem): void {
  const { count, matrix, places, pressing, right, slopes, step, values } = work;
  const { blocks, rowStart, column } = problem;
  matrix.fill(0, 0, 9 * count * count);
  for (let a = 0; a < count; a += 1) {
    const i = pressing[a];
    for (let k = 0; k < 3; k += 1) right[3 * a + k] = -values[3 * i + k];
    for (let block = rowStart[i]; block < rowStart[i + 1]; block += 1) {
      const j = column[block];
      const place = places[j];
      if (place >= 0) addBlock(work, blocks, block, a, place);
      else if (step[3 * j] !== 0 || step[3 * j + 1] !== 0 || step[3 * j + 2] !== 0) {
        dropBlock(work, blocks, block, a, j);
      }
    }
    const d = BLOCK_STRIDE * i;
    for (let k = 0; k < 3; k += 1) {
      const at = 3 * count * (3 * a + k) + 3 * a;
      for (let l = 0; l < 3; l += 1) matrix[at + l] += (REGULARISATION - 1) * slopes[d + 3 * k + l];
      matrix[at + k] += 1;
    }
  }
}

function addBlock(work: Workspace, blocks: Float64Array, block: number, a: number, b: number): void {
  const { count, matrix, pressing, scales, slopes } = work;
  const i = pressing[a];
  const w = BLOCK_STRIDE * block;
  for (let k = 0; k < 3; k += 1) {
    const d = BLOCK_STRIDE * i + 3 * k;
    const n = slopes[d] * scales[2 * i];
    const t = slopes[d + 1] * scales[2 * i + 1];
    const s = slopes[d + 2] * scales[2 * i + 1];
    const at = 3 * count * (3 * a + k) + 3 * b;
    for (let l = 0; l < 3; l += 1) {
      matrix[at + l] = n * blocks[w + l] + t * blocks[w + 3 + l] + s * blocks[w + 6 + l];
    }
  }
}

function dropBlock(work: Workspace, blocks: Float64Array, block: number, a: number, j: number): void {
  const { pressing, right, scales, slopes, step } = work;
  const i = pressing[a];
  const w = BLOCK_STRIDE * block;
  const f = 3 * j;
  const un = blocks[w] * step[f] + blocks[w + 1] * step[f + 1] + blocks[w + 2] * step[f + 2];
  const ut = blocks[w + 3] * step[f] + blocks[w + 4] * step[f + 1] + blocks[w + 5] * step[f + 2];
  const us = blocks[w + 6] * step[f] + blocks[w + 7] * step[f + 1] + blocks[w + 8] * step[f + 2];
  for (let k = 0; k < 3; k += 1) {
    const d = BLOCK_STRIDE * i + 3 * k;
    right[3 * a + k] -= slopes[d] * scales[2 * i] * un + (slopes[d + 1] * ut + slopes[d + 2] * us) * scales[2 * i + 1];
  }
}

/** Goes along the step as far as |F|² falls; false if even the shortest does not let it. */
function takeStep(work: Workspace, forces: Float64Array, problem: ConeProblem): boolean {
  const { history, moved, motion, scales, size, slopes, step, trial, trialMotion, values } = work;
  const n = 3 * problem.count;
  let worst = 0;
  for (let k = 0; k < MEMORY; k += 1) worst = Math.max(worst, history[k]);
  for (let i = 0; i < n; i += 1) trial[i] = forces[i] + step[i];
  writeContactMotion(moved, problem, trial);
  for (let i = 0; i < n; i += 1) moved[i] -= motion[i];
  for (let length = 1; length > SHORTEST_STEP; length *= 0.5) {
    for (let i = 0; i < n; i += 1) {
      trial[i] = forces[i] + length * step[i];
      trialMotion[i] = motion[i] + length * moved[i];
    }
    evaluateContacts(size, values, slopes, problem, trial, trialMotion, scales);
    if (!(size[0] <= (1 - SUFFICIENT_FALL * length) * worst)) continue;
    for (let i = 0; i < n; i += 1) {
      forces[i] = trial[i];
      motion[i] = trialMotion[i];
    }
    return true;
  }
  return false;
}
