import { createRingWriter, type Ring } from '../base/ring.js';
import type { TripleReader, TripleWriter } from '../base/triple-buffer.js';
import { type BlockLayout, createTripleMemory, openTripleReader, openTripleWriter } from '../base/triple-memory.js';
import { LIVE_WIDTH, writeLiveRow } from '../record/live-row.js';
import { createMailbox, createMailboxReader, type Mailbox } from './command-mailbox.js';
import { createPictureMemory, openPictureWriter, type PictureMemory, type PictureWriter } from './contact-pictures.js';
import {
  createDelassusMemory,
  type DelassusMemory,
  type DelassusWriter,
  openDelassusWriter,
} from './delassus-pictures.js';
import { commandLive, type LiveEvent, type LiveSession, liveTime, stepLive } from './live-session.js';
import { awaitCycle, type Pacer } from './pacer.js';

/** All that a loop and its host share. Everything in it can be sent to a worker. */
export interface LiveMemory {
  readonly mailbox: Mailbox;
  /** Newest row of each hand, for whoever shows it. */
  readonly telemetry: readonly SharedArrayBuffer[];
  /** Every row, for a recorder; null when nobody records. */
  readonly rows: Ring | null;
  /** Every row once more, for whoever shows the tools to other programs; null when nobody does. */
  readonly served: Ring | null;
  /** Contacts of each hand, for whoever draws them; empty when nobody does. */
  readonly pictures: readonly PictureMemory[];
  /** How contacts of the first hand's world are coupled, for whoever draws that; null when nobody does. */
  readonly delassus: DelassusMemory | null;
}

/** Cycles since the start. This and the totals below come after the numbers of a row. */
export const TELEMETRY_CYCLES = LIVE_WIDTH;
/** Cycles that were left out, because the loop came late. */
export const TELEMETRY_MISSED = LIVE_WIDTH + 1;
/** The latest that a cycle began since the start, µs. */
export const TELEMETRY_WORST_LATE_US = LIVE_WIDTH + 2;
/** The longest that a cycle took since the start, µs. */
export const TELEMETRY_WORST_CYCLE_US = LIVE_WIDTH + 3;
/** Rows that the recorder was too slow for. */
export const TELEMETRY_DROPPED = LIVE_WIDTH + 4;
/** Bits of all faults so far. */
export const TELEMETRY_FAULTS_SEEN = LIVE_WIDTH + 5;
const TELEMETRY_WIDTH = LIVE_WIDTH + 6;

const TELEMETRY: BlockLayout<Float64Array> = {
  bytes: 8 * TELEMETRY_WIDTH,
  view: (memory, offset) => new Float64Array(memory, offset, TELEMETRY_WIDTH),
};
/** More could not be distinguished in a picture that fits beside the stage. */
const SHOWN_COUPLINGS = 64;

/**
 * Allocates what a loop and its host share. `shownContacts`: room for so many in the snapshots of each hand; 0 for no
 * snapshots.
 */
export function createLiveMemory(
  hands: number,
  rows: Ring | null,
  shownContacts = 0,
  served: Ring | null = null,
): LiveMemory {
  const telemetry = Array.from({ length: hands }, () => createTripleMemory(TELEMETRY));
  const pictures = shownContacts === 0 ? [] : telemetry.map(() => createPictureMemory(shownContacts));
  const delassus = shownContacts === 0 ? null : createDelassusMemory(Math.min(shownContacts, SHOWN_COUPLINGS));
  return { mailbox: createMailbox(), telemetry, rows, served, pictures, delassus };
}

/** The host's view of one hand: always a whole row, the newest. */
export function openTelemetry(memory: LiveMemory, hand: number): TripleReader<Float64Array> {
  return openTripleReader(memory.telemetry[hand], TELEMETRY);
}

/** Why the loop was left. */
export type LoopEnd = 'stop' | 'listen';

/**
 * The paced loop, for a worker of Node or of a page. It returns when a command says so; until then its thread hears
 * nothing else. `onEvent` receives every command.
 */
export function runLiveLoop(
  session: LiveSession,
  pacer: Pacer,
  memory: LiveMemory,
  onEvent: (event: LiveEvent) => void,
): LoopEnd {
  const commands = createMailboxReader(memory.mailbox);
  const teller = createReporter(memory);
  for (;;) {
    const missed = awaitCycle(pacer);
    const command = commands.take();
    if (command) {
      onEvent(commandLive(session, command));
      if (command.kind === 'stop' || command.kind === 'listen') return command.kind;
    }
    stepLive(session, missed);
    tell(teller, session, pacer, missed);
  }
}

interface Reporter {
  readonly telemetry: readonly TripleWriter<Float64Array>[];
  readonly rows: ReturnType<typeof createRingWriter> | null;
  readonly served: ReturnType<typeof createRingWriter> | null;
  readonly pictures: readonly PictureWriter[];
  readonly delassus: DelassusWriter | null;
  readonly row: Float64Array;
  readonly totals: Float64Array;
  readonly moment: { time: number; missed: number; lateUs: number; cycleUs: number };
}

function createReporter({ telemetry, rows, served, pictures, delassus }: LiveMemory): Reporter {
  return {
    telemetry: telemetry.map((buffer) => openTripleWriter(buffer, TELEMETRY)),
    rows: rows && createRingWriter(rows),
    served: served && createRingWriter(served),
    pictures: pictures.map(openPictureWriter),
    delassus: delassus && openDelassusWriter(delassus),
    row: new Float64Array(TELEMETRY_WIDTH),
    totals: new Float64Array(3),
    moment: { time: 0, missed: 0, lateUs: 0, cycleUs: 0 },
  };
}

const WORST_LATE = 0;
const WORST_CYCLE = 1;
const DROPPED = 2;

function tell(teller: Reporter, session: LiveSession, pacer: Pacer, missed: number): void {
  const { moment, totals, row, telemetry, rows, served, pictures, delassus } = teller;
  const { hands, cycles } = session;
  moment.time = liveTime(session);
  moment.missed = missed;
  moment.lateUs = 1000 * pacer.lateMs;
  moment.cycleUs = 1000 * (pacer.now() - pacer.beganMs);
  totals[WORST_LATE] = Math.max(totals[WORST_LATE], moment.lateUs);
  totals[WORST_CYCLE] = Math.max(totals[WORST_CYCLE], moment.cycleUs);
  for (let h = 0; h < hands.length; h += 1) {
    writeLiveRow(row, hands[h].servo, h, moment, hands[h].pace.numbers);
    if (rows && !rows.write(row)) totals[DROPPED] += 1;
    if (served) served.write(row);
    row[TELEMETRY_CYCLES] = cycles;
    row[TELEMETRY_MISSED] = session.missed;
    row[TELEMETRY_WORST_LATE_US] = totals[WORST_LATE];
    row[TELEMETRY_WORST_CYCLE_US] = totals[WORST_CYCLE];
    row[TELEMETRY_DROPPED] = totals[DROPPED];
    row[TELEMETRY_FAULTS_SEEN] = hands[h].servo.faultsSeen;
    telemetry[h].block.set(row);
    telemetry[h].publish();
    if (h < pictures.length) pictures[h].draw(hands[h].servo.method);
  }
  if (delassus !== null) delassus.draw(hands[0].method.method);
}
