import { LIVE_COLUMNS, LIVE_WIDTH } from '@palpable/engine';
import type { RecordedHand } from './hand-rows.js';
import type { Recording } from './read-recording.js';
import type { RecordedEvent } from './recording-info.js';

/** What one hand's rows amount to. SI units. */
export type HandSummary = ReturnType<typeof summariseHand>;

export type RecordingSummary = ReturnType<typeof summariseRecording>;

const place = (name: (typeof LIVE_COLUMNS)[number]) => LIVE_COLUMNS.indexOf(name);
const TIME = place('time');
const FORCE = place('fx');
const TORQUE = place('tx');
const CONTACTS = place('contacts');
const PENETRATION = place('max_penetration');
const LIMITED = place('limited');
const MISSED = place('missed');
const FAULTS = place('faults');
const ENERGY = place('energy');

export function summariseRecording({ info, hands, events, end }: Recording) {
  const summaries = hands.map(summariseHand);
  const used = summaries.filter((hand) => hand.cycles > 0);
  const first = Math.min(...used.map((hand) => hand.from));
  const last = Math.max(...used.map((hand) => hand.to));
  const timeStep = Number.isFinite(info.timeStep) ? info.timeStep : 0;
  const kinds: Record<string, number> = {};
  for (const event of events) kinds[nameOf(event)] = (kinds[nameOf(event)] ?? 0) + 1;
  return {
    /** From the first cycle of any hand to the end of the last, s. */
    duration: used.length > 0 ? last - first + timeStep : 0,
    cycles: summaries.reduce((sum, hand) => sum + hand.cycles, 0),
    /** Rows that the recorder never got; null when the recording was cut off. */
    dropped: end?.dropped ?? null,
    hands: summaries,
    /** How many of each kind. */
    events: kinds,
  };
}

/** Of a command to the loop, what it commands. */
function nameOf({ kind, command }: RecordedEvent): string {
  return (command as { kind?: string } | undefined)?.kind ?? kind;
}

function summariseHand({ tool, count, rows }: RecordedHand) {
  let missed = 0;
  let faultCycles = 0;
  let faultBits = 0;
  let limitedCycles = 0;
  for (let at = 0; at < rows.length; at += LIVE_WIDTH) {
    missed += rows[at + MISSED]!;
    faultBits |= rows[at + FAULTS]!;
    if (rows[at + FAULTS]! !== 0) faultCycles += 1;
    if (rows[at + LIMITED]! !== 0) limitedCycles += 1;
  }
  const last = (count - 1) * LIVE_WIDTH;
  return {
    tool,
    cycles: count,
    /** Of the first and the last cycle, s. */
    from: rows[TIME] ?? 0,
    to: rows[last + TIME] ?? 0,
    /** Cycles that the loop left out because it came late. */
    missed,
    /** Cycles with a fault, and the bits of all of them. */
    faultCycles,
    faultBits,
    limitedCycles,
    maxForce: largest(rows, (at) => lengthAt(rows, at + FORCE)),
    maxTorque: largest(rows, (at) => lengthAt(rows, at + TORQUE)),
    maxContacts: largest(rows, (at) => rows[at + CONTACTS]!),
    maxPenetration: largest(rows, (at) => rows[at + PENETRATION]!),
    /** The most that was given to the hand at any moment since the start, and at the end, J. */
    maxEnergy: largest(rows, (at) => rows[at + ENERGY]!),
    endEnergy: rows[last + ENERGY] ?? 0,
  };
}

/** Of a value of every row; 0 without rows. */
function largest(rows: Float64Array, valueAt: (at: number) => number): number {
  let most = rows.length > 0 ? Number.NEGATIVE_INFINITY : 0;
  for (let at = 0; at < rows.length; at += LIVE_WIDTH) most = Math.max(most, valueAt(at));
  return most;
}

function lengthAt(rows: Float64Array, at: number): number {
  const [x, y, z] = [rows[at]!, rows[at + 1]!, rows[at + 2]!];
  return Math.sqrt(x * x + y * y + z * z);
}
