import { createRingWriter } from '../base/ring.js';
import { LIVE_COLUMNS, LIVE_WIDTH } from '../record/live-row.js';
import { createMailboxReader } from './command-mailbox.js';
import { awaitCycle, createPacer } from './pacer.js';
import { type FromLoop, type LoopHost, type LoopSetup, serveLoop } from './serve-loop.js';

/**
 * A loop whose times are measured, in turns with an empty one: the same pacer without work. What the machine does to
 * both is the machine's; what only the full one shows is ours. The thread of the one whose turn it is not sleeps, with
 * its scene, its heap and its compiled code as they are.
 */
export interface MeasuredLoop {
  /** Its ring of rows must be there. */
  readonly setup: LoopSetup;
  readonly isEmpty: boolean;
  /** One number, `TURN_…`. */
  readonly turn: SharedArrayBuffer;
}

/** As the memory is made. */
export const TURN_PARKED = 0;
export const TURN_RUNNING = 1;

export interface MeasuredLoopHost extends LoopHost {
  /** The turn of this loop has ended, or begins. */
  onTurn(isRunning: boolean): void;
}

/**
 * Runs a measured loop in its thread. Cycles begin with the first turn; the command `resume`, which changes nothing,
 * ends one.
 */
export function serveMeasuredLoop({ setup, isEmpty, turn }: MeasuredLoop, host: MeasuredLoopHost): void {
  const cell = new Int32Array(turn);
  const tell = (message: FromLoop) => {
    host.tell(message);
    // Before the first turn the cell is as it was made, or says already that the turn begins.
    if (message.kind === 'ready') awaitTurn(cell, host);
    if (message.kind === 'event' && message.event.command.kind === 'resume') {
      host.onTurn(false);
      Atomics.store(cell, 0, TURN_PARKED);
      awaitTurn(cell, host);
    }
  };
  if (isEmpty) runEmptyLoop(setup, { ...host, tell });
  else serveLoop(setup, { ...host, tell });
}

function awaitTurn(cell: Int32Array, host: MeasuredLoopHost): void {
  while (Atomics.load(cell, 0) === TURN_PARKED) Atomics.wait(cell, 0, TURN_PARKED);
  host.onTurn(true);
}

const CYCLE = LIVE_COLUMNS.indexOf('cycle');
const MISSED = LIVE_COLUMNS.indexOf('missed');
const LATE = LIVE_COLUMNS.indexOf('us_late');
const DURATION = LIVE_COLUMNS.indexOf('us_cycle');

/** As `runLiveLoop`, with nothing to do in between. */
function runEmptyLoop({ scene, memory }: LoopSetup, { clock, tell }: LoopHost): void {
  const { timeStep = 0.001 } = scene as { timeStep?: number };
  const commands = createMailboxReader(memory.mailbox);
  const rows = createRingWriter(memory.rows!);
  const row = new Float64Array(LIVE_WIDTH);
  const pacer = createPacer(timeStep, clock);
  tell({ kind: 'ready', startMs: Number.NaN });
  for (;;) {
    row[MISSED] = awaitCycle(pacer);
    const command = commands.take();
    if (command?.kind === 'stop') break;
    if (command) tell({ kind: 'event', event: { cycle: row[CYCLE], command } });
    row[LATE] = 1000 * pacer.lateMs;
    row[DURATION] = 1000 * (clock() - pacer.beganMs);
    rows.write(row);
    row[CYCLE] += 1;
  }
  tell({ kind: 'ended', end: 'stop' });
}
