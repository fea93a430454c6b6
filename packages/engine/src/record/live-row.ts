import { LEDGER_DAMPING, LEDGER_ENERGY } from '../coupling/passivity.js';
import { FAULT_SAMPLE_BAD } from '../servo/sample-guard.js';
import type { Servo } from '../servo/servo.js';
import { RESULT_COLUMNS, RESULT_WIDTH, writeResultRow } from './result.js';

/**
 * What a live loop reports for every cycle and hand: the columns of a result, and what only a live loop has. `time` counts
 * the cycles that were missed as well, so that it keeps up with the clock.
 */
export const LIVE_COLUMNS = [
  ...RESULT_COLUMNS,
  /** Number of the cycle, without those missed, and of the hand. */
  'cycle',
  'hand',
  /** 1 when the device had said something new, 2 when that was no pose; its buttons as bits; 1 while it is let go. */
  'fresh',
  'buttons',
  'released',
  /** Cycles that were left out before this one because the loop came late. */
  'missed',
  /** Bits `FAULT_…`. */
  'faults',
  /** From 0 (no force) to 1: ramp-in, pause and faults. */
  'gain',
  /** Energy given to the hand since the start, J; never above the bound. */
  'energy',
  /** Damping that the passivity controller added, N s/m. */
  'damping',
  /** How late the cycle began, and how long all of it took, microseconds. */
  'us_late',
  'us_cycle',
  /**
   * Of a method with a contact side: age of the contact model that was used, s, and new models per second, counted over
   * the last quarter of a second. Zero for other methods.
   */
  'contact_age',
  'contact_rate',
] as const;

/** Number of columns of a live row. */
export const LIVE_WIDTH = LIVE_COLUMNS.length;

/** Of the loop rather than of a hand. */
export interface LiveMoment {
  /** s */
  time: number;
  /** Cycles skipped before this one. */
  missed: number;
  /** How late the cycle began, microseconds. */
  lateUs: number;
  /** How long the cycle took, microseconds. */
  cycleUs: number;
}

/** Places in what is reported of a contact side. */
export const CONTACT_AGE = 0;
export const CONTACT_RATE = 1;
const NO_CONTACT_SIDE = new Float64Array(2);

/** What a cycle left of one hand, at the start of `row`. `contactPace`: of its contact side, if its method has one. */
export function writeLiveRow(
  row: Float64Array,
  servo: Servo,
  hand: number,
  moment: LiveMoment,
  contactPace: Float64Array = NO_CONTACT_SIDE,
): void {
  const { output, passivity, device } = servo;
  writeResultRow(row, 0, moment.time, servo.devicePose, output, servo.isLimited);
  let at = RESULT_WIDTH;
  row[at++] = servo.cycles - 1;
  row[at++] = hand;
  row[at++] = servo.fresh ? ((servo.faults & FAULT_SAMPLE_BAD) === 0 ? 1 : 2) : 0;
  row[at++] = device.buttons ?? 0;
  row[at++] = device.isReleased === true ? 1 : 0;
  row[at++] = moment.missed;
  row[at++] = servo.faults;
  row[at++] = servo.gain.value;
  row[at++] = passivity.ledger[LEDGER_ENERGY];
  row[at++] = passivity.ledger[LEDGER_DAMPING];
  row[at++] = moment.lateUs;
  row[at++] = moment.cycleUs;
  row[at++] = contactPace[CONTACT_AGE];
  row[at++] = contactPace[CONTACT_RATE];
}
