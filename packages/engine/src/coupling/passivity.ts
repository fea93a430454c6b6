import { PalpableError } from '../base/errors.js';

/**
 * Passivity observer and controller in the time domain (after Hannaford and Ryu, 2002), in six degrees of freedom.
 *
 * A hand that explores things at rest can get no more energy out of them than it put in, plus what their weight gives.
 * A sampled loop breaks this: the force of one instant is held for a whole cycle. The observer adds up the work that was
 * really done on the hand, from the wrench that was written and the device's displacement after it:
 *
 *     E ← E + (w − G) · Δ           w = (force, torque) written in the last cycle, Δ = (translation, rotation vector)
 *
 * with the tool's weight G as it was rendered. A constant force feeds no oscillation, so what it gives is not counted,
 * and the controller leaves it alone. The displacement is that of the hand: the tool follows a cycle late, and by then a fast hand
 * would be in debt for a weight that it is only lowering. Four things then keep E below its bound:
 *
 * 1. Damping. The controller expects the device to go on as it goes. When this would lift E above a first threshold, it
 *    takes force and torque, each for itself, against their motion by just as much, up to a largest damping:
 *    F ← F − α Δx / T and τ ← τ − α L² Δθ / T. A torque that is expected to take energy is no reason to let the force
 *    give some: a fast oscillation of either has reversed by then.
 * 2. Where that damping does not do, all that is left along the motion is taken away, so that nothing more is given.
 * 3. An oscillation of a few cycles' period is too fast for any prediction. When E passes a second threshold all the
 *    same, the whole wrench is halved, in every cycle until E comes down: a loop of less gain is slower, and at last
 *    stable. The gain comes back within a fraction of a second once the hand has paid its debt.
 *
 * 4. Before all that, no wrench may be so large that at the present pace it could do more work than the balance has room
 *    for, wherever the device goes, until it can be taken back at the rate of the device; nor by what it moves the
 *    device itself within a cycle, w T²/2m. Where a hand pushes, the room grows faster than the wrench.
 *
 * A hand that rubs for minutes puts much in that never comes back. It must not be a credit for a later instability, so
 * the balance that the controller uses is never lower than what the coupling can hold.
 *
 * Limit cases: Δ = 0: nothing is changed. Bound 0: no spring could ever give back anything through rounding; refused.
 */
export interface PassivityOptions {
  /** The most that the hand may get beyond what it gave, J. Too low, and the end of every push feels damped. */
  readonly bound: number;
  /** The most that the coupling can hold and may give back, J; infinite: no credit is ever forgotten. */
  readonly stored: number;
  /** Largest damping that the device can show without buzzing, N s/m. */
  readonly maxDamping: number;
  /** Of the loop, s. */
  readonly timeStep: number;
  /** L, m: how much a rotation counts against a translation. The size of the tool is a good choice. */
  readonly length: number;
  /** How much the force may change from one cycle to the next, N: a large one takes cycles to take back. */
  readonly forceStep: number;
  /** The same of the torque, N m. */
  readonly torqueStep: number;
  /**
   * The least that a device can weigh at its handle, kg: a lighter one is moved further by its own force than is
   * allowed for. Too low, and the first contact after a long rest is softened.
   */
  readonly mass: number;
}

/**
 * Passivity options where none are given: a bound of 1 mJ at 1000 cycles a second, no limit on what is stored or on
 * steps.
 */
export const DEFAULT_PASSIVITY: PassivityOptions = {
  bound: 1e-3,
  stored: Number.POSITIVE_INFINITY,
  maxDamping: 20,
  timeStep: 0.001,
  length: 0.05,
  forceStep: Number.POSITIVE_INFINITY,
  torqueStep: Number.POSITIVE_INFINITY,
  mass: 0.05,
};

export interface Passivity {
  readonly options: PassivityOptions;
  /** As in the options, unless the coupling has changed since. */
  stored: number;
  /** Places `LEDGER_…`. */
  readonly ledger: Float64Array;
  /** How far the device went in the last cycle (m), and how far it rotated (rad). */
  readonly pace: Float64Array;
  /** Products of wrench and motion in the present cycle, places `DOT_…`: a number that one function gives another is
   * allocated, unless it is left in an array. */
  readonly dots: Float64Array;
}

/** E: energy given to the hand since the start, J. Never above the bound, if the controller did its work. */
export const LEDGER_ENERGY = 0;
/** What the controller uses: E (J), but never further below zero than what may be stored. */
export const LEDGER_BALANCE = 1;
/** Place in the ledger of a servo's passivity: the largest E so far, J. */
export const LEDGER_PEAK = 2;
/** α of the last cycle, N s/m. */
export const LEDGER_DAMPING = 3;
/** Energy that the controller kept from the hand so far, J. */
export const LEDGER_WITHHELD = 4;

/** What the wrench is multiplied by; 1 unless the loop oscillates. */
const LEDGER_GAIN = 5;

/** Of translation, and one place further of rotation: wrench by motion, and both by themselves. */
const DOT_WORK = 0;
const DOT_MOTION = 2;
const DOT_WRENCH = 4;

/** Parts of the bound: above them the wrench is damped, and halved. */
const DAMP_ABOVE = 0.25;
const HALVE_ABOVE = 0.4;
const LEAST_GAIN = 1 / 1024;
/** The next cycle may be so much faster than the last two. */
const FASTER = 3;
/** Part of the bound: without it a hand could never pay its debt, since nothing would resist it. */
const LEAST_ROOM = 0.05;
/** Seconds in which the gain doubles while it returns. */
const RECOVERY = 0.05;

export function createPassivity(options: Partial<PassivityOptions> = {}): Passivity {
  const all = { ...DEFAULT_PASSIVITY, ...options };
  if (!(all.bound > 0)) {
    throw new PalpableError('option-invalid', `passivity.bound is ${all.bound}, but must be above 0 (J).`, 'bound');
  }
  const ledger = new Float64Array(6);
  ledger[LEDGER_GAIN] = 1;
  return { options: all, stored: all.stored, ledger, pace: new Float64Array(2), dots: new Float64Array(6) };
}

/** Books the last cycle: what `written` did along `motion` beyond the `weight` of the tool, three numbers. */
export function observeEnergy(
  { stored, ledger }: Passivity,
  written: Float64Array,
  motion: Float64Array,
  weight: Float64Array,
): void {
  let work = 0;
  for (let k = 0; k < 3; k += 1) work += (written[k] - weight[k]) * motion[k];
  for (let k = 3; k < 6; k += 1) work += written[k] * motion[k];
  // One number that is not finite would end the account, and the controller with it, for good.
  if (work - work !== 0) return;
  ledger[LEDGER_ENERGY] += work;
  ledger[LEDGER_BALANCE] = Math.max(ledger[LEDGER_BALANCE] + work, -stored);
  ledger[LEDGER_PEAK] = Math.max(ledger[LEDGER_PEAK], ledger[LEDGER_ENERGY]);
}

/** Changes `wrench` so that the next cycle, should it go like the last, keeps the balance. True if it did. */
export function keepPassive(passivity: Passivity, wrench: Float64Array, motion: Float64Array): boolean {
  const { options, ledger, dots } = passivity;
  const { bound, length, maxDamping, timeStep } = options;
  updateGain(passivity);
  multiply(dots, wrench, motion);
  const scale = Math.min(ledger[LEDGER_GAIN], roomFor(passivity));
  for (let k = 0; k < 6; k += 1) wrench[k] *= scale;
  ledger[LEDGER_DAMPING] = 0;
  const work = scale * dots[DOT_WORK];
  const rotationWork = scale * dots[DOT_WORK + 1];
  const given = Math.max(0, work) + Math.max(0, rotationWork);
  const excess = ledger[LEDGER_BALANCE] + given - DAMP_ABOVE * bound;
  if (excess > 0) {
    const square = dots[DOT_MOTION];
    const rotationSquare = length * length * dots[DOT_MOTION + 1];
    // As much as is needed; no more than the damping allows, unless it only takes away what would be given.
    const most = (maxDamping * (square + rotationSquare)) / timeStep;
    const part = Math.min(1, excess / Math.max(most, given, Number.MIN_VALUE));
    dots[DOT_WORK] = part * Math.max((maxDamping * square) / timeStep, work);
    dots[DOT_WORK + 1] = part * Math.max((maxDamping * rotationSquare) / timeStep, rotationWork);
    damp(passivity, wrench, motion, 0);
    damp(passivity, wrench, motion, 1);
  }
  return ledger[LEDGER_DAMPING] > 0 || scale < 1;
}

/**
 * The part of the wrench that could do no more than there is room for, were the next displacement the longer of the last two, or
 * longer still.
 */
function roomFor({ options, ledger, pace, dots }: Passivity): number {
  const { bound, forceStep, torqueStep, mass, length, timeStep } = options;
  const way = Math.sqrt(dots[DOT_MOTION]);
  const turn = Math.sqrt(dots[DOT_MOTION + 1]);
  const force = Math.sqrt(dots[DOT_WRENCH]);
  const torque = Math.sqrt(dots[DOT_WRENCH + 1]);
  // Taken back in equal steps it works half as much as if it stayed.
  const along =
    FASTER * force * (1 + force / (2 * forceStep)) * Math.max(way, pace[0], 2 * way - pace[0]) +
    FASTER * torque * (1 + torque / (2 * torqueStep)) * Math.max(turn, pace[1], 2 * turn - pace[1]);
  pace[0] = way;
  pace[1] = turn;
  const turning = length > 0 ? torque / length : 0;
  const own = ((force * force + turning * turning) * timeStep * timeStep) / (2 * mass);
  const room = Math.max(bound - ledger[LEDGER_BALANCE], LEAST_ROOM * bound);
  if (along + own <= room) return 1;
  // The largest s with s along + s² own = room.
  return (2 * room) / (along + Math.sqrt(along * along + 4 * own * room));
}

function updateGain({ ledger, options: { bound, timeStep } }: Passivity): void {
  const balance = ledger[LEDGER_BALANCE];
  if (balance > HALVE_ABOVE * bound) ledger[LEDGER_GAIN] = Math.max(LEAST_GAIN, 0.5 * ledger[LEDGER_GAIN]);
  else if (balance < DAMP_ABOVE * bound) {
    ledger[LEDGER_GAIN] = Math.min(1, ledger[LEDGER_GAIN] * (1 + (Math.LN2 * timeStep) / RECOVERY));
  }
}

function multiply(dots: Float64Array, wrench: Float64Array, motion: Float64Array): void {
  dots.fill(0);
  for (let k = 0; k < 6; k += 1) {
    const part = k < 3 ? 0 : 1;
    dots[DOT_WORK + part] += wrench[k] * motion[k];
    dots[DOT_MOTION + part] += motion[k] * motion[k];
    dots[DOT_WRENCH + part] += wrench[k] * wrench[k];
  }
}

/** Takes the joules in `DOT_WORK` along the motion out of the force (0) or the torque (1). */
function damp({ options, ledger, dots }: Passivity, wrench: Float64Array, motion: Float64Array, part: number): void {
  const { timeStep } = options;
  const length = part === 0 ? 1 : options.length;
  const taken = dots[DOT_WORK + part];
  const square = dots[DOT_MOTION + part];
  if (!(taken > 0 && square > 0)) return;
  for (let k = 3 * part; k < 3 * part + 3; k += 1) wrench[k] -= (taken / square) * motion[k];
  if (length > 0)
    ledger[LEDGER_DAMPING] = Math.max(ledger[LEDGER_DAMPING], (taken * timeStep) / (square * length * length));
  ledger[LEDGER_WITHHELD] += taken;
}
